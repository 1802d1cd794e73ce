"""How many clicks a turn takes. A drag counts as one; what plays itself counts as none.

A turn is planned without a screen, then played with the mouse: a unit is dragged to its hex, an enemy is clicked to
attack it with everybody who can, everything else is a button.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

import counterblow
from counterblow.kernel.record import Match
from counterblow.kernel.state import State
from tests.browser.battles import offered
from tests.browser.table import Table


class Turn(NamedTuple):
    """What is to be played, and how few clicks it may take."""

    slug: str
    begins: Callable[[State], bool]  # the player's turn (or action) begins
    ends: Callable[[State], bool]
    moves: int
    battles: int
    most: int
    unit: tuple[str, ...]  # openings of the actions that choose a unit to move
    attack: tuple[str, ...]  # of those that attack a hex
    commit: tuple[str, ...]  # of those that throw the dice
    first: tuple[str, ...] = ()  # of those that are taken before anything else
    one_after: str = ""  # only one unit moves after an action that begins so


class Step(NamedTuple):
    text: str
    side: str
    unit: str | None
    hex: str | None


TURNS = [
    Turn(
        "leningrad",
        lambda s: s.side == "german" and bool(offered(s, "march ")),
        lambda s: s.side == "russian" and bool(offered(s, "march ")),
        6, 2, 22, ("march ",), ("attack ",), ("fight ",), ("order retreat 0", "allow", "stay ", "consolidate"),
    ),
    Turn(
        "narva",
        lambda s: s.side == "soviet" and bool(offered(s, "activate ")),
        lambda s: s.side != "soviet" or bool(offered(s, "activate ")),
        2, 1, 12, ("move ",), ("attack ",), ("resolve ",), ("activate ", "no more units", "stop", "halt"),
    ),
    Turn(
        "narvik",
        lambda s: bool(offered(s, "movement ")),
        lambda s: bool(offered(s, "movement ")) and len(offered(s, "pass")) > 0,
        4, 0, 16, ("move ",), (), (), ("halt", "movement "), "movement ",
    ),
    Turn(
        "noretreat",
        lambda s: s.side == "axis" and bool(offered(s, "move ")),
        lambda s: s.side == "soviet" and bool(offered(s, "move ") or offered(s, "entrain ")),
        3, 3, 28, ("move ",), ("target ", "attack 0", "attack 1"), ("fight",), ("halt ",),
    ),
]  # fmt: skip


def planned(turn: Turn) -> tuple[Match, list[Step]]:
    """A turn with so many moves and battles, found by trying."""
    game = counterblow.load(turn.slug)
    for seed in range(600):
        match, chance = Match(game, seed=7), random.Random(seed)
        while not turn.begins(match.state):
            match.do(chance.choice(match.state.legal()))
        steps = tried(turn, match.state.copy(), chance)
        if steps is not None:
            return match, steps
    raise LookupError(f"{turn.slug}: no such turn")


def tried(turn: Turn, state: State, chance: random.Random) -> list[Step] | None:
    """One way to play the turn, or None if it has other moves and battles than wanted."""
    steps: list[Step] = []
    me = state.side
    moves, battles, began = 0, 0, state.turn
    for _ in range(70):
        if state.over:
            return None
        if len(steps) > 3 and turn.ends(state) and (moves, battles) == (turn.moves, turn.battles):
            return steps
        if state.turn != began:
            return None
        moved = bool(steps) and steps[-1].hex is not None
        moving = moves < turn.moves and (not steps or steps[-1].text.startswith(turn.one_after))
        text = chosen(turn, state, chance, me, moving, battles < turn.battles, moved)
        action = state.parse(text)
        names = state.game.act.blanks[action.kind]
        unit = hex_ = None
        for blank, value in zip(names, action.args, strict=True):
            if blank == "unit":
                unit = state.game.unit_names[value]
            elif blank == "hex":
                hex_ = state.game.board.labels[value]
        steps.append(Step(text, str(state.side), unit, hex_))
        battles += text.startswith(turn.commit) if turn.commit else 0
        moves += hex_ is not None and len(steps) > 1 and steps[-2].text.startswith(turn.unit)
        state.do(action)
    return None


def chosen(
    turn: Turn, state: State, chance: random.Random, me: str | None, moving: bool, fighting: bool, moved: bool
) -> str:
    legal = [str(action) for action in state.legal()]
    decision = state.decision
    assert decision is not None
    if state.side != me:
        return decision.passes.text if decision.passes else legal[0]
    if decision.everybody is not None and turn.attack:
        return decision.everybody.text
    for opening in turn.first:
        found = [text for text in legal if text.startswith(opening)]
        if found and (moved or not opening.startswith(("halt", "stop"))):
            return found[0]
    commits = [text for text in legal if turn.commit and text.startswith(turn.commit)] + [
        t for t in legal if t == "commit"
    ]
    joiners = [text for text in legal if text.startswith(("with ", "add ", "attack with "))]
    if decision.chosen or commits:
        if joiners:
            return joiners[0]
        if commits:
            return commits[0]
    attacks = [text for text in legal if turn.attack and text.startswith(turn.attack)]
    if attacks and fighting:
        return next((text for text in attacks if leaves_another(state, text)), chance.choice(attacks))
    units = [text for text in legal if text.startswith(turn.unit) and not text[-4:].isdigit()]
    if units and moving:
        return chance.choice(units)
    goals = [str(a) for a in state.legal() if "hex" in state.game.act.blanks[a.kind]]
    goals = [text for text in goals if not text.startswith("advance")]
    if goals and not attacks:
        return chance.choice(goals)
    if decision.passes is not None:
        return decision.passes.text
    return legal[0] if joiners == [] else joiners[0]


def leaves_another(state: State, attack: str) -> bool:
    """Could another hex be attacked after this one, everybody joining?"""
    state = state.copy()
    state.do(attack)
    while joiners := offered(state, "with "):
        state.do(joiners[0])
    if not offered(state, "commit"):
        return False
    state.do("commit")
    return bool(offered(state, "attack "))


@pytest.mark.parametrize("turn", TURNS, ids=[turn.slug for turn in TURNS])
def test_clicks(table: Table, turn: Turn) -> None:
    match, steps = planned(turn)
    table.page.goto("/")
    table.page.evaluate("localStorage.setItem('counterblow.settings', JSON.stringify({handOver: 'never'}))")
    table.sit_down(match)
    table.page.get_by_role("button", name="Fit the map").click()
    clicks = drags = fought = at = 0
    me = match.state.side
    while (found := next_step(table, steps, at)) is not None:
        at = found
        step, then = steps[at], steps[at + 1] if at + 1 < len(steps) else None
        if step.side == me:
            clicks += 1
        if step.unit and step.hex is None and then and then.hex and step.text.startswith(turn.unit) and step.side == me:
            drag(table, turn.slug, step.unit, then.hex)
            drags += 1
            at += 2
        elif step.hex and turn.attack and step.text.startswith(turn.attack) and step.side == me:
            click_enemy(table, step.hex)
            at += 1
        else:
            table.choose(step.text)
            fought += step.side == me and step.text.startswith(turn.commit or ("\0",))
            at += 1
    assert (drags, fought) == (turn.moves, turn.battles)  # all that was planned has been played
    print(turn.slug, clicks, "clicks")
    assert clicks <= turn.most


def next_step(table: Table, steps: list[Step], at: int) -> int | None:
    """The first of the next steps that can be taken now: those before it played themselves or joined with the rest."""
    for _ in range(20):
        expect(table.root).to_have_attribute("data-busy", "false")
        seat, choices = table.root.get_attribute("data-seat"), table.choices()
        for number in range(at, min(at + 8, len(steps))):
            if steps[number].side == seat and steps[number].text in choices:
                return number
        if at >= len(steps):
            return None
        table.page.wait_for_timeout(150)
    return None


def click_enemy(table: Table, label: str) -> None:
    seq = table.seq
    table.page.locator(f'[data-at="{label}"]').last.click(force=True)
    table.after(seq)


def drag(table: Table, slug: str, unit: str, label: str) -> None:
    """Drag a counter to a hex; a stack opens under the pointer without a click."""
    mouse = table.page.mouse
    seq = table.seq
    box = table.point_at(unit).bounding_box()
    assert box is not None
    x, y = centre(table, slug, label)
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.down()
    mouse.move((x + box["x"]) / 2, (y + box["y"]) / 2, steps=3)
    mouse.move(x, y, steps=3)
    mouse.up()
    table.after(seq)
    table.page.locator(f'[data-unit="{unit}"][data-at="{label}"]').wait_for(state="attached")


def centre(table: Table, slug: str, label: str) -> tuple[float, float]:
    """Where the middle of a hex is on the screen, worked out from the map's own description."""
    found: list[float] = table.page.evaluate(
        """async ([slug, label]) => {
          const game = await (await fetch(`/api/games/${slug}`)).json();
          const hex = game.map.hexes.find((one) => one.label === label);
          const box = document.querySelector(".sheet > svg").getBoundingClientRect();
          return [box.x + hex.x * box.width / game.map.width, box.y + hex.y * box.height / game.map.height];
        }""",
        [slug, label],
    )
    return found[0], found[1]
