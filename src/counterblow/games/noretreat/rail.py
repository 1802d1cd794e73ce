"""Chapter 9: rail movement, and the Soviet Strategic Reserve (14.12)."""

from __future__ import annotations

from counterblow.games.noretreat import options
from counterblow.games.noretreat.cards import charge, hand_count
from counterblow.games.noretreat.components import AXIS, SOVIET
from counterblow.games.noretreat.special import pass_through, room
from counterblow.games.noretreat.state import NOWHERE, NoRetreatState, flow, number
from counterblow.games.noretreat.supply import city_traces, friendly_cities, supplied, supply_net
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Choice
from counterblow.kernel.masks import bits
from counterblow.kernel.rulebook import Citation, refuse

# ---------------------------------------------------------------------- 9.1 entraining


def free_entrainments(s: NoRetreatState) -> int:
    """9.1.a; none for the Axis on turns 1 and 2 (9.1.3)."""
    limited = "limited_rail" in s.game.in_force(s.turn)
    return 0 if limited and s.player == AXIS else s.game.free_rail


def may_entrain(s: NoRetreatState, unit: int) -> Citation | None:
    """9.1: a supplied mobile unit that has not moved, while the box has room and a train is free or paid for."""
    if len(s.stack(s.game.boxes[s.player]["Rail"])) >= s.game.rail_capacity:
        return refuse("9.1.2", "the Rail Movement Box holds three units")
    if not s.game.move[s.face[unit]][unit]:
        return refuse("9.0", "fort units do not entrain")
    if s.sea_lift and s.game.charts.baltic[s.at[unit]]:
        return None
    if s.unsupplied(unit):
        return refuse("6.5.2.b", "an Unsupplied unit cannot entrain")
    if s.at[unit] >= s.game.board.hexes:
        return refuse("9.1.a", "there is no rail line from an area")
    if s.rail:
        return None
    if "limited_rail" in s.game.in_force(s.turn):
        return refuse("9.1.3", "rail moves are limited on turns 1 and 2")
    if not hand_count(s, s.player):
        return refuse("9.1.1", "a further entrainment costs one card")
    return None


def entrain(s: NoRetreatState, unit: int) -> None:
    """9.1.a, 9.1.1: instead of any other movement."""
    s.log("entrain", "{unit} entrains in {hex}", "9.1.a", unit=unit, hex=s.at[unit])
    by_sea = s.sea_lift > 0 and s.game.charts.baltic[s.at[unit]]
    s.to_box(unit, "Rail")
    if by_sea:
        s.sea_lift -= 1
    elif s.rail:
        s.rail -= 1
    else:
        charge(s, s.player, s.game.price["extra_entrainment"], "9.1.1")


# ---------------------------------------------------------------------- 14.12 Strategic Reserve


@flow.step("rail.reserve")
def offer_reserve(s: NoRetreatState) -> None:
    """14.12.1: at the very end of a Soviet Movement Phase, from turn 4."""
    if s.player == SOVIET and s.turn >= s.game.reserve_turn:
        options = reserve_options(s)
        if len(options) > 1:
            s.offer(options, "rail.set_reserve")


def reserve_options(s: NoRetreatState) -> list[Action]:
    act = s.game.act
    return [*(act["reserve"][unit] for unit in reserve_candidates(s)), act["pass"][()]]


def reserve_candidates(s: NoRetreatState) -> list[int]:
    box = s.in_box(SOVIET, "Rail")
    found = [unit for unit in box if unit != s.reserve]
    if len(box) < s.game.rail_capacity:
        net = supply_net(s, SOVIET)
        found += [
            unit
            for unit in s.army(SOVIET)
            if s.game.move[s.face[unit]][unit] and s.at[unit] < s.game.board.hexes and supplied(s, unit, net)
        ]
    return found


@flow.choice
class SetReserve(Choice[NoRetreatState]):
    name = "rail.set_reserve"
    rules = ("14.12.1",)

    def side(self, s: NoRetreatState) -> int:
        return SOVIET

    def prompt(self, s: NoRetreatState) -> str:
        return "Put a supplied unit into the Strategic Reserve, or pass."

    def legal(self, s: NoRetreatState) -> list[Action]:
        return reserve_options(s)

    def do(self, s: NoRetreatState, action: Action) -> None:
        s.pop()
        if action.kind == "reserve":
            unit = number(action)
            if s.on_map(unit):
                s.to_box(unit, "Rail")
            s.reserve = unit
            s.log("reserve", "{unit} goes into the Strategic Reserve", "14.12.1", unit=unit)

    def why_not(self, s: NoRetreatState, action: Action) -> list[Citation]:
        if action.kind != "reserve":
            return []
        unit = number(action)
        if s.on_map(unit) and len(s.in_box(SOVIET, "Rail")) >= s.game.rail_capacity:
            return [refuse("9.1.2", "the Rail Movement Box holds three units")]
        return [refuse("14.12.1", "only a supplied Soviet unit can be put into the Strategic Reserve")]


# ---------------------------------------------------------------------- 9.2 detraining


def detrain_hexes(s: NoRetreatState, unit: int) -> list[int]:
    """9.2.b, 9.2.c: friendly cities, and hexes within three of a supply source."""
    charts, side = s.game.charts, s.game.side_of[unit]
    net, near = supply_net(s, side), s.game.detrain_range + 1
    zone, enemy = s.zone[1 - side], s.held[1 - side]
    found = []
    for site in bits(friendly_cities(s, side) & ~s.captured):
        node = charts.site_node[site]
        if not enemy[node] and city_traces(s, net, site) and room(s, unit, node):
            found.append(node)
    near_hostile = bytearray(zone)
    hostile = s.sites if side == AXIS else ~s.sites
    for site in bits(hostile & charts.city_mask):
        near_hostile[charts.site_node[site]] = 1
        for there in charts.board.around[charts.site_node[site]]:
            near_hostile[there] = 1
    here, inland, lines = s.here, charts.open_country, net.reach
    field = [n for n in charts.graph.reached(lines) if inland[n] and lines[n] <= near and not near_hostile[n]]
    found += [node for node in field if node not in here or room(s, unit, node)]
    return found


def detraining_phase(s: NoRetreatState) -> None:
    if s.options["partisans"]:
        s.push("rail.partisans")
    if s.reserve != NOWHERE:
        s.push("rail.release")
    if s.stack(s.game.boxes[s.player]["Rail"]):
        s.queue(("rail.unit", s.player, ()), ("stacking",))


@flow.step("rail.release")
def release_reserve(s: NoRetreatState) -> None:
    """14.12.2: the Strategic Reserve may come back at the end of either side's Detraining Phase."""
    if s.player == AXIS and s.reserve != NOWHERE and s.at[s.reserve] == s.game.boxes[SOVIET]["Rail"]:
        s.push("rail.unit", SOVIET, tuple(u for u in s.in_box(SOVIET, "Rail") if u != s.reserve))


@flow.step("rail.partisans")
def partisans(s: NoRetreatState) -> None:
    options.offer_partisans(s)


@flow.choice
class Detrain(Choice[NoRetreatState]):
    """9.2.a: none, some or all; ``staying`` are units that cannot or shall not come now."""

    name = "rail.unit"
    rules = ("9.2.a", "14.12.2")

    def side(self, s: NoRetreatState, side: int, staying: tuple[int, ...]) -> int:
        return side

    def prompt(self, s: NoRetreatState, side: int, staying: tuple[int, ...]) -> str:
        return "Choose a unit to detrain, or end detraining."

    def legal(self, s: NoRetreatState, side: int, staying: tuple[int, ...]) -> list[Action]:
        act = s.game.act
        units = [unit for unit in s.in_box(side, "Rail") if unit not in staying]
        return [*(act["alight"][unit] for unit in units), act["done"][()]]

    def do(self, s: NoRetreatState, action: Action, side: int, staying: tuple[int, ...]) -> None:
        if action.kind == "done":
            s.pop()
            return
        unit = number(action)
        s.replace("rail.unit", side, (*staying, unit))
        s.push("rail.hex", unit)

    def why_not(self, s: NoRetreatState, action: Action, side: int, staying: tuple[int, ...]) -> list[Citation]:
        if action.kind not in ("alight", "detrain"):
            return []
        if s.game.side_of[number(action)] != side or number(action) in staying:
            return [refuse("9.2.d", "units detrain in their owner's Detraining Phase")]
        return [refuse("9.2.a", "it is not in the Rail Movement Box")]


@flow.choice
class DetrainHex(Choice[NoRetreatState]):
    name = "rail.hex"
    rules = ("9.2.b", "9.2.c")

    def side(self, s: NoRetreatState, unit: int) -> int:
        return s.game.side_of[unit]

    def prompt(self, s: NoRetreatState, unit: int) -> str:
        return f"Where does {s.game.unit_names[unit]} detrain?"

    def legal(self, s: NoRetreatState, unit: int) -> list[Action]:
        row = s.game.actions_by_node("detrain", unit)
        found = [row[node] for node in detrain_hexes(s, unit)]
        found.append(s.game.act["pass"][()])
        return found

    def do(self, s: NoRetreatState, action: Action, unit: int) -> None:
        s.pop()
        if action.kind == "detrain":
            arrive(s, unit, number(action, 1))

    def why_not(self, s: NoRetreatState, action: Action, unit: int) -> list[Citation]:
        if action.kind != "detrain" or number(action) != unit:
            return []
        return [why_not_detrain(s, unit, number(action, 1))]


def arrive(s: NoRetreatState, unit: int, node: int) -> None:
    s.take_off(unit)
    s.put(unit, node)
    s.log("detrain", "{unit} detrains in {hex}", "9.2.a", unit=unit, hex=node)
    pass_through(s, unit, node)


def why_not_detrain(s: NoRetreatState, unit: int, node: int) -> Citation:
    charts, side = s.game.charts, s.game.side_of[unit]
    site = charts.site_at[node]
    if charts.is_city(node) and s.controls(side, site):
        if s.captured >> site & 1:
            return refuse("9.2.b", "the city was captured in this player turn")
        if not room(s, unit, node):
            return refuse("8.4.1.a" if side == AXIS else "8.4.1.b", "there is no room")
        return refuse("9.2.b", "the city has no Overland Supply Path")
    if not room(s, unit, node) and not s.held[1 - side][node]:
        return refuse("8.4.1.a" if side == AXIS else "8.4.1.b", "there is no room")
    return refuse("9.2.c", "not an enemy city or next to one, not in an enemy zone, within three hexes of a source")
