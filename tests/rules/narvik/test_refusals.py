"""Refusals: whatever is tried, at any time, one rule is named, and it truly forbids it."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from counterblow import Action, UnreadableAction
from tests.helpers import do, refused

ALL = {
    "second_wave": True, "second_division": True, "british_options": True, "marine_boats": True, "engineers": True,
}  # fmt: skip

IN_SET_UP = ("set_up", "put", "standard", "finish")
IN_PREPARATION = (
    "rally", "transfer", "buy", "buy_none", "formation", "formation_none", "station", "land", "enter",
)  # fmt: skip


def drawn(s: Any, chooser: random.Random) -> Action:
    """An action of any kind, more often one of the kinds at hand, about units and hexes that are not far."""
    game, decision = s.game, s.decision
    kinds = [kind for kind in game.sentences if kind != "capitulate"]
    kind = chooser.choice(sorted({a.kind for a in s.legal()}) if chooser.random() < 0.7 else kinds)
    ids = decision.about or decision.chosen
    here = s.at[ids[0]] if ids else -1
    in_play = [unit for unit, node in enumerate(s.at) if node >= 0]
    near = game.board.within(here, 3) if 0 <= here < game.ground.hexes else sorted(s.here)
    pools = {
        "unit": list(ids) if ids and chooser.random() < 0.5 else in_play,
        "hex": list(near) if chooser.random() < 0.7 else list(range(game.board.size)),
        "sub": list(range(8)),
        "formation": list(range(len(game.roster.formations))),
    }
    blanks = game.act.blanks[kind]
    action: Action = game.act[kind].made(tuple(chooser.choice(pools[b.rstrip("12")]) for b in blanks))
    return action


def last_hex(s: Any, action: Action) -> int:
    return int(action.args[-1])


def unit(s: Any, action: Action) -> int:
    return int(action.args[0])


def group(s: Any) -> tuple[int, ...]:
    found: tuple[int, ...] = s.decision.about or s.decision.chosen
    return found


def other_phase(s: Any, action: Action) -> bool:
    kind = action.kind
    return bool(s.phase != ("Set-up" if kind in IN_SET_UP else "Preparation" if kind in IN_PREPARATION else "Actions"))


def crowded(s: Any, action: Action) -> bool:
    node, roster = last_hex(s, action), s.game.roster
    units = {*s.stack(node), *(group(s) or (unit(s, action),))}
    side = roster.side[min(units)]
    return bool(sum(roster.counts[u] for u in units) > s.game.tables.stacking[side])


def mixed(s: Any, action: Action) -> bool:
    node, nation = last_hex(s, action), s.game.roster.nation
    return len({nation[u] for u in (*s.stack(node), *group(s))}) > 1


# rule -> is it true that the rule forbids the action? Written from the rulebook, not from the rules code.
TRUE = {
    "1.2.a": lambda s, a: a.kind in s.game.tables.actions or s.game.side_of[unit(s, a)] != s.decider,
    "2.1.a": lambda s, a: 0 <= s.at[unit(s, a)] < s.game.board.size,
    "3.0.b": lambda s, a: s.game.side_of[unit(s, a)] != s.decider,
    "5.1.e": lambda s, a: (
        a.kind in s.game.tables.actions
        or a.kind == "pass"
        or s.decision.kind.partition(".")[0] not in ("movement", "combat")
    ),
    "6.2.b": lambda s, a: s.ap[s.decider] < s.game.tables.actions[a.kind].ap,
    "6.3.c": lambda s, a: s.side == "german" and a.kind in ("naval", "amphibious", "landing"),
    "8.1.1.c": crowded,
    "9.0.c": crowded,
    "9.0.d": crowded,
    "9.0.e": mixed,
    "10.1.a": lambda s, a: any(s.zone[1 - s.mover]),
    "10.1.b": lambda s, a: s.zone[1 - s.mover][s.at[group(s)[0]]] > 0,
    "11.1.b": lambda s, a: not s.active >> unit(s, a) & 1,
    "12.0.e": lambda s, a: s.held[1 - s.mover][last_hex(s, a)] > 0,
    "12.2.c": lambda s, a: s.moved >> unit(s, a) & 1,
    "12.3.c": lambda s, a: any(s.game.roster.mech[u] for u in group(s)),
    "12.3.e": lambda s, a: (
        s.game.board.terrain[last_hex(s, a)] == "sea"
        or s.game.board.crosses(s.at[group(s)[0]], last_hex(s, a), "all_sea")
    ),
    "12.3.g": lambda s, a: s.game.board.terrain[last_hex(s, a)] == "sweden",
    "12.4.a": lambda s, a: s.place(s.game.unit_names[group(s)[0]]) not in ("0919", "2020"),
    "13.1.c": lambda s, a: {s.at[group(s)[0]], last_hex(s, a)} <= s.game.ground.coast,
    "13.1.f": lambda s, a: s.held[0][last_hex(s, a)] > 0,
    "14.0.c": lambda s, a: s.game.board.distance(s.at[group(s)[0]], last_hex(s, a)) > 1,
    "14.1.b": lambda s, a: a.kind != "at" or not s.held[1 - s.decider][last_hex(s, a)],
    "14.1.h": lambda s, a: s.fired >> unit(s, a) & 1,
    "14.4.a": lambda s, a: not s.game.roster.ca[unit(s, a)],
    "14.4.b": lambda s, a: (
        a.kind in ("attack", "assault") or s.game.board.distance(s.at[group(s)[0]], last_hex(s, a)) != 1
    ),
    "15.1.d": lambda s, a: s.held[1 - s.decider][last_hex(s, a)] > 0,
    "15.1.f": lambda s, a: (
        s.game.ground.step_cost(s.decider, 0, s.at[group(s)[0]], last_hex(s, a)) < 0 or s.game.roster.mech[group(s)[0]]
    ),
    "15.1.j": lambda s, a: s.game.board.labels[last_hex(s, a)] == "Swedish Transit",
    "12.0.c": lambda s, a: (
        last_hex(s, a) == s.at[group(s)[0]] or last_hex(s, a) not in s.game.board.around[s.at[group(s)[0]]]
    ),
    "15.1.k": lambda s, a: last_hex(s, a) not in s.game.board.around[s.at[group(s)[0]]],
    "16.0.d": lambda s, a: a.kind == "air" or not s.held[1 - s.decider][last_hex(s, a)],
    "18.2.b": lambda s, a: s.game.unit_names[unit(s, a)] == "Auchinleck",
    "19.1.a": lambda s, a: (
        not s.game.roster.ski[group(s)[0]]
        or not s.game.ground.rugged[s.at[group(s)[0]]]
        or not s.game.ground.rugged[last_hex(s, a)]
        or not (s.zone[1 - s.mover][s.at[group(s)[0]]] and s.zone[1 - s.mover][last_hex(s, a)])
    ),
    "20.0.e": lambda s, a: last_hex(s, a) >= s.game.ground.hexes or s.at[unit(s, a)] >= s.game.ground.hexes,
}


@pytest.mark.parametrize("seed", range(6))
def test_a_refusal_names_one_rule_that_forbids_it(narvik: Any, seed: int) -> None:
    chooser = random.Random(seed)
    tried: Counter[str] = Counter()
    while sum(tried.values()) < 1500:
        scenario, options = chooser.choice((("standard", {}), ("standard", ALL), ("free", ALL)))
        s = narvik.start(scenario, chooser.randrange(1000), options)
        while not s.over and sum(tried.values()) < 1500:
            for _ in range(3):
                tried[checked(s, drawn(s, chooser))] += 1
            s.do(chooser.choice(s.legal()))
    assert len(tried) > 60  # different rules


def checked(s: Any, action: Action) -> str:
    reasons = s.why_not(action)
    if not reasons:
        assert s.copy().do(action) is not None
        return "legal"
    (reason,) = reasons
    where = f"{action} of {s.side}, asked: {s.decision.prompt}, refused: {reason}"
    assert reason.rule in s.game.rules, where
    assert not reason.text.startswith("not now"), where
    if reason.rule == "5.0.a":
        assert other_phase(s, action) or s.decision.kind == "advance.Pursuit", where
    if reason.rule in TRUE:
        assert TRUE[reason.rule](s, action), where  # type: ignore[no-untyped-call]
    return str(reason.rule)


# position -> what is done, what is tried, the rule: drawn at random, and judged with the rulebook
@pytest.mark.parametrize(
    ("units", "done", "tried", "rule"),
    [
        ({"139-1": "1415", "SG-a": "0216"}, (), "assault KGW", "14.4.b"),  # nobody is next to an enemy
        ({"139-1": "1415", "SG-a": "0216"}, (), "fire KGW", "14.2.a"),
        ({"139-1": "1415", "SG-a": "1416"}, (), "halt", "11.0.b"),
        ({"139-1": "1415", "SG-a": "1416"}, ("movement KGW",), "infiltrate 1315", "12.0.d"),
        ({"139-1": "1415", "139-2": "1515", "SG-a": "1016"}, ("movement KGW", "move 139-1"), "move 139-2", "12.0.d"),
        ({"139-1": "1415", "SG-a": "1416"}, ("fire KGW",), "at 1416", "14.1.a"),
        ({"139-1": "1415", "SG-a": "1416"}, ("fire KGW",), "end the assaults", "14.0.d"),
        ({"139-1": "1415", "139-2": "1515", "SG-a": "1416"}, ("fire KGW", "attack with 139-1"), "attack with 139-2",
         "14.1.b"),
    ],
)  # fmt: skip
def test_what_has_to_wait(narvik: Any, units: dict[str, str], done: tuple[str, ...], tried: str, rule: str) -> None:
    s = narvik.position(phase="german.action", units=units)
    do(s, *done)
    assert refused(s, tried, because=rule)


def test_a_retreat_comes_before_all_else(narvik: Any) -> None:
    units = {"139-1": "1415", "139-2": "1415", "SG-a": "1416", "SWB-a": "0216"}
    s = narvik.position(phase="german.action", units=units, dice=(4, 3))
    do(s, "fire KGW", "attack with 139-1", "and 139-2", "at 1416")
    assert s.decision.kind == "retreat.Retreat"
    assert refused(s, "retreat SWB-a to 0215", because="14.5.c")
    assert refused(s, "retreat 139-1 to 1515", because="1.2.a")
    assert refused(s, "retreat SG-a to 1016", because="12.0.c")
    assert refused(s, "halt", because="15.1.b")
    assert refused(s, "and SWB-a", because="14.1.g")
    assert refused(s, "rail to 0919", because="15.1.k")  # it moves, but not so
    assert refused(s, "to 1417", because="14.1.g")
    assert refused(s, "decline", because="14.1.g")
    assert refused(s, "back", because="5.0.a")


def test_what_does_not_go_with_the_marines(narvik: Any) -> None:
    units = {"RM": "Harstad", "SG-a": "Harstad", "139-1": "0216", "139-2": "1415"}
    s = narvik.position(phase="allied.action", units=units, ap={"allied": 5}, dice=(6,))
    s.do("amphibious assault")
    assert refused(s, "escort RM", because="13.2.d")
    assert refused(s, "escort 139-2", because="1.2.a")
    assert refused(s, "back", because="13.2.a")
    assert refused(s, "without SG-a", because="13.2.c")
    s.do("escort SG-a")
    assert refused(s, "with everybody", because="9.0.d")
    s.do(next(str(a) for a in s.legal() if a.kind == "storm"))
    assert s.decision.kind == "advance.Pursuit"
    assert refused(s, "escort SG-a", because="13.2.d")


def test_no_way_of_ones_own_where_a_march_goes_step_by_step(narvik: Any) -> None:
    s = narvik.position(phase="german.action", units={"139-1": "1415", "SG-a": "0216"})
    with pytest.raises(UnreadableAction):
        s.do("by 1415-1416")


def reasons(s: Any, *actions: str) -> list[tuple[str, str]]:
    return [tuple(s.why_not(action)[0]) for action in actions]


ENGINEERS = ("entrench 139-1", "bridge 139-1 1416", "demolish 139-1", "demolish bridge 139-1 1416", "repair 139-1",
             "keep the bridge", "remove the bridge", "engineers KGW")  # fmt: skip


@pytest.mark.parametrize("done", [(), ("movement KGW",), ("movement KGW", "move 139-1"), ("fire KGW",)])
@pytest.mark.parametrize(
    ("option", "rule", "tried"),
    [
        ("engineers", "23.1.a", ENGINEERS),
        ("british_options", "22.3.a", ("buy 112-1", "buy nothing")),
        ("second_division", "22.2.a", ("enter 139-1 in 0127",)),
        ("fog", "21.0.a", ("recon", "look at 1415")),
    ],
)
def test_an_optional_rule_that_is_not_in_play(
    narvik: Any, done: tuple[str, ...], option: str, rule: str, tried: tuple[str, ...]
) -> None:
    units = {"139-1": "1415", "SG-a": "1416"}
    s = narvik.position(phase="german.action", units=units, options={option: False})
    do(s, *done)
    text = f"not in play in this game: {narvik.options[option].text}"
    assert reasons(s, *tried) == [(rule, text)] * len(tried)


def test_a_unit_may_halt_before_it_has_moved(narvik: Any) -> None:
    """12.0.f: it need not use its movement points; it is as if it had not been chosen."""
    s = narvik.position(phase="german.action", units={"139-1": "1415", "139-2": "1415", "SG-a": "0216"})
    do(s, "movement KGW")
    before = s.to_json()
    do(s, "move 139-1", "halt")
    assert s.to_json() == before
    do(s, "move 139-1", "and 139-2", "halt")
    assert s.to_json() == before


def test_who_is_no_part_of_a_march(narvik: Any) -> None:
    s = narvik.position(
        phase="german.action", units={"139-1": "1415", "139-2": "1415", "139-3": "1415", "SG-a": "0216"}
    )
    do(s, "movement KGW", "move 139-1", "and 139-2")
    part = ("12.2.a", "SG-a is not part of it")
    assert reasons(s, "without SG-a") == [part]
    do(s, next(str(a) for a in s.legal() if a.kind == "to"))
    assert reasons(s, "without SG-a", "back") == [part, ("12.0.d", "the stack in motion must finish first")]
    assert reasons(s, "decline") == [("12.0.d", "the unit or stack in motion must finish first")]
    do(s, "without 139-1")  # it is dropped
    assert s.decision.chosen == (narvik.unit("139-2"),)
    assert reasons(s, "without 139-2") == [("12.2.b", "the last unit of a stack halts")]


def test_what_is_embarked_is_embarked(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"SG-a": "Harstad", "SG-b": "Harstad", "139-1": "1415"})
    do(s, "amphibious BR", "embark SG-a")
    assert reasons(s, "embark SG-a", "embark SG-b", "without SG-b") == [
        ("13.1.a", "it has embarked: now it sails"),
        ("12.0.d", "first the unit in hand sails, or is taken back"),
        ("13.1.d", "units sail one by one, not as a stack"),
    ]


def test_why_an_action_would_find_nothing_to_do(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"RM": "0311", "139-1": "1415"}, ap={"allied": 9})
    assert [reason.text.partition(" (")[0] for action in ("amphibious assault", "air support", "naval support")
            for reason in s.why_not(action)] == [
        "the Royal Marines are not in Harstad", "no air strike is available", "no naval strike is available"
    ]  # fmt: skip
    s = narvik.position(phase="allied.action", units={"RM": "Harstad", "139-1": "1415"}, ap={"allied": 9})
    inland = "the enemy holds no coastal hex next to the open sea (ruling D70)"
    assert reasons(s, "amphibious assault") == [("13.2.b", inland)]


def test_only_strikes_of_the_action_strike(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"SG-a": "1416", "139-1": "0216", "Aurora": "Allied Strikes"},
                        ap={"allied": 9})  # fmt: skip
    do(s, "naval support")
    assert reasons(s, "strike with SG-a", "strike with FAA-Skua", "strike with Ju88-1") == [
        ("16.0.b", "ground units take no part in a support action"),
        ("16.0.b", "air and naval support are separate actions"),
        ("1.2.a", "the unit belongs to the enemy"),
    ]


def test_who_does_not_pursue(narvik: Any) -> None:
    units = {"139-1": "1415", "139-2": "1414", "137-1": "1315", "SG-a": "1416", "SWB-a": "0216"}
    s = narvik.position(phase="german.action", units=units, dice=(6,))
    do(s, "assault KGW", "attack with 139-1", "at 1416")
    while s.decision.kind != "advance.Pursuit":
        s.do(s.legal()[-1])
    assert reasons(s, "pursue with SWB-a to 1416", "pursue with 137-1 to 1416", "pursue with 139-2 to 1416") == [
        ("1.2.a", "the unit belongs to the enemy"),
        ("15.2.e", "137-1 belongs to KGH, but KGW is activated"),
        ("15.2.e", "it is not next to the cleared hex"),
    ]


def test_who_waits_in_a_pool_is_not_set_up(narvik: Any) -> None:
    s = narvik.start("free", 1)
    assert refused(s, "set up Ju88-2", because="3.1.c")


def test_what_must_be_decided_outside_the_actions(narvik: Any) -> None:
    s = narvik.start("free", 1)
    assert refused(s, "done", because="3.1.a")
    before = s.to_json()
    do(s, "set up 139-1", "decline")  # it is taken back
    assert s.to_json() == before


def test_after_combat_units_only_pursue(narvik: Any) -> None:
    s = narvik.position(phase="german.action", units={"139-1": "1415", "SG-a": "1416", "SWB-a": "0216"}, dice=(6,))
    do(s, "assault KGW", "attack with 139-1", "at 1416")
    while s.decision.kind != "advance.Pursuit":
        s.do(s.legal()[-1])
    assert refused(s, "to 1417", because="15.2.j")
    assert refused(s, "rail to 0919", because="15.2.j")


def test_the_enemys_units_are_not_told_to_wait(narvik: Any) -> None:
    s = narvik.position(phase="german.action", units={"139-1": "1415", "139-2": "1515", "SG-a": "1416"})
    do(s, "movement KGW", "move 139-1")
    assert refused(s, "move SG-a", because="1.2.a")
    assert refused(s, "move 139-2", because="12.0.d")
    s = narvik.position(phase="german.action", units={"139-1": "1415", "139-2": "1515", "SG-a": "1416"})
    do(s, "fire KGW", "attack with 139-1")
    assert refused(s, "attack with SG-a", because="1.2.a")


def test_a_strike_is_no_ground_unit(narvik: Any) -> None:
    """It attacks when all are placed (16.0.g); 14.0.i keeps ground units out of a support action."""
    units = {"139-6": "0919", "SG-a": "1820", "Cairo": "Allied Strikes", "Warspite": "Allied Strikes",
             "Ju87-1": "German Strikes"}  # fmt: skip
    s = narvik.position(phase="allied.action", units=units)
    s.do("naval support")
    for done in ((), ("strike with Cairo",)):
        do(s, *done)
        for tried in ("attack with", "and"):
            assert refused(s, f"{tried} Cairo", because="16.0.g")
            assert refused(s, f"{tried} Ju87-1", because="1.2.a")
            assert refused(s, f"{tried} SG-a", because="14.0.i")


def test_who_is_never_set_up_is_told_so_with_another_unit_in_hand(narvik: Any) -> None:
    s = narvik.start("free", 1)
    s.do("set up 139-1")
    assert refused(s, "set up 3HL-b", because="3.0.b")
    assert refused(s, "set up Ju88-2", because="3.1.c")
    assert refused(s, "set up 139-2", because="3.1.a")
    assert refused(s, "set up 139-1", because="3.1.a")


def test_who_is_not_activated_is_told_who_is(narvik: Any) -> None:
    units = {"139-1": "1415", "139-9": "0919", "137-1": "1315", "Dietl": "0919", "SG-a": "1416"}
    s = narvik.position(phase="german.action", units=units)
    after = narvik.position(phase="german.action", units=units)
    do(s, "movement KGW")
    assert reasons(s, "move 137-1") == [("11.1.b", "137-1 belongs to KGH, but KGW is activated")]
    do(after, "movement KGD")
    apart = "139-1 belongs to KGW, but KGD is activated, and it was not with Dietl or next to him"
    assert reasons(after, "move 139-1") == [("11.1.b", apart)]
    units = {"SG-a": "Harstad", "3HL-a": "Harstad", "139-1": "1415", "Aurora": "Allied Strikes"}
    s = narvik.position(phase="allied.action", units=units)
    do(s, "amphibious BR")
    assert reasons(s, "embark 3HL-a", "embark Aurora", "without Aurora", "with everybody") == [
        ("11.1.b", "3HL-a belongs to PL, but BR is activated"),
        ("16.0.b", "strikes need an air or naval support action"),
        ("16.0.b", "strikes need a support action"),
        ("13.1.d", "units sail one by one, not as a stack"),
    ]


def test_an_enemy_engineer_does_no_work_for_us(narvik: Any) -> None:
    units = {"139-PiW": "1415", "55RE": "0216"}
    s = narvik.position(phase="german.action", units=units, options={"engineers": True})
    do(s, "engineers KGW")
    assert refused(s, "entrench 55RE", because="1.2.a")


def test_displays_are_no_targets(narvik: Any) -> None:
    """20.0.e speaks of staging areas; 14.1.b and 16.0.d of hexes that the enemy occupies."""
    s = narvik.position(phase="allied.action", units={"SG-a": "1416", "139-1": "1415", "FAA-Skua": "Allied Strikes"})
    placing = s.copy()
    do(s, "fire BR", "attack with SG-a")
    do(placing, "air support", "strike with FAA-Skua")
    for tried, state, rule in (("at", s, "14.1.b"), ("on", placing, "16.0.d")):
        assert refused(state, f"{tried} Swedish Transit", because="20.0.e")
        assert refused(state, f"{tried} German Pool", because=rule)


def test_what_another_action_would_be_needed_for_names_the_one_under_way(narvik: Any) -> None:
    units = {"139-1": "1415", "139-2": "1415", "SG-a": "1416"}
    s = narvik.position(phase="german.action", units=units)
    moving = s.copy()
    do(s, "fire KGW", "rearrange stacks")
    do(moving, "movement KGW")
    never = "no action combines movement with combat"
    assert reasons(s, "infiltrate 1315", "drop 139-1", "drop SG-a", "end the assaults") == [
        ("6.3.b", f"{never}: Ground fire is being carried out"),
        ("6.3.b", f"{never}: Ground fire is being carried out"),
        ("1.2.a", "the unit belongs to the enemy"),
        ("14.0.d", "close assaults need a close assault action"),
    ]
    assert reasons(moving, "at 1416", "end the assaults", "with everybody", "move SG-a") == [
        ("6.3.b", f"{never}: Ground movement is being carried out"),
        ("14.0.d", "close assaults need a close assault action"),
        ("12.0.d", "one unit or stack moves at a time: first choose it"),
        ("1.2.a", "the unit belongs to the enemy"),
    ]


def test_where_the_strikes_lie_and_which_stacks_are_put_in_order(narvik: Any) -> None:
    units = {"SG-a": "1416", "SG-b": "1416", "139-1": "1415", "139-2": "0919", "FAA-Skua": "Allied Strikes",
             "FAA-Swordfish": "Allied Strikes"}  # fmt: skip
    s = narvik.position(phase="allied.action", units=units)
    firing = s.copy()
    do(s, "air support", "strike with FAA-Skua", "on 1415")
    assert reasons(s, "strike with FAA-Skua") == [("16.0.g", "the strike is already placed on 1415")]
    do(s, "strike with FAA-Swordfish", "on 0919", "resolve the strikes")
    (reason,) = s.why_not("bomb 1416")
    assert reason == ("16.0.g", "no strike was placed there, but on Narvik (0919) + 1415")
    do(firing, "fire BR", "rearrange stacks")
    assert reasons(firing, "top 139-1") == [("9.0.i", "what is put in order now is the stack in 1416")]
    only = "stacks are put in order only when the action begins"
    do(firing, next(str(a) for a in firing.legal() if a.kind == "top"), "keep the order")
    assert reasons(firing, "rearrange stacks") == [("9.0.i", f"{only}: that has been done")]


def test_who_has_begun_an_action(narvik: Any) -> None:
    s = narvik.position(phase="german.action", units={"139-1": "1415", "139-2": "1415", "SG-a": "0216"})
    do(s, "movement KGW", "move 139-2", "to 1515", "halt")
    only = "stacks are put in order only when the action begins"
    assert reasons(s, "rearrange stacks") == [("9.0.i", f"{only}: 139-2 has begun it")]


def test_which_formations_can_still_be_called(narvik: Any) -> None:
    s = narvik.start("standard", 1)
    while s.decision.kind != "reinforcements.ChooseFormation" or s.turn == 1:
        s.do(next((a for a in s.legal() if a.text == "call 13 DBLE"), s.legal()[0]))
    left = " + ".join(str(a).removeprefix("call ") for a in s.legal())
    assert "13 DBLE" not in left.split(" + ")[:3]
    text = f"this formation has already arrived; {left} can still be called"
    assert reasons(s, "call 13 DBLE") == [("8.2.2.c", text)]


def test_how_far_a_german_start_is(narvik: Any) -> None:
    s = narvik.start("free", 1)
    s.do("set up 139-1")
    assert reasons(s, "put in 1602", "put in German Pool") == [
        ("3.1.a", "German units start within 15 hexes of Bjornfjell: it is 20 away"),
        ("3.1.a", "German units start on the map"),
    ]


def test_an_elite_unit_retreats_one_hex(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"139-1": "1415", "SG-a": "1416", "SG-b": "1416"}, dice=(2,))
    do(s, "fire BR", "attack with SG-a", "and SG-b", "at 1415")
    assert s.decision.kind == "retreat.Retreat"
    assert refused(s, "retreat 139-1 to 1213", because="15.1.a")


def test_nobody_else_is_there_to_go_along(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"RM": "Harstad", "139-1": "0216"}, ap={"allied": 5})
    s.do("amphibious assault")
    assert reasons(s, "with everybody") == [("13.2.f", "no other British unit is in Harstad (ruling D55)")]
    s = narvik.position(phase="allied.action", units={"SG-a": "Harstad", "SG-b": "Harstad", "139-1": "1415"})
    do(s, "movement BR", "move SG-a")
    assert reasons(s, "and SG-b") == [("12.2.a", "units leave a staging area one at a time (ruling D78)")]


def test_who_joins_an_attack(narvik: Any) -> None:
    s = narvik.position(phase="german.action", units={"139-1": "1415", "139-4": "1415", "SG-a": "1417"})
    do(s, "fire KGW", "attack with 139-4")
    assert reasons(s, "and 139-4", "and 139-1") == [
        ("14.1.a", "the unit is already in the group"),
        ("14.2.a", "no enemy hex is in range with a line of fire"),
    ]


def test_a_stack_of_tanks_and_men_goes_hex_by_hex(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"3KOH": "0216", "SG-a": "0216", "139-1": "1415"})
    do(s, "movement BR", "move 3KOH", "and SG-a")
    assert reasons(s, "to 0416") == [("12.2.e", "a stack of two mobility classes goes hex by hex (ruling D79)")]


def test_one_strike_of_two_and_a_strike_alone(narvik: Any) -> None:
    units = {"Ju88-1": "German Strikes", "Ju88-2": "German Strikes", "He111-1": "German Strikes", "139-1": "1415",
             "SG-a": "1416", "SG-b": "0216"}  # fmt: skip
    s = narvik.position(phase="german.action", units=units, options={"fog": False})
    do(s, "air support", "strike with Ju88-1", "on 1416", "strike with Ju88-2", "on 1416", "strike with He111-1",
       "on 0216", "resolve the strikes")  # fmt: skip
    assert reasons(s, "bomb 0216 with He111-1", "bomb 0216 with Ju88-1") == [
        ("16.0.g", "it is the only strike there: resolve the hex"),
        ("16.0.g", "that strike was not placed there"),
    ]
    both, one = (dict(s.forecast(action).facts) for action in ("bomb 1416", "bomb 1416 with Ju88-1"))
    fire = narvik.roster.fire
    assert int(one["fire factors"]) == fire[narvik.unit("Ju88-1")]
    assert int(both["fire factors"]) == fire[narvik.unit("Ju88-1")] + fire[narvik.unit("Ju88-2")]


def test_no_ferry_goes_to_a_terminal_of_the_enemys(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"55RE": "0216", "SG-a": "0216", "139-1": "1415"},
                        control={"0919": "german"})  # fmt: skip
    do(s, "movement BR", "move 55RE")
    assert refused(s, "ferry to 0919", because="12.5.a")


def test_general_dietl_is_an_enemy_unit_like_any_other(narvik: Any) -> None:
    units = {"Dietl": "1820", "139-1": "1820", "SG-a": "0216"}
    s = narvik.position(phase="allied.action", units=units, options={"fog": False})
    for words in ("move {}", "attack with {}", "embark {}", "retreat {} to 1720"):
        dietl, other = (s.why_not(words.format(unit)) for unit in ("Dietl", "139-1"))
        assert dietl == other
    do(s, "movement BR")
    assert s.why_not("attack with Dietl") == s.why_not("attack with 139-1")
