// The service leaves out what a game does not use; here it becomes empty lists, as the schema's defaults say.
import type { MatchState, Unit, Update, View } from "./types";

function unit(one: Partial<Unit>, box?: string): void {
  one.at ??= box ?? "";
  one.markers ??= [];
  one.hidden ??= false;
}

function complete(view: Partial<View>): void {
  view.tracks ??= [];
  view.markers ??= [];
  view.boxes ??= [];
  view.hands ??= {};
  view.cup ??= [];
  view.standing ??= null;
  view.losses ??= [];
  view.control ??= {};
  if (view.decision) {
    view.decision.chosen ??= [];
    view.decision.about ??= [];
    view.decision.drops ??= {};
    view.decision.prices ??= {};
    view.decision.undone ??= "";
    view.decision.own_way ??= false;
  }
  for (const one of view.units ?? []) unit(one);
  for (const box of view.boxes) {
    box.units ??= [];
    for (const one of box.units) unit(one, box.id);
  }
}

export function completed<T extends MatchState | Update>(answer: T): T {
  complete(answer.view);
  return answer;
}
