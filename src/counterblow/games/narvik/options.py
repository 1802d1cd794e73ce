"""Chapter 22: optional units and tactics. Set-up of 22.1 is in setup.py, boats of 22.4 in ground.py."""

from __future__ import annotations

from counterblow.games.narvik.components import ALLIED, GERMAN
from counterblow.games.narvik.stacking import why_not_room
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.kernel.flow import ask
from counterblow.kernel.journey import NamedDestination
from counterblow.kernel.pick import Pick
from counterblow.kernel.rulebook import Citation, refuse_if
from counterblow.kernel.state import NOWHERE

# ------------------------------------------------------------------ 22.2 the 2nd Mountain Division


def relief_reaches_narvik(s: NarvikState) -> None:
    """22.2.a: its two units join the German pool, before the draw of the same event (ruling D37)."""
    if not s.options["second_division"]:
        return
    for unit in s.game.roster.coded(GERMAN, "OPT-B"):
        if s.at[unit] == NOWHERE:
            s.put(unit, s.game.ground.pool[GERMAN])
            s.log("pool", "{unit} joins the German pool", "22.2.a", unit=unit)


@flow.choice
class EnterSouth(NamedDestination[NarvikState]):
    """22.2.b: a drawn unit of the 2nd Mountain Division is placed on the south edge; without room it waits."""

    kind, returns = "enter", False

    def nodes(self, s: NarvikState, unit: int) -> list[int]:
        return [n for n in s.game.ground.south_edge if self.why_not_node(s, n, unit) is None]

    def why_not_node(self, s: NarvikState, node: int, unit: int) -> Citation | None:
        return (
            refuse_if(node not in s.game.ground.south_edge, "22.2.b", "the unit must be placed on the south edge")
            or refuse_if(s.held[ALLIED][node], "22.2.b", "an Allied unit is there")
            or why_not_room(s, (unit,), node)
        )

    def arrive(self, s: NarvikState, node: int, unit: int) -> None:
        s.tell_of(unit, "enter", "arrives in {place}", "22.2.b", place=node)
        s.enter(unit, node)


# ------------------------------------------------------------------ 22.3 British reinforcements


@flow.choice
class Purchase(Pick[NarvikState]):
    """22.3.a: from turn 2, units that are not in play yet, if the points last."""

    kind, passing = "buy", "buy_none"

    def prompt(self, s: NarvikState) -> str:
        return f"Add British units to your pool for {s.game.tables.purchase['ap']} action points each, or decline."

    def candidates(self, s: NarvikState) -> list[int]:
        table = s.game.tables.purchase
        if not s.options["british_options"] or s.turn < table["first_turn"] or s.ap[ALLIED] < table["ap"]:
            return []
        return [s.game.roster.number[name] for name in table["units"]]

    def why_not_item(self, s: NarvikState, unit: int) -> Citation | None:
        for_sale = s.game.unit_names[unit] in s.game.tables.purchase["units"]
        return (
            refuse_if(not for_sale, "22.3.a", "only Gurkha and Scissors Force wings can be bought")
            or refuse_if(s.at[unit] != NOWHERE, "22.3.a", "it has been bought")
        )  # fmt: skip

    def take(self, s: NarvikState, unit: int) -> None:
        s.gain(ALLIED, -s.game.tables.purchase["ap"])
        s.put(unit, s.game.ground.pool[ALLIED])  # 22.3.b: it still has to be drawn
        s.tell(ALLIED, "buy", "{unit} joins the Allied pool", "the Allies add a unit to their pool", "22.3.b",
               unit=unit)  # fmt: skip
        s.push(ask, Purchase)
