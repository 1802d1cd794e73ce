"""Chapter 4: command."""

from __future__ import annotations

from typing import Any

from counterblow.games.narva.game import Narva
from tests.helpers import do, legal, rule
from tests.rules.narva.play import move

CORPS: dict[str, Any] = {"2 SH HQ": "2511", "109 HQ": "2513", "43 HQ": "2516", "381": "2512", "4": "2515"}


@rule("4.0a")
def test_only_activated_units_move_and_attack(narva: Narva) -> None:
    s = narva.position(turn=2, phase="command", draws=["2SH"], units={**CORPS, "891": "2525", "MOK": "2524"})
    do(s, "activate 109 HQ", "no more units")
    assert s.refuses("move 891", because="4.2.6a")
    do(s, "end movement")
    assert s.decision is None or s.decision.kind != "combat.DeclareAttack"


@rule("4.0b", "4.1.2d")
def test_an_hq_may_act_again_after_another_of_its_side(narva: Narva) -> None:
    """Vector 37: an enemy activation in between does not count."""
    s = narva.position(turn=2, phase="command", draws=["2SH", "3SS", "2SH", "2SH"], units={**CORPS, "11SS HQ": "3029"})
    do(s, "activate 43 HQ", "no more units", "end movement", "pass")
    assert "activate 43 HQ" not in set(legal(s))
    assert s.refuses("activate 43 HQ", because="4.1.2a")
    do(s, "activate 109 HQ", "no more units", "end movement")
    assert "activate 43 HQ" in set(legal(s))


@rule("4.1.1c", "4.2.1b")
def test_the_owner_of_the_chit_is_active(narva: Narva) -> None:
    s = narva.position(turn=2, phase="command", draws=["3SS", "2SH"], units={**CORPS, "11SS HQ": "3029"})
    assert s.side == "german"
    assert s.used == (1, 0)
    do(s, "pass")
    assert (s.side, s.used) == ("soviet", (1, 1))
    tracks = {track["id"]: track["value"] for track in s.view(None)["tracks"]}
    assert (tracks["activations_german"], tracks["activations_soviet"]) == (1, 1)


@rule("4.1.1f")
def test_kvo_and_285s_answer_to_the_army_group(narva: Narva) -> None:
    hqs = {"KVO HQ": "0530", "285S HQ": "0104", "225 HQ": "0213"}
    for chit in ("WER", "26", "43", "3SS"):
        s = narva.position(turn=4, phase="command", draws=[chit], units=hqs)
        assert s.refuses("activate KVO HQ", because="4.1.1f")
        assert s.refuses("activate 285S HQ", because="4.1.1f")
    s = narva.position(turn=4, phase="command", draws=["AGN"], units=hqs)
    assert {"activate KVO HQ", "activate 285S HQ"} <= set(legal(s))


@rule("4.1.1g")
def test_any_corps_in_the_radius(narva: Narva) -> None:
    s = narva.position(
        turn=8, phase="command", draws=["8A"], units={"8 HQ": "2511", "109 HQ": "2513", "112 HQ": "2514"}
    )
    assert {"activate 109 HQ", "activate 112 HQ"} <= set(legal(s))


@rule("4.1.2a")
def test_not_twice_running(narva: Narva) -> None:
    s = narva.position(turn=2, phase="command", draws=["2SH"], units=CORPS, last=["109 HQ"])
    assert set(legal(s)) == {"activate 43 HQ", "relocate 2 SH HQ", "pass"}
    assert s.refuses("activate 109 HQ", because="4.1.2a")
    s = narva.position(
        turn=2, phase="command", draws=["43"], units={"FHH HQ": "1827", "227 HQ": "2030"}, last=["FHH HQ"]
    )
    assert s.refuses("activate FHH HQ", because="4.1.2a")


@rule("4.1.2b")
def test_not_twice_running_across_turns(narva: Narva) -> None:
    """Vector 9: last of turn 2, so not first of turn 3."""
    s = narva.position(turn=2, phase="command", draws=["3SS", "3SS"], units={"11SS HQ": "3029", "4SS HQ": "3130"})
    do(s, "activate 11SS HQ", "end movement", "activate 4SS HQ", "end movement")
    assert s.turn == 3
    while s.decision.kind != "command.Wake":
        do(s, s.decision.passes or "draw a chit")
    assert s.refuses("activate 4SS HQ", because="4.1.2a")
    assert "activate 11SS HQ" in set(legal(s))


@rule("4.1.2c")
def test_a_free_move_of_three_units_frees_every_hq(narva: Narva) -> None:
    """Vector 10. A pass and a relocation do the same (ruling 4)."""
    s = narva.position(turn=2, phase="command", draws=["FREE", "2SH"], units=CORPS, last=["109 HQ"])
    do(s, "move three units", "no more units", "draw a chit")
    assert "activate 109 HQ" in set(legal(s))
    s = narva.position(turn=2, phase="command", draws=["2SH", "2SH"], units=CORPS, last=["109 HQ"])
    do(s, "pass")
    assert "activate 109 HQ" in set(legal(s))


@rule("4.1.2f")
def test_a_free_move_with_an_hq_counts(narva: Narva) -> None:
    s = narva.position(turn=2, phase="command", draws=["FREE", "2SH"], units=CORPS, last=["109 HQ"])
    assert s.refuses("activate 109 HQ", because="4.1.2a")
    do(s, "activate 43 HQ", "no more units", "end movement", "draw a chit")
    assert s.refuses("activate 43 HQ", because="4.1.2a")
    assert "activate 109 HQ" in set(legal(s))


@rule("4.1.3")
def test_an_army_hq_relocates_as_its_whole_activation(narva: Narva) -> None:
    s = narva.position(turn=2, phase="command", draws=["2SH", "3SS"], units={**CORPS, "11SS HQ": "3029", "MOK": "3333"})
    do(s, "relocate 2 SH HQ")
    assert len(s.legal()) > 1000
    assert s.refuses("place at 3333", because="6.3.2c")
    assert s.refuses("place at 0139", because="6.3.1")
    assert s.refuses("place at 2513", because="7.0a")
    do(s, "place at 0405")
    assert s.place("2 SH HQ") == "0405"
    do(s, "end movement")
    assert (s.side, s.used) == ("german", (1, 1))
    s = narva.position(turn=2, phase="command", draws=["2SH"], units={**CORPS, "8 HQ": "1111"})
    assert s.refuses("relocate 8 HQ", because="4.1.3")


@rule("4.2.1a", "4.2.2", "6.0a")
def test_formation_and_three_others(narva: Narva) -> None:
    """109 Corps, two units of 43 Corps and one independent; no fourth."""
    s = narva.position(
        turn=2,
        phase="command",
        draws=["2SH"],
        units={
            "2 SH HQ": "2511",
            "109 HQ": "2513",
            "381": "2512",
            "456": "2514",
            "4": "2515",
            "166": "2516",
            "308": "2515",
            "50": "2413",
        },
    )
    do(s, "activate 109 HQ")
    assert set(legal(s)) == {"add 4", "add 166", "add 308", "add 50", "no more units"}
    assert s.refuses("add 381", because="4.2.1a")
    do(s, "add 4", "add 166", "add 50")
    assert set(legal(s)) == {"move 109 HQ", "move 381", "move 456", "move 4", "move 166", "move 50", "end movement"}


@rule("4.2.1a")
def test_hqs_are_not_among_the_others(narva: Narva) -> None:
    s = narva.position(turn=2, phase="command", draws=["2SH"], units={**CORPS, "4": "2512"})
    do(s, "activate 109 HQ")
    assert s.refuses("add 43 HQ", because="4.2.1a")


STRAC: dict[str, Any] = {
    "STRAC HQ": "2411",
    "151G": "2412",
    "PZ": "2410",
    "29P": "2311",
    "391G": "2312",
    "61F": "2410",
    "381": "2413",
}


@rule("4.2.3a", "4.2.3b", "2.5.1m")
def test_strachwitz(narva: Narva) -> None:
    """No formation, four units, and one barrage before they move."""
    s = narva.position(turn=8, phase="command", draws=["43"], units=STRAC, dice=(4,))
    do(s, "activate STRAC HQ", "add 151G", "add PZ", "add 29P", "add 391G")
    assert s.decision.kind == "barrage.Fire"
    assert set(legal(s)) == {"barrage 2413", "cease fire"}
    do(s, "barrage 2413")
    assert s.pin[narva.unit("381")] == 1
    assert set(legal(s)) == {"move STRAC HQ", "move 151G", "move PZ", "move 29P", "move 391G", "end movement"}
    assert s.refuses("move 61F", because="4.0a")


@rule("4.2.3c")
def test_strachwitz_once_a_turn(narva: Narva) -> None:
    s = narva.position(turn=8, phase="command", draws=["43", "43", "43"], units={**STRAC, "FHH HQ": "2211"})
    do(
        s,
        "activate STRAC HQ",
        "no more units",
        "cease fire",
        "end movement",
        "activate FHH HQ",
        "no more units",
        "end movement",
    )
    assert s.refuses("activate STRAC HQ", because="4.2.3c")


@rule("4.2.3c", "8.0.6f", "2.3d")
def test_a_new_turn_counts_afresh(narva: Narva) -> None:
    """Strachwitz, the 260th MS and the activations of both sides are free again."""
    units = {**STRAC, "2 SH HQ": "3024", "260MS": "1934"}
    s = narva.position(turn=8, phase="end", units=units, strachwitz=True, naval=True, used={"german": 4, "soviet": 4},
                       cup={"43": 1}, pd={"Nordland": 1})  # fmt: skip
    do(s, "decline", "draw a chit")
    assert (s.turn, s.used) == (9, (1, 0))
    assert "activate STRAC HQ" in set(legal(s))
    assert (s.strachwitz, s.naval) == (0, 0)


@rule("4.2.3d")
def test_strachwitz_is_of_43_corps(narva: Narva) -> None:
    assert "activate STRAC HQ" in legal(narva.position(turn=8, phase="command", draws=["43"], units=STRAC))
    s = narva.position(turn=8, phase="command", draws=["26"], units=STRAC)
    assert s.refuses("activate STRAC HQ", because="4.1.1e")


@rule("4.2.4a", "4.2.6a")
def test_counting_range(narva: Narva) -> None:
    """Vector 11: KUST HQ has range 4. HOHN at four hexes is in command, SCHN at five is not."""
    s = narva.position(
        turn=2,
        phase="command",
        draws=["3SS"],
        units={"KUST HQ": "2410", "HOHN": "2414", "SCHN": "2405", "29P": "2406", "30P": "2415"},
    )
    do(s, "activate KUST HQ")
    assert set(legal(s)) == {"add 29P", "no more units"}
    assert s.refuses("add 30P", because="4.2.4a")
    do(s, "no more units")
    assert set(legal(s)) == {"move KUST HQ", "move HOHN", "end movement"}
    assert s.refuses("move SCHN", because="4.2.6a")


@rule("4.2.4b")
def test_range_is_measured_once(narva: Narva) -> None:
    s = narva.position(turn=2, phase="command", draws=["3SS"], units={"KUST HQ": "2410", "HOHN": "2414"})
    do(s, "activate KUST HQ")
    move(s, "KUST HQ", "2406")
    assert "move HOHN" in set(legal(s))
    move(s, "HOHN", "2416")
    assert s.place("HOHN") == "2416"


@rule("4.2.5a")
def test_army_hqs_keep_apart(narva: Narva) -> None:
    s = narva.position(turn=8, phase="command", draws=["8A"], units={"8 HQ": "0405", "2 SH HQ": "2511"})
    do(s, "relocate 8 HQ")
    assert s.refuses("place at 2522", because="4.2.5a")
    assert s.refuses("place at 2523", because="4.2.5a")
    assert "place at 2524" in set(legal(s))


@rule("4.2.5b", "4.2.5c")
def test_placing_a_reinforcing_army_hq(narva: Narva) -> None:
    s = narva.position(turn=7, phase="soviet.reinforcement", units={"2 SH HQ": "3024"}, due={"8 HQ": 7})
    assert s.decision.kind == "reinforcements.PlaceArmy"
    assert s.refuses("place at 3025", because="4.2.5b")
    assert "place at 2506" in set(legal(s))
    assert "place at 2404" in set(legal(s))  # next to a supplied hex its own presence opens the woods
    assert s.refuses("place at 1503", because="4.2.5c")
    assert "place at 1503" not in set(legal(s))
    s = narva.position(
        turn=7, phase="soviet.reinforcement", units={"2 SH HQ": "3024"}, due={"8 HQ": 7}, options={"edition": "2018"}
    )
    assert set(legal(s)) == {"place at 2501", "place at 1101", "place at 3605", "place at 3635"}


@rule("4.2.5d")
def test_an_army_hq_without_a_place_waits(narva: Narva) -> None:
    """2018: every source is barred or lies in range of another Army HQ, so it waits; on a later turn it may come."""
    units = {"2 SH HQ": "2511", "59 HQ": "3030", "23": "1102", "KAUS": "2502", "PZ": "3606"}
    s = narva.position(
        turn=7, phase="soviet.reinforcement", units=units, due={"8 HQ": 7, "942": 7}, options={"edition": "2018"}
    )
    assert s.decision.kind == "reinforcements.Enter"
    assert s.fate[narva.unit("8 HQ")] == 0
    s = narva.position(turn=8, phase="soviet.reinforcement", units={"2 SH HQ": "3030"}, due={"8 HQ": 7})
    assert s.decision.kind == "reinforcements.PlaceArmy"


@rule("4.2.5e")
def test_a_displaced_army_hq_goes_beyond_the_others(narva: Narva) -> None:
    s = narva.position(turn=8, phase="german.movement", units={"8 HQ": "2507", "2 SH HQ": "2520", "PZ": "2410"})
    move(s, "PZ", "2507")
    assert s.decision.kind == "headquarters.Displace"
    assert s.why_not("place at 2512") == [
        ("4.2.5e", "it would lie 8 hexes from 2 SH HQ in 2520, and a command range is 12")
    ]
    assert not {f"place at 25{row}" for row in range(10, 33)} & set(legal(s))
    assert s.legal()


@rule("4.2.6b")
def test_out_of_command_is_momentary(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="command", draws=["3SS", "WER"], units={"KUST HQ": "2410", "SCHN": "2405", "227 HQ": "2404"}
    )
    do(s, "activate KUST HQ", "end movement", "activate 227 HQ")
    assert "add SCHN" in set(legal(s))
    assert s.supply[narva.unit("SCHN")] == 0


@rule("4.2.6b")
def test_nobody_is_activated_when_the_chit_is_played_out(narva: Narva) -> None:
    s = narva.position(turn=2, phase="command", draws=["3SS"], units={"KUST HQ": "2410", "SCHN": "2405"})
    do(s, "activate KUST HQ")
    assert s.activated
    do(s, "move KUST HQ", "to 2510", "stop")
    while "end movement" in legal(s):
        do(s, "end movement")
    assert legal(s) == ["draw a chit"]
    assert not s.activated  # nor does the map show who has moved
