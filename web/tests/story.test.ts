import { describe, expect, it } from "vitest";
import { resultIn, sceneOf, theirTurn, worthShowing } from "../src/lib/story";
import type { Forecast, LogEntry } from "../src/lib/types";
import { entry, unit, view } from "./fixtures";

const forecast = { title: "A against 0201", outcomes: [{ result: "D" }, { result: "D1" }, { result: "A2" }] } as unknown as Forecast;

describe("a scene", () => {
  it("finds who moved, by the way that the service tells, else straight", () => {
    const before = view([unit(1, "0101"), unit(2, "0101")]);
    const after = view([unit(1, "0301"), unit(2, "0201")]);
    const scene = sceneOf(7, before, after, [], { paths: { "1": ["0101", "0201", "0301"] }, battle: null });
    expect(scene.moves.map((move) => move.path)).toEqual([["0101", "0201", "0301"], ["0101", "0201"]]);
    expect(scene.hexes).toEqual(["0101", "0201", "0301"]);
    expect(worthShowing(scene)).toBe(true);
  });
  it("in which nothing happened is not worth showing", () => {
    const same = view([unit(1, "0101")]);
    expect(worthShowing(sceneOf(3, same, same, [], null))).toBe(false);
    expect(worthShowing(sceneOf(3, same, same, [entry(3, "digs in")], null))).toBe(true);
  });
  it("tells losses: gone, reduced, disrupted", () => {
    const before = view([unit(1, "0101"), unit(2, "0201", { steps: 2 }), unit(3, "0301"), unit(4, "0301", { markers: ["out of supply"] })]);
    const after = view([unit(2, "0201", { steps: 1 }), unit(3, "0301", { markers: ["Disrupted"] }), unit(4, "0301")]);
    const { losses } = sceneOf(1, before, after, [], null);
    expect(losses.map((loss) => [loss.unit.id, loss.text])).toEqual([
      [1, "eliminated"],
      [2, "reduced"],
      [3, "Disrupted"],
    ]);
  });
  it("a unit in a box has left the map but is not lost", () => {
    const after = view([], [unit(1, "pool")]);
    expect(sceneOf(1, view([unit(1, "0101")]), after, [], null).losses[0]!.text).toBe("leaves the map");
  });
  it("of a battle has both sides, every die with its label, and the result", () => {
    const before = view([unit(1, "0101"), unit(2, "0201", { side: "red" }), unit(3, "0301")]);
    const thrown = [
      entry(9, "interception: die 2, fails", { kind: "air", dice: [2] }),
      entry(9, "Unit 1 attacks 0201: 6 to 3, 2:1: D1 (2.5)", { kind: "battle", dice: [3], units: [1], hexes: ["0201"], rules: ["2.5"] }),
    ];
    const { battle } = sceneOf(9, before, before, thrown, { paths: {}, battle: forecast });
    expect(battle!.attackers.map((u) => u.id)).toEqual([1]);
    expect(battle!.defenders.map((u) => u.id)).toEqual([2]);
    expect(battle!.throws.map((one) => [one.label, one.faces])).toEqual([["Air", [2]], ["Battle", [3]]]);
    expect(battle!.result).toBe("D1");
  });
});

describe("the result of the dice", () => {
  it("is what the entry says, else how its sentence ends, the longest name first", () => {
    expect(resultIn([entry(1, "whatever", { result: "A2" })], forecast)).toBe("A2");
    const each = { title: "Fire at 0201", outcomes: [{ result: "D" }, { result: "RD" }] } as unknown as Forecast;
    expect(resultIn([entry(1, "x", { result: "R" }), entry(1, "y", { result: "D" })], each)).toBe("RD");
    expect(resultIn([entry(1, "die 3: D1 (9.3a)", { rules: ["9.3a"] })], forecast)).toBe("D1");
    expect(resultIn([entry(1, "die 3: D")], forecast)).toBe("D");
    expect(resultIn([entry(1, "die 3: nothing")], forecast)).toBe(null);
    expect(resultIn([entry(1, "die 3: D1")], null)).toBe(null);
  });
});

describe("their turn", () => {
  const log = (...sides: (string | null)[]): LogEntry[] => sides.map((side, i) => entry(i, "x", { side }));
  const mine = (side: string | null): boolean => side === null || side === "blue";
  it("is the last run of actions of others", () => {
    expect(theirTurn(log(null, "red", "blue", "red", "red"), mine)).toEqual({ from: 2, to: 4 });
    expect(theirTurn(log(null, "red", "red", "blue", "blue"), mine)).toEqual({ from: 0, to: 2 });
  });
  it("there is none before they acted", () => {
    expect(theirTurn(log(null, "blue"), mine)).toBe(null);
    expect(theirTurn([], mine)).toBe(null);
  });
});
