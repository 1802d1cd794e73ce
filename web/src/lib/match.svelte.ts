// One match on this screen: what the service says about it, which seat is shown, and what the player has in hand.
import { api, ApiError, complaint } from "./api";
import { columnOf, sentence } from "./format";
import { Layout } from "./geometry";
import { Hand, whyNot } from "./hand.svelte";
import { Live } from "./live";
import { Playback } from "./playback.svelte";
import { settings } from "./settings.svelte";
import { giveSeat, looked, read, seatsOf, setLooked, write } from "./storage";
import { sceneOf, theirTurn, type Battle } from "./story";
import { Targets } from "./targets";
import type { Action, Citation, Forecast, Game, LogEntry, MatchState, Overlay, Right, Seat, Unit, Update, View } from "./types";

export interface Notice {
  tone: "refusal" | "error" | "info";
  title: string;
  citations: Citation[];
  at: string | null; // the hex it is about
}

const LINGER = 90; // ms
const MOST_WEIGHED = 10; // units
const NEWS = 3000; // ms

/** Does a name stand in a sentence, not as part of a longer one? */
function wordIn(text: string, name: string): boolean {
  const at = text.indexOf(name);
  return at > 0 && !/[\w.]/.test(text[at - 1]!) && !/\w/.test(text[at + name.length] ?? "");
}

function throwsDice(forecast: Forecast | null): boolean {
  return forecast !== null && forecast.outcomes.length > 0;
}

export class Match {
  readonly layout: Layout;
  /** The keys of the seats at this screen. */
  tokens = $state.raw<Record<string, string>>({});
  state = $state.raw() as MatchState;
  log = $state.raw<LogEntry[]>([]);
  seat = $state<string | null>(null);
  connection = $state<"live" | "lost">("live");
  /** Grows when the players have offered or said something. */
  peopleNews = $state(0);
  busy = $state(false);
  /** The side that must take the screen before anything of it is shown. */
  handTo = $state<string | null>(null);

  // what the player points at
  readonly hand = new Hand(this);
  pointed = $state.raw<Action | null>(null);
  /** Hexes that a lesson points at. */
  beacons = $state.raw<string[]>([]);
  /** The choices that a lesson waits for; none where it waits for something else; null: whatever one likes. */
  wanted = $state.raw<string[] | null>(null);
  lit = $state.raw<string[]>([]);
  notice = $state.raw<Notice | null>(null);
  /** What the dice of the player's own last action brought. */
  battle = $state.raw<Battle | null>(null);
  /** Actions that played themselves, by ply: the log tells of them. */
  forced = $state.raw(new Map<number, string>());
  private forcing = $state(false); // one is about to
  private ended = false; // the player has just ended something of his own will
  /** How far the computer player's thought is, and of which position. */
  private thought = $state.raw({ seq: -1, share: 0 });
  /** What others did while nobody looked. */
  unseen = $state.raw<{ from: number; to: number } | null>(null);
  forecast = $state.raw<Forecast | null>(null);
  /** What the action pointed at would lead to, where no dice decide it. */
  consequences = $state.raw<{ at: string; notes: string[] } | null>(null);
  /** The button that would throw the dice. */
  rolls = $state<string | null>(null);
  /** Units whose joining or leaving would change the column of the attack, and to what. */
  swings = $state.raw(new Map<number, string>());
  overlay = $state.raw<Overlay | null>(null);
  overlayWanted = $state.raw<{ kind: string; side: string | null } | null>(null); // no side: of the unit pointed at
  reach = $state.raw<Overlay | null>(null);
  centreOn = $state.raw<{ labels: string[]; key: number } | null>(null);

  // replay
  replay = $state.raw<MatchState | null>(null);
  replayPly = $state<number | null>(null);

  readonly playback = new Playback({
    frame: (ply) => this.frame(ply),
    shown: (ply) => this.haveSeen(ply),
    speed: () => settings.values.playback,
    failed: (error) => this.complain(error),
    ended: () => this.settle(),
  });

  private live: Live;
  private overlayUnit: number | null = null;
  private forecasts = new Map<string, Promise<Forecast | null>>();
  private frames = new Map<number, Promise<MatchState>>();
  private ownWay: string[] = []; // of the last move made here
  private shownBefore = null as unknown as View; // the position of the decision before this one
  private autoPaused = false;
  private counter = 0;
  private autoTimer = 0;
  private pointTimer = 0;
  private newsTimer = 0;

  constructor(
    readonly game: Game,
    readonly id: string,
    first: MatchState,
  ) {
    this.layout = new Layout(game.map);
    this.tokens = seatsOf(id);
    this.seat = first.viewer;
    this.rememberSeat();
    this.show(first);
    this.whatWasMissed(first);
    this.live = new Live(id, {
      hello: () => ({ token: this.token }),
      state: (state) => this.welcome(state),
      update: (update) => this.take(update),
      people: () => (this.peopleNews += 1),
      thinking: (share) => (this.thought = { seq: this.state.seq, share }),
      status: (up) => (this.connection = up ? "live" : "lost"),
      refused: (reason) => this.tell(reason),
    });
  }

  static async open(id: string): Promise<Match> {
    const tokens = seatsOf(id);
    const last = tokens[read(`counterblow.seat.${id}`, "")];
    let state = await api.match(id, last ?? Object.values(tokens)[0] ?? null);
    const decider = state.decider === null ? undefined : tokens[state.decider];
    if (last === undefined && decider !== undefined && state.viewer !== state.decider) state = await api.match(id, decider);
    const match = new Match(await api.game(state.game), id, state);
    match.followDecider(); // a page that is loaded again shows who sat there, never the other side's secrets
    match.connect();
    return match;
  }

  connect(): void {
    this.live.start();
  }

  close(): void {
    clearTimeout(this.autoTimer);
    clearTimeout(this.pointTimer);
    clearTimeout(this.newsTimer);
    this.playback.stop();
    this.live.stop();
  }

  // ---------------------------------------------------------------- what is shown

  get view(): View {
    return this.replay?.view ?? this.playback.view ?? this.state.view;
  }

  get replaying(): boolean {
    return this.replayPly !== null;
  }

  get token(): string | null {
    return this.seat === null ? null : (this.tokens[this.seat] ?? null);
  }

  get mine(): boolean {
    const watching = this.replaying || this.playback.active;
    return !watching && this.state.view.legal.length > 0 && this.state.decider === this.seat;
  }

  /** Something is under way: an action, or the screen is turning to the other player. */
  get settling(): boolean {
    const decider = this.state.decider;
    const turning = decider !== null && decider !== this.seat && decider in this.tokens && this.handTo === null;
    return this.busy || this.forcing || turning;
  }

  readonly legal = $derived.by(() => (this.mine ? this.state.view.legal : []));
  readonly targets = $derived.by(() => new Targets(this.legal));
  /** The units that the decision is about: told by it, else those its actions name, or the one that the prompt names. */
  readonly subjects = $derived.by(() => {
    const about = this.mine ? (this.state.view.decision?.about ?? []) : [];
    if (about.length) return new Set(about);
    const named = this.targets.subjects;
    if (named.size || this.targets.byHex.size === 0) return named;
    const prompt = ` ${this.state.view.decision?.prompt ?? ""} `;
    let best: Unit | null = null;
    for (const unit of this.unitsById.values()) {
      const name = unit.name ?? "";
      if (name.length > (best?.name?.length ?? 0) && wordIn(prompt, name)) best = unit;
    }
    return best && best.side === this.seat ? new Set([best.id!]) : named;
  });
  /** The units already in the attack or stack that is being put together. */
  readonly joined = $derived.by(() => new Set(this.view.decision?.chosen ?? []));
  /** Of these, the units that a click takes out again, and how that is said. */
  readonly drops = $derived.by(() => (this.mine ? (this.state.view.decision?.drops ?? {}) : {}));
  isJoined(unit: Unit): boolean {
    return typeof unit.id === "number" && this.joined.has(unit.id);
  }
  readonly hexes = $derived.by(() => {
    if (this.hand.way) return new Map(this.hand.waySteps.map((label) => [label, this.targets.byHex.get(label) ?? []]));
    return this.hand.picked === null ? this.targets.byHex : this.targets.hexesFor(this.hand.picked);
  });
  readonly unitsById = $derived.by(() => {
    const found = new Map<number, Unit>();
    const boxed = this.view.boxes.flatMap((box) => box.units);
    for (const unit of [...this.view.units, ...boxed]) if (typeof unit.id === "number") found.set(unit.id, unit);
    return found;
  });
  readonly visibleLog = $derived.by(() => {
    const until = this.replayPly ?? (this.playback.active ? this.playback.at : null);
    return until === null ? this.log : this.log.filter((entry) => entry.ply <= until);
  });

  sideTitle(side: string | null): string {
    return this.game.sides.find((s) => s.name === side)?.title ?? side ?? "Nobody";
  }

  sideOrder(side: string): number {
    return Math.max(0, this.game.sides.findIndex((s) => s.name === side));
  }

  seatOf(side: string | null): Seat | undefined {
    return this.state.seats.find((s) => s.side === side);
  }

  unitName(id: number): string {
    return this.unitsById.get(id)?.name ?? "";
  }

  /** The way on which a unit came to where it is, if it has just moved. */
  wayOf(unit: Unit): string[] {
    const shown = this.playback.scene?.moves.find((move) => move.unit.id === unit.id)?.path;
    const way = shown ?? this.ownWay;
    return way.at(-1) === unit.at ? way : [];
  }

  // ---------------------------------------------------------------- what the service says

  private show(state: MatchState): void {
    this.state = state;
    this.log = state.log;
    this.settle();
  }

  /** The live connection tells the state first: news only if something was missed. */
  private welcome(state: MatchState): void {
    if (state.seq === this.state.seq) return;
    this.catchUp(state);
  }

  private take(update: Update): void {
    if (update.seq <= this.state.seq) return;
    if (update.keep > this.state.ply) {
      void this.resync();
      return;
    }
    const { seq, ply, view, decider, over, can_undo, undo_side, thinking } = update;
    const summary = { turn_label: view.turn_label, result: update.result, shown: ply };
    if (ply <= this.state.ply) this.forgetAfter(update.keep);
    this.state = { ...this.state, ...summary, seq, ply, view, decider, over, can_undo, undo_side, thinking };
    this.log = [...this.log.filter((entry) => entry.ply <= update.keep), ...update.events];
    this.tellOf(update);
    this.settle();
    this.followDecider();
    if (over) void this.tellPlans();
  }

  /** The game is over: now the log tells the plans of computer players, of all that they did. */
  private async tellPlans(): Promise<void> {
    if (!this.state.seats.some((seat) => seat.kind === "computer")) return;
    try {
      this.log = (await api.match(this.id, this.token)).log;
    } catch {
      return; // the next time that the match is opened
    }
  }

  /** Positions after this one were taken back. */
  private forgetAfter(ply: number): void {
    for (const known of this.frames.keys()) if (known > ply) this.frames.delete(known);
    this.playback.forget(ply);
    this.unseen = null;
  }

  /** Show what others did, one thing after the other; of one's own actions, what the dice brought. */
  private tellOf(update: Update): void {
    if (update.events.some((entry) => entry.ply > update.keep && this.isOther(entry.side))) {
      if (settings.values.playback === "instant" || this.replaying) this.lightNews(update.events);
      else this.playback.play(update.keep, update.ply);
    } else if (update.events.some((entry) => entry.dice.length > 0)) void this.showBattle(update);
    else this.playback.goOn(update.keep, update.ply);
    if (!this.playback.active) this.haveSeen(update.ply);
  }

  private isOther(side: string | null): boolean {
    return side !== null && !(side in this.tokens);
  }

  private async showBattle(update: Update): Promise<void> {
    const before = this.shownBefore;
    try {
      const { story, view } = await this.frame(update.ply);
      const { battle } = sceneOf(update.ply, before, view, update.events, story ?? null);
      if (this.state.seq === update.seq || !this.battle) this.battle = battle;
    } catch {
      return; // the log tells it too
    }
  }

  // ---------------------------------------------------------------- what was seen, and what not

  /** The position after so many actions, as this seat sees it. */
  private frame(ply: number): Promise<MatchState> {
    let known = this.frames.get(ply);
    if (!known) {
      known = api.frame(this.id, this.token, ply);
      this.frames.set(ply, known);
      known.catch(() => this.frames.delete(ply));
    }
    return known;
  }

  private haveSeen(ply: number): void {
    if (this.seat !== null && this.handTo === null) setLooked(this.id, this.seat, ply);
  }

  /** Did others act since this seat last looked? */
  private whatWasMissed(state: MatchState): void {
    const from = state.viewer === null ? null : looked(this.id, state.viewer);
    const secret = this.handOverNeeded; // else two players at one screen have seen it all
    const other = (side: string | null): boolean => (secret ? side !== null && side !== this.seat : this.isOther(side));
    const missed = from !== null && state.log.some((entry) => entry.ply > from && other(entry.side));
    this.unseen = missed ? { from, to: state.ply } : null;
    if (!missed && state.viewer !== null) setLooked(this.id, state.viewer, state.ply);
  }

  showUnseen(): void {
    const missed = this.unseen;
    this.unseen = null;
    if (missed) this.playback.play(missed.from, this.state.ply);
  }

  leaveUnseen(): void {
    this.unseen = null;
    this.haveSeen(this.state.ply);
  }

  /** The last turn of the others, to be seen again. */
  get theirTurn(): { from: number; to: number } | null {
    return theirTurn(this.log, (side) => side === null || side === this.seat);
  }

  showTheirTurn(): void {
    const turn = this.theirTurn;
    if (turn) this.playback.play(turn.from, turn.to);
  }

  private settle(): void {
    clearTimeout(this.pointTimer);
    this.shownBefore = this.state.view;
    this.hand.empty();
    this.pointed = null;
    this.lit = [];
    this.forecast = null;
    this.consequences = null;
    this.rolls = null;
    this.swings = new Map();
    this.reach = null;
    this.forecasts.clear();
    void this.lookAhead();
    void this.refreshOverlay();
    this.autoPlay();
  }

  async resync(): Promise<void> {
    try {
      this.catchUp(await api.match(this.id, this.token));
    } catch (error) {
      this.complain(error);
    }
  }

  /** The match went on while nothing was heard of it. */
  private catchUp(state: MatchState): void {
    this.show(state);
    this.whatWasMissed(state);
    this.followDecider();
  }

  /** Two players at one screen: turn it to the side that decides, behind a hand-over page where secrets are at stake. */
  private followDecider(): void {
    const decider = this.state.decider;
    if (decider === null || decider === this.seat || !(decider in this.tokens)) return;
    if (this.handOverNeeded) this.handTo = decider;
    else void this.sit(decider);
  }

  /** Somebody else takes a seat of this screen: its key leaves with the invitation. */
  async giveAway(side: string): Promise<string> {
    const { [side]: key, ...kept } = this.tokens;
    this.tokens = kept;
    giveSeat(this.id, side);
    const here = Object.keys(kept)[0];
    if (this.seat === side && here !== undefined) await this.sit(here);
    return key!;
  }

  private rememberSeat(): void {
    if (this.seat !== null) write(`counterblow.seat.${this.id}`, this.seat);
  }

  private get handOverNeeded(): boolean {
    const wish = settings.values.handOver;
    if (wish !== "hidden") return wish === "always";
    const view = this.state.view;
    return view.units.some((unit) => unit.hidden) || Object.keys(view.hands).length > 0;
  }

  async sit(side: string): Promise<void> {
    try {
      const state = await api.match(this.id, this.tokens[side] ?? null);
      this.seat = side;
      this.rememberSeat();
      this.handTo = null;
      this.frames.clear();
      this.battle = null;
      this.show(state);
      this.whatWasMissed(state);
      this.live.restart();
    } catch (error) {
      this.complain(error);
    }
  }

  /** What the other side did lights up for a moment. */
  private lightNews(events: LogEntry[]): void {
    const hexes = events.filter((entry) => entry.side !== this.seat).flatMap((entry) => entry.hexes);
    if (!hexes.length) return;
    this.lit = hexes;
    clearTimeout(this.newsTimer);
    this.newsTimer = window.setTimeout(() => {
      if (this.lit === hexes) this.lit = [];
    }, NEWS);
  }

  // ---------------------------------------------------------------- acting

  /** Carry out one of the legal actions; tells whether it was done. */
  async act(action: Action): Promise<boolean> {
    if (this.busy || !this.token) return false;
    this.hand.noted(action, this.legal);
    this.ended = action.text === this.state.view.decision?.pass;
    this.ownWay = this.reach?.paths[this.targets.hexOf(action) ?? ""] ?? action.hexes;
    return this.say([action.text]);
  }

  /** Carry out actions by their sentences, all of them or none. */
  async say(texts: string[], calmly = false): Promise<boolean> {
    if (this.busy || !this.token) return false;
    this.autoPaused = calmly; // what was taken back is not done again by itself
    return this.send(() => api.act(this.id, this.token!, this.state.seq, texts), texts.at(-1)!);
  }

  /** The rights that can be used now, each with the seat at this screen whose it is. */
  get rights(): { right: Right; side: string }[] {
    if (this.replaying || this.state.over) return [];
    const seats = this.game.sides.map((side) => side.name).filter((side) => side in this.tokens);
    return this.game.rights.flatMap((right) => seats.map((side) => ({ right, side })));
  }

  /** Use a right, whoever decides now. */
  async claim(right: Right, side: string): Promise<void> {
    const token = this.tokens[side];
    const words = this.game.actions.find((action) => action.kind === right.kind)?.sentence;
    if (this.busy || token === undefined || words === undefined) return;
    if (side !== this.seat) await this.sit(side);
    await this.send(() => api.act(this.id, token, this.state.seq, [words.replace("{side}", side)]), right.title);
  }

  async undo(): Promise<boolean> {
    const side = this.state.undo_side;
    const token = side === null ? null : (this.tokens[side] ?? null);
    if (this.busy || token === null) return false;
    this.autoPaused = true;
    this.hand.forget();
    if (side !== this.seat) await this.sit(side!);
    return this.send(() => api.undo(this.id, token, this.state.seq), "Undo");
  }

  /** How far the computer player is that thinks now: from 0 to 1. */
  get thinkingShare(): number {
    return this.state.thinking && this.thought.seq === this.state.seq ? this.thought.share : 0;
  }

  get canUndo(): boolean {
    const side = this.state.undo_side;
    return !this.replaying && side !== null && side in this.tokens;
  }

  private async send(call: () => Promise<Update>, what: string): Promise<boolean> {
    this.busy = true;
    this.notice = null;
    this.battle = null;
    try {
      this.take(await call());
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) {
        await this.resync();
        this.tell("The match has moved on since; this is how it stands now.");
      } else if (error instanceof ApiError && error.citations.length) {
        this.refuse(what, error.citations, null);
      } else this.complain(error);
      return false;
    } finally {
      this.busy = false;
      void this.lookAhead();
      this.autoPlay();
    }
  }

  /** A single choice plays itself, unless dice would be thrown, or an end would cut off taking something back. */
  private autoPlay(): void {
    clearTimeout(this.autoTimer);
    this.forcing = false;
    const [only] = this.legal;
    if (this.id.startsWith("lesson~")) return; // the pupil makes the moves
    if (!settings.values.autoPlay || this.autoPaused || this.busy || !only || this.legal.length > 1) return;
    if (only.text === this.state.view.decision?.pass && this.canUndo && !this.ended) return;
    const still = (): boolean => this.legal.length === 1 && this.legal[0] === only && !this.busy;
    this.forcing = true;
    this.autoTimer = window.setTimeout(async () => {
      const dice = throwsDice(await this.forecastOf(only));
      this.forcing = false;
      if (dice || !still()) return;
      const ended = this.ended;
      this.forced = new Map(this.forced).set(this.state.ply + 1, only.text);
      await this.act(only);
      this.ended ||= ended;
    }, settings.calm ? 0 : 350);
  }

  // ---------------------------------------------------------------- telling the player

  /** Why nothing can be done with this hex or unit now, by the rules. */
  async explain(label: string, unit: Unit | null): Promise<void> {
    const named = unit && typeof unit.id === "number" && unit.name ? { id: unit.id, name: unit.name } : null;
    const texts = this.targets.similar(label, named, (id) => this.unitName(id));
    const found = await whyNot(this.id, this.token, texts);
    if (found) return this.refuse(found.text, found.citations, label);
    const decision = this.state.view.decision;
    const rules = decision?.rules ?? [];
    const what = decision?.prompt ?? "Nothing to decide";
    const where = this.layout.name(label);
    this.refuse(`${where}: nothing to choose here now`, [{ rule: rules[0] ?? "", text: what }], label);
  }

  private refuse(title: string, citations: Citation[], at: string | null): void {
    this.notice = { tone: "refusal", title: sentence(title), citations, at };
  }

  private complain(error: unknown): void {
    this.notice = { tone: "error", title: complaint(error), citations: [], at: null };
  }

  tell(text: string): void {
    this.notice = { tone: "info", title: text, citations: [], at: null };
  }

  lookAt(labels: string[]): void {
    this.centreOn = { labels, key: ++this.counter };
  }

  // ---------------------------------------------------------------- looking ahead

  /** What the dice may bring: for the action pointed at, else for the buttons that would roll them. */
  private async lookAhead(): Promise<void> {
    const seq = this.state.seq;
    void this.showReach(seq);
    for (const action of this.targets.plain.slice(0, 4)) {
      const found = await this.forecastOf(action);
      if (seq !== this.state.seq) return;
      if (throwsDice(found)) {
        this.forecast = found;
        this.rolls = action.text;
        void this.weigh(seq, columnOf(found));
        return;
      }
    }
  }

  /** Which unit, put in or taken out, would change the column? */
  private async weigh(seq: number, column: string | null): Promise<void> {
    if (column === null || !this.joined.size) return;
    const joining = this.legal.filter((action) => typeof action.unit === "number" && !action.hex).slice(0, MOST_WEIGHED);
    const ways: [number, Promise<Forecast | null>][] = joining.map((action) => [action.unit!, this.forecastOf(action)]);
    for (const [id, text] of Object.entries(this.drops).slice(0, MOST_WEIGHED)) ways.push([Number(id), this.ask(text)]);
    const found = new Map<number, string>();
    for (const [id, way] of ways) {
      const then = columnOf(await way);
      if (then !== null && then !== column) found.set(id, then);
    }
    if (seq === this.state.seq) this.swings = found;
  }

  private async showReach(seq: number): Promise<void> {
    const [unit] = this.subjects;
    if (unit === undefined || this.targets.byHex.size < 2 || !this.game.overlays.some((o) => o.kind === "reach")) return;
    try {
      const found = await api.overlay(this.id, this.token, "reach", null, unit);
      if (seq === this.state.seq) this.reach = found;
    } catch {
      this.reach = null; // the costs are a help, not a need
    }
  }

  /** The player points at an action; if he lingers, the odds of it are shown. */
  point(action: Action | null): void {
    this.pointed = action;
    this.consequences = null;
    clearTimeout(this.pointTimer);
    if (!action) return;
    this.pointTimer = window.setTimeout(async () => {
      const found = await this.forecastOf(action);
      if (!found || this.pointed !== action) return;
      if (throwsDice(found)) this.forecast = found;
      else if (action.hex) this.consequences = { at: action.hex, notes: found.notes };
    }, LINGER);
  }

  /** What a way of one's own would lead to, shown at its end; one that is forbidden says why. */
  async weighWay(way: string[]): Promise<void> {
    const at = way.at(-1)!;
    const said = `by ${way.join("-")}`;
    const refused = await whyNot(this.id, this.token, [said]);
    if (this.hand.way !== way) return;
    if (refused) return this.refuse(said, refused.citations, at);
    const found = await this.ask(said);
    if (this.hand.way === way) this.consequences = found?.notes.length ? { at, notes: found.notes } : null;
  }

  forecastOf(action: Action): Promise<Forecast | null> {
    if (this.busy || !this.legal.includes(action)) return Promise.resolve(null);
    let known = this.forecasts.get(action.text);
    if (!known) {
      known = this.ask(action.text);
      this.forecasts.set(action.text, known);
    }
    return known;
  }

  private ask(text: string): Promise<Forecast | null> {
    return api.forecast(this.id, this.token, text).then(
      (answer) => answer.forecast,
      () => null,
    );
  }

  // ---------------------------------------------------------------- overlays

  async toggleOverlay(kind: string, side: string | null): Promise<void> {
    const now = this.overlayWanted;
    this.overlayWanted = now?.kind === kind && now.side === side ? null : { kind, side };
    this.overlayUnit = null;
    await this.refreshOverlay();
  }

  private async refreshOverlay(): Promise<void> {
    const wanted = this.overlayWanted;
    const unit = wanted?.side === null ? this.overlayUnit : null;
    if (!wanted || (wanted.side === null && unit === null)) {
      this.overlay = null;
      return;
    }
    try {
      const found = await api.overlay(this.id, this.token, wanted.kind, wanted.side, unit);
      if (this.overlayWanted === wanted && (unit === null || unit === this.overlayUnit)) this.overlay = found;
    } catch (error) {
      this.overlayWanted = null;
      this.overlay = null;
      this.complain(error);
    }
  }

  /** An overlay that belongs to a unit is on: show it for the unit pointed at. */
  async overlayFor(unit: Unit | null): Promise<void> {
    const wanted = this.overlayWanted;
    if (!wanted || wanted.side !== null || !unit || typeof unit.id !== "number" || unit.id === this.overlayUnit) return;
    this.overlayUnit = unit.id;
    await this.refreshOverlay();
  }

  clearOverlay(): void {
    this.overlayWanted = null;
    this.overlay = null;
  }

  // ---------------------------------------------------------------- replay

  async showPly(ply: number | null): Promise<void> {
    if (ply === null) {
      this.replayPly = null;
      this.replay = null;
      return;
    }
    if (this.playback.active) this.playback.skip();
    const wanted = Math.max(0, Math.min(ply, this.state.ply));
    this.replayPly = wanted;
    this.clearOverlay();
    try {
      const state = await this.frame(wanted);
      if (this.replayPly !== wanted) return;
      this.replay = state;
      this.lit = state.log.filter((entry) => entry.ply === wanted).flatMap((entry) => entry.hexes);
    } catch (error) {
      this.complain(error);
    }
  }
}
