"""Section 2.5.1: barrages - of chits, of Strachwitz, of random events and of the coastal guns."""

from __future__ import annotations

from collections.abc import Sequence

from counterblow.games.narva.components import read_outcome
from counterblow.games.narva.results import defenders_suffer, eliminate
from counterblow.games.narva.state import NarvaState, flow
from counterblow.kernel.flow import ask
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if


@flow.step
def barrage_roll(s: NarvaState, side: int) -> None:
    """2.5.1b: 1d6 on the Barrage Roll Table gives the number of attacks, of a random event too (2.5.1m)."""
    s.begin_phase("barrage", side)
    die = s.roll()
    number = s.game.barrage_roll[die - 1]
    word = "1 attack" if number == 1 else f"{number} attacks"
    s.log("barrage", "{word1} barrages: die {n}, {word2}", "2.5.1b", word1=s.game.side_titles[side], n=die, word2=word)
    s.push(ask, Fire, number, ())


class Barrage(Pick[NarvaState]):
    """A hex is barraged, or not."""

    kind, passing = "barrage", "cease_fire"

    def outlook(self, s: NarvaState, node: int, *args: object) -> Forecast:
        table, where = s.game.barrage, column(s, node)
        chances = table.outcomes(where, texts={"P": "pinned (2.5.1i)"})
        note = "cities, villages and defences ignore no loss or retreat (2.5.1g, 2.5.1h)"
        return Forecast(f"Barrage of {s.game.where(node)}", (("column", table.columns[where]),), (), chances, (note,))


@flow.choice
class Fire(Barrage):
    """2.5.1: choose the next target, or cease fire."""

    def items(self, s: NarvaState, left: int, hit: tuple[int, ...]) -> Sequence[int]:
        """All hexes that ``why_not_item`` does not refuse."""
        if not left:
            return ()
        game, side_of = s.game, s.game.side_of
        friends = [node for node, units in s.here.items() if side_of[units[0]] == s.mover]
        away = game.graph.flood(game.adjacent, game.nothing, friends, 1)  # one more than the distance
        return sorted([node for node in s.here if away[node] == 2 and node not in hit])

    def why_not_item(self, s: NarvaState, node: int, left: int, hit: tuple[int, ...]) -> Citation | None:
        """2.5.1c, 2.5.1d: an enemy-occupied hex next to a friendly unit, not hit before in this set; units that
        were hit may be hit again elsewhere (2.5.1e)."""
        near = any(s.owner(there) == s.mover for there in s.game.around[node])
        return (
            refuse_if(s.owner(node) != 1 - s.mover, "2.5.1c", "no enemy is there")
            or refuse_if(node in hit, "2.5.1d", "this hex has been barraged in this set")
            or refuse_if(not near, "2.5.1c", "none of your units is next to it")
        )

    def take(self, s: NarvaState, node: int, left: int, hit: tuple[int, ...]) -> None:
        s.push(ask, Fire, left - 1, (*hit, node))
        strike(s, node)


def column(s: NarvaState, node: int) -> int:
    """2.5.1f: the city column or the other; terrain has no further effect."""
    return 0 if node in s.game.ground.city else 1


def strike(s: NarvaState, node: int) -> str:
    """One barrage attack."""
    die = s.roll()
    result = s.game.barrage.result(die, column(s, node))
    s.log("barrage", "Barrage of {place}: die {n}: {word}", "2.5.1f", place=node, n=die, word=result)
    if result == "P":
        stack = s.stack(node)
        are = "is" if len(stack) == 1 else "are"
        s.log("pin", f"{{units}} in {{place}} {are} pinned", "2.5.1i", units=stack, place=node)
        for unit in stack:
            s.pin[unit] = 1
    elif result != "NR":
        outcome = read_outcome(result, "barrage")
        s.push(defenders_suffer, node, outcome.d_loss, outcome.d_retreat, True)
    return result


@flow.choice
class CoastalGuns(Barrage):
    """8.0.6d: the German player may barrage the landing at once."""

    other, otherwise = True, refuse("8.0.6d", "the coastal guns fire at the landing")

    def items(self, s: NarvaState, node: int) -> Sequence[int]:
        return (node,)

    def take(self, s: NarvaState, aim: int, node: int) -> None:
        depth = len(s.agenda)
        result = strike(s, node)
        if "r" in result and s.options["edition"] != "2018":
            del s.agenda[depth:]
            eliminate(s, s.game.naval_brigade, "8.0.6e", "is driven into the sea")
