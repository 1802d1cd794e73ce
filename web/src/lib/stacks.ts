// Counters on the map: how a stack lies, and how it is spread out to choose from.
import { COUNTER, spotsIn, type Layout, type Rect } from "./geometry";
import type { Point, Unit } from "./types";

export interface Piece {
  key: string;
  unit: Unit;
  joined: number; // 1 if it is in what is being put together; on top of a stack, how many of the stack are
  x: number;
  y: number;
  scale: number;
}

export interface Fan extends Rect {
  scale: number;
  spots: { unit: Unit; x: number; y: number }[];
}

/** What decides the order in a stack: the units chosen already on top, under them those that the decision is about. */
export interface Standing {
  joined: (unit: Unit) => boolean;
  subject: (unit: Unit) => boolean;
}

export function stacksOf(units: readonly Unit[]): Map<string, Unit[]> {
  const found = new Map<string, Unit[]>();
  for (const unit of units) {
    const list = found.get(unit.at);
    if (list) list.push(unit);
    else found.set(unit.at, [unit]);
  }
  return found;
}

/** A stack from the bottom to the top. */
export function ordered(stack: Unit[], standing: Standing): Unit[] {
  if (stack.length < 2) return stack;
  const height = (unit: Unit) => (standing.joined(unit) ? 2 : standing.subject(unit) ? 1 : 0);
  return [...stack].sort((a, b) => height(a) - height(b));
}

export function piecesOf(stacks: Map<string, Unit[]>, layout: Layout, standing: Standing): Piece[] {
  const found: Piece[] = [];
  for (const [label, stack] of stacks) {
    const centre = layout.centres.get(label);
    if (!centre) continue;
    const units = ordered(stack, standing);
    const area = layout.areas.get(label);
    const { spots, scale } = area ? spotsIn(area, units.length) : pile(centre, units.length, layout.map.radius);
    const together = units.filter(standing.joined).length;
    units.forEach((unit, place) => {
      const top = !area && place === units.length - 1;
      const joined = top ? together : Number(standing.joined(unit));
      const key = typeof unit.id === "number" ? `u${unit.id}` : `h${label}.${place}`;
      found.push({ key, unit, joined, x: spots[place]![0], y: spots[place]![1], scale });
    });
  }
  return found;
}

/** Counters one upon the other, each a little aside so that the height is seen. */
function pile(centre: Point, count: number, radius: number): { spots: Point[]; scale: number } {
  const step = count > 1 ? Math.min(4.5, 16 / (count - 1)) : 0;
  const spots: Point[] = [];
  for (let i = 0; i < count; i++) {
    const shift = (i - (count - 1) / 2) * step;
    spots.push([centre[0] + shift, centre[1] - shift]);
  }
  return { spots, scale: (radius / 44) * 1.16 };
}

/** A stack laid out: the counter on top stays where it is, under the pointer; the others lie beside it, where there is room. */
export function fanOf(stack: Unit[], centre: Point, scale: number, seen: Rect): Fan {
  const cell = (COUNTER + 8) * scale;
  const edge = 5 * scale;
  const across = Math.min(stack.length, 5);
  const rows = Math.ceil(stack.length / across);
  const column = cellFor(across, centre[0], cell, seen.x, seen.x + seen.w);
  const row = cellFor(rows, centre[1], cell, seen.y, seen.y + seen.h);
  const taken = row * across + column;
  const cells = [...Array(across * rows).keys()].filter((at) => at !== taken).slice(0, stack.length - 1);
  const x = centre[0] - (column + 0.5) * cell - edge;
  const y = centre[1] - (row + 0.5) * cell - edge;
  const spots = stack.map((unit, i) => {
    const at = cells[i] ?? taken;
    return { unit, x: x + edge + ((at % across) + 0.5) * cell, y: y + edge + (Math.floor(at / across) + 0.5) * cell };
  });
  return { x, y, w: across * cell + 2 * edge, h: rows * cell + 2 * edge, scale, spots };
}

/** In which of the cells of a line the counter in the middle should lie so that the line stays in sight. */
function cellFor(count: number, middle: number, cell: number, from: number, to: number): number {
  let best = Math.floor((count - 1) / 2);
  const outside = (at: number) =>
    Math.max(0, from - middle + (at + 0.5) * cell) + Math.max(0, middle + (count - at - 0.5) * cell - to);
  for (let at = 0; at < count; at++) if (outside(at) < outside(best)) best = at;
  return best;
}
