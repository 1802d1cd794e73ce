// What this browser remembers: the secret tokens of its seats, and how the player likes things.

const SEATS = "counterblow.seats";
const INVITATIONS = "counterblow.invitations";

export type Seats = Record<string, Record<string, string>>; // match -> side -> token

export function read<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

export function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // a browser that stores nothing can still play until the page is closed
  }
}

export function allSeats(): Seats {
  return read<Seats>(SEATS, {});
}

export function seatsOf(match: string): Record<string, string> {
  const lesson = /^lesson~.+~([^~]+)$/.exec(match);
  if (lesson) return { [lesson[1]!]: "pupil" }; // a lesson has one seat, and no secrets
  return allSeats()[match] ?? {};
}

export function takeSeats(match: string, tokens: Record<string, string>): void {
  const seats = allSeats();
  seats[match] = { ...seats[match], ...tokens };
  write(SEATS, seats);
}

/** Somebody else has the seat now: this browser keeps no key to it. */
export function giveSeat(match: string, side: string): void {
  const seats = allSeats();
  delete seats[match]?.[side];
  write(SEATS, seats);
}

/** The invitation to a match that waits for its other player; null removes it. */
export function invitationTo(match: string): string | null {
  return read<Record<string, string>>(INVITATIONS, {})[match] ?? null;
}

export function keepInvitation(match: string, invitation: string | null): void {
  const known = read<Record<string, string>>(INVITATIONS, {});
  if (invitation === null) delete known[match];
  else known[match] = invitation;
  write(INVITATIONS, known);
}

/** The number of actions that a seat of this browser has seen; null if it never looked. */
export function looked(match: string, side: string): number | null {
  return read<Record<string, number>>(`counterblow.looked.${match}`, {})[side] ?? null;
}

export function setLooked(match: string, side: string, ply: number): void {
  const key = `counterblow.looked.${match}`;
  const known = read<Record<string, number>>(key, {});
  if (known[side] !== ply) write(key, { ...known, [side]: ply });
}

export function leaveSeats(match: string): void {
  const seats = allSeats();
  delete seats[match];
  write(SEATS, seats);
}
