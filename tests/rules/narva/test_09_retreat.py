"""Section 9.5: retreats. The last test compares them with a brute-force reading of the rules."""

from __future__ import annotations

import random
from collections import deque
from itertools import pairwise
from typing import Any

import pytest

from counterblow.games.narva import retreat
from counterblow.games.narva.components import HQ
from counterblow.games.narva.game import Narva
from counterblow.games.narva.state import NarvaState
from tests.helpers import do, legal, rule
from tests.rules.narva.play import every_throw, fight, steps, supply

HARD: dict[str, Any] = {"381": "2512", "456": "2512", "220T": "2411"}


@rule("9.5a")
def test_the_owner_moves_his_units(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={**HARD, "61F": "2412"}, dice=(3,))
    fight(s, "2412", "381", "456", "220T")  # 14 to 3: 4-1; Dr1
    assert (s.side, s.decision.kind) == ("german", "retreat.Retreat")
    do(s, "retreat 61F by 2313")
    assert s.place("61F") == "2313"


@rule("9.5a")
def test_attackers_retreat_after_the_defender(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "151G": "2412"}, dice=(4,))
    fight(s, "2412", "381")  # 4 to 5: 1-2; Ar1
    assert (s.side, s.decision.kind) == ("soviet", "retreat.Retreat")
    assert {"retreat 381 by 2511", "retreat 381 by 2612"} & set(legal(s))
    assert s.refuses("retreat 381 by 2412", because="9.5b")


@rule("9.5b", "6.3.2b")
def test_enemies_bar_the_way_but_a_lone_hq_does_not(narva: Narva) -> None:
    """The only free way of MOK's stack leads over an enemy HQ, which is displaced."""
    block = {"864": "2413", "880": "2312", "891": "2513"}
    s = narva.position(
        turn=2, phase="soviet.combat", units={**HARD, **block, "61F": "2412", "109 HQ": "2313"}, dice=(3,)
    )
    fight(s, "2412", "381", "456", "220T")
    assert s.place("61F") == "2313"
    assert (s.side, s.decision.kind) == ("soviet", "headquarters.Displace")


@rule("9.5c")
def test_order_of_priorities(narva: Narva) -> None:
    """Length before zones: one hex without a zone is no choice where two hexes can be retreated through one."""
    cases = 0
    for seed in range(12):
        s = scattered(narva, seed)
        for unit in (*s.out(0), *s.out(1)):
            zone, origin = s.zone[1 - narva.side_of[unit]], s.at[unit]
            short, long = retreat.FLIGHT.paths(s, unit, origin, 1)[0], retreat.FLIGHT.paths(s, unit, origin, 2)[0]
            if len(long) == 3 and retreat.ezoc_hexes(zone, long) > retreat.ezoc_hexes(zone, short):
                cases += 1
                assert short not in retreat.FLIGHT.paths(s, unit, origin, 2)
    assert cases


@rule("9.5.1", "9.5.2")
def test_hexes_not_retreated_cost_steps(narva: Narva) -> None:
    """In the corner of the map 162G can retreat one hex of two and pays a step for the other."""
    units = {"162G": "0102", "381": "0103", "456": "0103", "220T": "0202", "864": "0202", "124T": "0203"}
    s = narva.position(turn=2, phase="soviet.combat", units=units)
    with every_throw(narva, "D1r2"):
        fight(s, "0102", "381", "456", "220T", "864")
    assert s.place("162G") is None  # one step by the result, one for the hex it could not retreat
    s = narva.position(turn=2, phase="soviet.combat", units={**units, "151G": "0102"})
    with every_throw(narva, "Dr1"):
        fight(s, "0102", "381", "456", "220T", "864")
    assert s.place("162G") == s.place("151G") == "0101"


@rule("9.5.1")
def test_retreats_respect_the_ground(narva: Narva) -> None:
    """A tank may not retreat over the ice; an army unit not into Narva."""
    s = narva.position(turn=2, phase="german.combat", units={"PZ": "2727", "162G": "2727", "220T": "2726"}, dice=(5,))
    fight(s, "2726", "PZ", "162G")  # 9 to 4: 2-1; Dr1
    assert s.place("220T") == "2625"  # 2626 and 2826 lie in zones, 2725 and 2825 beyond the ice


@rule("9.5.1", "9.5.2")
def test_the_owner_picks_who_pays_for_hexes_not_retreated(narva: Narva) -> None:
    """0101 is a dead end: the stack cannot move at all and loses a step, from either unit."""
    units = {"162G": "0101", "MOK": "0101", "381": "0102", "456": "0102", "220T": "0201", "864": "0201"}
    s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(5,))
    fight(s, "0101", "381", "456", "220T", "864")  # 18 to 7: 2-1; Dr1
    assert s.side == "german"
    assert set(legal(s)) == {"step loss on 162G", "step loss on MOK"}
    do(s, "step loss on MOK")
    assert (s.place("MOK"), s.place("162G"), steps(s, "162G")) == (None, "0101", 2)


@rule("9.5.2")
def test_each_hex_is_farther_away(narva: Narva) -> None:
    """Vector 19: the second hex of r2 lies two hexes from the combat."""
    s = narva.position(turn=2, phase="soviet.combat", units={**HARD, "162G": "2412"})
    with every_throw(narva, "D1r1"):
        fight(s, "2412", "381", "456", "220T")
    assert all(len(action.args[1]) == 1 for action in s.legal())
    s = narva.position(turn=2, phase="soviet.combat", units={**HARD, "61F": "2412"})
    with every_throw(narva, "D1r2"):
        fight(s, "2412", "381", "456", "220T")
    for action in s.legal():
        assert [narva.distance(narva.node("2412"), node) for node in action.args[1]] == [1, 2]
    assert s.refuses("retreat 61F by 2313", because="9.5.2")
    assert s.refuses("retreat 61F by 2313-2312", because="9.5.2")


@rule("9.5.3a")
def test_zones_are_avoided(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={**HARD, "61F": "2412", "864": "2315"}, dice=(3,))
    fight(s, "2412", "381", "456", "220T")
    assert set(legal(s)) == {"retreat 61F by 2313"} or "retreat 61F by 2313" in set(legal(s))
    assert s.refuses("retreat 61F by 2513", because="9.5.3a")
    assert s.refuses("retreat 61F by 2312", because="9.5.3a")


SURROUNDED: dict[str, Any] = {"381": "2512", "220T": "2512", "864": "2212", "880": "2414"}


@rule("9.5.3b")
def test_each_zone_hex_costs_a_step(narva: Narva) -> None:
    """Two hexes, both covered: two steps beyond the result."""
    units = {**SURROUNDED, "456": "2411", "602": "2411", "61F": "2412", "162G": "2412"}
    s = narva.position(turn=2, phase="soviet.combat", units={**units, "891": "2211", "657": "2314"}, dice=(3,))
    fight(s, "2412", "381", "220T", "456", "602")  # 18 to 8: 2-1; NR
    assert steps(s, "61F") + steps(s, "162G") == 4
    s = narva.position(turn=2, phase="soviet.combat", units={**units, "891": "2211", "657": "2314"}, dice=(5,))
    fight(s, "2412", "381", "220T", "456", "602")  # Dr1
    while s.decision is not None and s.decision.kind == "retreat.Retreat":
        do(s, next(text for text in sorted(set(legal(s))) if text.endswith("2313")))
    assert steps(s, "61F") + steps(s, "162G") == 3


@rule("9.5.3c")
def test_the_strongest_pays_for_zones(narva: Narva) -> None:
    """Defenders by defence strength, attackers by attack strength."""
    s = narva.position(turn=2, phase="soviet.combat", units={**SURROUNDED, "PZ": "2412", "61F": "2412"}, dice=(6,))
    fight(s, "2412", "381", "220T")  # 10 to 7: 1-1; Dr1
    for unit in ("PZ", "61F"):
        do(s, f"retreat {unit} by 2312")
    assert (steps(s, "PZ"), steps(s, "61F")) == (1, 2)


@rule("9.5.3c")
def test_attackers_pay_by_attack_strength(narva: Narva) -> None:
    """16UR (attack 1, defence 5) and 1294SU (attack 3, defence 2) fall back into a zone: the gun pays."""
    ring = {"162G": "2412", "391G": "2412", "399G": "2613", "151G": "2510", "176G": "2610"}
    s = narva.position(turn=2, phase="soviet.combat", units={**ring, "16UR": "2512", "1294SU": "2512"}, dice=(5,))
    do(
        s, "attack 2412", "add 16UR", "add 1294SU", "full air attack by 13A-1", "resolve the attack"
    )  # 4 to 10: column 2; NR
    assert s.place("1294SU") == "2512"
    s = narva.position(turn=2, phase="soviet.combat", units={**ring, "16UR": "2512", "1294SU": "2512"}, dice=(4,))
    do(s, "attack 2412", "add 16UR", "add 1294SU", "full air attack by 13A-1", "resolve the attack")  # Ar1
    do(s, "retreat 16UR by 2611", "retreat 1294SU by 2611")
    assert s.place("1294SU") is None
    assert steps(s, "16UR") == 2


@rule("9.5.3b", "5.4a")
def test_separate_paths_pay_separately(narva: Narva) -> None:
    """Ruling 46: units on different paths are different stacks, and each pays."""
    s = narva.position(turn=2, phase="soviet.combat", units={**SURROUNDED, "162G": "2412", "61F": "2412"}, dice=(6,))
    fight(s, "2412", "381", "220T")  # 10 to 8: 1-1; Dr1
    do(s, "retreat 162G by 2312", "retreat 61F by 2411")
    assert (steps(s, "162G"), steps(s, "61F")) == (1, 1)


@rule("9.5.4")
def test_retreats_end_in_supply_if_possible(narva: Narva) -> None:
    """In the Puhatu swamp 0822 and 0922 border on hexes in supply, 0722 does not."""
    s = narva.position(turn=9, phase="soviet.combat", units={"162G": "0821", "381": "0820", "220T": "0820"}, dice=(6,))
    fight(s, "0821", "381", "220T")  # 10 to 10: 1-1; Dr1
    assert set(legal(s)) == {"retreat 162G by 0822", "retreat 162G by 0922"}
    assert s.refuses("retreat 162G by 0722", because="9.5.4")
    assert s.refuses("retreat 162G by 0921", because="9.5.3a")


@rule("9.5.4")
def test_its_own_presence_may_open_the_hex(narva: Narva) -> None:
    """Woods next to a road count as supplied for the unit that stands in them."""
    s = narva.position(turn=2, units={"162G": "2030"})
    from counterblow.games.narva.supply import LINES, where_supplied

    woods = narva.node("2029")
    assert not LINES.trace(s, 0, narva.node("2030"))[woods]
    assert where_supplied(s, 0, narva.node("2030"))[woods]


@rule("9.5.5a")
def test_units_may_separate(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="soviet.combat", units={**HARD, "124T": "2411", "61F": "2412", "MOK": "2412"}, dice=(5,)
    )
    fight(s, "2412", "381", "456", "220T", "124T")  # 18 to 5: 3-1; die 5: D1r1
    do(s, "retreat 61F by 2413", "retreat MOK by 2313")
    assert (s.place("61F"), s.place("MOK")) == ("2413", "2313")


@rule("9.5.6a", "9.5.6c", "11.3.3")
@pytest.mark.parametrize(
    ("hex_", "unit", "boxes"),
    [("2718", "61F", 0), ("2930", "23", 0), ("3228", "HAME", 0), ("3329", "HAME", 0), ("3132", "1/48", 0)],
)
def test_the_first_retreat_hex_is_ignored(narva: Narva, hex_: str, unit: str, boxes: int) -> None:
    """Village, city, PD hex, and (3329, 3132) village and PD together: Dr1 means nothing."""
    near = [narva.board.labels[n] for n in narva.board.around[narva.node(hex_)]]
    units = {unit: hex_, "864": near[0], "381": near[1], "456": near[1], "602": near[2]}
    s = narva.position(turn=2, phase="supply", units=units, pd={"Nordland": 9, "Nederland": 9})
    s = narva.position(turn=2, phase="soviet.combat", units=units, pd={"Nordland": 9, "Nederland": 9})
    from counterblow.games.narva.results import retreat_left

    node, side = narva.node(hex_), 0
    assert retreat_left(s, node, side, 1, False) == boxes
    assert retreat_left(s, node, side, 2, False) == 1
    assert retreat_left(s, node, side, 1, True) == 1


@rule("9.5.6a")
def test_a_village_holds(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"61F": "2718", "381": "2719", "220T": "2719"}, dice=(3,))
    fight(s, "2718", "381", "220T")  # 10 to 3: 3-1; Dr1
    assert s.place("61F") == "2718"


@rule("9.5.6b")
def test_attackers_hold_in_villages_and_cities(narva: Narva) -> None:
    for home, target in (("2718", "2719"), ("2930", "2830")):
        s = narva.position(turn=2, phase="german.combat", units={"23": home, "381": target, "456": target}, dice=(5,))
        fight(s, target, "23")  # 4 to 8: 1-2; Ar1
        assert s.place("23") == home
    s = narva.position(turn=2, phase="german.combat", units={"23": "2717", "381": "2716", "456": "2716"}, dice=(5,))
    fight(s, "2716", "23")
    assert s.decision.kind == "retreat.Retreat" or s.place("23") != "2717"


@rule("9.5.6c")
def test_village_and_defences_negate_one_hex_only(narva: Narva) -> None:
    """Vector 20: r2 in a village with Prepared Defenses leaves one hex to retreat."""
    s = narva.position(
        turn=2,
        phase="soviet.combat",
        pd={"Nordland": 9},
        units={"HAME": "3329", "381": "3429", "456": "3429", "220T": "3428", "124T": "3428"},
    )
    with every_throw(narva, "D2r2"):
        fight(s, "3329", "381", "456", "220T", "124T")
    assert s.place("HAME") is None  # two losses: no retreat left to see
    s = narva.position(
        turn=2,
        phase="soviet.combat",
        pd={"Nordland": 9},
        units={"HAME": "3329", "381": "3429", "456": "3429", "220T": "3428", "124T": "3428"},
    )
    with every_throw(narva, "D1r2"):
        fight(s, "3329", "381", "456", "220T", "124T")  # one step, one hex
    assert steps(s, "HAME") == 1
    ways = [action.args[1] for action in s.legal()] if s.decision.kind == "retreat.Retreat" else []
    assert all(len(way) == 1 for way in ways)
    assert ways or s.place("HAME") != "3329"


# ---------------------------------------------------------------------- the property: legal retreats by brute force


def brute_supply(s: NarvaState, side: int, empty: int) -> set[int]:
    """Hexes on a supply line, by a plain search over the words of the map (10.1)."""
    game, board = s.game, s.game.board
    friends = {s.at[u] for u in game.roster[side] if s.at[u] >= 0} - {empty}
    enemies = {s.at[u] for u in game.roster[1 - side] if s.at[u] >= 0}
    zones = brute_zones(s, 1 - side)

    def usable(node: int) -> bool:
        if node in enemies or (node in zones and node not in friends):
            return False
        if node in friends or board.terrain[node] in ("clear", "hill", "city"):
            return True
        return any(game.ground.road_kinds(node, there, s.frozen) for there in board.around[node])

    found = {node for node in game.sources[side] if usable(node)}
    queue = deque(found)
    while queue:
        here = queue.popleft()
        for there in board.around[here]:
            if there not in found and joined(s, here, there) and usable(there):
                found.add(there)
                queue.append(there)
    return found


def joined(s: NarvaState, here: int, there: int) -> bool:
    board = s.game.board
    if not board.crosses(here, there, "major_river") or board.crosses(here, there, "ferry"):
        return True
    return bool(s.game.ground.road_kinds(here, there, s.frozen))


def brute_zones(s: NarvaState, side: int) -> set[int]:
    board, game = s.game.board, s.game
    covered = set()
    for unit in game.roster[side]:
        kind = game.units[unit]
        node = s.at[unit]
        if node < 0 or kind.kind != 0 or kind.strengths[s.step[unit]][0] < 1:
            continue
        for there in board.around[node]:
            wet = board.crosses(node, there, "major_river") and not game.ground.road_kinds(node, there, s.frozen)
            if not wet and board.terrain[there] != "sea":
                covered.add(there)
    return covered


def brute_step(s: NarvaState, unit: int, here: int, there: int) -> bool:
    """9.5.1, 9.5b in plain words."""
    game, board = s.game, s.game.board
    kind = game.units[unit]
    if board.terrain[there] == "sea":
        return False
    enemy = [u for u in s.stack(there) if game.side_of[u] != kind.side]
    if enemy and (kind.kind == HQ or any(game.kinds[u] != HQ for u in enemy)):
        return False
    if kind.side == 0:
        if there in board.tagged("pd_nordland") | board.tagged("pd_nederland") and kind.formation not in (
            "4SS",
            "11SS",
        ):
            return False
        if (board.terrain[there] == "city" or there in board.tagged("bridgehead")) and not kind.ss:
            return False
    if board.crosses(here, there, "major_river") and not game.ground.road_kinds(here, there, s.frozen):
        frozen = s.frozen and not board.crosses(here, there, "ice_free")
        return not kind.mech and (frozen or board.crosses(here, there, "ferry"))
    return True


def brute_paths(s: NarvaState, unit: int, length: int, zones: set[int], traced: set[int]) -> set[tuple[int, ...]]:
    """Every path on the map, filtered by the priorities of 9.5 one after the other."""
    board = s.game.board
    origin = s.at[unit]
    every: list[tuple[int, ...]] = [()]
    for length_so_far in range(length):
        ends = [path for path in every if len(path) == length_so_far]
        every += [(*path, n) for path in ends for n in board.around[path[-1] if path else origin]]

    def lawful(path: tuple[int, ...]) -> bool:
        nodes = (origin, *path)
        farther = all(board.distance(origin, b) == i + 1 for i, b in enumerate(path))
        return farther and all(brute_step(s, unit, a, b) for a, b in pairwise(nodes))

    legal = [path for path in every if lawful(path)]
    longest = max(len(path) for path in legal)
    legal = [path for path in legal if len(path) == longest]
    fewest = min(sum(n in zones for n in path) for path in legal)
    legal = [path for path in legal if sum(n in zones for n in path) == fewest]
    if unit != s.game.naval_brigade and longest:
        side = s.game.side_of[unit]
        sources = s.game.sources[side]
        cut = side == 0 and any(s.owner(node) == 1 for node in s.game.rollbahn_supply)  # 10.2.1a
        ended = [
            p
            for p in legal
            if not (cut and p[-1] in s.game.narva_ground)
            and (
                p[-1] in traced
                or p[-1] in sources
                or any(n in traced and joined(s, p[-1], n) for n in board.around[p[-1]])
            )
        ]
        legal = ended or legal
    return set(legal)


def scattered(narva: Narva, seed: int) -> NarvaState:
    """A position with units of both sides thrown closely together, in frost or thaw."""
    chance = random.Random(seed)
    centre = chance.choice(sorted(narva.ground.land))
    near = [n for n in narva.board.within(centre, 4) if n in narva.ground.land]
    units: dict[str, str] = {}
    taken: dict[int, int] = {}
    for unit in chance.sample(range(len(narva.units)), 40):
        kind, node = narva.units[unit], chance.choice(near)
        if taken.setdefault(node, kind.side) == kind.side and narva.ground.open_to[kind.access][node]:
            units[kind.name] = narva.board.labels[node]
    state: NarvaState = narva.position(turn=chance.choice((2, 8, 9)), units=units)
    return state


@rule("9.5c", "9.5.1", "9.5.2", "9.5.3a", "9.5.4")
@pytest.mark.parametrize("seed", range(24))
def test_legal_retreats_are_those_of_a_brute_force_search(narva: Narva, seed: int) -> None:
    s = scattered(narva, seed)
    for side in (0, 1):
        zones = brute_zones(s, 1 - side)
        traced = {node: brute_supply(s, side, node) for node in {s.at[unit] for unit in s.out(side)}}
        for unit in s.out(side):
            for length in (1, 2):
                found = [path[1:] for path in retreat.FLIGHT.paths(s, unit, s.at[unit], length)]
                assert len(found) == len(set(found))
                assert set(found) == brute_paths(s, unit, length, zones, traced[s.at[unit]])


def test_supply_in_the_brute_force_search_is_that_of_the_supply_phase(narva: Narva) -> None:
    for seed in range(10):
        s = scattered(narva, seed)
        lines = {side: brute_supply(s, side, -1) for side in (0, 1)}
        expected = {unit: s.at[unit] in lines[side] for side in (0, 1) for unit in s.out(side)}
        from counterblow.games.narva.supply import supply_phase

        cut = any(s.owner(node) == 1 for node in narva.rollbahn_supply)
        supply_phase(s)
        for unit, supplied in expected.items():
            if unit != narva.naval_brigade and not (cut and s.at[unit] in narva.narva_ground):
                assert (supply(s, narva.unit_names[unit]) == "supplied") is supplied
