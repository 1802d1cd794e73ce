import { beforeEach, describe, expect, it, vi } from "vitest";
import { allSeats, giveSeat, leaveSeats, read, seatsOf, takeSeats, write } from "../src/lib/storage";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});

describe("seats", () => {
  it("are taken, added to and left", () => {
    takeSeats("m1", { german: "g" });
    takeSeats("m1", { russian: "r" });
    takeSeats("m2", { axis: "a" });
    expect(seatsOf("m1")).toEqual({ german: "g", russian: "r" });
    leaveSeats("m1");
    expect(allSeats()).toEqual({ m2: { axis: "a" } });
  });
  it("a seat given away leaves no key, the other stays", () => {
    takeSeats("m1", { german: "g", russian: "r" });
    giveSeat("m1", "russian");
    expect(seatsOf("m1")).toEqual({ german: "g" });
    giveSeat("unknown", "russian");
    expect(allSeats()).toEqual({ m1: { german: "g" } });
  });
  it("broken or missing storage is no failure", () => {
    localStorage.setItem("x", "{");
    expect(read("x", 7)).toBe(7);
    vi.stubGlobal("localStorage", { getItem: () => { throw new Error("denied"); }, setItem: () => { throw new Error("denied"); } });
    expect(read("x", 7)).toBe(7);
    expect(() => write("x", 1)).not.toThrow();
  });
});
