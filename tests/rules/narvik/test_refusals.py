"""Refusals: whatever is tried, at any time, one rule is named, and it truly forbids it."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from counterblow import Action
from counterblow.games.narvik.actions import IN_PREPARATION, IN_SET_UP

ALL = {
    "second_wave": True, "second_division": True, "british_options": True, "marine_boats": True, "engineers": True,
}  # fmt: skip


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
    "5.1.e": lambda s, a: a.kind in s.game.tables.actions or a.kind == "pass",
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
    "14.1.b": lambda s, a: a.kind == "and" or not s.held[1 - s.decider][last_hex(s, a)],
    "14.1.h": lambda s, a: s.fired >> unit(s, a) & 1,
    "14.4.a": lambda s, a: not s.game.roster.ca[unit(s, a)],
    "14.4.b": lambda s, a: a.kind == "attack" or s.game.board.distance(s.at[group(s)[0]], last_hex(s, a)) != 1,
    "15.1.d": lambda s, a: s.held[1 - s.decider][last_hex(s, a)] > 0,
    "15.1.f": lambda s, a: (
        s.game.ground.step_cost(s.decider, 0, s.at[group(s)[0]], last_hex(s, a)) < 0 or s.game.roster.mech[group(s)[0]]
    ),
    "15.1.j": lambda s, a: s.game.board.labels[last_hex(s, a)] == "Swedish Transit",
    "15.1.k": lambda s, a: last_hex(s, a) not in s.game.board.around[s.at[group(s)[0]]],
    "16.0.d": lambda s, a: not s.held[1 - s.decider][last_hex(s, a)],
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
    assert tried["not now"] < 0.06 * sum(tried.values())


def checked(s: Any, action: Action) -> str:
    reasons = s.why_not(action)
    if not reasons:
        assert action in s.legal()
        return "legal"
    (reason,) = reasons
    where = f"{action} of {s.side}, asked: {s.decision.prompt}, refused: {reason}"
    assert reason.rule in s.game.rules, where
    if reason.text.startswith("not now"):
        assert not other_phase(s, action), where
        return "not now"
    if reason.rule == "5.0.a":
        assert other_phase(s, action), where
    if reason.rule in TRUE:
        assert TRUE[reason.rule](s, action), where  # type: ignore[no-untyped-call]
    return str(reason.rule)
