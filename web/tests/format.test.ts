import { describe, expect, it } from "vitest";
import { cost, counterWords, jsonWith, percent, sentence, signed, withoutRules, words } from "../src/lib/format";
import { unit } from "./fixtures";

describe("words and numbers", () => {
  it("calls a counter by what it shows, its name first", () => {
    const shown = { size: "XXX", symbol: "infantry", values: "3-2", markers: ["disrupted"] };
    expect(counterWords(unit(1, "0101", { name: "X. Korps", title: "X. Korps", ...shown }))).toBe("X. Korps XXX 3-2, infantry, disrupted");
    expect(counterWords(unit(1, "0101", { name: "139-1", title: "139-1 (KG Windisch)" }))).toBe("139-1, 139-1 (KG Windisch)");
    const long = unit(1, "0101", { name: "Luga Operational Group", size: "XXX", values: "2-1" });
    expect(counterWords(long)).toBe("Luga Operational XXX 2-1, Luga Operational Group");
    expect(counterWords(unit(1, "0101", { hidden: true }))).toBe("unknown unit");
  });
  it("writes chances as people do", () => {
    expect([0, 0.004, 1 / 6, 0.5, 1].map(percent)).toEqual(["0%", "<1%", "17%", "50%", "100%"]);
  });
  it("writes costs with halves and thirds", () => {
    expect([0.5, 1, 1 / 3, 2 / 3, 1.5, 2.1667].map(cost)).toEqual(["½", "1", "⅓", "⅔", "1½", "2⅙"]);
    expect(cost("all")).toBe("all");
  });
  it("gives every modifier its sign", () => {
    expect(["2", "+1", "-3", "-1/2"].map(signed)).toEqual(["+2", "+1", "−3", "−1/2"]);
  });
  it("takes the rule ids off the end of a log entry only", () => {
    expect(withoutRules("A attacks 0101: D1 (2.5, 3.2)", ["2.5", "3.2"])).toBe("A attacks 0101: D1");
    expect(withoutRules("A attacks (2.5) now", ["2.5"])).toBe("A attacks (2.5) now");
    expect(withoutRules("drawn by the Axis (5.2.a)", ["5.2.a"])).toBe("Drawn by the Axis");
  });
  it("makes sentences and words", () => {
    expect(sentence("march XX. Korps")).toBe("March XX. Korps");
    expect(sentence("")).toBe("");
    expect(words("final_column")).toBe("Final column");
  });
});

describe("jsonWith", () => {
  it("keeps whole numbers that a double cannot hold", () => {
    const seed = "4611686018427387901";
    expect(jsonWith({ game: "narva" }, { seed })).toBe(`{"game":"narva","seed":${seed}}`);
    expect(String(JSON.parse(jsonWith({}, { seed })).seed)).not.toBe(seed); // which is why
  });
  it("leaves out what is undefined and writes the rest as JSON", () => {
    expect(jsonWith({ a: undefined, b: null, "c\"": [1] }, {})).toBe('{"b":null,"c\\"":[1]}');
  });
});
