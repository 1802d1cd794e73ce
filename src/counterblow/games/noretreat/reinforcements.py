"""Chapter 7, the Placement Step: reinforcements, recovery and replacements, where they come and at what price."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from counterblow.games.noretreat import options
from counterblow.games.noretreat.cards import PlayEvent, charge, hand_count, why_not_price
from counterblow.games.noretreat.components import AXIS, DISORGANIZED, PENDING, SOVIET, TRACK
from counterblow.games.noretreat.special import return_by_track, score
from counterblow.games.noretreat.stacking import fits, why_no_room
from counterblow.games.noretreat.state import SS_PAID, NoRetreatState, flow, why_not_own
from counterblow.games.noretreat.supply import city_traces, friendly_cities, overland, supply_net
from counterblow.kernel.actions import Action
from counterblow.kernel.journey import NamedDestination
from counterblow.kernel.masks import bits
from counterblow.kernel.pick import Deed, Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if

# ---------------------------------------------------------------------- who arrives


def cadres_arrive(s: NoRetreatState) -> None:
    """14.9.1: a Cadre that is due goes to the Cadre Units Available box."""
    for unit in s.game.cadres[s.mover]:
        if s.on_track(unit) and s.due[unit] <= s.turn:
            s.to_box(unit, "Cadres")
            s.log("cadre", "{unit} is available", "14.9.1", unit=unit)
    options.arrivals(s)


def arriving(s: NoRetreatState, unit: int) -> bool:
    """7.8, 13.5: a reinforcement whose turn or trigger has come."""
    if s.at[unit] >= 0 or s.game.is_cadre[unit]:
        return False
    if s.fate[unit] == TRACK:
        return s.due[unit] <= s.turn
    triggered = {"GG": s.gg_turn, "Oil": s.oil_turn, "Warsaw": s.warsaw_turn}  # in which turn, 0 if not yet
    return s.fate[unit] == PENDING and 0 < triggered[str(s.game.counters[unit].arrives)] < s.turn


# ---------------------------------------------------------------------- where: 7.6


def placement_hexes(s: NoRetreatState, unit: int, how: str) -> list[int]:
    """Where a unit may be brought on; ``how`` is reinforce, recover, replace, or berlin for card 43."""
    return [node for node in _possible(s, unit, how) if why_not_place(s, node, unit, how) is None]


def _possible(s: NoRetreatState, unit: int, how: str) -> Iterable[int]:
    """Hexes that are worth a closer look."""
    charts, side = s.game.charts, s.game.side_of[unit]
    if how == "berlin":
        return s.game.board.within(charts.site_node[charts.berlin], 1)
    if how == "reinforce" and s.fate[unit] == PENDING:
        near = s.game.counters[unit].arrives_near
        hexes = s.game.board.within(centre(s, unit), near["range"]) if near else charts.site_node
        return [*hexes, *charts.balkans]
    edges = charts.edges[side] if side == SOVIET or how == "recover" else ()
    friendly = friendly_cities(s, side)
    known: list[int] | None = s.kept((friendly, edges))  # one unit after the other asks for them
    if known is None:
        known = s.keep((friendly, edges), sorted({*[charts.site_node[site] for site in bits(friendly)], *edges}))
    return known


def why_not_place(s: NoRetreatState, node: int, unit: int, how: str) -> Citation | None:
    """The rule that keeps a unit from being brought on in a hex."""
    side, charts = s.game.side_of[unit], s.game.charts
    first = how == "reinforce" and s.fate[unit] == PENDING
    rule = (("7.6.c", "7.6.e") if how == "recover" else ("7.6.b", "7.6.d"))[side]
    if not charts.is_land(node):
        own = s.game.counters[unit].arrives_rule if first else "5.3.2" if how == "berlin" else rule
        return refuse(own, "that is no land on the map")
    enemy = refuse("8.4.a", "an enemy unit is there") if s.held[1 - side][node] else None
    if how == "berlin":
        return enemy or _why_not_berlin(s, node, unit)
    if first:
        return enemy or _why_not_trigger(s, node, unit)
    home = bool(charts.in_germany[node]) == (side == AXIS)
    if charts.is_city(node):
        reason = _why_not_city(s, node, side, home, how)
    elif charts.on_edge[side][node] and (side == SOVIET or how == "recover"):
        reason = None
    else:
        reason = "units come on in cities" + " and at their map edge" * (side == SOVIET or how == "recover")
    if reason:
        return refuse(rule, reason)
    if enemy:
        return enemy
    if s.zone[1 - side][node] and not (side == SOVIET and home and charts.is_city(node)):
        return _why_not_quiet(s, node, unit)
    return why_no_room(s, unit, node)


def _why_not_quiet(s: NoRetreatState, node: int, unit: int) -> Citation | None:
    if s.zone[1 - s.game.side_of[unit]][node]:
        return refuse("7.6.a", "units are not placed in an enemy zone of control")
    return why_no_room(s, unit, node)


def _why_not_city(s: NoRetreatState, node: int, side: int, home: bool, how: str) -> str | None:
    site = s.game.charts.site_at[node]
    if not s.controls(side, site):
        return "the city is the enemy's"
    if not home and how != "recover":
        return "only units that recover come on in a city beyond the border"
    return None if city_traces(s, side, site) else "the city has no Overland Supply Path"


def _why_not_trigger(s: NoRetreatState, node: int, unit: int) -> Citation | None:
    """13.5 GG, Oil and Warsaw: first arrivals have their own places."""
    charts, counter, near = s.game.charts, s.game.counters[unit], s.game.counters[unit].arrives_near
    rule, site = counter.arrives_rule, charts.site_at[node]
    if counter.nation == "Yugoslav":
        return None if node in charts.balkans else refuse(rule, "it arrives in the Balkans")
    if not near:
        if charts.is_city(node) and charts.in_germany[node] and s.controls(AXIS, site):
            return _why_not_quiet(s, node, unit)
        return refuse(rule, "it arrives in an Axis city of Greater Germany")
    if node in charts.balkans:
        if counter.nation == "German" and node == charts.west_balkans:
            return _why_not_quiet(s, node, unit)
        return refuse(rule, "it does not arrive there")
    if node >= s.game.board.hexes or s.game.board.distance(centre(s, unit), node) > near["range"]:
        return refuse(rule, "it is too far from where it arrives")
    if node in s.here:
        return refuse(rule, "it arrives in an empty hex")
    if site >= 0 and not s.controls(counter.side, site):
        return refuse(rule, "the enemy controls that hex")
    return None if supply_net(s, counter.side).reach[node] else refuse(rule, "the hex has no Overland Supply Path")


def centre(s: NoRetreatState, unit: int) -> int:
    """The hex near which a triggered unit appears."""
    return s.game.charts.site_node[s.game.charts.site(s.game.counters[unit].arrives_near["place"])]


def _why_not_berlin(s: NoRetreatState, node: int, unit: int) -> Citation | None:
    """Card 43: Berlin and the hexes next to it, under 7.6.a and the stacking limit."""
    charts = s.game.charts
    if node >= s.game.board.hexes or s.game.board.distance(charts.site_node[charts.berlin], node) > 1:
        return refuse("5.3.2", "the event places it in Berlin or next to it")
    if charts.is_city(node) and not s.controls(AXIS, charts.site_at[node]):
        return refuse("7.6.b", "the city is the enemy's")
    return _why_not_quiet(s, node, unit)


def rebuild_cadres(s: NoRetreatState, unit: int) -> list[int]:
    """14.9.4: friendly Cadres with an Overland path on which a unit may be rebuilt."""
    side = s.game.side_of[unit]
    able = [cadre for cadre in s.game.cadres[side] if s.on_map(cadre) and overland(s, side, s.at[cadre])]
    rest = [[other for other in s.stack(s.at[cadre]) if other != cadre] for cadre in able]
    return [cadre for cadre, others in zip(able, rest, strict=True) if fits(s, [*others, unit], side)]


def lost_units(s: NoRetreatState, side: int, boxes: Iterable[str] = ("Destroyed", "Surrendered")) -> list[int]:
    return sorted(unit for box in boxes for unit in s.in_box(side, box))


def replace_price(s: NoRetreatState, unit: int) -> tuple[int, str]:
    """7.9.a, 7.9.b, 14.7.b: cards, and the rule that names their number."""
    costs = s.game.number
    if s.at[unit] == s.game.boxes[s.game.side_of[unit]]["Surrendered"]:
        return costs["replace_surrendered"], "7.9.b"
    return costs["shock_replace_destroyed"] if s.game.counters[unit].shock else costs["replace_destroyed"], "7.9.a"


def can_come(s: NoRetreatState, unit: int, how: str) -> bool:
    """Is there a place for a unit?"""
    for node in _possible(s, unit, how):
        if why_not_place(s, node, unit, how) is None:
            return True
    return how != "reinforce" and bool(rebuild_cadres(s, unit))


# ---------------------------------------------------------------------- the choice of unit and hex


class Bring(Pick[NoRetreatState]):
    """7.7-7.9: a unit is brought on."""

    stays = True

    def items(self, s: NoRetreatState) -> Sequence[int]:
        """Kept: the end of the step asks for them again."""
        known: Sequence[int] | None = s.kept(self.kind)
        found: Sequence[int] = s.keep(self.kind, super().items(s)) if known is None else known
        return found

    def why_not_item(self, s: NoRetreatState, unit: int) -> Citation | None:
        reason = why_not_own(s, unit, s.mover) or self.why_not_bring(s, unit)
        if reason or can_come(s, unit, self.kind):
            return reason
        return refuse("7.6.b" if s.mover == AXIS else "7.6.d", "there is no hex in which it can be placed")

    def why_not_bring(self, s: NoRetreatState, unit: int) -> Citation | None:
        raise NotImplementedError

    def take(self, s: NoRetreatState, unit: int) -> None:
        s.push(Site, unit, self.kind, 1, 0)


class Recover(Bring):
    kind = "recover"

    def candidates(self, s: NoRetreatState) -> Sequence[int]:
        return s.in_box(s.mover, "Shattered")

    def why_not_bring(self, s: NoRetreatState, unit: int) -> Citation | None:
        return refuse_if(s.at[unit] != s.game.boxes[s.mover]["Shattered"], "7.7.a", "it is not in the Shattered box")


class Reinforce(Bring):
    kind = "reinforce"

    def candidates(self, s: NoRetreatState) -> Sequence[int]:
        at, fate, due, turn = s.at, s.fate, s.due, s.turn
        waiting = [unit for unit in s.game.roster[s.mover] if fate[unit] and at[unit] < 0 and due[unit] <= turn]
        return [unit for unit in waiting if arriving(s, unit)]

    def why_not_item(self, s: NoRetreatState, unit: int) -> Citation | None:
        return None if self.lost_on_arrival(s, unit) else super().why_not_item(s, unit)

    def why_not_bring(self, s: NoRetreatState, unit: int) -> Citation | None:
        return None if arriving(s, unit) else refuse("7.8", "it is not due")

    def lost_on_arrival(self, s: NoRetreatState, unit: int) -> bool:
        """13.5.Oil.d: a Yugoslav army arrives even where there is no room, and is lost."""
        yugoslav = s.game.counters[unit].nation == "Yugoslav" and s.mover == SOVIET
        return yugoslav and arriving(s, unit) and not placement_hexes(s, unit, "reinforce")

    def take(self, s: NoRetreatState, unit: int) -> None:
        if not self.lost_on_arrival(s, unit):
            super().take(s, unit)
            return
        s.to_box(unit, "Destroyed")
        s.log("eliminated", "{unit} finds no room in the Balkans", "13.5.Oil.d", unit=unit)


class Replace(Bring):
    kind = "replace"

    def candidates(self, s: NoRetreatState) -> Sequence[int]:
        return lost_units(s, s.mover) if hand_count(s, s.mover) else ()

    def why_not_bring(self, s: NoRetreatState, unit: int) -> Citation | None:
        """7.9, 7.9.1."""
        early = s.mover == AXIS and "no_axis_replacements" in s.game.in_force[s.turn]
        kept, away = s.game.counters[unit].optional_rule, unit not in lost_units(s, s.mover)
        return (
            refuse_if(away, "7.9.a", "only units in the Destroyed and Surrendered boxes are replaced")
            or refuse_if(early, "7.9.1", "the Axis cannot replace units before turn 5")
            or refuse_if(kept in ("15.1", "15.2"), kept, "that exchange is not reversible")
            or why_not_price(s, *replace_price(s, unit))
        )


class ReturnSS(Deed[NoRetreatState]):
    """13.5.23.c: the SS Panzer Army for two boxes of the Event marker, once."""

    kind, stays = "ss_return", True

    def why_not_now(self, s: NoRetreatState) -> Citation | None:
        game, rule = s.game, "13.5.23.c"
        early = s.mover != AXIS or "ss_panzer_return" not in game.in_force[s.turn]
        short = s.event_vp - game.number["ss_panzer_return_vp"] < -game.event_cap
        return (
            refuse_if(early, rule, "the SS Panzer Army returns in an Axis Organization Phase, from turn 23")
            or refuse_if(s.flags & SS_PAID, rule, "it returns once a game")
            or refuse_if(s.at[game.ss_panzer] >= 0, rule, "it has not left the game")
            or refuse_if(short, rule, "the Event marker cannot move two boxes")
        )

    def perform(self, s: NoRetreatState) -> None:
        score(s, SOVIET, s.game.number["ss_panzer_return_vp"], "13.5.23.c")
        s.flags |= SS_PAID
        s.face[s.game.ss_panzer] = 0
        s.to_track(s.game.ss_panzer, s.turn, TRACK)


BRINGING: tuple[Pick[NoRetreatState], ...] = (Recover(), Reinforce(), Replace())


class PlacementEvent(PlayEvent):
    """An event of the step, or its end: what can come for free must (7.7.a, ruling 46 and 64)."""

    def why_not_pass(self, s: NoRetreatState) -> Citation | None:
        for part, rule in zip(BRINGING[:2], ("7.7.a", "7.8"), strict=True):
            waiting = part.items(s)
            if waiting:
                return refuse(rule, f"what can come for free must be placed first: {s.game.unit_names[waiting[0]]}")
        return None


@flow.choice
class Place(Menu[NoRetreatState]):
    """7.7-7.9: recover, reinforce and replace, in any order."""

    parts = (*BRINGING, *options.EXCHANGES, ReturnSS(), PlacementEvent("placement"))


class AtSite(NamedDestination[NoRetreatState]):
    rules, asks = ("7.6.a",), "Where is {unit} placed?"
    kind = "place"

    def shortcuts(self, s: NoRetreatState, unit: int, how: str, tired: int, event: int) -> list[Action]:
        return [] if event else super().shortcuts(s, unit)

    def nodes(self, s: NoRetreatState, unit: int, how: str, tired: int, event: int) -> list[int]:
        return placement_hexes(s, unit, how)

    def why_not_unit(self, s: NoRetreatState, other: int, unit: int, how: str, *args: int) -> Citation:
        return refuse(rule_of(how), f"it is {s.game.unit_names[unit]} that is placed now")

    def why_not_node(self, s: NoRetreatState, node: int, unit: int, how: str, *args: int) -> Citation | None:
        return why_not_place(s, node, unit, how)

    def arrive(self, s: NoRetreatState, node: int, unit: int, how: str, tired: int, event: int) -> None:
        bring_on(s, unit, node, how, event)
        if tired and how != "reinforce":  # 7.7.a, 7.9.c
            s.mark(unit, DISORGANIZED)


class Rebuild(Pick[NoRetreatState]):
    """14.9.4: in the place of a Cadre, not Disorganized."""

    kind = "rebuild"

    def items(self, s: NoRetreatState, unit: int, how: str, *args: int) -> list[tuple[int, int]]:
        return [(unit, cadre) for cadre in rebuild_cadres(s, unit)] if how in ("recover", "replace") else []

    def why_not_item(self, s: NoRetreatState, item: tuple[int, int], unit: int, how: str, *args: int
                     ) -> Citation | None:  # fmt: skip
        side, (other, cadre), names = s.game.side_of[unit], item, s.game.unit_names
        if other != unit:
            return refuse("14.9.4", f"it is {names[unit]} that is placed now")
        if how not in ("recover", "replace"):
            return refuse("14.9.4", "only a recovered or replaced unit is rebuilt on a Cadre")
        if cadre not in s.game.cadres[side] or not s.on_map(cadre):
            return refuse("14.9.4", f"{names[cadre]} is no Cadre of yours on the map")
        if not overland(s, side, s.at[cadre]):
            return refuse("14.9.4", "the Cadre has no Overland Supply Path")
        return why_no_room(s, unit, s.at[cadre])

    def take(self, s: NoRetreatState, item: tuple[int, int], unit: int, how: str, tired: int, event: int) -> None:
        node = s.at[item[1]]
        return_by_track(s, item[1])
        bring_on(s, unit, node, how, event)


@flow.choice
class Site(Menu[NoRetreatState]):
    """7.6, 14.9.4: the hex of a unit that comes on; ``tired`` 1 if it would be Disorganized, ``event`` 1 if an event
    brings it."""

    parts = (AtSite(), Rebuild())


def bring_on(s: NoRetreatState, unit: int, node: int, how: str, event: int) -> None:
    """Put a unit on the map on its right side (7.7.b, 7.9.2, 13.5); a replacement is paid for, unless an event does."""
    counter = s.game.counters[unit]
    if how == "replace" and not event:
        charge(s, s.mover, *replace_price(s, unit))
    if how in ("replace", "berlin"):
        s.face[unit] = replaced_face(s, unit)
    elif counter.arrives_face and s.fate[unit] == PENDING and s.at[unit] < 0:
        s.face[unit] = 1
    elif counter.arrives == s.turn and node == s.game.charts.site_node[s.game.charts.sevastopol] and counter.arrives_at:
        s.face[unit] = 1  # 13.5.3.b
    s.put(unit, node)
    s.log("place", "{unit} is placed in {place}", rule_of(how), unit=unit, place=node)


def rule_of(how: str) -> str:
    """The rule by which a unit comes on."""
    return {"recover": "7.7.a", "reinforce": "7.8"}.get(how, "7.9.a")


def replaced_face(s: NoRetreatState, unit: int) -> int:
    """7.9.2, 7.2.2.b, 7.3: two-step units return reduced; a red one-step unit returns red before turn 17."""
    counter = s.game.counters[unit]
    if not counter.two_sided:
        return 0
    if counter.side == AXIS:
        return 1
    if s.game.turns_fort[unit] or s.turn >= s.game.two_steps_turn:
        return 0
    return s.face[unit]
