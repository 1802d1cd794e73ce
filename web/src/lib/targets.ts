// Which things on the map a list of legal actions is about: what glows, and what a click on it means.
import type { Action } from "./types";

export class Targets {
  /** Actions by the hex or area that a click would choose. */
  readonly byHex = new Map<string, Action[]>();
  /** Actions by the unit that a click would choose. */
  readonly byUnit = new Map<number, Action[]>();
  /** Actions that are only buttons: they name no hex, and no unit that could be chosen. */
  readonly plain: Action[] = [];
  /** The units that every action on the map is about (the unit that is moving): shown as chosen already. */
  readonly subjects: Set<number>;

  constructor(readonly legal: readonly Action[]) {
    const sets = new Set(legal.filter((a) => a.units.length).map((a) => a.units.join()));
    const moving = legal.find((a) => a.units.length && a.hexes.length);
    this.subjects = new Set(sets.size === 1 && moving ? moving.units : []);
    for (const action of legal) {
      const hex = this.hexOf(action);
      if (hex) push(this.byHex, hex, action);
      const choosable = action.units.filter((unit) => !this.subjects.has(unit));
      for (const unit of choosable) push(this.byUnit, unit, action);
      if (!hex && !choosable.length) this.plain.push(action);
    }
  }

  /** The hex that tells an action from its like: where a move ends, which hex is attacked. */
  hexOf(action: Action): string | undefined {
    return action.hex ?? undefined;
  }

  /** Destinations of one unit, when units and hexes are chosen in one action. */
  hexesFor(unit: number): Map<string, Action[]> {
    const found = new Map<string, Action[]>();
    for (const action of this.byUnit.get(unit) ?? []) {
      const hex = this.hexOf(action);
      if (hex) push(found, hex, action);
    }
    return found;
  }

  /** The text of an action like one of the legal ones, but for another hex or unit: to ask why it is not allowed. */
  similar(hex: string | null, unit: { id: number; name: string } | null, nameOf: (id: number) => string): string[] {
    const texts: string[] = [];
    const kinds = new Set<string>();
    for (const action of this.legal) {
      if (kinds.has(action.kind)) continue;
      const text = this.instead(action, hex, unit, nameOf);
      if (text === null) continue;
      kinds.add(action.kind);
      texts.push(text);
    }
    return texts;
  }

  private instead(
    action: Action,
    hex: string | null,
    unit: { id: number; name: string } | null,
    nameOf: (id: number) => string,
  ): string | null {
    const chosen = this.hexOf(action);
    if (chosen !== undefined) return hex === null ? null : replaceLast(action.text, chosen, hex);
    const id = action.units.at(-1);
    if (id === undefined || unit === null) return null;
    return replaceLast(action.text, nameOf(id), unit.name);
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function replaceLast(text: string, old: string, now: string): string | null {
  const at = text.toLowerCase().lastIndexOf(old.toLowerCase());
  return at < 0 ? null : text.slice(0, at) + now + text.slice(at + old.length);
}
