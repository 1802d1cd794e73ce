// Talking to the service about people: accounts, the lobby, offers, messages.
import { nonce, request } from "./api";
import type { components } from "./schema";
import type { MatchInfo, NewMatchAnswer } from "./types";

type Schemas = components["schemas"];
export type Account = Schemas["AccountModel"];
export type Ways = Schemas["WaysModel"];
export type Listed = Schemas["MatchSummary"];
export type Clock = Schemas["ClockModel"];
export type Answers = Schemas["Answers"];
export type OfferKind = "draw" | "undo" | "rematch" | "coach" | "resign";

const part = encodeURIComponent;
const at = (match: string, what: string): string => `/api/matches/${part(match)}/${what}`;

export const people = {
  lobby: () => request<Listed[]>("/api/lobby"),
  join: (id: string, name: string) => request<NewMatchAnswer>(at(id, "join"), null, { nonce: nonce(), ...(name ? { name } : {}) }),
  info: (id: string, token: string | null) => request<MatchInfo>(at(id, "info"), token),
  say: (id: string, token: string | null, text: string) => request(at(id, "messages"), token, { text }),
  offer: (id: string, token: string | null, kind: Exclude<OfferKind, "resign">) => request(at(id, "offers"), token, { kind }),
  answer: (id: string, token: string | null, kind: OfferKind, accept: boolean) =>
    request(at(id, "offers/answer"), token, { kind, accept }),
  resign: (id: string, token: string | null) => request(at(id, "resign"), token, {}),
  answers: (id: string, token: string | null, answers: Answers) => request(at(id, "answers"), token, answers, "PUT"),

  ways: () => request<Ways>("/api/account/ways"),
  me: () => request<Account>("/api/account"),
  signUp: (name: string, password: string) => request<Account>("/api/account", null, { name, password }),
  signIn: (name: string, password: string) => request<Account>("/api/account/session", null, { name, password }),
  askLink: (email: string) => request("/api/account/link", null, { email }),
  useLink: (token: string, name: string) => request<Account>("/api/account/link/use", null, { token, ...(name ? { name } : {}) }),
  signOut: () => request("/api/account/session/this", null, undefined, "DELETE"),
  change: (changes: object) => request<Account>("/api/account", null, changes, "PATCH"),
  export: () => request<object>("/api/account/export"),
  remove: () => request("/api/account", null, undefined, "DELETE"),
  subscribe: (subscription: object) => request("/api/account/push", null, subscription),
};

/** Time that is left, as on a clock. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days) return `${days} d ${hours} h`;
  const rest = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
