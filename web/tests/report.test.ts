import { describe, expect, it } from "vitest";
import { chapters, gridOf, lossesIn } from "../src/lib/report";
import { action, entry, unit, view } from "./fixtures";

describe("chapters", () => {
  it("begin with each turn; what comes before has none", () => {
    const log = [entry(0, "starts"), entry(1, "Turn 1", { kind: "turn" }), entry(2, "moves"), entry(3, "Turn 2", { kind: "turn" })];
    expect(chapters(log).map(({ title, entries }) => [title, entries.length])).toEqual([["", 1], ["Turn 1", 1], ["Turn 2", 0]]);
    expect(chapters([])).toEqual([]);
  });
});

describe("a table of actions", () => {
  const sentences = new Map([["movement", "movement {sub}"], ["fire", "fire {sub}"], ["pass", "pass"], ["march", "march {unit} now"]]);
  const list = (...texts: string[]) => texts.map((text) => action(text.split(" ")[0]!, text));
  it("has a row for everybody and a column for every kind", () => {
    const grid = gridOf(list("pass", "movement KGD", "movement KGB", "fire KGD", "movement KGH", "fire KGH"), sentences)!;
    expect(grid.kinds).toEqual(["movement", "fire"]);
    expect(grid.rows.map((row) => [row.name, ...row.cells.map((cell) => cell?.text ?? "-")])).toEqual([
      ["KGD", "movement KGD", "fire KGD"],
      ["KGB", "movement KGB", "-"],
      ["KGH", "movement KGH", "fire KGH"],
    ]);
    expect(grid.rest.map((one) => one.text)).toEqual(["pass"]);
  });
  it("is not made of a short list or of one kind", () => {
    expect(gridOf(list("pass", "movement KGD", "fire KGD"), sentences)).toBe(null);
    expect(gridOf(list("movement A", "movement B", "movement C", "movement D", "movement E"), sentences)).toBe(null);
  });
});

describe("losses", () => {
  it("lie in boxes beside the map or in areas on it", () => {
    const found = { ...view([unit(1, "0101"), unit(2, "dead"), unit(3, "dead", { side: "red" })], [unit(4, "pool")]), losses: ["pool", "dead"] };
    expect(lossesIn(found, "blue").map(({ id }) => id)).toEqual([4, 2]);
    expect(lossesIn({ ...found, losses: [] }, "blue")).toEqual([]);
  });
});
