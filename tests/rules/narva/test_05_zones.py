"""Chapter 5: zones of control."""

from __future__ import annotations

from counterblow.games.narva.game import Narva
from tests.helpers import do, legal, rule
from tests.rules.narva.play import fight, move, moving, price, reach, steps, supply


@rule("5.0")
def test_a_zone_covers_all_six_hexes(narva: Narva) -> None:
    s = narva.position(turn=2, units={"MOK": "2412"})
    covered = {narva.board.labels[n] for n in range(narva.board.hexes) if s.in_ezoc(n, 1)}
    assert covered == {"2413", "2411", "2512", "2513", "2312", "2313"}


@rule("5.1a", "6.1a")
def test_entering_and_leaving_costs_two_each(narva: Narva) -> None:
    """Infantry with 4 MP: three clear hexes in the open; one hex into a zone costs 3, one out of it 3, both 5."""
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2514", "MOK": "2412"})
    move(s, "381", "2513")
    assert s.place("381") == "2513"
    assert price(narva.position(turn=2, units={"381": "2514", "MOK": "2412"}), "381", "2513") == 3
    assert price(narva.position(turn=2, units={"381": "2513", "MOK": "2412"}), "381", "2514") == 3
    assert price(narva.position(turn=2, units={"381": "2513", "MOK": "2412"}), "381", "2512") == 5
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2513", "MOK": "2412"})
    assert moving(s, "381").refuses("to 2512", because="6.1c")


@rule("5.1b")
def test_from_zone_to_zone_with_enough_points(narva: Narva) -> None:
    """A tank with 7 MP pays 5 to go from one hex of a zone to the next."""
    s = narva.position(turn=2, phase="soviet.movement", units={"220T": "2513", "MOK": "2412"})
    do(s, "move 220T", "to 2512")
    assert s.place("220T") == "2512"
    assert price(narva.position(turn=2, units={"220T": "2513", "MOK": "2412"}), "220T", "2512") == 5


@rule("5.2a")
def test_hqs_and_assault_guns_have_no_zone(narva: Narva) -> None:
    s = narva.position(turn=2, units={"109 HQ": "2412", "1294SU": "2412"})
    assert not any(s.zone[1])


@rule("5.2b", "5.2d")
def test_the_printed_attack_showing_decides(narva: Narva) -> None:
    s = narva.position(turn=2, units={"SCHN": "2412"})
    assert not any(s.zone[0])
    assert any(narva.position(turn=2, units={"94S": "2412"}).zone[0])
    assert not any(narva.position(turn=2, units={"94S": {"at": "2412", "steps": 1}}).zone[0])
    assert any(narva.position(turn=2, units={"16UR": {"at": "2412", "steps": 1}}).zone[1])


@rule("5.2d")
def test_a_zone_goes_with_the_step(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"94S": "2412", "381": "2512", "456": "2512"}, dice=(6,))
    assert s.in_ezoc(narva.node("2411"), 1)
    fight(s, "2412", "381", "456")  # 8 to 3: 2-1, D1r1
    assert steps(s, "94S") == 1
    assert not any(s.zone[0])


@rule("5.3", "8.0.3a")
def test_reinforcements_are_not_placed_in_enemy_zones(narva: Narva) -> None:
    """Not even where a friendly unit stands."""
    s = narva.position(turn=2, phase="german.reinforcement", units={"381": "0131", "MOK": "0130"}, due={"154G": 2})
    assert s.refuses("enter 154G at 0130", because="5.3")
    s = narva.position(turn=2, phase="german.reinforcement", units={"381": "0130"}, due={"154G": 2})
    assert s.refuses("enter 154G at 0130", because="8.0.3a")


@rule("5.4a", "9.5.3b")
def test_a_stack_loses_one_step_for_each_zone_hex(narva: Narva) -> None:
    units = {"MOK": "2412", "61F": "2412", "381": "2512", "220T": "2512", "864": "2212", "880": "2414"}
    s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(3,))
    fight(s, "2412", "381", "220T")  # 10 to 5: 2-1; die 3: NR
    assert (steps(s, "61F"), steps(s, "MOK")) == (2, 1)
    s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(5,))
    fight(s, "2412", "381", "220T")  # die 5: Dr1
    way = next(text for text in sorted(set(legal(s))) if text.endswith("2312"))
    do(s, way, way.replace("MOK", "61F") if "MOK" in way else way.replace("61F", "MOK"))
    assert s.place("61F") == s.place("MOK") == "2312"
    assert (steps(s, "61F"), steps(s, "MOK")) == (1, 1)  # together one step, from the stronger


@rule("5.4b", "5.5c")
def test_friends_do_not_shield_a_retreat(narva: Narva) -> None:
    """Every hex behind 61F is covered; a friend in 2312 changes nothing."""
    units = {"61F": "2412", "151G": "2312", "381": "2512", "220T": "2512", "864": "2212", "880": "2414"}
    s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(3,))
    fight(s, "2412", "381", "220T")  # 10 to 3: 3-1; die 3: Dr1 with a red loss
    do(s, next(text for text in sorted(set(legal(s))) if text.endswith("2312")))
    assert s.place("61F") == "2312"
    assert steps(s, "61F") == 1


@rule("5.4c")
def test_the_strongest_takes_the_zone_loss(narva: Narva) -> None:
    assert "9.5.3" in narva.rules["5.4c"].text


@rule("5.5a")
def test_zones_block_supply(narva: Narva) -> None:
    """PZ on the rollbahn at 2030 is cut off by zones on both sides of the road."""
    ring = {"381": "1831", "456": "1929", "602": "1728", "864": "2131", "880": "2129", "891": "2032"}
    s = narva.position(turn=2, phase="supply", units={"PZ": "2030", **ring}, pd={"Nordland": 1})
    assert supply(s, "PZ") == "out of supply"


@rule("5.5b")
def test_friends_shield_supply_lines(narva: Narva) -> None:
    """A chain through the swamp under a Soviet zone: where a German stands the zone does not count."""
    chain = {"MOK": "0818", "29P": "0819", "30P": "0820", "31P": "0821"}
    s = narva.position(turn=9, phase="supply", units={**chain, "381": "0920"}, pd={"Nordland": 1})
    assert s.in_ezoc(narva.node("0820"), 0)
    assert supply(s, "MOK") == "supplied"
    s = narva.position(turn=9, phase="supply", units={"MOK": "0430", "381": "0331"}, pd={"Nordland": 1})
    assert supply(s, "MOK") == "supplied"


@rule("5.5c")
def test_friends_do_not_cancel_zones_for_movement(narva: Narva) -> None:
    """A friend in the hex entered changes neither the price nor strategic movement."""
    s = narva.position(turn=2, units={"381": "2514", "456": "2513", "MOK": "2412"})
    assert price(s, "381", "2513") == 3
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2509", "456": "2507", "MOK": "2406"})
    assert "by road to 2508" in reach(s, "381")
    assert moving(s, "381").refuses("by road to 2507", because="6.4.1a")


@rule("5.5.1")
def test_unsupplied_units_keep_their_zone(narva: Narva) -> None:
    for status in ("out of supply", "isolated"):
        s = narva.position(turn=2, units={"MOK": {"at": "2412", "supply": status}})
        assert s.in_ezoc(narva.node("2411"), 1)


@rule("5.6")
def test_zones_do_not_cross_unbridged_major_rivers(narva: Narva) -> None:
    """Frozen or not. The winter trail bridges 2021/2022 in frost only (ruling 28); ferries are no bridges."""
    for turn in (2, 9):
        s = narva.position(turn=turn, units={"381": "2122"})
        assert not s.in_ezoc(narva.node("2123"), 0)
        assert not s.in_ezoc(narva.node("2022"), 0)
        assert s.in_ezoc(narva.node("2121"), 0)
    assert narva.position(turn=2, units={"381": "2021"}).in_ezoc(narva.node("2022"), 0)
    assert not narva.position(turn=9, units={"381": "2021"}).in_ezoc(narva.node("2022"), 0)
    assert not narva.position(turn=9, units={"381": "2422"}).in_ezoc(narva.node("2423"), 0)


@rule("5.6", "6.2.2b")
def test_the_thaw_takes_a_zone_away(narva: Narva) -> None:
    s = narva.position(turn=7, phase="end", units={"381": "2021"}, pd={"Nordland": 1}, cup={"3SS": 1})
    assert s.in_ezoc(narva.node("2022"), 0)
    do(s, "decline")
    assert s.turn == 8
    assert not s.in_ezoc(narva.node("2022"), 0)
