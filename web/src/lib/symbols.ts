// NATO unit symbols as paths in a box from -14,-9 to 14,9. `line` is stroked, `fill` is filled with the ink.

export interface Symbol {
  line?: string;
  fill?: string;
  text?: string;
  below?: string; // stroked under the box: wheels, a staff
  bare?: boolean; // without the box
}

const CROSS = "M-14 -9 14 9M14 -9 -14 9";
const OVAL = "M-7 -5H7A5 5 0 0 1 7 5H-7A5 5 0 0 1 -7 -5Z";
const WHEELS = "M-7.5 9.2a1.9 1.9 0 1 0 .01 0M7.5 9.2a1.9 1.9 0 1 0 .01 0";

export const SYMBOLS: Record<string, Symbol> = {
  infantry: { line: CROSS },
  armor: { line: OVAL },
  mechanized: { line: CROSS + OVAL },
  motorized: { line: CROSS, below: WHEELS },
  cavalry: { line: "M-14 9 14 -9" },
  mountain: { line: CROSS, fill: "M-4.2 9 0 2.2 4.2 9Z" },
  ski: { line: CROSS + "M-5 7.6H3.4L6 5.4M-5 5.2H2.6L5 3.2" },
  airborne: { line: CROSS + "M-6 8q3 -4 6 0q3 -4 6 0" },
  marine: { line: CROSS + "M0 -7.5V7M-3 -4.6H3M-4.6 3.2Q-3.6 7 0 7T4.6 3.2" },
  engineer: { line: "M-7.5 5V-3.5H7.5V5M0 -3.5V5" },
  artillery: { fill: "M0 -4.2a4.2 4.2 0 1 0 .01 0Z" },
  rocket: { line: "M-4.5 -2.5 0 -6.5 4.5 -2.5M-4.5 .8 0 -3.2 4.5 .8", fill: "M0 1.6a2.6 2.6 0 1 0 .01 0Z" },
  antiair: { line: "M-14 9Q0 -13 14 9" },
  antitank: { line: "M-14 9 0 -9 14 9" },
  recon: { line: "M-14 9 14 -9" + OVAL },
  hq: { line: "M-14 -3.6H14", text: "HQ", below: "M-14 9V14" },
  air: { fill: "M0 0C-3 -4.6 -10.5 -5.4 -10.5 0S-3 4.6 0 0C3 -4.6 10.5 -5.4 10.5 0S3 4.6 0 0Z" },
  naval: { fill: "M-12 1.5H12L9 6.5H-9.5ZM-6 .3V-2.2H-2.4V-6H1.6V-2.2H6V.3Z" },
  train: { fill: "M-11 -4H2V-7H9V4H-11Z", below: "M-7 5.2a1.9 1.9 0 1 0 .01 0M0 5.2a1.9 1.9 0 1 0 .01 0M6 5.2a1.9 1.9 0 1 0 .01 0" },
  fort: { line: "M-12 6V-2H-8V-5.5H-4V-2H-2V-5.5H2V-2H4V-5.5H8V-2H12V6Z" },
  leader: { fill: "M0 -8 2.1 -2.7 7.8 -2.4 3.4 1.2 4.9 6.7 0 3.6 -4.9 6.7 -3.4 1.2 -7.8 -2.4 -2.1 -2.7Z", bare: true },
  supply: { line: "M-14 4.5H14" },
  cadre: { line: "M-14 -9 -3 -2M14 -9 3 -2M-14 9 -3 2M14 9 3 2M-3 -2H3V2H-3Z" },
};

/** The symbol of a word the client does not know: its first letters. */
export function symbolOf(word: string | null | undefined): Symbol {
  if (!word) return {};
  return SYMBOLS[word] ?? { text: word.slice(0, 4) };
}

// what a marker looks like: colour, and a sign in a box from -6,-6 to 6,6. Signs, not letters: they are read in any language.
const MARKS: [RegExp, string, string][] = [
  [/disrupt|disorganiz|shaken|spent/i, "#b34700", "M-5.5 2.5 -2.5 -3 0 2.5 2.5 -3 5.5 2.5"],
  [/isolat|surround|cut/i, "#7a1fa2", "M0 -4.8a4.8 4.8 0 1 0 .01 0M0 -.4v.8"],
  [/unsuppl|out of supply/i, "#7a1fa2", "M-4 -2.500H4V3.500H-4ZM-5.5 5.2 5.5 -4.8"],
  [/pinned/i, "#b3261e", "M-3 -5H3M0 -5V1M-4 1H4M0 1V5.5"],
  [/entrench|dug|fort|prepared/i, "#5b4a2f", "M-6 3H-3.200L-1.6 -2.500H1.600L3.2 3H6"],
  [/moved/i, "#4d5357", "M-5 0H4M.8 -3.6 4.6 0 .8 3.6"],
  [/attack|fired|used|done/i, "#4d5357", "M-3.8 -3.8 3.8 3.800M3.8 -3.8 -3.8 3.8"],
  [/chosen|select/i, "#0b6e4f", "M0 -4.500V4.500M-4.5 0H4.5"],
  [/command/i, "#0072b2", "M-3.5 5.500V-5H4.500L2 -2.2 4.5 .6H-3.5"],
  [/no retreat|hold|reserve|support/i, "#1b2a41", "M-4 -4.500H4V0Q4 4 0 5.800Q-4 4 -4 0Z"],
];

/** Does a marker say that a counter has done its part? Such a one is dimmed; what else is marked stays bright. */
export function isUsed(marker: string): boolean {
  return /^(moved|attacked|fired|used|done)$/i.test(marker);
}

/** Does a marker say that a counter is in trouble? Such a badge is large. */
export function isGrave(marker: string): boolean {
  return /disrupt|disorganiz|unsuppl|out of supply|isolat|pinned/i.test(marker);
}

/** How a marker on a counter looks: colour and sign. */
export function markOf(marker: string): [string, string] {
  for (const [pattern, colour, sign] of MARKS) if (pattern.test(marker)) return [colour, sign];
  return ["#33566b", "M0 -2a2 2 0 1 0 .01 0"];
}
