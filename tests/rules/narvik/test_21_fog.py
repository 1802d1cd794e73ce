"""Chapter 21: fog of war."""

from __future__ import annotations

import json
import random
from typing import Any

from tests.helpers import do, rule
from tests.rules.narvik.play import offers

UNITS = {"139-1": "1720", "139-2": "1821", "139-3": "0919", "SG-a": "1820", "SG-b": "0115", "IG-a": "Harstad"}


def named(s: Any, side: str | None) -> set[str]:
    """Units that a side can name in its view."""
    return {u["name"] for u in s.view(side)["units"] if "name" in u}


@rule("21.0.a")
def test_enemy_stacks_are_hidden(narvik: Any) -> None:
    s = narvik.position(units=UNITS)
    assert named(s, "german") == {"139-1", "139-2", "139-3"}
    assert named(s, "allied") == {"SG-a", "SG-b", "IG-a"}
    assert named(s, None) == set()
    hidden = [u for u in s.view("german")["units"] if u.get("hidden")]
    assert sorted((u["at"], u["side"], u["nation"], u["code"]) for u in hidden) == [
        ("0115", "allied", "British", ""), ("1820", "allied", "British", ""),
    ]  # fmt: skip
    open_game = narvik.position(units=UNITS, options={"fog": False})
    assert named(open_game, "german") == set(UNITS)


@rule("21.0.b")
def test_recon_reveals_a_hex_and_its_neighbours(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units=UNITS)
    do(s, "recon", "look at 1720")
    assert named(s, "allied") == {"SG-a", "SG-b", "IG-a", "139-1", "139-2"}
    assert not offers(narvik.position(units=UNITS, options={"fog": False}), "recon")


@rule("21.0.c")
def test_recon_lasts_until_the_next_own_action(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units=UNITS)
    do(s, "recon", "look at 1720", "movement KGW", "done")
    assert "139-1" in named(s, "allied")  # the enemy's action changes nothing
    other = s.copy()
    do(s, "movement BR")
    assert "139-1" in named(s, "allied")
    do(s, "done")
    assert "139-1" not in named(s, "allied")
    do(other, "pass")
    assert "139-1" not in named(other, "allied")


@rule("21.0.c")
def test_a_second_recon_ends_the_first(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units=UNITS)
    do(s, "recon", "look at 1720", "pass", "recon", "look at 0919")
    assert named(s, "allied") & {"139-1", "139-2", "139-3"} == {"139-3"}


@rule("21.0.a")
def test_overlays_of_hidden_units_are_empty(narvik: Any) -> None:
    s = narvik.position(units=UNITS)
    for kind in narvik.unit_overlays:
        assert narvik.views.overlay(s, kind, 0, narvik.unit("139-1"), 0)["hexes"]
        assert narvik.views.overlay(s, kind, 0, narvik.unit("139-1"), 1) == {"hexes": {}}


@rule("21.0.d")
def test_combat_reveals_firers_and_targets(narvik: Any) -> None:
    units = {**UNITS, "139-4": "1720"}
    s = narvik.position(units=units, dice=(1,))
    do(s, "fire KGW", "attack with 139-1")
    assert "SG-a" not in named(s, "german")  # not before the target is named
    events = do(s, "at 1820")
    assert "reveal" in {e.kind for e in events}
    assert "SG-a" in named(s, "german")
    assert "139-1" in named(s, "allied")
    assert "139-4" not in named(s, "allied")  # it did not fire
    do(s, "done")
    assert "SG-a" not in named(s, "german")  # ruling D58
    assert "139-1" not in named(s, "allied")


@rule("21.0.d")
def test_strikes_reveal_their_targets_when_all_are_placed(narvik: Any) -> None:
    """Ruling D91."""
    units = {**UNITS, "Ju87-1": "German Strikes", "Ju87-2": "German Strikes"}
    s = narvik.position(units=units)
    do(s, "air support", "strike with Ju87-1", "on 1820", "strike with Ju87-2", "on 1820")
    assert "SG-a" not in named(s, "german")  # not while others may still be placed
    do(s, "resolve the strikes")
    assert "SG-a" in named(s, "german")  # together or one after the other is decided in sight of them
    assert "SG-b" not in named(s, "german")


@rule("21.0.e")
def test_displays_and_staging_areas_are_hidden(narvik: Any) -> None:
    units = {**UNITS, "Warspite": "Allied Strikes", "I/12": "Allied Regroup", "6CA-a": "Allied Scheduled"}
    s = narvik.position(units=units)
    seen = {u["at"] for u in s.view("german")["units"]}
    assert not seen & {"Harstad", "Allied Strikes", "Allied Regroup", "Allied Scheduled"}
    assert {"Harstad", "Allied Strikes"} <= {u["at"] for u in s.view("allied")["units"]}
    text = json.dumps(s.view("german"))
    assert "Warspite" not in text
    assert "IG-a" not in text


@rule("21.0.e")
def test_a_unit_that_leaves_the_map_is_hidden_again(narvik: Any) -> None:
    s = narvik.position(units={**UNITS, "139-4": "1720"}, dice=(5,))
    do(s, "fire KGW", "attack with 139-4", "at 1820")
    assert s.place("SG-a") == "Allied Regroup"
    assert "SG-a" not in named(s, "german")  # revealed by the fire, but displays cannot be examined


def twins(narvik: Any, first: dict[str, str], second: dict[str, str], side: str) -> None:
    """Two positions that differ only in what a side cannot see must look the same to it."""
    one, two = (narvik.position(units={**UNITS, **more}) for more in (first, second))
    assert one != two
    assert one.view(side) == two.view(side)
    assert narvik.judge.evaluate(one, narvik.sides.index(side)) == narvik.judge.evaluate(two, narvik.sides.index(side))


@rule("21.0.a", "21.0.e")
def test_views_of_states_that_differ_only_in_hidden_facts(narvik: Any) -> None:
    twins(narvik, {"IG-b": "1704"}, {"SWB-a": "1704"}, "german")  # another British unit
    twins(narvik, {"IG-b": "Harstad"}, {"IG-b": "Allied Regroup"}, "german")
    twins(narvik, {"RM": "Allied Pool"}, {"RM": "Allied Regroup", "Warspite": "Allied Pool"}, "german")
    twins(narvik, {"139-12": "1704", "139-13": "1705"}, {"139-13": "1704", "139-12": "1705"}, "allied")
    twins(narvik, {"139-12": "1704", "Ju87-1": "German Strikes"}, {"Holtorf": "1704"}, "allied")


def test_a_redealt_state_looks_the_same(narvik: Any) -> None:
    """Computer players guess with redeal; along a random game neither view nor evaluation may change by it."""
    chooser = random.Random(5)
    s = narvik.start(seed=5)
    changed = 0
    for number in range(1500):
        if s.over:
            break
        if number % 25 == 0:
            for side in (0, 1):
                guess = s.copy()
                narvik.judge.redeal(guess, side)
                changed += guess.here != s.here
                mine, theirs = s.view(narvik.sides[side]), guess.view(narvik.sides[side])
                assert mine == theirs
                assert narvik.judge.evaluate(s, side) == narvik.judge.evaluate(guess, side)
                assert narvik.check(guess) == narvik.check(s)
        s.do(chooser.choice(s.legal()))
    assert changed > 20


def test_the_log_keeps_secrets(narvik: Any) -> None:
    s = narvik.position(units=UNITS)
    do(s, "movement KGW", "move 139-1")
    event = next(e for e in do(s, "to 1620") if e.kind == "move")
    assert "139-1" in str(event.seen_by(0))
    assert "139-1" not in str(event.seen_by(1))
    assert "1720-1620" in str(event.seen_by(1))
    units = {**UNITS, "Ju87-1": "German Pool"}
    s = narvik.position(turn=6, units=units, ap={"german": 1, "allied": 1}, dice=(1, 1, 5, 1, 6))
    do(s, "pass")
    drawn = [e for e in do(s, "pass") if e.kind == "draw" and "Ju87" in e.text]
    assert drawn
    assert all("Ju87" not in (e.seen_by(1) or "") for e in drawn)


@rule("21.0.a", "15.2.e")
def test_the_log_does_not_name_who_pursues_unseen(narvik: Any) -> None:
    """Units that did not fire are not revealed: neither when they move in, nor as escort of the marines."""
    s = narvik.position(units={"139-1": "1720", "139-2": "1821", "SG-a": "1820"}, dice=(6,))
    do(s, "assault KGW", "attack with 139-1", "at 1820")
    (hidden,) = [e for e in do(s.copy(), "pursue with 139-2 to 1820") if e.kind == "pursuit"]
    assert "139-2" in str(hidden.seen_by(0))
    assert "139-2" not in str(hidden.seen_by(1))
    assert "1821-1820" in str(hidden.seen_by(1))
    (shown,) = [e for e in do(s, "pursue with 139-1 to 1820") if e.kind == "pursuit"]
    assert "139-1" in str(shown.seen_by(1))
    marines = {"RM": "Harstad", "SG-a": "Harstad", "139-3": "1118"}
    for die, more in ((6, ("pursue with SG-a to 1118",)), (6, ("end the pursuit",)), (1, ())):
        s = narvik.position(phase="allied.action", units=marines, dice=(die,))
        do(s, "amphibious assault", "escort SG-a")
        told = [e.seen_by(0) or "" for e in do(s, "storm from 1018 at 1118", *more)]
        assert not any("SG-a" in text for text in told)
        assert any("an Allied unit" in text for text in told)


@rule("10.0.e")
def test_zones_of_hidden_units_are_no_secret(narvik: Any) -> None:
    s = narvik.position(units=UNITS)
    zones = narvik.views.overlay(s, "zoc", 0, None, 1)["hexes"]
    assert {"1820", "1719", "1620"} <= set(zones)
    assert zones == narvik.views.overlay(s, "zoc", 0, None, 0)["hexes"]


@rule("21.0.d")
def test_what_combat_has_shown_is_not_guessed_at(narvik: Any) -> None:
    """A guess exchanges hidden counters alike; one that was seen before it left the map stays where it went."""
    units = {"139-4": "1720", "SG-a": "1820", "SG-b": "1820", "IG-a": "0216", "IG-b": "0116", "SWB-a": "0115"}
    s = narvik.position(units=units, dice=(6, 4))
    do(s, "fire KGW", "attack with 139-4", "at 1820")
    assert s.place("SG-b") == "Allied Regroup"
    moved = 0
    for _ in range(12):
        guess = s.copy()
        s.roll()  # another guess
        narvik.judge.redeal(guess, 0)
        moved += guess.here != s.here
        assert guess.place("SG-b") == "Allied Regroup"
    assert moved
