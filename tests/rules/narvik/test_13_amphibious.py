"""Chapter 13: amphibious movement and the Royal Marine assault."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers import asked, do, legal, log, refused, rule
from tests.rules.narvik.play import offers, rolled, shifts, stack, starting

GERMAN = {"139-15": "2020"}


def allied(narvik: Any, units: dict[str, str], **more: Any) -> Any:
    return narvik.position(phase="allied.action", units={**GERMAN, **units}, **more)


@rule("13.0.a")
def test_units_of_one_sub_command_sail(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "Harstad", "IG-a": "Harstad", "6CA-a": "Harstad"})
    do(s, "amphibious BR")
    assert set(starting(s, "embark")) == {"SG-a", "IG-a"}
    assert refused(s, "embark 6CA-a", "11.1.b")
    do(s, "embark SG-a", "sail to 0820", "embark IG-a", "sail to 0820", "done")
    assert stack(s, "0820") == ["IG-a", "SG-a"]


@rule("13.0.b")
def test_from_a_coastal_hex_or_a_staging_area(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "0216", "SG-b": "0315", "IG-a": "Bardufoss", "SWB-a": "Harstad"})
    do(s, "amphibious BR")
    assert set(starting(s, "embark")) == {"SG-a", "IG-a", "SWB-a"}
    assert refused(s, "embark SG-b", "13.0.b")


@rule("13.1.a")
def test_three_types_one_an_action(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "Harstad", "SG-b": "0216", "IG-a": "Bardufoss"})
    do(s, "amphibious BR", "embark SG-a", "sail to 0820")
    assert refused(s, "embark SG-b", "13.1.a")
    assert refused(s, "embark IG-a", "13.1.a")
    s = allied(narvik, {"SG-a": "Harstad", "SG-b": "0216", "IG-a": "Bardufoss"})
    do(s, "amphibious BR", "embark SG-b", "sail to Harstad")
    assert starting(s, "embark") == []
    s = allied(narvik, {"SG-a": "Harstad", "IG-a": "Bardufoss"})
    do(s, "amphibious BR", "embark IG-a", "sail to Harstad", "embark SG-a")
    assert starting(s, "sail to") == ["Bardufoss"]
    assert refused(s, "sail to 0820", "13.1.a")


@rule("13.1.b")
def test_every_coastal_hex_is_reached_by_sea(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "Harstad"})
    do(s, "amphibious BR", "embark SG-a")
    ports = set(starting(s, "sail to")) - {"Bardufoss"}
    assert ports == {narvik.board.labels[n] for n in narvik.board.tagged("coast")}
    assert {"0919", "1801", "1505"} <= ports


@rule("13.1.c")
def test_not_from_coast_to_coast(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "0216"})
    do(s, "amphibious BR", "embark SG-a")
    assert starting(s, "sail to") == ["Harstad"]
    assert refused(s, "sail to 0820", "13.1.c")


@rule("13.1.i")
def test_from_base_to_base(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "Bardufoss"})
    do(s, "amphibious BR", "embark SG-a")
    assert starting(s, "sail to") == ["Harstad"]
    assert refused(s, "sail to 1801", "13.1.i")
    do(s, "sail to Harstad")
    assert s.place("SG-a") == "Harstad"


@rule("13.1.d")
def test_no_other_movement(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "Harstad"})
    do(s, "amphibious BR", "embark SG-a", "sail to 0820")
    assert not starting(s, "move")
    assert refused(s, "embark SG-a", "13.1.d")


@rule("13.1.e")
def test_zones_are_no_obstacle(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "Harstad", "139-1": "0821"})
    do(s, "amphibious BR", "embark SG-a", "sail to 0820")
    assert s.place("SG-a") == "0820"


@rule("13.1.f")
def test_no_landing_on_the_enemy(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "Harstad", "139-1": "0820"})
    do(s, "amphibious BR", "embark SG-a")
    assert refused(s, "sail to 0820", "13.1.f")
    assert offers(s, "sail to 0720")  # though it may pass


@rule("13.1.g")
def test_inlets_are_closed(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "Harstad"})
    do(s, "amphibious BR", "embark SG-a")
    for label in ("0921", "1419", "1620"):  # they touch water only through inlets
        assert refused(s, f"sail to {label}", "13.1.g")


@rule("13.1.h")
def test_stacking_where_they_land(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "Harstad", "SG-b": "0820", "IG-a": "0820", "6CA-a": "0720"})
    do(s, "amphibious BR", "embark SG-a")
    assert refused(s, "sail to 0820", "13.1.h")
    assert refused(s, "sail to 0720", "13.1.h")  # another nationality


@rule("13.1.j")
def test_tanks_land_only_in_open_terrain(narvik: Any) -> None:
    s = allied(narvik, {"3KOH": "Harstad"})
    do(s, "amphibious BR", "embark 3KOH")
    assert refused(s, "sail to 0701", "13.1.j")  # rough
    assert offers(s, "sail to 0820")


MARINES = {"RM": "Harstad", "SG-a": "Harstad", "139-3": "1118"}


@rule("13.2.a")
def test_only_marines_from_harstad(narvik: Any) -> None:
    assert offers(allied(narvik, MARINES), "amphibious assault")
    assert not offers(allied(narvik, {**MARINES, "RM": "0820"}), "amphibious assault")
    assert not offers(allied(narvik, {"SG-a": "Harstad", "139-3": "1118"}), "amphibious assault")


@rule("13.2.b")
def test_from_a_sea_hex_next_to_the_enemy_coast(narvik: Any) -> None:
    s = allied(narvik, MARINES)
    do(s, "amphibious assault")
    assert set(starting(s, "storm")) == {"from 1018 at 1118", "from 1219 at 1118"}
    assert refused(s, "storm from 0918 at 1118", "13.2.b")
    assert refused(s, "storm from 1018 at 1019", "13.2.b")  # no enemy there


@rule("13.2.c")
def test_an_escort_takes_no_part(narvik: Any) -> None:
    s = allied(narvik, {**MARINES, "6CA-a": "Harstad"}, dice=(1,))
    do(s, "amphibious assault")
    assert starting(s, "escort") == ["SG-a"]
    assert refused(s, "escort 6CA-a", "9.0.e")
    do(s, "escort SG-a")
    forecast = s.forecast("storm from 1018 at 1118")
    assert dict(forecast.facts)["fire factors"] == "4"
    assert not any("counterattack" in note for note in forecast.notes)  # ruling D26


@rule("13.2.d")
def test_the_assault(narvik: Any) -> None:
    s = allied(narvik, MARINES, dice=(6,))
    do(s, "amphibious assault")
    assert shifts(s, "storm from 1018 at 1118") == {"14.3.e": -1, "14.3.g": 2}  # village, elite
    events = do(s, "storm from 1018 at 1118")
    assert rolled(events) == ["139-3"]
    assert asked(s) == "advance.Pursuit"


@rule("13.2.e")
def test_success(narvik: Any) -> None:
    s = allied(narvik, {**MARINES, "139-3": "1118"}, dice=(6,))
    do(s, "amphibious assault", "escort SG-a", "storm from 1018 at 1118")
    assert {"RM to 1118", "RM to 1117", "RM to 1218", "SG-a to 1118"} == set(starting(s, "pursue with"))
    do(s, "pursue with RM to 1117", "pursue with SG-a to 1118")
    assert (s.place("RM"), s.place("SG-a")) == ("1117", "1118")
    assert s.side == "german"
    s = allied(narvik, MARINES, dice=(6,))
    do(s, "amphibious assault", "escort SG-a", "storm from 1018 at 1118", "end the pursuit")
    assert s.place("RM") == s.place("SG-a") == "Harstad"


@rule("13.2.e")
def test_nobody_else_pursues_with_the_marines(narvik: Any) -> None:
    s = allied(narvik, {**MARINES, "139-3": "1118", "IG-a": "0216"}, dice=(6,))
    do(s, "amphibious assault", "storm from 1018 at 1118")
    assert refused(s, "pursue with IG-a to 1118", "13.2.e")


@rule("13.2.f")
def test_failure(narvik: Any) -> None:
    s = allied(narvik, MARINES, dice=(1,))
    do(s, "amphibious assault", "escort SG-a")
    assert any("13.2.f" in note for note in s.forecast("storm from 1018 at 1118").notes)
    events = do(s, "storm from 1018 at 1118")
    assert "the assault fails: RM is permanently eliminated (13.2.f)" in log(events)
    assert s.place("RM") == "Allied Eliminated"
    assert s.place("SG-a") == "Harstad"
    assert s.side == "german"
    assert asked(s) == "actions.Act"  # no counterattack


@rule("13.2.g")
def test_one_action_paid_once(narvik: Any) -> None:
    s = allied(narvik, MARINES, dice=(6,), ap={"german": 5, "allied": 5})
    do(s, "amphibious assault", "storm from 1018 at 1118", "pursue with RM to 1118")
    assert s.ap[1] == 5 - narvik.tables.actions["landing"].ap == 3
    assert s.side == "german"


@rule("13.2.c", "21.0.d")
@pytest.mark.parametrize("die", [1, 6])
def test_an_escort_that_does_not_fire_stays_hidden(narvik: Any, die: int) -> None:
    s = allied(narvik, MARINES, dice=(die,))
    events = do(s, "amphibious assault", "escort SG-a", "storm from 1018 at 1118")
    if die == 6:
        assert not any("SG-a" in (e.seen_by(0) or "") for e in events)
        events = do(s, "pursue with SG-a to 1118")
        assert "an Allied unit lands in Oyjord (1118) (13.2.e)" in [e.seen_by(0) for e in events]
        assert "RM lands in 1117 (13.2.e)" in [e.seen_by(0) for e in do(s, "pursue with RM to 1117")]
    assert any("SG-a" in (e.seen_by(1) or "") for e in events)
    assert not any("SG-a" in (e.seen_by(0) or "") for e in events)


@rule("13.1.a")
def test_no_other_type_once_one_is_chosen(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "Harstad", "SG-b": "Harstad", "IG-a": "0216"})
    do(s, "amphibious BR", "embark IG-a")
    assert legal(s) == ["sail to Harstad"]
    assert refused(s, "sail to Bardufoss", "13.1.a")
    do(s, "back", "embark SG-a", "sail to 0820", "embark SG-b")
    assert "sail to Bardufoss" not in legal(s)
    assert refused(s, "sail to Bardufoss", "13.1.a")


@rule("13.1.f")
def test_no_landing_on_a_lone_leader(narvik: Any) -> None:
    s = allied(narvik, {"SG-a": "Harstad", "Dietl": "0820", "139-1": "2020"})
    do(s, "amphibious BR", "embark SG-a")
    assert not offers(s, "sail to 0820")
    assert refused(s, "sail to 0820", "13.1.f")


@rule("13.2.a", "13.2.c", "18.2.b")
def test_neither_from_bardufoss_nor_with_auchinleck(narvik: Any) -> None:
    assert not offers(allied(narvik, {**MARINES, "RM": "Bardufoss"}), "amphibious assault")
    s = allied(narvik, {**MARINES, "Auchinleck": "Harstad"})
    do(s, "amphibious assault")
    assert starting(s, "escort") == ["SG-a"]


@rule("13.2.e", "15.2.c", "4.4.d")
def test_marines_who_pursue_further_take_the_hex_they_pass(narvik: Any) -> None:
    s = allied(narvik, {**MARINES, "Dietl": "1218", "139-1": "2020"}, dice=(6,))
    do(s, "amphibious assault", "storm from 1018 at 1118")
    assert set(starting(s, "pursue with")) == {"RM to 1118", "RM to 1117"}  # Dietl bars 1218
    do(s, "pursue with RM to 1117")
    assert s.controls(1, narvik.node("1118"))
    assert s.controls(1, narvik.node("1117"))
