// What an action did, told from the position before it, the position after it and its entries in the log.
import { words, withoutRules } from "./format";
import type { Forecast, LogEntry, Story, Unit, View } from "./types";

export interface Move {
  unit: Unit; // as it stands afterwards
  path: string[]; // from where it was to where it is
}

export interface Loss {
  unit: Unit; // as it was
  at: string;
  text: string; // "eliminated", "reduced", "disrupted"
}

export interface Throw {
  label: string; // what the dice were thrown for
  faces: number[];
  text: string; // what came of it
}

export interface Battle {
  title: string;
  forecast: Forecast | null; // as it stood before the dice
  throws: Throw[];
  result: string | null;
  attackers: Unit[];
  defenders: Unit[];
  hexes: string[]; // where it was fought
}

export interface Scene {
  ply: number;
  side: string | null;
  before: View;
  after: View;
  entries: LogEntry[];
  moves: Move[];
  losses: Loss[];
  battle: Battle | null;
  hexes: string[]; // all places that it is about
}

export function sceneOf(ply: number, before: View, after: View, entries: LogEntry[], story: Story | null): Scene {
  const moves = movesOf(before, after, story);
  const battle = battleOf(before, entries, story);
  const losses = lossesOf(before, after);
  const told = entries.flatMap((entry) => entry.hexes);
  const hexes = [...told, ...moves.flatMap((move) => move.path), ...losses.map((loss) => loss.at)];
  return { ply, side: entries.find((entry) => entry.side)?.side ?? null, before, after, entries, moves, losses, battle, hexes: [...new Set(hexes)] };
}

/** Is there anything to see? Choosing a unit, for one, leaves no trace. */
export function worthShowing(scene: Scene): boolean {
  return scene.entries.length > 0 || scene.moves.length > 0;
}

function byId(view: View): Map<number, Unit> {
  const units = [...view.units, ...view.boxes.flatMap((box) => box.units)];
  return new Map(units.filter((unit) => typeof unit.id === "number").map((unit) => [unit.id!, unit]));
}

function movesOf(before: View, after: View, story: Story | null): Move[] {
  const was = byId(before);
  const moves: Move[] = [];
  for (const unit of after.units) {
    const old = typeof unit.id === "number" ? was.get(unit.id) : undefined;
    if (!old || old.at === unit.at) continue;
    moves.push({ unit, path: story?.paths[String(unit.id)] ?? [old.at, unit.at] });
  }
  return moves;
}

function lossesOf(before: View, after: View): Loss[] {
  const now = byId(after);
  const losses: Loss[] = [];
  for (const unit of before.units) {
    if (typeof unit.id !== "number") continue;
    const later = now.get(unit.id);
    const off = !later || !after.units.includes(later);
    if (off) losses.push({ unit, at: unit.at, text: later ? "leaves the map" : "eliminated" });
    else if ((later.steps ?? 0) < (unit.steps ?? 0) || (later.face ?? "") !== (unit.face ?? "")) {
      losses.push({ unit, at: later.at, text: "reduced" });
    } else {
      const fresh = later.markers.filter((marker) => !unit.markers.includes(marker) && /disrupt|pin|demoral|rout/i.test(marker));
      if (fresh.length) losses.push({ unit, at: later.at, text: fresh.join(", ") });
    }
  }
  return losses;
}

function battleOf(before: View, entries: LogEntry[], story: Story | null): Battle | null {
  const thrown = entries.filter((entry) => entry.dice.length > 0);
  if (!thrown.length) return null;
  const forecast = story?.battle ?? null;
  const throws = thrown.map((entry) => ({ label: words(entry.kind), faces: entry.dice, text: withoutRules(entry.text, entry.rules) }));
  const fought = thrown.find((entry) => entry.units?.length && entry.hexes.length) ?? thrown[0]!;
  const hexes = [...new Set(thrown.flatMap((entry) => entry.hexes))];
  const named = new Set(fought.units ?? []);
  const attackers = before.units.filter((unit) => named.has(unit.id ?? -1) && !hexes.includes(unit.at));
  const foe = attackers[0]?.side;
  const defenders = foe === undefined ? [] : before.units.filter((unit) => hexes.includes(unit.at) && unit.side !== foe);
  return {
    title: forecast?.title ?? throws[0]!.text,
    forecast,
    throws,
    result: resultIn(thrown, forecast),
    attackers,
    defenders,
    hexes,
  };
}

/** Which outcome of the forecast came: told by the entries, one for each die, else the one that a sentence ends with. */
export function resultIn(entries: LogEntry[], forecast: Forecast | null): string | null {
  const possible = (forecast?.outcomes ?? []).map((outcome) => outcome.result).sort((a, b) => b.length - a.length);
  const told = entries.flatMap((entry) => (entry.result ? [entry.result] : []));
  if (told.length) return possible.includes(told.join("")) ? told.join("") : told[0]!;
  for (const entry of entries) {
    const text = withoutRules(entry.text, entry.rules);
    const found = possible.find((result) => text.endsWith(` ${result}`) || text.endsWith(`:${result}`));
    if (found) return found;
  }
  return null;
}

/** The last actions that others did in a row, as the plies before the first and of the last of them. */
export function theirTurn(log: readonly LogEntry[], mine: (side: string | null) => boolean): { from: number; to: number } | null {
  let at = log.length - 1;
  while (at >= 0 && (mine(log[at]!.side ?? null) || log[at]!.ply === 0)) at--;
  if (at < 0) return null;
  const to = log[at]!.ply;
  while (at >= 0 && !mine(log[at]!.side ?? null) && log[at]!.ply > 0) at--;
  const first = log[at + 1]!;
  return { from: first.ply - 1, to };
}
