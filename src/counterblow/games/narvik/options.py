"""Chapter 22: optional units and tactics. Set-up of 22.1 is in setup.py, boats of 22.4 in ground.py."""

from __future__ import annotations

from typing import Any

from counterblow.games.narvik.components import ALLIED, GERMAN
from counterblow.games.narvik.flow import NarvikChoice, arg, flow
from counterblow.games.narvik.stacking import no_room, with_room
from counterblow.games.narvik.state import NarvikState
from counterblow.kernel.actions import Action
from counterblow.kernel.rulebook import Citation, refuse
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


def south_edge(s: NarvikState, unit: int) -> list[int]:
    """22.2.b: south-edge hexes without Allied units, as far as stacking allows."""
    return with_room(s, (unit,), [n for n in s.game.ground.south_edge if not s.held[ALLIED][n]])


@flow.choice
class EnterSouth(NarvikChoice):
    """A drawn unit of the 2nd Mountain Division is placed on the south edge."""

    name = "south"
    rules = ("22.2.b",)

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return f"Place {s.game.unit_names[args[1]]} on the south edge."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act["enter"]
        return [act[args[1], node] for node in south_edge(s, args[1])]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        s.pop()
        unit, node = arg(action), arg(action, 1)
        s.enter(unit, node)
        s.tell(GERMAN, "enter", "{unit} arrives in {hex}", "a German unit arrives in {hex}", "22.2.b",
               unit=unit, hex=node)  # fmt: skip

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind != "enter":
            return []
        unit, node = arg(action), arg(action, 1)
        if unit != args[1] or node not in s.game.ground.south_edge:
            return [refuse("22.2.b", "the unit must be placed on the south edge")]
        if s.held[ALLIED][node]:
            return [refuse("22.2.b", "an Allied unit is there")]
        return [reason] if (reason := no_room(s, (unit,), node)) else []


# ------------------------------------------------------------------ 22.3 British reinforcements


def purchasable(s: NarvikState) -> list[int]:
    """22.3.a: from turn 2, units that are not in play yet, if the points last."""
    table = s.game.tables.purchase
    if not s.options["british_options"] or s.turn < table["first_turn"] or s.ap[ALLIED] < table["ap"]:
        return []
    return [u for name in table["units"] if s.at[u := s.game.roster.number[name]] == NOWHERE]


@flow.step("purchase")
def offer_purchase(s: NarvikState) -> None:
    if purchasable(s):
        s.push("buy", ALLIED)


@flow.choice
class Purchase(NarvikChoice):
    name = "buy"
    rules = ("22.3.a",)

    def prompt(self, s: NarvikState, *args: Any) -> str:
        return f"Add British units to your pool for {s.game.tables.purchase['ap']} action points each, or decline."

    def legal(self, s: NarvikState, *args: Any) -> list[Action]:
        act = s.game.act["buy"]
        return [s.game.act["buy_none"][()], *[act[u] for u in purchasable(s)]]

    def do(self, s: NarvikState, action: Action, *args: Any) -> None:
        s.pop()
        if action[0] == "buy_none":
            return
        unit = arg(action)
        s.gain(ALLIED, -s.game.tables.purchase["ap"])
        s.put(unit, s.game.ground.pool[ALLIED])  # 22.3.b: it still has to be drawn
        s.tell(ALLIED, "buy", "{unit} joins the Allied pool", "the Allies add a unit to their pool", "22.3.b",
               unit=unit)  # fmt: skip
        s.push("purchase")

    def why_not(self, s: NarvikState, action: Action, *args: Any) -> list[Citation]:
        if action.kind != "buy":
            return []
        return [refuse("22.3.a", "only a Gurkha or Scissors Force wing that is not in play can be bought")]
