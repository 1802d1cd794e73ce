// Names for the generated types of the service's schema. The client knows no game: all it shows comes from these.
import type { components } from "./schema";

type Schemas = components["schemas"];

/** A type without its "and whatever a game adds". */
type Known<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

export type GameSummary = Schemas["GameSummary"];
export type Game = Schemas["GameModel"];
export type GameMap = Schemas["MapModel"];
export type Area = Schemas["AreaModel"];
export type Right = Schemas["RightModel"];
export type Rule = Schemas["RuleModel"];
export type Unit = Known<Schemas["UnitModel"]> & { nation?: string };
/** A box beside the map; its counters get the box's id as their place when a view arrives. */
export type Box = Omit<Known<Schemas["BoxModel"]>, "units"> & { units: Unit[] };
export type View = Omit<Known<Schemas["ViewModel"]>, "boxes" | "decision"> & { boxes: Box[]; decision: Decision | null };
export type Action = Schemas["LegalAction"];
export type Decision = Known<Schemas["DecisionModel"]>;
export type Hand = Schemas["HandModel"];
export type LogEntry = Schemas["LogEntry"];
export type StandingLine = Schemas["StandingLine"];
export type Citation = Schemas["CitationModel"];
export type Forecast = Schemas["ForecastModel"];
export type Overlay = Schemas["OverlayModel"];
export type Seat = Schemas["SeatModel"];
export type SeatRequest = Schemas["SeatRequest"];
export type Story = Schemas["StoryModel"];
export type MatchState = Omit<Schemas["MatchState"], "view"> & { view: View };
export type MatchInfo = Schemas["InfoModel"];
export type Offered = Schemas["InvitationModel"];
export type MyMatch = Schemas["MyMatch"];
export type NewMatchAnswer = Schemas["NewMatchAnswer"];
export type Hello = Schemas["Hello"];
export type LiveThinking = Schemas["LiveThinking"];
export type Update = Omit<Schemas["Update"], "view"> & { view: View };
export type Result = Schemas["ResultModel"];
export type LessonSummary = Schemas["LessonSummary"];
export type LessonState = Omit<Schemas["LessonState"], "board"> & { board: Omit<Schemas["LessonBoard"], "view"> & { view: View } };
export type Rulebook = Schemas["RulebookModel"];
export type Advice = Schemas["AdviceModel"];
export type Term = Schemas["TermModel"];
export type PhaseHint = Schemas["HintModel"];

export type Point = [number, number];

/** A chart of the game, as `tables_view` gives it. */
export interface Table {
  id: string;
  title: string;
  columns: string[];
  rows: unknown[][];
  provenance?: string;
  note?: string;
}
