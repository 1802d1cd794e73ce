// What others did, shown one action after the other: the position before, the move or battle, the position after.
import { sceneOf, worthShowing, type Scene } from "./story";
import type { MatchState, View } from "./types";

export type Speed = "instant" | "brisk" | "slow";

/** How long a scene stays: before its effect is shown, and after, in ms at the brisk speed. */
interface Pace {
  lead: number;
  stay: number;
}

export function paceOf(scene: Scene, speed: Speed): Pace {
  const slower = speed === "slow" ? 2.3 : 1;
  const brisk: Pace = scene.battle ? { lead: 1300, stay: 1900 } : scene.moves.length ? { lead: 350, stay: 750 } : { lead: 0, stay: 450 };
  return { lead: brisk.lead * slower, stay: brisk.stay * slower };
}

export interface Stage {
  frame: (ply: number) => Promise<MatchState>; // the position after so many actions, with that action's story and log
  shown: (ply: number) => void; // the viewer has seen everything up to here
  speed: () => Speed;
  failed: (error: unknown) => void;
  ended: () => void;
}

export class Playback {
  scene = $state.raw<Scene | null>(null);
  /** Has the effect of the scene been shown? */
  done = $state(false);
  paused = $state(false);
  active = $state(false);
  /** The last action that is on the screen, and where the story will end. */
  at = $state(0);
  from = $state(0);
  until = $state(0);
  private view_ = $state.raw<View | null>(null);
  private hurry: (() => void) | null = null; // ends the present wait
  private run = 0; // tells a later playback from an earlier one that still waits for something

  constructor(private readonly stage: Stage) {}

  /** The position to show while it plays. */
  get view(): View | null {
    if (!this.active) return null;
    return this.scene ? (this.done ? this.scene.after : this.scene.before) : this.view_;
  }

  /** Show the actions after `from` up to `until`; more may come while it plays. */
  play(from: number, until: number): void {
    if (this.active && from <= this.until && from >= this.from) {
      this.until = Math.max(this.until, until);
      return;
    }
    void this.start(from, until);
  }

  /** Actions that leave no trace were done after those that it shows: what follows them belongs to the same story. */
  goOn(from: number, until: number): void {
    if (this.active && from === this.until) this.until = until;
  }

  /** The position that it shows is no longer part of the match. */
  forget(ply: number): void {
    if (this.active && ply < this.until) this.stop();
  }

  pause(): void {
    this.paused = !this.paused;
    if (!this.paused) this.hurry?.();
  }

  /** On to the next thing to see, and wait there. */
  step(): void {
    this.paused = true;
    this.hurry?.();
  }

  skip(): void {
    if (!this.active) return;
    this.stage.shown(this.until);
    this.stop();
    this.stage.ended();
  }

  stop(): void {
    this.run++;
    this.active = false;
    this.scene = null;
    this.paused = false;
    this.hurry?.();
  }

  private async start(from: number, until: number): Promise<void> {
    const run = ++this.run;
    this.hurry?.();
    this.active = true;
    this.paused = false;
    this.scene = null;
    this.from = this.at = from;
    this.until = until;
    try {
      this.view_ = (await this.stage.frame(from)).view;
      while (run === this.run && this.at < this.until) await this.next(run);
    } catch (error) {
      if (run === this.run) this.stage.failed(error);
    }
    if (run !== this.run) return;
    this.stop();
    this.stage.ended();
  }

  private async next(run: number): Promise<void> {
    const ply = this.at + 1;
    const frame = await this.stage.frame(ply);
    if (run !== this.run) return;
    const entries = frame.log.filter((entry) => entry.ply === ply);
    const scene = sceneOf(ply, this.view_!, frame.view, entries, frame.story ?? null);
    this.view_ = frame.view;
    if (worthShowing(scene)) {
      const pace = paceOf(scene, this.stage.speed());
      this.done = pace.lead === 0;
      this.scene = scene;
      this.at = ply;
      if (!this.done) await this.wait(pace.lead, false);
      if (run !== this.run) return;
      this.done = true;
      this.stage.shown(ply);
      await this.wait(pace.stay, true);
    } else {
      this.at = ply;
      this.stage.shown(ply);
    }
  }

  /** Only what has been shown is held by a pause. */
  private wait(time: number, hold: boolean): Promise<void> {
    return new Promise((go) => {
      const end = (): void => {
        clearTimeout(timer);
        this.hurry = null;
        go();
      };
      const timer = setTimeout(() => {
        if (!hold || !this.paused) end();
      }, time);
      this.hurry = end;
    });
  }
}
