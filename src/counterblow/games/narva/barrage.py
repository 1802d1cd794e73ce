"""Section 2.5.1: barrages - of chits, of Strachwitz, of random events and of the coastal guns."""

from __future__ import annotations

from fractions import Fraction

from counterblow.games.narva.components import GERMAN, read_outcome
from counterblow.games.narva.state import ELIMINATED, SIDE_WORDS, NarvaChoice, NarvaState, flow, named
from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast, tally
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.state import NOWHERE


@flow.step("barrage.roll")
def barrage_roll(s: NarvaState, side: int) -> None:
    """2.5.1b: 1d6 on the Barrage Roll Table gives the number of attacks."""
    die = s.roll()
    number = s.game.barrage_roll[die - 1]
    s.log("barrage", "{word} barrages: die {n1}, {n2} attacks", "2.5.1b", word=SIDE_WORDS[side], n1=die, n2=number)
    s.push("barrage.next", side, number, ())


@flow.step("barrage.next")
def barrage_next(s: NarvaState, side: int, left: int, hit: tuple[int, ...]) -> None:
    found = target_actions(s, side, hit) if left else []
    if len(found) > 1:
        s.offer(found, "barrage.fire", side, left, hit)


def target_actions(s: NarvaState, side: int, hit: tuple[int, ...]) -> list[Action]:
    fire = s.game.act["barrage"]
    return [fire[node] for node in targets(s, side, hit)] + [s.game.act["cease_fire"][()]]


def target_refusal(s: NarvaState, side: int, node: int, hit: tuple[int, ...]) -> list[Citation]:
    """2.5.1c, 2.5.1d: an enemy-occupied hex next to a friendly unit, not hit before in this set."""
    if s.owner(node) != 1 - side:
        return [refuse("2.5.1c", "no enemy is there")]
    if node in hit:
        return [refuse("2.5.1d", "this hex has been barraged in this set")]
    if not any(s.owner(there) == side for there in s.game.around[node]):
        return [refuse("2.5.1c", "none of your units is next to it")]
    return []


def targets(s: NarvaState, side: int, hit: tuple[int, ...]) -> list[int]:
    """All hexes that ``target_refusal`` does not refuse."""
    at, game = s.at, s.game
    friends = {at[unit] for unit in game.roster[side]}
    friends.discard(NOWHERE)
    near = game.graph.flood(game.adjacent, game.nothing, sorted(friends), 1)
    enemies = {at[unit] for unit in game.roster[1 - side]}
    enemies.discard(NOWHERE)
    return sorted([node for node in enemies if near[node] and node not in hit])


@flow.choice
class Fire(NarvaChoice):
    """2.5.1: choose the next target, or cease fire."""

    name = "barrage.fire"
    rules = ("2.5.1b", "2.5.1c")

    def side(self, s: NarvaState, side: int, left: int, hit: tuple[int, ...]) -> int:
        return side

    def prompt(self, s: NarvaState, side: int, left: int, hit: tuple[int, ...]) -> str:
        return f"Barrage a hex next to your units ({left} left), or cease fire."

    def legal(self, s: NarvaState, side: int, left: int, hit: tuple[int, ...]) -> list[Action]:
        return target_actions(s, side, hit)

    def do(self, s: NarvaState, action: Action, side: int, left: int, hit: tuple[int, ...]) -> None:
        s.pop()
        if action.kind == "cease_fire":
            return
        node = named(action)
        s.push("barrage.next", side, left - 1, (*hit, node))
        strike(s, node)

    def why_not(self, s: NarvaState, action: Action, side: int, left: int, hit: tuple[int, ...]) -> list[Citation]:
        node = named(action)
        return target_refusal(s, side, node, hit) if action.kind == "barrage" else []

    def forecast(self, s: NarvaState, action: Action, side: int, left: int, hit: tuple[int, ...]) -> Forecast | None:
        if action.kind != "barrage":
            return None
        node = named(action)
        return foresee(s, node)


def column(s: NarvaState, node: int) -> str:
    """2.5.1f: the city column or the other; terrain has no further effect."""
    return "city" if node in s.game.ground.city else "other"


def foresee(s: NarvaState, node: int) -> Forecast:
    results = s.game.barrage[column(s, node)]
    chances = tally([(result, Fraction(1, 6)) for result in results], {"P": "pinned (2.5.1i)"})
    title = f"Barrage of {s.game.board.labels[node]}"
    note = "cities, villages and defences ignore no loss or retreat (2.5.1g, 2.5.1h)"
    return Forecast(title, (("column", column(s, node)),), (), chances, (note,))


def strike(s: NarvaState, node: int) -> str:
    """One barrage attack."""
    die = s.roll()
    result = s.game.barrage[column(s, node)][die - 1]
    s.log("barrage", "Barrage of {hex}: die {n}: {word}", "2.5.1f", hex=node, n=die, word=result)
    if result == "P":
        for unit in s.stack(node):
            s.pin[unit] = 1  # 2.5.1i
    elif result != "NR":
        outcome = read_outcome(result, "barrage")
        s.push("combat.defenders", node, outcome.d_loss, outcome.d_retreat, True)
    return result


# ---------------------------------------------------------------------- 8.0.6d: the coastal guns


@flow.choice
class CoastalGuns(NarvaChoice):
    """8.0.6d: the German player may barrage the landing at once."""

    name = "barrage.coastal"
    rules = ("8.0.6d",)

    def side(self, s: NarvaState, node: int) -> int:
        return GERMAN

    def prompt(self, s: NarvaState, node: int) -> str:
        return f"Barrage the landing at {s.game.board.labels[node]}?"

    def legal(self, s: NarvaState, node: int) -> list[Action]:
        return [s.game.act["barrage"][node], s.game.act["cease_fire"][()]]

    def do(self, s: NarvaState, action: Action, node: int) -> None:
        s.pop()
        if action.kind == "cease_fire":
            return
        lander = s.game.naval_brigade
        depth = len(s.agenda)
        result = strike(s, node)
        if "r" in result and s.options["edition"] != "2018":
            del s.agenda[depth:]
            s.take_off(lander, ELIMINATED)  # 8.0.6e
            s.log("eliminate", "{unit} is driven into the sea", "8.0.6e", unit=lander)

    def why_not(self, s: NarvaState, action: Action, node: int) -> list[Citation]:
        return [refuse("8.0.6d", "the coastal guns fire at the landing")] if action.kind == "barrage" else []

    def forecast(self, s: NarvaState, action: Action, node: int) -> Forecast | None:
        return foresee(s, node) if action.kind == "barrage" else None
