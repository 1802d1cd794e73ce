"""10.8: advances after combat - into the hex that the defender left, and perhaps beyond."""

from __future__ import annotations

from counterblow.games.noretreat.components import SOVIET
from counterblow.games.noretreat.movement import answer_capture, travel, why_not_area
from counterblow.games.noretreat.odds import fighting, keeps_bonuses
from counterblow.games.noretreat.stacking import soviet_tanks_ready, why_no_room
from counterblow.games.noretreat.state import NoRetreatState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import ask
from counterblow.kernel.journey import NamedDestination
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if
from counterblow.kernel.walk import Path


def advance_limit(s: NoRetreatState, unit: int) -> int:
    """10.8.1, 10.8.2, 6.5.4.b and 13.1; then the events, in the order played (5.0.e)."""
    weather = s.game.charts.weather[s.sky]
    limit: int = weather.advance_max
    if weather.armor_third_hex and s.is_armor(unit):
        limit += soviet_tanks_ready(s) if s.game.side_of[unit] == SOVIET else keeps_bonuses(s, unit)
    if s.unsupplied(unit):
        limit = 1
    for amount, armor_only in fighting(s).advance:
        if amount < 0:
            limit = min(limit, -amount)
        elif not armor_only or s.is_armor(unit):
            limit += amount
    return limit


def why_not_onward(s: NoRetreatState, unit: int, here: int, there: int, length: int) -> Citation | None:
    """10.8.1: a further hex after ``length`` of them; ZOCs do not matter, rough terrain stops."""
    charts = s.game.charts
    if charts.terrain[here].advance_stops:
        return refuse("10.8.1.d", f"{charts.terrain[here].feature} stops the advance")
    if length >= advance_limit(s, unit):
        return refuse("10.8.2" if length > 1 else "10.8.1.b", f"it advances no more than {length} hexes")
    if there not in charts.beside[here]:
        near = there in s.game.board.around[here]
        return refuse("10.8.1.b", "that way is prohibited") if near else refuse("10.8.1.a", "it advances hex by hex")
    if s.held[1 - s.game.side_of[unit]][there]:
        return refuse("10.8.1.b", "an enemy unit is there")
    return why_not_area(s, unit, there)


def onward(s: NoRetreatState, unit: int, here: int, length: int) -> list[int]:
    """Further hexes of an advance, in any direction (10.8.1.c)."""
    return [there for there in s.game.charts.beside[here] if why_not_onward(s, unit, here, there, length) is None]


@flow.choice
class Advance(Pick[NoRetreatState]):
    """10.8.a: one of the attackers that are left enters a hex that was left."""

    kind, passing = "advance", "done"

    def side(self, s: NoRetreatState, nodes: Path, units: Path) -> int:
        return fighting(s).side

    def about(self, s: NoRetreatState, nodes: Path, units: Path) -> tuple[int, ...]:
        return units

    def candidates(self, s: NoRetreatState, nodes: Path, units: Path) -> list[tuple[int, int]]:
        return [(unit, node) for unit in units for node in nodes]

    def why_not_item(self, s: NoRetreatState, item: tuple[int, int], nodes: Path, units: Path) -> Citation | None:
        unit, node = item
        if unit not in units:
            advanced = unit in fighting(s).units
            return refuse("10.8.a", "it has advanced already" if advanced else "it did not attack in this battle")
        left = node in nodes and node in s.game.charts.beside[s.at[unit]]
        return (
            refuse_if(not s.on_map(unit), "10.8.a", "it did not survive the battle")
            or refuse_if(s.disorganized(unit), "10.7.3.b", "a Disorganized unit never advances")
            or refuse_if(s.is_white(unit) or s.is_fort(unit), "10.8.b", "a white-strength unit never advances")
            or refuse_if(not left, "10.8.1.a", "the first hex is the one that the defender left")
            or refuse_if(s.held[1 - fighting(s).side][node], "10.8.c", "the hex is still occupied")
            or (None if onward(s, unit, node, 1) else why_no_room(s, unit, node))  # a way on, or room to stay
            or why_not_area(s, unit, node)
        )

    def take(self, s: NoRetreatState, item: tuple[int, int], nodes: Path, units: Path) -> None:
        s.push(ask, Advance, nodes, tuple(u for u in units if u != item[0]))
        enter(s, *item, 1)


@flow.choice
class AdvanceOn(NamedDestination[NoRetreatState]):
    """10.8.1.e: friends do not hinder it; overstacking is resolved at the end of the battle."""

    kind, passing, returns = "advance", "halt", False

    def prompt(self, s: NoRetreatState, unit: int, length: int) -> str:
        return f"Advance {s.game.unit_names[unit]} from {s.game.where(s.at[unit])} another hex, or halt."

    def nodes(self, s: NoRetreatState, unit: int, length: int) -> list[int]:
        return onward(s, unit, s.at[unit], length)

    def why_not_unit(self, s: NoRetreatState, other: int, unit: int, length: int) -> Citation:
        return refuse("10.8.a", f"now {s.game.unit_names[unit]} advances")

    def why_not_node(self, s: NoRetreatState, node: int, unit: int, length: int) -> Citation | None:
        return why_not_onward(s, unit, s.at[unit], node, length)

    def why_not(self, s: NoRetreatState, action: Action, unit: int, length: int) -> list[Citation]:
        if action.kind == "halt":  # another one
            return [self.why_not_unit(s, action.args[0], unit, length)]
        return super().why_not(s, action, unit, length)

    def arrive(self, s: NoRetreatState, node: int, unit: int, length: int) -> None:
        enter(s, unit, node, length + 1)


def enter(s: NoRetreatState, unit: int, node: int, length: int) -> None:
    """One hex of an advance; what it enters changes hands (12.7.1)."""
    s.log("advance", "{unit} advances to {place}", "10.8.a" if length == 1 else "10.8.1.a", unit=unit, place=node)
    taken = s.captured
    travel(s, unit, (s.at[unit], node))
    if onward(s, unit, node, length):
        s.push(AdvanceOn, unit, length)
    if s.captured != taken:
        answer_capture(s, unit)
