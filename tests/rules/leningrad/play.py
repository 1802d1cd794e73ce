"""Short words for examples of play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from counterblow import Event
from counterblow.games.leningrad.game import Leningrad
from counterblow.games.leningrad.state import LeningradState
from tests.helpers import asked

Game = Leningrad
State = LeningradState


def march(s: State, unit: str, there: str) -> list[Event]:
    s.do(f"march {unit}")
    return s.do(f"to {there}")


def assault(s: State, target: str, *units: str, also: Sequence[str] = ()) -> None:
    """Allocate one attack."""
    s.do(f"attack {target}")
    s.do(f"with {units[0]}")
    for node in also:
        s.do(f"also {node}")
    for unit in units[1:]:
        s.do(f"with {unit}")
    s.do("commit")


def fight(s: State, target: str, *units: str, also: Sequence[str] = (), order: str = "allow retreats") -> list[Event]:
    """Allocate one attack and fight it at once, with the orders that are asked for."""
    assault(s, target, *units, also=also)
    s.do("end attacks")
    if asked(s) == "results.RussianOrder":
        s.do(order)
    events = s.do(f"fight {target}")
    if asked(s) == "results.GermanOrder":
        events = s.do(order)
    return events


def until(s: State, phase: str) -> State:
    """Pass everything until a phase begins to ask."""
    ends = ("end ", "consolidate", "allow retreats", "no interception", "hold fire", "stay ", "give up")
    while s.phase != phase:
        s.do(next(a for a in s.legal() if str(a).startswith(ends)))
    return s


def has(s: State, what: str, unit: str) -> bool:
    """Is a unit in one of the state's sets (disrupted, entrenched, lost, ...)?"""
    return bool(getattr(s, what) >> s.game.unit(unit) & 1)


def disrupted(s: State, unit: str) -> bool:
    return has(s, "disrupted", unit)


def facts(s: State, action: str) -> dict[str, str]:
    forecast = s.forecast(action)
    assert forecast is not None
    return dict(forecast.facts)


def shifts(s: State, action: str) -> dict[str, int]:
    """Every modifier of a forecast by rule, added up."""
    forecast = s.forecast(action)
    assert forecast is not None
    found: dict[str, int] = {}
    for modifier in forecast.modifiers:
        found[modifier.rule] = found.get(modifier.rule, 0) + int(modifier.amount)
    return found


def worth(game: Game, side: int, total: int, leave_out: Sequence[str] = ()) -> list[str]:
    """Units of a side whose printed factors add up to a total."""
    counters = game.counters
    pool = [
        (counters.factor[u], counters.names[u])
        for u in range(len(counters.names))
        if counters.side[u] == side and counters.factor[u] and counters.names[u] not in leave_out
    ]

    def pick(rest: int, start: int) -> list[str] | None:
        if rest == 0:
            return []
        for index in range(start, len(pool)):
            factor, name = pool[index]
            if factor <= rest:
                more = pick(rest - factor, index + 1)
                if more is not None:
                    return [name, *more]
        return None

    found = pick(total, 0)
    assert found is not None
    return found


def duel(game: Game, attack: int, defence: int, die: int = 1, index: str = "A", **marks: Any) -> State:
    """Germans in 0918 against infantry in 1018, allocated and ready to fight; marks are those of the defenders."""
    attackers = worth(game, 0, attack)
    defenders = worth(game, 1, defence, leave_out=("21. Tank Division", "RBBF Marines"))
    units: dict[str, Any] = dict.fromkeys(attackers, "0918")
    units |= {name: {"at": "1018", **marks} for name in defenders}
    s: State = game.position(phase="german.allocation", units=units, dice=(die,), options={"die_index": index})
    assault(s, "1018", *attackers)
    s.do("end attacks")
    s.do("allow retreats")
    return s


def rolled(events: Iterable[Event]) -> tuple[str, str]:
    """(column, result) of the battle in a log."""
    battle = next(event for event in events if event.kind == "battle")
    return battle.values["column"], battle.values["result"]
