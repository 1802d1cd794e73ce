"""Section 9.6: advance after combat."""

from __future__ import annotations

from collections.abc import Sequence

from counterblow.games.narva import headquarters
from counterblow.games.narva.components import HQ
from counterblow.games.narva.movement import barriers
from counterblow.games.narva.stacking import why_not_stack
from counterblow.games.narva.state import NarvaState, flow
from counterblow.kernel.flow import ask
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if
from counterblow.kernel.walk import Path

Done = tuple[tuple[int, int], ...]  # (unit that advanced, where it ended)


def why_not_cross(s: NarvaState, unit: int, here: int, there: int) -> Citation | None:
    """9.6.1, 9.6.4a: infantry over ice and ferries, mechanised units over bridges only; 6.3.3, 6.3.4 hold too."""
    game = s.game
    mech, access = game.classes[unit]
    if game.ground.frost[s.frozen].retreat[mech, access][game.board.step_of[here, there]]:
        return None
    river = "an unbridged major river" if mech else "an open major river without bridge or ferry"
    return game.ground.why_not_enter(access, there) or refuse(
        "9.6.4a" if mech else "9.6.1", f"it may not cross {river}"
    )


def why_not_way(s: NarvaState, unit: int, way: Path) -> Citation | None:
    """9.6a, 9.6c, 9.6.3: into the defender's hex, and one further for mechanised units. EZOC do not matter (9.6d)."""
    target, here, farther, ground = s.battle[2], s.at[unit], len(way) > 1, s.game.ground
    # 9.6.4b: a village or a city in the first hex, or an unbridged minor river before it, ends a mechanised advance
    stops = ground.halts[target] or ground.frost[s.frozen].fords[s.game.board.step_of[here, target]]
    return (
        refuse_if(way[:1] != (target,), "9.6c", "the defender's hex comes first")
        or why_not_cross(s, unit, here, target)
        or refuse_if(farther and not s.game.classes[unit][0], "9.6.3a", "only mechanised units advance two hexes")
        or refuse_if(len(way) > 2, "9.6.3a", "two hexes are the most")
        or refuse_if(farther and stops, "9.6.4b", "it must stop in the first hex")
        or refuse_if(farther and way[1] not in s.game.around[target], "9.6.3a", "it advances hex by hex")
        or (why_not_cross(s, unit, target, way[1]) if farther else None)
        or refuse_if(barriers(s, unit)[way[-1]], "6.3.2a", "enemy units are there")
        or why_not_stack(s, unit, way[-1])
    )


def attackers_left(s: NarvaState, done: Done) -> list[int]:
    """Surviving attackers that have not advanced and stand where they attacked from."""
    gone = [unit for unit, _ in done]
    attackers, homes, _ = s.battle
    return [u for u, home in zip(attackers, homes, strict=True) if s.at[u] == home and u not in gone]


def why_not_hq(s: NarvaState, hq: int, way: Path, done: Done) -> Citation | None:
    """9.6.5, 11.1.2a, 11.1.2b: an HQ goes where a unit of its stack has advanced to, within the stacking limit."""
    attackers, homes, target = s.battle
    home = s.at[hq]
    mates = [unit for unit, start in zip(attackers, homes, strict=True) if start == home]
    ends = [(target,) if end == target else (target, end) for unit, end in done if unit in mates]
    return (
        refuse_if(hq in [unit for unit, _ in done], "9.6a", "it has advanced")
        or refuse_if(home not in homes, "11.1.2c", "no unit of its stack has attacked")
        or refuse_if(s.pin[hq], "2.5.1i", "it is pinned")
        or refuse_if(not ends, "11.1.2c", "an HQ advances only with a unit of its stack")
        or refuse_if(way[:1] != (target,), "9.6c", "the defender's hex comes first")
        or refuse_if(way not in ends, "11.1.2b", "it goes where a unit of its stack has gone")
        or s.game.ground.why_not_enter(s.game.classes[hq][1], way[-1])
        or why_not_stack(s, hq, way[-1])
        or headquarters.why_not_span(s, hq, way[-1])
    )


@flow.choice
class Advance(Pick[NarvaState]):
    """9.6a, 9.6.3b: all, some or none of the attackers; never the defender (9.6.2), never after a barrage (9.6b)."""

    kind, passing = "advance", "halt"

    def prompt(self, s: NarvaState, done: Done) -> str:
        return f"Advance a unit into {s.game.where(s.battle[2])}, or halt."

    def candidates(self, s: NarvaState, done: Done) -> Sequence[tuple[int, Path]]:
        """9.6a: only when the defender's hex is empty of enemies that hold it."""
        game, (_, homes, target) = s.game, s.battle
        if s.held[1 - s.mover][target]:
            return ()
        found: list[tuple[int, Path]] = []
        for unit in attackers_left(s, done):
            found.append((unit, (target,)))
            if game.classes[unit][0]:
                found += [(unit, (target, there)) for there in game.around[target]]
        ends = sorted({end for _, end in done})
        for hq in sorted({hq for home in homes for hq in s.hqs(home)}) if ends else ():
            found += [(hq, (target,) if end == target else (target, end)) for end in ends]
        return found

    def why_not_item(self, s: NarvaState, item: tuple[int, Path], done: Done) -> Citation | None:
        unit, way = item
        if s.game.kinds[unit] == HQ and s.game.side_of[unit] == s.mover:
            return why_not_hq(s, unit, way, done)
        return (
            refuse_if(unit not in s.battle[0], "9.6a", "it took no part in this attack")  # 9.6.2
            or refuse_if(unit not in attackers_left(s, done), "9.6a", "it has left the hex from which it attacked")
            or why_not_way(s, unit, way)
        )

    def take(self, s: NarvaState, item: tuple[int, Path], done: Done) -> None:
        unit, way = item
        s.push(ask, Advance, (*done, (unit, way[-1])))
        s.log("advance", "{unit} advances {path}", "9.6a", unit=unit, path=(s.at[unit], *way))
        headquarters.pass_along(s, unit, way)  # 9.6.6
        s.put(unit, way[-1])
