import { describe, expect, it } from "vitest";
import { completed } from "../src/lib/complete";
import type { Update } from "../src/lib/types";

describe("what the service leaves out", () => {
  it("becomes empty, and counters in a box lie there", () => {
    const answer = { view: { units: [{ side: "blue", at: "0101" }], boxes: [{ id: "pool", units: [{ side: "blue" }] }, { id: "dead" }] } };
    const { view } = completed(answer as unknown as Update);
    expect(view.hands).toEqual({});
    expect(view.control).toEqual({});
    expect(view.units[0]).toMatchObject({ markers: [], hidden: false });
    expect(view.boxes[0]!.units[0]!.at).toBe("pool");
    expect(view.boxes[1]!.units).toEqual([]);
  });
});
