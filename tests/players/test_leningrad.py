"""How the officer plays Leningrad 1941: aircraft and full hexes, keeping what is won, the duty to attack, the end."""

from __future__ import annotations

from typing import Any

import pytest

import counterblow
from counterblow import players
from counterblow.players.base import Meter
from counterblow.players.general import _Search
from counterblow.players.judging import judge_of

GERMAN, RUSSIAN = 0, 1


def played(s: Any, *phases: str, by: int = GERMAN) -> list[str]:
    """What the officer does for a side while one of these phases lasts."""
    officer, texts = players.make("officer", 1), []
    while s.phase in phases:
        side = s.decider
        action = officer.choose(s, side)
        if side == by:
            texts.append(action.text)
        s.do(action)
    return texts


def blitzkrieg(korps: str) -> list[str]:
    """The blitzkrieg and the supply that follows, with one korps in a hex and a Russian army to be bombed."""
    s = counterblow.load("leningrad").position(
        turn=4,
        phase="german.blitzkrieg",
        air=["I. Fliegerkorps"],
        units={"X. Korps": {"at": korps, "disrupted": True}, "11. Army": "1011", "48. Army": "0904"},
        control={"Pskov": "german", "Luga": "german"},
    )
    phases = ("german.blitzkrieg", "german.blitzkrieg.allocation", "german.entrenchment", "german.supply")
    return played(s, *phases)


def test_who_could_bomb_flies_supplies_instead_to_those_cut_off() -> None:
    """11.6: an air unit flies one mission in blitzkrieg and supply together."""
    cut_off = blitzkrieg("1807")
    assert not any(text.startswith("bomb with") for text in cut_off)
    assert any(text.startswith("airlift") for text in cut_off)
    assert any(text.startswith("bomb with") for text in blitzkrieg("0713"))


def test_a_factor_too_many_in_a_hex_weighs_at_least_what_it_will_cost() -> None:
    """6.10, 14.5: it is removed when movement ends, and a point for the Russians as well."""
    judge = judge_of(counterblow.load("leningrad"))
    weight = dict(zip(judge.features, judge.weights(GERMAN, "balanced"), strict=True))
    assert weight["crowded"] >= weight["german"] + weight["points"]


def features(**position: Any) -> dict[str, float]:
    """What the judge counts in a position of the last turns."""
    s = counterblow.load("leningrad").position(phase="german.movement", **position)
    judge = judge_of(s.game)
    return dict(zip(judge.features, judge.count(s), strict=True))


def test_every_unit_too_many_is_counted() -> None:
    """6.1, 6.10: of five korps in a hex three are lost, not one."""
    korps = ("I. Korps", "II. Korps", "X. Korps", "XXVI. Korps", "XXVIII. Korps")
    for many, lost in ((2, 0), (3, 1), (5, 3)):
        assert features(turn=4, units=dict.fromkeys(korps[:many], "0713"))["crowded"] == -3 * lost


SHUT = dict.fromkeys(
    ("Pskov", "Luga", "Krasnogvardeisk", "Kingisepp", "Narva", "Tosno", "Mga", "Shlisselburg", "Oranienbaum"), "german"
)


def test_a_prize_without_a_garrison_is_not_safe_while_russians_are_near() -> None:
    """14.1: 16. Armee must not leave Leningrad South while an army could walk in, past its zone (8.3)."""
    game = counterblow.load("leningrad")
    judge: Any = judge_of(game)
    south = game.board.node("0904")
    for army, armee, reached in (("0903", "0905", True), ("0903", "0904", False), ("1810", "0905", False)):
        s = game.position(
            turn=14,
            phase="german.movement",
            units={"8. Army": {"at": army, "disrupted": army == "1810"}, "16. Armee": armee},
            control={**SHUT, "Leningrad South": "german"},
        )
        assert bool(judge.entered(s, judge.raided(s))[south]) == reached


def test_the_ring_is_only_as_good_as_the_units_in_it() -> None:
    """14.7: a town of the ring that nobody holds will be retaken, and the city has supply again."""
    ring = {"16. Armee": "0805", "XXVI. Korps": "0906", "XXVIII. Korps": "1006", "I. Korps": "1106"}
    russians = {"54. Army": "1303", "8. Army": "0904"}
    manned = features(turn=14, units={**russians, **ring, "18. Armee": "1104"}, control=SHUT)
    empty = features(turn=14, units={**russians, **ring, "18. Armee": "1103"}, control=SHUT)
    assert manned["siege"] == empty["siege"] == 1
    assert empty["breach"] < manned["breach"] == 0


def test_a_raid_cuts_off_by_its_zone_too() -> None:
    """8.1, 12.1: from 0314 an army goes by rail to 0308, next to the highway, and needs not stand on it."""

    def risks(**guard: str) -> tuple[float, float]:
        units = {"X. Korps": "0905", "48. Army": "0314", **guard}
        found = features(turn=8, units=units, control={**SHUT, "0107": "german"})
        assert found["german_cut_off"] == 0
        return found["at_risk"], found["pinched"]

    assert risks() == (0, -3)
    assert risks(**{"L. Korps": "0309"}) == (0, 0)  # its zone stops trains
    assert risks(**{"L. Korps": "0407"}) == (0, 0)  # a hex held is no bare zone


def test_an_officer_fears_such_raids_and_a_general_was_measured_without() -> None:
    judge = judge_of(counterblow.load("leningrad"))
    number = judge.features.index("pinched")
    assert judge.weights(GERMAN, "balanced")[number] > 0
    assert judge.weights(RUSSIAN, "balanced")[number] == 0
    assert judge.weights(GERMAN, "balanced", instead=judge.generals["german"])[number] == 0


def test_so_many_destinations_get_a_look_as_the_game_says() -> None:
    s = counterblow.load("leningrad").start()
    officer: Any = players.make("officer", 1)
    assert officer.staff(s, GERMAN).width == judge_of(s.game).width == 28
    assert judge_of(counterblow.load("narva")).width == 14


def test_russians_attack_so_that_the_duty_to_attack_can_be_met() -> None:
    """2.6: who attacks a Disrupted panzer division beside a korps must attack that too, or all attacks are given up."""
    s = counterblow.load("leningrad").position(
        turn=6,
        phase="russian.allocation",
        units={
            "11. Army": "1011",
            "34. Army": "1011",
            "6. Panzer Division": {"at": "1010", "disrupted": True},
            "X. Korps": "0911",
        },
        control={"Pskov": "german", "Luga": "german"},
    )
    done = played(s, "russian.allocation", by=RUSSIAN)
    assert "give up all attacks" not in done
    assert "attack 0911" in done  # alone, or beside the other


def test_an_attack_whose_duty_cannot_be_met_is_not_begun() -> None:
    """2.6: one army next to a Disrupted panzer division and 18. Armee leaves the division alone."""
    s = counterblow.load("leningrad").position(
        turn=6,
        phase="russian.allocation",
        units={"11. Army": "1011", "6. Panzer Division": {"at": "1010", "disrupted": True}, "18. Armee": "0911"},
        control={"Pskov": "german", "Luga": "german"},
    )
    assert "attack 1010" not in played(s, "russian.allocation", by=RUSSIAN)


def test_narva_without_a_garrison_is_not_safe_while_russians_may_cross_there() -> None:
    """14.10, 7.16: they may, to attack a korps behind it; from Narva itself it keeps them out."""
    russians = {"8. Army": "0508"}
    behind, inside, away = (
        features(turn=14, units={**russians, "XXVI. Korps": korps}, control=SHUT)["loose"]
        for korps in ("0207", "0307", "0107")
    )
    assert behind == -5
    assert inside == away == 0


def everything(judge: Any) -> list[bool]:
    """Somebody cares for every feature."""
    return [True] * len(judge.features)


def test_what_nobody_cares_for_is_not_counted() -> None:
    """A general of the Germans does not ask which zones raiders would have, nor Russians what they could do next."""
    game = counterblow.load("leningrad")
    judge: Any = judge_of(game)
    s = game.position(turn=6, units={"XXXVIII. Korps": "0504", "11. Army": "0906", "8. Army": "0205"})
    known = dict(zip(judge.features, judge.counted(s, GERMAN, everything(judge)), strict=True))
    cares = [name != "pinched" for name in judge.features]
    general = dict(zip(judge.features, judge.counted(s, GERMAN, cares), strict=True))
    cares = [bool(weight) for weight in judge.weights(RUSSIAN, "balanced")]
    russian = dict(zip(judge.features, judge.counted(s, RUSSIAN, cares), strict=True))
    assert known["pinched"] != 0
    assert known["at_risk"] != 0
    assert general == known | {"pinched": 0}
    assert russian["at_risk"] == russian["pinched"] == 0


def test_on_the_last_turn_nothing_counts_that_would_need_another() -> None:
    """14.5, 14.8: trenches and armies of the Russians win no game that ends now; the points do."""
    game = counterblow.load("leningrad")
    judge: Any = judge_of(game)
    units = {"11. Army": "1011", "34. Army": "1112", "X. Korps": "0911"}
    found = [judge.counted(game.position(turn=turn, units=units), RUSSIAN, everything(judge)) for turn in (14, 15)]
    counted = {turn: dict(zip(judge.features, row, strict=True)) for turn, row in zip((14, 15), found, strict=True)}
    assert [counted[turn]["russian"] for turn in (14, 15)] == [-6, 0]
    assert counted[14]["guard"] > counted[15]["guard"] == 0
    assert counted[14]["points"] == counted[15]["points"]
    assert counted[15]["verdict"] != 0


def test_of_a_game_that_is_over_only_its_end_counts() -> None:
    """A German line that ends the game is not preferred for the strength that is left, nor for enemies it could hit."""
    game = counterblow.load("leningrad")
    judge: Any = judge_of(game)
    s = game.position(turn=15, units={"11. Army": "1011", "34. Army": "1112", "X. Korps": "0911"})
    playing = dict(zip(judge.features, judge.counted(s, GERMAN, everything(judge)), strict=True))
    s.finish(RUSSIAN, "victory", "the city holds", "14.8")
    over = dict(zip(judge.features, judge.counted(s, GERMAN, everything(judge)), strict=True))
    assert playing["german"] > over["german"] == 0
    assert over["points"] == playing["points"]


@pytest.mark.parametrize("seed", [3, 8])
def test_what_is_remembered_of_a_position_is_what_it_tells(seed: int) -> None:
    """Officers ask about thousands of positions; each answer must be as fresh as one counted anew."""
    state: Any = counterblow.load("leningrad").start(seed=seed)
    judge: Any = judge_of(state.game)
    officers = [players.make("officer", seed=seed) for _ in (0, 1)]
    everything = [True] * len(judge.features)
    told = set()
    for _ in range(500):
        if state.decider is None:
            break
        for action in state.legal()[-4:]:
            after = state.copy()
            after.do(action)
            found = judge.everything(after, everything)
            told.add(id(found))
            fresh = state.game.from_json(after.to_json())
            assert found == judge.surveyed(fresh, everything), f"after {action}"
        state.do(officers[state.decider].choose(state, state.decider))
    assert len(told) > 50


def test_lines_in_which_the_fleet_sails_are_mixed_like_others() -> None:
    """It is no unit of a formation, and to sail names none."""
    state: Any = counterblow.load("leningrad").start(seed=1)
    judge = judge_of(state.game)
    officers = [players.make("officer", seed=1) for _ in (0, 1)]
    while state.phase != "russian.movement" or not any(action.kind == "sail" for action in state.legal()):
        state.do(officers[state.decider].choose(state, state.decider))
    plans = {plan.name: plan for plan in judge.plans_for(RUSSIAN)}
    search = _Search(judge, RUSSIAN, "balanced", state, Meter(1 << 30, 1e9), [1])
    usual, sailing = (search._line(state, (plan,) * 3, 1) for plan in (None, plans["fleet"]))
    assert "sail" in {thought.action.kind for thought in sailing.thoughts}
    for best, other in ((usual, sailing), (sailing, usual)):
        for line in search._mixed(state, [best, other]):
            after = state.copy()
            for thought in line.thoughts:
                assert thought.action in after.legal()
                after.do(thought.action)


FLEET = "Red Banner Baltic Fleet"
COAST = {"X. Korps": "0604", "6. Panzer Division": "0604", "48. Army": "0904"}


def test_the_fleet_sails_to_germans_on_the_coast_and_bombards_them() -> None:
    """13.6, 13.7."""
    s = counterblow.load("leningrad").position(turn=4, phase="russian.movement", units={FLEET: "0803", **COAST})
    done = played(s, "russian.movement", by=RUSSIAN)
    assert done.index("sail") + 1 == done.index("to 0604")
    assert "bombard" in done


def test_the_fleets_guns_count_germans_in_its_hex_or_half_of_those_next_to_russians_there() -> None:
    """13.7, 13.9: each is Disrupted on two faces of six; 13.8: the fleet shields who is attacked in its hex."""
    judge: Any = judge_of(counterblow.load("leningrad"))

    def guns(units: dict[str, Any], phase: str = "russian.movement") -> float:
        s = counterblow.load("leningrad").position(turn=4, phase=phase, units=units)
        return float(judge.guns(s))

    factor = dict(zip(judge.game.unit_names, judge.game.counters.factor, strict=True))
    fired_at = sum(2 + factor[name] for name in ("X. Korps", "6. Panzer Division")) / 3
    assert guns({FLEET: "0604", **COAST}) == pytest.approx(fired_at)
    assert guns({FLEET: "0604", **COAST}, "german.movement") == 0
    assert guns({FLEET: "0803", **COAST}) == 0
    assert guns({FLEET: {"at": "0604", "disrupted": True}, **COAST}) == 0
    attacked = {"8. Army": "0704", "X. Korps": "0705"}
    assert guns({FLEET: "0704", **attacked}, "german.movement") == pytest.approx((2 + factor["X. Korps"]) / 6)
    assert guns({FLEET: "0704", "X. Korps": "0705"}, "german.movement") == 0


def test_bombers_are_met_where_that_saves_those_they_would_hit() -> None:
    """11.14: it had been declined by habit."""
    s: Any = counterblow.load("leningrad").position(
        turn=3,
        phase="german.movement",
        units={"22. Corps": "1018", "11. Army": "1118", "I. Korps": "0918"},
        air=["I. Fliegerkorps", "Leningrad Front Aviation"],
        control=dict.fromkeys(("Pskov", "Porkhov", "Dno", "Gdov"), "german"),
    )
    s.do("bomb with I. Fliegerkorps")
    s.do("bomb 1018")
    officer = players.make("officer", 1)
    assert officer.choose(s, RUSSIAN).kind == "intercept"
    assert "nothing speaks for another choice" not in officer.reason
