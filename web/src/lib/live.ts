// The live connection of a match: it comes back by itself, and asks for what was missed.
import { completed } from "./complete";
import type { Hello, LiveThinking, MatchState, Update } from "./types";

export interface Listener {
  hello: () => Hello;
  state: (state: MatchState) => void;
  update: (update: Update) => void;
  people?: () => void; // an offer, a message: look again
  thinking?: (share: number) => void; // how far a computer player's thought is
  status: (up: boolean) => void;
  refused: (reason: string) => void;
}

const PATIENCE = [300, 700, 1500, 3000, 5000];

export class Live {
  private socket: WebSocket | null = null;
  private wanted = false;
  private tries = 0;
  private timer = 0;

  constructor(
    private readonly id: string,
    private readonly listener: Listener,
  ) {}

  start(): void {
    if (this.id.startsWith("lesson~")) return; // nobody else changes a lesson
    this.wanted = true;
    this.connect();
    addEventListener("online", this.hurry);
  }

  stop(): void {
    this.wanted = false;
    removeEventListener("online", this.hurry);
    clearTimeout(this.timer);
    this.drop();
  }

  /** Connect anew: another seat has taken the screen. */
  restart(): void {
    if (!this.wanted) return;
    clearTimeout(this.timer);
    this.drop();
    this.connect();
  }

  private drop(): void {
    const old = this.socket;
    this.socket = null;
    old?.close();
  }

  private hurry = (): void => {
    if (!this.socket) this.restart();
  };

  private connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/matches/${encodeURIComponent(this.id)}/live`);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(this.listener.hello()));
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      const message = JSON.parse(String(event.data)) as { type?: string; error?: string };
      if (message.type === "error") {
        this.wanted = false; // it would be refused again
        this.listener.refused(message.error ?? "The server refuses the live connection.");
        return;
      }
      this.tries = 0;
      this.listener.status(true);
      if (message.type === "state") this.listener.state(completed(message as MatchState & { type: string }));
      else if (message.type === "update") this.listener.update(completed(message as Update));
      else if (message.type === "people") this.listener.people?.();
      else if (message.type === "thinking") this.listener.thinking?.((message as unknown as LiveThinking).share);
    };
    socket.onclose = () => {
      if (socket !== this.socket) return;
      this.socket = null;
      if (!this.wanted) return;
      if (this.tries > 0) this.listener.status(false);
      const wait = PATIENCE[Math.min(this.tries++, PATIENCE.length - 1)]!;
      this.timer = window.setTimeout(() => this.connect(), wait);
    };
  }
}
