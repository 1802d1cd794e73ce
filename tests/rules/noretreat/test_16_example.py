"""Chapter 16: the combined example of play as one scripted game, on our map."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, at, do, legal, rule
from tests.rules.noretreat.play import fact, offers, pay, shifts, starting, told

# Around Kiev (1414) and Odessa (1419), turn 2. 6th and 17th Armies with the 1st Panzer face the Bryansk Front south of
# Kiev; the 11th Army, the 18th and the Rumanians stand around Odessa; another 4-4 army faces the Central Front in Kiev.
UNITS = {
    "1st Panzer": "1315",
    "17th Army": "1315",
    "4th Army": "1316",
    "6th Army": "1314",
    "11th Army": "1319",
    "18th Army": "1319",
    "3rd Rumanian": "1320",
    "4th Rumanian": "1318",
    "9th Army": "1418",
    "Central": "1414",
    "Bryansk": "1415",
    "South": "1419",
}
HANDS = {
    "axis": ["Gott Mit Uns", "Inexperienced Soviet Officers", "Heinz Guderian"],
    "soviet": ["Maskirovka", "STAVKA", "Heroes of the Soviet Union"],
}
HELD = {"Lublin": "axis", "Bucharest": "axis"}


def example(game: Any) -> Any:
    return game.position(turn=2, phase="axis.movement", units=UNITS, hands=HANDS, boxes={"Rail": ["Reserve"]},
                         support={"axis": 1}, dice=(3, 1, 3, 2), control=HELD)  # fmt: skip


@rule("16.0", "5.0.e", "10.1.2.a", "10.5.2.b", "10.7.2.a", "10.7.5.f", "10.8.2")
def test_the_combined_example(noretreat: Any) -> None:
    s = example(noretreat)

    # Maskirovka at the end of the Movement Phase, cancelled: the unit goes back to the Rail box
    do(s, "done")
    assert (s.side, asked(s)) == ("soviet", "cards.React")
    do(s, "play Maskirovka on Reserve")
    assert (s.side, asked(s)) == ("axis", "cards.React")
    events = do(s, "play Inexperienced Soviet Officers")
    assert "Maskirovka is cancelled" in told(events)
    assert at(s, "Reserve") == "Soviet Rail"

    # targets A (Bryansk) and B (South); the Soviets pay STAVKA for a Counterblow in Kiev
    do(s, "target 1415", "target 1419", "done")
    assert s.side == "soviet"
    do(s, "counterblow 1414", "discard STAVKA")
    while asked(s) == "combat.DeclareCounterblows":
        do(s, "done")
    assert s.view("axis")["discards"]["top"]["axis"]["title"] == "Erich von Manstein"

    # A: 15 against 3, 5:1, no Armor Bonus against a mechanized front; a 3 is DS
    do(s, "attack 1415", "attack with 1st Panzer", "attack with 17th Army", "attack with 4th Army")
    forecast = s.forecast("fight")
    assert (fact(forecast, "attack"), fact(forecast, "defence"), fact(forecast, "column")) == ("15", "3", "5:1")
    assert not shifts(forecast)
    do(s, "fight")
    assert asked(s) == "combat.CommitSupport"
    do(s, "pass")
    # Gott Mit Uns could fetch von Manstein from the discards for this battle
    assert offers(s, "play Gott Mit Uns for Erich von Manstein on 1st Panzer")
    events = do(s, "pass")
    assert "die 3, result DS" in told(events)
    assert at(s, "Bryansk") == "Soviet Shattered"
    do(s, "advance 17th Army 1415", "halt 17th Army", "advance 4th Army 1415", "advance 4th Army 1416")
    do(s, "advance 1st Panzer 1415", "advance 1st Panzer 1515", "advance 1st Panzer 1514")  # armor goes a third hex
    assert at(s, "1st Panzer") == "1514"

    # B: 9 against 3 in Odessa, river and city: 3:2; Guderian makes it a DR, and there is nowhere to go
    do(s, "attack 1419", "attack with 11th Army", "attack with 18th Army", "attack with 3rd Rumanian")
    forecast = s.forecast("fight")
    assert (fact(forecast, "odds"), fact(forecast, "column")) == ("3:1", "3:2")
    assert sorted(m.text for m in forecast.modifiers) == ["city", "river"]
    do(s, "fight", "pass", "play Heinz Guderian")
    assert at(s, "South") == "Soviet Destroyed"
    do(s, "advance 11th Army 1419", "halt 11th Army", "done")

    # C: the 6th Army must answer the Counterblow: 4 against 5, 1:2; with the Blitz! marker 1:1
    do(s, "attack 1414", "attack with 6th Army", "fight")
    assert fact(s.forecast("commit a Support marker"), "column") == "1:1"
    assert fact(s.forecast("pass"), "column") == "1:2"
    do(s, "pass")
    events = do(s, "pass") if asked(s) == "combat.BattleEvent" else []
    assert asked(s) == "results.Counterattack"
    assert s.side == "soviet"
    assert fact(s.forecast("counterattack"), "column") == "1:1"
    do(s, "counterattack")

    # a 3 is CB; Heroes of the Soviet Union rolls again, a 2 is CA, and the Axis declines
    while s.side == "axis":
        do(s, "pass")
    assert offers(s, "play Heroes of the Soviet Union")
    events = do(s, "play Heroes of the Soviet Union")
    assert "die 2, result CA" in told(events)
    assert (s.side, asked(s)) == ("axis", "results.Counterattack")
    do(s, "decline to counterattack")
    assert s.standing == ()
    assert at(s, "Central") == "1414"
    assert at(s, "6th Army") == "1314"


@rule("16.0", "10.7.CB")
def test_without_the_heroes_the_marker_stays_on_the_6th_army(noretreat: Any) -> None:
    units = {"6th Army": "1314", "Central": "1414"}
    s = noretreat.position(turn=2, phase="axis.combat", units=units, hands={"soviet": ["STAVKA"]}, dice=(1, 3))
    do(s, "done", "counterblow 1414")
    pay(s)
    do(s, "attack 1414", "attack with 6th Army", "fight", "counterattack")
    assert (s.side, starting(s, "leave a Counterblow marker in")) == ("axis", ["1314"])
    do(s, legal(s)[0])
    assert s.standing == (noretreat.node("1314"),)


@rule("6.2.f", "16.0")
def test_the_panzer_after_its_advance_lives_from_the_army_beside_it(noretreat: Any) -> None:
    units = {"1st Panzer": "1413", "17th Army": "1313"}
    s = noretreat.position(turn=2, phase="axis.supply", units=units, control=HELD)
    lines = noretreat.views.overlay(s, "supply", 0, None, None)["hexes"]
    assert lines["1313"] == 4
    assert "1413" not in lines
    assert all("unsupplied" not in u["markers"] for u in s.view(None)["units"])
