import { describe, expect, it } from "vitest";
import { explained } from "../src/lib/book";

const term = (name: string, ...also: string[]) => ({ name, also, text: `what ${name} is`, rules: [] });

describe("the words of a game", () => {
  const glossary = [term("zone of control", "ZOC", "zone"), term("step"), term("step loss")];
  const marked = (text: string): string[] => explained(text, glossary).filter((piece) => piece.term).map((piece) => piece.text);

  it("are found in any spelling, the longest that fits", () => {
    expect(marked("Enter a Zone of Control, then a step loss.")).toEqual(["Zone of Control", "step loss"]);
  });
  it("are marked once, and never inside other words", () => {
    expect(marked("zone after zone, zones and stepping")).toEqual(["zone"]);
    expect(marked("a no-zone")).toEqual([]);
  });
  it("leave the text as it is", () => {
    const text = "A step. (ZOC) end";
    expect(explained(text, glossary).map((piece) => piece.text).join("")).toBe(text);
    expect(explained("plain", [])).toEqual([{ text: "plain", term: null }]);
  });
});
