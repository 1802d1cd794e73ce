"""Chapter 7, rail movement, and chapter 13, armored trains."""

from __future__ import annotations

from collections.abc import Callable

from counterblow.games.leningrad.components import GERMAN, RUSSIAN
from counterblow.games.leningrad.state import LeningradState, flow
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Choice
from counterblow.kernel.rulebook import Citation, refuse


def _blocked(s: LeningradState) -> bytearray:
    """Ruling D22: German units, and German zones without a Russian unit."""
    return s.game.board.graph.shut(s.held[GERMAN], s.zone[GERMAN], s.held[RUSSIAN])


def _blocked_to_trains(s: LeningradState) -> bytearray:
    """13.2: towns that Germans held last, too."""
    blocked = _blocked(s)
    for node in s.game.places:
        if s.control[node] == GERMAN:
            blocked[node] = 1
    return blocked


def rail_hexes(s: LeningradState, start: int, blocked: bytearray) -> list[int]:
    """7.11, 7.12, 7.14, 7.22: every rail hex that can be reached, over the exits of the map if need be."""
    graph, game = s.game.board.graph, s.game
    zone, friend = s.zone[GERMAN], s.held[RUSSIAN]
    found = graph.scan(game.rail_costs, blocked, zone, friend, start, 0)
    exits = [node for node in game.rail_exits if s.control[node] == RUSSIAN and not blocked[node]]
    if not any(node == start or (node in found and not zone[node]) for node in exits):
        return found
    seen = {start, *found}
    for node in exits:
        if node not in seen:
            further = [node]
            if not zone[node]:
                further += graph.scan(game.rail_costs, blocked, zone, friend, node, 0)
            found += [n for n in further if n not in seen]
            seen.update(further)
    return found


def can_entrain(s: LeningradState, unit: int) -> bool:
    """7.11: the unit starts on a railway that leads somewhere."""
    return _leads_on(s, s.at[unit], False) or _leads_off(s, s.at[unit], _blocked)


def can_run(s: LeningradState, train: int) -> bool:
    return _leads_on(s, s.at[train], True) or _leads_off(s, s.at[train], _blocked_to_trains)


def _leads_on(s: LeningradState, here: int, train: bool) -> bool:
    """Is the next rail hex, one way or another, free?"""
    enemy, zone, friend = s.held[GERMAN], s.zone[GERMAN], s.held[RUSSIAN]
    for node in s.game.rail_around[here]:
        if not enemy[node] and (friend[node] or not zone[node]):
            if train and s.game.keyed[node] and s.control[node] == GERMAN and node in s.game.places:
                continue
            return True
    return False


def _leads_off(s: LeningradState, here: int, blocked: Callable[[LeningradState], bytearray]) -> bool:
    """7.14: at an exit of the map there may be a way round."""
    return here in s.game.rail_exits and bool(rail_hexes(s, here, blocked(s)))


def why_not_entrain(s: LeningradState, unit: int) -> list[Citation]:
    if s.game.side_of[unit] != RUSSIAN:
        return [refuse("7.11", "only Russian units move by rail")]
    if not s.game.rail_around[s.at[unit]]:
        return [refuse("7.11", "the unit is not on a railway")]
    return [refuse("7.12", "the railway is blocked")]


class _ByRail(Choice[LeningradState]):
    def side(self, s: LeningradState, unit: int) -> int:
        return RUSSIAN

    def why_not(self, s: LeningradState, action: Action, unit: int) -> list[Citation]:
        if action.kind != "to":
            return []
        game = s.game
        node = action.args[0]
        if node not in game.rail_nodes:
            return [refuse("7.11" if self.name == "entrain" else "13.1", "no railway runs there")]
        if s.held[GERMAN][node]:
            return [refuse("7.12", "Germans are there")]
        if s.zone[GERMAN][node] and not s.held[RUSSIAN][node]:
            return [refuse("7.12" if self.name == "entrain" else "13.2", "a German zone with no Russian unit")]
        if game.west[node]:
            return [refuse("7.16", "the line west of the Narva is closed")]
        if self.name == "run" and game.keyed[node] and s.control[node] == GERMAN:
            return [refuse("13.2", "Germans held that place last")]
        return [refuse("7.22", "the line there is blocked")]


@flow.choice
class Entrain(_ByRail):
    """7.11 to 7.13: a unit moves by rail and is Disrupted."""

    name = "entrain"
    rules = ("7.11", "7.13")

    def prompt(self, s: LeningradState, unit: int) -> str:
        return f"Where does {s.game.unit_names[unit]} go by rail? It will be Disrupted."

    def legal(self, s: LeningradState, unit: int) -> list[Action]:
        return list(map(s.game.to.__getitem__, rail_hexes(s, s.at[unit], _blocked(s))))

    def do(self, s: LeningradState, action: Action, unit: int) -> None:
        s.pop()
        s.moved |= 1 << unit
        s.disrupt(unit)  # 7.13, 10.15
        s.enter(unit, action.args[0])
        s.log("rail", "{unit} goes by rail to {hex} and is Disrupted", "7.13", unit=unit, hex=action.args[0])


@flow.choice
class RunTrain(_ByRail):
    """13.1, 13.2."""

    name = "run"
    rules = ("13.1", "13.2")

    def prompt(self, s: LeningradState, unit: int) -> str:
        return f"Where does {s.game.unit_names[unit]} run?"

    def legal(self, s: LeningradState, unit: int) -> list[Action]:
        return list(map(s.game.to.__getitem__, rail_hexes(s, s.at[unit], _blocked_to_trains(s))))

    def do(self, s: LeningradState, action: Action, unit: int) -> None:
        s.pop()
        s.moved |= 1 << unit
        _bring(s, unit, action.args[0])
        s.log("rail", "{unit} runs to {hex}", "13.1", unit=unit, hex=action.args[0])


def _bring(s: LeningradState, train: int, node: int) -> None:
    """A train is no ground unit: it takes no place (ruling D57)."""
    s.put(train, node)


# ---------------------------------------------------------------- 13.4, 13.5: trains driven off


def refuges(s: LeningradState, train: int, least: int) -> list[int]:
    """Rulings D43 and D78: the nearest rail hexes, at least so far, that a train may enter; Germans bar the way."""
    game = s.game
    away = game.board.graph.flood(game.rail_steps, _with_way_out(s, s.at[train]), [s.at[train]], -1)
    blocked = _blocked_to_trains(s)
    far = [(away[node], node) for node in game.rail_nodes if away[node] > least and not blocked[node]]
    nearest = min((distance for distance, _ in far), default=0)
    return [node for distance, node in far if distance == nearest]


def _with_way_out(s: LeningradState, start: int) -> bytearray:
    """Hexes with Germans in them, the train's own hex left open."""
    held = s.held[GERMAN][:]
    held[start] = 0
    return held


@flow.step("train.flee")
def flee(s: LeningradState, train: int, least: int) -> None:
    """13.4, 13.5: a train that must leave runs along the railway, else it is lost."""
    if not s.in_play(train):
        return
    where = refuges(s, train, least)
    if not where:
        s.eliminate(train, "13.5")
    elif len(where) == 1:
        _bring(s, train, where[0])
        s.log("rail", "{unit} escapes to {hex}", "13.4", unit=train, hex=where[0])
    else:
        s.push("train.refuge", train, least)


@flow.choice
class Refuge(Choice[LeningradState]):
    name = "train.refuge"
    rules = ("13.5",)

    def side(self, s: LeningradState, train: int, least: int) -> int:
        return RUSSIAN

    def prompt(self, s: LeningradState, train: int, least: int) -> str:
        return f"Where does {s.game.unit_names[train]} escape to?"

    def legal(self, s: LeningradState, train: int, least: int) -> list[Action]:
        return [s.game.to[node] for node in refuges(s, train, least)]

    def do(self, s: LeningradState, action: Action, train: int, least: int) -> None:
        s.pop()
        _bring(s, train, action.args[0])
        s.log("rail", "{unit} escapes to {hex}", "13.4", unit=train, hex=action.args[0])

    def why_not(self, s: LeningradState, action: Action, train: int, least: int) -> list[Citation]:
        return [refuse("13.5", "a train escapes to the nearest free rail hex")]
