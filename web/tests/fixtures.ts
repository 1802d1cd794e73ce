// Small made-up things to test with.
import type { Action, GameMap, LogEntry, Unit, View } from "../src/lib/types";

export function unit(id: number, at: string, more: Partial<Unit> = {}): Unit {
  return { id, name: `Unit ${id}`, at, side: "blue", markers: [], hidden: false, ...more } as Unit;
}

/** "march Unit 1" with its units and hexes. */
export function action(kind: string, text: string, units: number[] = [], hexes: string[] = []): Action {
  return { kind, text, args: [], units, hexes, unit: units[0] ?? null, hex: hexes.at(-1) ?? null };
}

/** A map of three hexes in a row, 0101 to 0301, and an area. */
export const map = {
  url: "/map.svg",
  width: 600,
  height: 400,
  radius: 44,
  orientation: "flat",
  corners: [
    [44, 0],
    [22, 38],
    [-22, 38],
    [-44, 0],
    [-22, -38],
    [22, -38],
  ],
  hexes: [
    { label: "0101", x: 100, y: 100, terrain: "clear", place: "Pskov" },
    { label: "0201", x: 166, y: 138, terrain: "forest" },
    { label: "0301", x: 232, y: 100, terrain: "clear" },
  ],
  areas: [{ id: "pool", name: "Pool", kind: "box", x: 400, y: 300, w: 120, h: 90 }],
} as unknown as GameMap;

export function view(units: Unit[], boxed: Unit[] = []): View {
  return { units, boxes: [{ id: "pool", title: "Pool", units: boxed }], legal: [], hands: {}, markers: [], control: {} } as unknown as View;
}

export function entry(ply: number, text: string, more: Partial<LogEntry> = {}): LogEntry {
  return { ply, side: "red", kind: "move", text, rules: [], hexes: [], dice: [], units: [], result: null, ...more };
}
