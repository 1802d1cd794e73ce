// Colours of counters. Sides differ in lightness as well as in hue, so that nobody has to tell them apart by hue alone.

export interface Paint {
  face: string;
  edge: string;
  ink: string;
  box: string; // ground of the NATO symbol
}

const NATIONS: Record<string, Paint> = {
  german: { face: "#b4bdb2", edge: "#59645a", ink: "#15181a", box: "#d9ded4" },
  soviet: { face: "#9c3f2e", edge: "#57180e", ink: "#fff6e6", box: "#b65f49" },
  british: { face: "#8a6a36", edge: "#4a3512", ink: "#fff8e6", box: "#a78651" },
  french: { face: "#2f5b8f", edge: "#14325a", ink: "#f4f8ff", box: "#4c78ab" },
  norwegian: { face: "#7b3550", edge: "#45142a", ink: "#fff2f6", box: "#97516c" },
  polish: { face: "#7a4a6d", edge: "#43203a", ink: "#fff3fb", box: "#96678a" },
  romanian: { face: "#cfc489", edge: "#7a7034", ink: "#1c1906", box: "#e5ddb0" },
  hungarian: { face: "#c3b2a0", edge: "#6e5c49", ink: "#1d150d", box: "#ddd1c4" },
  italian: { face: "#bcc896", edge: "#64713c", ink: "#171c08", box: "#d8e0bd" },
  finnish: { face: "#c4d4e2", edge: "#5d7487", ink: "#0d1a24", box: "#e2ecf4" },
  ss: { face: "#3a3f42", edge: "#101213", ink: "#f3f5f5", box: "#575d60" },
};

const SAME: Record<string, string> = {
  axis: "german",
  germany: "german",
  russian: "soviet",
  allied: "british",
  allies: "british",
  rumanian: "romanian",
  estonian: "german",
};

const BY_ORDER: Paint[] = [NATIONS["german"]!, NATIONS["soviet"]!];

export function paintOf(side: string, order: number, nation?: string): Paint {
  for (const word of [nation, side]) {
    if (typeof word !== "string") continue;
    const key = word.toLowerCase();
    const paint = NATIONS[SAME[key] ?? key];
    if (paint) return paint;
  }
  return BY_ORDER[order % 2]!;
}

// bands of formations: hues that stay apart for colour-blind eyes (after Okabe and Ito), in two lightnesses
const BANDS: [string, string][] = [
  ["#0072b2", "#ffffff"],
  ["#e69f00", "#1a1400"],
  ["#009e73", "#ffffff"],
  ["#f0e442", "#1c1a00"],
  ["#56b4e9", "#06212f"],
  ["#d55e00", "#ffffff"],
  ["#cc79a7", "#26091a"],
  ["#ffffff", "#16181a"],
  ["#1b2a41", "#ffffff"],
  ["#8fd0b9", "#06261c"],
  ["#f7c9a4", "#2b1505"],
  ["#6a4c93", "#ffffff"],
];

/** The colour of a formation's band and the ink on it: the same formation always gets the same. */
export function bandOf(formation: string): [string, string] {
  let sum = 7;
  for (const letter of formation) sum = (sum * 31 + letter.codePointAt(0)!) % 65521;
  return BANDS[sum % BANDS.length]!;
}
