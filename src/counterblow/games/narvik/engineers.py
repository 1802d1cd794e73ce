"""Chapter 23: engineer actions (optional)."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from counterblow.games.narvik.flow import NarvikChoice, arg, flow
from counterblow.games.narvik.ground import with_zones
from counterblow.games.narvik.stacking import TOO_LATE, offers_order, put_in_order
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast, Outcome
from counterblow.kernel.graph import Costs
from counterblow.kernel.masks import bits
from counterblow.kernel.rulebook import Citation, refuse

OPERATIONS = ("entrench", "bridge", "demolish", "demolish_bridge", "repair")
RULES = {"entrench": "23.2.a", "bridge": "23.3.a", "demolish": "23.4.1.a", "demolish_bridge": "23.4.1.a",
         "repair": "23.4.3.a"}  # fmt: skip

# ------------------------------------------------------------------ 23.1 the action


def workers(s: NarvikState, mask: int) -> list[int]:
    """Engineers on the map out of a mask that have not worked in this action."""
    engineer, hexes = s.game.roster.engineer, s.game.ground.hexes
    return [u for u in bits(mask & ~s.moved) if engineer[u] and 0 <= s.at[u] < hexes]


def operations(s: NarvikState, side: int, unit: int) -> list[Action]:
    """What an engineer can try where it stands."""
    act, here = s.game.act, s.at[unit]
    found = [act[kind][unit] for kind in ("entrench", "demolish", "repair") if not cannot_work(s, side, kind, unit, -1)]
    for kind in ("bridge", "demolish_bridge"):
        found += [act[kind][unit, n] for n in s.game.ground.around[here] if not cannot_work(s, side, kind, unit, n)]
    return found


def cannot_work(s: NarvikState, side: int, kind: str, unit: int, there: int) -> Citation | None:
    """Why an engineer cannot try an operation; None if it can. Enemy zones never matter (23.2.a, 23.3.b)."""
    here = s.at[unit]
    if kind == "entrench":
        return refuse("23.2.a", "the hex is already entrenched") if s.trenches[side] >> here & 1 else None
    if kind == "demolish":
        return _cannot_demolish(s, here)
    if kind == "repair":
        return None if s.demolished >> here & 1 else refuse("23.4.3.a", "the hex is not demolished")
    if kind == "demolish_bridge":
        return None if bridged(s, here, there) else refuse("23.4.1.a", "there is no bridge on that hexside")
    if not s.game.ground.inlet(here, there):
        return refuse("23.3.a", "only an inlet hexside of the engineer's hex can be bridged")
    if s.held[1 - side][there]:
        return refuse("23.3.a", "an enemy unit is across the inlet")
    return refuse("23.3.a", "the hexside is already bridged") if bridged(s, here, there) else None


def _cannot_demolish(s: NarvikState, here: int) -> Citation | None:
    ground = s.game.ground
    if here not in ground.objectives and here not in ground.ferries:
        return refuse("23.4.a", "only objectives, ferry villages and pontoon bridges can be demolished")
    return refuse("23.4.a", "the hex is already demolished") if s.demolished >> here & 1 else None


@flow.choice
class Engineer(NarvikChoice):
    """23.1.b: each engineer tries one operation; nobody else does anything (23.1.c)."""

    name = "engineer"
    rules = ("23.1.b", "23.1.c")

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return "Choose an engineer operation, or end the action."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        found = [s.game.act["done"][()]]
        if offers_order(s):
            found.append(s.game.act["rearrange"][()])
        for unit in workers(s, s.active):
            found += operations(s, args[0], unit)
        return found

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        if action[0] == "done":
            s.pop()
            return
        if action[0] == "rearrange":
            put_in_order(s, args[0])
            return
        kind, unit = action[0], arg(action)
        s.moved |= 1 << unit
        s.reveal((unit,))
        die = s.roll()
        succeeds = die >= needed(s, kind)
        there = arg(action, 1) if len(action.args) > 1 else -1
        task = kind.replace("_", " ") + (f" to {s.game.board.labels[there]}" if there >= 0 else "")
        word = "succeeds" if succeeds else "fails"
        s.log("engineer", f"{{unit}} in {{hex}}: {task}, die {{n}}, {word}", RULES[kind], "23.1.d",
              unit=unit, hex=s.at[unit], n=die)  # fmt: skip
        if succeeds:
            carry_out(s, args[0], kind, unit, there)

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind == "rearrange":
            return [TOO_LATE]
        if action.kind not in OPERATIONS:
            return [refuse("23.1.c", "nothing else happens in an engineer action")]
        unit = arg(action)
        if not s.game.roster.engineer[unit]:
            return [refuse("23.1.a", "only engineers carry out engineer operations")]
        if not s.active >> unit & 1:
            return [refuse("11.1.b", "the unit's sub-command is not activated")]
        if s.moved >> unit & 1:
            return [refuse("23.1.b", "each engineer tries one operation")]
        if not 0 <= s.at[unit] < s.game.ground.hexes:
            return [refuse("23.2.b", "the engineer is not on the map")]
        reason = cannot_work(s, args[0], action.kind, unit, arg(action, 1) if len(action.args) > 1 else -1)
        return [reason] if reason else []

    def forecast(self, s: NarvikState, action: Action, *args: Any) -> Forecast | None:
        if action.kind not in OPERATIONS:
            return None
        least = needed(s, action.kind)
        chance = Fraction(7 - least, 6)
        outcomes = (Outcome("succeeds", chance), Outcome("fails", 1 - chance))
        return Forecast("Engineer operation", (("die needed", f"{least} or more"),), (), outcomes)


def needed(s: NarvikState, kind: str) -> int:
    """23.1.d: the lowest die that succeeds."""
    least: int = s.game.tables.engineer["demolish" if kind == "demolish_bridge" else kind]
    return least


def carry_out(s: NarvikState, side: int, kind: str, unit: int, there: int) -> None:
    here = s.at[unit]
    if kind == "entrench":
        s.set_trenches(side, s.trenches[side] | 1 << here)  # 23.2.2.a: NarvikState clears it when it is abandoned
    elif kind == "demolish":
        s.demolished |= 1 << here
    elif kind == "repair":  # 23.4.3.b
        s.demolished &= ~(1 << here)
    elif kind == "bridge":
        s.pontoons = tuple(sorted((*s.pontoons, pair(here, there))))
    else:
        remove_bridge(s, pair(here, there))


# ------------------------------------------------------------------ 23.3 pontoon bridges


def pair(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


def bridged(s: NarvikState, a: int, b: int) -> bool:
    """23.3.1.a"""
    return bool(s.pontoons) and pair(a, b) in s.pontoons


def open_step(s: NarvikState, side: int, mobility: int, here: int, there: int) -> bool:
    """May a unit of this mobility go from a node to the next at all?"""
    ground = s.game.ground
    if bridged(s, here, there):
        return bool(ground.bridge_price(mobility, there) >= 0)
    return bool(ground.step_cost(side, mobility, here, there) >= 0)


def remove_bridge(s: NarvikState, side: tuple[int, int]) -> None:
    s.pontoons = tuple(p for p in s.pontoons if p != side)


def offer_bridges(s: NarvikState, side: int, path: list[int]) -> None:
    """23.3.2.a: whoever crossed a bridge may remove it."""
    for a, b in pairwise(path):
        if bridged(s, a, b):
            s.push("bridge", side, *pair(a, b))


@flow.choice
class BridgeStays(NarvikChoice):
    name = "bridge"
    rules = ("23.3.2.a",)

    def prompt(self, s: NarvikState, *args: Any) -> str:
        labels = s.game.board.labels
        return f"Remove the pontoon bridge {labels[args[1]]}/{labels[args[2]]}, or keep it."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        return [s.game.act["keep_bridge"][()], s.game.act["remove_bridge"][()]]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        s.pop()
        if action[0] == "remove_bridge":
            remove_bridge(s, (args[1], args[2]))
            s.log("bridge", "the pontoon bridge {hex1}/{hex2} is removed", "23.3.2.a", hex1=args[1], hex2=args[2])


# ------------------------------------------------------------------ movement past markers


def costs_of(s: NarvikState, unit: int) -> Costs:
    """12.3: what movement costs a unit, markers on the map included."""
    game = s.game
    if s.demolished or s.pontoons:
        return marked_costs(s, game.roster.side[unit], s.mobility(unit), game.roster.move[unit])
    if unit == game.roster.marine:
        return game.ground.costs(game.roster.side[unit], s.mobility(unit), game.roster.move[unit])
    return game.unit_costs[unit]


def marked_costs(s: NarvikState, side: int, mobility: int, move: int) -> Costs:
    """23.3.1.a, 23.4.2.a: movement costs with bridges and demolished hexes on the map."""
    key = (side, mobility, move, s.demolished, s.pontoons)
    return s.game.cached_costs(key, lambda: _marked_costs(s, side, mobility, move))


def _marked_costs(s: NarvikState, side: int, mobility: int, move: int) -> Costs:
    plain: Costs = s.game.ground.costs(side, mobility, move)
    cost = list(plain.cost)
    for a, b in s.pontoons:
        for here, there in ((a, b), (b, a)):
            cost[s.game.board.step_of[here, there]] = s.game.ground.bridge_price(mobility, there)
    for step, (_, there) in enumerate(s.game.board.step_pairs):
        if s.demolished >> there & 1 and cost[step] >= 0:
            cost[step] += s.game.tables.demolished_halves
    return with_zones(cost, plain.leave)
