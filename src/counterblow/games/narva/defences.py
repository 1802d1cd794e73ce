"""Section 11.3: the Prepared Defenses and their track."""

from __future__ import annotations

from counterblow.games.narva.components import GERMAN
from counterblow.games.narva.state import NarvaChoice, NarvaState, flow, named
from counterblow.kernel.actions import Action
from counterblow.kernel.rulebook import Citation, refuse

DIVISIONS = ("Nordland", "Nederland")


def value(s: NarvaState, division: int) -> int:
    """11.3.2: the number in the box of a division's marker."""
    return s.game.pd_boxes[s.pd[division]]


def division_at(s: NarvaState, node: int, side: int) -> int:
    """The division whose defences help a side's units in a hex, or -1: they help Germans only (ruling 51)."""
    return s.game.ground.pd[node] if side == GERMAN else -1


def absorb(s: NarvaState, division: int, amount: int) -> int:
    """11.3.4: push the marker down, a box per loss or retreat hex, and tell what is left for the units."""
    boxes = list(s.pd)
    taken = min(amount, len(s.game.pd_boxes) - 1 - boxes[division])
    if taken:
        boxes[division] += taken
        s.pd = (boxes[0], boxes[1])
        s.log("defences", "The {word} defences are worn down to box {n}", "11.3.4a",
              word=DIVISIONS[division], n=boxes[division])  # fmt: skip
    return amount - taken


def improve(s: NarvaState, division: int, boxes: int, rule: str) -> None:
    """11.2.4, 11.3.5: the marker goes up, never above its first box (ruling 52)."""
    marks = list(s.pd)
    marks[division] = max(0, marks[division] - boxes)
    s.pd = (marks[0], marks[1])
    s.log("defences", "The {word} defences are improved", rule, word=DIVISIONS[division])


def worn(s: NarvaState) -> list[int]:
    return [division for division in (0, 1) if s.pd[division] > 0]


@flow.step("defences.repair")
def repair(s: NarvaState) -> None:
    if worn(s):
        s.push("defences.raise")


@flow.choice
class Raise(NarvaChoice):
    """11.3.5: at the end of a turn one marker goes up a box."""

    name = "defences.raise"
    rules = ("11.3.5",)

    def side(self, s: NarvaState) -> int:
        return GERMAN

    def prompt(self, s: NarvaState) -> str:
        return "Raise one Prepared Defense marker by a box?"

    def legal(self, s: NarvaState) -> list[Action]:
        return [s.game.act["raise"][division] for division in worn(s)] + [s.game.act["decline"][()]]

    def do(self, s: NarvaState, action: Action) -> None:
        s.pop()
        if action.kind == "raise":
            division = named(action)
            improve(s, division, s.game.pd_repair, "11.3.5")

    def why_not(self, s: NarvaState, action: Action) -> list[Citation]:
        return [refuse("11.3.5", "that marker stands in its first box")] if action.kind == "raise" else []
