"""Playing in a terminal."""

from __future__ import annotations

from fractions import Fraction

import pytest
from rich.console import Console

import counterblow
from counterblow.kernel.forecast import Modifier
from counterblow.kernel.state import State
from counterblow.textplay import TextPlay
from tests.browser import battles


def halved_attack(state: State) -> bool:
    """Would the attack that is being planned count a unit at half?"""
    legal = [str(action) for action in state.legal()]
    forecast = state.forecast("resolve the attack") if "resolve the attack" in legal else None
    return forecast is not None and any(isinstance(m.amount, Fraction) for m in forecast.modifiers)


def test_odds_of_a_halved_attack() -> None:
    out = Console(record=True, width=200)
    play = TextPlay(battles.find("narva", halved_attack), None, out)
    play.obey("odds resolve the attack")
    told = out.export_text()
    assert "/2 " in told
    assert "%" in told


def test_modifiers_are_written_with_their_sign() -> None:
    written = [str(Modifier(amount, "swamp", "9.1")) for amount in (2, 0, -1, Fraction(3, 2), Fraction(-5, 2))]
    assert written == ["+2 swamp (9.1)", "+0 swamp (9.1)", "-1 swamp (9.1)", "+3/2 swamp (9.1)", "-5/2 swamp (9.1)"]


@pytest.mark.parametrize("slug", counterblow.games())
def test_how_it_stands(slug: str) -> None:
    """The same lines that the browser draws."""
    match = battles.find(slug, lambda state: True, shortest=5)
    out = Console(record=True, width=300)
    TextPlay(match, None, out).obey("status")
    told = out.export_text()
    standing = match.state.view(match.state.side)["standing"]
    assert f"{standing['turns_left']} turns left. If the game ended now: " in told
    for line in (*standing["needs"], *standing["changes"]):
        assert line["text"] in told
        assert f"({line['rule']})" in told
        assert line["rule"] in match.game.rules
    assert "Eliminated: " in told
