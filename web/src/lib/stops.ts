// The choices on the map as the arrow keys go through them.
import type { Point } from "./types";

export interface Stop {
  key: string;
  x: number;
  y: number;
  label: string;
}

export const ARROWS: Record<string, Point> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The nearest stop in a direction, sooner straight ahead than aside. */
export function toward(stops: readonly Stop[], from: Stop, [dx, dy]: Point): Stop | undefined {
  let best: Stop | undefined;
  let least = Infinity;
  for (const stop of stops) {
    const along = (stop.x - from.x) * dx + (stop.y - from.y) * dy;
    const aside = Math.abs((stop.x - from.x) * dy) + Math.abs((stop.y - from.y) * dx);
    if (along < 2 || aside > along * 2.2) continue;
    const cost = along + 2 * aside;
    if (cost < least) {
      least = cost;
      best = stop;
    }
  }
  return best;
}

/** The stop after or before one, round and round. */
export function beside(stops: readonly Stop[], key: string | null, step: number): Stop | undefined {
  const at = stops.findIndex((stop) => stop.key === key);
  return stops[(at + step + stops.length) % stops.length];
}
