import { describe, expect, it } from "vitest";
import { Targets } from "../src/lib/targets";
import { action } from "./fixtures";

describe("what glows", () => {
  it("units that can be chosen, and buttons for the rest", () => {
    const legal = [action("march", "march A", [1]), action("march", "march B", [2]), action("end", "end movement")];
    const targets = new Targets(legal);
    expect([...targets.byUnit.keys()]).toEqual([1, 2]);
    expect(targets.plain.map((a) => a.text)).toEqual(["end movement"]);
    expect(targets.subjects.size).toBe(0);
  });
  it("the unit that all moves are about is chosen already", () => {
    const legal = [action("move", "move A 0101", [1], ["0101"]), action("move", "move A 0201", [1], ["0201"])];
    const targets = new Targets(legal);
    expect([...targets.subjects]).toEqual([1]);
    expect([...targets.byHex.keys()]).toEqual(["0101", "0201"]);
    expect(targets.byUnit.size).toBe(0);
  });
  it("of a path the end is chosen", () => {
    const legal = [action("retreat", "retreat A by 0101-0201", [1], ["0101", "0201"])];
    expect([...new Targets(legal).byHex.keys()]).toEqual(["0201"]);
  });
  it("destinations of one unit of several", () => {
    const legal = [action("land", "land A 0101", [1], ["0101"]), action("land", "land B 0201", [2], ["0201"])];
    const targets = new Targets(legal);
    expect([...targets.hexesFor(2).keys()]).toEqual(["0201"]);
  });
});

describe("asking why not", () => {
  it("puts another hex into the sentence", () => {
    const targets = new Targets([action("move", "move 12 0101", [1], ["0101"])]);
    expect(targets.similar("0301", null, () => "12")).toEqual(["move 12 0301"]);
  });
  it("puts another unit into the sentence", () => {
    const targets = new Targets([action("march", "march A", [1]), action("march", "march B", [2])]);
    const nameOf = (id: number) => ["", "A", "B"][id]!;
    expect(targets.similar("0301", { id: 9, name: "C" }, nameOf)).toEqual(["march C"]);
  });
});
