"""10.7.5: retreats - two hexes farther from the battle, toward supply if possible."""

from __future__ import annotations

from collections.abc import Sequence

from counterblow.games.noretreat.movement import travel, why_not_area
from counterblow.games.noretreat.special import eliminate
from counterblow.games.noretreat.state import NoRetreatState, flow
from counterblow.games.noretreat.supply import shut, sources
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if
from counterblow.kernel.walk import Path, Walk


class RetreatWalk(Walk[NoRetreatState]):
    """The walk's argument is its length: two hexes, or one for an event."""

    def exits(self, s: NoRetreatState, unit: int, path: Path, length: int) -> Sequence[int]:
        return s.game.charts.beside[path[-1]]

    def why_not_step(self, s: NoRetreatState, unit: int, path: Path, there: int, length: int) -> Citation | None:
        side = s.game.side_of[unit]
        if there not in s.game.charts.beside[path[-1]]:
            if there not in s.game.board.around[path[-1]]:
                return refuse("10.7.5.a", "it retreats hex by hex")
            return refuse("10.7.5.c", "no retreat across a prohibited hexside")
        if s.held[1 - side][there]:
            return refuse("10.7.5.c", "no retreat into an enemy unit")
        if s.zone[1 - side][there] and not s.held[side][there]:  # 8.5.4
            return refuse("10.7.5.d", "no retreat into an enemy zone without a friendly unit")
        if there >= s.game.board.hexes:
            return why_not_area(s, unit, there)
        if len(path) > 1 and (there == path[0] or there in s.game.board.around[path[0]]):
            return refuse("10.7.5.a", "the second hex is farther from the battle than the first")
        return None

    def complete(self, s: NoRetreatState, unit: int, path: Path, length: int) -> bool:
        """10.7.5.b: an area ends the retreat."""
        return len(path) == length + 1 or (len(path) > 1 and path[-1] >= s.game.board.hexes)

    def why_not_complete(self, s: NoRetreatState, unit: int, path: Path, length: int) -> Citation:
        return refuse("10.7.5.a", f"a retreat is {length} hexes long")

    def preferred(self, s: NoRetreatState, unit: int, paths: list[Path], length: int) -> list[Path]:
        """10.7.5.a: toward a supply source if possible (ruling 15); not where an event lets units step back."""
        if length == 1:
            return paths
        charts, side = s.game.charts, s.game.side_of[unit]
        blocked = shut(s, side)
        lines = charts.graph.flood(charts.supply_steps, blocked, sources(s, side, blocked)[1], -1)
        distances = [lines[path[-1]] if path[-1] < s.game.board.hexes else 0 for path in paths]
        best = min((d for d in distances if d), default=0)
        return [path for path, d in zip(paths, distances, strict=True) if d == best] if best else paths

    def why_not_preferred(self, s: NoRetreatState, unit: int, path: Path, paths: list[Path], length: int) -> Citation:
        return refuse("10.7.5.a", f"toward a friendly supply source: {s.game.where(paths[0][-1])} is nearer to one")


RETREAT = RetreatWalk()


@flow.step
def retreat(s: NoRetreatState, units: Path) -> None:
    """The owner retreats unit by unit; those that cannot are eliminated (10.7.5.f)."""
    left = tuple(unit for unit in units if s.on_map(unit))
    if not left:
        return
    if any(RETREAT.complete_paths(s, unit, (s.at[unit],), 2) for unit in left):
        s.push(Flee, left)
        return
    for unit in left:
        eliminate(s, unit, "10.7.5.f")
        if s.over:
            return


@flow.choice
class Flee(Pick[NoRetreatState]):
    """10.7.5.e, 10.7.5.g: friends do not hinder it."""

    kind, length = "retreat", 2

    def side(self, s: NoRetreatState, units: Path) -> int:
        return s.game.side_of[units[0]]

    def prompt(self, s: NoRetreatState, units: Path) -> str:
        return f"Retreat {s.game.all_units(units, 'or')} two hexes."

    def about(self, s: NoRetreatState, units: Path) -> tuple[int, ...]:
        return units

    def items(self, s: NoRetreatState, units: Path) -> list[tuple[int, Path]]:
        return [(unit, path) for unit in units for path in RETREAT.paths(s, unit, s.at[unit], self.length)]

    def why_not_item(self, s: NoRetreatState, item: tuple[int, Path], units: Path) -> Citation | None:
        unit, path = item
        return (
            refuse_if(unit not in units, "10.7.5.a", "it does not have to retreat")
            or refuse_if(path[:1] != (s.at[unit],), "10.7.5.a", "a retreat begins in the unit's own hex")
            or RETREAT.why_not_path(s, unit, path, self.length)
        )

    def take(self, s: NoRetreatState, item: tuple[int, Path], units: Path) -> None:
        unit, path = item
        s.push(retreat, tuple(u for u in units if u != unit))
        s.log("retreat", "{unit} retreats to {place}", "10.7.5.a", unit=unit, place=path[-1], path=path)
        travel(s, unit, path)


@flow.choice
class StepBack(Flee):
    """Gotthard Heinrici (card 50): a whole stack steps back one hex, unit by unit."""

    length = 1

    def prompt(self, s: NoRetreatState, units: Path) -> str:
        return f"Retreat {s.game.all_units(units)} one hex."

    def why_not_item(self, s: NoRetreatState, item: tuple[int, Path], units: Path) -> Citation | None:
        if item[0] != units[0] or item[1][:1] != (s.at[item[0]],):
            return refuse("10.7.5.a", f"{s.game.unit_names[units[0]]} goes first, from its own hex")
        return super().why_not_item(s, item, units)

    def take(self, s: NoRetreatState, item: tuple[int, Path], units: Path) -> None:
        s.log("retreat", "{unit} withdraws to {place}", "5.3.2", unit=item[0], place=item[1][-1], path=item[1])
        travel(s, *item)
