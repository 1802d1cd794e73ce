"""Section 11.2: German replacements, spent when a random event gives them (11.2a, ruling 22)."""

from __future__ import annotations

from collections.abc import Sequence

from counterblow.games.narva import defences
from counterblow.games.narva.components import GERMAN, HQ
from counterblow.games.narva.movement import RETURNING, can_settle, move_after_placement
from counterblow.games.narva.state import ELIMINATED, SUPPLIED, NarvaState, Units, flow
from counterblow.games.narva.supply import where_supplied
from counterblow.kernel.pick import Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse_if
from counterblow.kernel.state import NOWHERE


def spent(s: NarvaState, points: int, returned: Units) -> None:
    if points > 1:
        s.push(Spend, points - 1, returned)


def why_not_ever(s: NarvaState, unit: int) -> Citation | None:
    """11.2a, 11.2c: who gets no replacements at all."""
    kind = s.game.units[unit]
    return (
        refuse_if(kind.side != GERMAN, "11.2a", "replacements are for German units")
        or refuse_if(kind.kind == HQ, "9.4b", "HQs have no steps")
        or refuse_if(kind.mech, "11.2c", "mechanised steps are never rebuilt")
    )


class Rebuild(Pick[NarvaState]):
    """11.2b, 11.2.1a: a reduced unit on the map, where it stands (ruling 56)."""

    kind, passing = "rebuild", "decline"

    def candidates(self, s: NarvaState, points: int, returned: Units) -> Sequence[int]:
        return s.game.roster[GERMAN]

    def why_not_item(self, s: NarvaState, unit: int, points: int, returned: Units) -> Citation | None:
        reduced = s.at[unit] != NOWHERE and s.step[unit] < s.game.units[unit].steps
        return (
            why_not_ever(s, unit)
            or refuse_if(not reduced, "11.2b", "it is not a reduced unit on the map")
            or refuse_if(unit in returned, "11.2.1b", "it has only just returned")
            or refuse_if(s.supply[unit] != SUPPLIED, "11.2.3a", "it is out of supply")
        )

    def take(self, s: NarvaState, unit: int, points: int, returned: Units) -> None:
        s.step[unit] += 1
        s.recount(unit)
        s.log("rebuild", "{unit} is rebuilt", "11.2b", unit=unit)
        spent(s, points, returned)


class Return(Pick[NarvaState]):
    """11.2b, 11.2.2a: an eliminated two-step unit comes back reduced, with its HQ; EZOC do not matter (11.2.2b)."""

    kind = "return"

    def candidates(self, s: NarvaState, points: int, returned: Units) -> Sequence[tuple[int, int]]:
        units = [u for u in s.game.fighting[GERMAN] if s.fate[u] == ELIMINATED]
        camps = sorted({s.at[hq] for hq in s.game.hq_roster[GERMAN] if s.at[hq] != NOWHERE})
        return [(unit, node) for unit in units for node in camps]

    def why_not_item(self, s: NarvaState, item: tuple[int, int], points: int, returned: Units) -> Citation | None:
        (unit, node), game = item, s.game
        hqs = [hq for hq in s.hqs(node) if game.units[unit].formation in ("", game.units[hq].formation)]
        own = hqs and game.side_of[hqs[0]] == GERMAN
        supplied = s.kept("supplied") or s.keep("supplied", where_supplied(s, GERMAN))
        return (
            why_not_ever(s, unit)
            or refuse_if(s.fate[unit] != ELIMINATED, "11.2b", "it is not an eliminated unit")
            or refuse_if(game.units[unit].steps < 2, "11.2c", "one-step units never return")
            or refuse_if(not own, "11.2.2a", "it returns with its own HQ, an independent unit with any German HQ")
            or refuse_if(s.supply[hqs[0]] != SUPPLIED, "11.2.3b", "the HQ is out of supply")
            or refuse_if(not supplied[node], "11.2.2a", "the hex is not in supply")
            or game.ground.why_not_enter(game.classes[unit][1], node)
            or refuse_if(not can_settle(s, unit, node, RETURNING, 1), "11.2.2d", "it would find no room in its move")
        )

    def take(self, s: NarvaState, item: tuple[int, int], points: int, returned: Units) -> None:
        unit, node = item
        spent(s, points, (*returned, unit))
        s.bring(unit, node, 1)
        s.log("rebuild", "{unit} returns at {place}", "11.2.2a", unit=unit, place=node)
        s.pass_through(unit, node)  # 13.1.1a
        s.ferries = 0
        move_after_placement(s, unit, RETURNING)


class RaiseDefences(defences.RaiseMarker):
    """11.2.4: two boxes up."""

    rules = ("11.2.4",)

    def take(self, s: NarvaState, division: int, points: int, returned: Units) -> None:
        defences.improve(s, division, s.game.pd_replacement, "11.2.4")
        spent(s, points, returned)


@flow.choice
class Spend(Menu[NarvaState]):
    """11.2: one point rebuilds a step, brings back a unit, or raises a marker two boxes."""

    parts = (Rebuild(), Return(), RaiseDefences())
