"""Section 11.3: the Prepared Defenses and their track."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from counterblow.games.narva.components import GERMAN
from counterblow.games.narva.state import NarvaState, flow, with_entry
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse

DIVISIONS = ("Nordland", "Nederland")


def division_at(s: NarvaState, node: int, side: int) -> int:
    """The division whose defences help a side's units in a hex, or -1: they help Germans only (11.3.2b, ruling 51)."""
    return s.game.ground.pd[node] if side == GERMAN else -1


def absorb(s: NarvaState, node: int, side: int, amount: int) -> int:
    """11.3.4: push the marker down, a box per loss or retreat hex, and tell what is left for a side's units there."""
    division = division_at(s, node, side)
    taken = min(amount, len(s.game.pd_boxes) - 1 - s.pd[division]) if division >= 0 else 0
    if taken:
        s.pd = with_entry(s.pd, division, s.pd[division] + taken)
        s.log("defences", "The {word} defences are worn down to box {n}", "11.3.4a",
              word=DIVISIONS[division], n=s.pd[division])  # fmt: skip
    return amount - taken


def improve(s: NarvaState, division: int, boxes: int, rule: str) -> None:
    """11.2.4, 11.3.5: the marker goes up, never above its first box (ruling 52)."""
    s.pd = with_entry(s.pd, division, max(0, s.pd[division] - boxes))
    s.log("defences", "The {word} defences are improved", rule, word=DIVISIONS[division])


class RaiseMarker(Pick[NarvaState]):
    """A marker goes up."""

    kind = "raise"
    rules = ("11.3.5",)

    def candidates(self, s: NarvaState, *args: Any) -> Sequence[int]:
        return range(len(DIVISIONS))

    def why_not_item(self, s: NarvaState, division: int, *args: Any) -> Citation | None:
        return None if s.pd[division] else refuse(self.rules[0], "that marker stands in its first box")


@flow.choice
class Repair(RaiseMarker):
    """11.3.5: at the end of a turn one marker goes up a box."""

    passing = "decline"

    def take(self, s: NarvaState, division: int) -> None:
        improve(s, division, s.game.pd_repair, "11.3.5")
