// Talking to the service. Every failure becomes an ApiError whose message a person can act on.
import { completed } from "./complete";
import { jsonWith } from "./format";
import type {
  Advice,
  Citation,
  Forecast,
  Game,
  GameSummary,
  LessonState,
  LessonSummary,
  MatchState,
  MatchInfo,
  MyMatch,
  NewMatchAnswer,
  Offered,
  Overlay,
  Rulebook,
  SeatRequest,
  Update,
} from "./types";

export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly citations: Citation[] = [],
  ) {
    super(message);
  }
}

const OFFLINE = "The server does not answer. Is it still running? What you did so far is kept there.";

export async function request<T>(path: string, token: string | null = null, body?: unknown, method?: string): Promise<T> {
  return JSON.parse(await requestText(path, token, body === undefined ? undefined : JSON.stringify(body), method)) as T;
}

const AGAIN = [300, 1200]; // ms between tries
const PASSING = [0, 502, 503, 504]; // nobody answered, or nobody could just then: a server that is being restarted

/** The same with a key: however often it is sent the server does it once, so it is sent again where the answer is lost. */
export async function requestOnce<T>(path: string, token: string | null, body: unknown): Promise<T> {
  const key = nonce();
  for (const pause of AGAIN) {
    try {
      return JSON.parse(await requestText(path, token, JSON.stringify(body), "POST", key)) as T;
    } catch (error) {
      if (!(error instanceof ApiError && PASSING.includes(error.status))) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return JSON.parse(await requestText(path, token, JSON.stringify(body), "POST", key)) as T;
}

type Stand = (path: string, body: string | undefined) => Promise<string> | null;
let stand: Stand | null = null;

/** Something on this page answers requests in the server's stead (null: none for this one): a lesson that looks like a match. */
export function answerInstead(other: Stand | null): void {
  stand = other;
}

/** The answer as it was written: JSON.parse would round whole numbers beyond 2^53, such as seeds. */
async function requestText(path: string, token: string | null = null, body?: string, method = body === undefined ? "GET" : "POST", key?: string): Promise<string> {
  const own = stand?.(path, body);
  if (own) return own;
  const headers: Record<string, string> = { Accept: "application/json" };
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  } catch {
    throw new ApiError(OFFLINE, 0);
  }
  const said = await answer.text();
  if (answer.ok) return said;
  const { error, where, citations } = problemIn(said);
  const text = error ?? `The server answered with an error (${answer.status}).`;
  throw new ApiError(where ? `${text} (${where})` : text, answer.status, citations ?? []);
}

function problemIn(said: string): { error?: string; where?: string; citations?: Citation[] } {
  try {
    return (JSON.parse(said) ?? {}) as ReturnType<typeof problemIn>;
  } catch {
    return {};
  }
}

const part = encodeURIComponent;

export interface NewMatch {
  game: string;
  scenario?: string | null;
  options?: Record<string, unknown>;
  seed?: string; // digits: a number would be rounded
  seats: Record<string, Partial<SeatRequest>>;
  spectators?: boolean;
  kind?: "table" | "remote";
  side?: string;
  nonce?: string;
  listed?: boolean;
  pace?: { days: number } | { minutes: number; increment: number };
}

/** This player's part of the dice of a remote match. */
export function nonce(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What a review says, as far as the client shows it. */
export interface Review {
  side_titles: string[];
  sides: string[];
  decisions: { ply: number; chance: number; low: number; high: number }[];
  turns: { ply: number; turn: number; label: string; figures: Record<string, number> }[];
  turning_points: {
    label: string;
    side: number;
    first: number;
    last: number;
    regret: number; // in the whole phase; what follows is of the stretch that cost most
    stretches: number;
    before: number; // of the first side
    after: number;
    gained: number;
    reference: number;
    luck: number;
    played: string[];
    more: number;
    better: string[];
    why: string[];
  }[];
  luck: { by_turn: Record<string, Record<string, number>>; total: Record<string, number>; net: Record<string, number> };
}

export type ReviewStatus =
  | { status: "none" }
  | { status: "working"; done: number; size: number }
  | { status: "failed"; error: string }
  | { status: "done"; review: Review };

export const api = {
  games: () => request<GameSummary[]>("/api/games"),
  game: (slug: string) => request<Game>(`/api/games/${part(slug)}`),
  create: ({ seed, ...wanted }: NewMatch) =>
    requestText("/api/matches", null, jsonWith(wanted, seed === undefined ? {} : { seed })).then(newMatch),
  /** `record` is the text of the file: it passes through unchanged. */
  importRecord: (record: string, seats: Record<string, Partial<SeatRequest>> = {}) =>
    requestText("/api/matches/import", null, jsonWith({ seats }, { record })).then(newMatch),
  /** What an invitation offers: the game, the side that waits. */
  invitation: (id: string, invitation: string) =>
    request<Offered>(`/api/matches/${part(id)}/invitation`, null, { invitation }),
  join: (id: string, invitation: string, name: string) =>
    request<NewMatchAnswer>(`/api/matches/${part(id)}/join`, null, { invitation, nonce: nonce(), ...(name ? { name } : {}) }),
  /** A match without its position, also while it waits. */
  info: (id: string, token: string | null) => request<MatchInfo>(`/api/matches/${part(id)}/info`, token),
  mine: (tokens: string[]) => request<MyMatch[]>("/api/matches/mine", null, { tokens }),
  match: (id: string, token: string | null) => request<MatchState>(`/api/matches/${part(id)}`, token).then(completed),
  /** The position after so many actions, with what the last of them did. */
  frame: (id: string, token: string | null, ply: number) =>
    request<MatchState>(`/api/matches/${part(id)}?ply=${ply}&since=${ply - 1}`, token).then(completed),
  /** Carries out all of these actions, or none. */
  act: (id: string, token: string, seq: number, actions: string[]) =>
    requestOnce<Update>(`/api/matches/${part(id)}/actions`, token, { seq, actions }).then(completed),
  undo: (id: string, token: string, seq: number) =>
    request<Update>(`/api/matches/${part(id)}/undo`, token, { seq }).then(completed),
  why: (id: string, token: string | null, action: string) =>
    request<{ legal: boolean; citations: Citation[] }>(`/api/matches/${part(id)}/why`, token, { action }),
  forecast: (id: string, token: string | null, action: string) =>
    request<{ forecast: Forecast | null }>(`/api/matches/${part(id)}/forecast`, token, { action }),
  overlay: (id: string, token: string | null, kind: string, side: string | null, unit: number | null) => {
    const query = new URLSearchParams({ kind });
    if (side) query.set("side", side);
    if (unit !== null) query.set("unit", String(unit));
    return request<Overlay>(`/api/matches/${part(id)}/overlay?${query}`, token).then((found) => {
      found.paths ??= {};
      return found;
    });
  },
  coach: (id: string, tokens: string[], about: "now" | "turn" | "enemy") =>
    request<Advice>(`/api/matches/${part(id)}/coach`, tokens.join(","), { about }),
  rulebook: (slug: string) => request<Rulebook>(`/api/games/${part(slug)}/rulebook`),
  findRules: (slug: string, question: string) =>
    request<{ rule: string; score: number }[]>(`/api/games/${part(slug)}/rules?${new URLSearchParams({ q: question })}`),
  lessons: (slug: string) => request<LessonSummary[]>(`/api/games/${part(slug)}/lessons`),
  lesson: (slug: string, name: string, taken: { inputs: string[]; give?: string; ply?: number; since?: number; rule?: string }) =>
    request<LessonState>(`${lessonPath(slug, name)}`, null, taken).then((state) => {
      completed(state.board as unknown as MatchState);
      return state;
    }),
  lessonWhy: (slug: string, name: string, asked: { inputs: string[]; action: string }) =>
    request<{ legal: boolean; citations: Citation[]; say: string }>(`${lessonPath(slug, name)}/why`, null, asked),
  lessonForecast: (slug: string, name: string, asked: { inputs: string[]; action: string }) =>
    request<{ forecast: Forecast | null }>(`${lessonPath(slug, name)}/forecast`, null, asked),
  lessonOverlay: (
    slug: string,
    name: string,
    asked: { inputs: string[]; kind: string; side: string | null; unit: number | null },
  ) => request<Overlay>(`${lessonPath(slug, name)}/overlay`, null, asked),
  /** Looks at the review of a match (GET), begins it (POST) or cancels it (DELETE). */
  review: (id: string, tokens: string | null, how: "GET" | "POST" | "DELETE") =>
    requestText(`/api/matches/${part(id)}/review`, tokens, undefined, how).then((said) => JSON.parse(said) as ReviewStatus),
  /** A review as one HTML page that stands alone. */
  reviewPage: (id: string, tokens: string | null) => requestText(`/api/matches/${part(id)}/review/page`, tokens),
  /** The text of the record, exactly as the service wrote it. */
  record: (id: string, token: string | null) => requestText(`/api/matches/${part(id)}/record`, token),
};

function lessonPath(slug: string, name: string): string {
  return `/api/games/${part(slug)}/lessons/${part(name)}`;
}

function newMatch(said: string): NewMatchAnswer {
  return JSON.parse(said) as NewMatchAnswer;
}

/** What to tell a person about any failure. */
export function complaint(error: unknown): string {
  if (error instanceof ApiError || error instanceof Error) return error.message;
  return String(error);
}
