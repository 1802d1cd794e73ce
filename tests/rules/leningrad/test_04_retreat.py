"""Chapter 4: retreats. Most happen around 1018, attacked from 0918 in the west."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from tests.helpers import asked, cited, do, legal, rule
from tests.rules.leningrad.play import Game, State, assault, disrupted, duel, fight, has, rolled

AROUND_1018 = ("0918", "1017", "1117", "1118", "1119", "1019")


def driven(leningrad: Game, length: int, units: dict[str, Any], die: int = 2, target: str = "1018") -> State:
    """The Panzergruppe and its helpers (all Germans given) attack; the retreat is ordered."""
    s: State = leningrad.position(phase="german.allocation", units=units, dice=(die,))
    attackers = [u for u in units if u.endswith(("Gruppe", "Korps", "Armee"))]
    fight(s, target, *attackers)
    if asked(s) == "results.RetreatLength":
        s.do(f"order retreat {length}")
    return s


@rule("4.1")
def test_every_step_leads_away_from_the_defended_hex(leningrad: Game) -> None:
    s = driven(leningrad, 2, {"4. Panzer Gruppe": "0918", "11. Army": "1018"})
    s.do("retreat 11. Army 1118")
    assert set(legal(s)) == {f"retreat 11. Army {node}" for node in ("1218", "1217", "1219")}
    assert s.refuses("retreat 11. Army 1117", because="4.1")


@rule("4.1")
def test_and_from_no_defended_hex_nearer(leningrad: Game) -> None:
    """1118 and 1017 are attacked together from 1018: a unit of 1118 may not go back toward 1017."""
    s = leningrad.position(
        phase="german.allocation",
        units={"4. Panzer Gruppe": "1018", "16. Armee": "1018", "22. Corps": "1118", "11. Army": "1017"},
        dice=(4,),
    )
    events = fight(s, "1118", "4. Panzer Gruppe", "16. Armee", also=["1017"])
    assert rolled(events)[1] == "D1"
    s.do("order retreat 1")
    assert s.refuses("retreat 22. Corps 1117", because="4.1")
    assert "retreat 22. Corps 1218" in legal(s)


@rule("4.2")
def test_not_into_a_zone_without_a_friend(leningrad: Game) -> None:
    units = {"4. Panzer Gruppe": "0918", "11. Army": "1018", "XXVIII. Korps": "1218"}
    s = leningrad.position(phase="german.allocation", units=units, dice=(2,))
    fight(s, "1018", "4. Panzer Gruppe")
    s.do("order retreat 1")
    assert s.refuses("retreat 11. Army 1118", because="4.2")
    s = leningrad.position(phase="german.allocation", units={**units, "22. Corps": "1118"}, dice=(2,))
    fight(s, "1018", "4. Panzer Gruppe")
    s.do("order retreat 1")
    assert "retreat 11. Army 1118" in legal(s)


@rule("4.3")
def test_no_way_offered_comes_nearer_to_an_attacker(leningrad: Game) -> None:
    """All ways of two hexes, whatever one or two hexes the attack comes from."""
    board = leningrad.board
    ways = 0
    for origins in [*combinations(AROUND_1018, 1), *combinations(AROUND_1018, 2)]:
        units = {"11. Army": "1018", "4. Panzer Gruppe": origins[0], "LVI. Panzer Korps": origins[-1]}
        s = driven(leningrad, 2, units)
        if asked(s) != "retreat.StepBack":
            continue
        for first in s.legal():
            after = s.copy()
            after.do(first)
            for second in after.legal():
                path = [board.node("1018"), first.args[1], second.args[1]]
                for foe in board.nodes(origins):
                    distances = [board.distance(node, foe) for node in path]
                    assert distances == sorted(distances)
                ways += 1
    assert ways > 50


@rule("4.3", "4.10")
def test_a_way_that_does_not_gain_distance_saves_the_unit_all_the_same(leningrad: Game) -> None:
    """Attacked from W and SE, the army leaves by 1117; German zones leave only 1016, no farther from 0918."""
    s = leningrad.position(
        phase="german.allocation",
        units={"4. Panzer Gruppe": "0918", "LVI. Panzer Korps": "1119", "11. Army": "1018", "22. Corps": "1016",
               "X. Korps": "1216"},
        dice=(1,),
    )  # fmt: skip
    assert rolled(fight(s, "1018", "4. Panzer Gruppe", "LVI. Panzer Korps"))[1] == "D2"
    s.do("order retreat 2")
    s.do("retreat 11. Army 1117")
    assert legal(s) == ["retreat 11. Army 1016"]
    s.do("retreat 11. Army 1016")
    assert s.place("11. Army") == "1016"


@rule("4.4")
def test_v39_attacked_from_w_and_ssw_only_e_and_nne_remain(leningrad: Game) -> None:
    units = {"4. Panzer Gruppe": "0918", "LVI. Panzer Korps": "1019", "11. Army": "1018", "22. Corps": "1017"}
    s = driven(leningrad, 1, units, die=5)  # 3:1: D1
    assert {a for a in legal(s) if a.startswith("retreat")} == {"retreat 11. Army 1117", "retreat 11. Army 1118"}
    for barred, foe in (("1017", "0918"), ("1119", "1019")):  # 1017 is barred although a friend stands there
        reason = ("4.4", f"that hexside touches {foe}, from which the unit was attacked")
        assert s.why_not(f"retreat 11. Army {barred}") == [reason]


@rule("4.7", "8.13")
def test_neither_into_the_closed_front_nor_into_water(leningrad: Game) -> None:
    """The Finnish front is closed to movement, which is not to say that it is water."""
    for home, front, there, reason in (
        ("1001", "1101", "0901", ("8.13", "that hex is closed")),
        ("0405", "0406", "0404", ("4.7", "water is no way out")),
    ):
        s = driven(leningrad, 1, {"4. Panzer Gruppe": front, "11. Army": home}, target=home)
        assert s.why_not(f"retreat 11. Army {there}") == [reason]


@rule("4.5")
def test_not_into_a_battle_not_yet_resolved(leningrad: Game) -> None:
    units = {"4. Panzer Gruppe": "0918", "11. Army": "1018", "16. Armee": "1217", "22. Corps": "1118"}
    s = leningrad.position(phase="german.allocation", units=units, dice=(2, 6))
    assault(s, "1018", "4. Panzer Gruppe")
    assault(s, "1118", "16. Armee")
    s.do("end attacks")
    s.do("allow retreats")
    first = s.copy()
    first.do("fight 1018")
    first.do("order retreat 1")
    assert first.refuses("retreat 11. Army 1118", because="4.5")
    s.dice = (6, 2)
    s.do("fight 1118")
    while asked(s) != "results.NextBattle":
        s.do(next(a for a in s.legal() if str(a).startswith(("stay", "end", "order retreat 0"))))
    s.do("fight 1018")
    s.do("order retreat 1")
    assert "retreat 11. Army 1118" in legal(s)


@rule("4.6")
def test_overstacking_in_retreat_throws_friends_into_disorder(leningrad: Game) -> None:
    units = {"4. Panzer Gruppe": "0918", "11. Army": "1018", "22. Corps": "1118", "16. Corps": "1118"}
    s = driven(leningrad, 1, units)
    events = s.do("retreat 11. Army 1118")
    assert "4.6" in cited(events)
    assert disrupted(s, "22. Corps")
    assert disrupted(s, "16. Corps")
    assert s.place("22. Corps") == "1118"
    units.pop("16. Corps")
    s = driven(leningrad, 1, units)
    s.do("retreat 11. Army 1118")
    assert not disrupted(s, "22. Corps")


@rule("4.7", "3.13")
def test_v57_into_the_sea(leningrad: Game) -> None:
    for length, lost in ((1, True), (0, False)):
        s = driven(
            leningrad,
            length,
            {"I. Korps": "0306", "X. Korps": "0405", "8. Army": "0305", "48. Army": "0904"},
            die=4,
            target="0305",
        )
        assert has(s, "lost", "8. Army") == lost
        assert lost or disrupted(s, "8. Army")


@rule("4.7")
def test_off_the_map(leningrad: Game) -> None:
    """1019 lies on the southern edge; attacked from NW and NE, the only ways lead off the map."""
    s = driven(leningrad, 1, {"4. Panzer Gruppe": "0918", "LVI. Panzer Korps": "1018", "11. Army": "1019"}, 5, "1019")
    assert has(s, "lost", "11. Army")


@rule("4.8")
def test_a_hex_is_a_hex_on_a_road_too(leningrad: Game) -> None:
    """Back along the road from 1116: one ordered hex is one hex."""
    s = driven(leningrad, 1, {"4. Panzer Gruppe": "1016", "27. Army": "1116"}, die=3, target="1116")
    s.do("retreat 27. Army 1216")
    assert asked(s) == "advance.Advance"
    assert s.place("27. Army") == "1216"


def leningrad_south(leningrad: Game, die: int) -> State:
    s: State = leningrad.position(
        phase="german.allocation",
        units={"16. Armee": "0905", "18. Armee": "1005", "48. Army": "0904"},
        control={"Pskov": "german", "Luga": "german", "Krasnogvardeisk": "german"},
        dice=(die,),
    )
    fight(s, "0904", "16. Armee", "18. Armee")
    return s


@rule("4.9", "9.4", "5.5")
def test_v60_one_hex_out_of_leningrad_is_enough(leningrad: Game) -> None:
    s = leningrad_south(leningrad, die=4)  # 10 to 5: 2:1, D1
    s.do("order retreat 1")
    assert set(legal(s)) == {"retreat 48. Army 0903", "retreat 48. Army 1003"}  # the others touch attackers' hexes
    s.do("retreat 48. Army 0903")
    while asked(s) == "retreat.StepBack":
        s.do("stay 48. Army")
    assert s.phase == "german.blitzkrieg"  # the hex has its own factor still: nobody may enter

    s = leningrad_south(leningrad, die=2)  # D2
    s.do("order retreat 2")
    s.do("retreat 48. Army 0903")
    assert "stay 48. Army" in legal(s)  # it may stop there
    s.do("stay 48. Army")
    assert "advance 16. Armee 0904" in legal(s)
    s.do("advance 16. Armee 0904")
    assert s.place("16. Armee") == "0904"
    assert s.control[leningrad.node("0904")] == 0


@rule("4.9")
def test_elsewhere_two_hexes_are_two_hexes(leningrad: Game) -> None:
    s = driven(leningrad, 2, {"4. Panzer Gruppe": "0918", "11. Army": "1018"})
    s.do("retreat 11. Army 1118")
    assert s.refuses("stay 11. Army", because="3.2")


@rule("4.10")
def test_an_order_that_cannot_be_completed_eliminates(leningrad: Game) -> None:
    """From 1018 there is a first step to 1117, but German zones close every second one."""
    units = {
        "4. Panzer Gruppe": "0918", "LVI. Panzer Korps": "1119", "11. Army": "1018",
        "X. Korps": "1115", "XXVI. Korps": "1317", "I. Korps": "0915",
    }  # fmt: skip
    for length, lost in ((1, False), (2, True)):
        s = leningrad.position(phase="german.allocation", units=units, dice=(2,))
        fight(s, "1018", "4. Panzer Gruppe", "LVI. Panzer Korps")
        s.do(f"order retreat {length}")
        assert has(s, "lost", "11. Army") == lost


@rule("4.10")
def test_a_first_step_that_leads_no_farther_is_refused(leningrad: Game) -> None:
    """The korps in 1218 leaves 1119 no second hex, but 1117 has one."""
    units = {"4. Panzer Gruppe": "0918", "11. Army": "1018", "X. Korps": "0618", "I. Korps": "1218"}
    s = leningrad.position(phase="german.allocation", units=units, dice=(2,))
    fight(s, "1018", "4. Panzer Gruppe")
    s.do("order retreat 2")
    assert legal(s) == ["retreat 11. Army 1117"]
    assert s.why_not("retreat 11. Army 1119") == [("4.10", "the ordered length cannot be completed that way")]


@rule("4.9")
def test_who_is_driven_into_leningrad_may_stop_there(leningrad: Game) -> None:
    s = leningrad.position(phase="german.allocation", dice=(1,),
                           units={"4. Panzer Gruppe": "1006", "16. Armee": "1006", "11. Army": "1005"})  # fmt: skip
    fight(s, "1005", "4. Panzer Gruppe", "16. Armee")
    do(s, "order retreat 2")
    assert s.refuses("stay 11. Army", because="3.2")
    elsewhere = s.copy()
    do(elsewhere, "retreat 11. Army 1004")
    assert elsewhere.refuses("stay 11. Army", because="3.2")
    do(s, "retreat 11. Army 0904", "stay 11. Army")
    assert s.place("11. Army") == "0904"


@rule("4.11")
def test_a_river_does_not_hinder_a_retreat(leningrad: Game) -> None:
    s = driven(leningrad, 1, {"4. Panzer Gruppe": "1211", "11. Army": "1311"}, target="1311")
    assert leningrad.board.crosses(leningrad.node("1311"), leningrad.node("1411"), "river")
    assert "retreat 11. Army 1411" in legal(s)


@rule("3.3")
def test_the_question_says_how_far_the_unit_still_has_to_go(leningrad: Game) -> None:
    s = duel(leningrad, 4, 2, die=1)  # 2:1: D2
    do(s, "fight 1018", "order retreat 2")
    for left in ("2 hexes to go.", "1 hex to go."):
        assert s.decision is not None
        assert s.decision.prompt.endswith(left)
        s.do(s.legal()[0])


@rule("4.6")
def test_who_is_disrupted_already_is_not_thrown_into_disorder_again(leningrad: Game) -> None:
    """In the blitzkrieg nobody recovers before the battles (1.9)."""
    units = {"4. Panzer Gruppe": "0918", "11. Army": "1018", "22. Corps": "1118",
             "41. Corps": {"at": "1118", "disrupted": True}}  # fmt: skip
    s = leningrad.position(phase="german.blitzkrieg.allocation", units=units, dice=(4,))
    assert rolled(fight(s, "1018", "4. Panzer Gruppe"))[1] == "D1"
    do(s, "order retreat 1")
    events = do(s, "retreat 11. Army 1118")
    thrown = [str(event) for event in events if event.rules == ("4.6",)]
    assert thrown == ["22. Corps is thrown into disorder by retreating units (4.6)"]
