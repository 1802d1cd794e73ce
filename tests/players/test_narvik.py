"""How the computer plays Narvik 1940: what it looks at, and what it thinks of a position."""

from __future__ import annotations

from typing import Any

import counterblow
from counterblow import players

GERMAN, ALLIED = 0, 1


def narvik() -> Any:
    return counterblow.load("narvik")


def test_on_the_last_turn_the_losing_side_fights_on() -> None:
    """Nothing it can do in one action wins, and yet it must not sit and wait for the end."""
    units = {"SG-a": "1019", "SG-b": "1019", "139-PiH": "0919", "139-6": "2020", "139-1": "1215"}
    s = narvik().position(turn=8, phase="allied.action", units=units)
    assert players.make("plain", 1).choose(s, ALLIED).text in ("fire BR", "assault BR")


def test_standing_under_enemy_guns_is_judged_a_danger() -> None:
    """Far from every objective, so that little else differs: next to a German stack, or a hex further on."""
    game = narvik()
    guns = dict.fromkeys(("139-1", "139-4", "139-14"), "0724")
    values = [game.judge.evaluate(game.position(units={**guns, "SG-a": place}), ALLIED) for place in ("0824", "0924")]
    assert values[0] < values[1]


def test_the_allies_deny_germany_its_places_to_regroup() -> None:
    """17.0.h: an objective in an Allied zone of control takes no regrouped unit."""
    game = narvik()
    away, near = (game.position(units={"139-6": "0919", "SG-a": place}) for place in ("1220", "1019"))
    assert game.judge.evaluate(near, ALLIED) > game.judge.evaluate(away, ALLIED)


def test_units_across_the_fjord_are_far_away() -> None:
    game = narvik()
    way = game.yardstick.way[game.ground.objectives.index(game.node("0919"))]
    assert game.board.distance(game.node("0916"), game.node("0919")) == 3
    assert way[game.node("0916")] == 11  # two voyages by way of Harstad, and then a march
    assert way[game.node("Harstad")] == 7  # the coast next to Narvik will be guarded
    assert way[game.node("1020")] == 1


def test_of_units_alike_in_a_staging_area_one_is_looked_at() -> None:
    game = narvik()
    units = {"SG-a": "Harstad", "SG-b": "Harstad", "SWB-a": "Harstad", "IG-a": "0216", "IG-b": "0216", "139-6": "0919"}
    s = game.position(phase="allied.action", units=units)
    s.do("movement BR")
    looked_at = [action.text for action in game.judge.worth_trying(s, s.legal())]
    assert [text for text in looked_at if text.startswith("move")] == [
        "move SG-a",
        "move IG-a",
        "move IG-b",
        "move SWB-a",
    ]
    assert "done" in looked_at


def test_landings_far_from_everything_are_not_looked_at() -> None:
    game = narvik()
    s = game.position(phase="allied.action", units={"SG-a": "Harstad", "139-6": "0919"})
    for text in ("amphibious BR", "embark SG-a"):
        s.do(text)
    looked_at = {action.text for action in game.judge.worth_trying(s, s.legal())}
    assert {"sail to 0820", "sail to Bardufoss"} <= looked_at
    assert "sail to 0605" not in looked_at
    assert "sail to 0605" in {action.text for action in s.legal()}
