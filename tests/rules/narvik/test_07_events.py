"""Chapter 7: events and the relief column."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, do, log, refused, rule
from tests.rules.narvik.play import stack, starting

UNITS = {"139-1": "2020", "SG-a": "0115"}
STRIKES = ("Warspite", "Resolution", "Effingham", "Aurora", "Cairo", "DD-Flotilla")
AIR = ("Ju87-1", "Ju87-2", "He111-1", "He111-2", "He111-3", "Ju88-1", "Ju88-2", "Fw200")
GERMAN_POOL = {**dict.fromkeys(AIR, "German Pool"), "138-6": "German Pool", "BB": "German Pool"}


def german(narvik: Any, *dice: int, **more: Any) -> Any:
    """A German event with these dice, then an Allied event without effect."""
    units = {**UNITS, **GERMAN_POOL, **more.pop("units", {})}
    return narvik.position(phase="german.event", units=units, dice=(*dice, 6), **more)


def allied(narvik: Any, *dice: int, **more: Any) -> Any:
    units = {**UNITS, **dict.fromkeys(STRIKES, "Allied Pool"), **more.pop("units", {})}
    return narvik.position(phase="allied.event", units=units, dice=dice, **more)


def drawn(s: Any, side: str) -> int:
    boxes = {"german": ("German Strikes", "Swedish Transit"), "allied": ("Allied Strikes", "Harstad")}[side]
    return sum(len(stack(s, box)) for box in boxes)


@rule("7.0.a")
def test_one_event_each_german_first(narvik: Any) -> None:
    s = narvik.position(phase="turn", units=UNITS, dice=(1, 1, 5, 1, 5, 1), ap={"german": 0, "allied": 0})
    assert s.relief == 1  # German 5: the column moves; Allied 5: Midnight Sun
    assert s.ap == (1 + 1 - 1, 1 + 1)  # AP dice 1 and 1, German objective, Midnight Sun
    bodo = narvik.position(phase="german.event", units={**UNITS, "SG-b": "Harstad"}, dice=(5, 1, 6, 1), relief="Mo")
    assert asked(bodo) == "events.Transfer"  # the Allied event meets the column's new box


@rule("7.1.a", "8.1.a")
def test_the_dice_say_how_many_are_drawn(narvik: Any) -> None:
    assert drawn(german(narvik, 1, 3, 4), "german") == 7
    assert drawn(german(narvik, 5, 4), "german") == 4
    assert drawn(german(narvik, 1, 6, 6), "german") == len(GERMAN_POOL)  # no more than the pool holds


@rule("7.1.b")
def test_the_column_advances_one_box(narvik: Any) -> None:
    s = german(narvik, 5, 1)
    assert narvik.tables.relief_names[s.relief] == "Mosjoen"
    s = german(narvik, 6, 1, 1, relief="Mo")
    assert narvik.tables.relief_names[s.relief] == "Bodo"


@rule("7.1.g")
def test_no_draw_without_an_entry(narvik: Any) -> None:
    assert drawn(german(narvik, 2), "german") == 0
    assert drawn(allied(narvik, 6), "allied") == 0


TRANSFERABLE = {"SG-b": "Harstad", "6CA-a": "0605", "1HL-a": "Bardufoss", "I/12": "1801"}


@rule("7.1.c")
def test_transfer_of_a_die_plus_one(narvik: Any) -> None:
    s = allied(narvik, 6, 1, units=TRANSFERABLE, relief="Bodo")
    assert asked(s) == "events.Transfer"
    do(s, "transfer SG-b", "transfer 6CA-a")
    assert asked(s) == "actions.Act"
    assert stack(s, "Troop Transfer") == ["6CA-a", "SG-b"]


@rule("7.1.d")
def test_the_allied_player_chooses_any_mix(narvik: Any) -> None:
    s = allied(narvik, 6, 1, units=TRANSFERABLE, relief="Narvik")
    assert set(starting(s, "transfer")) == {"SG-a", "SG-b", "6CA-a", "1HL-a"}
    assert refused(s, "transfer I/12", "7.1.d")


@rule("7.1.e")
def test_too_few_units_are_enough(narvik: Any) -> None:
    s = allied(narvik, 6, 6, units={"SG-b": "Harstad"}, relief="Bodo")
    do(s, "transfer SG-a")  # and the other without asking
    assert s.decision is None or asked(s) != "events.Transfer"
    assert len(stack(s, "Troop Transfer")) == 2


@rule("7.1.h")
def test_displays_do_not_meet_the_transfer(narvik: Any) -> None:
    more = {"SG-b": "Allied Regroup", "SWB-a": "Allied Eliminated", "6CA-a": "Allied Scheduled", "RM": "Allied Pool"}
    s = allied(narvik, 6, 6, units={**more, "IG-a": "Harstad"}, relief="Bodo")
    assert starting(s, "transfer") == ["SG-a", "IG-a"]
    for name in more:
        assert refused(s, f"transfer {name}", "7.1.h")


@rule("7.2.a")
def test_operation_r4(narvik: Any) -> None:
    units = {"6CA-a": "Allied Scheduled", "ILE-a": "Allied Scheduled", "1HL-a": "Allied Scheduled"}
    s = allied(narvik, 1, 1, units=units, turn=2, ap={"german": 1, "allied": 2})
    assert s.ap[1] == 5
    do(s, "call 27 DBCA")
    assert set(starting(s, "call")) == {"13 DBLE", "Polish Highland", "no second formation"}
    do(s, "call 13 DBLE")
    assert asked(s) == "actions.Act"
    s = allied(narvik, 1, 1, units=units, turn=6, ap={"german": 1, "allied": 2})  # no S in this box
    assert asked(s) == "actions.Act"
    s = allied(narvik, 2, 1, units=units, turn=2)
    do(s, "call 27 DBCA")
    assert asked(s) == "actions.Act"


@rule("7.2.b")
def test_norway_debate(narvik: Any) -> None:
    s = allied(narvik, 2, 1, ap={"german": 4, "allied": 4})
    assert s.ap == (4, 5)
    assert drawn(s, "allied") == 1


@rule("7.2.c")
def test_swedish_reluctance(narvik: Any) -> None:
    units = {"138-6": "Swedish Transit", "BB": "Swedish Transit", "138-8": "German Arrivals", "139-2": "2120"}
    s = allied(narvik, 3, 1, units=units)
    assert set(stack(s, "German Pool")) == {"138-6", "BB"}
    assert stack(s, "Swedish Transit") == ["138-8"]  # drawn this turn: deployed afterwards (ruling D10)
    assert s.place("139-2") == "2120"
    assert s.ap == (10, 10)


@rule("7.2.d")
def test_norwegians_rally(narvik: Any) -> None:
    units = {"I/12": "Allied Regroup", "I/16": "Allied Eliminated", "SG-b": "Allied Regroup", "II/16": "1801"}
    s = allied(narvik, 4, 1, units=units)
    assert s.ap[1] == 11
    assert set(starting(s, "rally")) == {"I/12", "I/16"}
    assert refused(s, "rally SG-b", "7.2.d")
    assert "I/16 rallies in Bardufoss (7.2.d)" in log(do(s, "rally I/16"))
    assert s.place("I/16") == "Bardufoss"
    assert s.place("I/12") == "Allied Regroup"
    s = allied(narvik, 4, 1)
    assert (s.ap[1], asked(s)) == (11, "actions.Act")  # nobody to place: only the point


@rule("7.2.e")
def test_midnight_sun(narvik: Any) -> None:
    assert allied(narvik, 5, 1, ap={"german": 4, "allied": 4}).ap == (3, 5)
    assert allied(narvik, 5, 1, ap={"german": 0, "allied": 4}).ap == (0, 5)


@rule("7.2.f")
def test_german_threat_once_and_only_from_bodo(narvik: Any) -> None:
    assert asked(allied(narvik, 6, 1, units=TRANSFERABLE, relief="Bodo")) == "events.Transfer"
    assert asked(allied(narvik, 6, 1, units=TRANSFERABLE, relief="Mo")) == "actions.Act"
    again = allied(narvik, 6, 1, units=TRANSFERABLE, relief="Bodo", transferred=True)
    assert asked(again) == "actions.Act"
    s = allied(narvik, 6, 1, units=TRANSFERABLE, relief="Bodo")
    assert s.transferred
    assert drawn(s, "allied") == 1  # SG-b waits in Harstad, nothing was drawn


@rule("7.3.a")
def test_okw_interest(narvik: Any) -> None:
    s = german(narvik, 1, 2, 3)
    assert s.ap[0] == 12
    assert drawn(s, "german") == 5


@rule("7.3.b")
def test_okw_panic(narvik: Any) -> None:
    s = german(narvik, 2)
    assert (s.ap[0], s.relief, drawn(s, "german")) == (10, 0, 0)


@rule("7.3.c")
def test_swedish_cooperation_needs_bjornfjell(narvik: Any) -> None:
    s = german(narvik, 3, 1, 1)
    assert (s.ap[0], drawn(s, "german")) == (11, 2)
    s = german(narvik, 3, 1, 1, units={"139-1": "2120"}, control={"2020": "german"})
    assert (s.ap[0], drawn(s, "german")) == (10, 2)


@rule("7.3.d")
def test_severe_weather_halves_the_draw(narvik: Any) -> None:
    for die, number in ((1, 1), (2, 1), (3, 2), (5, 3), (6, 3)):
        s = german(narvik, 4, die)
        assert (drawn(s, "german"), s.relief) == (number, 0)


@rule("7.3.e", "7.3.f")
def test_the_column_and_its_draws(narvik: Any) -> None:
    s = german(narvik, 5, 3)
    assert (s.relief, drawn(s, "german"), s.ap[0]) == (1, 3, 10)
    s = german(narvik, 6, 3, 2)
    assert (s.relief, drawn(s, "german"), s.ap[0]) == (1, 5, 10)


@rule("7.3.g")
def test_the_column_stops_in_narvik(narvik: Any) -> None:
    s = german(narvik, 5, 1, relief="Narvik")
    assert narvik.tables.relief_names[s.relief] == "Narvik"


def next_turn(narvik: Any, *dice: int) -> list[str]:
    """What is told of the next turn's preparation; the dice are those for points, then those of the events."""
    s = narvik.position(phase="german.action", units={**UNITS, **GERMAN_POOL}, dice=(1, 1, *dice))
    return log(do(s, "pass", "pass"))


@rule("7.1.b")
def test_the_log_tells_where_the_column_is(narvik: Any) -> None:
    assert "the relief column reaches Mosjoen (7.1.b)" in next_turn(narvik, 5, 1)


@rule("7.1.g", "8.1.a")
def test_the_log_counts_what_is_drawn(narvik: Any) -> None:
    none = next_turn(narvik, 2, 6)  # OKW Panic, and no troop transfer
    assert none.count("no random reinforcements (7.1.g)") == 2
    assert not any("draws" in line for line in none)
    one, two = next_turn(narvik, 4, 1, 6), next_turn(narvik, 4, 3, 6)  # severe weather: half of a die
    assert any(line.startswith("The German side draws 1 counter") and "counters" not in line for line in one)
    assert any(line.startswith("The German side draws 2 counters") for line in two)
