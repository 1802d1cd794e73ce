"""Chapter 14 and 10.7.1: steps, elimination and the boxes, control, Cadres, returns by the Turn Track."""

from __future__ import annotations

from counterblow.games.noretreat.components import AXIS, SOVIET, TRACK
from counterblow.games.noretreat.state import NoRetreatState, flow
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse

# ---------------------------------------------------------------------- steps (2.3, 7.2.2, 7.3)


def steps_left(s: NoRetreatState, unit: int) -> int:
    """2.3.b, 2.3.c, 7.2.2.a, 7.3, 13.5.17: how many step losses a unit can take before it is gone."""
    counter, face = s.game.counters[unit], s.face[unit]
    if not counter.two_sided:
        return 1
    if counter.side == AXIS:
        return 2 - face
    if counter.faces[face].paren:
        return 2
    if s.turn < s.game.two_steps_turn or counter.steps_from_17 == 1:
        return 1
    return 1 + face


def lose_step(s: NoRetreatState, unit: int, *rules: str) -> bool:
    """10.7.1.a: flip a two-step unit, eliminate a one-step unit. True if it was eliminated."""
    if steps_left(s, unit) == 2:
        s.turn_over(unit)
        s.log("step", "{unit} in {place} loses a step", "10.7.1.a", *rules, unit=unit, place=s.at[unit])
        return False
    eliminate(s, unit, *rules)
    return True


def eliminate(s: NoRetreatState, unit: int, *rules: str) -> None:
    """10.7.1.c, 11.1.b: to the Destroyed box, Unsupplied to the Surrendered box, or where the counter's back says.

    7.2.2.c: a counter with strengths on both sides surrenders as one of two steps, whatever it has now.
    """
    surrenders = s.unsupplied(unit) and (s.game.two_sided[unit] or not s.during("removal"))
    s.log("eliminated", "{unit} in {place} is eliminated", *(rules or ("10.7.1.c",)), unit=unit, place=s.at[unit])
    destroy(s, unit, "Surrendered" if surrenders else "Destroyed")
    if surrenders and s.at[unit] >= 0:
        score(s, 1 - s.game.side_of[unit], 1, "12.7.5.a")  # 6.5.4.d
    elif unit == s.game.garrison:
        s.finish(SOVIET, "decisive", "The Berlin Garrison is eliminated: Hitler is dead", "12.5")


def destroy(s: NoRetreatState, unit: int, box: str = "Destroyed") -> None:
    """14.1.c: German forts leave the game, and the Finns, who could come back nowhere but in Finland (14.1.b)."""
    counter = s.game.counters[unit]
    if counter.removed_for_good or counter.nation == "Finnish":
        s.out_of_play(unit)
    elif counter.returns:
        return_by_track(s, unit)
    else:
        s.to_box(unit, box)


def score(s: NoRetreatState, side: int, points: int, *rules: str) -> None:
    """12.7.4: move the Event marker toward a side, never beyond six."""
    cap = s.game.event_cap
    s.event_vp = max(-cap, min(cap, s.event_vp + (points if side == AXIS else -points)))
    s.log("vp", f"{{n}} event VP{'s' if points > 1 else ''} for {{who}}", "12.7.4", *rules, n=points, who=side)


def return_by_track(s: NoRetreatState, unit: int) -> None:
    """14.2, 14.9.3, 14.10: onto the Turn Track; a side's Cadres come back one a turn at most."""
    turn = s.turn + s.game.counters[unit].returns
    if s.game.is_cadre[unit]:
        mates = [u for u in s.game.cadres[s.game.side_of[unit]] if u != unit and s.on_track(u)]
        while any(s.due[mate] == turn for mate in mates):
            turn += 1
    s.to_track(unit, turn, TRACK)
    rule = "14.9.3" if s.game.is_cadre[unit] else "14.10" if s.game.counters[unit].nation == "German" else "14.2.a"
    s.log("track", "{unit} goes to turn {n} of the Turn Track", rule, unit=unit, n=turn)


def shatter(s: NoRetreatState, unit: int, *rules: str) -> None:
    """To the Shattered box; a Cadre goes to the Turn Track instead (14.9.3)."""
    s.log("shattered", "{unit} in {place} is shattered", *rules, unit=unit, place=s.at[unit])
    if s.game.is_cadre[unit]:
        return_by_track(s, unit)
    else:
        s.to_box(unit, "Shattered")


# ---------------------------------------------------------------------- control (6.1.b, 12.7.1)


def pass_through(s: NoRetreatState, unit: int, node: int) -> None:
    """6.1.b, 12.7.1: control of a city or oil field, and the triggers of 13.5."""
    game, side = s.game, s.game.side_of[unit]
    site = game.charts.site_at[node]
    if side == SOVIET and not s.gg_turn and game.charts.in_germany[node] and s.is_red(unit):
        s.gg_turn = s.turn
        s.log("trigger", "Soviet troops cross the border of Greater Germany", "13.5.GG.a")
    if site < 0 or s.controls(side, site):
        return
    s.sites ^= 1 << site
    s.nets[0] = s.nets[1] = None
    s.captured |= 1 << site
    s.log("capture", "{unit} captures {place} for {who}", "12.7.1", unit=unit, place=node, who=side)
    if side == SOVIET and site == game.charts.rumanian_oil and not s.oil_turn:
        s.oil_turn = s.turn
    if side == SOVIET and site == game.charts.warsaw and not s.warsaw_turn:
        s.warsaw_turn = s.turn


def oil_lost(s: NoRetreatState) -> bool:
    """13.5: from the turn after the Soviets first controlled the Rumanian oil."""
    return 0 < s.oil_turn < s.turn


# ---------------------------------------------------------------------- Cadres (14.9)


@flow.choice
class PlaceCadre(Pick[NoRetreatState]):
    """14.9.2: where a two-sided non-Cadre unit was just eliminated by a step loss a Cadre may form."""

    kind, passing, sided = "cadre", "pass", True

    def items(self, s: NoRetreatState, side: int, node: int) -> list[tuple[int, int]]:
        return [(unit, node) for unit in s.in_box(side, "Cadres")]

    def why_not_item(self, s: NoRetreatState, item: tuple[int, int], side: int, node: int) -> Citation | None:
        if item[1] != node:
            return refuse("14.9.2", f"the unit was lost in {s.game.where(node)}")
        return refuse("14.9.1", "it is not in the Cadre Units Available box")

    def take(self, s: NoRetreatState, item: tuple[int, int], side: int, node: int) -> None:
        s.put(item[0], node)
        s.log("cadre", "{unit} forms in {place}", "14.9.2", unit=item[0], place=node)
