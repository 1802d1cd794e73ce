"""How the officer plays Leningrad 1941: what it does with aircraft and full hexes."""

from __future__ import annotations

from typing import Any

import counterblow
from counterblow import players
from counterblow.players.judging import judge_of

GERMAN = 0


def played(s: Any, *phases: str) -> list[str]:
    """What the officer does as German while one of these phases lasts."""
    officer, texts = players.make("officer", 1), []
    while s.phase in phases:
        side = s.decider
        action = officer.choose(s, side)
        if side == GERMAN:
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


def test_so_many_destinations_get_a_look_as_the_game_says() -> None:
    s = counterblow.load("leningrad").start()
    officer: Any = players.make("officer", 1)
    assert officer.staff(s, GERMAN).width == judge_of(s.game).width == 28
    assert judge_of(counterblow.load("narva")).width == 14
