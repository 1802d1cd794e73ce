"""Section 9.6: advance after combat."""

from __future__ import annotations

from counterblow.games.narva import headquarters
from counterblow.games.narva.components import HQ
from counterblow.games.narva.stacking import has_room, overstacked
from counterblow.games.narva.state import NarvaChoice, NarvaState, flow, unit_and_path
from counterblow.games.narva.zones import barriers
from counterblow.kernel.actions import Action
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.state import NOWHERE

Path = tuple[int, ...]
Done = tuple[tuple[int, int], ...]  # (unit that advanced, where it ended)


def may_cross(s: NarvaState, unit: int, here: int, there: int) -> bool:
    """9.6.1, 9.6.4a: infantry over ice and ferries, mechanised units over bridges only; 6.3.3, 6.3.4 hold too."""
    game = s.game
    return bool(game.ground.frost[s.frozen].retreat[game.classes[unit]][game.board.step_of[here, there]])


def must_stop(s: NarvaState, here: int, there: int) -> bool:
    """9.6.4b: an unbridged minor river, a village or a city in the first hex ends a mechanised advance."""
    game = s.game
    return game.ground.halts[there] or bool(game.ground.minor_unbridged[s.frozen][game.board.step_of[here, there]])


def unit_paths(s: NarvaState, unit: int) -> list[Path]:
    """9.6a, 9.6c, 9.6.3a: into the defender's hex, and one further for mechanised units."""
    target = s.battle[2]
    here = s.at[unit]
    if target not in s.game.around[here] or not may_cross(s, unit, here, target) or barriers(s, unit)[target]:
        return []
    found: list[Path] = [(target,)] if has_room(s, unit, target) else []
    if s.game.classes[unit][0] and not must_stop(s, here, target):
        found += [(target, there) for there in second_hexes(s, unit, target)]
    return found


def second_hexes(s: NarvaState, unit: int, target: int) -> list[int]:
    closed = barriers(s, unit)
    around = s.game.around[target]
    return [n for n in around if not closed[n] and may_cross(s, unit, target, n) and has_room(s, unit, n)]


def attackers_left(s: NarvaState, done: Done) -> list[int]:
    """Surviving attackers that have not advanced and stand where they attacked from."""
    gone = [unit for unit, _ in done]
    attackers, homes, _ = s.battle
    return [u for u, home in zip(attackers, homes, strict=True) if s.at[u] == home and u not in gone]


def hq_paths(s: NarvaState, done: Done) -> list[tuple[int, Path]]:
    """9.6.5, 11.1.2: an HQ goes where a unit of its stack has advanced to, within the stacking limit."""
    attackers, homes, target = s.battle
    found: list[tuple[int, Path]] = []
    for hq in sorted({hq for home in homes for hq in s.hqs(home)}):
        home = s.at[hq]
        mates = [unit for unit, start in zip(attackers, homes, strict=True) if start == home]
        if s.pin[hq] or hq in [unit for unit, _ in done]:
            continue
        for end in sorted({end for unit, end in done if unit in mates}):
            way = (target,) if end == target else (target, end)
            may_enter = s.game.ground.may_enter(s.game.classes[hq][1], end)
            if has_room(s, hq, end) and may_enter and not headquarters.army_refusal(s, hq, end):
                found.append((hq, way))
    return found


def options(s: NarvaState, done: Done) -> list[tuple[int, Path]]:
    ways = [(unit, way) for unit in attackers_left(s, done) for way in unit_paths(s, unit)]
    return ways + hq_paths(s, done)


@flow.step("advance.next")
def next_advance(s: NarvaState, side: int, done: Done) -> None:
    """9.6a: only when the defender's hex is empty of enemies that hold it; 9.6.2: never the defender."""
    target = s.battle[2]
    found = [] if s.held[1 - side][target] else advance_actions(s, done)
    if len(found) > 1:
        s.offer(found, "advance.unit", side, done)


def advance_actions(s: NarvaState, done: Done) -> list[Action]:
    advance = s.game.act["advance"]
    return [advance[unit, way] for unit, way in options(s, done)] + [s.game.act["halt"][()]]


@flow.choice
class Advance(NarvaChoice):
    """9.6a: all, some or none of the attackers."""

    name = "advance.unit"
    rules = ("9.6a", "9.6.3a")

    def side(self, s: NarvaState, side: int, done: Done) -> int:
        return side

    def prompt(self, s: NarvaState, side: int, done: Done) -> str:
        return f"Advance a unit into {s.game.board.labels[s.battle[2]]}, or halt."

    def legal(self, s: NarvaState, side: int, done: Done) -> list[Action]:
        return advance_actions(s, done)

    def do(self, s: NarvaState, action: Action, side: int, done: Done) -> None:
        s.pop()
        if action.kind == "halt":
            return
        unit, way = unit_and_path(action)
        s.push("advance.next", side, (*done, (unit, way[-1])))
        s.log("advance", "{unit} advances {path}", "9.6a", unit=unit, path=(s.at[unit], *way))
        for node in way:
            headquarters.overrun(s, unit, node)  # 9.6.6
            if s.game.kinds[unit] != HQ:
                s.pass_through(unit, node)
        s.put(unit, way[-1])

    def why_not(self, s: NarvaState, action: Action, side: int, done: Done) -> list[Citation]:
        if action.kind != "advance":
            return []
        unit, way = unit_and_path(action)
        return advance_refusal(s, side, unit, way, done)


def advance_refusal(s: NarvaState, side: int, unit: int, way: Path, done: Done) -> list[Citation]:
    target, kind = s.battle[2], s.game.kinds[unit]
    if s.game.side_of[unit] != side:
        return [refuse("9.6.2", "defenders never advance")]
    if not way or way[0] != target:
        return [refuse("9.6c", "the defender's hex comes first")]
    if kind == HQ:
        return [refuse("11.1.2c", "an HQ advances only with a unit of its stack"),
                refuse("11.1.2b", "it goes no farther than its stack")]  # fmt: skip
    if unit not in attackers_left(s, done) or s.at[unit] == NOWHERE:
        return [refuse("9.6a", "only attacking units advance, once")]
    if not may_cross(s, unit, s.at[unit], target):
        rule = "9.6.4a" if s.game.classes[unit][0] else "9.6.1"
        if not s.game.ground.may_enter(s.game.classes[unit][1], target):
            rule = "6.3.4" if s.game.ground.pd[target] < 0 else "6.3.3"
        return [refuse(rule, "it may not advance there")]
    if len(way) > 1 and not s.game.classes[unit][0]:
        return [refuse("9.6.3a", "only mechanised units advance two hexes")]
    if len(way) > 2:
        return [refuse("9.6.3a", "two hexes are the most")]
    if len(way) == 2 and must_stop(s, s.at[unit], target):
        return [refuse("9.6.4b", "it must stop in the first hex")]
    if len(way) == 2 and way[1] in s.game.around[target] and not may_cross(s, unit, target, way[1]):
        return [refuse("9.6.4a", "it may not advance there")]
    return overstacked(s, unit, way[-1]) or [refuse("6.3.2a", "enemy units are there")]
