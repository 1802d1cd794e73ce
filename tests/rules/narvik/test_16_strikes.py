"""Chapter 16: air and naval strikes."""

from __future__ import annotations

from typing import Any

from tests.helpers import do, refused, rule
from tests.rules.narvik.play import columns, offers, rolled, shifts, stack, starting

UNITS = {
    "139-1": "1820", "139-4": "0919", "139-6": "0919", "SG-a": "1720", "SG-b": "0216", "IG-a": "0115",
    "Warspite": "Allied Strikes", "Cairo": "Allied Strikes", "FAA-Skua": "Allied Strikes",
    "Ju87-1": "German Strikes", "He111-1": "German Strikes", "Ju88-1": "German Strikes",
}  # fmt: skip


def allied(narvik: Any, **more: Any) -> Any:
    return narvik.position(phase="allied.action", units=UNITS, **more)


@rule("16.0.a", "16.0.k")
def test_a_strike_fires_with_its_value(narvik: Any) -> None:
    s = allied(narvik, dice=(1, 1))
    do(s, "naval support", "strike with Warspite", "on 0919")
    assert shifts(s, "resolve the strikes") == {}  # an objective gives no cover; no line of fire, any range
    events = do(s, "resolve the strikes")
    assert columns(events) == [8, 8]
    assert rolled(events) == ["139-6", "139-4"]


@rule("16.0.b")
def test_air_and_naval_support_are_apart(narvik: Any) -> None:
    s = allied(narvik)
    do(s, "naval support")
    assert set(starting(s, "strike with")) == {"Warspite", "Cairo"}
    assert refused(s, "strike with FAA-Skua", "16.0.b")
    assert refused(s, "attack with SG-a", "14.0.i")
    s = allied(narvik)
    do(s, "air support")
    assert starting(s, "strike with") == ["FAA-Skua"]


@rule("16.0.l")
def test_a_fresh_strike_is_usable(narvik: Any) -> None:
    units = {"139-1": "1820", "SG-a": "1720", "FAA-Skua": "Allied Arrivals"}
    s = narvik.position(phase="reinforcement", units=units, initiative="allied")
    assert s.side == "allied"
    assert offers(s, "air support")


@rule("16.0.c")
def test_any_number_of_strikes(narvik: Any) -> None:
    s = narvik.position(units=UNITS, dice=(1,) * 3)
    do(s, "air support", "strike with Ju87-1", "on 1720", "strike with He111-1", "on 0216")
    do(s, "strike with Ju88-1", "on 0115")
    assert not starting(s, "strike with")
    do(s, "resolve the strikes", "bomb 0216", "bomb 0115")
    assert set(stack(s, "German Pool")) == {"Ju87-1", "He111-1", "Ju88-1"}
    assert s.ap[0] == 9


@rule("16.0.d")
def test_air_strikes_on_any_enemy_hex(narvik: Any) -> None:
    s = narvik.position(units=UNITS)
    do(s, "air support", "strike with Ju87-1")
    assert set(starting(s, "on")) == {"1720", "0216", "0115"}
    assert refused(s, "on 1721", "16.0.d")


@rule("16.0.e")
def test_naval_strikes_on_the_coast_only(narvik: Any) -> None:
    s = allied(narvik)
    do(s, "naval support", "strike with Warspite")
    assert starting(s, "on") == ["0919"]
    assert refused(s, "on 1820", "16.0.e")
    inlet = {"139-1": "1420", "SG-a": "0216", "Warspite": "Allied Strikes"}  # touches water only through inlets
    assert not offers(narvik.position(phase="allied.action", units=inlet), "naval support")


@rule("14.3.k")
def test_flak_does_not_hinder_naval_strikes(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={**UNITS, "Nav-Flak": "0919"}, dice=(1, 1, 1))
    do(s, "naval support", "strike with Warspite", "on 0919")
    assert columns(do(s, "resolve the strikes")) == [8, 8, 8]


@rule("16.0.f")
def test_unused_strikes_stay(narvik: Any) -> None:
    s = allied(narvik, dice=(1, 1), turn=2)
    do(s, "naval support", "strike with Cairo", "on 0919", "resolve the strikes")
    assert set(stack(s, "Allied Strikes")) == {"Warspite", "FAA-Skua"}
    do(s, "pass", "pass")
    assert s.turn == 3
    assert "Warspite" in stack(s, "Allied Strikes")


@rule("16.0.g")
def test_all_are_placed_before_any_is_resolved(narvik: Any) -> None:
    s = narvik.position(units=UNITS, dice=(1,))
    do(s, "air support", "strike with Ju87-1")
    assert not starting(s, "bomb")
    do(s, "on 1720", "strike with He111-1", "on 0216", "resolve the strikes")
    assert refused(s, "strike with Ju88-1", "16.0.g")
    assert starting(s, "bomb") == ["0216", "1720"]
    units = {**UNITS, "SWB-a": "1720"}
    s = narvik.position(units=units, dice=(6, 6))  # results are immediate
    do(s, "air support", "strike with Ju87-1", "on 1720", "resolve the strikes")
    assert set(stack(s, "Allied Eliminated")) == {"SG-a", "SWB-a"}


@rule("16.0.h")
def test_one_allied_strike_a_hex(narvik: Any) -> None:
    s = allied(narvik)
    do(s, "naval support", "strike with Warspite", "on 0919")
    assert not starting(s, "strike with")  # 0919 is the only coastal target
    units = {**UNITS, "139-7": "0820"}
    s = narvik.position(phase="allied.action", units=units)
    do(s, "naval support", "strike with Warspite", "on 0919", "strike with Cairo")
    assert starting(s, "on") == ["0820"]
    assert refused(s, "on 0919", "16.0.h")


@rule("16.0.i")
def test_two_german_strikes_a_hex(narvik: Any) -> None:
    s = narvik.position(units=UNITS, dice=(1, 1))
    do(s, "air support", "strike with Ju87-1", "on 1720", "strike with He111-1", "on 1720", "strike with Ju88-1")
    assert refused(s, "on 1720", "16.0.i")
    do(s, "on 0216", "resolve the strikes")
    assert set(starting(s, "bomb")) == {"1720", "0216", "1720 with Ju87-1", "1720 with He111-1"}
    other = s.copy()
    assert columns(do(s, "bomb 1720")) == [10, 5]  # together: 6 + 4; then Ju88-1
    assert columns(do(other, "bomb 1720 with Ju87-1")) == [6]  # or one after the other (ruling D27)
    assert columns(do(other, "bomb 1720")) == [4, 5]


@rule("16.0.j")
def test_after_the_attack_it_returns_to_the_pool(narvik: Any) -> None:
    s = narvik.position(units=UNITS, dice=(6,))
    do(s, "air support", "strike with Ju87-1", "on 1720", "strike with He111-1", "on 1720", "resolve the strikes")
    events = do(s, "bomb 1720 with Ju87-1")
    assert any("He111-1 finds nobody left in 1720" in event.text for event in events)
    assert s.place("SG-a") == "Allied Eliminated"
    assert set(stack(s, "German Pool")) == {"Ju87-1", "He111-1"}  # the second one found the hex empty (ruling D75)
    assert s.side == "allied"


@rule("14.3.k")
def test_a_forecast_warns_of_flak_that_may_hide_next_to_the_hex(narvik: Any) -> None:
    units = {"139-1": "1820", "SG-a": "1920", "Ju87-1": "German Strikes", "FAA-Skua": "Allied Strikes"}
    notes = []
    for near in ("Nav-Flak", "139-6"):
        s = narvik.position(phase="allied.action", units={**units, near: "1819"}, dice=(1,))
        do(s, "recon", "look at 1821", "pass", "air support", "strike with FAA-Skua", "on 1820")
        notes.append(s.forecast("resolve the strikes").to_json())
    assert notes[0] == notes[1]  # 139-1 is seen, its neighbour is not
    assert "21.0.a" in " ".join(notes[0]["notes"])
    s = narvik.position(phase="allied.action", units=units)
    do(s, "recon", "look at 1821", "pass", "air support", "strike with FAA-Skua", "on 1820")
    assert s.forecast("resolve the strikes").notes == ()


@rule("16.0.h", "16.0.i")
def test_how_many_strikes_a_hex_takes(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={**UNITS, "139-2": "1118"})
    do(s, "naval support", "strike with Warspite", "on 0919", "strike with Cairo")
    (reason,) = s.why_not("on 0919")
    assert (reason.rule, reason.text) == ("16.0.h", "1 strike in one hex at most")
    s = narvik.position(units={**UNITS, "Ju88-2": "German Strikes"})
    do(s, "air support", "strike with Ju87-1", "on 1720", "strike with He111-1", "on 1720", "strike with Ju88-1")
    (reason,) = s.why_not("on 1720")
    assert (reason.rule, reason.text) == ("16.0.i", "2 strikes in one hex at most")
