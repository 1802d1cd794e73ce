"""Short words for the tests of No Retreat!"""

from __future__ import annotations

from typing import Any

from counterblow import Event, Forecast
from tests.helpers import asked, do, legal, log


def offers(s: Any, text: str) -> bool:
    return text in legal(s)


def starting(s: Any, opening: str) -> list[str]:
    """The legal actions that begin with these words, without the words."""
    return [t[len(opening) :].strip() for t in legal(s) if t.startswith(opening + " ")]


def skip_to(s: Any, kind: str) -> None:
    """Pass, halt and end steps until a kind of decision comes up."""
    for _ in range(60):
        if s.over or asked(s) == kind:
            return
        quiet = [t for t in legal(s) if t in ("done", "pass", "decline to counterattack") or t.startswith("halt ")]
        s.do(quiet[0] if quiet else legal(s)[0])
    raise AssertionError(f"{kind} never came up: {s.decision}")


def plan(s: Any, target: str, *units: str) -> None:
    """Declare one target, let the other side pass, and choose the attackers."""
    if asked(s) == "combat.DeclareTargets":
        do(s, f"target {target}")
        if asked(s) == "combat.DeclareTargets":
            do(s, "done")
    skip_to(s, "combat.ChooseBattle")
    do(s, f"attack {target}", *(f"attack with {unit}" for unit in units))


def fight(s: Any, target: str, *units: str) -> list[Event]:
    """Attack a hex with units; no support and no cards."""
    plan(s, target, *units)
    events = do(s, "fight")
    while asked(s) in ("combat.CommitSupport", "combat.BattleEvent"):
        events += do(s, "pass")
    return events


def outlook(s: Any, target: str, *units: str) -> Forecast:
    """The forecast of an attack."""
    plan(s, target, *units)
    found: Forecast = s.forecast("fight")
    return found


def fact(forecast: Forecast, name: str) -> str:
    return dict(forecast.facts)[name]


def shifts(forecast: Forecast) -> dict[str, int]:
    """The shifts of a forecast by rule."""
    return {modifier.rule: int(modifier.amount) for modifier in forecast.modifiers}


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]


def told(events: list[Event]) -> str:
    return "\n".join(log(events))


def face(s: Any, unit: str) -> str:
    number = s.game.unit(unit)
    name: str = s.game.counters[number].faces[s.face[number]].name
    return name


def marked(s: Any, unit: str, marker: str) -> bool:
    view = s.game.views.counter(s, s.game.unit(unit))
    return marker in view["markers"]


def hand(s: Any, side: str) -> list[str]:
    return [card["title"] for card in s.view(side)["hands"][side]["cards"]]


def score(s: Any) -> int:
    """The square VP marker."""
    value: int = next(t["value"] for t in s.view(None)["tracks"] if t["id"] == "vp")
    return value


def combat(game: Any, units: dict[str, Any], side: str = "axis", turn: int = 7, **more: Any) -> Any:
    """A Combat Phase, in Clear weather unless said otherwise, the sides without cards."""
    more.setdefault("weather", "Clear")
    return game.position(turn=turn, phase=f"{side}.combat", units=units, **more)


def moving(game: Any, units: dict[str, Any], side: str = "axis", turn: int = 7, **more: Any) -> Any:
    """A Movement Phase in Clear weather."""
    more.setdefault("weather", "Clear")
    return game.position(turn=turn, phase=f"{side}.movement", units=units, **more)


def organizing(game: Any, units: dict[str, Any], side: str = "axis", turn: int = 7, **more: Any) -> Any:
    """An Organization Phase, in its Flip Step."""
    return game.position(turn=turn, phase=f"{side}.organization", units=units, **more)


def go(s: Any, unit: str, where: str) -> list[Event]:
    """Move a unit."""
    return do(s, f"move {unit}", f"move {unit} {where}")


def reach(s: Any, unit: str) -> list[str]:
    """Where a unit could move now."""
    other = s.copy()
    other.do(f"move {unit}")
    return starting(other, f"move {unit}")


def pay(s: Any) -> int:
    """Pay with the first cards in the hand; how many it took."""
    paid = 0
    while asked(s) == "cards.Pay":
        s.do(s.legal()[0])
        paid += 1
    return paid
