"""Chapter 8: reinforcements."""

from __future__ import annotations

from typing import Any

from counterblow.games.narva.game import Narva
from tests.helpers import do, legal, log, rule
from tests.rules.narva.play import State, steps, supply


@rule("8.0a")
def test_entry_hexes(narva: Narva) -> None:
    s = narva.position(turn=4, phase="german.reinforcement", due={"2G": 4, "VILJ": 4, "94S": 4})
    assert {"enter 2G at 0123", "enter 2G at 0116", "enter VILJ at 0130", "enter 94S at 0104"} <= set(legal(s))
    assert s.refuses("enter 2G at 0104", because="8.0a")
    assert s.refuses("enter 94S at 0123", because="8.0a")
    s = narva.position(turn=4, phase="soviet.reinforcement", due={"863": 4})
    assert s.refuses("enter 863 at 0123", because="8.0a")
    sources = ("3635", "3630", "3628", "3625", "3605", "2501", "1101")
    assert set(legal(s)) == {f"enter 863 at {label}" for label in sources}


@rule("8.0b", "8.0.2")
def test_reinforcements_enter_supplied_and_move(narva: Narva) -> None:
    s = narva.position(turn=2, phase="german.reinforcement", due={"154G": 2})
    do(s, "enter 154G at 0130")
    assert supply(s, "154G") == "supplied"
    assert s.agenda[-1][3] == 5
    assert {"to 0530", "by road to 2030", "by rail to 1528", "stop"} <= set(legal(s))


@rule("2.1.4a")
def test_units_wait_for_their_turn(narva: Narva) -> None:
    s = narva.position(turn=2, phase="german.reinforcement", due={"154G": 2, "1/45": 3})
    assert s.refuses("enter 1/45 at 0130", because="2.1.4a")


@rule("8.0.3b", "8.0.3c")
def test_blocked_entry(narva: Narva) -> None:
    """A is taken: 154G may come in within ten hexes along the edge, outside zones; while A is open it may not."""
    s = narva.position(turn=2, phase="german.reinforcement", units={"381": "0130"}, due={"154G": 2})
    found = set(legal(s))
    assert {"enter 154G at 0132", "enter 154G at 0128", "enter 154G at 0120"} <= found
    assert not {"enter 154G at 0129", "enter 154G at 0131", "enter 154G at 0119", "enter 154G at 0230"} & found
    assert s.refuses("enter 154G at 0129", because="5.3")
    s = narva.position(turn=2, phase="german.reinforcement", due={"154G": 2})
    assert s.refuses("enter 154G at 0128", because="8.0.3c")


@rule("8.0.3a", "5.3")
def test_nobody_enters_on_enemies_or_in_their_zones(narva: Narva) -> None:
    for phase, enemy, unit, there, beside in (
        ("soviet.reinforcement", "2G", "863", "3635", "3634"),
        ("german.reinforcement", "381", "154G", "0130", "0131"),
    ):
        s = narva.position(turn=4, phase=phase, units={enemy: there}, due={unit: 4})
        assert s.refuses(f"enter {unit} at {there}", because="8.0.3a")
        assert s.refuses(f"enter {unit} at {beside}", because="5.3")


@rule("8.0.3b")
def test_the_other_hex_of_an_area_comes_first(narva: Narva) -> None:
    s = narva.position(turn=4, phase="german.reinforcement", units={"381": "0123"}, due={"2G": 4})
    assert {text for text in set(legal(s)) if text.startswith("enter")} == {"enter 2G at 0116"}


@rule("8.0.4a")
def test_rerouting(narva: Narva) -> None:
    """Vector 15: 11th Division due at B on turn 4 is moved to A and enters there on turn 5."""
    s = narva.position(turn=4, phase="german.reinforcement", due={"2G": 4, "23G": 4, "1265": 4})
    do(s, "reroute 2G to A", "reroute 23G to C")
    assert s.side == "soviet"
    unit = narva.unit("2G")
    assert (s.due[unit], s.rerouted[unit]) == (5, 1)
    s = narva.position(turn=5, phase="german.reinforcement", due={"2G": {"turn": 5, "entry": "A", "rerouted": True}})
    assert set(legal(s)) == {"enter 2G at 0130"}
    s = narva.position(turn=4, phase="soviet.reinforcement", due={"863": 4})
    assert s.refuses("reroute 863 to A", because="8.0.4a")


@rule("8.0.4b")
def test_rerouting_only_once(narva: Narva) -> None:
    s = narva.position(turn=5, phase="german.reinforcement", due={"2G": {"turn": 5, "entry": "A", "rerouted": True}})
    assert s.refuses("reroute 2G to B", because="8.0.4b")


@rule("8.0.5")
def test_no_entry_at_all(narva: Narva) -> None:
    """The whole western edge near C is covered: a re-routed unit is lost, one not re-routed may still be re-routed."""
    wall = {
        "381": "0102",
        "456": "0105",
        "602": "0108",
        "864": "0111",
        "880": "0114",
        "891": "0202",
        "657": "0205",
        "749": "0208",
        "466": "0211",
        "301": "0214",
    }
    s = narva.position(
        turn=5,
        phase="german.reinforcement",
        units=wall,
        due={"94S": {"turn": 5, "entry": "C", "rerouted": True}, "113S": {"turn": 5, "entry": "C"}},
    )
    assert set(legal(s)) == {"reroute 113S to A", "reroute 113S to B"}
    assert s.fate[narva.unit("94S")] == 2


# ---------------------------------------------------------------------- 8.0.6: the 260th MS


def landing(narva: Narva, turn: int = 2, dice: tuple[int, ...] = (), edition: str = "2022", **units: Any) -> State:
    return narva.position(
        turn=turn,
        phase="soviet.reinforcement",
        units=units,
        due={"260MS": 2},
        dice=dice,
        options={"edition": edition},
        pd={"Nordland": 1},
    )


@rule("8.0.6a")
def test_landing_at_merekula(narva: Narva) -> None:
    for turn in (2, 3, 9):
        s = landing(narva, turn)
        assert set(legal(s)) == {"land at 1934", "land at 2034", "wait"}
    s = narva.position(turn=1, phase="soviet.reinforcement", due={"260MS": 2, "482": 1})
    assert s.decision.kind == "reinforcements.Enter"
    s = landing(narva)
    do(s, "wait")
    assert s.fate[narva.unit("260MS")] == 0
    s = landing(narva, MOK="1934")
    assert set(legal(s)) == {"land at 2034", "wait"}
    assert s.refuses("land at 1934", because="8.0.6a")


@rule("8.0.6b")
def test_the_beaches_beside_merekula(narva: Narva) -> None:
    s = landing(narva)
    assert s.refuses("land at 1833", because="8.0.6b")
    s = landing(narva, MOK="1934", SCHN="2034")
    assert set(legal(s)) == {"land at 1833", "land at 2135", "wait"}
    s = landing(narva, MOK="1934", SCHN="2034", HOHN="1833")
    assert set(legal(s)) == {"land at 2135", "wait"}


@rule("8.0.6c")
def test_landing_on_an_hq(narva: Narva) -> None:
    s = landing(narva, 2, (), "2022", **{"KUST HQ": "1934"})
    do(s, "land at 1934")
    assert (s.side, s.decision.kind) == ("german", "headquarters.Displace")
    assert s.place("260MS") == "1934"


@rule("8.0.6d")
def test_coastal_guns(narva: Narva) -> None:
    s = landing(narva, dice=(4,))
    do(s, "land at 1934")
    assert s.side == "german"
    assert set(legal(s)) == {"barrage 1934", "cease fire"}
    told = log(do(s, "barrage 1934"))
    assert any("die 4: P" in line for line in told)
    assert s.decision.kind == "defences.Repair"  # pinned, it did not move
    s = landing(narva, dice=(6,))
    do(s, "land at 1934", "barrage 1934")
    assert steps(s, "260MS") == 1
    assert s.decision.kind == "movement.Leg"


@rule("8.0.6e")
def test_driven_into_the_sea(narva: Narva) -> None:
    """Vector 24; by the 2018 text the brigade retreats."""
    s = landing(narva, dice=(5,))
    do(s, "land at 1934", "barrage 1934")
    assert s.place("260MS") is None
    assert s.fate[narva.unit("260MS")] == 2
    s = landing(narva, dice=(5,), edition="2018")
    do(s, "land at 1934", "barrage 1934")
    assert s.decision.kind == "retreat.Retreat"


BRIGADE: dict[str, Any] = {"2 SH HQ": "2511", "109 HQ": "2513", "381": "2512", "260MS": "1934", "MOK": "1933"}


@rule("8.0.6f", "8.0.6g")
def test_the_first_2nd_shock_chit_wakes_the_brigade(narva: Narva) -> None:
    """It moves and attacks besides the corps and the three others; not with the second chit of the turn."""
    s = narva.position(turn=3, phase="command", draws=["2SH", "2SH"], units={**BRIGADE, "43 HQ": "2516", "4": "2514"})
    do(s, "activate 109 HQ")
    assert set(legal(s)) == {"add 4", "no more units"}
    do(s, "add 4")
    assert {"move 260MS", "move 381", "move 4"} <= set(legal(s))
    do(s, "end movement")
    assert set(legal(s)) == {"attack 1933", "end combat"}
    do(s, "end combat", "activate 43 HQ", "no more units")
    assert s.refuses("move 260MS", because="4.0a")


@rule("8.0.6f")
def test_the_brigade_wakes_also_when_the_player_passes(narva: Narva) -> None:
    s = narva.position(turn=3, phase="command", draws=["2SH"], units=BRIGADE)
    do(s, "pass")
    assert set(legal(s)) == {"move 260MS", "end movement"}
    s = narva.position(turn=3, phase="command", draws=["8A"], units={**BRIGADE, "8 HQ": "0405"})
    do(s, "pass")
    assert s.decision is None or s.decision.kind != "movement.ChooseMover"


@rule("8.0.6h")
def test_the_brigade_needs_no_supply(narva: Narva) -> None:
    ring = {"MOK": "1933", "29P": "2033", "30P": "1833", "31P": "2135"}
    s = narva.position(turn=3, phase="supply", units={"260MS": "1934", "50": "2034", **ring}, pd={"Nordland": 1})
    assert supply(s, "260MS") == "supplied"
    assert supply(s, "50") == "out of supply"


@rule("8.1")
def test_chits_join_the_cup(narva: Narva) -> None:
    s = narva.position(turn=7, phase="soviet.reinforcement", due={"942": 7})
    chits = {chit.name: s.cup[chit.number] for chit in narva.chits}
    assert (chits["8A"], chits["W59"]) == (3, 1)
    assert sum(chits.values()) == 4


@rule("2.1.4a")
def test_a_unit_enters_once(narva: Narva) -> None:
    s = narva.position(turn=4, phase="german.reinforcement", due={"2G": 4, "VILJ": 4})
    do(s, "enter 2G at 0123", "stop")
    assert [c.rule for c in s.why_not("enter 2G at 0123")] == ["2.1.4a"]
