"""Chapter 7, rail movement, and chapter 13, armored trains."""

from __future__ import annotations

from counterblow.games.leningrad import movement, supply
from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.state import LeningradState, flow
from counterblow.kernel.journey import Destination
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if


def blocked(s: LeningradState, trains: bool) -> bytearray:
    """Ruling D22: German units, and bare German zones; 13.2: to trains, places that Germans held last as well."""
    if trains:
        return supply.shut_to(s, RUSSIAN)
    return s.game.board.graph.shut(s.held[GERMAN], s.zone[GERMAN], s.held[RUSSIAN])


def rail_hexes(s: LeningradState, start: int, barred: bytearray, zone: bytearray) -> list[int]:
    """7.11, 7.12, 7.14, 7.22: every rail hex that can be reached, over the exits of the map if need be."""
    graph, game = s.game.board.graph, s.game
    friend = s.held[RUSSIAN]
    found = graph.reach(game.rail_costs, barred, zone, friend, start, 0).nodes
    exits = [node for node in game.rail_exits if s.control[node] == RUSSIAN and not barred[node]]
    if not any(node == start or (node in found and not zone[node]) for node in exits):
        return found
    seen = {start, *found}
    for node in exits:
        if node not in seen:
            further = [node]
            if not zone[node]:
                further += graph.reach(game.rail_costs, barred, zone, friend, node, 0).nodes
            found += [n for n in further if n not in seen]
            seen.update(further)
    return found


def leads_on(s: LeningradState, here: int, barred: bytearray) -> bool:
    """7.11, 7.14: is the next rail hex free, one way or another, or is there a way round at an exit of the map?"""
    for node in s.game.rail_around[here]:
        if not barred[node]:
            return True
    return here in s.game.rail_exits and bool(rail_hexes(s, here, barred, s.zone[GERMAN]))


class ByRail(Destination[LeningradState]):
    """To any rail hex that the line leads to; what bars it is cited by chapter 7 for units, 13 for trains."""

    trains = False
    off_line, in_zone, on_the_way = "7.11", "7.12", "7.22"

    def items(self, s: LeningradState, unit: int) -> list[int]:
        return rail_hexes(s, s.at[unit], blocked(s, self.trains), s.zone[GERMAN])

    def why_not_item(self, s: LeningradState, node: int, unit: int) -> Citation | None:
        bare = s.zone[GERMAN][node] and not s.held[RUSSIAN][node]
        units, places = s.held[GERMAN], s.held[GERMAN][:]
        for place in s.game.places:
            if self.trains and s.control[place] == GERMAN:
                places[place] = 1
        return (
            refuse_if(node not in s.game.rail_nodes, self.off_line, "no railway runs there")
            or refuse_if(units[node], "7.19", "Germans are there, and there is no overrun")
            or refuse_if(bare, self.in_zone, "a German zone with no Russian unit")
            or refuse_if(s.game.west[node], "7.16", "the line west of the Narva is closed")
            or refuse_if(places[node], "13.2", "Germans held that place last")
            or refuse_if(self._cut(s, node, unit, units), self.off_line, "no open line leads there")
            or refuse_if(
                self._cut(s, node, unit, places), "13.2", "a place that Germans held last lies on the line to it"
            )
            or refuse(self.on_the_way, "German zones bar the line to it")
        )

    def _cut(self, s: LeningradState, node: int, unit: int, barred: bytearray) -> bool:
        """Would no line lead to a hex even if there were no zones?"""
        return node not in rail_hexes(s, s.at[unit], barred, bytearray(s.game.board.size))


@flow.choice
class Entrain(ByRail):
    """7.11 to 7.13: a unit moves by rail and is Disrupted."""

    def take(self, s: LeningradState, node: int, unit: int) -> None:
        s.moved |= 1 << unit
        s.disrupt(unit)  # 7.13, 10.15
        s.log("rail", "{unit} goes by rail to {place} and is Disrupted", "7.13", unit=unit, place=node)
        s.enter(unit, node)


@flow.choice
class RunTrain(ByRail):
    """13.1, 13.2."""

    trains = True
    off_line, in_zone, on_the_way = "13.1", "13.2", "13.2"

    def take(self, s: LeningradState, node: int, unit: int) -> None:
        s.moved |= 1 << unit
        s.put(unit, node)  # a train is no ground unit: it takes no place (ruling D57)
        s.log("rail", "{unit} runs to {place}", "13.1", unit=unit, place=node)


class Board(Pick[LeningradState]):
    kind, stays, opens = "entrain", True, Entrain

    def items(self, s: LeningradState) -> list[int]:
        at, rail_around, barred = s.at, s.game.rail_around, blocked(s, trains=False)
        units = s.take_from(movement.ready_to_move(s, RUSSIAN))
        return [unit for unit in units if rail_around[at[unit]] and leads_on(s, at[unit], barred)]

    def why_not_item(self, s: LeningradState, unit: int) -> Citation | None:
        here = s.at[unit]
        return (
            refuse_if(s.game.side_of[unit] == GERMAN, "7.11", "only Russian units move by rail")
            or movement.why_not_move(s, unit)
            or refuse_if(not s.game.rail_around[here], "7.11", "the unit is not on a railway")
            or refuse_if(not leads_on(s, here, blocked(s, trains=False)), "7.12", "the railway is blocked")
            or refuse("7.11", "only ground units entrain")
        )


class Run(Pick[LeningradState]):
    kind, stays, opens = "run", True, RunTrain

    def items(self, s: LeningradState) -> list[int]:
        idle = s.take_from(s.game.counters.trains & ~(s.disrupted | s.moved))
        barred = blocked(s, trains=True) if idle else bytearray()
        return [train for train in idle if leads_on(s, s.at[train], barred)]

    def why_not_item(self, s: LeningradState, unit: int) -> Citation | None:
        return (
            refuse_if(not s.game.counters.trains >> unit & 1, "13.1", "only armored trains run")
            or movement.why_not_move(s, unit)
            or refuse_if(not s.game.rail_around[s.at[unit]], "13.1", "no railway leads away from there")
            or refuse("13.2", "the railway is blocked")
        )


# ---------------------------------------------------------------- 13.4, 13.5: trains driven off


@flow.step
def flee(s: LeningradState, train: int, least: int) -> None:
    """13.4, 13.5: a train that must leave runs along the railway, else it is lost."""
    if s.in_play(train) and not s.ask(Refuge, train, least):
        s.eliminate(train, "13.5")


@flow.choice
class Refuge(Destination[LeningradState]):
    returns = False

    def items(self, s: LeningradState, train: int, least: int) -> list[int]:
        """Ruling D43: the nearest rail hexes, at least so far, by a way that 13.2 and 4.2 leave open (ruling D78)."""
        game, start, barred = s.game, s.at[train], blocked(s, trains=True)
        barred[start] = 0
        away = game.board.graph.flood(game.rail_steps, barred, [start], -1)
        far = [(away[node], node) for node in game.rail_nodes if away[node] > least]
        nearest = min((distance for distance, _ in far), default=0)
        return [node for distance, node in far if distance == nearest]

    def why_not_item(self, s: LeningradState, node: int, train: int, least: int) -> Citation | None:
        nearest = s.game.all_of(self.items(s, train, least), "or")
        return refuse("13.5", f"a train escapes to the nearest free rail hex: {nearest}")

    def take(self, s: LeningradState, node: int, train: int, least: int) -> None:
        s.put(train, node)
        s.log("rail", "{unit} escapes to {place}", "13.4", unit=train, place=node)
