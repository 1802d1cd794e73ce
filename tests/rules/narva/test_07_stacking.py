"""Chapter 7: stacking."""

from __future__ import annotations

from typing import Any

from counterblow.games.narva.game import Narva
from tests.helpers import do, legal, rule
from tests.rules.narva.play import fight, moving, reach


@rule("7.0a")
def test_two_combat_units_an_hq_and_a_gun(narva: Narva) -> None:
    full = {"456": "2512", "602": "2512", "109 HQ": "2512", "1294SU": "2512"}
    s = narva.position(
        turn=2, phase="soviet.movement", units={**full, "381": "2513", "43 HQ": "2513", "1902SU": "2513"}
    )
    for unit in ("381", "43 HQ", "1902SU"):
        assert moving(s, unit).refuses("to 2512", because="7.0a")
    del full["602"]
    s = narva.position(turn=2, phase="soviet.movement", units={**full, "381": "2513"})
    assert "to 2512" in reach(s, "381")
    s = narva.position(
        turn=2,
        phase="soviet.movement",
        units={"456": {"at": "2512", "steps": 1}, "602": {"at": "2512", "steps": 1}, "381": "2513"},
    )
    assert moving(s, "381").refuses("to 2512", because="7.0a")


@rule("7.0b")
def test_stacking_counts_where_a_unit_ends(narva: Narva) -> None:
    """A unit may pass a full hex in normal movement: 2512 is full, 2511 beyond it is reached."""
    wall = {"456": "2512", "602": "2512", "MOK": "2313"}
    s = narva.position(turn=2, phase="soviet.movement", units={**wall, "381": "2513"})
    assert "to 2511" in reach(s, "381")
    assert "to 2512" not in reach(s, "381")


@rule("7.1a", "8.0.1")
def test_reinforcements_overstack_only_on_placement(narva: Narva) -> None:
    s = narva.position(turn=2, phase="german.reinforcement", units={"MOK": "0130", "29P": "0130"}, due={"154G": 2})
    do(s, "enter 154G at 0130")
    assert s.refuses("stop", because="7.0a")
    assert s.place("154G") == "0130"
    do(s, "to 0131")
    assert "stop" in set(legal(s))


CROWD: dict[str, Any] = {"61F": "2412", "381": "2512", "456": "2512", "602": "2513", "864": "2413"}


@rule("7.1b", "9.5.5b")
def test_a_unit_too_many_goes_a_hex_farther(narva: Narva) -> None:
    """Soviet zones leave 61F only 2312, which holds two units already."""
    units = {**CROWD, "MOK": "2312", "29P": "2312"}
    s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(4,))
    fight(s, "2412", "381", "456", "602", "864")  # 16 to 3: 4-1; D1r1
    assert s.decision.kind == "retreat.GoOn"
    assert "retreat 61F by 2311" in set(legal(s))
    assert s.refuses("retreat 61F by 2411", because="9.5.2")
    assert s.refuses("retreat MOK by 2311", because="7.1b")
    assert s.why_not("retreat 61F by 2311-2310") == [("7.1b", "it goes one hex farther")]
    do(s, "retreat 61F by 2311")
    assert [s.place(name) for name in ("61F", "MOK", "29P")] == ["2311", "2312", "2312"]


@rule("7.1b", "9.5.5b")
def test_two_units_too_many_go_on_one_after_the_other(narva: Narva) -> None:
    """61F and 58F are driven into 2312, which has room for neither."""
    units = {**CROWD, "58F": "2412", "MOK": "2312", "29P": "2312"}
    s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(5,))
    fight(s, "2412", "381", "456", "602", "864")  # 16 to 6: 2-1; Dr1
    do(s, "retreat 61F by 2311")
    assert s.decision.kind == "retreat.GoOn"
    assert not any(text.startswith("retreat 61F") for text in legal(s))
    do(s, "retreat 58F by 2311")
    assert [s.place(name) for name in ("61F", "58F", "MOK", "29P")] == ["2311", "2311", "2312", "2312"]


@rule("7.1b", "9.5.5b")
def test_no_room_at_all(narva: Narva) -> None:
    """The corner of the map: 0102 behind 0101... 61F is driven into a full hex with no way on and is eliminated."""
    units = {
        "61F": "0102",
        "MOK": "0101",
        "29P": "0101",
        "381": "0103",
        "456": "0103",
        "602": "0202",
        "864": "0201",
        "880": "0202",
    }
    s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(3,))
    fight(s, "0102", "381", "456")  # 8 to 3: 2-1; NR
    assert s.place("61F") == "0102"
    s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(5,))
    fight(s, "0102", "381", "456")  # Dr1
    assert s.place("61F") is None
    assert [s.place(name) for name in ("MOK", "29P")] == ["0101", "0101"]


@rule("7.1c", "9.5.5b")
def test_two_hqs_after_a_retreat(narva: Narva) -> None:
    """The HQ follows its unit into a hex with another HQ and goes one hex farther."""
    units = {**CROWD, "227 HQ": "2412", "FHH HQ": "2312"}
    s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(4,))
    fight(s, "2412", "381", "456", "602", "864")
    assert s.decision.kind == "retreat.GoOn"
    do(s, "retreat 227 HQ by 2311")
    assert [s.place(name) for name in ("61F", "FHH HQ", "227 HQ")] == ["2312", "2312", "2311"]


@rule("7.1c")
def test_an_hq_without_room_is_eliminated(narva: Narva) -> None:
    units = {
        "61F": "0102",
        "227 HQ": "0102",
        "FHH HQ": "0101",
        "381": "0103",
        "456": "0103",
        "602": "0202",
        "864": "0201",
    }
    s = narva.position(turn=2, phase="soviet.combat", units=units, dice=(5,))
    fight(s, "0102", "381", "456")
    assert s.place("61F") == "0101"
    assert s.place("227 HQ") is None
    assert s.fate[narva.unit("227 HQ")] == 2
