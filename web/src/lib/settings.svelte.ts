// How the player likes things; kept in this browser.
import { read, write } from "./storage";

const KEY = "counterblow.settings";

const DEFAULTS = {
  theme: "system" as "system" | "light" | "dark",
  textSize: 100,
  motion: "system" as "system" | "full" | "reduced",
  autoPlay: true,
  playback: "brisk" as "instant" | "brisk" | "slow",
  handOver: "hidden" as "hidden" | "always" | "never",
};

const darkQuery = matchMedia("(prefers-color-scheme: dark)");
const calmQuery = matchMedia("(prefers-reduced-motion: reduce)");

class Settings {
  values = $state({ ...DEFAULTS, ...read<Partial<typeof DEFAULTS>>(KEY, {}) });
  private systemDark = $state(darkQuery.matches);
  private systemCalm = $state(calmQuery.matches);

  constructor() {
    darkQuery.addEventListener("change", (event) => (this.systemDark = event.matches));
    calmQuery.addEventListener("change", (event) => (this.systemCalm = event.matches));
  }

  get dark(): boolean {
    return this.values.theme === "dark" || (this.values.theme === "system" && this.systemDark);
  }

  /** Should things jump instead of glide? */
  get calm(): boolean {
    return this.values.motion === "reduced" || (this.values.motion === "system" && this.systemCalm);
  }

  save(): void {
    write(KEY, this.values);
  }

  /** Put the settings where the style sheet sees them. */
  apply(): void {
    const root = document.documentElement;
    root.dataset["theme"] = this.dark ? "dark" : "light";
    root.dataset["motion"] = this.calm ? "reduced" : "full";
    root.style.fontSize = `${this.values.textSize}%`;
  }
}

export const settings = new Settings();
