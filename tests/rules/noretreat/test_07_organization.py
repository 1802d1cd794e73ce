"""Chapter 7: organization."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, at, do, log, refused, rule
from tests.rules.noretreat.play import combat, face, hand, marked, offers, organizing, pay, plan, starting, told

CARDS = ["Feint", "Reserves", "Pioneers", "Hedgehogs"]
HOME = {"9th Army": "0810"}


def placing(game: Any, side: str = "axis", turn: int = 7, **more: Any) -> Any:
    """An Organization Phase in its Placement Step."""
    more.setdefault("hands", {side: CARDS})
    s = organizing(game, more.pop("units", {}), side, turn, **more)
    do(s, "done")
    return s


@rule("7.0.A")
def test_only_overland_units_flip(noretreat: Any) -> None:
    reduced = {"at": "1721", "face": "reduced"}
    s = organizing(
        noretreat, {"11th Army": reduced, "9th Army": {"at": "0810", "face": "reduced"}}, hands={"axis": CARDS}
    )
    assert refused(s, "improve 11th Army", because="7.0.A")
    assert offers(s, "improve 9th Army")


@rule("7.1.a", "7.1.b", "5.4")
def test_axis_improvement_costs_two_cards(noretreat: Any) -> None:
    s = organizing(
        noretreat, {"9th Army": {"at": "0810", "face": "reduced"}, "4th Army": "0811"}, hands={"axis": CARDS}
    )
    assert refused(s, "improve 4th Army", because="7.1.a")
    do(s, "improve 9th Army", "discard Feint")
    assert asked(s) == "cards.Pay"
    do(s, "discard Reserves")
    assert face(s, "9th Army") == "full"
    poor = organizing(noretreat, {"9th Army": {"at": "0810", "face": "reduced"}}, hands={"axis": ["Feint"]})
    assert refused(poor, "improve 9th Army", because="7.1.b")


@rule("7.1.b", "14.5.b", "14.6.b")
def test_ss_units_improve_for_one_card(noretreat: Any) -> None:
    for name in ("SS Panzer", "SS Panzergrenadier"):
        s = organizing(noretreat, {name: {"at": "0810", "face": "reduced"}}, turn=17, hands={"axis": ["Feint"]})
        do(s, f"improve {name}", "discard Feint")
        assert face(s, name) == "full"
        assert asked(s) != "cards.Pay"


@rule("7.1.c", "7.3", "14.7.b")
def test_soviet_improvement_from_turn_17(noretreat: Any) -> None:
    units = {"Don": "2210", "Reserve": "2310"}
    early = organizing(noretreat, units, "soviet", turn=16, hands={"soviet": CARDS})
    assert refused(early, "improve Don", because="7.1.c")
    s = organizing(noretreat, units, "soviet", turn=17, hands={"soviet": ["Feint", "Reserves", "Pioneers"]})
    do(s, "improve Don")
    assert pay(s) == 1
    assert (face(s, "Don"), asked(s)) == ("red", "organization.Flip")
    do(s, "improve Reserve")
    assert pay(s) == 2  # a Shock unit
    assert hand(s, "soviet") == []


@rule("7.2.0", "13.5.6", "13.5.3.c")
def test_one_free_upgrade_from_turn_6(noretreat: Any) -> None:
    units = {"Don": "2210", "Kalinin": "2310"}
    assert organizing(noretreat, units, "soviet", turn=5).refuses("upgrade Don", because="7.2.0")
    s = organizing(noretreat, units, "soviet", turn=6)
    do(s, "upgrade Don")
    assert face(s, "Don") == "red"
    assert refused(s, "upgrade Kalinin", because="7.2.0")


@rule("7.2.1", "13.5.13", "13.5.18.b")
def test_a_second_upgrade_on_turns_13_to_17(noretreat: Any) -> None:
    units = {"Don": "2210", "Kalinin": "2310", "Kursk": "2309"}
    for turn, free in ((12, 1), (13, 2), (17, 2), (18, 1)):
        s = organizing(noretreat, units, "soviet", turn=turn)
        for count in range(free):
            do(s, f"upgrade {('Don', 'Kalinin')[count]}")
        assert not starting(s, "upgrade")


@rule("7.2.2.a", "7.2.2.b", "7.3", "7.9.2")
def test_brittle_red_units_and_how_they_return(noretreat: Any) -> None:
    """A red unit dies at one step before turn 17, keeps its side in the box, and returns red then, brown later."""
    units = {"2nd Panzer": "2210", "9th Army": "2210", "1st Panzer": "2110", "Kalinin": {"at": "2211", "face": "red"}}
    s = combat(noretreat, units, turn=13, dice=(6,), weather="Clear")
    plan(s, "2211", "2nd Panzer", "9th Army", "1st Panzer")
    do(s, "fight")
    assert at(s, "Kalinin") == "Soviet Destroyed"
    assert face(s, "Kalinin") == "red"
    for turn, back in ((16, "red"), (17, "brown")):
        t = placing(noretreat, "soviet", turn, units={"Don": "2310"}, boxes={"Destroyed": ["1st Baltic"]})
        do(t, "replace Kalinin")
        pay(t)
        do(t, "place Kalinin 2409")
        assert face(t, "Kalinin") == back


@rule("7.2.2.c")
def test_brown_and_red_units_surrender_as_two_step_counters(noretreat: Any) -> None:
    for side in ("brown", "red"):
        units = {"Kalinin": {"at": "0510", "face": side, "unsupplied": True}}
        s = noretreat.position(turn=7, phase="soviet.removal", units=units)
        assert at(s, "Kalinin") == "Soviet Surrendered"


@rule("7.4")
def test_allies_and_cadres_have_one_step(noretreat: Any) -> None:
    s = organizing(noretreat, {"3rd Rumanian": "1022", "Kampfgruppe 1": "0810"}, hands={"axis": CARDS})
    assert refused(s, "improve 3rd Rumanian", because="7.4")
    assert refused(s, "improve Kampfgruppe 1", because="7.4")


@rule("7.5.a", "7.5.c", "13.5.3.a")
def test_fortress_conversion(noretreat: Any) -> None:
    hungry = {"Moscow": {"at": "1907", "unsupplied": True}, "Don": "2210"}
    early = organizing(noretreat, hungry, "soviet", turn=2, hands={"soviet": ["Feint"]})
    assert refused(early, "fortify Moscow", because="7.5.c")
    s = organizing(noretreat, hungry, "soviet", turn=3, hands={"soviet": ["Feint"]})
    assert refused(s, "fortify Don", because="7.5.a")
    do(s, "fortify Moscow")
    assert pay(s) == 1
    assert face(s, "Moscow") == "fort"
    assert hand(s, "soviet") == []
    poor = organizing(noretreat, hungry, "soviet", turn=3)
    assert refused(poor, "fortify Moscow", because="7.5.a")


@rule("7.5.b", "14.1.a")
def test_reversion_is_free(noretreat: Any) -> None:
    s = organizing(noretreat, {"Moscow": {"at": "1907", "face": "fort"}, "Don": "2210"}, "soviet")
    assert refused(s, "revert Don", because="7.5.b")
    do(s, "revert Moscow")
    assert face(s, "Moscow") == "brown"
    assert asked(s) == "organization.Flip"


@rule("7.6.a", "7.6.b")
def test_axis_placement(noretreat: Any) -> None:
    s = placing(noretreat, boxes={"Destroyed": ["4th Army"]}, control={"Minsk": "axis"}, units={"Don": "0911"})
    do(s, "replace 4th Army")
    places = starting(s, "place 4th Army")
    assert "0210" in places
    assert "1210" not in places  # a city, but not in Greater Germany
    assert refused(s, "place 4th Army 1210", because="7.6.b")
    assert refused(s, "place 4th Army 0811", because="7.6.a")  # Warsaw lies in a Soviet zone
    assert refused(s, "place 4th Army 0108", because="7.6.b")  # the edge is for recovering units


@rule("7.6.b")
def test_axis_cities_need_an_overland_path(noretreat: Any) -> None:
    ring = {"Don": "0615", "Kalinin": "0716", "South": "0718"}
    s = placing(noretreat, boxes={"Destroyed": ["4th Army"]}, units={**ring, "Kursk": "0516", "Steppe": "0518"})
    do(s, "replace 4th Army")
    assert "0617" not in starting(s, "place 4th Army")


@rule("7.6.c")
def test_axis_recovery(noretreat: Any) -> None:
    s = placing(noretreat, boxes={"Shattered": ["4th Army"]}, control={"Minsk": "axis"})
    do(s, "recover 4th Army")
    places = starting(s, "place 4th Army")
    assert {"1210", "0108", "0210"} <= set(places)
    assert refused(s, "place 4th Army 1414", because="7.6.c")


@rule("7.6.d")
def test_soviet_placement(noretreat: Any) -> None:
    units = {"9th Army": "1808", "4th Army": "2410"}
    s = placing(noretreat, "soviet", boxes={"Destroyed": ["Don"]}, units=units, control={"Lublin": "soviet"})
    do(s, "replace Don")
    pay(s)
    places = starting(s, "place Don")
    assert "1907" in places  # Moscow, although in a German zone
    assert "2306" in places  # the edge
    assert "2510" not in places  # the edge, but in a German zone
    assert "0913" not in places
    assert refused(s, "place Don 2510", because="7.6.a")
    assert refused(s, "place Don 2210", because="7.6.d")


@rule("7.6.e")
def test_soviet_recovery_in_greater_germany(noretreat: Any) -> None:
    control = {"Lublin": "soviet", "Warsaw": "soviet"}
    s = placing(noretreat, "soviet", 20, boxes={"Shattered": ["Don"]}, control=control, units={"9th Army": "0710"})
    do(s, "recover Don")
    places = starting(s, "place Don")
    assert "0913" in places
    assert refused(s, "place Don 0811", because="7.6.a") or "0811" not in places
    assert refused(s, "place Don 2210", because="7.6.e")


@rule("7.7.a", "7.7.b")
def test_recovery(noretreat: Any) -> None:
    s = placing(noretreat, boxes={"Shattered": ["4th Army", "6th Army"]})
    assert refused(s, "done", because="7.7.a")  # recovery is not optional
    number = noretreat.unit("4th Army")
    s.face[number] = 1
    do(s, "recover 4th Army", "place 4th Army 0811", "recover 6th Army", "place 6th Army 0210")
    assert (face(s, "4th Army"), face(s, "6th Army")) == ("reduced", "full")
    assert marked(s, "4th Army", "disorganized")
    assert len(hand(s, "axis")) == 4
    assert refused(s, "recover 4th Army", because="7.7.a")


@rule("7.8")
def test_reinforcements(noretreat: Any) -> None:
    s = placing(noretreat, turn=7, track={"2nd Hungarian": 7, "Luftwaffe": 10})
    assert refused(s, "bring in Luftwaffe", because="7.8")
    do(s, "bring in 2nd Hungarian", "place 2nd Hungarian 0617")
    assert at(s, "2nd Hungarian") == "0617"
    assert not marked(s, "2nd Hungarian", "disorganized")


@rule("7.9.a", "7.9.b", "7.9.c", "14.7.b")
def test_prices_of_replacements(noretreat: Any) -> None:
    for box, name, price in (("Destroyed", "Don", 1), ("Surrendered", "Don", 2), ("Destroyed", "Reserve", 2),
                             ("Surrendered", "Reserve", 2)):  # fmt: skip
        s = placing(noretreat, "soviet", boxes={box: [name]}, units={"Kalinin": "2310"})
        do(s, f"replace {name}", f"place {name} 2409")
        assert pay(s) == price
        assert marked(s, name, "disorganized")
    for box, rule_id in (("Destroyed", "7.9.a"), ("Surrendered", "7.9.b")):
        cards = [] if box == "Destroyed" else ["Feint"]
        poor = placing(noretreat, "soviet", boxes={box: ["Don"]}, hands={"soviet": cards}, units={"Kalinin": "2310"})
        assert refused(poor, "replace Don", because=rule_id)


@rule("7.9.d", "10.1.1.b", "11.2")
def test_what_disorganized_forbids(noretreat: Any) -> None:
    units = {"9th Army": {"at": "2210", "disorganized": True}, "Don": "2211"}
    s = combat(noretreat, units)
    assert refused(s, "target 2211", because="10.1.1.b")
    move = noretreat.position(turn=7, phase="axis.movement", units=units)
    assert offers(move, "move 9th Army")
    zones = noretreat.views.overlay(move, "zoc", 0, None, None)["hexes"]
    assert "2110" in zones
    after = noretreat.position(turn=7, phase="axis.removal", units={"9th Army": {"at": "0810", "disorganized": True}})
    assert not marked(after, "9th Army", "disorganized")


@rule("7.9.1", "13.5.1-4", "13.5.5.a")
def test_no_axis_replacements_before_turn_5(noretreat: Any) -> None:
    units = {"9th Army": {"at": "0810", "face": "reduced"}}
    for turn, able in ((4, False), (5, True)):
        s = organizing(noretreat, units, turn=turn, hands={"axis": CARDS}, boxes={"Destroyed": ["4th Army"]})
        assert offers(s, "improve 9th Army") is able
        if not able:
            assert refused(s, "improve 9th Army", because="7.9.1")
        do(s, "done")
        assert offers(s, "replace 4th Army") is able
        if not able:
            assert refused(s, "replace 4th Army", because="7.9.1")


@rule("7.9.2")
def test_replaced_two_step_units_return_reduced(noretreat: Any) -> None:
    s = placing(noretreat, boxes={"Destroyed": ["4th Army"]})
    do(s, "replace 4th Army", "place 4th Army 0811", "discard Feint")
    assert face(s, "4th Army") == "reduced"


@rule("7.10")
def test_reorganization(noretreat: Any) -> None:
    units = {"9th Army": {"at": "0810", "disorganized": True}, "4th Army": {"at": "0811", "disorganized": True}}
    s = placing(noretreat, units=units, hands={"axis": ["Feint", "Reserves"]})
    do(s, "done")
    events = do(s, "reorganize 9th Army", "discard Feint")
    assert "reorganized" in told(events)
    assert not marked(s, "9th Army", "disorganized")
    assert marked(s, "4th Army", "disorganized")
    do(s, "reorganize 4th Army")
    assert asked(s) == "cards.Pay"


@rule("7.6.d")
def test_an_enemy_stack_is_not_a_matter_of_room(noretreat: Any) -> None:
    s = organizing(noretreat, {"4th Army": "0810", "9th Army": "0810"}, "soviet", boxes={"Destroyed": ["Don"]},
                   hands={"soviet": ["Feint"]})  # fmt: skip
    do(s, "done", "replace Don")
    pay(s)
    assert refused(s, "place Don 0810", because="7.6.d")


@rule("7.9.a", "7.6.a")
def test_a_replacement_is_taken_back_before_it_is_paid_for(noretreat: Any) -> None:
    s = placing(noretreat, boxes={"Destroyed": ["4th Army"]})
    before = s.to_json()
    do(s, "replace 4th Army")
    assert str(s.decision.back) == "back"
    do(s, "back")
    assert s.to_json() == before
    do(s, "replace 4th Army", "place 4th Army 0811")
    assert asked(s) == "cards.Pay"
    assert s.decision.back is None


@rule("7.7.a", "7.8", "7.9.a")
def test_the_log_tells_who_comes_where_and_by_which_rule(noretreat: Any) -> None:
    boxes = {"Shattered": ["4th Army"], "Destroyed": ["6th Army"]}
    s = organizing(noretreat, {"9th Army": "0810", "Don": "2211"}, boxes=boxes, hands={"axis": ["Feint"]},
                   track={"2nd Army": 7})  # fmt: skip
    do(s, "done")
    for action, unit, node, cites in (
        ("recover", "4th Army", "0210", "7.7.a"),
        ("bring in", "2nd Army", "0412", "7.8"),
        ("replace", "6th Army", "0412", "7.9.a"),
    ):
        lines = log(do(s, f"{action} {unit}", f"place {unit} {node}"))
        assert f"{unit} is placed in {noretreat.where(noretreat.node(node))} ({cites})" in lines
