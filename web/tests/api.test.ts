// An action is sent again where its answer is lost, each time with the same key, so that the server does it once.
import { afterEach, expect, test, vi } from "vitest";
import { ApiError, requestOnce } from "../src/lib/api";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function server(...answers: (Response | null)[]): { keys: (string | null)[] } {
  const seen: { keys: (string | null)[] } = { keys: [] };
  vi.useFakeTimers();
  vi.stubGlobal("fetch", async (_: string, options: RequestInit) => {
    seen.keys.push(new Headers(options.headers).get("Idempotency-Key"));
    const answer = answers.shift();
    if (!answer) throw new TypeError("the connection was reset");
    return answer;
  });
  return seen;
}

async function sent(): Promise<unknown> {
  const done = requestOnce("/api/matches/m/actions", "key", { seq: 1 }).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return done;
}

test("a lost answer is asked for again with the same key", async () => {
  const seen = server(null, new Response("{}", { status: 503 }), new Response('{"seq":2}'));
  expect(await sent()).toEqual({ seq: 2 });
  expect(seen.keys).toHaveLength(3);
  expect(new Set(seen.keys).size).toBe(1);
  expect(seen.keys[0]).toMatch(/^[0-9a-f]{32}$/);
});

test("a refusal is final", async () => {
  const seen = server(new Response('{"error":"not your decision"}', { status: 403 }));
  expect(await sent()).toMatchObject({ status: 403, message: "not your decision" });
  expect(seen.keys).toHaveLength(1);
});

test("after three tries the player is told", async () => {
  const seen = server(null, null, null);
  expect(await sent()).toBeInstanceOf(ApiError);
  expect(seen.keys).toHaveLength(3);
});
