import { describe, expect, it } from "vitest";
import { Layout, spotsIn } from "../src/lib/geometry";
import { fanOf, ordered, piecesOf, stacksOf } from "../src/lib/stacks";
import { beside, toward } from "../src/lib/stops";
import { map, unit } from "./fixtures";

const layout = new Layout(map);
const nobody = { joined: () => false, subject: () => false };
const all = { x: 0, y: 0, w: 600, h: 400 };

describe("stacks", () => {
  it("lie by hex; what is off the map is not drawn", () => {
    const stacks = stacksOf([unit(1, "0101"), unit(2, "0201"), unit(3, "0101"), unit(4, "nowhere")]);
    expect(stacks.get("0101")!.map((u) => u.id)).toEqual([1, 3]);
    expect(piecesOf(stacks, layout, nobody).map((piece) => piece.key)).toEqual(["u1", "u3", "u2"]);
  });
  it("show the chosen units on top, with their number", () => {
    const standing = { joined: (u: { id?: number | null }) => u.id !== 3, subject: () => false };
    const stack = [unit(1, "0101"), unit(2, "0101"), unit(3, "0101")];
    expect(ordered(stack, standing).map((u) => u.id)).toEqual([3, 1, 2]);
    expect(piecesOf(stacksOf(stack), layout, standing).map((piece) => piece.joined)).toEqual([0, 1, 2]);
  });
  it("of hidden counters have keys of their own", () => {
    const hidden = unit(0, "0101", { id: null, hidden: true });
    expect(piecesOf(stacksOf([hidden]), layout, nobody)[0]!.key).toBe("h0101.0");
  });
});

describe("a fan", () => {
  const stack = [1, 2, 3].map((id) => unit(id, "0201"));
  it("leaves the top counter under the pointer", () => {
    const top = fanOf(stack, [166, 138], 1, all).spots.at(-1)!;
    expect([top.unit.id, top.x, top.y]).toEqual([3, 166, 138]);
  });
  it("opens to the side where there is room, and never lays two in one place", () => {
    for (const centre of [[20, 138], [580, 138], [300, 10]] as [number, number][]) {
      const fan = fanOf(stack, centre, 1, all);
      expect(fan.spots.at(-1)).toMatchObject({ x: centre[0], y: centre[1] });
      expect(new Set(fan.spots.map((spot) => `${spot.x},${spot.y}`)).size).toBe(3);
    }
    expect(Math.min(...fanOf(stack, [20, 138], 1, all).spots.map((spot) => spot.x))).toBe(20);
    expect(Math.max(...fanOf(stack, [580, 138], 1, all).spots.map((spot) => spot.x))).toBe(580);
  });
  it("holds a tall stack in rows", () => {
    const tall = Array.from({ length: 12 }, (_, id) => unit(id, "0201"));
    const fan = fanOf(tall, [166, 138], 1, all);
    expect(new Set(fan.spots.map((spot) => `${spot.x},${spot.y}`)).size).toBe(12);
    expect(fan.h).toBeGreaterThan(2 * 58);
  });
});

describe("the map", () => {
  it("knows what lies at a point", () => {
    expect(layout.at(105, 95)).toBe("0101");
    expect(layout.at(410, 310)).toBe("pool");
    expect(layout.at(590, 10)).toBe(null);
  });
  it("names places", () => {
    expect([layout.name("0101"), layout.name("0201"), layout.name("pool")]).toEqual(["0101 Pskov", "0201", "Pool"]);
  });
  it("frames places, and nothing for none", () => {
    expect(layout.bounds(["0101", "0301"])).toEqual({ x: 56, y: 56, w: 220, h: 88 });
    expect(layout.bounds(["nowhere"])).toBe(null);
  });
  it("keeps counters inside an area however many there are", () => {
    const area = map.areas[0]!;
    for (const count of [1, 2, 7, 30]) {
      for (const [x, y] of spotsIn(area, count).spots) expect(layout.at(x, y)).toBe("pool");
    }
  });
});

describe("arrow keys", () => {
  const stops = [
    { key: "a", x: 0, y: 0, label: "0101" },
    { key: "b", x: 10, y: 1, label: "0201" },
    { key: "c", x: 5, y: 9, label: "0301" },
  ];
  it("go to what lies ahead", () => {
    expect(toward(stops, stops[0]!, [1, 0])?.key).toBe("b");
    expect(toward(stops, stops[0]!, [0, 1])?.key).toBe("c");
    expect(toward(stops, stops[0]!, [-1, 0])).toBeUndefined();
  });
  it("n and p go round", () => {
    expect(beside(stops, "c", 1)?.key).toBe("a");
    expect(beside(stops, "a", -1)?.key).toBe("c");
    expect(beside([], null, 1)).toBeUndefined();
  });
});
