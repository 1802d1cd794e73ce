"""Section 11.2: German replacements, spent when a random event gives them (ruling 22)."""

from __future__ import annotations

from counterblow.games.narva import defences
from counterblow.games.narva.components import GERMAN, HQ
from counterblow.games.narva.movement import FRESH, REGULAR, can_go
from counterblow.games.narva.stacking import has_room
from counterblow.games.narva.state import ELIMINATED, SUPPLIED, NarvaChoice, NarvaState, flow, named
from counterblow.games.narva.supply import lines, severed
from counterblow.kernel.actions import Action
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.state import NOWHERE


def rebuild_refusal(s: NarvaState, unit: int, returned: tuple[int, ...]) -> list[Citation]:
    """11.2b, 11.2.1, 11.2.3a: a reduced unit on the map."""
    kind = s.game.units[unit]
    if kind.side != GERMAN or kind.kind == HQ:
        return [refuse("11.2a", "replacements are for German combat units")]
    if kind.mech:
        return [refuse("11.2c", "mechanised steps are never rebuilt")]
    if s.at[unit] == NOWHERE or s.step[unit] == kind.steps:
        return [refuse("11.2b", "it is not a reduced unit on the map")]
    if unit in returned:
        return [refuse("11.2.1b", "it has only just returned")]
    if s.supply[unit] != SUPPLIED:
        return [refuse("11.2.3a", "it is out of supply")]
    return []


def return_refusal(s: NarvaState, unit: int) -> list[Citation]:
    """11.2b, 11.2c: an eliminated two-step unit."""
    kind = s.game.units[unit]
    if kind.side != GERMAN or kind.kind == HQ or s.fate[unit] != ELIMINATED:
        return [refuse("11.2b", "it is not an eliminated German combat unit")]
    if kind.steps < 2:
        return [refuse("11.2c", "one-step units never return")]
    if kind.mech:
        return [refuse("11.2c", "mechanised steps are never rebuilt")]
    return []


def camps(s: NarvaState, unit: int) -> list[int]:
    """11.2.2a, 11.2.3b: hexes of its own HQ (independent: of any German HQ) that are in supply."""
    game = s.game
    formation = game.units[unit].formation
    own = [hq for hq in game.hq_roster[GERMAN]
           if s.at[hq] != NOWHERE and (not formation or game.units[hq].formation == formation)]  # fmt: skip
    traced = lines(s, GERMAN) if own else None
    found = []
    for hq in own:
        node = s.at[hq]
        if (
            s.supply[hq] == SUPPLIED
            and traced is not None
            and traced[node]
            and not severed(s, GERMAN, node)
            and node not in found
            and settles(s, unit, node)
        ):
            found.append(node)
    return sorted(found)


def settles(s: NarvaState, unit: int, node: int) -> bool:
    """11.2.2d: it may overstack on placement, but must find room in its move."""
    if not s.game.ground.may_enter(s.game.classes[unit][1], node):
        return False
    if has_room(s, unit, node):
        return True
    trial = s.copy()
    trial.bring(unit, node, 1)
    return can_go(trial, unit, REGULAR)


@flow.step("replacements.next")
def next_point(s: NarvaState, points: int, returned: tuple[int, ...]) -> None:
    if points:
        s.push("replacements.spend", points, returned)


@flow.choice
class Spend(NarvaChoice):
    """11.2: one point rebuilds a step, brings back a unit, or raises a marker two boxes."""

    name = "replacements.spend"
    rules = ("11.2b", "11.2.1a", "11.2.4")

    def side(self, s: NarvaState, points: int, returned: tuple[int, ...]) -> int:
        return GERMAN

    def prompt(self, s: NarvaState, points: int, returned: tuple[int, ...]) -> str:
        return f"Spend a replacement point ({points} left), or decline."

    def legal(self, s: NarvaState, points: int, returned: tuple[int, ...]) -> list[Action]:
        act, found = s.game.act, []
        for unit in s.game.roster[GERMAN]:
            if not rebuild_refusal(s, unit, returned):
                found.append(act["rebuild"][unit])
            elif not return_refusal(s, unit):
                found += [act["return"][unit, node] for node in camps(s, unit)]
        found += [act["raise"][division] for division in defences.worn(s)]
        return [*found, act["decline"][()]]

    def do(self, s: NarvaState, action: Action, points: int, returned: tuple[int, ...]) -> None:
        s.pop()
        if action.kind == "decline":
            return
        number = named(action)
        if action.kind == "raise":
            s.push("replacements.next", points - 1, returned)
            defences.improve(s, number, s.game.pd_replacement, "11.2.4")
        elif action.kind == "rebuild":
            s.push("replacements.next", points - 1, returned)
            s.step[number] += 1
            s.recount(number)
            s.log("rebuild", "{unit} is rebuilt", "11.2b", unit=number)
        else:
            s.push("replacements.next", points - 1, (*returned, number))
            node = action.args[1]
            assert isinstance(node, int)
            s.bring(number, node, 1)
            s.pass_through(number, node)  # 13.1.1a
            s.log("rebuild", "{unit} returns at {hex}", "11.2.2a", unit=number, hex=node)
            s.ferries = 0
            s.push("movement.on", number, FRESH, s.allowance(number), REGULAR)

    def why_not(self, s: NarvaState, action: Action, points: int, returned: tuple[int, ...]) -> list[Citation]:
        number = named(action)
        if action.kind == "rebuild":
            return rebuild_refusal(s, number, returned)
        if action.kind == "return":
            return return_refusal(s, number) or [
                refuse("11.2.2a", "it returns only with its own HQ in a supplied hex"),
                refuse("11.2.3b", "the HQ is out of supply"),
            ]
        return [refuse("11.2.4", "that marker stands in its first box")] if action.kind == "raise" else []
