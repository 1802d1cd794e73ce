// What the player has in hand: the unit picked up, those that shall follow it, the attack being put together. Here it is
// decided what a click, a drag or Esc means.
import { api } from "./api";
import type { Match } from "./match.svelte";
import type { Action, Unit } from "./types";

const MOST = 40; // joiners: no attack is larger

export class Hand {
  /** A unit whose actions are told apart by the hex: its destinations glow. */
  picked = $state<number | null>(null);
  /** Units that shall go where the chosen one goes. */
  followers = $state.raw<number[]>([]);
  /** Several actions fit what was clicked: which one? */
  choices = $state.raw<{ at: string | null; actions: Action[] } | null>(null);
  /** A way of one's own while it is laid hex by hex, the start left out. */
  way = $state.raw<string[] | null>(null);
  /** The enemy hex that is being attacked. */
  aim = $state<string | null>(null);
  private last: { action: Action; among: readonly Action[] } | null = null;

  constructor(private readonly match: Match) {}

  /** A new decision: nothing is in hand. */
  empty(): void {
    this.picked = null;
    this.choices = null;
    this.way = null;
  }

  noted(action: Action, among: readonly Action[]): void {
    this.last = { action, among };
  }

  forget(): void {
    this.last = null;
    this.followers = [];
  }

  offer(at: string | null, actions: Action[]): void {
    this.choices = { at, actions };
  }

  // ---------------------------------------------------------------- clicks

  async clickUnit(unit: Unit, gather = false): Promise<void> {
    const { match } = this;
    if (!match.mine) return;
    if (this.way) return this.walkOn(unit.at);
    const id = unit.id ?? -1;
    const out = match.drops[id];
    if (out !== undefined) return void (await match.say([out]));
    if (gather && this.gather(unit)) return;
    const actions = match.targets.byUnit.get(id) ?? [];
    if (actions.length === 1) return this.perform(actions[0]!);
    if (actions.some((action) => action.hexes.length === 0)) return this.offer(unit.at, actions);
    if (actions.length > 0) {
      this.picked = this.picked === id ? null : id;
      return;
    }
    if (match.subjects.has(id)) return void (await this.takeBack()); // clicked once more: let go
    if (unit.side !== match.seat) return match.hexes.has(unit.at) ? this.clickHex(unit.at) : match.explain(unit.at, unit);
    if (await this.chooseInstead(unit)) return;
    // a friend in the way: ask, so that nothing moves there by surprise
    const there = match.hexes.get(unit.at) ?? [];
    if (there.length) return this.offer(unit.at, there);
    const formation = match.legal.filter((action) => unit.band && action.text.endsWith(` ${unit.band}`)); // what it can do
    if (formation.length) return this.offer(unit.at, formation);
    await match.explain(unit.at, unit);
  }

  /** With `ask` the player is asked even where one meaning is far the commonest. */
  async clickHex(label: string, ask = false): Promise<void> {
    const { match } = this;
    if (!match.mine) return;
    if (this.way) return this.walkOn(label);
    const actions = match.hexes.get(label) ?? [];
    const meant = actions.length > 1 && !ask ? this.mainOf(actions) : actions[0];
    if (meant && (actions.length === 1 || !ask)) return this.perform(meant);
    if (actions.length > 1) return this.offer(label, actions);
    const here = match.view.units.filter((unit) => unit.at === label && typeof unit.id === "number");
    const able = here.filter((unit) => match.targets.byUnit.has(unit.id!));
    if (able.length === 1) return this.clickUnit(able[0]!);
    if (able.length > 1) return;
    if (this.picked !== null) this.picked = null;
    else await match.explain(label, here.at(-1) ?? null);
  }

  /** Of several actions for one hex, the one whose kind nearly all hexes offer: "to" a hex, not a rare way through it. */
  private mainOf(actions: Action[]): Action | undefined {
    const often = (kind: string): number => this.match.legal.filter((action) => action.kind === kind && action.hex).length;
    const [first, second] = [...actions].sort((a, b) => often(b.kind) - often(a.kind));
    return often(first!.kind) >= 4 * often(second!.kind) ? first : undefined;
  }

  /** Do what was clicked on the map, and what it implies: who can attack joins, who was gathered follows. */
  async perform(action: Action): Promise<void> {
    const { match } = this;
    const followers = action.hex ? this.followers : [];
    if (!(await match.act(action))) return;
    if (this.isAttack(action)) {
      this.aim = action.hex ?? null;
      await this.joinAll(action);
    }
    for (const id of followers) if (!(await this.follow(id, action.hex!))) return;
    if (followers.length) this.followers = [];
  }

  // ---------------------------------------------------------------- attacks

  /** Was an enemy clicked, or a unit chosen whose every target is an enemy? */
  private isAttack(action: Action): boolean {
    const { match } = this;
    if (!match.mine) return false;
    const foe = (label: string): boolean => match.view.units.some((unit) => unit.at === label && unit.side !== match.seat);
    if (action.hex) return foe(action.hex);
    const targets = match.legal.flatMap((next) => (next.hex ? [next.hex] : []));
    return targets.length > 0 && targets.every(foe);
  }

  private async joinAll({ hex }: Action): Promise<void> {
    const { match } = this;
    const everybody = match.view.decision?.everybody;
    if (everybody) return void (await match.say([everybody]));
    const asked = match.view.decision?.prompt ?? "";
    if (!hex || ![hex, match.layout.places.get(hex) ?? hex].some((name) => asked.includes(name))) return;
    for (let i = 0; i < MOST && match.mine; i++) {
      const joiner = match.legal.find((next) => typeof next.unit === "number" && !next.hex);
      if (!joiner || !(await match.act(joiner))) return;
    }
  }

  // ---------------------------------------------------------------- several units

  /** Shift and click: one more that shall go along. */
  private gather(unit: Unit): boolean {
    const id = unit.id ?? -1;
    if (this.followers.includes(id)) {
      this.followers = this.followers.filter((other) => other !== id);
      return true;
    }
    if (!this.match.subjects.size || !this.insteadOf(unit)) return false;
    this.followers = [...this.followers, id];
    return true;
  }

  /** Let a unit that was gathered go to the same hex; tells whether it could. */
  private async follow(id: number, hex: string): Promise<boolean> {
    const { match } = this;
    const choose = match.legal.find((action) => action.unit === id && !action.hex);
    if (!choose || !(await match.act(choose))) return false;
    const there = match.legal.find((action) => action.hex === hex);
    if (there) return match.act(there);
    await match.explain(hex, null);
    return false;
  }

  /** A frame was drawn around these: the first is chosen, the others go along or join. */
  async gatherAll(units: Unit[]): Promise<void> {
    const { match } = this;
    const able = units.filter((unit) => match.targets.byUnit.has(unit.id ?? -1) || match.subjects.has(unit.id ?? -1) || this.insteadOf(unit));
    const first = able.find((unit) => match.subjects.has(unit.id!)) ?? able[0];
    if (!match.mine || !first) return;
    if (!match.subjects.has(first.id!) && !match.joined.size) await this.clickUnit(first);
    for (const unit of able) {
      const join = match.joined.size ? match.legal.find((action) => action.unit === unit.id && !action.hex) : undefined;
      if (join) await match.act(join);
      else if (unit !== first && !this.followers.includes(unit.id!)) this.gather(unit);
    }
  }

  // ---------------------------------------------------------------- a way of one's own

  /** Begin to lay it, or leave that. */
  layWay(): void {
    this.way = this.way ? null : [];
    this.match.consequences = null;
  }

  /** The hexes that the way can lead on to; the last one again: go. */
  get waySteps(): string[] {
    const { match, way } = this;
    const [subject] = match.subjects;
    const here = way?.at(-1) ?? (subject === undefined ? undefined : match.unitsById.get(subject)?.at);
    if (!way || here === undefined) return [];
    const near = [...match.targets.byHex.keys()].filter((label) => match.layout.adjacent(here, label));
    return way.length ? [...near, here] : near;
  }

  private async walkOn(label: string): Promise<void> {
    const { match } = this;
    const way = this.way!;
    if (!this.waySteps.includes(label)) return match.tell("A way goes on from hex to hex: click one that glows, or Esc.");
    if (label === way.at(-1)) return void (await match.say([`by ${way.join("-")}`]));
    this.way = [...way, label];
    await match.weighWay(this.way);
  }

  // ---------------------------------------------------------------- taking back

  /** Take the last choice back, at no cost: the unit that was chosen is one among the others again. */
  async takeBack(): Promise<boolean> {
    const { match } = this;
    this.followers = [];
    if (this.way) {
      this.way = this.way.length ? this.way.slice(0, -1) : null;
      match.consequences = null;
      return true;
    }
    if (this.lastChoice) return match.undo();
    const back = match.mine ? match.view.decision?.back : null;
    if (!back) return false;
    this.last = null;
    return match.say([back], true);
  }

  /** The last action, if it only chose a unit and can be undone. */
  private get lastChoice(): { action: Action; among: readonly Action[] } | null {
    const { last, match } = this;
    return last && match.mine && match.canUndo && last.action.units.length && !last.action.hexes.length ? last : null;
  }

  /** The action that would have chosen this unit instead of the one that was chosen. */
  private insteadOf(unit: Unit): Action | undefined {
    const { last } = this;
    if (!last || last.action.hexes.length) return undefined;
    return last.among.find((a) => a.kind === last.action.kind && a.units.length === 1 && a.units[0] === unit.id && a !== last.action);
  }

  /** A click on another unit while one is chosen: take the choice back and choose that one. */
  private async chooseInstead(unit: Unit): Promise<boolean> {
    const { match } = this;
    const other = this.insteadOf(unit);
    if (!other || !(await this.takeBack())) return false;
    const again = match.legal.find((action) => action.text === other.text);
    if (again) await this.perform(again);
    return true;
  }

  // ---------------------------------------------------------------- dragging

  private lifting: Promise<boolean> | null = null;

  /** May this unit be dragged? */
  canLift(unit: Unit): boolean {
    const { match } = this;
    const id = unit.id ?? -1;
    if (!match.mine || match.busy) return false;
    return match.targets.byUnit.has(id) || match.subjects.has(id) || this.insteadOf(unit) !== undefined;
  }

  /** A drag begins: the unit is chosen, and its destinations glow while it is dragged. */
  lift(unit: Unit): void {
    this.lifting = this.choose(unit);
  }

  private async choose(unit: Unit): Promise<boolean> {
    const { match } = this;
    const id = unit.id ?? -1;
    if (match.subjects.has(id)) return true; // it is in hand already
    const actions = match.targets.byUnit.get(id) ?? [];
    const [only] = actions;
    if (actions.length === 1 && !only!.hexes.length) return match.act(only!);
    if (actions.length) {
      this.picked = id;
      return true;
    }
    return this.chooseInstead(unit);
  }

  /** The drag ends over a place: go there, or back. */
  async drop(label: string | null, from: string): Promise<void> {
    const chosen = await this.lifting;
    this.lifting = null;
    if (!chosen || label === from) return;
    if (label !== null && this.match.hexes.has(label)) await this.clickHex(label);
    else if (this.picked !== null) this.picked = null;
    else await this.takeBack();
  }
}

/** The service's own reason why something cannot be done, for the first sentence that the game understands. */
export async function whyNot(match: string, token: string | null, texts: string[]): Promise<{ text: string; citations: { rule: string; text: string }[] } | null> {
  for (const text of texts) {
    try {
      const { legal, citations } = await api.why(match, token, text);
      if (!legal && citations.length) return { text, citations };
    } catch {
      continue; // not a sentence of this game: try the next
    }
  }
  return null;
}
