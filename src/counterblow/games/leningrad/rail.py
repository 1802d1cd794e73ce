"""Chapter 7, rail movement, and chapter 13, armored trains."""

from __future__ import annotations

from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.state import LeningradState, flow
from counterblow.kernel.journey import Destination
from counterblow.kernel.rulebook import Citation, refuse


def blocked_to_units(s: LeningradState) -> bytearray:
    """Ruling D22: German units, and German zones without a Russian unit."""
    return s.game.board.graph.shut(s.held[GERMAN], s.zone[GERMAN], s.held[RUSSIAN])


def blocked_to_trains(s: LeningradState) -> bytearray:
    """13.2: towns that Germans held last, too."""
    blocked = blocked_to_units(s)
    for node in german_places(s):
        blocked[node] = 1
    return blocked


def german_places(s: LeningradState) -> list[int]:
    return [node for node in s.game.places if s.control[node] == GERMAN]


def rail_hexes(s: LeningradState, start: int, blocked: bytearray, zone: bytearray) -> list[int]:
    """7.11, 7.12, 7.14, 7.22: every rail hex that can be reached, over the exits of the map if need be."""
    graph, game = s.game.board.graph, s.game
    friend = s.held[RUSSIAN]
    found = graph.reach(game.rail_costs, blocked, zone, friend, start, 0).nodes
    exits = [node for node in game.rail_exits if s.control[node] == RUSSIAN and not blocked[node]]
    if not any(node == start or (node in found and not zone[node]) for node in exits):
        return found
    seen = {start, *found}
    for node in exits:
        if node not in seen:
            further = [node]
            if not zone[node]:
                further += graph.reach(game.rail_costs, blocked, zone, friend, node, 0).nodes
            found += [n for n in further if n not in seen]
            seen.update(further)
    return found


def leads_on(s: LeningradState, here: int, blocked: bytearray) -> bool:
    """7.11, 7.14: is the next rail hex free, one way or another, or is there a way round at an exit of the map?"""
    for node in s.game.rail_around[here]:
        if not blocked[node]:
            return True
    return here in s.game.rail_exits and bool(rail_hexes(s, here, blocked, s.zone[GERMAN]))


def why_not_entrain(s: LeningradState, unit: int) -> Citation | None:
    """7.11, 7.12: may the unit, which is fit to move, go by rail?"""
    if s.game.side_of[unit] != RUSSIAN:
        return refuse("7.11", "only Russian units move by rail")
    if not s.game.rail_around[s.at[unit]]:
        return refuse("7.11", "the unit is not on a railway")
    return None if leads_on(s, s.at[unit], blocked_to_units(s)) else refuse("7.12", "the railway is blocked")


class ByRail(Destination[LeningradState]):
    """To any rail hex that the line leads to; what bars it is cited by chapter 7 for units, 13 for trains."""

    off_line, in_zone, on_the_way = "7.11", "7.12", "7.22"

    def blocked(self, s: LeningradState) -> bytearray:
        return blocked_to_units(s)

    def items(self, s: LeningradState, unit: int) -> list[int]:
        return rail_hexes(s, s.at[unit], self.blocked(s), s.zone[GERMAN])

    def why_not_item(self, s: LeningradState, node: int, unit: int) -> Citation | None:
        game = s.game
        if node not in game.rail_nodes:
            return refuse(self.off_line, "no railway runs there")
        if s.held[GERMAN][node]:
            return refuse("7.19", "Germans are there, and there is no overrun")
        if s.zone[GERMAN][node] and not s.held[RUSSIAN][node]:
            return refuse(self.in_zone, "a German zone with no Russian unit")
        if game.west[node]:
            return refuse("7.16", "the line west of the Narva is closed")
        if self.blocked(s)[node]:
            return refuse("13.2", "Germans held that place last")
        barred = s.held[GERMAN][:]
        if not self._leads_to(s, node, unit, barred):
            return refuse(self.off_line, "no open line leads there")
        for place in self.closed_places(s):
            barred[place] = 1
        if not self._leads_to(s, node, unit, barred):
            return refuse("13.2", "a place that Germans held last lies on the line to it")
        return refuse(self.on_the_way, "German zones bar the line to it")

    def closed_places(self, s: LeningradState) -> list[int]:
        return []

    def _leads_to(self, s: LeningradState, node: int, unit: int, barred: bytearray) -> bool:
        """Would the line lead to a hex if there were no zones?"""
        return node in rail_hexes(s, s.at[unit], barred, bytearray(s.game.board.size))


@flow.choice
class Entrain(ByRail):
    """7.11 to 7.13: a unit moves by rail and is Disrupted."""

    rules = ("7.11", "7.13")
    asks = "Where does {unit} go by rail? It will be Disrupted."

    def take(self, s: LeningradState, node: int, unit: int) -> None:
        s.moved |= 1 << unit
        s.disrupt(unit)  # 7.13, 10.15
        s.log("rail", "{unit} goes by rail to {place} and is Disrupted", "7.13", unit=unit, place=node)
        s.enter(unit, node)


@flow.choice
class RunTrain(ByRail):
    """13.1, 13.2."""

    rules = ("13.1", "13.2")
    asks = "Where does {unit} run?"
    off_line, in_zone, on_the_way = "13.1", "13.2", "13.2"

    def blocked(self, s: LeningradState) -> bytearray:
        return blocked_to_trains(s)

    def closed_places(self, s: LeningradState) -> list[int]:
        return german_places(s)

    def take(self, s: LeningradState, node: int, unit: int) -> None:
        s.moved |= 1 << unit
        s.put(unit, node)  # a train is no ground unit: it takes no place (ruling D57)
        s.log("rail", "{unit} runs to {place}", "13.1", unit=unit, place=node)


# ---------------------------------------------------------------- 13.4, 13.5: trains driven off


def refuges(s: LeningradState, train: int, least: int) -> list[int]:
    """Ruling D43: the nearest rail hexes, at least so far, by a way that 13.2 and 4.2 leave open (ruling D78)."""
    game, start = s.game, s.at[train]
    blocked = blocked_to_trains(s)
    blocked[start] = 0
    away = game.board.graph.flood(game.rail_steps, blocked, [start], -1)
    far = [(away[node], node) for node in game.rail_nodes if away[node] > least]
    nearest = min((distance for distance, _ in far), default=0)
    return [node for distance, node in far if distance == nearest]


@flow.step
def flee(s: LeningradState, train: int, least: int) -> None:
    """13.4, 13.5: a train that must leave runs along the railway, else it is lost."""
    if s.in_play(train) and not s.ask(Refuge, train, least):
        s.eliminate(train, "13.5")


@flow.choice
class Refuge(Destination[LeningradState]):
    rules = ("13.5",)
    returns = False
    asks = "Where does {unit} escape to?"

    def items(self, s: LeningradState, train: int, least: int) -> list[int]:
        return refuges(s, train, least)

    def why_not_item(self, s: LeningradState, node: int, train: int, least: int) -> Citation | None:
        return refuse("13.5", "a train escapes to the nearest free rail hex")

    def take(self, s: LeningradState, node: int, train: int, least: int) -> None:
        s.put(train, node)
        s.log("rail", "{unit} escapes to {place}", "13.4", unit=train, place=node)
