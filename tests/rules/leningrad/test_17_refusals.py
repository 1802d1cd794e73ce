"""Refusals are exact: whatever is tried, one rule is named, and what no rule forbids can be done."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from counterblow.kernel.flow import EVERYBODY, WITHOUT
from tests.helpers import asked, do, refused
from tests.refusals import drawn, positions
from tests.rules.leningrad.play import Game, State, assault, duel
from tests.rules.leningrad.said import FILE, entries, refusals


@pytest.mark.parametrize("seed", range(4))
def test_one_rule_is_named_and_what_none_forbids_can_be_done(leningrad: Game, seed: int) -> None:
    chooser = random.Random(seed)
    for s in islice(positions(leningrad, chooser), 150):
        action = drawn(s, chooser)
        reasons = s.why_not(action)
        if not reasons:
            assert s.copy().do(action) is not None
            continue
        assert len(reasons) == 1, (action, reasons)
        assert reasons[0].rule in leningrad.rules, (action, reasons)
        assert "not now" not in reasons[0].text, (action, reasons)
        assert action not in s.legal()


def test_the_referee_says_what_was_read_against_the_rulebook(leningrad: Game) -> None:
    """What differs has to be judged: see said.py. The file is made from more games than are played here."""
    log_part, refused_part = FILE.read_text(encoding="utf-8").split("# refusals\n")
    assert ["# the log", *entries(leningrad)] == log_part.splitlines()
    said = refusals(leningrad, games=12)
    assert len(said) > 200
    assert set(said) - set(refused_part.splitlines()) == set()


def test_every_kind_of_action_has_its_time(leningrad: Game) -> None:
    always = [moment for moment in leningrad.moments.entries if not moment.during]
    assert {kind for moment in always for kind in moment.kinds} == {*leningrad.sentences, WITHOUT, EVERYBODY}


def why(s: State, action: str) -> tuple[str, str]:
    (reason,) = s.why_not(action)
    return reason.rule, reason.text


def test_out_of_its_time_an_action_is_refused_by_its_own_rule(leningrad: Game) -> None:
    s = leningrad.position(phase="german.movement", units={"I. Korps": "0918", "22. Corps": "1018"})
    now = "; now: Move units and fly missions, then end movement"
    assert why(s, "retreat 22. Corps 1019") == ("3.2", "no unit is on its retreat" + now)
    assert why(s, "attack 1018") == ("1.4", "attacks are allocated one at a time, when movement has ended" + now)
    assert why(s, "entrench I. Korps") == ("9.1", "units dig in at set-up and after their side's last combat" + now)
    assert why(s, "back") == ("1.4", "there is nothing to go back to" + now)
    nothing = "no mission of the movement step and no attack of the allocation is being put together"
    assert why(s, "without I. Korps") == ("1.4", nothing + now)
    assert refused(s, "to 1019", because="1.4")
    assert refused(s, "halt I. Korps", because="1.4")
    assert refused(s, "lead 22. Corps through 1019", because="1.1")  # that unit does not move now at all


def test_who_is_meant(leningrad: Game) -> None:
    """Another unit than the one in hand: what bars that unit comes first, else whose turn it is."""
    units = {"16. Armee": "0918", "18. Armee": {"at": "0919", "disrupted": True}, "I. Korps": "1019"}
    s = leningrad.position(phase="german.movement", units=units)
    s.do("march 16. Armee")
    assert why(s, "lead 18. Armee through 1018") == ("3.18", "a Disrupted unit does not move")
    assert why(s, "lead I. Korps through 1018") == ("1.4", "16. Armee marches now")
    assert why(s, "halt I. Korps") == ("1.4", "16. Armee marches now")


def test_only_the_unit_that_is_asked_stays_or_halts(leningrad: Game) -> None:
    s = duel(leningrad, 3, 2, die=4)  # 3:2: D
    s.do("fight 1018")
    assert asked(s) == "retreat.StepBack"
    name = s.game.unit_names[s.agenda[-1][1]]
    assert why(s, "stay 8. Army") == ("3.7", f"here it can only be: stay {name}")


def test_plans(leningrad: Game) -> None:
    units = {"I. Korps": "0918", "X. Korps": "0918", "22. Corps": "1018", "L. Korps": "0519"}
    s = leningrad.position(phase="german.allocation", units=units)
    s.do("attack 1018")
    assert why(s, "also 1019") == ("2.2", "no russian ground unit is there to attack")
    assert why(s, "commit") == ("2.2", "nobody attacks yet")
    assert why(s, "without I. Korps") == ("2.19", "I. Korps is not part of it")
    s.do("with I. Korps")
    assert why(s, "without I. Korps") == ("2.19", "it is all that is left: go back")
    s.do("with everybody")
    assert why(s, "with everybody") == ("2.19", "nobody else can join")
    assert why(s, "with 12. Panzer Division")[0] == "10.25"
    assert why(s, "with I. Fliegerkorps") == ("11.5", "air units bomb and intercept")
    assert why(s, "attack 1019") == (
        "1.4", f"attacks are allocated one at a time, when movement has ended; now: {prompt(s)}"
    )  # fmt: skip


def prompt(s: State) -> str:
    assert s.decision is not None
    return s.decision.prompt.rstrip(".")


def test_where_a_unit_goes(leningrad: Game) -> None:
    units = {"I. Korps": "0717", "22. Corps": "0818"}
    s = leningrad.position(phase="german.movement", units=units)
    s.do("march I. Korps")
    assert why(s, "to 0818") == ("7.19", "enemy units are in 0818, and there is no overrun")
    assert why(s, "lead I. Korps through 0817") == ("8.2", "the unit would stop there, in an enemy zone")
    assert why(s, "lead I. Korps through 0717") == ("7.4", "it is there already")


def test_a_unit_that_was_led_is_told_what_it_has_spent(leningrad: Game) -> None:
    s = leningrad.position(phase="german.movement", units={"6. Panzer Division": "0418"})
    s.do("march 6. Panzer Division")
    assert why(s, "to 1609") == ("7.4", "too far, even with the movement bonus")
    s.do("lead 6. Panzer Division through 0417")
    assert why(s, "to 1609") == ("7.4", "too far, even with the movement bonus, 1 of 5 movement factors being spent")


def test_a_mission_is_no_ground_attack(leningrad: Game) -> None:
    s = leningrad.position(phase="german.movement", units={"I. Korps": "0918", "22. Corps": "1018"}, turn=3,
                           air=["I. Fliegerkorps", "VIII. Fliegerkorps"])  # fmt: skip
    do(s, "bomb with I. Fliegerkorps", "bomb 1018")
    assert why(s, "with VIII. Fliegerkorps") == (
        "1.4", f"attacks are put together when they are allocated, after movement; now: {prompt(s)}"
    )  # fmt: skip


def test_missions_are_flown_before_attacks_are_allocated(leningrad: Game) -> None:
    """1.4, ruling D47: by 11.5 alone a mission belongs to the same step as the allocation."""
    s = leningrad.position(phase="german.allocation", units={"I. Korps": "0918", "22. Corps": "1018"}, turn=3)
    for tried in ("bomb 1018", "bomb with I. Fliegerkorps", "join VIII. Fliegerkorps", "fly"):
        assert refused(s, tried, because="1.4")
    assert why(s, "with I. Korps")[0] == why(s, "commit")[0] == "2.19"  # of what attack?


def test_who_joins_a_mission_that_has_no_target_yet(leningrad: Game) -> None:
    s = leningrad.position(phase="german.movement", units={"I. Korps": "0918", "22. Corps": "1018"}, turn=2,
                           air=["I. Fliegerkorps"])  # fmt: skip
    do(s, "bomb with I. Fliegerkorps")
    assert why(s, "join VIII. Fliegerkorps") == ("10.25", "the unit is due on turn 3")
    assert why(s, "join I. Korps") == ("11.1", "only air units bomb")
    assert why(s, "join I. Fliegerkorps") == ("11.2", "air units join once the target is chosen")
    assert refused(s, "fly", because="11.1")


def test_what_only_one_side_does(leningrad: Game) -> None:
    s = leningrad.position(phase="german.allocation", units={"I. Korps": "0918", "22. Corps": "1018"})
    assert refused(s, "run Armored Train 1", because="1.1")
    assert refused(s, "land the Marines", because="1.1")
    assert refused(s, "cancel 1018", because="2.10")
    s = leningrad.position(phase="russian.allocation", units={"I. Korps": "0918", "22. Corps": "1018"})
    assert refused(s, "cancel 0918", because="2.11")
    assert refused(s, "run Armored Train 1", because="13.1")


def test_an_overstacked_hex_comes_before_the_end_of_movement(leningrad: Game) -> None:
    s = leningrad.position(phase="russian.movement", units={"48. Army": "0405", "8. Army": "0405", "I. Korps": "0918"})
    do(s, "end movement")
    assert asked(s) == "stacking.Excess"
    assert refused(s, "end movement", because="6.10")


def test_where_a_train_escapes_to_and_where_the_fleet_is(leningrad: Game) -> None:
    units = {"6. Panzer Division": "1116", "Armored Train 1": "1216", "Red Banner Baltic Fleet": "0803",
             "RBBF Marines": "0804"}  # fmt: skip
    s = leningrad.position(phase="german.movement", units=units)
    do(s, "march 6. Panzer Division", "to 1216")
    assert why(s, "to 1416") == ("13.5", "a train escapes to the nearest free rail hex: 1116 or 1316")
    s = leningrad.position(phase="russian.movement", units=units)
    assert why(s, "land the Marines") == ("10.9", "the fleet is in Kronshtadt (0803) and has not sailed in this step")


def test_the_whole_advance_can_be_ended_while_a_unit_could_go_on(leningrad: Game) -> None:
    """5.2 to 5.4, ruling D15: to go on is voluntary, so nobody has to halt the unit first."""
    s = duel(leningrad, 9, 1, die=1)  # DE
    do(s, "fight 1018")
    do(s, next(str(action) for action in s.legal() if action.kind == "advance"))
    if asked(s) != "advance.AdvanceOn":
        pytest.fail("a unit that could go on was expected")
    do(s, "consolidate")
    assert not asked(s).startswith("advance")


def test_attacks_are_given_up_only_for_an_unmet_duty(leningrad: Game) -> None:
    for phase in ("german.allocation", "russian.allocation"):
        s = leningrad.position(phase=phase, units={"I. Korps": "0918", "22. Corps": "1018"})
        assert refused(s, "give up all attacks", because="2.10")


@pytest.mark.parametrize(("die", "order", "rule"), [(4, "1", "3.3"), (4, "0", "3.5"), (6, "", "3.7")])
def test_another_unit_than_the_one_that_retreats(leningrad: Game, die: int, order: str, rule: str) -> None:
    """3.3 is of the ordered way, 3.5 of the hex more on D1, 3.7 of what is done of one's own will on D or a dash."""
    s = duel(leningrad, 9, 3, die)
    s.do("fight 1018")
    if order:
        s.do(f"order retreat {order}")
    assert asked(s) == "retreat.StepBack"
    assert refused(s, "retreat I. Korps 1118", because=rule)
    assert why(s, f"retreat {s.game.unit_names[s.agenda[-1][1]]} 1418") == (rule, "a retreat goes hex by hex")


def test_a_unit_shut_in_is_told_by_what(leningrad: Game) -> None:
    ring = {"22. Corps": "1118", "16. Corps": "0918", "41. Corps": "1019", "11. Army": "1017"}
    s = leningrad.position(phase="german.movement", units={"I. Korps": "1018", **ring, "27. Army": "1117"})
    assert refused(s, "march I. Korps", because="8.6")
    s.do("end movement")


def test_units_that_are_not_on_the_map(leningrad: Game) -> None:
    s = leningrad.position(turn=4, phase="german.movement", units={"I. Korps": "0918"}, lost=["X. Korps"],
                           shot_down={"I. Fliegerkorps": 5})  # fmt: skip
    assert why(s, "march L. Korps") == ("10.25", "the unit is due on turn 5")
    assert why(s, "march XXVI. Korps") == ("10.10", "the unit waits to arrive")
    assert why(s, "march X. Korps") == ("3.1", "the unit is eliminated")
    assert why(s, "march I. Fliegerkorps") == ("11.5", "air units bomb and intercept")
    assert why(s, "bomb with I. Fliegerkorps") == ("11.11", "the air unit is shot down")
    assert why(s, "bomb with VIII. Fliegerkorps") == ("11.11", "the air unit is not in this game")
    s = leningrad.position(turn=2, phase="german.movement", units={"I. Korps": "0918"})
    assert why(s, "bomb with VIII. Fliegerkorps") == ("10.25", "the unit is due on turn 3")


def test_entering(leningrad: Game) -> None:
    s = leningrad.position(turn=3, phase="german.reinforcement", units={"I. Korps": "0918", "22. Corps": "0108"},
                           waiting=["16. Armee", "18. Armee", "XXVI. Korps"])  # fmt: skip
    s.do("bring on 16. Armee")
    assert why(s, "enter I. Korps 0519") == ("10.10", "the unit is not waiting to arrive")
    assert why(s, "enter XXVI. Korps 0519") == ("10.25", "the unit is due on turn 4")
    assert why(s, "enter 18. Armee 0519") == ("10.10", "16. Armee enters now")
    s.lost |= 1 << leningrad.unit("XXXVIII. Korps")
    assert why(s, "enter XXXVIII. Korps 0519") == ("10.10", "16. Armee enters now")  # nobody is replaced here
    assert why(s, "enter 16. Armee 0108") == ("10.12", "Russians are there")
    s.do("back")
    s.do("bring on 18. Armee")
    assert why(s, "enter 18. Armee 0107") == ("10.12", "only a unit held back a turn enters west of the Narva")


def test_coming_back(leningrad: Game) -> None:
    s = leningrad.position(turn=3, phase="russian.reinforcement", units={"I. Korps": "0418", "48. Army": "0903"},
                           lost=["21. Tank Division", "RBBF Marines"], bombed=["0903"])  # fmt: skip
    s.do("replace 21. Tank Division")
    assert why(s, "enter 21. Tank Division 2006") == ("10.1", "it comes back at the Kirov factory")
    s.do("back")
    s.do("replace RBBF Marines")
    assert why(s, "enter RBBF Marines 0903") == ("11.21", "the hex was bombed")
    assert why(s, "enter RBBF Marines 2006") == ("10.9", "the Marines come back in Leningrad, or with the fleet")


def test_withdrawing(leningrad: Game) -> None:
    units = {"4. Panzer Gruppe": "0418", "6. Panzer Division": "0418", "8. Panzer Division": "0519",
             "12. Panzer Division": "0519", "XXXIX. Panzer Korps": "0619", "LVI. Panzer Korps": "0719"}  # fmt: skip
    s = leningrad.position(turn=8, phase="german.reinforcement", units=units, dice=(6,), air=["I. Fliegerkorps"],
                           bought=["XXXIX. Panzer Korps"])  # fmt: skip
    assert why(s, "withdraw LVI. Panzer Korps") == ("10.18", "that is no panzer division in play")
    s.do("withdraw 6. Panzer Division")
    assert why(s, "withdraw 8. Panzer Division") == ("10.20", "that is no panzer korps in play")


def test_digging_in(leningrad: Game) -> None:
    units = {"I. Korps": {"at": "0918", "moved": True}, "X. Korps": {"at": "0919", "attacked": True},
             "L. Korps": "0519", "16. Armee": {"at": "0619", "entered": True}, "22. Corps": "1406"}  # fmt: skip
    s = leningrad.position(phase="german.entrenchment", units=units)
    assert why(s, "entrench I. Korps") == ("9.1", "it has moved this turn")
    assert why(s, "entrench X. Korps") == ("9.1", "it has attacked this turn")
    assert why(s, "entrench 16. Armee") == ("9.1", "it came on this turn")
    assert why(s, "entrench 22. Corps") == ("9.1", "units dig in in their own side's player-turn")
    assert why(s, "entrench 18. Armee") == ("9.1", "it is not on the map")


def test_by_rail(leningrad: Game) -> None:
    units = {"22. Corps": "0604", "16. Corps": "0704", "X. Korps": "0705"}
    s = leningrad.position(phase="russian.movement", units=units)
    s.do("entrain 22. Corps")
    assert why(s, "to 0804") == ("7.22", "German zones bar the line to it")
    s = leningrad.position(phase="russian.movement", units={"22. Corps": "0604", "8. Panzer Division": "0804"})
    s.do("entrain 22. Corps")
    assert why(s, "to 0904") == ("7.11", "no open line leads there")


def test_trains(leningrad: Game) -> None:
    units = {"Armored Train 1": "0903", "Armored Train 2": "1005", "X. Korps": "1205", "8. Panzer Division": "1006"}
    s = leningrad.position(phase="russian.movement", units=units, control={"Chudovo": "german", "2006": "german"})
    assert why(s, "run Armored Train 1") == ("13.1", "no railway leads away from there")
    s.do("run Armored Train 2")
    assert why(s, "to 1006")[0] == "7.19"
    assert why(s, "to 1309") == ("13.2", "Germans held that place last")
    assert why(s, "to 1207") == ("13.2", "a place that Germans held last lies on the line to it")
    s = leningrad.position(phase="russian.movement", units={"Armored Train 1": "0604", "8. Panzer Division": "0804"})
    s.do("run Armored Train 1")
    assert why(s, "to 0904") == ("13.1", "no open line leads there")
    s = leningrad.position(phase="russian.movement", units={"Armored Train 1": "0604", "X. Korps": "0903"})
    s.do("run Armored Train 1")
    assert why(s, "to 1006") == ("13.2", "German zones bar the line to it")


def test_what_intercepts_what(leningrad: Game) -> None:
    s = leningrad.position(phase="german.movement", units={"48. Army": "0903", "22. Corps": "1018"},
                           air=["I. Fliegerkorps", "7. Fighter Aviation Korps"])  # fmt: skip
    s.do("bomb with I. Fliegerkorps")
    s.do("bomb 0903")
    assert why(s, "send 22. Corps against 48. Army") == ("11.5", "48. Army flies no mission now")
    assert why(s, "send 22. Corps against I. Fliegerkorps") == ("11.5", "only russian air units intercept now")


def test_a_battle_over_two_hexes_is_named_by_its_first(leningrad: Game) -> None:
    units = {"16. Armee": "1018", "22. Corps": "1118", "16. Corps": "1117"}
    s = leningrad.position(phase="german.allocation", units=units)
    assault(s, "1118", "16. Armee", also=["1117"])
    do(s, "end attacks", "allow retreats")
    assert why(s, "fight 1117") == ("2.19", "that hex is attacked together with 1118, by which the battle is named")
    assert why(s, "cancel 1117")[0] == "2.19"
    assert why(s, "fight 1018") == ("1.6", "no attack on that hex has been allocated")


def test_who_goes_where_he_is_or_halts_before_he_has_moved_stays(leningrad: Game) -> None:
    """No rule forbids it, and nothing is done: it is as if the unit had not been chosen."""
    units = {"34. Army": "0809", "I. Korps": "0918", "Red Banner Baltic Fleet": "0803"}
    s = leningrad.position(phase="russian.movement", units=units)
    before = s.to_json()
    for choice, staying in (
        ("march 34. Army", "to 0809"),
        ("march 34. Army", "halt 34. Army"),
        ("entrain 34. Army", "to 0809"),
        ("sail", "to 0803"),
    ):
        do(s, choice, staying)
        assert s.to_json() == before


def test_the_fleet_and_aircraft_have_their_time(leningrad: Game) -> None:
    s = leningrad.position(phase="german.movement", units={"I. Korps": "0918", "22. Corps": "1018"})
    for tried in ("bomb 1018", "join 7. Fighter Aviation Korps", "fly"):
        assert refused(s, tried, because="11.5")
    assert not s.afloat
    assert refused(s, "bombard", because="13.7")  # sunk or not, it is the German's step
    assert refused(s, "sail", because="13.6")


def test_who_is_not_there(leningrad: Game) -> None:
    s = leningrad.position(phase="russian.movement", units={"22. Corps": "1018"})
    assert why(s, "march 11. Army") == ("1.4", "the unit is not on the map")


def test_a_railway_that_is_blocked_on_both_sides(leningrad: Game) -> None:
    units = {"22. Corps": "1216", "Armored Train 1": "1216", "I. Korps": "1116", "X. Korps": "1316"}
    s = leningrad.position(phase="russian.movement", units=units)
    assert why(s, "entrain 22. Corps") == ("7.12", "the railway is blocked")
    assert why(s, "run Armored Train 1") == ("13.2", "the railway is blocked")


def test_who_is_shot_down_flies_no_supplies(leningrad: Game) -> None:
    units = {"I. Korps": "1018", "X. Korps": "1019", "22. Corps": "0918", "11. Army": "1118", "34. Army": "1017"}
    s = leningrad.position(phase="german.supply", turn=8, units=units, air=["I. Fliegerkorps"],
                           shot_down={"VIII. Fliegerkorps": 9})  # fmt: skip
    assert why(s, "airlift VIII. Fliegerkorps 1018") == ("11.11", "the air unit is shot down")


def test_an_attack_that_an_earlier_one_made_obligatory(leningrad: Game) -> None:
    """2.10 where the duty of 2.6 binds the Germans too: before the first battle is fought and after it."""
    units = {"16. Armee": "0918", "I. Korps": "0817", "22. Corps": "1018", "11. Army": "0917", "48. Army": "0904"}
    s = leningrad.position(phase="german.allocation", units=units, dice=(4,), options={"symmetric_obligation": True})
    do(s, "attack 1018", "with 16. Armee", "commit", "attack 0917", "with I. Korps", "commit", "end attacks")
    do(s, "allow retreats")
    for fought in (False, True):
        if fought:
            do(s, "fight 1018")
            while asked(s) != "results.NextBattle":
                do(s, str(s.legal()[-1]))
        assert why(s, "cancel 0917") == ("2.10", "an earlier attack made this one obligatory")


def test_an_air_unit_flies_supplies_once(leningrad: Game) -> None:
    units = {"I. Korps": "1018", "X. Korps": "1019", "22. Corps": "0918", "11. Army": "1118", "34. Army": "1017"}
    air = ["I. Fliegerkorps", "VIII. Fliegerkorps"]
    s = leningrad.position(phase="german.supply", turn=8, units=units, air=air, dice=(6, 6))
    do(s, "airlift I. Fliegerkorps 1018")
    assert why(s, "airlift I. Fliegerkorps 1018") == ("11.6", "the air unit has flown its extra mission")
    assert why(s, "airlift VIII. Fliegerkorps 0418") == ("11.18", "no German unit is out of supply there")


def test_marines_who_came_back_once_do_not_land_again(leningrad: Game) -> None:
    units = {"Red Banner Baltic Fleet": "0803", "22. Corps": "1018"}
    s = leningrad.position(phase="russian.movement", units=units, lost=["RBBF Marines"], marines_back=1)
    do(s, "sail", "to 0604")
    assert why(s, "land the Marines") == ("10.8", "the Marines come back only once")


def test_why_nobody_enters(leningrad: Game) -> None:
    """10.6, 10.9 to 10.13: the hexes are shut, or the unit does not come that way."""
    edge = {f"0{column}19": "russian" for column in range(1, 6)}
    s = leningrad.position(phase="german.reinforcement", turn=3, units={"I. Korps": "0618"}, control=edge,
                           waiting=["X. Korps", "XXVIII. Korps", "VIII. Fliegerkorps"])  # fmt: skip
    assert why(s, "bring on XXVIII. Korps") == (
        "10.11",
        "no entry hex is open",
    )  # X. Korps may come in the west (10.12)
    assert why(s, "bring on VIII. Fliegerkorps") == ("10.10", "air units arrive by themselves")
    east = {leningrad.board.labels[node]: "german" for node in leningrad.supply_edges[1]}
    s = leningrad.position(phase="russian.reinforcement", turn=4, units={"48. Army": "0903"}, control=east, dice=(6,),
                           waiting=["8. Army", "34. Army"], lost=["21. Tank Division", "RBBF Marines"],
                           bombed=["0903", "0904"])  # fmt: skip
    assert why(s, "bring on 34. Army") == ("10.13", "no entry hex is open")
    assert why(s, "replace 21. Tank Division") == ("10.6", "no eastern or southern edge hex is open")
    assert why(s, "replace RBBF Marines") == ("10.9", "no Leningrad hex is open to them")
    s = leningrad.position(phase="russian.reinforcement", turn=4, units={"48. Army": "0903", "16. Armee": "0904"},
                           waiting=["8. Army"])  # fmt: skip
    do(s, "bring on 8. Army")
    assert why(s, "enter 8. Army 0904") == ("10.13", "that hex is German")


def test_tanks_for_a_city_that_is_cut_off(leningrad: Game) -> None:
    units = {"48. Army": "0904", "16. Armee": "0905", "18. Armee": "1005", "I. Korps": "1003", "X. Korps": "1104"}
    s = leningrad.position(phase="russian.reinforcement", turn=4, units=units, lost=["21. Tank Division"], dice=(1,))
    do(s, "replace 21. Tank Division")
    reason = ("10.6", "it comes on the eastern or southern edge, behind Russian lines")
    assert why(s, "enter 21. Tank Division 0918") == reason


def test_who_is_bought_and_who_is_not(leningrad: Game) -> None:
    s = leningrad.position(phase="german.reinforcement", turn=4, units={"I. Korps": "0418"},
                           waiting=["XXVI. Korps", "L. Korps", "4. Army"])  # fmt: skip
    assert why(s, "buy XXVI. Korps") == ("10.16", "it is no optional unit")
    assert why(s, "bring on L. Korps") == ("10.16", "it is optional, and bought")
    assert why(s, "buy I. Korps") == ("10.10", "the unit is not waiting to arrive")
    assert why(s, "bring on 4. Army") == ("10.10", "units come on in their own side's player-turn")
