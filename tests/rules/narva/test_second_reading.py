"""What a second reading of the rulebook asked for: pins, plans, reports, fog, and no chance by surprise."""

from __future__ import annotations

import random
from typing import Any

import pytest

from counterblow import Action, Event
from counterblow.games.narva.game import Narva
from tests.helpers import cited, do, legal, log, refused, rule
from tests.rules.narva.play import State, attack, every_throw, fight, points, supply

FOG = {"fog": True}
CORPS = {"2 SH HQ": "2411", "109 HQ": "2514", "381": "2512", "456": "2512"}


@rule("2.5.1i", "4.1.3")
def test_a_pinned_army_hq_is_not_relocated(narva: Narva) -> None:
    pinned: dict[str, Any] = {**CORPS, "2 SH HQ": {"at": "2411", "pinned": True}}
    s = narva.position(turn=2, phase="command", draws=["2SH"], units=pinned)
    assert "relocate 2 SH HQ" not in legal(s)
    assert refused(s, "relocate 2 SH HQ", because="2.5.1i")
    assert "activate 109 HQ" in legal(s)  # it commands all the same (ruling 16)


@rule("4.1.3", "6.0a")
def test_a_unit_or_an_army_hq_is_let_alone_again_without_a_trace(narva: Narva) -> None:
    s = narva.position(turn=2, phase="command", draws=["2SH"], units=CORPS)
    for choose in ("relocate 2 SH HQ", "move 381"):
        if choose == "move 381":
            do(s, "activate 109 HQ")
        before = s.to_json()
        do(s, choose, "back")
        assert s.to_json() == before
    do(s, "move 381", "to 2513")
    assert refused(s, "back", because="6.0b")  # it has moved


@rule("2.5.3b", "9.2.1b")
def test_a_unit_fights_in_both_directed_attacks(narva: Narva) -> None:
    """Ruling 61: all Soviet units next to a target attack it."""
    units = {"381": "2512", "456": "2413", "602": "2413", "MOK": "2412", "29P": "2511"}
    s = narva.position(turn=6, phase="command", draws=["STAVKA"], units=units, dice=(3, 3))
    attack(s, "2412")
    assert s.decision.chosen == (narva.unit("381"), narva.unit("456"), narva.unit("602"))
    do(s, "resolve the attack")
    while s.decision.kind != "chits.DirectedAttack":
        do(s, s.decision.passes or s.legal()[-1])
    attack(s, "2511")
    assert narva.unit("381") in s.decision.chosen


@rule("4.2.5c")
def test_an_army_hq_is_asked_for_as_the_edition_says(narva: Narva) -> None:
    for edition, words in (("2018", "at a Soviet source"), ("2022", "in a supplied hex")):
        s = narva.position(
            turn=3, phase="soviet.reinforcement", units={}, due={"8 HQ": 3}, options={"edition": edition}
        )
        assert words in s.decision.prompt


@rule("2.4.2c", "9.2.1b", "4.0a")
def test_who_may_not_join_an_attack_is_told_the_one_rule(narva: Narva) -> None:
    s = narva.position(
        turn=4, phase="command", draws=["AGN"], dice=(3,),
        units={"FHH HQ": "2411", "PZ": "2411", "PZG": "2411", "162G": "2412", "176G": "2611", "381": "2512"},
    )  # fmt: skip
    do(s, "activate FHH HQ", "add 162G", "no more units", "no more units", "end movement", "attack 2512")
    assert [c.rule for c in s.why_not("add 162G")] == ["2.4.2c"]
    assert [c.rule for c in s.why_not("add 176G")] == ["4.0a"]
    do(s, "add PZ", "resolve the attack")
    while s.decision.kind != "combat.DeclareAttack":
        do(s, s.legal()[0])
    do(s, "attack 2512")
    assert [c.rule for c in s.why_not("add PZ")] == ["9.2.1b"]


@rule("6.0b", "4.2.6a")
def test_a_unit_that_has_moved_is_told_so(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2512", "456": "2512"})
    do(s, "move 381", "to 2513", "stop")
    assert [c.rule for c in s.why_not("move 381")] == ["6.0b"]


@rule("9.3.1a", "9.3.1c", "14.3b", "2.5.1j")
def test_the_report_of_a_battle_has_all_that_decided_it(narva: Narva) -> None:
    s = narva.position(
        turn=1, phase="soviet.combat", units={"381": "2306", "MOK": {"at": "2305", "pinned": True}}, dice=(4,)
    )
    attack(s, "2305", "381")
    events = do(s, "full air attack by 13A-1", "resolve the attack")
    line = next(text for text in log(events) if " attacks " in text)
    assert line.startswith("381 attacks MOK in 2305: 4 to 2 (")
    assert "woods -1" in line
    assert "the defenders are pinned +1" in line
    assert "13A-1, full attack +2" in line
    assert "die 4 + 1: " in line
    result = next(event.values["result"] for event in events if event.kind == "combat" and "result" in event.values)
    assert line.partition(" (9.3a")[0].endswith(f": {result}")
    assert {"9.3a", "9.3.1a", "2.5.1j", "9.3.1c", "14.3b"} <= cited(events)


@rule("13.1.1a")
def test_control_that_changes_hands_is_told(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"220T": "1630"})
    lines = log(do(s, "move 220T", "to 1530"))
    assert any(line.startswith("The Soviets take control of Grenaderimagi (1530)") for line in lines)
    assert not any("control" in line for line in log(do(s, "to 1430")))


@rule("13.1.1a")
def test_a_retreating_unit_takes_control(narva: Narva) -> None:
    """Ruling 62: 381 falls back over hill 1530, which was German."""
    units = {"381": "1430", "151G": "1331", "162G": "1331", "391G": "1330", "PZ": "1431"}
    s = narva.position(turn=2, phase="german.combat", units=units)
    with every_throw(narva, "D1r2"):
        fight(s, "1430", "151G", "162G", "391G")
    do(s, "retreat 381 by 1530-1630")
    assert points(s)["hills"] == 2


@rule("9.6.4b")
def test_a_city_stops_a_mechanised_advance(narva: Narva) -> None:
    units = {"220T": "2929", "124T": "2929", "381": "2830", "456": "2830", "23": {"at": "2930", "steps": 1}}
    s = narva.position(turn=8, phase="soviet.combat", units=units, dice=(6,))
    fight(s, "2930", "220T", "124T", "381", "456")
    while s.decision.kind != "advance.Advance":
        do(s, s.legal()[0])
    assert "advance 220T by 2930" in legal(s)
    beyond = [narva.board.labels[n] for n in narva.board.around[narva.node("2930")]]
    assert not any(f"advance 220T by 2930-{label}" in legal(s) for label in beyond)
    assert refused(s, "advance 220T by 2930-2931", because="9.6.4b")


@rule("10.2.1b")
def test_the_bridgehead_is_never_isolated(narva: Narva) -> None:
    units = {"HAME": {"at": "3228", "supply": "out of supply"}, "1/48": {"at": "3130", "supply": "out of supply"}}
    s = narva.position(turn=9, phase="supply", units={**units, "109 HQ": "0631"})
    assert [supply(s, unit) for unit in units] == ["out of supply", "out of supply"]


# ---------------------------------------------------------------------- no chance by surprise

ENDS = {"draw", "resolve", "barrage", "end_movement", "end_combat", "pass"}  # after these chance may speak


@pytest.mark.parametrize("options", [{}, FOG])
def test_only_an_end_an_attack_or_a_draw_lets_chance_speak(narva: Narva, options: dict[str, Any]) -> None:
    chance, s = random.Random(4), narva.start(seed=4, options=options)
    for _ in range(900):
        action, rng = chance.choice(s.legal()), s.rng
        s.do(action)
        assert s.rng == rng or action.kind in ENDS, action
        if s.over:
            break


# ---------------------------------------------------------------------- fog of war


def told(event: Event, side: int) -> set[int]:
    """The units that a side reads of in an entry of the log."""
    sentence = event.sentence if event.only in (None, side) else event.public
    found: set[int] = set()
    for blank, value in event.values.items():
        if blank.startswith("unit") and f"{{{blank}}}" in sentence:
            found.update(value if isinstance(value, tuple) else (value,))
    return found


@rule("2.1.3a", "2.1.3b")
def test_in_fog_the_log_names_no_unit_that_its_reader_cannot_see(narva: Narva) -> None:
    """Neither before the action nor after it: losses, retreats, HQs woken and overrun, rebuilt units."""
    kinds: set[str] = set()
    for seed in range(4):
        chance = random.Random(seed)
        s: State = narva.start(seed=seed, options=FOG)
        while not s.over:
            before = s.copy()
            for event in s.do(chance.choice(s.legal())):
                kinds.add(event.kind)
                for side in (0, 1):
                    for unit in told(event, side):
                        seen = before.sees(side, unit) or s.sees(side, unit)
                        fought = event.kind in ("combat", "loss", "eliminate", "retreat", "advance", "reveal")
                        assert seen or fought, (event, side)
    assert {"loss", "retreat", "displace", "chit", "eliminate", "overrun"} <= kinds


@rule("2.1.3a", "9.4a", "9.5a", "2.5.1i")
@pytest.mark.parametrize(("die", "word"), [(4, "pinned"), (5, "retreats"), (6, "loses a step")])
def test_in_fog_a_barrage_betrays_nobody(narva: Narva, die: int, word: str) -> None:
    units = {"MOK": "2412", "381": "2512", "109 HQ": "2512"}  # the HQ lies on top
    s = narva.position(turn=3, phase="command", units=units, draws=["BAR-G"], dice=(1, die), options=FOG)
    events = do(s, "barrage 2512")
    while s.decision.kind in ("retreat.Retreat", "headquarters.Follow"):
        events += do(s, s.legal()[0])
    mine = [event.seen_by(1) or "" for event in events]
    theirs = [event.seen_by(0) or "" for event in events]
    assert any("381" in line and word in line for line in mine), mine
    assert not any("381" in line for line in theirs)
    assert any(word in line for line in theirs)


def test_drawing_a_chit_ends_what_went_before(narva: Narva) -> None:
    s = narva.position(turn=2, phase="command", draws=["BAR-G", "3SS"], units={"MOK": "2412", "381": "2512"}, dice=(1,))
    do(s, "cease fire")
    assert legal(s) == ["draw a chit"]
    assert s.decision.passes == s.legal()[0]


def test_an_action_names_its_unit(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.movement", units={"381": "2512"})
    do(s, "move 381")
    assert s.decision.about == (narva.unit("381"),)
    assert isinstance(s.decision.back, Action)


# ---------------------------------------------------------------------- refusals


def any_action(narva: Narva, s: State, chance: random.Random) -> Action:
    """An action of any kind with any words, as far as they exist; often about hexes where something stands."""
    kind = chance.choice(sorted(narva.sentences))
    places = [node for node in s.at if node >= 0]
    args: list[Any] = []
    for blank in narva.act.blanks[kind]:
        near = chance.choice(narva.board.within(chance.choice(places), 2))
        if blank == "hex":
            args.append(near)
        elif blank == "path":
            args.append((near, chance.choice(narva.around[near]))[: chance.choice((1, 2))])
        else:
            args.append(chance.randrange(len(narva.act.names[blank])))
    return narva.act[kind].made(args[0] if len(args) == 1 and isinstance(args[0], int) else tuple(args))


@pytest.mark.parametrize("seed", range(4))
def test_a_refusal_names_one_rule_and_changes_nothing(narva: Narva, seed: int) -> None:
    """Of all kinds of action, over random positions; what is said of a rule holds where it can be looked up."""
    chance = random.Random(seed)
    s: State = narva.start(seed=seed, options={"fog": seed % 2 == 1})
    rules: set[str] = set()
    for _ in range(300):
        before = s.to_json()
        for _ in range(8):
            action = any_action(narva, s, chance)
            reasons = s.why_not(action)
            assert reasons or s.copy().do(action) is not None
            assert action not in s.legal() or not reasons
            assert len(reasons) <= 1, (action, reasons)
            for reason in reasons:
                rules.add(reason.rule)
                assert reason.rule in narva.rules
                assert true_of(narva, s, action, reason.rule), (action, reason)
        assert s.to_json() == before
        s.do(chance.choice(s.legal()))
        if s.over:
            break
    assert len(rules) > 25


def true_of(narva: Narva, s: State, action: Action, rule_id: str) -> bool:
    """Does the position bear out the rule that a refusal cites?"""
    mover = {"to", "by_road", "rail", "ferry"}
    unit = s.decision.about[0] if action.kind in mover and s.decision.about else -1
    node = action.args[-1] if action.args and isinstance(action.args[-1], int) else -1
    if rule_id == "6.3.1":
        return node not in narva.ground.land
    if unit < 0:
        return True
    side = narva.side_of[unit]
    if rule_id == "7.0a":
        kind = narva.kinds[unit]
        return bool(sum(narva.kinds[u] == kind for u in s.stack(node)) >= narva.limits[kind])
    if rule_id in ("6.3.3", "6.3.4"):
        return side == 0 and (rule_id == "6.3.4" or not narva.ground.open_to[narva.classes[unit][1]][node])
    if rule_id == "5.1a":
        return any(s.zone[1 - side])
    if rule_id == "6.1c":
        return bool(s.in_ezoc(s.at[unit], side) and s.in_ezoc(node, side))
    if rule_id in ("6.2.2e", "6.2.2i", "9.6.4a"):
        return bool(narva.classes[unit][0])
    return True
