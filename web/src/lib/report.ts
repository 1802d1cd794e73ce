// The log as a report: by turns; what a side has lost; and a list of actions as a table.
import type { Action, LogEntry, Unit, View } from "./types";

export interface Chapter {
  title: string; // of the turn; empty before the first
  heading: LogEntry | null;
  entries: LogEntry[];
}

/** The log by turns: each entry of the kind "turn" begins a chapter. */
export function chapters(log: readonly LogEntry[]): Chapter[] {
  const found: Chapter[] = [];
  for (const entry of log) {
    if (entry.kind === "turn") found.push({ title: entry.text, heading: entry, entries: [] });
    else {
      if (!found.length) found.push({ title: "", heading: null, entries: [] });
      found.at(-1)!.entries.push(entry);
    }
  }
  return found;
}

/** The counters of a side in the boxes and areas that hold what was eliminated. */
export function lossesIn(view: View, side: string): Unit[] {
  const boxed = view.boxes.filter((box) => view.losses.includes(box.id)).flatMap((box) => box.units);
  return [...boxed, ...view.units.filter((unit) => view.losses.includes(unit.at))].filter((unit) => unit.side === side);
}

export interface Grid {
  kinds: string[];
  rows: { name: string; cells: (Action | null)[] }[];
  rest: Action[]; // what has no row of its own
}

/**
 * Actions that say a kind of thing of somebody ("movement KGD", "fire KGD", "movement KGB") as a table of somebody by
 * kind; null where that would not be shorter than the list.
 */
export function gridOf(actions: readonly Action[], sentences: ReadonlyMap<string, string>): Grid | null {
  const told = actions.flatMap((action) => {
    const blank = /^(.*?)\{\w+\}$/.exec(sentences.get(action.kind) ?? "");
    return blank && action.text.startsWith(blank[1]!) ? [{ action, name: action.text.slice(blank[1]!.length) }] : [];
  });
  const kinds = [...new Set(told.map(({ action }) => action.kind))];
  const names = [...new Set(told.map(({ name }) => name))];
  if (kinds.length < 2 || names.length < 2 || told.length < 5) return null;
  const cell = (name: string, kind: string): Action | null =>
    told.find((one) => one.name === name && one.action.kind === kind)?.action ?? null;
  return {
    kinds,
    rows: names.map((name) => ({ name, cells: kinds.map((kind) => cell(name, kind)) })),
    rest: actions.filter((action) => !told.some((one) => one.action === action)),
  };
}
