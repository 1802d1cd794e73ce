// A lesson on the real board. To the table it looks like a match: requests about it are answered from here. The server keeps
// nothing of a lesson; what the pupil did so far is sent along each time, and remembered in this browser.
import { ApiError, answerInstead, api } from "./api";
import { read, write } from "./storage";
import type { Citation, LessonState, LessonSummary, MatchState, Update } from "./types";

const DONE = "counterblow.lessons";

/** "lesson~leningrad~first-march~german": the id by which the table knows a lesson. */
export function lessonId(slug: string, name: string, side: string): string {
  return ["lesson", slug, name, side].join("~");
}

export function isLesson(id: string): boolean {
  return id.startsWith("lesson~");
}

export function lessonAddress(slug: string, name: string): string {
  return `/learn/${encodeURIComponent(slug)}/${encodeURIComponent(name)}`;
}

export function finished(slug: string): string[] {
  return read<Record<string, string[]>>(DONE, {})[slug] ?? [];
}

function finish(slug: string, name: string): void {
  const done = read<Record<string, string[]>>(DONE, {});
  if (!done[slug]?.includes(name)) write(DONE, { ...done, [slug]: [...(done[slug] ?? []), name] });
}

/** The lesson to go on with: the first that is not finished. */
export function nextLesson(slug: string, lessons: LessonSummary[]): LessonSummary | undefined {
  const done = finished(slug);
  return lessons.find((lesson) => !done.includes(lesson.name)) ?? lessons[0];
}

export interface Message {
  say: string;
  citations: Citation[];
}

export class Lesson {
  state = $state.raw() as LessonState;
  message = $state.raw<Message | null>(null);
  private seq = 1; // counts what the table saw change
  private readonly key: string;

  private constructor(
    readonly slug: string,
    readonly name: string,
    first: LessonState,
  ) {
    this.key = `counterblow.lesson.${slug}.${name}`;
    this.state = first;
  }

  static async open(slug: string, name: string): Promise<Lesson> {
    const inputs = read<string[]>(`counterblow.lesson.${slug}.${name}`, []);
    let first: LessonState;
    try {
      first = await api.lesson(slug, name, { inputs });
      if (first.over) first = await api.lesson(slug, name, { inputs: [] });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      first = await api.lesson(slug, name, { inputs: [] }); // the lesson was changed since
    }
    const lesson = new Lesson(slug, name, first);
    answerInstead((path, body) => lesson.answer(path, body));
    return lesson;
  }

  close(): void {
    answerInstead(null);
  }

  get id(): string {
    return lessonId(this.slug, this.name, this.state.side);
  }

  /** Try an action, or go on with an empty text; true if something happened. */
  async give(text: string): Promise<boolean> {
    return this.take(await api.lesson(this.slug, this.name, { inputs: this.state.inputs, give: text }));
  }

  async restart(): Promise<void> {
    this.take(await api.lesson(this.slug, this.name, { inputs: [] }));
    this.message = null;
  }

  private take(next: LessonState): boolean {
    const went = next.answer !== "other" && next.answer !== "refused";
    this.message = next.say || next.citations.length ? { say: next.say, citations: next.citations } : null;
    if (!went) return false;
    this.seq++;
    this.state = next;
    write(this.key, next.over ? [] : next.inputs);
    if (next.over) finish(this.slug, this.name);
    return true;
  }

  // ---------------------------------------------------------------- what the table asks

  /** Answers a request about the "match" of this lesson; null: it is about something else. */
  private answer(path: string, body: string | undefined): Promise<string> | null {
    const found = /^\/api\/matches\/lesson~[^/?]+(?:\/(\w+))?(?:\?(.*))?$/.exec(decodeURIComponent(path));
    if (!found) return null;
    const [, what, query] = found;
    const asked = (body ? JSON.parse(body) : {}) as { action?: string; actions?: string[] };
    return this.reply(what ?? "", new URLSearchParams(query ?? ""), asked).then((said) => JSON.stringify(said));
  }

  private async reply(what: string, query: URLSearchParams, asked: { action?: string; actions?: string[] }): Promise<unknown> {
    const { slug, name } = this;
    const { inputs } = this.state;
    if (what === "actions") return this.act(asked.actions ?? [asked.action!]);
    if (what === "undo") return this.undo();
    if (what === "why") return this.why(asked.action!);
    if (what === "forecast") return api.lessonForecast(slug, name, { inputs, action: asked.action! });
    if (what === "overlay") {
      const unit = query.get("unit");
      return api.lessonOverlay(slug, name, {
        inputs,
        kind: query.get("kind")!,
        side: query.get("side"),
        unit: unit === null ? null : Number(unit),
      });
    }
    if (!query.has("ply")) return this.whole(this.state);
    const ply = Number(query.get("ply"));
    const since = Number(query.get("since") ?? -1);
    return this.whole(await api.lesson(slug, name, { inputs, ply, since }));
  }

  private async act(actions: string[]): Promise<Update> {
    const before = this.state.board.ply;
    for (const action of actions) if (!(await this.give(action))) break;
    return this.update(Math.min(before, this.state.board.ply)); // a choice may have been taken back
  }

  private async undo(): Promise<Update> {
    this.take(await api.lesson(this.slug, this.name, { inputs: this.state.inputs.slice(0, -1) }));
    return this.update(this.state.board.ply);
  }

  /** Why something is forbidden; where the lesson asks to try just that, it goes on. */
  private async why(action: string): Promise<unknown> {
    const wanted = this.state.step?.forbidden;
    if (wanted && plain(wanted) === plain(action)) {
      await this.give(action);
      return { legal: false, citations: this.message?.citations ?? [] };
    }
    const said = await api.lessonWhy(this.slug, this.name, { inputs: this.state.inputs, action });
    if (said.say) this.message = { say: said.say, citations: [] };
    return said;
  }

  private update(keep: number): Update {
    const { seq } = this;
    const { board } = this.state;
    const { over: _, ...whole } = this.whole(this.state);
    return { ...whole, type: "update", seq, keep, over: false, events: board.log.filter((entry) => entry.ply > keep) } as Update;
  }

  private whole(state: LessonState): MatchState {
    const { board, side } = state;
    const seat = (name: string) => ({ side: name, title: name, kind: name === side ? "person" : "computer", name: "", player: null });
    return {
      id: this.id,
      game: this.slug,
      seq: this.seq,
      ply: board.ply,
      shown: board.shown,
      turn_label: board.turn_label,
      decider: board.decider,
      over: false, // a lesson ends with its last step, not with the game
      result: null,
      seats: [seat(side), seat("")],
      spectators: false,
      viewer: side,
      view: board.view,
      log: board.log,
      can_undo: state.inputs.length > 0,
      undo_side: state.inputs.length > 0 ? side : null,
      thinking: false,
      record_open: false,
      story: board.story,
      kind: "table",
      status: "playing",
    } as unknown as MatchState;
  }
}

function plain(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}
