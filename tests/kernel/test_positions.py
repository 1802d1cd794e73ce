"""Positions made by hand: what a game declares can be said, and everything else is refused with what is known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from counterblow.kernel.errors import PositionError
from tests.example import ford
from tests.example.ford.game import Ford
from tests.example.ford.position import FordPositions
from tests.example.ford.state import FordState


class CampState(FordState):
    def blank(self) -> None:
        super().blank()
        self.tired: int = 0  # units, as bits
        self.day: int = 0
        self.rain: bool = False
        self.points: tuple[int, ...] = (1, 2)
        self.order: tuple[str, ...] = ()


class CampPositions(FordPositions):
    first = "red.combat"
    numbers, per_side, masks = ("day", "rain"), ("points",), {"tired": "tired"}

    def place(self, state: CampState, unit: int, name: str, marks: dict[str, Any]) -> None:
        state.order = (*state.order, name)

    def placed(self, state: CampState) -> None:
        state.order = (*state.order, "placed")

    def finish(self, state: CampState) -> None:
        state.order = (*state.order, "finished")

    def mark_moved(self, state: CampState, unit: int, hexes: int) -> None:
        state.moved[unit] = hexes

    def set_fought(self, state: CampState, hexes: Mapping[str, str]) -> None:
        for label, word in hexes.items():
            self.index("weather", word, ("clear", "mud"))
            state.fought = (*state.fought, self.game.node(label))
        state.order = (*state.order, "fought")


class Camp(Ford):
    state_class = CampState
    positions_class = CampPositions


CAMP = Camp(Path(ford.__file__).parent / "data")


def test_a_position_says_what_the_game_declares() -> None:
    units = {"Reserve": {"at": "0703", "tired": True, "moved": 2}, "1st Battalion": {"at": "0604", "tired": False}}
    s = CAMP.position(units=units, day=3, rain=True, points={"red": 7}, fought={"0504": "mud"})
    assert (s.stage, s.day, s.rain, s.points) == ("red.combat", 3, True, (1, 7))
    assert s.tired == 1 << CAMP.unit("Reserve")
    assert s.moved[CAMP.unit("Reserve")] == 2
    assert s.fought == (CAMP.node("0504"),)
    assert s.order == ("Reserve", "1st Battalion", "placed", "fought", "finished")
    assert CAMP.position(phase="blue.combat", units=units).stage == "blue.combat"


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ({"units": {"Reserve": {"tired": 1}}}, 'ford: unit "Reserve" needs "at": a hex or area'),
        ({"units": {"Reserve": {"at": "0703", "tierd": 1}}}, 'ford: Reserve: unknown mark "tierd": did you mean '),
        ({"units": {"Reserve": {"at": "0703", "moved": "far"}}}, "ford: Reserve: \"moved\" cannot be 'far': "),
        ({"rian": True}, 'ford: unknown position field "rian": did you mean "rain" or "turn"?'),
        ({"xyz": 1}, 'ford: unknown position field "xyz": known: turn, phase, units, scenario, options, dice'),
        ({"day": "first"}, "ford: \"day\" is a whole number, not 'first'"),
        ({"rain": "heavy"}, "ford: \"rain\" is true or false, not 'heavy'"),
        ({"points": {"grey": 1}}, 'ford: unknown side "grey": '),
        ({"points": 3}, 'ford: "points" cannot be 3: '),
        ({"fought": {"0504": "snow"}}, 'ford: unknown weather "snow": known: clear, mud'),
        ({"fought": 5}, 'ford: "fought" cannot be 5: '),
        ({"phase": "red.combt"}, 'ford: unknown phase "red.combt": did you mean "red.combat" or '),
    ],
)  # fmt: skip
def test_everything_else_is_refused(said: dict[str, Any], complaint: str) -> None:
    with pytest.raises(PositionError, match="^" + re.escape(complaint)):
        CAMP.position(**said)


def test_a_check_finds_what_must_never_be() -> None:
    units = {"1st Battalion": "0604", "2nd Battalion": "0604", "24th Battalion": "0705"}
    s = CAMP.position(units=units)
    assert CAMP.check(s) == []
    s.put(CAMP.unit("24th Battalion"), CAMP.node("0604"))
    assert CAMP.check(s) == ["both sides are in 0604", "0604: too many units"]
    s = CAMP.position(units=units)
    s.at[CAMP.unit("Reserve")] = CAMP.node("0703")
    assert CAMP.check(s) == ["4 units in play, 3 in stacks"]
