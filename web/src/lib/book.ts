// The rulebook of each game: chapters, links, rulings, glossary, hints. Asked for once.
import { api } from "./api";
import type { Rulebook, Term } from "./types";

const books = new Map<string, Promise<Rulebook>>();

export function bookOf(slug: string): Promise<Rulebook> {
  let known = books.get(slug);
  if (!known) {
    known = api.rulebook(slug);
    known.catch(() => books.delete(slug));
    books.set(slug, known);
  }
  return known;
}

export interface Piece {
  text: string;
  term: Term | null;
}

/** A text cut at the words that the glossary explains: each word once, the longest that fits, never a part of another. */
export function explained(text: string, glossary: readonly Term[]): Piece[] {
  const words = new Map<string, Term>();
  for (const term of glossary) for (const word of [term.name, ...term.also]) words.set(word.toLowerCase(), term);
  if (!words.size) return [{ text, term: null }];
  const sorted = [...words.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?<![\\w-])(?:${sorted.map(escaped).join("|")})(?![\\w-])`, "gi");
  const pieces: Piece[] = [];
  const told = new Set<Term>();
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    const term = words.get(found[0].toLowerCase())!;
    if (told.has(term)) continue;
    told.add(term);
    if (found.index > from) pieces.push({ text: text.slice(from, found.index), term: null });
    pieces.push({ text: found[0], term });
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), term: null });
  return pieces;
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
