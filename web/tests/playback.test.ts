import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Playback, type Speed } from "../src/lib/playback.svelte";
import type { MatchState } from "../src/lib/types";
import { entry, unit, view } from "./fixtures";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A match in which unit 1 goes on by a hex with every second action; the others only choose. */
function stage(speed: Speed = "brisk") {
  const seen: number[] = [];
  const frame = (ply: number): Promise<MatchState> => {
    const at = `0${1 + Math.floor(ply / 2)}01`;
    const log = ply % 2 === 0 && ply > 0 ? [entry(ply, `goes to ${at}`)] : [];
    return Promise.resolve({ view: view([unit(1, at)]), log, story: null } as unknown as MatchState);
  };
  const ended = vi.fn();
  const failed = vi.fn();
  return { seen, ended, failed, frame, shown: (ply: number) => void seen.push(ply), speed: () => speed };
}

async function watch(playback: Playback, time: number): Promise<number[]> {
  const scenes: number[] = [];
  for (let passed = 0; passed < time; passed += 50) {
    await vi.advanceTimersByTimeAsync(50);
    const ply = playback.scene?.ply;
    if (ply !== undefined && scenes.at(-1) !== ply) scenes.push(ply);
  }
  return scenes;
}

describe("playback", () => {
  it("shows every action that did something, in order, and then ends", async () => {
    const on = stage();
    const playback = new Playback(on);
    playback.play(0, 6);
    expect(await watch(playback, 8000)).toEqual([2, 4, 6]);
    expect(playback.active).toBe(false);
    expect(on.seen).toEqual([1, 2, 3, 4, 5, 6]);
    expect(on.ended).toHaveBeenCalledOnce();
  });
  it("shows the position before, then after", async () => {
    const playback = new Playback(stage());
    playback.play(0, 2);
    await vi.advanceTimersByTimeAsync(50);
    expect(playback.view!.units[0]!.at).toBe("0101");
    await vi.advanceTimersByTimeAsync(500);
    expect(playback.view!.units[0]!.at).toBe("0201");
  });
  it("goes on with what comes while it plays", async () => {
    const playback = new Playback(stage());
    playback.play(0, 2);
    await vi.advanceTimersByTimeAsync(100);
    playback.play(2, 4);
    expect(await watch(playback, 5000)).toEqual([2, 4]);
  });
  it("misses nothing when actions come one by one, also such as leave no trace", async () => {
    const playback = new Playback(stage());
    playback.play(1, 2);
    await vi.advanceTimersByTimeAsync(100);
    playback.goOn(2, 3);
    playback.play(3, 4);
    playback.goOn(4, 5);
    playback.play(5, 6);
    expect(await watch(playback, 5000)).toEqual([2, 4, 6]);
    playback.goOn(6, 7);
    expect(playback.active).toBe(false);
  });
  it("pauses, steps and goes on", async () => {
    const playback = new Playback(stage());
    playback.play(0, 6);
    await vi.advanceTimersByTimeAsync(10);
    playback.pause();
    expect(await watch(playback, 5000)).toEqual([2]);
    playback.step();
    expect(await watch(playback, 3000)).toEqual([4]);
    playback.pause();
    expect(await watch(playback, 5000)).toEqual([6]);
  });
  it("skips to the end, and all counts as seen", async () => {
    const on = stage();
    const playback = new Playback(on);
    playback.play(0, 6);
    await vi.advanceTimersByTimeAsync(10);
    playback.skip();
    expect(playback.active).toBe(false);
    expect(playback.view).toBe(null);
    expect(on.seen.at(-1)).toBe(6);
    expect(await watch(playback, 3000)).toEqual([]);
  });
  it("stops when what it shows was taken back", async () => {
    const playback = new Playback(stage());
    playback.play(0, 6);
    await vi.advanceTimersByTimeAsync(10);
    playback.forget(3);
    expect(playback.active).toBe(false);
  });
  it("takes more time when it is slow", async () => {
    const scenes = async (speed: Speed) => {
      const playback = new Playback(stage(speed));
      playback.play(0, 20);
      const seen = await watch(playback, 4000);
      playback.skip();
      return seen.length;
    };
    expect(await scenes("brisk")).toBeGreaterThan(await scenes("slow"));
  });
  it("a failure ends it and is told", async () => {
    const on = { ...stage(), frame: () => Promise.reject(new Error("gone")) };
    const playback = new Playback(on);
    playback.play(0, 4);
    await vi.advanceTimersByTimeAsync(10);
    expect(on.failed).toHaveBeenCalledOnce();
    expect(playback.active).toBe(false);
  });
});
