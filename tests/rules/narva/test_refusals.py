"""What is tried out of its time names the rule that says when it is done; judged by the rulebook, drawn at random."""

from __future__ import annotations

import pytest

from counterblow.games.narva.game import Narva
from counterblow.kernel.state import State
from tests.helpers import do, refused

UNITS = {"381": "2512", "456": "2514", "MOK": "2412", "23": "2928"}


def test_every_kind_of_action_has_its_time(narva: Narva) -> None:
    always = [moment for moment in narva.moments.entries if not moment.during]
    assert {kind for moment in always for kind in moment.kinds} == set(narva.act.sentences) - {"back"}


@pytest.mark.parametrize(
    ("phase", "done", "tried", "rule"),
    [
        ("soviet.movement", (), "attack 2412", "9.0a"),
        ("soviet.movement", (), "end combat", "3.0c"),
        ("soviet.movement", (), "to 2513", "6.0a"),
        ("soviet.movement", (), "by road to 2513", "6.4a"),
        ("soviet.movement", (), "by rail to 2513", "6.5f"),
        ("soviet.movement", (), "add 456", "4.2.1a"),
        ("soviet.movement", (), "barrage 2412", "2.5.1b"),
        ("soviet.movement", (), "enter 456 at 2513", "3.0a"),
        ("soviet.movement", (), "rebuild MOK", "11.2a"),
        ("soviet.movement", (), "back", "6.0a"),
        ("soviet.movement", ("move 456",), "move 456", "6.0b"),
        ("soviet.movement", ("move 456",), "move 381", "6.0b"),
        ("soviet.movement", ("move 456", "to 2515"), "back", "6.0b"),
        ("soviet.combat", (), "move 381", "6.0a"),
        ("soviet.combat", (), "resolve the attack", "9.0a"),
        ("soviet.combat", (), "normal air attack by 13A-1", "12.1a"),
        ("soviet.combat", (), "step loss on 381", "9.4a"),
        ("soviet.combat", (), "retreat 381 by 2512-2513", "9.5a"),
        ("soviet.combat", (), "advance 381 by 2512-2412", "9.6a"),
        ("soviet.combat", (), "draw a chit", "3.0c"),
        ("soviet.combat", (), "back", "9.0a"),
        ("soviet.movement", (), "place at 2513", "11.1.3a"),
        ("soviet.movement", ("move 456",), "place at 2513", "11.1.3a"),
    ],
)
def test_out_of_its_time(narva: Narva, phase: str, done: tuple[str, ...], tried: str, rule: str) -> None:
    s = narva.position(turn=2, phase=phase, units=UNITS)
    do(s, *done)
    (reason,) = s.why_not(tried)
    assert refused(s, tried, because=rule)
    assert "; now: " in reason.text


def test_outside_the_command_phase(narva: Narva) -> None:
    """3.0c orders the segments of a chit, and says nothing of the phases that follow."""
    s = narva.position(turn=5, phase="german.reinforcement", due={"2G": {"turn": 5, "entry": "A"}})
    assert refused(s, "back", because="8.0a")  # what is asked: there is nothing to go back to
    for tried in ("end movement", "end combat", "draw a chit"):
        assert refused(s, tried, because="3.0a")


def test_ones_own_hex_is_no_target(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units=UNITS)
    assert refused(s, "attack 2514", because="9.0a")
    assert refused(s, "attack 2613", because="9.0b")


def test_a_way_may_be_named_with_the_hex_that_is_left(narva: Narva) -> None:
    units = {"61F": "2412", "381": "2512", "220T": "2512"}
    for prefix in ("", "2412-"):
        s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(3,))
        do(s, "attack 2412", "add 381", "add 220T", "resolve the attack")
        way = next(a for a in s.legal() if a.kind == "retreat")
        do(s, str(way).replace(" by ", f" by {prefix}"))
        assert s.at[narva.unit("61F")] == way.args[1][-1]


def reasons(s: State, *actions: str) -> list[tuple[str, str]]:
    return [(c.rule, c.text.partition(";")[0]) for action in actions for c in s.why_not(action)]


def test_a_segment_is_ended_in_it_and_not_in_the_middle_of_something(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units=UNITS)
    assert reasons(s, "end combat") == [("3.0c", "no combat segment is being played")]
    do(s, "move 456")
    assert reasons(s, "end movement") == [("6.0b", "first the move under way is finished")]
    s = narva.position(turn=2, phase="soviet.combat", units=UNITS)
    assert reasons(s, "end movement") == [("3.0c", "no movement segment is being played")]
    do(s, "attack 2412")
    assert reasons(s, "end combat", "attack 2412") == [
        ("3.0c", "first the attack under way is finished"),
        ("9.0a", "first the attack under way is finished"),
    ]


def test_any_word_ends_what_may_be_ended_and_what_must_be_decided_is_named(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units=UNITS)
    before = s.to_json()
    for staying in ("stop", "decline", "to 2514", "by road to 2514"):  # it has not moved: it is taken back
        do(s, "move 456", staying)
        assert s.to_json() == before
    on = s.copy()
    do(on, "move 456", "to 2515", "to 2515")  # it stops there
    assert on.decision is not None
    assert on.decision.kind == "movement.ChooseMover"
    assert refused(on, "move 456", because="6.0b")
    assert s.parse("decline").text == "end movement"
    s = narva.position(turn=2, phase="soviet.combat", units={"61F": "2412", "381": "2512", "220T": "2512"}, dice=(3,))
    do(s, "attack 2412", "add 381", "add 220T", "resolve the attack")
    assert reasons(s, "decline", "pass") == [("9.5a", "this must be decided")] * 2


def test_who_does_not_attack(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={**UNITS, "109 HQ": "2911", "11SS HQ": "2511"})
    assert reasons(s, "attack 2511", "attack 2613") == [
        ("9.0b", "an HQ alone cannot be attacked"),
        ("9.0b", "no enemy unit is there"),
    ]
    do(s, "attack 2412")
    assert reasons(s, "add 23", "add 11SS HQ", "add 109 HQ", "add 708") == [
        ("9.0a", "only your own units attack"),
        ("9.0a", "only your own units attack"),
        ("9.4b", "HQs are no combat units"),
        ("9.0a", "it is not on the map"),
    ]
    assert reasons(s, "no more units") == [("2.1.3a", "attacks are announced in fog of war, which is not in play")]


def test_a_unit_that_never_moves_here_is_not_told_to_wait(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units=UNITS)
    do(s, "move 456")
    assert reasons(s, "move MOK", "move 381") == [
        ("4.1.1c", "Soviet units move now"),
        ("6.0b", "first the move under way is finished"),
    ]


def test_an_hq_that_is_not_activated(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={**UNITS, "109 HQ": "2911"})
    s.release(narva.unit("109 HQ"))
    s.forget_choices()
    assert reasons(s, "move 109 HQ") == [("6.0a", "it is not the activated HQ: none is")]
    s.last = (-1, narva.unit("124 HQ"))
    assert reasons(s, "move 109 HQ") == [("6.0a", "it is not the activated HQ: 124 HQ is")]


def test_the_hq_that_commands_is_named(narva: Narva) -> None:
    """4.0a, 4.2.4a, 4.2.6a: a reader can tell from the answer why a unit is not commanded."""
    units = {
        "2 SH HQ": "2820",
        "109 HQ": "2911",
        "43 HQ": "2935",
        "381": "2512",
        "456": "3530",
        "219": "3012",
        "220T": "3535",
    }
    s = narva.position(turn=2, phase="command", draws=["2SH"], units={**units, "23": "2928"})
    assert reasons(s, "activate 43 HQ", "activate 8 HQ", "activate 112 HQ") == [
        ("4.1.1d", "it is 15 hexes from 2 SH HQ in 2820, whose range is 12"),
        ("2.3a", "the chit does not wake that unit"),
        ("4.1.1d", "112 HQ is not on the map"),
    ]
    do(s, "activate 109 HQ")
    assert reasons(s, "add 220T") == [("4.2.4a", "it is 27 hexes from 109 HQ in 2911, whose range is 6")]
    do(s, "no more units")
    assert reasons(s, "move 219", "move 456") == [
        ("4.0a", "it is not activated: it is not of the formation of 109 HQ, and was not called up"),
        ("4.2.6a", "it was out of range of 109 HQ, its HQ"),
    ]
    s = narva.position(turn=2, phase="command", draws=["2SH"], units={**units, "260MS": "2512", "MOK": "2412"})
    do(s, "pass")
    assert reasons(s, "move 219") == [("4.0a", "it is not activated, and neither is any HQ")]


def test_a_unit_that_is_not_commanded_does_not_attack(narva: Narva) -> None:
    units = {"109 HQ": "2511", "219": "2512", "381": "2513", "MOK": "2412"}
    s = narva.position(turn=2, phase="soviet.combat", units={**units, "2 SH HQ": "2525"})
    s.last = (-1, narva.unit("109 HQ"))
    s.release(narva.unit("219"))
    s.forget_choices()
    do(s, "attack 2412")
    assert reasons(s, "add 219") == [
        ("4.0a", "it is not activated: it is not of the formation of 109 HQ, and was not called up")
    ]


def test_who_is_not_due(narva: Narva) -> None:
    s = narva.position(turn=5, phase="german.reinforcement", units={"23": "2928"},
                       due={"2G": {"turn": 5, "entry": "A"}, "367G": {"turn": 7, "entry": "A"}})  # fmt: skip
    assert reasons(s, "enter 23 at 0125", "enter 367G at 0125") == [
        ("2.1.4a", "it is on the map already"),
        ("2.1.4a", "it is due on turn 7"),
    ]


def test_whom_a_free_move_does_not_take(narva: Narva) -> None:
    units = {"109 HQ": "2911", "381": "2912", "219": "3012", "163": "3013", "172": "3030", "MOK": "0531"}
    s = narva.position(turn=2, phase="command", draws=["FREE"], units=units)
    do(s, "activate 109 HQ", "add 219", "no more units")
    assert reasons(s, "move 172") == [("2.5.4a", "the Free Move is of 109 HQ and those that it called up")]
    s = narva.position(turn=2, phase="command", draws=["FREE"], units=units)
    do(s, "move three units", "add 219", "no more units")
    assert reasons(s, "move 172") == [("2.5.4b", "it is not one of the three units that were named")]


def test_a_way_that_is_too_long_is_shown_with_its_price(narva: Narva) -> None:
    s = narva.position(turn=4, phase="german.movement", units={"20F": "0205"})
    do(s, "move 20F")
    assert reasons(s, "to 0215") == [("6.1a", "it costs 18 movement points by a way of 10 hexes, and it has 6")]
    assert reasons(s, "to 0210") == [
        ("6.1a", "it costs 10 movement points by 0205-0206-0207-0208-0209-0210, and it has 6")
    ]


def test_how_long_a_retreat_is(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"61F": "2412", "381": "2512", "220T": "2512"}, dice=(3,))
    do(s, "attack 2412", "add 381", "add 220T", "resolve the attack")
    way = next(str(a) for a in s.legal() if a.kind == "retreat")
    hexes = way.rpartition(" ")[2].split("-")
    last = narva.board.node(hexes[-1])
    start = narva.board.node("2412")
    beyond = next(n for n in narva.board.around[last] if narva.board.distance(n, start) > len(hexes))
    count = f"{len(hexes)} hex{'es' * (len(hexes) > 1)}"
    for prefix in ("", "2412-"):
        longer = f"retreat 61F by {prefix}{'-'.join(hexes)}-{narva.board.labels[beyond]}"
        assert reasons(s, longer) == [("9.5.2", f"the retreat is of {count}, the path has {len(hexes) + 1}")]
    assert reasons(s, "retreat 61F by 3412") == [("9.5.2", "a retreat goes from hex to hex")]


def test_chits_are_drawn_in_the_command_phase(narva: Narva) -> None:
    s = narva.position(turn=4, phase="german.reinforcement", units=UNITS, due={"2G": 4})
    assert refused(s, "draw a chit", because="3.0a")
    s = narva.position(turn=2, phase="supply", units={"MOK": "0815", "381": "0818"}, pd={"Nordland": 1})
    assert refused(s, "draw a chit", because="3.0a")


def test_an_army_hq_that_can_be_placed_does_not_wait(narva: Narva) -> None:
    s = narva.position(turn=7, phase="soviet.reinforcement", units={"2 SH HQ": "3024"}, due={"8 HQ": 7})
    assert refused(s, "wait", because="4.2.5d")


def test_a_unit_that_was_just_rerouted_enters_next_turn(narva: Narva) -> None:
    s = narva.position(turn=4, phase="german.reinforcement", due={"2G": 4, "23G": 4, "VILJ": 5})
    s.do("reroute 2G to A")
    for tried in ("enter 2G at 0130", "reroute 2G to C"):
        assert refused(s, tried, because="8.0.4b")
    assert refused(s, "enter VILJ at 0130", because="2.1.4a")


def test_an_advance_step_by_step(narva: Narva) -> None:
    """9.6a, 9.6c, 9.6.3a, 11.1.2c: who advances, through which hex, and once."""
    units = {"PZ": "2412", "151G": "2412", "227 HQ": "2412", "162G": "2411", "1294SU": "2512"}
    s = narva.position(turn=2, phase="german.combat", units=units, dice=(3,))
    do(s, "attack 2512", "add PZ", "add 151G", "add 162G", "resolve the attack")
    while s.decision is not None and s.decision.kind != "advance.Advance":
        do(s, str(s.legal()[0]))
    assert reasons(s, "advance PZ by 2512-2515", "advance 227 HQ by 2512") == [
        ("9.6.3a", "it advances hex by hex"),
        ("11.1.2c", "an HQ advances only with a unit of its stack"),
    ]
    do(s, "advance 151G by 2512")
    assert reasons(s, "advance 151G by 2512", "advance 227 HQ by 2513") == [
        ("9.6a", "it has left the hex from which it attacked"),
        ("9.6c", "the defender's hex comes first"),
    ]
    do(s, "advance 227 HQ by 2512")
    assert reasons(s, "advance 227 HQ by 2512") == [("9.6a", "it has advanced")]


def test_what_an_attack_leaves_behind(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "456": "2512", "MOK": "2412"})
    do(s, "attack 2412", "add 381")
    assert reasons(s, "add 381") == [("9.2.1b", "it takes part already")]
    units = {"456": {"at": "2512", "steps": 1}, "151G": "2412", "162G": "2412", "381": "2514", "MOK": "2414"}
    s = narva.position(turn=2, phase="soviet.combat", units=units, options={"fog": True})
    do(s, "attack 2412", "add 456", "no more units", "resolve the attack")  # 2 to 10: short of the table
    assert reasons(s, "attack 2412") == [
        ("9.3.3a", "the attack on this hex was cancelled")  # ruling 41
    ]


def test_whom_an_hq_or_an_event_does_not_move(narva: Narva) -> None:
    units = {"2 SH HQ": "2820", "109 HQ": "2911", "219": {"at": "2912", "pinned": True}, "163": "2913", "MOK": "0531"}
    s = narva.position(turn=2, phase="command", draws=["2SH"], units=units)
    do(s, "activate 109 HQ")
    assert reasons(s, "add 219") == [("2.5.1i", "it is pinned")]
    units = {"151G": "2412", "162G": "0531", "PZ": "0431", "381": "2512"}
    s = narva.position(turn=2, phase="command", draws=["EVENT"], dice=(1, 2), units=units)
    do(s, "add 151G", "add PZ")
    assert reasons(s, "move 162G") == [("2.5.2b", "the event does not move it")]


def test_the_naval_brigade_takes_no_train_out_of_an_enemy_zone(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.reinforcement", units={"61F": "1833", "MOK": "2032"},
                       due={"260MS": {"turn": 2, "entry": "sea"}})  # fmt: skip
    do(s, "land at 1934", "cease fire")
    assert reasons(s, "by rail to 1429") == [("6.5a", "it starts in an enemy zone of control")]


def test_who_does_not_enter_and_where(narva: Narva) -> None:
    due = {"2G": {"turn": 5, "entry": "A"}, "170 HQ": {"turn": 5, "entry": "A"}}
    s = narva.position(turn=5, phase="german.reinforcement", due=due, eliminated=["367G"])
    assert reasons(s, "enter 367G at 0130", "reroute 2G to sea") == [
        ("2.1.4a", "it is not due now"),
        ("8.0.4a", "German reinforcements enter at A, B or C"),
    ]
    shut = {"225 HQ": "0130", "1294SU": "0131", "1902SU": "0230", "806SU": "0229", "109 HQ": "0129"}  # none has a ZOC
    s = narva.position(turn=5, phase="german.reinforcement", due=due, units=shut)
    assert reasons(s, "enter 170 HQ at 0130") == [("8.0.1", "it would find no room in its move")]
    # 8.0.3c: the same in a substitute hex that serves while A is taken
    shut = {"225 HQ": "0126", "1294SU": "0127", "1902SU": "0226", "806SU": "0225", "109 HQ": "0125"}
    s = narva.position(turn=5, phase="german.reinforcement", due=due, units={**shut, "381": "0130"})
    assert reasons(s, "enter 170 HQ at 0126") == [("8.0.1", "it would find no room in its move")]


def test_who_does_not_return(narva: Narva) -> None:
    """11.2b, 11.2.2d: in a supply source that is surrounded an HQ is supplied, but nobody finds room beside it."""
    units = {"225 HQ": "0130", "333G": {"at": "0130", "steps": 1}, "377G": "0130", "381": "0131", "456": "0230",
             "602": "0229", "864": "0129"}  # fmt: skip
    s = narva.position(turn=2, phase="command", draws=["EVENT"], dice=(1, 3), units=units, eliminated=["376G"])
    assert reasons(s, "return 333G at 0130", "return 376G at 0130") == [
        ("11.2b", "it is not an eliminated unit"),
        ("11.2.2d", "it would find no room in its move"),
    ]


def test_what_an_attack_is_left_with(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "456": "2512", "MOK": "2412"})
    do(s, "attack 2412", "add 381")
    assert reasons(s, "without 381", "without 456") == [
        ("9.2.1a", "it is all that is left: go back"),
        ("9.2.1a", "it is not in the attack"),
    ]
    units = {"456": {"at": "2512", "steps": 1}, "381": "2512", "602": "2413", "151G": "2412", "162G": "2412"}
    s = narva.position(turn=2, phase="soviet.combat", units=units)
    do(s, "attack 2412")
    forecast = s.forecast("add 456")
    assert forecast is not None
    assert dict(forecast.facts)["column"] == "below the table"
    assert [(outcome.result, outcome.chance) for outcome in forecast.outcomes] == [("cancelled", 1)]
    assert forecast.notes == ()


def test_an_army_hq_that_is_not_there_wakes_nobody(narva: Narva) -> None:
    units = {"109 HQ": "2911", "381": "2912", "MOK": "0531"}
    s = narva.position(turn=2, phase="command", draws=["2SH"], units=units)
    assert reasons(s, "activate 109 HQ", "relocate 2 SH HQ") == [
        ("4.1.1d", "2 SH HQ is not on the map"),
        ("4.1.3", "it is not on the map"),
    ]


def test_a_free_move_calls_up_nobody_out_of_an_enemy_zone(narva: Narva) -> None:
    units = {"109 HQ": "2511", "219": "2512", "163": "2612", "MOK": "2412"}
    s = narva.position(turn=2, phase="command", draws=["FREE"], units=units)
    do(s, "activate 109 HQ")
    assert reasons(s, "add 219") == [("2.5.4c", "it starts in an enemy zone of control")]


def test_a_pinned_naval_brigade_neither_moves_nor_attacks(narva: Narva) -> None:
    """8.0.6f wakes it, 2.5.1i holds it."""
    units = {"2 SH HQ": "2820", "109 HQ": "2911", "381": "2912", "260MS": {"at": "1934", "pinned": True}, "MOK": "1933"}
    s = narva.position(turn=3, phase="command", draws=["2SH"], units=units)
    do(s, "activate 109 HQ")
    assert reasons(s, "move 260MS") == [("2.5.1i", "it is pinned")]
    do(s, "end movement")
    assert s.decision is not None
    assert s.decision.kind == "command.DrawChit"  # nobody can attack


def test_where_army_hqs_and_the_brigade_come_ashore(narva: Narva) -> None:
    s = narva.position(turn=7, phase="soviet.reinforcement", units={"2 SH HQ": "1005"}, options={"edition": "2018"},
                       due={"8 HQ": {"turn": 7, "entry": "supplied"}})  # fmt: skip
    assert reasons(s, "place at 3020") == [("8.0a", "it enters at a Soviet source")]
    s = narva.position(turn=3, phase="soviet.reinforcement", units={"381": "1934", "456": "1934"},
                       due={"260MS": {"turn": 2, "entry": "sea"}})  # fmt: skip
    assert reasons(s, "land at 1934") == [("7.0a", "two combat units are there already")]
