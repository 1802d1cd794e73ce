"""Chapter 11: marker and unit removal."""

from __future__ import annotations

from typing import Any

from tests.helpers import at, do, rule
from tests.rules.noretreat.play import marked, skip_to

HUNGRY = {"unsupplied": True}


def removal(game: Any, units: dict[str, Any], side: str = "axis", turn: int = 7, **more: Any) -> Any:
    return game.position(turn=turn, phase=f"{side}.removal", units=units, **more)


@rule("11.1.a")
def test_marked_units_trace_again_phasing_side_first(noretreat: Any) -> None:
    s = removal(noretreat, {"9th Army": {"at": "0810", **HUNGRY}, "4th Army": {"at": "2210", **HUNGRY}})
    assert at(s, "9th Army") == "0810"
    assert not marked(s, "9th Army", "unsupplied")
    assert at(s, "4th Army") == "Axis Surrendered"
    # the ring around the Don Front is itself cut off: removed first, it opens the way again
    ring = dict(zip(("16th Army", "18th Army", "4th Army", "6th Army", "11th Army", "9th Army"),
                    ("2209", "2309", "2310", "2311", "2211", "2110"), strict=True))  # fmt: skip
    units = {name: {"at": where, **HUNGRY} for name, where in ring.items()} | {"Don": {"at": "2210", **HUNGRY}}
    assert removal(noretreat, units, "axis").place("Don") == "2210"
    assert removal(noretreat, units, "soviet").place("Don") == "Soviet Surrendered"


@rule("11.1.b")
def test_where_they_go(noretreat: Any) -> None:
    """Two-step counters surrender on either side; one-step counters follow their backs."""
    units = {"9th Army": {"at": "2210", "face": "reduced", **HUNGRY}, "3rd Rumanian": {"at": "2310", **HUNGRY},
             "Kampfgruppe 1": {"at": "2311", **HUNGRY}}  # fmt: skip
    s = removal(noretreat, units)
    assert at(s, "9th Army") == "Axis Surrendered"
    assert at(s, "3rd Rumanian") is None
    assert s.due[noretreat.unit("3rd Rumanian")] == 11
    assert s.due[noretreat.unit("Kampfgruppe 1")] == 9
    assert s.event_vp == -1  # only the two-step army scores
    brown = removal(noretreat, {"Central": {"at": "0510", **HUNGRY}}, "soviet", turn=2)
    assert at(brown, "Central") == "Soviet Surrendered"
    polish = removal(noretreat, {"Polish": {"at": "0510", **HUNGRY}}, "soviet", turn=20)
    assert at(polish, "Polish") == "Soviet Destroyed"


@rule("11.1.c")
def test_only_marked_units_are_checked(noretreat: Any) -> None:
    s = removal(noretreat, {"9th Army": "2210"})
    assert at(s, "9th Army") == "2210"


@rule("11.2")
def test_markers_come_off(noretreat: Any) -> None:
    units = {
        "9th Army": {"at": "0810", "unsupplied": True, "disorganized": True},
        "Don": {"at": "2210", "disorganized": True},
    }
    s = removal(noretreat, units)
    assert not marked(s, "9th Army", "unsupplied")
    assert not marked(s, "9th Army", "disorganized")
    assert not marked(s, "Don", "disorganized")


@rule("11.3.a", "13.5.15", "14.2.b")
def test_italy_leaves_on_turn_15(noretreat: Any) -> None:
    held = {"control": dict.fromkeys(("Riga", "Minsk", "Kiev", "Odessa"), "axis")}
    for where, cards in (("0811", 4), ("2210", 3)):
        s = noretreat.position(turn=14, phase="soviet.detraining", units={"Italian 8th": where}, **held)
        assert at(s, "Italian 8th") is None
        assert s.turn == 15
        assert s.view("axis")["hands"]["axis"]["count"] == cards
    lost = noretreat.position(turn=14, phase="soviet.detraining", units={}, track={"Italian 8th": 16}, **held)
    assert lost.view("axis")["hands"]["axis"]["count"] == 3


@rule("11.3.b", "14.2.b", "13.5.Oil.a")
def test_rumania_leaves_with_its_oil(noretreat: Any) -> None:
    """At once if a red unit stands in the oil hex, else in the next Housekeeping."""
    allies = {"3rd Rumanian": "0916", "2nd Hungarian": "0617"}
    red = removal(
        noretreat, {**allies, "South": {"at": "1121", "face": "red"}}, "soviet", turn=20, track={"4th Rumanian": 22}
    )
    assert at(red, "3rd Rumanian") is None
    assert red.fate[noretreat.unit("4th Rumanian")] == 0
    assert at(red, "2nd Hungarian") == "0617"
    brown = removal(noretreat, {**allies, "South": "1121"}, "axis", turn=20, triggers={"Oil": 20})
    assert at(brown, "3rd Rumanian") == "0916"
    skip_to(brown, "cards.Discard")
    later = noretreat.position(
        turn=20, phase="soviet.detraining", units={**allies, "South": "1121"}, triggers={"Oil": 20}
    )
    assert later.turn == 21
    assert at(later, "3rd Rumanian") is None
    do(later, str(later.legal()[0]))
