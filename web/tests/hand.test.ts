import { beforeEach, describe, expect, it } from "vitest";
import { Hand } from "../src/lib/hand.svelte";
import type { Match } from "../src/lib/match.svelte";
import { Targets } from "../src/lib/targets";
import type { Action, Unit } from "../src/lib/types";
import { action, unit } from "./fixtures";

/** A match of which one decides what each action leads to. */
class Table {
  seat = "blue";
  mine = true;
  busy = false;
  canUndo = true;
  done: string[] = [];
  explained: string[] = [];
  subjects = new Set<number>();
  joined = new Set<number>();
  consequences = null;
  told: string[] = [];
  drops: Record<string, string> = {};
  view = { units: [] as Unit[], decision: { prompt: "", about: [], drops: {}, back: null as string | null, everybody: null as string | null } };
  layout = { places: new Map<string, string>(), adjacent: (a: string, b: string) => Math.abs(Number(a) - Number(b)) === 100 };
  weighed: string[][] = [];
  after: Record<string, () => void> = {};
  legal: Action[] = [];
  hand = new Hand(this as unknown as Match);

  get unitsById() {
    return new Map(this.view.units.map((one) => [one.id!, one]));
  }
  tell(text: string): void {
    this.told.push(text);
  }
  async weighWay(way: string[]): Promise<void> {
    this.weighed.push(way);
  }
  get targets() {
    return new Targets(this.legal);
  }
  get hexes() {
    return this.hand.picked === null ? this.targets.byHex : this.targets.hexesFor(this.hand.picked);
  }
  offer(...legal: Action[]): void {
    this.legal = legal;
  }
  async act(one: Action): Promise<boolean> {
    this.hand.noted(one, this.legal);
    return this.say([one.text]);
  }
  async say(texts: string[]): Promise<boolean> {
    this.done.push(...texts);
    this.hand.empty();
    this.after[texts.at(-1)!]?.();
    return true;
  }
  async undo(): Promise<boolean> {
    this.done.push("undo");
    this.after["undo"]?.();
    return true;
  }
  async explain(label: string): Promise<void> {
    this.explained.push(label);
  }
}

let table: Table;
const marches = [action("march", "march A", [1]), action("march", "march B", [2]), action("end", "end movement")];
const A = unit(1, "0101");
const B = unit(2, "0201");
const enemy = unit(9, "0301", { side: "red" });

/** Unit A is chosen and may go to 0201 (where B stands) and 0301. */
async function chooseA(): Promise<void> {
  table.offer(...marches);
  table.after = {
    "march A": () => {
      table.subjects = new Set([1]);
      table.offer(action("to", "to 0201", [], ["0201"]), action("to", "to 0401", [], ["0401"]));
    },
    undo: () => {
      table.subjects = new Set();
      table.offer(...marches);
    },
    "to 0401": () => {
      table.subjects = new Set();
      table.offer(...marches.slice(1));
    },
  };
  await table.hand.clickUnit(A);
  table.done.length = 0;
}

beforeEach(() => {
  table = new Table();
  table.view.units = [A, B, enemy];
});

describe("one gesture", () => {
  it("a click on a unit chooses it, on a hex sends it there", async () => {
    table.offer(...marches);
    await table.hand.clickUnit(A);
    expect(table.done).toEqual(["march A"]);
    await chooseA();
    await table.hand.clickHex("0401");
    expect(table.done).toEqual(["to 0401"]);
  });
  it("a second click lets it go, without a trace", async () => {
    await chooseA();
    await table.hand.clickUnit(A);
    expect(table.done).toEqual(["undo"]);
  });
  it("where nothing can be undone the game's own way back is taken", async () => {
    await chooseA();
    table.canUndo = false;
    table.view.decision.back = "back";
    await table.hand.clickUnit(A);
    expect(table.done).toEqual(["back"]);
  });
  it("a click on another unit chooses that one instead, even if it stands on a target", async () => {
    await chooseA();
    await table.hand.clickUnit(B);
    expect(table.done).toEqual(["undo", "march B"]);
  });
  it("a click on a friend who cannot be chosen never moves there by surprise", async () => {
    await chooseA();
    const friend = unit(5, "0201");
    await table.hand.clickUnit(friend);
    expect(table.done).toEqual([]);
    expect(table.hand.choices!.actions.map((one) => one.text)).toEqual(["to 0201"]);
  });
  it("where two things mean one hex, the one that nearly all hexes offer is done, unless one asks", async () => {
    const to = ["0201", "0401", "0501", "0601"].map((hex) => action("to", `to ${hex}`, [], [hex]));
    table.offer(...to, action("via", "lead A through 0401", [], ["0401"]));
    await table.hand.clickHex("0401");
    expect(table.done).toEqual(["to 0401"]);
    await table.hand.clickHex("0401", true);
    expect(table.hand.choices!.actions).toHaveLength(2);
    table.hand.empty();
    table.offer(...to, ...to.map((one) => action("road", `by road ${one.text}`, [], one.hexes)));
    await table.hand.clickHex("0401");
    expect(table.hand.choices!.actions).toHaveLength(2);
  });
  it("a unit of a formation shows what its formation can do", async () => {
    table.offer(action("movement", "movement KGW"), action("fire", "fire KGW"), action("movement", "movement KGD"), action("pass", "pass"));
    await table.hand.clickUnit(unit(3, "0201", { band: "KGW" }));
    expect(table.hand.choices!.actions.map((one) => one.text)).toEqual(["movement KGW", "fire KGW"]);
    expect(table.explained).toEqual([]);
  });
  it("what cannot be done is explained", async () => {
    await chooseA();
    await table.hand.clickUnit(enemy);
    await table.hand.clickHex("0909");
    expect(table.explained).toEqual(["0301", "0909"]);
  });
  it("a unit whose actions name their hex is picked, and put down again", async () => {
    table.offer(action("land", "land A 0101", [1], ["0101"]), action("land", "land A 0201", [1], ["0201"]), action("land", "land B 0301", [2], ["0301"]));
    await table.hand.clickUnit(unit(1, "pool"));
    expect(table.hand.picked).toBe(1);
    await table.hand.clickUnit(unit(1, "pool"));
    expect(table.hand.picked).toBe(null);
  });
});

describe("dragging", () => {
  it("is choosing and sending in one", async () => {
    table.offer(...marches);
    await chooseA();
    table.after["undo"]!();
    table.hand.lift(A);
    await table.hand.drop("0401", "0101");
    expect(table.done).toEqual(["march A", "to 0401"]);
  });
  it("to where it cannot go takes the choice back", async () => {
    await chooseA();
    table.hand.lift(A);
    await table.hand.drop("0909", "0101");
    expect(table.done).toEqual(["undo"]);
  });
  it("is for units that can be chosen", async () => {
    await chooseA();
    expect([A, B, enemy].map((one) => table.hand.canLift(one))).toEqual([true, true, false]);
  });
});

describe("attacks", () => {
  beforeEach(() => {
    table.offer(action("attack", "attack 0301", [], ["0301"]), action("end", "end attacks"));
  });
  it("a click on an enemy lets everybody join who can", async () => {
    table.after["attack 0301"] = () => {
      table.view.decision.everybody = "with everybody";
      table.offer(action("with", "with A", [1]), action("with", "with B", [2]));
    };
    await table.hand.clickUnit(enemy);
    expect(table.done).toEqual(["attack 0301", "with everybody"]);
  });
  it("one after the other where the game knows no word for it", async () => {
    const asked = (...legal: Action[]) => () => {
      table.view.decision.prompt = "Which units attack 0301?";
      table.offer(...legal, action("commit", "commit"));
    };
    table.after["attack 0301"] = asked(action("with", "with A", [1]), action("with", "with B", [2]));
    table.after["with A"] = asked(action("with", "with B", [2]));
    table.after["with B"] = asked();
    await table.hand.clickUnit(enemy);
    expect(table.done).toEqual(["attack 0301", "with A", "with B"]);
  });
  it("a strike that is placed chooses no further aircraft", async () => {
    table.after["attack 0301"] = () => {
      table.view.decision.prompt = "Choose a strike to place.";
      table.offer(action("strike", "strike with C", [3]));
    };
    await table.hand.clickUnit(enemy);
    expect(table.done).toEqual(["attack 0301"]);
  });
  it("a click takes a unit out", async () => {
    table.drops = { 2: "without B" };
    await table.hand.clickUnit(B);
    expect(table.done).toEqual(["without B"]);
  });
});

describe("several units", () => {
  it("gathered with shift go where the first one goes", async () => {
    await chooseA();
    await table.hand.clickUnit(B, true);
    expect(table.hand.followers).toEqual([2]);
    table.after["march B"] = () => table.offer(action("to", "to 0401", [], ["0401"]));
    await table.hand.clickHex("0401");
    expect(table.done).toEqual(["to 0401", "march B", "to 0401"]);
    expect(table.hand.followers).toEqual([]);
  });
  it("who cannot follow stays, and one is told why", async () => {
    await chooseA();
    await table.hand.clickUnit(B, true);
    table.after["march B"] = () => table.offer(action("to", "to 0909", [], ["0909"]));
    await table.hand.clickHex("0401");
    expect(table.done).toEqual(["to 0401", "march B"]);
    expect(table.explained).toEqual(["0401"]);
  });
  it("in a frame: the first is chosen, the others follow", async () => {
    await chooseA();
    table.after["undo"]!();
    await table.hand.gatherAll([enemy, A, B]);
    expect(table.done).toEqual(["march A"]);
    expect(table.hand.followers).toEqual([2]);
    await table.hand.gatherAll([enemy]);
    expect(table.done).toEqual(["march A"]);
  });
  it("in a frame: those who can join what is being put together do", async () => {
    table.joined = new Set([7]);
    table.offer(action("with", "with A", [1]), action("with", "with B", [2]), action("commit", "commit"));
    await table.hand.gatherAll([A, B, enemy]);
    expect(table.done).toEqual(["with A", "with B"]);
  });
});

describe("a way of one's own", () => {
  beforeEach(() => {
    table.subjects = new Set([1]);
    table.offer(...["0201", "0301", "0401"].map((hex) => action("to", `to ${hex}`, [], [hex])));
    table.hand.layWay();
  });
  it("is laid hex by hex, and taken by a second click on its end", async () => {
    expect(table.hand.waySteps).toEqual(["0201"]);
    await table.hand.clickHex("0201");
    expect(table.hand.waySteps).toEqual(["0301", "0201"]);
    await table.hand.clickHex("0301");
    expect(table.weighed).toEqual([["0201"], ["0201", "0301"]]);
    await table.hand.clickHex("0301");
    expect(table.done).toEqual(["by 0201-0301"]);
    expect(table.hand.way).toBe(null);
  });
  it("does not jump, and is taken back hex by hex", async () => {
    await table.hand.clickHex("0401");
    expect(table.told).toHaveLength(1);
    await table.hand.clickHex("0201");
    await table.hand.takeBack();
    expect(table.hand.way).toEqual([]);
    await table.hand.takeBack();
    expect(table.hand.way).toBe(null);
    expect(table.done).toEqual([]);
  });
});
