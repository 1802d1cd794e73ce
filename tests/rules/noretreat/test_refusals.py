"""Refusals name the rule that forbids; what is drawn at random is tried in tests/test_refusals.py."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, do, log, refused
from tests.rules.noretreat.play import combat, fight, moving, organizing, plan, skip_to


def test_every_kind_of_action_has_its_time(noretreat: Any) -> None:
    always = {kind for m in noretreat.moments.entries if not (m.during or m.outside or m.option) for kind in m.kinds}
    events = {kind for kind in noretreat.sentences if kind.startswith(("play", "replay"))}
    assert set(noretreat.sentences) - always - events == {"pass", "done"}


def test_what_belongs_to_another_phase_or_moment(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "Don": "2211"})
    assert refused(s, "target 2211", because="4.0.b")
    assert refused(s, "support 9th Army", because="15.3.a")  # the option is not in use
    assert refused(s, "put Don into the Strategic Reserve", because="14.12.1")
    battle = combat(noretreat, {"9th Army": "2210", "Don": "2211"})
    assert refused(battle, "take the loss from Don", because="10.7.1.b")
    assert refused(battle, "attack 2211", because="10.1.a")  # targets are still being declared
    assert refused(battle, "fight", because="10.1.a")
    battle.do("target 2211")
    battle.do("done")
    assert refused(battle, "target 2211", because="10.1.a")
    assert refused(battle, "attack 2212", because="10.1.a")  # not declared
    for ending in ("back", "pass", "done"):  # a declared target must be attacked
        assert refused(battle, ending, because="10.1.2.f")
    assert refused(battle, "attack with 9th Army", because="10.3.1")  # first the battle is chosen
    assert refused(battle, "without 9th Army", because="10.3.1")
    assert refused(battle, "attack 2212 as well", because="10.3.2")
    assert refused(battle, "commit a Support marker", because="10.5.2.a")
    assert refused(battle, "fight", because="10.2")
    battle.do("attack 2211")
    assert refused(battle, "attack 2211", because="10.2")


def test_a_way_may_begin_with_the_hex_that_is_left(noretreat: Any) -> None:
    for way in ("by 2209-2109", "by 2210-2209-2109"):
        s = moving(noretreat, {"9th Army": "2210", "Don": "2213"})
        do(s, "move 9th Army", way)
        assert s.place("9th Army") == "2109"


def test_any_word_ends_a_question_that_may_be_ended(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "Don": "2211"})
    assert s.parse("pass").text == "done"
    assert refused(s, noretreat.act["pass"][()], because="8.0.a")  # the action itself has its own words
    assert refused(s, "pass until the next player turn", because="4.0.b")  # phase by phase
    s.do("pass")
    assert s.phase == "axis.combat"


def reasons(s: Any, *actions: str) -> list[tuple[str, str]]:
    return [tuple(s.why_not(action)[0]) for action in actions]


def test_a_card_that_is_not_held_is_no_discard(noretreat: Any) -> None:
    s = noretreat.position(turn=7, phase="axis.card", units={"9th Army": "2210"},
                           hands={"axis": ["Feint", "Peace Feelers", "Mopping Up"]})  # fmt: skip
    assert refused(s, "discard Panzerfaust", because="5.1")  # the hand limit: nothing is being paid for
    s.do("discard Feint")
    assert refused(s, "discard Panzerfaust", because="5.2.1")
    assert refused(s, "pass", because="5.2.1")  # nothing was chosen that has a price
    assert refused(s, "send 9th Army by rail", because="5.0.d")
    assert refused(s, "supply 9th Army by air", because="5.0.d")
    assert refused(moving(noretreat, {"9th Army": "2210"}), "speed up 9th Army", because="5.0.d")


def test_what_was_chosen_is_paid_first(noretreat: Any) -> None:
    s = organizing(noretreat, {"Don": "2211", "Moscow": "1907"}, "soviet", 10, hands={"soviet": ["Feint"] * 2},
                   boxes={"Destroyed": ["Leningrad"]})  # fmt: skip
    s.do("fortify Moscow")
    first = [("7.5.a", "first this is decided: Fortress conversion: discard 1 card (7.5.a).")]
    assert reasons(s, "revert Don", "improve Don") == first * 2
    for ending in ("pass", "done", "back"):
        assert reasons(s, ending) == [("5.4", "what was chosen has its price, and is not taken back")]
    assert refused(s, "replace Leningrad", because="7.0")  # the next step
    assert refused(s, "discard Peace Feelers", because="5.4")
    skip_to(s, "reinforcements.Place")


def test_the_unit_in_hand_is_placed_first(noretreat: Any) -> None:
    s = organizing(noretreat, {"Don": "2211", "4th Rumanian": "1210"}, "soviet", 10,
                   boxes={"Shattered": ["Leningrad"]})  # fmt: skip
    skip_to(s, "reinforcements.Place")
    assert refused(s, "place Leningrad 1907", because="7.6.a")
    s.do("recover Leningrad")
    first = ("7.7.a", "it is Leningrad that is placed now")
    assert reasons(s, "place Don 1907", "place 4th Rumanian 1907") == [first] * 2
    assert reasons(s, "rebuild 4th Rumanian on Don", "rebuild Leningrad on Don") == [
        ("14.9.4", "it is Leningrad that is placed now"),
        ("14.9.4", "Don is no Cadre of yours on the map"),
    ]


def test_a_detachment_is_placed_first(noretreat: Any) -> None:
    s = organizing(noretreat, {"1st Panzer": "0810", "Don": "2211"}, turn=10, options={"detachments": True})
    skip_to(s, "reinforcements.Place")
    s.do("draw a mechanized detachment from 1st Panzer")
    first = ("15.1", "first this is decided: Where is Mech Detachment placed?")
    assert reasons(s, "draw a mechanized detachment from 1st Panzer", "rebuild Don on Don") == [first] * 2
    assert reasons(s, "place Mech Detachment 2211") == [("15.1", "it is neither 0810, the army's hex, nor next to it")]


def test_nobody_is_left_out_before_a_battle_is_chosen(noretreat: Any) -> None:
    battle = combat(noretreat, {"9th Army": "2210", "Don": "2211"})
    assert refused(battle, "without 9th Army", because="10.1.a")
    assert refused(battle, "with everybody", because="10.1.a")
    assert refused(battle, "back", because="10.1.1.a")


def test_a_unit_may_halt_before_it_has_moved(noretreat: Any) -> None:
    """8.0.a: any, all or none of them move; it is as if it had not been chosen."""
    s = moving(noretreat, {"9th Army": "2210", "Don": "2213"})
    before = s.to_json()
    do(s, "move 9th Army", "halt 9th Army")
    assert s.to_json() == before


def test_the_enemys_units_are_not_moved_by_turns_either(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "4th Army": "2209", "Don": "2213"})
    s.do("move 9th Army")
    for action in ("move Don", "move Don 2212", "entrain Don", "halt Don"):
        assert refused(s, action, because="8.0.b")
    for action in ("move 4th Army", "move 4th Army 2109", "entrain 4th Army", "halt 4th Army"):
        assert reasons(s, action) == [("8.0.a", "units move one at a time: now 9th Army")]


def test_a_ring_of_enemies_bars_every_way(noretreat: Any) -> None:
    board = noretreat.board
    ring = zip(
        ("Don", "Voronezh", "Bryansk", "West", "Central", "Steppe"), board.around[board.node("2211")], strict=True
    )
    s = moving(noretreat, {"9th Army": "2213", **{unit: board.labels[node] for unit, node in ring}})
    assert reasons(s, "move 9th Army 2211") == [("8.4.a", "enemy units bar every way there")]


def test_an_enemy_city_or_the_hex_beside_it(noretreat: Any) -> None:
    rail = noretreat.position(turn=7, phase="axis.detraining", units={"9th Army": "0810"}, boxes={"Rail": ["4th Army"]})
    rail.do("detrain 4th Army")
    assert reasons(rail, "detrain 4th Army 1907", "detrain 4th Army 1807") == [
        ("9.2.c", "it is an enemy city"),
        ("9.2.c", "it is next to an enemy city, Moscow (1907)"),
    ]


def test_a_unit_off_the_map_is_not_turned(noretreat: Any) -> None:
    s = noretreat.position(turn=10, phase="soviet.organization", units={"Don": "2211", "Moscow": "1907"},
                           boxes={"Destroyed": ["Leningrad"]}, hands={"soviet": ["Feint"]})  # fmt: skip
    assert reasons(s, "fortify Leningrad", "fortify Don") == [
        ("7.5.a", "it is not on the map"), ("7.5.a", "only a Regional unit becomes a fort")]  # fmt: skip
    assert refused(s, "improve Leningrad", because="7.1.a")
    assert refused(s, "upgrade Leningrad", because="7.2.0")
    assert refused(s, "revert Leningrad", because="7.5.b")


def test_another_unit_than_the_one_in_hand(noretreat: Any) -> None:
    boxes = {"Destroyed": ["4th Army", "6th Army"]}
    s = noretreat.position(turn=7, phase="axis.organization", units={"9th Army": "0810", "Don": "2211"}, boxes=boxes,
                           hands={"axis": ["Feint"]})  # fmt: skip
    do(s, "done", "replace 4th Army")
    for other in ("9th Army", "Don", "6th Army"):
        assert reasons(s, f"place {other} 0811") == [("7.9.a", "it is 4th Army that is placed now")]
    assert refused(s, "replace 6th Army", because="7.6.a")
    rail = noretreat.position(turn=7, phase="axis.detraining", units={"9th Army": "0810"},
                              boxes={"Rail": ["4th Army", "6th Army"]})  # fmt: skip
    do(rail, "detrain 4th Army")
    assert refused(rail, "detrain 9th Army 0811", because="9.2.a")
    assert refused(rail, "detrain 6th Army 0811", because="9.2.a")
    assert refused(rail, "detrain 4th Army 1907", because="9.2.c")


def test_the_enemys_units_are_not_moved_while_something_else_is_asked(noretreat: Any) -> None:
    full = {"9th Army": "2210", "4th Army": "2210", "6th Army": "2210", "Don": "2310"}
    s = moving(noretreat, full, options={"soviet_reactions": "always"})
    s.do("done")
    assert reasons(s, "move 9th Army", "move Don") == [("8.4.3", "first the units over the limit are taken off"),
                                                       ("8.0.b", "the other side's units do not move")]  # fmt: skip
    s.do(s.legal()[0])
    assert (s.side, asked(s)) == ("soviet", "cards.React")
    for action in ("move Don", "move 9th Army"):
        assert refused(s, action, because="4.4")


def test_with_the_reserve_no_axis_unit_comes(noretreat: Any) -> None:
    s = noretreat.position(turn=7, phase="axis.detraining", units={"9th Army": "0810"}, boxes={"Rail": ["Don"]},
                           reserve="Don")  # fmt: skip
    assert s.side == "soviet"
    assert refused(s, "detrain 9th Army", because="2.3.f")  # though it is its owner's Detraining Phase


def test_the_initiative_counter_is_moved_by_the_rule_of_the_year(noretreat: Any) -> None:
    for turn, rule in ((7, "15.11.a"), (13, "15.11.b")):
        for used in (True, False):
            s = combat(noretreat, {"9th Army": "2210", "Don": "2211"}, turn=turn, options={"variable_initiative": used})
            assert refused(s, "move the Initiative counter", because=rule)


def test_the_joker_is_played_where_it_is_used_and_never_discarded(noretreat: Any) -> None:
    units = {"9th Army": "2210", "Don": "2211"}
    for used, rule in ((False, "15.7"), (True, "5.3.a")):
        s = combat(noretreat, units, options={"joker": used})
        assert refused(s, "play Joker (Axis side) for Urrah!", because=rule)
    s = noretreat.position(turn=8, phase="axis.card", units=units, options={"joker": True},
                           hands={"axis": ["Joker (Axis side)", "Feint", "Reserves", "Pioneers"]})  # fmt: skip
    told = "the Joker is played and handed over, never discarded (ruling 79)"
    assert reasons(s, "discard Joker (Axis side)") == [("15.7", told)]


def test_a_loss_is_taken_in_the_battle(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "2210", "4th Army": "2210", "6th Army": "0810", "Don": "2211"}, dice=(3,))
    fight(s, "2211", "9th Army", "4th Army")
    assert asked(s) == "results.StepLoss"
    assert refused(s, "take the loss from 6th Army", because="10.7.1.b")


def test_a_card_is_discarded_by_the_name_of_either_half(noretreat: Any) -> None:
    """5.4.a: as currency it has no event; it is the same card."""
    held = ["Feint", "Peace Feelers", "Mopping Up"]
    s, same = (noretreat.position(turn=8, phase="axis.card", units={"9th Army": "2210"}, hands={"axis": held})
               for _ in range(2))  # fmt: skip
    for name in held:
        other = noretreat.event_names[noretreat.event_names.index(name) ^ 1]
        after = s.copy()
        assert log(after.do(f"discard {other}"))[0] == f"{name} is discarded by the Axis (5.4.a)"
    other = noretreat.event_names[noretreat.event_names.index("Feint") ^ 1]
    do(s, f"discard {other}")
    do(same, "discard Feint")
    assert s.to_json() == same.to_json()
    joker = noretreat.position(turn=8, phase="axis.card", units={"9th Army": "2210"}, options={"joker": True},
                               hands={"axis": ["Joker (Axis side)", *held]})  # fmt: skip
    assert refused(joker, "discard Joker (Soviet side)", because="15.7")


def test_what_is_too_dear_says_what_is_held(noretreat: Any) -> None:
    s = organizing(noretreat, {"9th Army": {"at": "0810", "face": "reduced"}}, hands={"axis": ["Feint"]})
    assert reasons(s, "improve 9th Army") == [("7.1.b", "it costs 2 cards, and the hand holds 1")]
    blows = combat(noretreat, {"9th Army": "2210", "Don": "2211", "Steppe": "2310"},
                   options={"soviet_reactions": "always"})  # fmt: skip
    do(blows, "target 2211", "done", "pass")
    assert asked(blows) == "combat.DeclareCounterblows"
    assert reasons(blows, "counterblow 2310") == [("10.1.2.a", "a Counterblow costs one card, and the hand is empty")]


def test_which_targets_there_are(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "2210", "4th Army": "2209", "Don": "2211", "Steppe": "2310"})
    do(s, "target 2211")
    assert reasons(s, "target 2211") == [("10.3.4", "it is a target already, and no target hex is attacked twice")]
    do(s, "target 2310", "done")
    assert reasons(s, "attack 2212") == [("10.1.a", "it was not declared as a target: what is left is 2211 and 2310")]
    s = combat(noretreat, {"9th Army": "2210", "Don": "2211"}, counterblows=["2211"])
    assert refused(s, "target 2211", because="10.1.c")


def test_for_whom_nobody_would_be_left(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "2210", "4th Army": "2111", "Don": "2211", "Steppe": "2209"})
    do(s, "target 2211", "target 2209", "done", "attack 2211", "attack with 9th Army")
    text = "nobody would be left for 2209, which only 9th Army could attack"
    assert reasons(s, "fight") == [("10.1.2.f", text)]
    do(s, "back", "attack 2211", "attack with 4th Army")
    assert reasons(s, "attack with 9th Army") == [("10.1.2.f", text)]


def test_which_hexes_a_counterblow_may_stay_in_and_who_must_take_a_loss(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "2210", "Don": "2211"}, dice=(4,))
    fight(s, "2211", "9th Army")
    assert asked(s) == "results.PutCounterblow"
    assert reasons(s, "leave a Counterblow marker in 2211") == [
        ("10.7.3.c", "it is not one of the phasing player's hexes in this battle: 2210")
    ]
    assert refused(s, "back", because="10.5.6")
    red = {unit: {"at": "2210", "face": "red"} for unit in ("Reserve", "Voronezh")}
    defenders = {"9th Army": "2211", "4th Army": "2211", "6th Army": "0810"}
    s = combat(noretreat, {**red, **defenders, "Don": "2111"}, "soviet", 24, dice=(1,))
    fight(s, "2211", "Reserve", "Voronezh", "Don")
    assert asked(s) == "results.StepLoss"
    assert reasons(s, "take the loss from Don", "take the loss from 6th Army") == [
        ("14.7.b", "Reserve or Voronezh must take this loss"),
        ("10.7.1.b", "the loss is taken on this side of the battle, by Reserve or Voronezh or Don"),
    ]


def test_which_way_ends_nearer_to_supply(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "2110", "4th Army": "2110", "Don": "2211"}, dice=(4,))
    fight(s, "2211", "9th Army", "4th Army")
    text = "toward a friendly supply source: Voronezh (2012) is nearer to one"
    assert reasons(s, "retreat Don by 2211-2212-2213") == [("10.7.5.a", text)]


def test_a_cadre_comes_only_for_a_lost_unit(noretreat: Any) -> None:
    s = organizing(noretreat, {"9th Army": "0810"}, boxes={"Cadres": ["Kampfgruppe 1"]})
    assert refused(s, "place Kampfgruppe 1 0810", because="14.9.2")
    assert refused(moving(noretreat, {"9th Army": "0810"}), "place Kampfgruppe 1 0810", because="14.9.2")


def test_the_reserve_has_been_decided_before_local_support(noretreat: Any) -> None:
    s = moving(noretreat, {"Don": "2211", "9th Army": "0810"}, "soviet", options={"local_support": True})
    skip_to(s, "options.GiveSupport")
    told = "one unit goes into the reserve when the units have moved: that has been decided"
    assert reasons(s, "put Don into the Strategic Reserve") == [("14.12.1", told)]
    s = moving(noretreat, {"Don": "2211", "9th Army": "0810"}, options={"local_support": True})
    skip_to(s, "options.GiveSupport")
    [(rule, told)] = reasons(s, "put Don into the Strategic Reserve")
    assert (rule, told.partition(";")[0]) == (
        "14.12.1",
        "the reserve is formed at the very end of a Soviet Movement Phase",
    )


def test_a_cadre_has_no_red_side(noretreat: Any) -> None:
    s = organizing(noretreat, {"Ostatky 1": "2210", "Don": "2310"}, "soviet", turn=21)
    assert reasons(s, "upgrade Ostatky 1") == [("7.4", "a Cadre has one step, and no red side")]


def test_units_are_not_placed_at_sea(noretreat: Any) -> None:
    """The rule that says where a unit is placed forbids it: that of a new unit, or that of its own arrival."""
    s = organizing(noretreat, {"9th Army": "0810"}, turn=12, track={"3rd Rumanian": 12})
    do(s, "done", "bring in 3rd Rumanian")
    assert reasons(s, "place 3rd Rumanian 0903") == [("7.6.b", "that is no land on the map")]
    s = organizing(noretreat, {"9th Army": "0810"}, turn=20, track={"1st Hungarian": "GG"}, triggers={"GG": 19})
    do(s, "done", "bring in 1st Hungarian")
    assert reasons(s, "place 1st Hungarian 0903") == [("13.5.GG.b", "that is no land on the map")]


def test_the_ss_army_is_the_axis_own_to_pay_for(noretreat: Any) -> None:
    s = organizing(noretreat, {"Don": "2210", "9th Army": "0810"}, "soviet", turn=23)
    assert refused(s, "pay for the return of the SS Panzer Army", because="13.5.23.c")


def test_markers_are_committed_before_the_events(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "2210", "Don": "2211"}, hands={"axis": ["Heinz Guderian"]})
    plan(s, "2211", "9th Army")
    do(s, "fight")
    skip_to(s, "combat.BattleEvent")
    assert refused(s, "commit a Support marker", because="10.5.2.b")


def test_nobody_halts_outside_the_movement_phase(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "2210", "Don": "2211"})
    assert refused(s, "halt 9th Army", because="4.0.b")
    assert refused(s, "by 2210-2209", because="4.0.b")
    assert refused(moving(noretreat, {"9th Army": "2210", "Don": "2213"}), "halt 9th Army", because="8.0.a")


def test_an_event_of_the_other_initiative_says_where_its_counter_is(noretreat: Any) -> None:
    for used, more in ((False, ""), (True, ": its counter is on turn 12")):
        s = combat(noretreat, {"9th Army": "2210", "Don": "2211"}, turn=14, hands={"axis": ["Mopping Up"]},
                   options={"variable_initiative": used})  # fmt: skip
        assert reasons(s, "play Mopping Up") == [("5.3.3.a", f"a German cross event needs the Axis Initiative{more}")]


def test_what_can_come_for_free_is_placed_first(noretreat: Any) -> None:
    """7.7.a for what recovers, 7.8 for reinforcements."""
    s = organizing(noretreat, {"Don": "2211"}, "soviet", 10, boxes={"Shattered": ["Leningrad"]})
    skip_to(s, "reinforcements.Place")
    assert reasons(s, "done") == [("7.7.a", "what can come for free must be placed first: Leningrad")]
    do(s, "recover Leningrad", "place Leningrad 1907")
    while asked(s) == "reinforcements.Place" and not any(str(a) == "done" for a in s.legal()):
        (reason,) = s.why_not("done")
        assert reason.rule == "7.8"
        unit = reason.text.partition(": ")[2]
        s.do(f"bring in {unit}")
        s.do(s.legal()[0])
    assert any(str(a) == "done" for a in s.legal())


def test_who_advances_and_where(noretreat: Any) -> None:
    s = combat(noretreat, {"1st Panzer": "2210", "9th Army": "2210", "Don": "2211"}, dice=(5,))
    fight(s, "2211", "1st Panzer", "9th Army")
    s.do("advance 1st Panzer 2211")
    other = ("10.8.a", "now 1st Panzer advances")
    assert reasons(s, "advance 9th Army 2211", "halt 9th Army") == [other] * 2
    assert reasons(s, "advance 1st Panzer 2415") == [("10.8.1.a", "it advances hex by hex")]
    strait = combat(noretreat, {"1st Panzer": "1304", "9th Army": "1304", "Don": "1204"}, dice=(6,))
    fight(strait, "1204", "1st Panzer", "9th Army")
    strait.do("advance 1st Panzer 1204")
    assert reasons(strait, "advance 1st Panzer 1203") == [("10.8.1.b", "that way is prohibited")]


def test_an_event_of_another_moment_or_another_aim(noretreat: Any) -> None:
    held = ["Gott Mit Uns", "Feint", "Reserves"]
    s = combat(noretreat, {"9th Army": "2210", "Don": "2211"}, hands={"axis": held}, discards=["Pioneers"])
    assert reasons(s, "play Feint for Pioneers", "play Gott Mit Uns for Feint", "play Gott Mit Uns",
                   "play Gott Mit Uns for Pioneers", "play Reserves", "play General Winter") == [
        ("5.0.c", "Feint recovers no card from the discard pile"),
        ("5.0.c", "Feint is not on top of the discard pile"),
        ("5.0.d", "Gott Mit Uns is played as the event that it recovers"),
        ("5.0.d", "this is not the moment of Pioneers"),
        ("5.0.d", "this is not the moment of Reserves"),
        ("14.14.2", "General Winter happens when its card is drawn, and is never played"),
    ]  # fmt: skip
    empty, full = (organizing(noretreat, {"9th Army": "0810"}, hands={"axis": ["Reserves"]}, boxes=boxes)
                   for boxes in ({}, {"Destroyed": ["4th Army"]}))  # fmt: skip
    for s in (empty, full):
        skip_to(s, "reinforcements.Place")
    assert reasons(empty, "play Reserves on 9th Army") == [("5.0.d", "Reserves has nothing to act on here")]
    assert reasons(full, "play Reserves on 9th Army", "play Reserves at 0810", "play Reserves") == [
        ("5.0.d", "Reserves can do nothing for 9th Army"),
        ("5.0.d", "Reserves is played on a unit"),
        ("5.0.d", "Reserves is played on a unit"),
    ]
    recovered = combat(noretreat, {"9th Army": "2210", "Don": "2211"}, turn=14, hands={"axis": ["Gott Mit Uns"]},
                       discards=["Mopping Up"])  # fmt: skip
    assert refused(recovered, "play Gott Mit Uns for Mopping Up", because="5.3.3.a")  # the Initiative is Soviet


def test_a_stolen_card_is_the_enemys(noretreat: Any) -> None:
    s = noretreat.position(turn=7, phase="soviet.card", units={"9th Army": "2210", "Don": "2211"},
                           hands={"soviet": ["Red Orchestra"], "axis": ["Feint", "Reserves"]})  # fmt: skip
    s.do("play Red Orchestra")
    assert s.decision.prompt == "Discard a card from the hand of the Axis."
    assert reasons(s, "discard Stukas") == [("5.3.2", "the event takes a card of the enemy's hand: Feint, Reserves")]
    other = noretreat.event_names[noretreat.event_names.index("Feint") ^ 1]
    assert "Feint is discarded by the Axis (5.4.a)" in log(s.do(f"discard {other}"))


def test_what_may_be_drawn_into_a_battle(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "2210", "4th Army": "2209", "Don": "2211", "Steppe": "2310"},
               options={"soviet_reactions": "always"})  # fmt: skip
    do(s, "target 2211", "target 2310", "done", "pass")
    assert reasons(s, "counterblow 2415") == [("10.1.2.a", "no unit of yours is there")]
    do(s, "done", "attack 2211")
    assert reasons(s, "fight", "attack 2415 as well", "attack 2211 as well") == [
        ("10.3.1", "nobody attacks yet"),
        ("10.1.a", "it was not declared as a target: what is left is 2211 and 2310"),
        ("10.3.4", "it is under attack already"),
    ]


def test_the_ground_of_a_battle(noretreat: Any) -> None:
    """10.6.1.c: the defender chooses, and sees what each hex would do for him."""
    s = combat(noretreat, {"9th Army": "0909", "4th Army": "0909", "Don": "0910", "Steppe": "1009"})
    do(s, "target 0910", "target 1009", "done", "attack 0910", "attack 1009 as well", "attack with 9th Army",
       "attack with 4th Army", "fight")  # fmt: skip
    assert reasons(s, "defend by the terrain of 2415") == [
        ("10.6.1.c", "what is attacked in this battle is 0910 and 1009")
    ]
    forest, clear = (s.forecast(f"defend by the terrain of {node}") for node in ("0910", "1009"))
    assert [shift.text for shift in forest.modifiers] == ["forest"]
    assert [shift.text for shift in clear.modifiers] == ["river"]


def test_a_second_unit_of_an_event_is_ones_own(noretreat: Any) -> None:
    s = organizing(noretreat, {"Don": "2211", "9th Army": "0810"}, "soviet", 12, boxes={"Destroyed": ["West", "South"]},
                   hands={"soviet": ["Manpower Reserves"]})  # fmt: skip
    skip_to(s, "reinforcements.Place")
    s.do("play Manpower Reserves on West")
    assert s.side == "soviet"
    assert reasons(s, "send 9th Army by rail", "send Don by rail") == [
        ("2.3.f", "that unit belongs to the other side"),
        ("5.3.2", "it is not a mobile unit of yours in the boxes that the event names"),
    ]


def test_what_zones_of_control_cost_on_the_way(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "Don": "2211", "4th Army": "0810"})
    s.do("move 9th Army")
    assert reasons(s, "move 9th Army 1910", "move 9th Army 2213") == [
        ("8.5.2", "leaving an enemy zone costs one MP more"),
        ("8.5.1", "enemy zones of control stop it on the way"),
    ]


def test_where_and_who_detrains_before_a_unit_is_chosen(noretreat: Any) -> None:
    s = noretreat.position(turn=7, phase="axis.detraining", units={"9th Army": "0810"}, boxes={"Rail": ["4th Army"]})
    assert reasons(s, "detrain 4th Army 1907", "detrain 9th Army 0811") == [
        ("9.2.c", "it is an enemy city"),
        ("9.2.a", "it is not in the Rail Movement Box"),
    ]


def test_where_wencks_army_comes_and_on_whom_nobody_is_rebuilt(noretreat: Any) -> None:
    s = organizing(noretreat, {"9th Army": "0810", "Kampfgruppe 1": "0412"}, turn=24, hands={"axis": ["Wenck's Army"]},
                   boxes={"Destroyed": ["4th Army"]}, control={"Berlin": "soviet"})  # fmt: skip
    skip_to(s, "reinforcements.Place")
    s.do("play Wenck's Army on 4th Army")
    assert reasons(s, "place 4th Army 0412", "place 4th Army 0210") == [
        ("5.3.2", "the event places it in Berlin or next to it"),
        ("7.6.b", "the city is the enemy's"),
    ]
    due = organizing(noretreat, {"9th Army": "0810", "Kampfgruppe 1": "0412"}, track={"2nd Army": 7})
    skip_to(due, "reinforcements.Place")
    assert refused(due, "bring in Kampfgruppe 1", because="7.8")
    assert refused(due, "bring in 9th Army", because="7.8")
    due.do("bring in 2nd Army")
    assert reasons(due, "rebuild 2nd Army on Kampfgruppe 1") == [
        ("14.9.4", "only a recovered or replaced unit is rebuilt on a Cadre")
    ]


def test_how_a_stack_steps_back_and_a_unit_retreats(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "2210", "Don": "2211", "4th Army": "2209"}, "soviet", 24,
               hands={"axis": ["Gotthard Heinrici"]})  # fmt: skip
    do(s, "target 2210", "done", "play Gotthard Heinrici at 2210")
    first = ("10.7.5.a", "9th Army goes first, from its own hex")
    assert reasons(s, "retreat Don by 2211-2212", "retreat 9th Army by 2209-2208") == [first] * 2
    s = combat(noretreat, {"9th Army": "2110", "4th Army": "2110", "Don": "2211"}, dice=(4,))
    fight(s, "2211", "9th Army", "4th Army")
    assert reasons(s, "retreat Don by 2211-2415-2416") == [("10.7.5.a", "it retreats hex by hex")]


def test_who_is_taken_off_and_which_cadre_forms(noretreat: Any) -> None:
    full = {"9th Army": "2210", "4th Army": "2210", "6th Army": "2210", "2nd Army": "2209", "Don": "2415"}
    s = moving(noretreat, full)
    s.do("done")
    assert reasons(s, "take off 2nd Army") == [("8.4.3", "it is not in 2210")]
