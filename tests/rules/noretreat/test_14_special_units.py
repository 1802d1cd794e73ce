"""Chapter 14: special units."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, at, do, refused, rule
from tests.rules.noretreat.play import (
    combat,
    face,
    fight,
    marked,
    moving,
    offers,
    organizing,
    outlook,
    pay,
    reach,
    shifts,
    skip_to,
    starting,
)

BIG: dict[str, Any] = {"1st Byelorussian": "2210", "1st Ukrainian": "2110", "2nd Byelorussian": "2111"}
FISTS = ("Reserve", "Voronezh", "Central")


def placing(game: Any, side: str, turn: int, **more: Any) -> Any:
    s = organizing(game, more.pop("units", {}), side, turn, **more)
    do(s, "done")
    return s


@rule("14.1.a", "10.1.1.b")
def test_fortified_units(noretreat: Any) -> None:
    fort = {"Moscow": {"at": "2211", "face": "fort"}, "9th Army": "2210"}
    s = combat(noretreat, fort, "soviet")
    assert refused(s, "target 2210", because="2.3.d")
    answer = combat(noretreat, fort, "soviet", counterblows=["2210"])
    do(answer, "done", "attack 2210", "attack with Moscow")
    assert dict(answer.forecast("fight").facts)["attack"] == "4"


@rule("14.1.b")
def test_the_finnish_unit(noretreat: Any) -> None:
    """Two steps, a fort on both, never out of Finland."""
    units = {"Finnish": "Finland", "1st Byelorussian": "1401", "1st Ukrainian": "1402", "2nd Byelorussian": "1601"}
    s = combat(noretreat, units, "soviet", turn=13, dice=(6,))
    fight(s, "Finland", *FISTS)  # 23 against 4, 5:1 and two Shock units: DD
    assert (at(s, "Finnish"), face(s, "Finnish")) == ("Finland", "reduced")
    assert noretreat.views.counter(s, noretreat.unit("Finnish"))["symbol"] == "fort"
    again = combat(noretreat, {**units, "Finnish": {"at": "Finland", "face": "reduced"}}, "soviet", turn=13, dice=(6,))
    fight(again, "Finland", *FISTS)
    assert at(again, "Finnish") is None
    assert moving(noretreat, {"Finnish": "Finland"}).refuses("move Finnish", because="8.0.b")


@rule("14.1.c", "12.5")
def test_german_forts_take_the_first_loss_for_good(noretreat: Any) -> None:
    units = {**BIG, "Volkssturm Danzig": "2211", "9th Army": "2211"}
    s = combat(
        noretreat, units, "soviet", turn=24, weather="Clear", dice=(1,)
    )  # 23 to 6 is 3:1, two Shock units: 5:1, EX
    fight(s, "2211", *FISTS)
    do(s, "take the loss from Reserve")
    assert at(s, "Volkssturm Danzig") is None
    assert at(s, "9th Army") == "2211"
    assert face(s, "9th Army") == "full"
    assert s.fate[noretreat.unit("Volkssturm Danzig")] == 0


@rule("14.1.c")
def test_of_two_german_forts_either_takes_the_first_loss_and_nobody_else(noretreat: Any) -> None:
    units = {**BIG, "Volkssturm Danzig": "2211", "Volkssturm Breslau": "2211", "9th Army": "2211"}
    s = combat(noretreat, units, "soviet", turn=24, weather="Clear", dice=(1,))
    fight(s, "2211", *FISTS)  # EX
    do(s, "take the loss from Reserve")
    assert starting(s, "take the loss from") == ["Volkssturm Danzig", "Volkssturm Breslau"]
    (reason,) = s.why_not("take the loss from 9th Army")
    assert (reason.rule, reason.text) == ("14.1.c", "a German fort takes the first loss")


@rule("14.2.a", "10.7.1.c")
def test_axis_allies_return_by_the_turn_track(noretreat: Any) -> None:
    for name, turns in (("3rd Rumanian", 4), ("2nd Hungarian", 2), ("Italian 8th", 4)):
        units = {**BIG, name: {"at": "2211", "unsupplied": True}}
        s = combat(noretreat, units, "soviet", turn=8, dice=(6,))
        fight(s, "2211", *FISTS)
        assert at(s, name) is None
        assert s.due[noretreat.unit(name)] == 8 + turns
        assert s.event_vp == 0
    back = placing(noretreat, "axis", 12, units={"9th Army": "0810"}, track={"3rd Rumanian": 12})
    do(back, "bring in 3rd Rumanian", "place 3rd Rumanian 0617")
    assert at(back, "3rd Rumanian") == "0617"


@rule("14.2.b")
def test_hungarians_stay(noretreat: Any) -> None:
    for name in ("1st Hungarian", "2nd Hungarian", "3rd Hungarian"):
        assert noretreat.counters[noretreat.unit(name)].removed_turn == 0
    s = noretreat.position(turn=20, phase="soviet.detraining", units={"2nd Hungarian": "0617", "Don": "1121"},
                           triggers={"Oil": 20}, high_tide=20)  # fmt: skip
    assert at(s, "2nd Hungarian") == "0617"


@rule("14.3")
def test_armor(noretreat: Any) -> None:
    s = moving(noretreat, {"2nd Tank": "2008", "Don": "1908"}, "soviet")
    assert noretreat.views.overlay(s, "reach", 1, noretreat.unit("2nd Tank"), None)["hexes"]["2007"] == 2
    attack = combat(noretreat, {"2nd Tank": "2210", "9th Army": "2211"}, "soviet")
    assert shifts(outlook(attack, "2211", "2nd Tank")) == {"10.6.3.a": 1}


@rule("14.5.a")
def test_ss_panzer_always_has_its_bonus(noretreat: Any) -> None:
    for weather in ("Clear", "Mud", "Long Winter"):
        for side in ("full", "reduced"):
            units = {"SS Panzer": {"at": "1414", "face": side}, "2nd Tank": "1513"}
            s = combat(noretreat, units, turn=13, weather=weather)
            assert shifts(outlook(s, "1513", "SS Panzer"))["14.5.a"] == 1
    hungry = {"SS Panzer": {"at": "1414", "unsupplied": True}, "2nd Tank": "1513"}
    assert "14.5.a" not in shifts(outlook(combat(noretreat, hungry, turn=13), "1513", "SS Panzer"))
    defending = combat(noretreat, {"SS Panzer": "2211", "Don": "2210"}, "soviet", turn=13)
    assert not shifts(outlook(defending, "2211", "Don"))


@rule("14.5.b", "14.6.c")
def test_ss_panzer_takes_the_exchange(noretreat: Any) -> None:
    units = {"SS Panzer": "2210", "9th Army": "2210", "SS Panzergrenadier": "2110", "Don": "2211"}
    s = combat(noretreat, {**units, "Kalinin": "2211"}, turn=23, weather="Clear", dice=(2,))
    fight(s, "2211", "SS Panzer", "9th Army", "SS Panzergrenadier")  # 16 to 8 is 2:1, 3:1 with the bonus: EX
    assert (face(s, "SS Panzer"), face(s, "9th Army"), face(s, "SS Panzergrenadier")) == ("reduced", "full", "full")


@rule("14.6.a", "14.6.b")
def test_ss_panzergrenadier(noretreat: Any) -> None:
    defence = {**BIG, "SS Panzergrenadier": "2211", "9th Army": "2211"}
    s = combat(noretreat, defence, "soviet", turn=17, weather="Clear")
    assert shifts(outlook(s, "2211", *FISTS))["14.6.a"] == -1
    attack = {"SS Panzergrenadier": "2210", "9th Army": "2210", "4th Army": "2110", "Don": "2211"}
    t = combat(noretreat, attack, turn=17, weather="Mud", dice=(2,))  # 12 to 4: 3:1, a 2 is EX
    assert "14.6.a" not in shifts(outlook(t, "2211", "SS Panzergrenadier", "9th Army", "4th Army"))
    do(t, "fight")
    assert face(t, "SS Panzergrenadier") == "reduced"
    assert face(t, "9th Army") == "full"
    losing = combat(noretreat, defence, "soviet", turn=17, weather="Clear", dice=(2,))
    fight(losing, "2211", *FISTS)  # 23 to 8 is 2:1, 2 Shock less the SS: 3:1; a 2 is EX
    do(losing, "take the loss from Reserve")
    assert face(losing, "SS Panzergrenadier") == "reduced"


@rule("14.7.a", "14.7.b")
def test_shock_units(noretreat: Any) -> None:
    units = {"1st Byelorussian": "1414", "Don": "1415", "9th Army": "1314"}
    s = combat(noretreat, units, "soviet", turn=12, weather="Mud", dice=(3,))
    assert shifts(outlook(s, "1314", "Reserve", "Don"))["14.7.a"] == 1
    weak = combat(noretreat, {"Reserve": "1414", "9th Army": "1314"}, "soviet", turn=12, weather="Mud")
    assert "14.7.a" not in shifts(outlook(weak, "1314", "Reserve"))
    s.dice = (2,)
    do(s, "fight")  # 12 to 4: 3:1, 4:1 with the Shock unit; a 2 is EX
    assert at(s, "Reserve") == "Soviet Destroyed"
    assert at(s, "Don") == "1415"


@rule("14.8", "14.8.a", "6.2.g")
def test_yugoslavs(noretreat: Any) -> None:
    home = organizing(noretreat, {"Yugoslav 1": "Western Balkans"}, "soviet", turn=20, hands={"soviet": ["Feint"]})
    do(home, "fortify Yugoslav 1")
    pay(home)
    do(home, "revert Yugoslav 1")
    assert face(home, "Yugoslav 1") == "brown"
    away = organizing(noretreat, {"Yugoslav 1": "0719"}, "soviet", turn=20, hands={"soviet": ["Feint"]})
    assert refused(away, "fortify Yugoslav 1", because="14.8.a")
    lost = {"Odessa": "axis"}
    s = noretreat.position(turn=20, phase="soviet.supply", units={"Yugoslav 1": "0619"}, control=lost)
    assert marked(s, "Yugoslav 1", "unsupplied")


@rule("14.9.a", "7.9.d")
def test_cadres_counterattack_and_respond(noretreat: Any) -> None:
    assert combat(noretreat, {"Kampfgruppe 1": "2210", "Don": "2211"}).refuses("target 2211", because="2.3.d")
    weak = combat(noretreat, {"Kampfgruppe 1": "1414", "South": "1314"}, "soviet", dice=(1,))
    fight(weak, "1414", "South")  # 3 to 2 in a city: 1:1, a 1 is CA
    assert (weak.side, asked(weak)) == ("axis", "results.Counterattack")
    do(weak, "counterattack")


@rule("14.9.1")
def test_cadres_arrive_in_their_box(noretreat: Any) -> None:
    s = placing(noretreat, "axis", 8, units={"9th Army": "0810"}, track={"Kampfgruppe 2": 8})
    assert at(s, "Kampfgruppe 2") == "Axis Cadres"


@rule("14.9.2")
def test_where_cadres_form(noretreat: Any) -> None:
    """After a step loss of a two-sided unit in DD or EX; not after a failed retreat, not for one-sided units."""
    units = {**BIG, "9th Army": {"at": "2211", "face": "reduced"}}
    s = combat(noretreat, units, "soviet", turn=13, dice=(6,), boxes={"Cadres": ["Kampfgruppe 1"]})
    fight(s, "2211", *FISTS)
    assert (s.side, asked(s)) == ("axis", "special.PlaceCadre")
    do(s, "form Kampfgruppe 1 in 2211")
    assert at(s, "Kampfgruppe 1") == "2211"
    ally = combat(
        noretreat, {**BIG, "3rd Rumanian": "2211"}, "soviet", turn=13, dice=(6,), boxes={"Cadres": ["Kampfgruppe 1"]}
    )
    fight(ally, "2211", *FISTS)
    assert asked(ally) != "special.PlaceCadre"
    ring = {"Don": "2311", "Kalinin": "2212", "Kursk": "2112", "9th Army": "2211"}
    trapped = combat(noretreat, {**BIG, **ring}, "soviet", turn=13, dice=(3,), boxes={"Cadres": ["Kampfgruppe 1"]})
    fight(trapped, "2211", *FISTS)
    assert at(trapped, "9th Army") == "Axis Destroyed"
    assert asked(trapped) != "special.PlaceCadre"


@rule("14.9.3")
def test_cadres_leave_by_the_turn_track_one_a_turn(noretreat: Any) -> None:
    units = {"Kampfgruppe 1": {"at": "2210", "unsupplied": True}, "Kampfgruppe 2": {"at": "2310", "unsupplied": True},
             "Kampfgruppe 3": {"at": "2311", "unsupplied": True}}  # fmt: skip
    s = noretreat.position(turn=14, phase="axis.removal", units=units)
    assert sorted(s.due[noretreat.unit(f"Kampfgruppe {n}")] for n in (1, 2, 3)) == [16, 17, 18]
    assert s.event_vp == 0
    shattered = combat(noretreat, {**BIG, "Kampfgruppe 1": "2211"}, "soviet", turn=13, dice=(3,))
    fight(shattered, "2211", *FISTS)
    assert at(shattered, "Kampfgruppe 1") is None
    train = moving(noretreat, {"Kampfgruppe 1": "0810"})
    do(train, "move Kampfgruppe 1", "entrain Kampfgruppe 1")
    assert at(train, "Kampfgruppe 1") == "Axis Rail"


@rule("14.9.4", "7.7.a", "7.9.c")
def test_rebuilding_on_a_cadre(noretreat: Any) -> None:
    """On the front line, even in an enemy zone, and not Disorganized; reinforcements may not."""
    units = {"Kampfgruppe 1": "1110", "Don": "1111"}
    held = {"control": {"Minsk": "axis"}}
    s = placing(noretreat, "axis", 8, units=units, boxes={"Destroyed": ["4th Army"], "Shattered": ["6th Army"]},
                hands={"axis": ["Feint", "Reserves"]}, track={"2nd Hungarian": 8}, **held)  # fmt: skip
    do(s, "bring in 2nd Hungarian")
    assert not starting(s, "rebuild")
    do(s, "place 2nd Hungarian 0617", "recover 6th Army", "place 6th Army 0210", "replace 4th Army")
    pay(s)
    do(s, "rebuild 4th Army on Kampfgruppe 1")
    assert at(s, "4th Army") == "1110"
    assert not marked(s, "4th Army", "disorganized")
    assert at(s, "Kampfgruppe 1") is None
    assert s.due[noretreat.unit("Kampfgruppe 1")] == 10
    cut = placing(noretreat, "axis", 8, units={"Kampfgruppe 1": "2210"}, boxes={"Destroyed": ["4th Army"]},
                  hands={"axis": ["Feint"]})  # fmt: skip
    do(cut, "replace 4th Army")
    pay(cut)
    assert refused(cut, "rebuild 4th Army on Kampfgruppe 1", because="14.9.4")


@rule("14.10")
def test_the_luftwaffe_army(noretreat: Any) -> None:
    for hungry in (False, True):
        s = combat(noretreat, {**BIG, "Luftwaffe": {"at": "2211", "unsupplied": hungry}}, "soviet", turn=13, dice=(6,))
        fight(s, "2211", *FISTS)
        assert at(s, "Luftwaffe") is None
        assert s.due[noretreat.unit("Luftwaffe")] == 16
        assert s.event_vp == 0
    finland = moving(noretreat, {"Luftwaffe": "1401"}, turn=13)
    assert "Finland" in reach(finland, "Luftwaffe")  # it acts as a German unit


@rule("14.11.a", "14.11.b", "14.11.c")
def test_volkssturm(noretreat: Any) -> None:
    """A DR has no effect, the Volkssturm is spent, the others stay, nobody advances."""
    units = {**BIG, "Volkssturm Danzig": "2211", "9th Army": "2211"}
    s = combat(noretreat, units, "soviet", turn=24, weather="Clear", dice=(2,))  # 5:1 on a 2 is DR
    fight(s, "2211", *FISTS)
    assert at(s, "Volkssturm Danzig") is None
    assert s.fate[noretreat.unit("Volkssturm Danzig")] == 0
    assert at(s, "9th Army") == "2211"
    assert asked(s) not in ("retreat.Flee", "advance.Advance")
    alone = combat(noretreat, {**BIG, "Volkssturm Danzig": "2211"}, "soviet", turn=24, weather="Clear", dice=(1,))
    fight(alone, "2211", *FISTS)  # 6:1 on a 1 is DR
    assert at(alone, "Volkssturm Danzig") is None
    assert asked(alone) != "advance.Advance"


@rule("14.13")
def test_reminder_markers_record_events(noretreat: Any) -> None:
    units = {"9th Army": "2210", "Don": "2211"}
    s = combat(noretreat, units, works=("2211", "soviet"))
    assert shifts(outlook(s, "2211", "9th Army")) == {"14.13": -1}
    left = moving(noretreat, units, "soviet", works=("2211", "soviet"))
    do(left, "move Don", "move Don 2212")
    assert left.works == ()
    assert offers(left, "done")
    skip_to(left, "combat.DeclareTargets")
