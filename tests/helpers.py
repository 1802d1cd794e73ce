"""The words of every test of play: ``do``, ``refused``, ``log``, ``at`` mean one thing everywhere."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from counterblow import Action, Event
from counterblow.kernel.state import State


def rule(*ids: str) -> pytest.MarkDecorator:
    """Marks a test with the ids of the rules that it proves."""
    return pytest.mark.rule(*ids)


def do(s: State, *actions: Action | str) -> list[Event]:
    """Do actions one after another; everything that happened."""
    return [event for action in actions for event in s.do(action)]


def refused(s: State, action: Action | str, because: str) -> bool:
    """Is the action refused, does the refusal cite this rule, and is the position untouched?"""
    before = s.to_json()
    return s.refuses(action, because=because) and s.to_json() == before


def log(events: Iterable[Event]) -> list[str]:
    """What happened, as both sides read it."""
    return [str(event) for event in events]


def cited(events: Iterable[Event]) -> set[str]:
    """The rules that the log of some actions cites."""
    return {rule_id for event in events for rule_id in event.rules}


def at(s: State, unit: str) -> str | None:
    """Where a unit is: a hex, an area, a box, or nowhere."""
    return s.place(unit)


def legal(s: State) -> list[str]:
    """What can be done now."""
    return [str(action) for action in s.legal()]


def asked(s: State) -> str:
    """What is decided now: the kind of the decision."""
    assert s.decision is not None
    return s.decision.kind
