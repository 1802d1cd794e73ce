// Words and numbers as people write them.
import { symbolOf } from "./symbols";
import type { Unit } from "./types";

export function sentence(text: string): string {
  return text ? text[0]!.toUpperCase() + text.slice(1) : text;
}

/** A name as it stands on a counter: whole words only, so that it is a part of the name. */
export function shortName(name: string): string {
  if (name.length <= 19) return name;
  const words = name.slice(0, 19).split(" ");
  return words.length > 1 ? `${words.slice(0, -1).join(" ")}…` : name;
}

/** A counter in words: first what is read on it, as it is read, then what else it is. */
export function counterWords(unit: Unit): string {
  if (unit.hidden) return "unknown unit";
  const name = unit.name ?? "unit";
  const short = shortName(name);
  const read = [short.replace("…", ""), unit.size, symbolOf(unit.symbol).text, unit.values].filter(Boolean).join(" ");
  const more = [short === name ? "" : name, unit.title === name ? "" : unit.title, unit.symbol, ...unit.markers];
  return [read, ...more].filter(Boolean).join(", ");
}

export function percent(chance: number): string {
  const value = chance * 100;
  if (value > 0 && value < 1) return "<1%";
  return `${Math.round(value)}%`;
}

/** An entry of the log as a sentence, without the rule ids at its end: they are shown as links. */
export function withoutRules(text: string, rules: string[]): string {
  const tail = ` (${rules.join(", ")})`;
  return sentence(rules.length && text.endsWith(tail) ? text.slice(0, -tail.length) : text);
}

export function signed(amount: string): string {
  return /^[+-]/.test(amount) ? amount.replace("-", "−") : `+${amount}`;
}

/** The column or odds on which a battle would be fought, if a forecast tells it. */
export function columnOf(forecast: { facts: [string, string][] } | null): string | null {
  const fact = (name: string): string | undefined => forecast?.facts.find(([known]) => known === name)?.[1];
  return fact("final column") ?? fact("column") ?? fact("odds") ?? null;
}

export function words(name: string): string {
  return sentence(name.replace(/[._-]+/g, " "));
}

/** A cost as a player writes it: halves and thirds as fractions. */
export function cost(value: number | string): string {
  if (typeof value === "string") return value;
  const whole = Math.floor(value + 0.01);
  const rest = value - whole;
  const part = rest > 0.8 ? "⅚" : rest > 0.6 ? "⅔" : rest > 0.4 ? "½" : rest > 0.25 ? "⅓" : rest > 0.1 ? "⅙" : "";
  return part ? `${whole || ""}${part}` : String(whole);
}

/** A JSON object in which the values of `exact` stand as they are written, such as whole numbers beyond 2^53. */
export function jsonWith(body: object, exact: Record<string, string>): string {
  const plain = Object.entries(body).filter(([, value]) => value !== undefined);
  const members = [...plain.map(([name, value]) => [name, JSON.stringify(value)]), ...Object.entries(exact)];
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}

export function ago(iso: string): string {
  const minutes = Math.round((Date.now() - Date.parse(iso)) / 60000);
  if (!Number.isFinite(minutes)) return "";
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 48) return `${hours} h ago`;
  return `${Math.round(hours / 24)} days ago`;
}
