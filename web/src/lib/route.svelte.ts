// Which page the address asks for: "/", "/match/ID", "/match/ID/PLY", "/learn/GAME", "/learn/GAME/LESSON" or "/rules/GAME#RULE".
import { takeSeats } from "./storage";

export type Page =
  | { name: "start" }
  | { name: "match"; id: string; ply: number | null; invitation: string | null }
  | { name: "learn"; slug: string; lesson: string | null }
  | { name: "rules"; slug: string; rule: string | null };

function parse(): Page {
  const parts = location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
  if (parts[0] === "learn" && parts[1]) return { name: "learn", slug: parts[1], lesson: parts[2] ?? null };
  if (parts[0] === "rules" && parts[1]) return { name: "rules", slug: parts[1], rule: decodeURIComponent(location.hash.slice(1)) || null };
  if (parts[0] !== "match" || !parts[1]) return { name: "start" };
  const ply = parts[2] !== undefined && /^\d+$/.test(parts[2]) ? Number(parts[2]) : null;
  return { name: "match", id: parts[1], ply, invitation: invitationIn(parts[1]) };
}

/**
 * A link carries what it grants after the "#", which never reaches the server: a seat with its key
 * ("/match/ID#german=TOKEN"), taken at once, or an invitation to the seat that waits ("/match/ID#join=CODE").
 */
function invitationIn(match: string): string | null {
  const found = /^#([^=]+)=([\w-]+)$/.exec(location.hash);
  if (!found) return null;
  if (found[1] === "join") return found[2]!;
  takeSeats(match, { [decodeURIComponent(found[1]!)]: found[2]! });
  history.replaceState(null, "", location.pathname);
  return null;
}

class Route {
  page = $state.raw<Page>(parse());

  constructor() {
    addEventListener("popstate", () => (this.page = parse()));
  }

  go(address: string): void {
    history.pushState(null, "", address);
    this.page = parse();
  }

  /** Change the address without leaving the page: the move that is shown. */
  note(address: string): void {
    if (location.pathname !== address) history.replaceState(null, "", address);
  }
}

export const route = new Route();

export function matchAddress(id: string, ply: number | null = null): string {
  return `/match/${encodeURIComponent(id)}${ply === null ? "" : `/${ply}`}`;
}
