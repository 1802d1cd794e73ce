// Where things lie on the drawn map.
import type { Area, GameMap, Point } from "./types";

export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

export const COUNTER = 50; // side of a counter, in pixels of the drawing

export class Layout {
  readonly centres = new Map<string, Point>();
  readonly places = new Map<string, string>();
  readonly terrain = new Map<string, string>();
  readonly areas = new Map<string, Area>();
  readonly polygon: string;

  constructor(readonly map: GameMap) {
    for (const hex of map.hexes) {
      this.centres.set(hex.label, [hex.x, hex.y]);
      this.terrain.set(hex.label, hex.terrain);
      if (hex.place) this.places.set(hex.label, hex.place);
    }
    for (const area of map.areas) {
      this.areas.set(area.id, area);
      this.centres.set(area.id, [area.x + area.w / 2, area.y + area.h / 2]);
      this.places.set(area.id, area.name);
    }
    this.polygon = map.corners.map(([x, y]) => `${x},${y}`).join(" ");
  }

  /** The hex, area or box at a point of the drawing. */
  at(x: number, y: number): string | null {
    for (const area of this.areas.values()) {
      if (x >= area.x && x <= area.x + area.w && y >= area.y && y <= area.y + area.h) return area.id;
    }
    let best: string | null = null;
    let least = this.map.radius ** 2;
    for (const hex of this.map.hexes) {
      const distance = (hex.x - x) ** 2 + (hex.y - y) ** 2;
      if (distance < least) {
        least = distance;
        best = hex.label;
      }
    }
    return best;
  }

  /** How a place is called in sentences: its label, with the town's name if it has one. */
  name(label: string): string {
    const place = this.places.get(label);
    if (this.areas.has(label)) return place ?? label;
    return place ? `${label} ${place}` : label;
  }

  /** Do two hexes share a side? */
  adjacent(a: string, b: string): boolean {
    const [from, to] = [this.centres.get(a), this.centres.get(b)];
    if (!from || !to || a === b || this.areas.has(a) || this.areas.has(b)) return false;
    return Math.hypot(from[0] - to[0], from[1] - to[1]) < 1.2 * Math.sqrt(3) * this.map.radius;
  }

  bounds(labels: Iterable<string>): Rect | null {
    let left = Infinity;
    let top = Infinity;
    let right = -Infinity;
    let bottom = -Infinity;
    for (const label of labels) {
      const centre = this.centres.get(label);
      if (!centre) continue;
      left = Math.min(left, centre[0]);
      right = Math.max(right, centre[0]);
      top = Math.min(top, centre[1]);
      bottom = Math.max(bottom, centre[1]);
    }
    if (left > right) return null;
    const r = this.map.radius;
    return { x: left - r, y: top - r, w: right - left + 2 * r, h: bottom - top + 2 * r };
  }
}

/** The spots of counters in an area or box: rows that fill it, smaller if there are many. */
export function spotsIn(area: Area, count: number): { spots: Point[]; scale: number } {
  const pad = 6;
  const title = 20;
  const width = area.w - 2 * pad;
  const height = area.h - title - pad;
  let scale = 1;
  let across = 1;
  for (; scale > 0.35; scale -= 0.05) {
    const cell = (COUNTER + 4) * scale;
    across = Math.max(1, Math.floor(width / cell));
    if (Math.ceil(count / across) * cell <= height) break;
  }
  const cell = (COUNTER + 4) * scale;
  const rows = Math.ceil(count / across);
  const step = Math.min(cell, height / rows); // too many even for the smallest scale: the rows overlap
  const top = area.y + title + Math.max(0, (height - rows * cell) / 2);
  const spots: Point[] = [];
  for (let i = 0; i < count; i++) {
    const row = Math.floor(i / across);
    const inRow = Math.min(across, count - row * across);
    const left = area.x + (area.w - inRow * cell) / 2;
    spots.push([left + ((i % across) + 0.5) * cell, top + (row + 0.5) * step]);
  }
  return { spots, scale };
}
