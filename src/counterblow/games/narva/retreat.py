"""Section 9.5: retreats.

A unit's legal retreats are paths ranked by the rules in this order: terrain (9.5.1) and the rule that each hex is
farther off (9.5.2) are absolute; then the longest path up to the result, then the fewest EZOC hexes (9.5.3), then an
end in supply (9.5.4).
"""

from __future__ import annotations

from array import array

from counterblow.games.narva import headquarters
from counterblow.games.narva.combat import DEFENCE, FREELY, STRONGEST
from counterblow.games.narva.components import HQ
from counterblow.games.narva.stacking import count, has_room
from counterblow.games.narva.state import ELIMINATED, NarvaChoice, NarvaState, flow, named, unit_and_path
from counterblow.games.narva.supply import lines, supplied_with_unit
from counterblow.games.narva.zones import barriers
from counterblow.kernel.actions import Action
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.state import NOWHERE

Path = tuple[int, ...]


# ---------------------------------------------------------------------- legal paths


def exits(s: NarvaState, unit: int, origin: int, here: int) -> list[int]:
    """Hexes one step farther from the origin that the unit could enter (9.5.1, 9.5.2, 9.5b)."""
    game = s.game
    passable = game.ground.frost[s.frozen].retreat[game.classes[unit]]
    closed = barriers(s, unit)
    far = game.distance(origin, here) + 1
    first = game.first_step[here]
    return [
        there
        for number, there in enumerate(game.around[here])
        if passable[first + number] and not closed[there] and game.distance(origin, there) == far
    ]


def paths(s: NarvaState, unit: int, origin: int, length: int) -> list[Path]:
    """All legal retreats of a unit from its hex; [()] if it cannot retreat at all."""
    longest: list[Path] = [()]
    for _ in range(length):
        longer = [(*path, there) for path in longest for there in exits(s, unit, origin, path[-1] if path else origin)]
        if not longer:
            break
        longest = longer
    return preferred(s, unit, longest, origin if emptied(s, origin) else -1)


def emptied(s: NarvaState, origin: int) -> bool:
    """Do all combat units leave the hex? Attackers may leave others behind that took no part."""
    attackers, homes, _ = s.battle
    return origin not in homes or all(unit in attackers for unit in s.combat_units(origin))


def preferred(s: NarvaState, unit: int, ways: list[Path], lifted: int) -> list[Path]:
    """9.5.3, 9.5.4: of paths of one length those with the fewest EZOC hexes, of these the ones that end in supply.

    ``lifted`` is the hex that the retreat leaves empty, -1 if units stay in it: they keep it open for supply (10.1b).
    """
    if len(ways) < 2:
        return ways
    side = s.game.side_of[unit]
    zone = s.zone[1 - side]
    costs = [ezoc_hexes(zone, way) for way in ways]
    least = min(costs)
    ways = [way for way, cost in zip(ways, costs, strict=True) if cost == least]
    if len(ways) < 2 or unit == s.game.naval_brigade:
        return ways  # 8.0.6h: the 260th MS needs no supply
    traced: array[int] = lines(s, side, lifted)
    supplied = [way for way in ways if supplied_with_unit(s, side, traced, way[-1])]
    return supplied or ways


def ezoc_hexes(zone: bytearray, way: Path) -> int:
    return sum([1 for node in way if zone[node]])


# ---------------------------------------------------------------------- who retreats


@flow.step("retreat.start")
def start(s: NarvaState, origin: int, length: int, units: tuple[int, ...], strength: int) -> None:
    """The surviving units, then the HQs stacked with them (11.1.1); an HQ alone (a barrage) retreats by itself."""
    if length < 1:
        return
    retreating = tuple([u for u in units if s.at[u] == origin])
    hqs = tuple(s.hqs(origin))
    if retreating:
        s.queue(
            ("retreat.next", origin, length, retreating, (), strength), ("retreat.hqs", origin, length, retreating, hqs)
        )
    elif hqs and not units:
        s.push("retreat.next", origin, length, hqs, (), strength)


@flow.step("retreat.next")
def next_unit(
    s: NarvaState, origin: int, length: int, left: tuple[int, ...], chosen: tuple[tuple[int, Path], ...], strength: int
) -> None:
    """Ask for one path after the other, all judged from the position before the retreat (ruling 46)."""
    while left:
        ways = paths(s, left[0], origin, length)
        if len(ways) > 1:
            retreat = s.game.act["retreat"]
            found = [retreat[left[0], way] for way in ways]
            s.offer(found, "retreat.path", origin, length, left, chosen, strength)
            return
        chosen, left = (*chosen, (left[0], ways[0])), left[1:]
    carry_out(s, origin, length, chosen, strength)


@flow.choice
class RetreatPath(NarvaChoice):
    """9.5a, 9.5.5a: the owner chooses each unit's path; units with the same path stay a stack."""

    name = "retreat.path"
    rules = ("9.5a", "9.5c")

    def side(self, s: NarvaState, origin: int, length: int, left: tuple[int, ...], *rest: object) -> int:
        return s.game.side_of[left[0]]

    def prompt(self, s: NarvaState, origin: int, length: int, left: tuple[int, ...], *rest: object) -> str:
        return f"Choose the path by which {s.game.unit_names[left[0]]} retreats from {s.game.board.labels[origin]}."

    def legal(self, s: NarvaState, origin: int, length: int, left: tuple[int, ...], *rest: object) -> list[Action]:
        retreat = s.game.act["retreat"]
        return [retreat[left[0], way] for way in paths(s, left[0], origin, length)]

    def do(
        self, s: NarvaState, action: Action, origin: int, length: int, left: tuple[int, ...],
        chosen: tuple[tuple[int, Path], ...], strength: int,
    ) -> None:  # fmt: skip
        way = action.args[1]
        assert isinstance(way, tuple)
        s.replace("retreat.next", origin, length, left[1:], (*chosen, (left[0], way)), strength)

    def why_not(
        self, s: NarvaState, action: Action, origin: int, length: int, left: tuple[int, ...],
        chosen: tuple[tuple[int, Path], ...], strength: int,
    ) -> list[Citation]:  # fmt: skip
        if action.kind != "retreat" or action.args[0] != left[0]:
            return []
        way = action.args[1]
        assert isinstance(way, tuple)
        return way_refusal(s, left[0], origin, way, paths(s, left[0], origin, length))


def way_refusal(s: NarvaState, unit: int, origin: int, way: Path, legal: list[Path]) -> list[Citation]:
    """The first rule, in the order of 9.5, that a path breaks."""
    here = origin
    for there in way:
        if there not in exits(s, unit, origin, here):
            return [step_refusal(s, unit, origin, here, there)]
        here = there
    if len(way) != len(legal[0]):
        return [refuse("9.5.2", "the retreat has another length")]
    zone = s.zone[1 - s.game.side_of[unit]]
    if ezoc_hexes(zone, way) > ezoc_hexes(zone, legal[0]):
        return [refuse("9.5.3a", "a path with fewer enemy zones is open")]
    return [refuse("9.5.4", "a path that ends in supply is open")]


def step_refusal(s: NarvaState, unit: int, origin: int, here: int, there: int) -> Citation:
    game = s.game
    if there not in game.around[here] or game.distance(origin, there) <= game.distance(origin, here):
        return refuse("9.5.2", "each hex must be farther from the combat than the last")
    if barriers(s, unit)[there]:
        return refuse("9.5b", "enemy units are in the way")
    return refuse("9.5.1", "the unit could not move there")


# ---------------------------------------------------------------------- carrying it out


def carry_out(s: NarvaState, origin: int, length: int, chosen: tuple[tuple[int, Path], ...], strength: int) -> None:
    """Lift the stacks, displace HQs they overrun, and settle the losses of each stack before it is set down."""
    ways: list[Path] = []
    for _, way in chosen:
        if way not in ways:
            ways.append(way)
    steps = []
    for way in ways:
        units = tuple([unit for unit, theirs in chosen if theirs == way])
        if way:
            depart(s, units, origin, way)
        short = length - len(way)
        entered = ezoc_hexes(s.zone[1 - s.game.side_of[units[0]]], way)
        steps += [
            ("combat.losses", units, short, FREELY, strength, False),  # 9.5.1, 9.5.2
            ("combat.losses", units, entered, STRONGEST, strength, False),  # 9.5.3b, 9.5.3c
            ("retreat.settle", origin, way, units, tuple([unit for unit, _ in chosen]), strength),
        ]
    s.queue(*steps)


def depart(s: NarvaState, units: tuple[int, ...], origin: int, way: Path) -> None:
    for unit in units:
        s.lift(unit)
        s.pin[unit] = 0  # 2.5.1k
        s.log("retreat", "{unit} retreats {path}", "9.5a", unit=unit, path=(origin, *way))
        for node in way:
            headquarters.overrun(s, unit, node)
            if s.game.kinds[unit] != HQ:
                s.pass_through(unit, node)


@flow.step("retreat.settle")
def settle(
    s: NarvaState, origin: int, way: Path, units: tuple[int, ...], everyone: tuple[int, ...], strength: int
) -> None:
    """Set the survivors down; one over the limit goes on (7.1b, 7.1c, 9.5.5b), any that came by whatever way."""
    if not way:
        return
    for unit in units:
        if s.step[unit] and s.at[unit] == NOWHERE:
            s.put(unit, way[-1])
    s.push("retreat.crowd", origin, way[-1], everyone, strength)


@flow.step("retreat.crowd")
def crowd(s: NarvaState, origin: int, node: int, units: tuple[int, ...], strength: int) -> None:
    """One unit too many goes a hex farther, or is eliminated if none can."""
    over = surplus(s, node, units)
    if not over:
        return
    onward = [(unit, way) for unit in over for way in onward_paths(s, unit, origin, node)]
    if len(onward) == 1:
        go_on(s, origin, node, *onward[0], units, strength)
    elif onward:
        s.push("retreat.onward", origin, node, units, strength)
    else:
        s.push("retreat.crowd", origin, node, units, strength)
        if len(over) == 1:
            give_up(s, over[0])
        else:
            s.push("retreat.give_up", node, units)


def give_up(s: NarvaState, unit: int) -> None:
    """7.1b, 7.1c: no room anywhere."""
    if s.game.kinds[unit] == HQ:
        headquarters.lose_hq(s, unit, "7.1c")
    else:
        s.take_off(unit, ELIMINATED)
        s.log("eliminate", "{unit} finds no room and is eliminated", "7.1b", unit=unit)


@flow.choice
class GiveUp(NarvaChoice):
    """7.1b: which of several units too many is eliminated."""

    name = "retreat.give_up"
    rules = ("7.1b",)

    def side(self, s: NarvaState, node: int, units: tuple[int, ...]) -> int:
        return s.game.side_of[units[0]]

    def prompt(self, s: NarvaState, node: int, units: tuple[int, ...]) -> str:
        return f"Too many units in {s.game.board.labels[node]}, and none can go on: choose the one that is eliminated."

    def legal(self, s: NarvaState, node: int, units: tuple[int, ...]) -> list[Action]:
        return [s.game.act["give_up"][unit] for unit in surplus(s, node, units)]

    def do(self, s: NarvaState, action: Action, node: int, units: tuple[int, ...]) -> None:
        s.pop()
        give_up(s, named(action))

    def why_not(self, s: NarvaState, action: Action, node: int, units: tuple[int, ...]) -> list[Citation]:
        return [refuse("7.1b", "it is not one of the units too many")] if action.kind == "give_up" else []


def surplus(s: NarvaState, node: int, units: tuple[int, ...]) -> list[int]:
    """Retreated units of a kind that exceeds its limit in the hex."""
    game = s.game
    full = [kind for kind, limit in enumerate(game.limits) if count(s, node, kind) > limit]
    return [unit for unit in units if s.at[unit] == node and game.kinds[unit] in full]


def onward_paths(s: NarvaState, unit: int, origin: int, node: int) -> list[Path]:
    """One hex farther from where the retreat began, with room, by the priorities of 9.5 (ruling 47)."""
    ways: list[Path] = [(there,) for there in exits(s, unit, origin, node) if has_room(s, unit, there)]
    return preferred(s, unit, ways, -1) if ways else []


def go_on(s: NarvaState, origin: int, node: int, unit: int, way: Path, units: tuple[int, ...], strength: int) -> None:
    entered = ezoc_hexes(s.zone[1 - s.game.side_of[unit]], way)
    s.push("retreat.crowd", origin, node, units, strength)
    depart(s, (unit,), node, way)
    s.queue(
        ("combat.losses", (unit,), entered, STRONGEST, strength, False),
        ("retreat.settle", origin, way, (unit,), (unit,), strength),
    )


@flow.choice
class RetreatOnward(NarvaChoice):
    """7.1b: which unit goes on, and where."""

    name = "retreat.onward"
    rules = ("7.1b", "9.5.5b")

    def side(self, s: NarvaState, origin: int, node: int, units: tuple[int, ...], strength: int) -> int:
        return s.game.side_of[units[0]]

    def prompt(self, s: NarvaState, origin: int, node: int, units: tuple[int, ...], strength: int) -> str:
        return f"Too many units in {s.game.board.labels[node]}: choose one that retreats a hex farther."

    def legal(self, s: NarvaState, origin: int, node: int, units: tuple[int, ...], strength: int) -> list[Action]:
        retreat = s.game.act["retreat"]
        return [retreat[u, way] for u in surplus(s, node, units) for way in onward_paths(s, u, origin, node)]

    def do(self, s: NarvaState, action: Action, origin: int, node: int, units: tuple[int, ...], strength: int) -> None:
        s.pop()
        unit, way = unit_and_path(action)
        go_on(s, origin, node, unit, way, units, strength)

    def why_not(
        self, s: NarvaState, action: Action, origin: int, node: int, units: tuple[int, ...], strength: int
    ) -> list[Citation]:
        if action.kind != "retreat":
            return []
        unit, way = unit_and_path(action)
        if unit not in surplus(s, node, units):
            return [refuse("7.1b", "it is not one of the units too many")]
        legal = onward_paths(s, unit, origin, node)
        if len(way) == 1 and not has_room(s, unit, way[0]):
            return [refuse("7.0a", "there is no room either")]
        if not legal or way[0] not in exits(s, unit, origin, node):
            return [step_refusal(s, unit, origin, node, way[0])]
        return way_refusal(s, unit, origin, (), [()]) if len(way) != 1 else [refuse("9.5.3a", "a better hex is open")]


# ---------------------------------------------------------------------- 11.1.1: HQs retreat with their stack


@flow.step("retreat.hqs")
def hqs_follow(s: NarvaState, origin: int, length: int, mates: tuple[int, ...], hqs: tuple[int, ...]) -> None:
    """An HQ goes where one of its stack went, or stays with one that stayed; else it finds its own way (ruling 48)."""
    for hq in hqs:
        if s.at[hq] != origin:
            continue
        if not any(s.at[u] != NOWHERE for u in mates) and not s.combat_units(origin):
            headquarters.displace(s, hq)  # 11.1.3b
            continue
        places = refuges(s, hq, origin, mates)
        if places == [origin]:
            continue
        if not places:
            s.push("retreat.next", origin, length, (hq,), (), DEFENCE)
        elif len(places) == 1:
            follow(s, hq, origin, places[0])
        else:
            s.push("retreat.hq", hq, origin, mates)


def refuges(s: NarvaState, hq: int, origin: int, mates: tuple[int, ...]) -> list[int]:
    """Where the units of its stack are now, as far as the HQ may go there."""
    game = s.game
    places = {s.at[unit] for unit in mates if s.at[unit] != NOWHERE}
    if s.combat_units(origin):
        places.add(origin)
    return sorted(node for node in places if game.ground.may_enter(game.classes[hq][1], node))


def follow(s: NarvaState, hq: int, origin: int, node: int) -> None:
    s.log("retreat", "{unit} retreats {path}", "11.1.1", unit=hq, path=(origin, node))
    s.pin[hq] = 0
    s.put(hq, node)
    s.push("retreat.crowd", origin, node, (hq,), DEFENCE)


@flow.choice
class HqFollows(NarvaChoice):
    """11.1.1: with which unit the HQ retreats."""

    name = "retreat.hq"
    rules = ("11.1.1",)

    def side(self, s: NarvaState, hq: int, origin: int, mates: tuple[int, ...]) -> int:
        return s.game.side_of[hq]

    def prompt(self, s: NarvaState, hq: int, origin: int, mates: tuple[int, ...]) -> str:
        return f"Choose the unit that {s.game.unit_names[hq]} retreats with, by its hex."

    def legal(self, s: NarvaState, hq: int, origin: int, mates: tuple[int, ...]) -> list[Action]:
        place = s.game.place_actions
        return [place[node] for node in refuges(s, hq, origin, mates)]

    def do(self, s: NarvaState, action: Action, hq: int, origin: int, mates: tuple[int, ...]) -> None:
        s.pop()
        node = named(action)
        if node != origin:
            follow(s, hq, origin, node)

    def why_not(self, s: NarvaState, action: Action, hq: int, origin: int, mates: tuple[int, ...]) -> list[Citation]:
        return [refuse("11.1.1", "it retreats with a unit of its stack")] if action.kind == "place" else []
