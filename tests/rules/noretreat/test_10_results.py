"""Chapter 10, second part: results, losses, retreats and advances (10.7, 10.8)."""

from __future__ import annotations

from typing import Any

from counterblow.games.noretreat.retreat import RETREAT
from tests.helpers import asked, at, do, legal, refused, rule
from tests.rules.noretreat.play import (
    combat,
    face,
    fact,
    fight,
    marked,
    offers,
    outlook,
    pay,
    plan,
    shifts,
    skip_to,
    starting,
    told,
)

# 15 against 4 with armor: 4:1 on the Axis table: 1 EX, 2-3 DR, 4-5 DS, 6 DD
FORCE: dict[str, Any] = {"2nd Panzer": "2210", "9th Army": "2210", "4th Army": "2110"}
ARMY = ("2nd Panzer", "9th Army", "4th Army")


def strike(game: Any, die: int, defender: dict[str, Any] | None = None, **more: Any) -> Any:
    """FORCE attacks 2211."""
    s = combat(game, {**FORCE, **(defender or {"Don": "2211"})}, dice=(die,), **more)
    fight(s, "2211", *ARMY)
    return s


def counterblow(game: Any, units: dict[str, Any], target: str, die: int, *responders: str, **more: Any) -> Any:
    """The Soviets pay for a Counterblow in the Axis turn, and the responders attack it."""
    s = combat(game, units, hands={"soviet": ["Feint"]}, dice=(die,), **more)
    do(s, "done", f"counterblow {target}")
    pay(s)
    skip_to(s, "combat.ChooseBattle")
    do(s, f"attack {target}", *(f"attack with {unit}" for unit in responders), "fight")
    return s


@rule("10.7.CA", "10.7.2.a")
def test_counterattack_is_a_choice_of_the_defender(noretreat: Any) -> None:
    s = combat(noretreat, {"6th Army": "2210", "Central": "2211"}, dice=(1, 5))
    fight(s, "2211", "6th Army")
    assert (s.side, legal(s)) == ("soviet", ["counterattack", "decline to counterattack"])
    quiet = s.copy()
    do(quiet, "decline to counterattack")
    assert (at(quiet, "6th Army"), at(quiet, "Central")) == ("2210", "2211")
    assert fact(s.forecast("counterattack"), "column") == "1:1"  # 5 against 4
    events = do(s, "counterattack")
    assert "Central counterattacks (10.7.2.a)\n5 against 4, 1:1 (10.5.3, 10.5.4)\ndie 5, result EX" in told(events)
    assert face(s, "6th Army") == "reduced"
    assert at(s, "Central") == "Soviet Destroyed"


@rule("10.7.2.a", "10.7.2.e", "10.5.2.a")
def test_a_counterattack_starts_afresh(noretreat: Any) -> None:
    """The first battle's support and cards are gone; the counterattacker commits his own."""
    hands = {"axis": ["Luftflotte"], "soviet": ["Katyusha"]}
    s = combat(
        noretreat, {"6th Army": "2210", "Central": "2211"}, hands=hands, dice=(1,), support={"axis": 1, "soviet": 1}
    )
    plan(s, "2211", "6th Army")
    do(s, "fight", "commit a Support marker", "play Luftflotte")
    skip_to(s, "results.Counterattack") if asked(s) != "results.Counterattack" else None
    assert not shifts(s.forecast("counterattack"))
    do(s, "counterattack")
    assert (s.side, asked(s)) == ("soviet", "combat.CommitSupport")
    do(s, "commit a Support marker")
    assert (s.side, offers(s, "play Katyusha")) == ("soviet", True)
    assert s.support == (0, 0)


@rule("10.7.2.b")
def test_no_terrain_shifts_in_a_counterattack(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "1513", "Central": "1414"}, dice=(1,))
    fight(s, "1414", "9th Army")
    assert not shifts(s.forecast("counterattack"))


@rule("10.7.2.c")
def test_unengaged_units_only_retreat(noretreat: Any) -> None:
    """The 4th Army is stacked with the attacker but stays out: it takes no loss, but retreats."""
    units = {"6th Army": "2210", "4th Army": "2210", "Kalinin": {"at": "2211", "face": "red"}}
    for die, loser in ((5, "6th Army"), (6, None)):
        s = combat(noretreat, units, dice=(1, die))  # 4 against 7: 1:2, a 1 is CA; then 7 against 4: 3:2
        fight(s, "2211", "6th Army")
        assert fact(s.forecast("counterattack"), "defence") == "4"
        do(s, "counterattack")
        if loser:
            assert face(s, loser) == "reduced"
            assert face(s, "4th Army") == "full"
        else:
            assert {t.split(" by ")[0] for t in starting(s, "retreat")} == {"6th Army", "4th Army"}


@rule("10.7.2.d")
def test_counterattacks_chain(noretreat: Any) -> None:
    s = combat(noretreat, {"6th Army": "2210", "Central": "2211"}, dice=(1, 2, 1))
    fight(s, "2211", "6th Army")
    do(s, "counterattack")
    assert (s.side, asked(s)) == ("axis", "results.Counterattack")
    do(s, "counterattack")
    assert (s.side, asked(s)) == ("soviet", "results.Counterattack")


@rule("10.7.CB", "10.7.3.c")
def test_counterblow_result(noretreat: Any) -> None:
    """3:2 on a 3: the phasing player chooses one of his hexes."""
    units = {"9th Army": "2210", "16th Army": "2110", "Kalinin": "2211"}
    s = combat(noretreat, units, dice=(3,))
    fight(s, "2211", "9th Army", "16th Army")
    assert (s.side, starting(s, "leave a Counterblow marker in")) == ("axis", ["2110", "2210"])
    do(s, "leave a Counterblow marker in 2210")
    assert s.standing == (noretreat.node("2210"),)


@rule("10.7.3.c", "10.7.CB")
def test_a_cb_in_a_counterattack_still_marks_the_phasing_side(noretreat: Any) -> None:
    units = {"3rd Panzer": {"at": "2210", "face": "reduced"}, "Kursk": "2211"}
    s = combat(noretreat, {**units}, turn=6, weather="Mud", dice=(1, 4))  # 4 against 3 is 1:1: CA; 3 against 4 is 1:2
    fight(s, "2211", "3rd Panzer")
    do(s, "counterattack")
    s2 = combat(noretreat, {**units}, turn=6, weather="Mud", dice=(1, 5))
    fight(s2, "2211", "3rd Panzer")
    do(s2, "counterattack")
    assert (s2.side, starting(s2, "leave a Counterblow marker in")) == ("axis", ["2210"])


@rule("10.7.CB")
def test_no_marker_no_counterblow(noretreat: Any) -> None:
    """Ruling 36: white-strength units alone get no marker."""
    s = counterblow(noretreat, {"Kampfgruppe 1": "2210", "Don": "2211"}, "2211", 5, "Kampfgruppe 1")  # 2 to 4: 1:2, CB
    assert s.standing == ()


@rule("10.7.DR", "10.7.5.a", "10.8.a")
def test_defender_retreats(noretreat: Any) -> None:
    s = strike(noretreat, 2)
    assert (s.side, asked(s)) == ("soviet", "retreat.Flee")
    do(s, legal(s)[0])
    there = s.at[noretreat.unit("Don")]
    assert noretreat.board.distance(there, noretreat.node("2211")) == 2
    assert (s.side, asked(s)) == ("axis", "advance.Advance")


@rule("10.7.DS", "10.7.6", "7.7.b")
def test_defender_shattered(noretreat: Any) -> None:
    s = strike(noretreat, 4)
    assert at(s, "Don") == "Soviet Shattered"
    assert asked(s) == "advance.Advance"


@rule("10.7.6", "10.7.5.f")
def test_shattered_units_that_cannot_retreat_are_eliminated(noretreat: Any) -> None:
    ring = {"6th Army": "2212", "11th Army": "2311", "17th Army": "2111", "16th Army": "2112", "Don": "2211"}
    s = strike(noretreat, 4, ring)
    assert at(s, "Don") == "Soviet Destroyed"


@rule("10.7.DD")
def test_defender_destroyed(noretreat: Any) -> None:
    """Each unit loses a step; survivors retreat; the attackers may advance."""
    s = strike(noretreat, 6, {"Don": {"at": "2211", "face": "red"}}, turn=17)  # 15 to 6, armor: 3:1, a 6 is DD
    assert face(s, "Don") == "brown"
    assert asked(s) == "retreat.Flee"
    one = strike(noretreat, 6)
    assert at(one, "Don") == "Soviet Destroyed"
    assert asked(one) == "advance.Advance"


@rule("10.7.EX", "10.7.1.d", "10.8.c")
def test_exchange(noretreat: Any) -> None:
    """One step a side in all; nobody retreats or advances."""
    s = strike(noretreat, 1)  # 4:1 on a 1 is EX
    assert (s.side, asked(s)) == ("axis", "results.StepLoss")
    do(s, "take the loss from 9th Army")
    assert [face(s, unit) for unit in ARMY] == ["full", "reduced", "full"]
    assert at(s, "Don") == "Soviet Destroyed"
    assert asked(s) != "advance.Advance"
    assert at(s, "2nd Panzer") == "2210"


@rule("10.7.0", "10.8.c")
def test_no_effect(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "2210", "Don": "2211"}, dice=(3,))
    assert "no effect" in told(fight(s, "2211", "9th Army"))
    assert (at(s, "9th Army"), at(s, "Don")) == ("2210", "2211")


@rule("10.7.pending", "10.7.3.d")
def test_standing_counterblows(noretreat: Any) -> None:
    """A marker of a CB result must be attacked in the next player turn by whoever is still next to it."""
    s = combat(noretreat, {"9th Army": "2210", "Don": "2211"}, dice=(4, 3))
    fight(s, "2211", "9th Army")
    do(s, "leave a Counterblow marker in 2210")
    skip_to(s, "movement.MoveUnits")
    assert s.phase == "soviet.movement"
    assert "counterblow" in [m["kind"] for m in s.view(None)["markers"]]
    moved = s.copy()
    do(s, "done")
    skip_to(s, "combat.DeclareTargets")
    do(s, "done")
    skip_to(s, "combat.ChooseBattle")
    assert starting(s, "attack") == ["2210"]
    do(moved, "move Don", "move Don 2312", "done")
    skip_to(moved, "combat.DeclareTargets")
    do(moved, "done")
    assert asked(moved) != "combat.ChooseBattle"
    while moved.phase == "soviet.combat":
        do(moved, legal(moved)[0])
    skip_to(moved, "movement.MoveUnits")
    assert moved.standing == ()


@rule("10.7.pending", "10.7.3.a", "10.1.2.d")
def test_a_fort_attacks_a_standing_counterblow_without_terrain(noretreat: Any) -> None:
    """Vector of the example: the Leningrad fort attacks the 9th Army under its marker."""
    units = {"9th Army": "1403", "Leningrad": {"at": "1402", "face": "fort"}}
    s = combat(noretreat, units, "soviet", turn=6, weather="Mud", counterblows=["1403"])
    do(s, "done")
    skip_to(s, "combat.ChooseBattle")
    do(s, "attack 1403", "attack with Leningrad")
    assert not shifts(s.forecast("fight"))
    lapsed = combat(noretreat, {"Leningrad": {"at": "1402", "face": "fort"}}, "soviet", counterblows=["1403"])
    do(lapsed, "done")
    assert asked(lapsed) != "combat.ChooseBattle"


@rule("10.7.1.a", "10.7.1.b")
def test_step_losses_are_the_owners_choice(noretreat: Any) -> None:
    s = strike(noretreat, 1)
    assert set(starting(s, "take the loss from")) == set(ARMY)
    do(s, "take the loss from 2nd Panzer")
    assert face(s, "2nd Panzer") == "reduced"
    weak = {"9th Army": {"at": "2210", "face": "reduced"}, "4th Army": "2210", "6th Army": "2110", "Don": "2211"}
    t = combat(noretreat, weak, dice=(3,), turn=6, weather="Mud")  # 11 against 4 is 2:1, a 3 is EX
    fight(t, "2211", "9th Army", "4th Army", "6th Army")
    do(t, "take the loss from 9th Army")
    assert at(t, "9th Army") == "Axis Destroyed"


@rule("10.7.3.a", "10.7.3.b", "10.8.b")
def test_counterblow_battles(noretreat: Any) -> None:
    """The phasing player is the attacker; Disorganized and white-strength responders do not advance."""
    units = {"2nd Panzer": "2210", "9th Army": {"at": "2210", "disorganized": True}, "Kampfgruppe 1": "2110",
             "4th Army": "2110", "South": "2211"}  # fmt: skip
    s = counterblow(noretreat, units, "2211", 3, "2nd Panzer", "9th Army", "Kampfgruppe 1", "4th Army")
    skip_to(s, "advance.Advance")
    assert {t.split()[0] for t in starting(s, "advance")} == {"2nd", "4th"}
    assert refused(s, "advance 9th Army 2211", because="10.7.3.b")
    assert refused(s, "advance Kampfgruppe 1 2211", because="10.8.b")


@rule("10.7.3.d", "11.2")
def test_a_cb_marker_outlives_its_own_removal_phase(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "2210", "Don": "2211"}, dice=(4,))
    fight(s, "2211", "9th Army")
    do(s, "leave a Counterblow marker in 2210")
    while s.phase.startswith("axis"):
        do(s, legal(s)[-1])
    assert s.standing == (noretreat.node("2210"),)


@rule("10.7.4", "10.7.5.h", "14.1.a")
def test_forts(noretreat: Any) -> None:
    """DR no effect, DS an exchange, DD without a retreat, even for the Regional unit that is left."""
    fort = {"Moscow": {"at": "2211", "face": "fort"}}  # 4 (white) in clear terrain: 4:1
    held = strike(noretreat, 2, fort)
    assert (at(held, "Moscow"), face(held, "Moscow")) == ("2211", "fort")
    assert asked(held) != "advance.Advance"
    shattered = strike(noretreat, 4, fort)
    do(shattered, "take the loss from 9th Army")
    assert (at(shattered, "Moscow"), face(shattered, "Moscow")) == ("2211", "brown")
    assert face(shattered, "9th Army") == "reduced"
    destroyed = strike(noretreat, 6, fort)
    assert (at(destroyed, "Moscow"), face(destroyed, "Moscow")) == ("2211", "brown")
    assert asked(destroyed) != "retreat.Flee"
    assert face(destroyed, "9th Army") == "full"
    stacked = strike(noretreat, 4, {**fort, "Don": "2211"}, turn=23, weather="Clear")  # 15 to 8: 1:1 and up
    assert at(stacked, "Don") == "2211"


@rule("10.7.5.a")
def test_retreats_go_two_hexes_away_toward_supply(noretreat: Any) -> None:
    s = strike(noretreat, 2)
    assert {t.split("-")[-1] for t in starting(s, "retreat Don by")} == {"2012"}  # Voronezh
    assert refused(s, "retreat Don by 2211-2112-2212", because="10.7.5.a")  # zig-zag: one hex away only
    assert refused(s, "retreat Don by 2211-2112-2113", because="10.7.5.a")  # away from supply
    for path in ("2211-2112", "2211-2112-2012-1912"):
        assert s.why_not(f"retreat Don by {path}") == [("10.7.5.a", "a retreat is 2 hexes long")]
    lost = strike(noretreat, 2, control={"Voronezh": "axis"})
    far = noretreat.views.overlay(lost, "supply", 1, None, None)["hexes"]
    assert {far[t.split("-")[-1]] for t in starting(lost, "retreat Don by")} == {1}


@rule("10.7.5.b")
def test_an_area_ends_a_retreat(noretreat: Any) -> None:
    units = {
        "Don": "1502",
        "Kalinin": "1503",
        "2nd Tank": "1503",
        "18th Army": "1402",
        "Volkhov": "1403",
        "West": "1302",
    }
    s = combat(noretreat, units, "soviet", turn=13, dice=(4,), control={"Leningrad": "axis"})
    fight(s, "1402", "Don", "Kalinin", "2nd Tank", "Volkhov")  # 17 against 3, 5:1 less city and Objective: 3:1
    assert starting(s, "retreat 18th Army by") == ["1402-Finland"]
    do(s, "retreat 18th Army by 1402-Finland")
    assert at(s, "18th Army") == "Finland"


@rule("10.7.5.c", "10.7.5.d")
def test_forbidden_retreats(noretreat: Any) -> None:
    s = strike(noretreat, 2)
    assert refused(s, "retreat Don by 2211-2210-2209", because="10.7.5.c")  # an enemy unit
    assert refused(s, "retreat Don by 2211-2311-2411", because="10.7.5.d")  # an enemy zone
    lake = combat(
        noretreat, {"18th Army": "1103", "16th Army": "1205", "2nd Panzer": "1205", "Northwest": "1104"}, dice=(6,)
    )
    plan(lake, "1104", "18th Army")
    assert "1204" not in [noretreat.board.labels[n] for n in noretreat.charts.beside[noretreat.node("1104")]]


@rule("10.7.5.d", "8.5.4")
def test_friends_open_a_zone_to_retreats(noretreat: Any) -> None:
    """The only way leads through a hex in a German zone that holds a friend."""
    ring = {"6th Army": "2112", "11th Army": "2313", "17th Army": "2310", "Don": "2211"}
    alone = strike(noretreat, 2, ring)
    assert at(alone, "Don") == "Soviet Destroyed"
    helped = strike(noretreat, 2, {**ring, "Kalinin": "2311", "West": "2411"})
    assert asked(helped) == "retreat.Flee"


@rule("10.7.5.e", "8.4.3")
def test_overstacking_after_a_retreat(noretreat: Any) -> None:
    s = strike(noretreat, 2, {"Don": "2211", "Kalinin": "2012"})
    do(s, legal(s)[0], "done")
    assert at(s, "Don") == "2012"
    assert asked(s) == "stacking.Excess"
    do(s, "take off Don")
    assert at(s, "Don") == "Soviet Shattered"


@rule("10.7.5.f")
def test_no_retreat_means_elimination(noretreat: Any) -> None:
    ring = {"6th Army": "2212", "11th Army": "2311", "17th Army": "2111", "16th Army": "2112", "Don": "2211"}
    assert strike(noretreat, 2, ring).place("Don") == "Soviet Destroyed"
    hungry = {**ring, "Don": {"at": "2211", "unsupplied": True}}
    assert strike(noretreat, 2, hungry).place("Don") in ("Soviet Surrendered",)


@rule("10.7.5.g")
def test_retreats_count_hexes_not_mps(noretreat: Any) -> None:
    """A Shock unit with two MPs retreats through friends and rough ground all the same."""
    units = {**FORCE, "1st Panzer": "2111", "Reserve": {"at": "2211", "face": "red"}, "Kalinin": "2112", "West": "2212"}
    s = combat(noretreat, units, turn=11, weather="Mud", dice=(5,))  # 22 against 8 is 2:1, a 5 is DR
    fight(s, "2211", *ARMY, "1st Panzer")
    assert any(t.startswith(("2211-2212", "2211-2112")) for t in starting(s, "retreat Reserve by"))


@rule("10.8.a", "8.4.1.a")
def test_advances_up_to_the_stacking_limit(noretreat: Any) -> None:
    s = strike(noretreat, 4, weather="Mud", turn=6, defender={"South": "2211"})
    skip_to(s, "advance.Advance")
    do(s, "advance 2nd Panzer 2211", "advance 9th Army 2211")
    assert asked(s) != "advance.Advance"  # two units fill the hex, and in Mud nobody goes on
    assert at(s, "4th Army") == "2110"


@rule("10.8.b")
def test_forts_never_advance(noretreat: Any) -> None:
    units = {
        "Leningrad": {"at": "2210", "face": "fort"},
        "Kalinin": {"at": "2110", "face": "red"},
        "3rd Rumanian": "2211",
    }
    s = combat(noretreat, units, "soviet", counterblows=["2211"], dice=(6,))
    do(s, "done")
    skip_to(s, "combat.ChooseBattle")
    do(s, "attack 2211", "attack with Leningrad", "attack with Kalinin", "fight")
    skip_to(s, "advance.Advance")
    assert refused(s, "advance Leningrad 2211", because="10.8.b")
    assert offers(s, "advance Kalinin 2211")


@rule("10.8.c", "14.9.2")
def test_no_advance_while_the_hex_is_held(noretreat: Any) -> None:
    """A Cadre formed in the hex keeps it (ruling 32)."""
    s = strike(noretreat, 6, boxes={"Cadres": ["Ostatky 1"]})
    do(s, "form Ostatky 1 in 2211")
    assert at(s, "Ostatky 1") == "2211"
    assert asked(s) != "advance.Advance"


@rule("10.8.1.a", "10.8.1.c", "10.8.2")
def test_multi_hex_advances(noretreat: Any) -> None:
    """Infantry two hexes, armor three in Clear weather, the second in any direction."""
    s = strike(noretreat, 4)
    assert refused(s, "advance 9th Army 2212", because="10.8.1.a")
    do(s, "advance 9th Army 2211")
    assert refused(s, "advance 9th Army 2214", because="10.8.1.a")  # hex by hex
    assert len(starting(s, "advance 9th Army")) == 6
    do(s, "advance 9th Army 2111")
    assert asked(s) == "advance.Advance"
    do(s, "advance 2nd Panzer 2211", "advance 2nd Panzer 2212", "advance 2nd Panzer 2312")
    assert at(s, "2nd Panzer") == "2312"
    assert asked(s) == "advance.Advance"


@rule("10.8.1.b", "13.1.mud", "13.1.snow.d", "13.1.lw.a")
def test_advances_by_weather(noretreat: Any) -> None:
    for weather, hexes in (("Clear", 3), ("Snow", 2), ("Mud", 1), ("Long Winter", 1)):
        units = {**FORCE, "1st Panzer": "2111", "South": "2211"}
        s = combat(noretreat, units, turn=7, weather=weather, dice=(6,))
        fight(s, "2211", *ARMY, "1st Panzer")
        skip_to(s, "advance.Advance")
        do(s, "advance 2nd Panzer 2211")
        length = 1
        while asked(s) == "advance.AdvanceOn":
            do(s, legal(s)[0])
            length += 1
        assert length == hexes, weather


@rule("10.8.1.b")
def test_advances_keep_off_enemies_and_prohibited_hexsides(noretreat: Any) -> None:
    s = strike(noretreat, 4, {"South": "2211", "Kalinin": "2212"})
    skip_to(s, "advance.Advance")
    do(s, "advance 9th Army 2211")
    assert refused(s, "advance 9th Army 2212", because="10.8.1.b")


@rule("10.8.1.d")
def test_rough_terrain_stops_an_advance(noretreat: Any) -> None:
    """2209 is a forest: nobody goes on from there; a river does not stop."""
    units = {"2nd Panzer": "2210", "1st Panzer": "2210", "9th Army": "2109", "South": "2209"}
    s = combat(noretreat, units, dice=(5,))
    fight(s, "2209", "2nd Panzer", "1st Panzer", "9th Army")
    skip_to(s, "advance.Advance")
    do(s, "advance 2nd Panzer 2209")
    assert asked(s) != "advance.AdvanceOn"
    river = combat(
        noretreat, {"2nd Panzer": "1414", "1st Panzer": "1414", "9th Army": "1415", "South": "1515"}, dice=(5,)
    )
    fight(river, "1515", "2nd Panzer", "1st Panzer", "9th Army")
    skip_to(river, "advance.Advance")
    do(river, "advance 2nd Panzer 1515")
    assert asked(river) == "advance.AdvanceOn"


@rule("10.8.1.e")
def test_advances_may_end_on_friends(noretreat: Any) -> None:
    s = strike(noretreat, 4, {"South": "2211", "6th Army": "2212", "17th Army": "2212"})
    skip_to(s, "advance.Advance")
    do(s, "advance 9th Army 2211", "advance 9th Army 2212", "done")
    assert asked(s) == "stacking.Excess"


@rule("10.8.2", "13.5.11.a")
def test_soviet_armor_advances_three_hexes_from_turn_11(noretreat: Any) -> None:
    units = {"2nd Tank": "2210", "Reserve": {"at": "2110", "face": "red"}, "Kalinin": {"at": "2111", "face": "red"},
             "3rd Rumanian": "2211"}  # fmt: skip
    for turn, hexes in ((10, 2), (11, 3)):
        s = combat(noretreat, units, "soviet", turn=turn, dice=(6,))
        fight(s, "2211", "2nd Tank", "Reserve", "Kalinin")
        skip_to(s, "advance.Advance")
        do(s, "advance 2nd Tank 2211")
        length = 1
        while asked(s) == "advance.AdvanceOn":
            do(s, legal(s)[0])
            length += 1
        assert length == hexes


@rule("10.7.EX", "10.7.2.a")
def test_the_1st_baltic_front_of_the_example(noretreat: Any) -> None:
    """The 4th Army responds to a Counterblow at 1:2, a 1 is CA; the counterattack at 3:2 gives EX on a 4 or 5."""
    units = {"4th Army": "2210", "1st Baltic": "2211"}
    for die in (4, 5):
        s = counterblow(noretreat, units, "2211", 1, "4th Army", turn=7)
        s.dice = (die,)
        assert fact(s.forecast("counterattack"), "column") == "3:2"
        do(s, "counterattack")
        assert face(s, "4th Army") == "reduced"
        assert (at(s, "Kalinin"), face(s, "Kalinin")) == ("Soviet Destroyed", "red")


def test_forecasts_are_offered_where_a_die_will_be_rolled(noretreat: Any) -> None:
    s = combat(noretreat, {**FORCE, "Don": "2211"})
    forecast = outlook(s, "2211", *ARMY)
    assert (fact(forecast, "odds"), fact(forecast, "column")) == ("3:1", "4:1")
    assert str(forecast.chance("DR")) == "1/3"
    assert str(forecast.chance("DD")) == "1/6"
    assert not marked(s, "Don", "unsupplied")


@rule("10.7.pending")
def test_a_cb_marker_goes_when_its_hex_is_vacated(noretreat: Any) -> None:
    """A later counterattack throws the marked stack out and takes its hex: nobody has to attack that hex now."""
    units = {"4th Army": "1615", "6th Army": "1615", "9th Army": "1514", "West": "1715", "Southwest": "1616"}
    s = combat(noretreat, units, dice=(4, 1, 6))
    do(s, "target 1715", "target 1616", "done", "attack 1715", "attack with 4th Army", "fight")
    do(s, "leave a Counterblow marker in 1615", "attack 1616", "attack with 6th Army", "fight", "counterattack")
    do(s, "retreat 4th Army by 1615-1515-1415", "retreat 6th Army by 1615-1515-1415")
    assert s.standing == ()
    do(s, "advance Southwest 1615", "halt Southwest")
    assert asked(s) != "combat.ChooseBattle"


@rule("5.3.1", "10.7.2.a")
def test_spring_awakening_costs_a_step_even_if_it_is_answered(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "2210", "Don": {"at": "2211", "face": "red"}}, turn=26,
               hands={"axis": ["Spring Awakening"]}, dice=(1, 3))  # fmt: skip
    plan(s, "2211", "9th Army")
    do(s, "fight", "play Spring Awakening")  # 4 against 6: 1:2, two shifts make it 3:2; a 1 is CA
    do(s, "counterattack")
    assert face(s, "9th Army") == "reduced"
    lone = combat(noretreat, {"9th Army": {"at": "2210", "face": "reduced"}, "Don": {"at": "2211", "face": "red"}},
                  turn=26, hands={"axis": ["Spring Awakening"]}, dice=(1, 3))  # fmt: skip
    plan(lone, "2211", "9th Army")
    do(lone, "fight", "play Spring Awakening")
    skip_to(lone, "results.Counterattack")
    do(lone, "counterattack")
    assert (at(lone, "9th Army"), lone.battle) == ("Axis Destroyed", None)


@rule("10.3.4", "10.7.pending")
def test_a_standing_counterblow_is_fought_once(noretreat: Any) -> None:
    units = {"9th Army": "2210", "South": "2211", "Kalinin": "2209"}
    s = combat(noretreat, units, side="soviet", counterblows=["2210"], dice=(4,))  # 3 against 4: 1:2, a 4 is nothing
    do(s, "done", "attack 2210", "attack with South", "fight")
    assert asked(s) != "combat.ChooseBattle"
    assert s.standing == ()


@rule("10.7.CB", "10.1.d")
def test_a_counterblow_battle_needs_a_marker_that_is_free(noretreat: Any) -> None:
    """Ruling 12: with five targets still to be attacked there is none; with four there is."""
    axis = ("4th Army", "6th Army", "9th Army", "11th Army", "17th Army", "8th Army")
    soviet = ("West", "Kalinin", "Volkhov", "Voronezh", "Stalingrad", "Don")
    units = {name: f"18{row:02}" for name, row in zip(axis, range(8, 20, 2), strict=True)}
    units |= {name: f"19{row:02}" for name, row in zip(soviet, range(8, 20, 2), strict=True)}
    for targets, asks in ((5, False), (4, True)):
        s = combat(noretreat, units, hands={"soviet": ["Feint"]}, dice=(4,))
        do(s, *(f"target 19{row:02}" for row in range(8, 8 + 2 * targets, 2)))
        if asked(s) == "combat.DeclareTargets":
            do(s, "done")
        do(s, "counterblow 1918")
        pay(s)
        events = do(s, "attack 1918", "attack with 8th Army", "fight")  # 1:1, a 4 is CB
        assert (asked(s) == "results.PutCounterblow") is asks
        assert ("no Counterblow marker can be placed" in told(events)) is not asks


@rule("10.7.5.a")
def test_no_zigzag_even_toward_a_city(noretreat: Any) -> None:
    """The Don front next to Voronezh may pass through the city but not end there."""
    units = {"2nd Panzer": "2213", "9th Army": "2213", "Don": "2112"}
    s = combat(noretreat, units, dice=(3,))  # 2:1 and armor: 3:1, a 3 is DR
    fight(s, "2112", "2nd Panzer", "9th Army")
    assert asked(s) == "retreat.Flee"
    assert refused(s, "retreat Don by 2112-2111-2012", because="10.7.5.a")
    start = noretreat.node("2112")
    ends = {path.split("-")[-1] for path in starting(s, "retreat Don by")}
    assert ends
    assert all(noretreat.board.distance(start, noretreat.node(end)) == 2 for end in ends)


@rule("10.8.a")
def test_who_advances_is_told_by_rule(noretreat: Any) -> None:
    s = combat(noretreat, {**FORCE, "16th Army": "2310", "Don": "2211"}, dice=(2,))
    fight(s, "2211", *ARMY)
    skip_to(s, "advance.Advance")
    assert [c.text for c in s.why_not("advance SS Panzer 2211")] == ["it did not attack in this battle"]


@rule("14.9.2")
def test_a_cadre_forms_only_after_a_dd_or_ex(noretreat: Any) -> None:
    """The step lost to Hedgehogs is neither; the one of an EX is."""
    units = {"Don": "2211", "9th Army": "2210"}
    more: dict[str, Any] = {"boxes": {"Cadres": ["Ostatky 1"]}, "side": "soviet", "turn": 8}
    s = combat(noretreat, units, hands={"axis": ["Hedgehogs"]}, dice=(1, 6), **more)
    plan(s, "2210", "Don")
    do(s, "fight")
    skip_to(s, "combat.BattleEvent")
    do(s, "play Hedgehogs")
    assert at(s, "Don") == "Soviet Destroyed"
    assert asked(s) != "special.PlaceCadre"
    exchange = combat(noretreat, units, dice=(5,), **more)  # 1:1, a 5 is EX
    fight(exchange, "2210", "Don")
    assert asked(exchange) == "special.PlaceCadre"


@rule("10.7.pending")
def test_a_counterblow_that_nobody_answered_lapses(noretreat: Any) -> None:
    """No front is next to the marked army in the Soviet turn: the marker does not wait for another one."""
    s = combat(noretreat, {"9th Army": "2210", "Don": "2213"}, side="soviet", counterblows=["2210"])
    assert s.standing
    skip_to(s, "organization.Flip")
    assert (s.phase, s.standing) == ("axis.organization", ())


@rule("10.7.CB")
def test_one_cb_marker_a_hex(noretreat: Any) -> None:
    """Both armies of a stack get a CB in their battles: the second finds no hex for its marker."""
    units = {"4th Army": "1615", "6th Army": "1615", "West": "1715", "Kalinin": "1616"}
    s = combat(noretreat, units, dice=(4, 4))  # twice 4 against 4: 1:1, a 4 is CB
    do(s, "target 1715", "target 1616", "done", "attack 1715", "attack with 4th Army", "fight")
    do(s, "leave a Counterblow marker in 1615")
    events = do(s, "attack 1616", "attack with 6th Army", "fight")
    assert "no Counterblow marker can be placed" in told(events)
    assert len(s.standing) == 1


@rule("10.7.5.b", "8.7.a", "10.8.a")
def test_retreats_and_advances_into_the_balkans_once_they_are_open(noretreat: Any) -> None:
    """Germans may from the turn after the oil has fallen, Hungarians never."""
    board, areas = noretreat.board, noretreat.charts.balkans
    west = next(label for label in board.labels[: board.hexes]
                if set(areas) & set(noretreat.charts.beside[noretreat.node(label)]))  # fmt: skip
    ways = {}
    for name, triggers in (("9th Army", {}), ("9th Army", {"Oil": 18}), ("2nd Hungarian", {"Oil": 18})):
        s = combat(noretreat, {name: west, "Don": "2210"}, "soviet", turn=20, triggers=triggers)
        unit = noretreat.unit(name)
        ends = {path[-1] for path in RETREAT.complete_paths(s, unit, (s.at[unit],), 2)}
        ways[name, bool(triggers)] = bool(ends & set(areas))
    assert ways == {("9th Army", False): False, ("9th Army", True): True, ("2nd Hungarian", True): False}


@rule("10.7.5.b")
def test_who_retreats_from_the_balkans_leaves_them(noretreat: Any) -> None:
    """An area ends a retreat that leads into it, not one that begins there."""
    red = {unit: {"at": node, "face": "red"} for unit, node in (("South", "0720"), ("Don", "0620"))}
    s = combat(noretreat, {"Group F": "Western Balkans", "9th Army": "0210", **red}, "soviet", 24,
               triggers={"Oil": 19}, dice=(6,))  # fmt: skip
    fight(s, "Western Balkans", "South", "Don")
    assert asked(s) == "retreat.Flee"
    assert refused(s, "retreat Group F by Western Balkans", because="10.7.5.a")
    assert all(len(path.split("-")) == 3 for path in legal(s))
