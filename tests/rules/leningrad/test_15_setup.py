"""Chapter 15: set-up, counters, and the whole game."""

from __future__ import annotations

from typing import Any

import pytest

from counterblow.games.leningrad.stacking import overstacked
from counterblow.kernel.flow import begin_phase
from counterblow.lab.fuzz import play_checked
from tests.helpers import asked, legal, rule
from tests.rules.leningrad.play import Game, has


def through_set_up(leningrad: Game) -> Any:
    s: Any = leningrad.start(seed=5)
    while s.turn == 0:
        s.do(s.legal()[0])
    return s


@rule("15.1")
def test_the_russian_sets_up_first_at_the_marked_places(leningrad: Game) -> None:
    s: Any = leningrad.start()
    assert s.side == "russian"
    marked = {"11. Army": "0817", "27. Army": "1218", "Luga Operational Group": "0811", "41. Corps": "0417",
              "22. Corps": "0717", "16. Corps": "1014", "Leningrad Militia Corps": "0507",
              "21. Tank Division": "0915", "Red Banner Baltic Fleet": "0803"}  # fmt: skip
    assert {unit: s.place(unit) for unit in marked} == marked
    assert s.place("I. Korps") is None
    while asked(s) == "setup.Place":
        s.do(s.legal()[0])
    assert (s.side, asked(s)) == ("russian", "terrain.Entrench")
    s.do("entrench 41. Corps")
    s.do("end entrenching")
    assert has(s, "entrenched", "41. Corps")
    assert not has(s, "entrenched", "22. Corps")
    assert s.side == "german"


@rule("15.2", "15.3", "15.4")
def test_choices_of_place(leningrad: Game) -> None:
    s: Any = leningrad.start()
    wanted = {
        "48. Army": ({"0903", "0904"}, "15.2"),
        "RBBF Marines": ({"0803", "0704", "0804", "0903"}, "15.3"),
        "Armored Train 1": ({"0903", "0904"}, "15.4"),
        "Armored Train 2": ({"0903", "0904"}, "15.4"),
    }
    for unit, (hexes, rule_id) in wanted.items():
        assert set(legal(s)) == {f"place {unit} {node}" for node in hexes}
        assert s.refuses(f"place {unit} 1806", because=rule_id)
        s.do(s.legal()[0])


@rule("15.5")
def test_the_german_force_ssw_and_sse_of_pskov(leningrad: Game) -> None:
    s: Any = leningrad.start()
    while s.side == "russian":
        s.do(s.legal()[-1] if asked(s) == "terrain.Entrench" else s.legal()[0])
    board = leningrad.board
    pskov = board.node("0417")
    assert {board.direction(pskov, board.node(n)) for n in ("0318", "0418")} == {"SW", "SE"}
    assert s.refuses("place 4. Panzer Gruppe 0417", because="15.5")
    s.do("place 4. Panzer Gruppe 0318")
    while asked(s) == "setup.Place":
        if "LVI. Panzer Korps" in str(s.legal()[0]):
            assert legal(s) == ["place LVI. Panzer Korps 0418"]  # not with the group (6.4)
        s.do(s.legal()[0])
    for node in ("0318", "0418"):
        assert len(s.stack(board.node(node))) == 3
    assert (s.turn, s.phase) == (1, "german.movement")


@rule("15.5", "6.2")
@pytest.mark.parametrize("wanted", [0, -1])
def test_wherever_germans_are_placed_first_the_rest_finds_room(leningrad: Game, wanted: int) -> None:
    s: Any = leningrad.start()
    while s.turn == 0:
        s.do(s.legal()[wanted] if s.side == "german" else s.legal()[-1])
    stacks = [s.stack(leningrad.node(label)) for label in ("0318", "0418")]
    assert sorted(map(len, stacks)) == [3, 3]
    assert not any(overstacked(s, stack, 0) for stack in stacks)


@rule("15.6")
def test_counters_show_name_size_type_and_one_factor(leningrad: Any) -> None:
    s = through_set_up(leningrad)
    counters = leningrad.counters
    shown = {u["name"]: u for u in s.view("german")["units"]}
    assert shown["4. Panzer Gruppe"]["symbol"] == "armor"
    assert shown["4. Panzer Gruppe"]["values"] == "6-3"
    assert shown["I. Korps"]["symbol"] == "infantry"
    assert shown["I. Korps"]["size"] == "XXX"
    assert len(counters.names) == 43
    assert sum(counters.side) == 24
    sums = {
        (side, optional): sum(
            counters.factor[u] for u in range(43)
            if counters.side[u] == side and bool(counters.optional >> u & 1) == optional
        )
        for side in (0, 1) for optional in (False, True)
    }  # fmt: skip
    assert sums == {(0, False): 48, (0, True): 9, (1, False): 29, (1, True): 7}
    assert all(entry["provenance"] in ("rulebook", "public", "reconstructed") for entry in counters.entries)


@rule("15.7")
def test_no_british_or_dutch_units(leningrad: Game) -> None:
    assert set(leningrad.sides) == {"german", "russian"}


@rule("15.8")
def test_the_first_turn_is_played_like_any_other(leningrad: Game) -> None:
    s = through_set_up(leningrad)
    first = [step for step in s.agenda if step[0] is begin_phase]
    again = leningrad.position(turn=5, phase="german.movement", units={"I. Korps": "0418", "11. Army": "1806"})
    assert first == [step for step in again.agenda if step[0] is begin_phase]


@rule("1.1", "14.9")
def test_random_games_end_with_every_invariant(leningrad: Game) -> None:
    for seed in range(4):
        assert play_checked(leningrad, seed).actions > 300
    everything = {"die_index": "B", "symmetric_obligation": True, "panzer_corps_zoc": True, "leningrad_silent": True}
    play_checked(leningrad, 99, options=everything)
    play_checked(leningrad, 98, options={"optional_units": False})
