"""Section 9.6: advance after combat."""

from __future__ import annotations

from typing import Any

from counterblow.games.narva.game import Narva
from tests.helpers import do, legal, rule
from tests.rules.narva.play import State, fight


def won(narva: Narva, units: dict[str, Any], target: str, *attackers: str, turn: int = 2, die: int = 6) -> State:
    """A Soviet attack that clears the hex; losses of the attacker are taken by the first unit offered."""
    s = narva.position(turn=turn, phase="soviet.combat", units=units, dice=(die,))
    fight(s, target, *attackers)
    while s.decision is not None and s.decision.kind in (
        "results.StepLosses",
        "retreat.Retreat",
        "headquarters.Displace",
    ):
        do(s, str(s.legal()[0]))
    return s


@rule("9.6a")
def test_all_some_or_none(narva: Narva) -> None:
    units = {"381": "2512", "456": "2512", "602": "2411", "MOK": "2412"}
    s = won(narva, units, "2412", "381", "456", "602")
    assert set(legal(s)) == {"advance 381 by 2412", "advance 456 by 2412", "advance 602 by 2412", "halt"}
    do(s, "advance 381 by 2412", "advance 602 by 2412")
    assert s.decision is None or s.decision.kind != "advance.Advance"  # two combat units are the limit
    assert s.place("456") == "2512"
    s = won(narva, units, "2412", "381", "456")
    assert s.refuses("advance 602 by 2412", because="9.6a")
    assert s.why_not("advance 602 by 2412")[0].text == "it took no part in this attack"
    do(s, "halt")
    assert s.place("381") == "2512"


@rule("9.6a")
def test_no_advance_into_a_held_hex(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "61F": "2412"}, dice=(5,))
    fight(s, "2412", "381")  # 1-1: NR
    assert s.place("61F") == "2412"
    assert s.decision is None or s.decision.kind != "advance.Advance"


@rule("9.6b")
def test_no_advance_after_a_barrage(narva: Narva) -> None:
    s = narva.position(turn=2, phase="command", draws=["BAR-S"], dice=(1, 6), units={"MOK": "2412", "381": "2512"})
    do(s, "barrage 2412")
    assert s.place("MOK") is None
    assert s.decision is None or s.decision.kind != "advance.Advance"


@rule("9.6c")
def test_the_defenders_hex_comes_first(narva: Narva) -> None:
    s = won(narva, {"220T": "2512", "MOK": "2412"}, "2412", "220T")
    assert s.refuses("advance 220T by 2411", because="9.6c")
    assert s.refuses("advance 220T by none", because="9.6c")
    assert {"advance 220T by 2412", "advance 220T by 2412-2411"} <= set(legal(s))


@rule("9.6d")
def test_advancing_is_free_and_ignores_zones(narva: Narva) -> None:
    s = won(narva, {"220T": "2512", "MOK": "2412", "162G": "2310", "391G": "2314"}, "2412", "220T")
    assert "advance 220T by 2412-2311" not in set(legal(s))  # not adjacent to 2412
    assert {"advance 220T by 2412-2312", "advance 220T by 2412-2313"} <= set(legal(s))
    do(s, "advance 220T by 2412-2313")
    assert s.place("220T") == "2313"


@rule("9.6.1")
def test_infantry_and_rivers(narva: Narva) -> None:
    """Over ice and ferries, not over open water without one."""
    s = won(narva, {"381": "2725", "456": "2725", "MOK": "2726"}, "2726", "381", "456")
    assert "advance 381 by 2726" in set(legal(s))
    units = {"163": "1206", "219": "1206", "65": "1207", "MOK": "1107"}
    s = won(narva, units, "1107", "163", "219", "65")
    assert "advance 65 by 1107" in set(legal(s))
    assert s.refuses("advance 163 by 1107", because="9.6.1")


@rule("9.6.2")
def test_defenders_never_advance(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "162G": "2412", "391G": "2412"}, dice=(1,))
    do(s, "attack 2412", "add 381", "normal air attack by 13A-1", "resolve the attack")  # A2r1
    assert s.place("381") is None
    assert s.place("162G") == "2412"
    s = won(narva, {"220T": "2512", "61F": "2412"}, "2412", "220T")
    assert s.refuses("advance 61F by 2412", because="9.6a")


@rule("9.6.3a")
def test_mechanised_units_advance_two_hexes(narva: Narva) -> None:
    s = won(narva, {"220T": "2512", "381": "2512", "MOK": "2412"}, "2412", "220T", "381")
    assert "advance 220T by 2412-2411" in set(legal(s))
    assert s.refuses("advance 381 by 2412-2411", because="9.6.3a")
    assert s.refuses("advance 220T by 2412-2411-2410", because="9.6.3a")


@rule("9.6.3b")
def test_mechanised_units_may_end_apart(narva: Narva) -> None:
    units = {"220T": "2512", "124T": "2512", "381": "2411", "456": "2411", "MOK": "2412"}
    s = won(narva, units, "2412", "220T", "124T")
    assert s.refuses("advance 220T by 2412-2411", because="7.0a")
    do(s, "advance 220T by 2412-2413", "advance 124T by 2412-2312")
    assert (s.place("220T"), s.place("124T")) == ("2413", "2312")


@rule("9.6.4a")
def test_mechanised_units_and_major_rivers(narva: Narva) -> None:
    s = won(narva, {"220T": "2725", "381": "2725", "MOK": "2726"}, "2726", "220T", "381")
    assert s.refuses("advance 220T by 2726", because="9.6.4a")
    s = won(narva, {"220T": "2121", "124T": "2121", "MOK": "2122"}, "2122", "220T", "124T")
    assert s.refuses("advance 220T by 2122-2123", because="9.6.4a")


@rule("9.6.4b")
def test_mechanised_units_stop(narva: Narva) -> None:
    """After an unbridged minor river, or in a village or city."""
    s = won(narva, {"220T": "2614", "381": "2614", "MOK": "2715"}, "2715", "220T", "381")
    assert "advance 220T by 2715" in set(legal(s))
    assert s.refuses("advance 220T by 2715-2716", because="9.6.4b")
    s = won(narva, {"220T": "2719", "381": "2719", "124T": "2818", "MOK": "2718"}, "2718", "220T", "381", "124T")
    assert s.refuses("advance 220T by 2718-2717", because="9.6.4b")


@rule("9.6.5", "11.1.2a", "11.1.2c")
def test_hqs_advance_with_their_stack(narva: Narva) -> None:
    units = {"381": "2512", "109 HQ": "2512", "456": "2411", "43 HQ": "2411", "MOK": "2412"}
    s = won(narva, units, "2412", "381", "456")
    assert s.refuses("advance 109 HQ by 2412", because="11.1.2c")
    do(s, "advance 381 by 2412")
    assert "advance 109 HQ by 2412" in set(legal(s))
    assert s.refuses("advance 43 HQ by 2412", because="11.1.2c")
    do(s, "advance 109 HQ by 2412")
    assert s.place("109 HQ") == "2412"


@rule("11.1.2b")
def test_hqs_advance_two_hexes_with_mechanised_units(narva: Narva) -> None:
    s = won(narva, {"220T": "2512", "381": "2512", "109 HQ": "2512", "MOK": "2412"}, "2412", "220T", "381")
    do(s, "advance 381 by 2412")
    assert s.refuses("advance 109 HQ by 2412-2413", because="11.1.2b")
    do(s, "advance 220T by 2412-2413")
    assert {"advance 109 HQ by 2412", "advance 109 HQ by 2412-2413"} <= set(legal(s))


@rule("9.6.6")
def test_overrun_in_an_advance(narva: Narva) -> None:
    s = won(narva, {"220T": "2512", "MOK": "2412", "FHH HQ": "2312"}, "2412", "220T")
    do(s, "advance 220T by 2412-2312")
    assert (s.side, s.decision.kind) == ("german", "headquarters.Displace")
    assert s.place("220T") == "2312"


@rule("6.3.3", "6.3.4")
def test_entry_limits_hold_in_advances(narva: Narva) -> None:
    s = narva.position(turn=2, phase="german.combat", units={"PZ": "2829", "162G": "2829", "1294SU": "2930"}, dice=(6,))
    fight(s, "2930", "PZ", "162G")
    assert s.decision is None or s.decision.kind != "advance.Advance"
