"""Chapter 19: ski troops, the railway gun, engineers."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, cited, do, refused, rule
from tests.rules.narvik.play import offers, starting

FAR = {"SG-a": "0115"}


@rule("19.1.a")
def test_skis_infiltrate_between_rugged_hexes(narvik: Any) -> None:
    units = {"139-Ski": "1718", "139-1": "1718", "SG-a": "1719"}  # 1718 rough; 1819 peak, 1619 rough next to 1719
    s = narvik.position(units=units)
    do(s, "movement KGW", "move 139-Ski")
    assert set(starting(s, "infiltrate")) == {"1819", "1619"}
    do(s, "infiltrate 1819")
    assert s.place("139-Ski") == "1819"
    assert refused(s, "move 139-Ski", "12.2.c")
    s = narvik.position(units=units)
    do(s, "movement KGW", "move 139-1")
    assert refused(s, "infiltrate 1819", "19.1.a")  # no skis
    s = narvik.position(units={"139-Ski": "1720", "SG-a": "1719"})
    do(s, "movement KGW", "move 139-Ski")
    assert refused(s, "infiltrate 1820", "19.1.a")  # clear hexes
    s = narvik.position(units={"139-Ski": "1720", "SG-a": "1820"})
    do(s, "movement KGW", "move 139-Ski")
    assert refused(s, "infiltrate 1719", "19.1.a")  # out of a clear hex
    s = narvik.position(units={"139-Ski": "1619", "SG-a": "1719"})
    do(s, "movement KGW", "move 139-Ski")
    assert refused(s, "infiltrate 1620", "19.1.a")  # into a clear hex


@rule("19.1.b")
def test_enemy_skis_stop_them(narvik: Any) -> None:
    units = {"139-Ski": "1718", "SG-a": "1719", "I/12": "1717"}
    s = narvik.position(units=units, options={"fog": False})
    do(s, "movement KGW", "move 139-Ski")
    assert not starting(s, "infiltrate")
    assert refused(s, "infiltrate 1819", "19.1.b")
    s = narvik.position(units=units)  # hidden skis stop the attempt and are revealed (ruling D84)
    do(s, "movement KGW", "move 139-Ski")
    events = do(s, "infiltrate 1819")
    assert "19.1.b" in cited(events)
    assert s.place("139-Ski") == "1718"
    assert s.sees(0, narvik.unit("I/12"))
    assert refused(s, "move 139-Ski", "12.2.c")
    s = narvik.position(units={"139-Ski": "1718", "SG-a": "1719", "I/12": "1919"})  # not next to the hex it leaves
    do(s, "movement KGW", "move 139-Ski")
    assert offers(s, "infiltrate 1819")


@rule("19.1.b")
def test_only_enemy_skis_in_reach_of_the_hex_stop_them(narvik: Any) -> None:
    own = {"139-Ski": "1718", "SG-a": "1719", "112-Rec": "1717"}
    s = narvik.position(units=own, options={"fog": False})
    assert narvik.roster.ski[narvik.unit("112-Rec")]
    do(s, "movement KGW", "move 139-Ski")
    assert offers(s, "infiltrate 1819")  # a friend on skis does not matter
    both = {"139-Ski": "1718", "SG-a": "1719", "I/12": "1717", "Alta": "1618"}
    s = narvik.position(units=both)
    do(s, "movement KGW", "move 139-Ski", "infiltrate 1819")
    assert all(s.sees(0, narvik.unit(name)) for name in ("I/12", "Alta"))  # every one that covers the hex
    assert not s.sees(0, narvik.unit("SG-a"))


@rule("19.1.b", "9.0.f")
def test_who_must_leave_a_crowded_hex_does_not_try_to_infiltrate_past_hidden_units(narvik: Any) -> None:
    """Stopped by hidden skis it would have to leave and could not: nobody could do anything (rulings D69, D84)."""
    units = {"6SES": "1217", "IILE-a": "1217", "IILE-b": "1218", "139-Ski": "1216"}
    s = narvik.position(phase="allied.action", units=units)
    do(s, "movement FR", "move IILE-b", "to 1217", "move 6SES")
    assert refused(s, "infiltrate 1316", "9.0.f")
    do(s, "to 1218")
    s = narvik.position(
        phase="allied.action", units={**units, "139-Ski": "1417", "139-1": "1216"}, options={"fog": False}
    )
    do(s, "movement FR", "move IILE-b", "to 1217", "move 6SES")
    assert offers(s, "infiltrate 1316")  # everybody is seen, and nobody there is on skis


@rule("19.1.b", "21.0.a")
def test_an_infiltration_past_hidden_units_is_not_taken_back(narvik: Any) -> None:
    """That it succeeds tells that no ski unit is there; "reveal" is where undoing ends."""
    for fog in (True, False):
        s = narvik.position(units={"139-Ski": "1718", "SG-a": "1719"}, options={"fog": fog})
        do(s, "movement KGW", "move 139-Ski")
        events = do(s, "infiltrate 1819")
        assert any(e.kind == "reveal" for e in events) == fog
        assert all(e.seen_by(1) is None for e in events if e.kind == "reveal")


@rule("19.1.d")
def test_infiltration_is_the_whole_movement(narvik: Any) -> None:
    s = narvik.position(units={"139-Ski": "1717", "SG-a": "1719"})
    do(s, "movement KGW", "move 139-Ski", "to 1718")
    assert asked(s) == "movement.Movement"  # it entered the zone and stopped
    assert not offers(s, "move 139-Ski")
    s = narvik.position(units={"139-Ski": "1716", "SG-a": "1719"})
    do(s, "movement KGW", "move 139-Ski", "to 1717")
    assert refused(s, "infiltrate 1718", "19.1.d")


@rule("19.1.c")
def test_one_hex_only(narvik: Any) -> None:
    s = narvik.position(units={"139-Ski": "1718", "SG-a": "1719"})
    do(s, "movement KGW", "move 139-Ski")
    assert refused(s, "infiltrate 1820", "19.1.c")
    do(s, "infiltrate 1819")
    assert asked(s) == "movement.Movement"
    assert s.left(narvik.unit("139-Ski")) == 0


LINE = {"0919", "1019", "1119", "1220", "1319", "1420", "1520", "1621", "1721", "1821", "1921", "1920", "2020", "2120"}


@rule("19.2.a", "19.2.f")
def test_the_gun_moves_on_rails_any_distance(narvik: Any) -> None:
    s = narvik.position(units={"RR": "1119", **FAR})
    do(s, "movement KGD", "move RR")
    assert set(starting(s, "to")) == LINE - {"1119"}  # no engineer, no points
    assert refused(s, "to 1120", "19.2.a")
    do(s, "to 2120")
    assert s.place("RR") == "2120"
    s = narvik.position(units={"RR": "1119", "SG-a": "1821"})
    do(s, "movement KGD", "move RR")
    assert "1921" not in starting(s, "to")  # the enemy stops it


@rule("19.2.b")
def test_the_gun_starts_anywhere_on_the_line(narvik: Any) -> None:
    for start in ("1319", "1721", "0919"):
        s = narvik.position(units={"RR": start, **FAR})
        do(s, "movement KGD", "move RR")
        assert set(starting(s, "to")) == LINE - {start}


@rule("19.2.c")
def test_the_gun_stops_in_a_zone(narvik: Any) -> None:
    s = narvik.position(units={"RR": "1119", "SG-a": "1720"})
    do(s, "movement KGD", "move RR")
    assert "1621" in starting(s, "to")
    assert "1721" not in starting(s, "to")
    s = narvik.position(units={"RR": "1621", "SG-a": "1720"})  # ruling D65: out of a zone only to a free hex
    do(s, "movement KGD", "move RR")
    assert "1721" not in starting(s, "to")
    assert "1520" in starting(s, "to")


@rule("19.2.d")
def test_the_gun_retreats_on_rails(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"SG-a": "1720", "RR": "1721"}, dice=(4, 1))
    do(s, "fire BR", "attack with SG-a", "at 1721")
    assert set(starting(s, "retreat RR to")) == {"1621", "1821"}
    assert refused(s, "retreat RR to 1722", "19.2.d")


@rule("19.2.e")
def test_the_gun_regroups_with_an_engineer(narvik: Any) -> None:
    units = {"RR": "German Regroup", "139-6": "0919", "139-1": "1215", **FAR}
    s = narvik.position(units=units, dice=(6,))
    do(s, "regroup KGD")
    assert s.place("RR") == "German Regroup"  # no engineer in Narvik
    s = narvik.position(units={**units, "139-PiH": "0919"}, dice=(6,))
    do(s, "regroup KGD")
    assert s.place("RR") == "0919"
    both = {**units, "139-PiH": "0919", "Pi83-1": "2020", "139-PiW": "1215"}
    s = narvik.position(units=both, dice=(6,))
    do(s, "regroup KGD")
    assert set(starting(s, "return RR in")) == {"0919", "2020"}
    assert refused(s, "return RR in 1215", "19.2.e")


@rule("19.3.a")
def test_engineers_of_every_kind(narvik: Any) -> None:
    roster = narvik.roster
    engineers = {roster.names[u] for u in roster.ground if roster.engineer[u]}
    assert engineers == {
        "Pi83-1", "Pi83-2", "139-PiW", "139-PiH", "Nav-Eng", "FJ-Pi", "55RE", "100-1", "6-Eng",
    }  # fmt: skip
    s = narvik.position(units={"139-6": "0919", "FJ-Pi": "0919", **FAR}, control={"0820": "german"})
    do(s, "movement KGH", "move 139-6")
    assert starting(s, "ferry to") == ["0820"]
    assert starting(s, "rail to")
