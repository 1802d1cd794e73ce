// What the map shows now: counters, choices, what the pointer and the keyboard are at. The components under
// components/board draw it.
import { cost, counterWords, sentence } from "./format";
import type { Layout, Rect } from "./geometry";
import type { Match } from "./match.svelte";
import type { Pose } from "./panzoom";
import { fanOf, ordered, piecesOf, stacksOf, type Standing } from "./stacks";
import type { Stop } from "./stops";
import type { Action, Point, Unit } from "./types";

const FAR = 0.62; // below this scale counters show only what can be read

export class Board {
  readonly layout: Layout;
  pose = $state.raw<Pose>({ x: 0, y: 0, k: 1, stretch: 1 });
  room = $state.raw<Point>([0, 0]); // the size of the window on the map
  hovered = $state<string | null>(null);
  fanned = $state<string | null>(null);
  focusKey = $state<string | null>(null);
  /** The counter that is being dragged, and where the pointer holds it. */
  carried = $state.raw<{ unit: Unit; x: number; y: number } | null>(null);
  /** The frame that is being drawn around counters. */
  frame = $state.raw<Rect | null>(null);
  private fanTimer = 0;
  private fanNext: string | null = null; // what the timer will fan out

  constructor(readonly match: Match) {
    this.layout = match.layout;
  }

  // ---------------------------------------------------------------- what stands where

  private readonly standing: Standing = {
    joined: (unit) => this.match.isJoined(unit),
    subject: (unit) => typeof unit.id === "number" && this.match.subjects.has(unit.id),
  };

  readonly stacks = $derived.by(() => stacksOf(this.match.view.units));
  readonly pieces = $derived.by(() => piecesOf(this.stacks, this.layout, this.standing));
  readonly choiceHexes = $derived.by(() => [...this.match.hexes].filter(([label]) => this.layout.centres.has(label)));
  readonly markers = $derived.by(() => this.match.view.markers.filter((marker) => this.layout.centres.has(marker.at)));
  readonly control = $derived.by(() =>
    Object.entries(this.match.view.control).filter(([label]) => this.layout.centres.has(label)),
  );
  /** Hexes that the question itself names: the hex under attack, the hex to leave. */
  readonly named = $derived.by(() => {
    const words = (this.match.view.decision?.prompt ?? "").match(/\b\d{4}\b/g) ?? [];
    return [...new Set(words)].filter((label) => this.layout.centres.has(label) && !this.match.hexes.has(label));
  });
  readonly pointedUnits = $derived.by(() => new Set(this.match.pointed?.units ?? []));
  readonly badgeScale = $derived(Math.max(1, Math.min(1.6, 0.8 / this.pose.k)));
  readonly far = $derived(this.pose.k < FAR);

  able(unit: Unit): boolean {
    const { id } = unit;
    return typeof id === "number" && (this.match.targets.byUnit.has(id) || this.match.drops[id] !== undefined);
  }

  chosen(unit: Unit): boolean {
    return typeof unit.id === "number" && (this.match.subjects.has(unit.id) || this.match.hand.picked === unit.id || this.match.hand.followers.includes(unit.id));
  }

  pieceOf(unit: Unit | null): string | undefined {
    return this.pieces.find((piece) => piece.unit === unit)?.key;
  }

  /** The way that the action pointed at would take. */
  readonly path = $derived.by(() => {
    const { way } = this.match.hand;
    const [walker] = this.match.subjects;
    if (way && walker !== undefined) return [this.match.unitsById.get(walker)?.at ?? "", ...way];
    const action = this.match.pointed;
    if (!action) return [];
    const end = this.match.targets.hexOf(action);
    const known = end ? this.match.reach?.paths[end] : undefined;
    if (known && known.length > 1) return known;
    const isPath = this.match.game.actions.some((kind) => kind.kind === action.kind && kind.blanks.includes("path"));
    const subject = action.units.length === 1 ? this.match.unitsById.get(action.units[0]!) : undefined;
    if (isPath && subject) return action.hexes[0] === subject.at ? action.hexes : [subject.at, ...action.hexes];
    return [];
  });

  points(labels: readonly string[]): Point[] {
    return labels.map((label) => this.layout.centres.get(label)).filter((point) => point !== undefined);
  }

  // ---------------------------------------------------------------- the fan of a stack

  readonly fan = $derived.by(() => {
    const stack = this.fanned ? (this.stacks.get(this.fanned) ?? []) : [];
    if (!this.fanned || stack.length < 2 || this.layout.areas.has(this.fanned)) return null;
    const scale = Math.max(1.12, Math.min(2.4, 0.95 / this.scale));
    return fanOf(ordered(stack, this.standing), this.layout.centres.get(this.fanned)!, scale, this.seen);
  });

  /** Is this a stack to choose from? Where the hex itself can be chosen and its counters cannot, a click means the hex. */
  opensFan(label: string): boolean {
    const stack = this.stacks.get(label) ?? [];
    if (stack.length < 2 || this.layout.areas.has(label)) return false;
    return !this.match.hexes.has(label) || stack.some((unit) => this.able(unit) || this.match.hand.canLift(unit));
  }

  openFan(label: string | null): void {
    clearTimeout(this.fanTimer);
    this.fanned = label;
  }

  /** Close the fan, and do not open it again before the pointer has been elsewhere. */
  closeFan(label: string): void {
    this.openFan(null);
    this.fanNext = label;
  }

  fanSoon(label: string | null, wait: number): void {
    clearTimeout(this.fanTimer);
    this.fanNext = label;
    this.fanTimer = window.setTimeout(() => (this.fanned = label), wait);
  }

  /** The pointer rests on a stack that was not spread out when it came. */
  fanAgain(label: string): void {
    if (this.fanned !== label && this.fanNext !== label) this.fanSoon(label, 300);
  }

  holdFan(): void {
    clearTimeout(this.fanTimer);
  }

  // ---------------------------------------------------------------- choices for pointer and keys

  /** Everything on the map that can be chosen, for the arrow keys. */
  readonly stops = $derived.by(() => {
    const found: Stop[] = [];
    for (const { key, unit, x, y } of this.pieces) if (this.able(unit)) found.push({ key, x, y, label: unit.at });
    for (const [label] of this.choiceHexes) {
      const [x, y] = this.layout.centres.get(label)!;
      found.push({ key: `x${label}`, x, y, label });
    }
    return found;
  });

  readonly tabStop = $derived.by(() =>
    this.stops.some((stop) => stop.key === this.focusKey) ? this.focusKey : (this.stops[0]?.key ?? null),
  );

  /** The places in question: the choices, else the hexes that the question names. */
  get inQuestion(): string[] {
    const choices = this.stops.map((stop) => stop.label);
    return choices.length ? choices : this.named;
  }

  /** What the first look should show: the places in question, else the counters. */
  get matters(): Rect | null {
    const places = this.inQuestion;
    return this.layout.bounds(places.length ? places : this.pieces.map((piece) => piece.unit.at));
  }

  /** The counters whose middle lies in a rectangle. */
  unitsIn({ x, y, w, h }: Rect): Unit[] {
    return this.pieces.filter((piece) => piece.x >= x && piece.x <= x + w && piece.y >= y && piece.y <= y + h).map((piece) => piece.unit);
  }

  /** Show what a click here would do: its path, its cost, its odds. */
  pointAt(unit: Unit | null, label: string | null): void {
    if (this.match.hand.way) return;
    void this.match.overlayFor(unit);
    const actions = this.actionsAt(unit, label);
    this.match.point(actions.length === 1 ? actions[0]! : null);
  }

  private actionsAt(unit: Unit | null, label: string | null): Action[] {
    const own = unit && typeof unit.id === "number" ? this.match.targets.byUnit.get(unit.id) : undefined;
    return own ?? (label ? (this.match.hexes.get(label) ?? []) : []);
  }

  // ---------------------------------------------------------------- window and map

  get scale(): number {
    return this.pose.k * this.pose.stretch;
  }

  /** The part of the map that is in the window. */
  get seen(): Rect {
    const k = this.scale;
    return { x: -this.pose.x / k, y: -this.pose.y / k, w: this.room[0] / k, h: this.room[1] / k };
  }

  screen(label: string): Point {
    const [x, y] = this.layout.centres.get(label) ?? [0, 0];
    return [x * this.scale + this.pose.x, y * this.scale + this.pose.y];
  }

  /** Does a place lie in the lower left, where the inspector would hide it? */
  awayFrom(label: string | null): boolean {
    if (!label) return false;
    const [x, y] = this.screen(label);
    return x < this.room[0] / 2 && y > this.room[1] / 2;
  }

  // ---------------------------------------------------------------- words

  unitLabel(unit: Unit, joined = 0): string {
    const chosen = this.match.isJoined(unit) && (joined > 1 ? `chosen, ${joined} here` : "chosen");
    return [counterWords(unit), chosen, this.match.sideTitle(unit.side), `at ${this.layout.name(unit.at)}`].filter(Boolean).join(", ");
  }

  hexLabel(label: string, actions: Action[]): string {
    const price = this.match.reach?.hexes[label];
    const what = actions.length === 1 ? sentence(actions[0]!.text) : `${actions.length} choices`;
    const where = this.layout.places.get(label);
    return [what, where && !this.layout.areas.has(label) ? where : "", price !== undefined ? `cost ${cost(price)}` : ""]
      .filter(Boolean)
      .join(", ");
  }
}
