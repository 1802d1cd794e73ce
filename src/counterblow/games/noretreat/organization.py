"""Chapter 7: the Organization Phase - flipping, placing and reorganizing units."""

from __future__ import annotations

from counterblow.games.noretreat import options
from counterblow.games.noretreat.cards import charge, hand_count, play, playable, why_not_play
from counterblow.games.noretreat.components import AXIS, DISORGANIZED, PENDING, SOVIET, TRACK
from counterblow.games.noretreat.special import fits, is_cadre, return_by_track, room, score
from counterblow.games.noretreat.state import SS_BACK, SS_PAID, NoRetreatState, flow, number
from counterblow.games.noretreat.supply import Net, city_traces, friendly_cities, overland, supply_net
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Choice
from counterblow.kernel.masks import bits
from counterblow.kernel.rulebook import Citation, refuse


def organization_phase(s: NoRetreatState) -> None:
    """7.0: Flip, Placement and Reorganization, in this order."""
    s.upgrades = free_upgrades(s)
    cadres_arrive(s)
    s.queue(("org.flip",), ("stacking",), ("org.place",), ("stacking",), ("org.reorganizing",))


def free_upgrades(s: NoRetreatState) -> int:
    """7.2.0 Education, 7.2.1 Experience."""
    in_force = s.game.in_force(s.turn)
    return 0 if s.player == AXIS else ("education" in in_force) + ("experience" in in_force)


# ---------------------------------------------------------------------- A. the Flip Step


def may_flip(s: NoRetreatState, unit: int, net: Net) -> Citation | None:
    """7.0.A, 6.5.1: only units with an Overland Supply Path are Improved or Upgraded."""
    if s.unsupplied(unit):
        return refuse("6.5.1", "an Unsupplied unit takes no part in the Flip Step")
    if not overland(s, net, s.at[unit]):
        return refuse("7.0.A", "it has no Overland Supply Path")
    return None


def may_improve(s: NoRetreatState, unit: int, net: Net) -> Citation | None:
    """7.1: from the reduced to the full side."""
    counter, in_force = s.game.counters[unit], s.game.in_force(s.turn)
    if not counter.two_sided:
        return refuse("7.4", "it has only one step")
    if counter.side == AXIS:
        if "no_axis_replacements" in in_force:
            return refuse("7.9.1", "the Axis cannot Improve units before turn 5")
        if "no_german_improvement" in in_force:
            return refuse("13.5.24", "the Germans can no longer Improve units")
        if not s.face[unit]:
            return refuse("7.1.a", "it is at full strength")
    else:
        if "soviet_two_steps" not in in_force:
            return refuse("7.1.c", "Soviet units cannot be Improved before turn 17")
        if s.face[unit] or s.game.turns_fort[unit]:
            return refuse("7.1.a", "it is not on a reduced side")
    return may_flip(s, unit, net)


def improve_price(s: NoRetreatState, unit: int) -> int:
    """7.1.b, 7.1.c, 14.5-14.7."""
    counter, costs = s.game.counters[unit], s.game.price
    if counter.side == AXIS:
        return costs["ss_improve"] if counter.ss else costs["axis_improve"]
    return costs["shock_improve"] if counter.shock else costs["soviet_improve"]


def may_upgrade(s: NoRetreatState, unit: int, net: Net) -> Citation | None:
    """7.2: brown to red (a Regional unit to its fort, 13.5.3) with a free upgrade."""
    counter = s.game.counters[unit]
    if counter.side == AXIS or not counter.two_sided or s.face[unit] or counter.nation == "Yugoslav":
        return refuse("7.2.0", "only a Soviet unit on its brown side is Upgraded")
    if not s.upgrades:
        return refuse("7.2.0", "no free Upgrade is left in this phase")
    return may_flip(s, unit, net)


def may_fortify(s: NoRetreatState, unit: int) -> Citation | None:
    """7.5.a, 14.8: a Regional unit anywhere, a Yugoslav army in the Balkans."""
    if not s.game.turns_fort[unit] or s.face[unit]:
        return refuse("7.5.a", "only a Regional unit becomes a fort")
    if "soviet_fortifying" not in s.game.in_force(s.turn):
        return refuse("7.5.c", "fortifying begins on turn 3")
    return _balkans_only(s, unit)


def may_revert(s: NoRetreatState, unit: int) -> Citation | None:
    """7.5.b: a fort back to Regional, free."""
    if not s.game.turns_fort[unit] or not s.face[unit]:
        return refuse("7.5.b", "only a Soviet fort reverts")
    return _balkans_only(s, unit)


def _balkans_only(s: NoRetreatState, unit: int) -> Citation | None:
    if s.game.counters[unit].nation == "Yugoslav" and s.at[unit] not in s.game.charts.balkans:
        return refuse("14.8.a", "a Yugoslav army flips only in the Balkans")
    return None


@flow.choice
class Flip(Choice[NoRetreatState]):
    name = "org.flip"
    rules = ("7.0", "7.1.a")

    def side(self, s: NoRetreatState) -> int:
        return s.player

    def prompt(self, s: NoRetreatState) -> str:
        return "Flip Step: improve, upgrade or fortify units, or end the step."

    def legal(self, s: NoRetreatState) -> list[Action]:
        act, cards = s.game.act, hand_count(s, s.player)
        found: list[Action] = []
        if s.player == SOVIET:
            for unit in s.game.fort_units:
                if s.on_map(unit):
                    if cards and may_fortify(s, unit) is None:
                        found.append(act["fortify"][unit])
                    if may_revert(s, unit) is None:
                        found.append(act["revert"][unit])
        for unit in self._weaker(s, cards):
            net = supply_net(s, s.player)
            if cards >= improve_price(s, unit) and may_improve(s, unit, net) is None:
                found.append(act["improve"][unit])
            if s.upgrades and may_upgrade(s, unit, net) is None:
                found.append(act["upgrade"][unit])
        found += playable(s, s.player, "flip")
        found.append(act["done"][()])
        return found

    def _weaker(self, s: NoRetreatState, cards: int) -> list[int]:
        """Units on the weaker side of their counter that might be flipped by this side now."""
        face, two_sided = s.face, s.game.two_sided
        if s.player == AXIS:
            return [unit for unit in s.army(AXIS) if face[unit]] if cards else []
        if not s.upgrades and (not cards or s.turn < s.game.two_steps_turn):
            return []
        return [unit for unit in s.army(SOVIET) if not face[unit] and two_sided[unit]]

    def do(self, s: NoRetreatState, action: Action) -> None:
        if action.kind == "done":
            s.pop()
            return
        if action.kind.startswith(("play", "replay")):
            play(s, action)
            return
        unit = number(action)
        if action.kind == "improve":
            flip_up(s, unit, "improved", "7.1.a")
            charge(s, s.player, improve_price(s, unit), "7.1.b" if s.player == AXIS else "7.1.c")
        elif action.kind == "upgrade":
            s.upgrades -= 1
            flip_up(s, unit, "upgraded", "7.2.0")
        elif action.kind == "fortify":
            flip_up(s, unit, "fortified", "7.5.a")
            charge(s, s.player, s.game.price["fortify"], "7.5.a")
        else:
            flip_up(s, unit, "reverted", "7.5.b")

    def why_not(self, s: NoRetreatState, action: Action) -> list[Citation]:
        if action.kind not in ("improve", "upgrade", "fortify", "revert"):
            return why_not_play(s, action, s.player, "flip") or not_this_step(action)
        unit = number(action)
        if s.game.side_of[unit] != s.player:
            return [refuse("2.3.f", "that unit belongs to the other side")]
        if not s.on_map(unit):
            return [refuse("7.1.a", "it is not on the map")]
        net = supply_net(s, s.player)
        if action.kind == "improve":
            reason = may_improve(s, unit, net)
            price = improve_price(s, unit)
            rule = "7.1.b" if s.player == AXIS else "7.1.c"
        elif action.kind == "upgrade":
            return [r for r in (may_upgrade(s, unit, net),) if r]
        elif action.kind == "fortify":
            reason, price, rule = may_fortify(s, unit), s.game.price["fortify"], "7.5.a"
        else:
            return [r for r in (may_revert(s, unit),) if r]
        return [reason or refuse(rule, f"it costs {price} card{'s' if price > 1 else ''}")]


def not_this_step(action: Action) -> list[Citation]:
    """7.0: the steps come in their order."""
    others = ("reorganize", "recover", "replace", "reinforce", "improve", "upgrade", "fortify", "revert")
    return [refuse("7.0", "that belongs to another step of the Organization Phase")] if action.kind in others else []


def flip_up(s: NoRetreatState, unit: int, how: str, *rules: str) -> None:
    s.turn_over(unit)
    s.log("flip", f"{{unit}} in {{hex}} is {how}", *rules, unit=unit, hex=s.at[unit])


# ---------------------------------------------------------------------- B. the Placement Step


def cadres_arrive(s: NoRetreatState) -> None:
    """14.9.1: a Cadre that is due goes to the Cadre Units Available box."""
    for unit in s.game.cadres[s.player]:
        if s.at[unit] < 0 and s.fate[unit] == TRACK and s.due[unit] <= s.turn:
            s.to_box(unit, "Cadres")
            s.log("cadre", "{unit} is available", "14.9.1", unit=unit)
    options.arrivals(s)


def arriving(s: NoRetreatState, unit: int) -> bool:
    """7.8, 13.5: a reinforcement whose turn or trigger has come."""
    if s.at[unit] >= 0 or is_cadre(s, unit):
        return False
    if s.fate[unit] == TRACK:
        return s.due[unit] <= s.turn
    return s.fate[unit] == PENDING and 0 < trigger_turn(s, unit) < s.turn


def all_arriving(s: NoRetreatState, side: int) -> list[int]:
    """The reinforcements of a side that are due."""
    at, fate, due, turn = s.at, s.fate, s.due, s.turn
    waiting = [unit for unit in s.game.roster[side] if fate[unit] and at[unit] < 0 and due[unit] <= turn]
    return [unit for unit in waiting if arriving(s, unit)]


def placement_hexes(s: NoRetreatState, unit: int, how: str) -> list[int]:
    """7.6: where a unit may be brought on; ``how`` is reinforce, recover or replace."""
    if how == "reinforce" and s.fate[unit] == PENDING:
        return trigger_hexes(s, unit)
    charts, side = s.game.charts, s.game.side_of[unit]
    zone, enemy, net = s.zone[1 - side], s.held[1 - side], supply_net(s, side)
    found = []
    for site in bits(friendly_cities(s, side)):
        node = charts.site_node[site]
        home = bool(charts.in_germany[node]) == (side == AXIS)
        if not home and how != "recover":
            continue
        if zone[node] and not (side == SOVIET and home):
            continue
        traced = net.cities >> site & 1 or city_traces(s, net, site)
        if traced and not enemy[node] and (node not in s.here or room(s, unit, node)):
            found.append(node)
    if side == SOVIET or how == "recover":
        found += [
            node
            for node in charts.edges[side]
            if not zone[node]
            and not enemy[node]
            and (node not in s.here or room(s, unit, node))
            and not charts.is_city(node)
        ]
    return sorted(found)


def trigger_hexes(s: NoRetreatState, unit: int) -> list[int]:
    """13.5 GG, Oil and Warsaw: first arrivals have their own places."""
    charts, counter = s.game.charts, s.game.counters[unit]
    if counter.nation == "Yugoslav":
        return [node for node in charts.balkans if not s.held[AXIS][node]]
    if counter.arrives == "GG" and counter.nation == "German":
        nodes = [charts.site_node[site] for site in bits(friendly_cities(s, AXIS) & charts.german_sites)]
        return sorted(n for n in nodes if not s.zone[SOVIET][n] and not s.held[SOVIET][n] and room(s, unit, n))
    centre, radius = _trigger_circle(s, unit)
    net = supply_net(s, counter.side)
    lost = {charts.site_node[site] for site in bits(charts.all_sites) if not s.controls(counter.side, site)}
    found = [n for n in s.game.board.within(centre, radius) if net.reach[n] and n not in s.here and charts.is_land(n)]
    found = [n for n in found if n not in lost]
    area = charts.west_balkans
    shut = s.held[SOVIET][area] or s.zone[SOVIET][area]  # 7.6.a
    if counter.nation == "German" and not shut and room(s, unit, area):
        found.append(area)
    return found


def trigger_turn(s: NoRetreatState, unit: int) -> int:
    """The turn in which a unit's trigger happened, 0 if not yet (13.5)."""
    return {"GG": s.gg_turn, "Oil": s.oil_turn, "Warsaw": s.warsaw_turn}[str(s.game.counters[unit].arrives)]


def _trigger_circle(s: NoRetreatState, unit: int) -> tuple[int, int]:
    """The hex near which a triggered unit appears, and how near."""
    charts, counter, ranges = s.game.charts, s.game.counters[unit], s.game.trigger_ranges
    if counter.arrives == "GG":
        return charts.site_node[charts.budapest], ranges["GG", AXIS]
    if counter.arrives == "Warsaw":
        return charts.site_node[charts.warsaw], ranges["Warsaw", SOVIET]
    if counter.side == AXIS:
        return charts.site_node[charts.bucharest], ranges["Oil", AXIS]
    return charts.site_node[charts.rumanian_oil], ranges["Oil", SOVIET]


def trigger_rule(s: NoRetreatState, unit: int) -> str:
    counter = s.game.counters[unit]
    by_nation = {"Hungarian": "13.5.GG.b", "Rumanian": "13.5.Oil.c", "Yugoslav": "13.5.Oil.d", "Polish": "13.5.Warsaw"}
    return by_nation.get(counter.nation, "13.5.GG.a" if counter.arrives == "GG" else "13.5.Oil.b")


def near_berlin(s: NoRetreatState, unit: int) -> list[int]:
    """Card 43: Berlin and the hexes next to it, under 7.6.a and the stacking limit."""
    charts = s.game.charts
    found = []
    for node in s.game.board.within(charts.site_node[charts.berlin], 1):
        held_city = charts.is_city(node) and not s.controls(AXIS, charts.site_at[node])
        free = not s.zone[SOVIET][node] and not s.held[SOVIET][node] and not held_city
        if free and charts.is_land(node) and room(s, unit, node):
            found.append(node)
    return found


def rebuild_cadres(s: NoRetreatState, unit: int) -> list[int]:
    """14.9.4: friendly Cadres with an Overland path on which a unit may be rebuilt."""
    side = s.game.side_of[unit]
    found = []
    net = supply_net(s, side)
    for cadre in s.game.cadres[side]:
        if s.on_map(cadre) and overland(s, net, s.at[cadre]):
            rest = [other for other in s.stack(s.at[cadre]) if other != cadre]
            if fits(s, [*rest, unit], side):
                found.append(cadre)
    return found


def replace_price(s: NoRetreatState, unit: int) -> int:
    """7.9.a, 7.9.b."""
    costs = s.game.price
    if s.at[unit] == s.game.boxes[s.game.side_of[unit]]["Surrendered"]:
        return costs["replace_surrendered"]
    return costs["shock_replace_destroyed"] if s.game.counters[unit].shock else costs["replace_destroyed"]


def can_come(s: NoRetreatState, unit: int, how: str) -> bool:
    """Is there a place for a unit? The edge, where it will do, is looked at first."""
    side = s.game.side_of[unit]
    if (side == SOVIET or how == "recover") and not (how == "reinforce" and s.fate[unit] == PENDING):
        zone, held, enemy = s.zone[1 - side], s.held[side], s.held[1 - side]
        for node in s.game.charts.edges[side]:
            if not zone[node] and not held[node] and not enemy[node] and not s.game.charts.is_city(node):
                return True
    if placement_hexes(s, unit, how):
        return True
    return how != "reinforce" and bool(rebuild_cadres(s, unit))


def may_replace(s: NoRetreatState, unit: int) -> Citation | None:
    """7.9, 7.9.1."""
    boxes = s.game.boxes[s.player]
    if s.at[unit] not in (boxes["Destroyed"], boxes["Surrendered"]):
        return refuse("7.9.a", "only units in the Destroyed and Surrendered boxes are replaced")
    if s.player == AXIS and "no_axis_replacements" in s.game.in_force(s.turn):
        return refuse("7.9.1", "the Axis cannot replace units before turn 5")
    if s.game.counters[unit].optional_rule in ("15.1", "15.2"):
        return refuse(s.game.counters[unit].optional_rule, "that exchange is not reversible")
    price = replace_price(s, unit)
    if hand_count(s, s.player) < price:
        rule = "7.9.a" if price == 1 else "7.9.b"
        return refuse(rule, f"it costs {price} card{'s' if price > 1 else ''}")
    return None


@flow.choice
class Place(Choice[NoRetreatState]):
    """7.7-7.9: recover, reinforce and replace, in any order; what can come for free must."""

    name = "org.place"
    rules = ("7.6.a", "7.8")

    def side(self, s: NoRetreatState) -> int:
        return s.player

    def prompt(self, s: NoRetreatState) -> str:
        return "Placement Step: bring on units, or end the step."

    def legal(self, s: NoRetreatState) -> list[Action]:
        act, side = s.game.act, s.player
        shattered = s.in_box(side, "Shattered")
        due = all_arriving(s, side)
        lost: list[int] = []
        if hand_count(s, side):
            lost = [u for u in (*s.in_box(side, "Destroyed"), *s.in_box(side, "Surrendered")) if not may_replace(s, u)]
        found: list[Action] = []
        if shattered or due or lost:
            found += [act["recover"][unit] for unit in shattered if can_come(s, unit, "recover")]
            found += [act["reinforce"][unit] for unit in due if can_come(s, unit, "reinforce")]
            found += [act["reinforce"][unit] for unit in due if self._lost_on_arrival(s, unit)]
            must = bool(found)
            found += [act["replace"][unit] for unit in sorted(lost) if can_come(s, unit, "replace")]
        else:
            must = False
        found += options.placements(s)
        if self._ss_may_return(s):
            found.append(act["ss_return"][()])
        found += playable(s, side, "placement")
        if not must:
            found.append(act["done"][()])
        return found

    def _lost_on_arrival(self, s: NoRetreatState, unit: int) -> bool:
        """13.5.Oil.d: a Yugoslav army arrives even where there is no room, and is lost."""
        return s.game.counters[unit].nation == "Yugoslav" and not trigger_hexes(s, unit)

    def _ss_may_return(self, s: NoRetreatState) -> bool:
        """13.5.23.c: two boxes of the Event marker, once."""
        return (
            s.player == AXIS
            and "ss_panzer_return" in s.game.in_force(s.turn)
            and not s.flags & SS_PAID
            and s.at[s.game.ss_panzer] < 0
            and s.event_vp - s.game.price["ss_panzer_return_vp"] >= -s.game.event_cap
        )

    def do(self, s: NoRetreatState, action: Action) -> None:
        if action.kind == "done":
            s.pop()
        elif action.kind in ("recover", "reinforce", "replace"):
            self._bring(s, number(action), action.kind)
        elif action.kind == "ss_return":
            score(s, SOVIET, s.game.price["ss_panzer_return_vp"], "13.5.23.c")
            s.flags |= SS_PAID | SS_BACK
            s.face[s.game.ss_panzer] = 0
            s.to_track(s.game.ss_panzer, s.turn, TRACK)
        elif action.kind in options.PLACEMENTS:
            options.place(s, action)
        else:
            play(s, action)

    def _bring(self, s: NoRetreatState, unit: int, how: str) -> None:
        if how == "reinforce" and self._lost_on_arrival(s, unit):
            s.to_box(unit, "Destroyed")
            s.log("eliminated", "{unit} finds no room in the Balkans", "13.5.Oil.d", unit=unit)
            return
        s.push("org.site", unit, how, 1)
        if how == "replace":
            price = replace_price(s, unit)
            charge(s, s.player, price, "7.9.a" if price == 1 else "7.9.b")

    def why_not(self, s: NoRetreatState, action: Action) -> list[Citation]:
        if action.kind == "done":
            return [refuse("7.7.a", "units that can come for free must be placed first")]
        if action.kind == "ss_return":
            return [refuse("13.5.23.c", "the SS Panzer Army returns once, from turn 23, for 2 VPs")]
        if action.kind in options.PLACEMENTS:
            return options.why_not_place(s, action)
        if action.kind not in ("recover", "reinforce", "replace"):
            return why_not_play(s, action, s.player, "placement") or not_this_step(action)
        unit = number(action)
        if s.game.side_of[unit] != s.player:
            return [refuse("2.3.f", "that unit belongs to the other side")]
        if action.kind == "replace":
            reason = may_replace(s, unit)
            if reason:
                return [reason]
        elif action.kind == "recover" and unit not in s.in_box(s.player, "Shattered"):
            return [refuse("7.7.a", "it is not in the Shattered box")]
        elif action.kind == "reinforce" and not arriving(s, unit):
            return [refuse("7.8", "it is not due")]
        return [refuse("7.6.b" if s.player == AXIS else "7.6.d", "there is no hex in which it can be placed")]


@flow.choice
class Site(Choice[NoRetreatState]):
    """7.6, 14.9.4: the hex of a unit that comes on; ``tired`` 1 if it would be Disorganized."""

    name = "org.site"
    rules = ("7.6.a", "14.9.4")

    def side(self, s: NoRetreatState, unit: int, how: str, tired: int) -> int:
        return s.game.side_of[unit]

    def prompt(self, s: NoRetreatState, unit: int, how: str, tired: int) -> str:
        return f"Where is {s.game.unit_names[unit]} placed?"

    def legal(self, s: NoRetreatState, unit: int, how: str, tired: int) -> list[Action]:
        act = s.game.act
        nodes = near_berlin(s, unit) if how == "berlin" else placement_hexes(s, unit, how)
        row = s.game.actions_by_node("place", unit)
        found = [row[node] for node in nodes]
        if how in ("recover", "replace"):
            found += [act["rebuild"][unit, cadre] for cadre in rebuild_cadres(s, unit)]
        return found

    def do(self, s: NoRetreatState, action: Action, unit: int, how: str, tired: int) -> None:
        s.pop()
        if action.kind == "rebuild":
            cadre = number(action, 1)
            node = s.at[cadre]
            return_by_track(s, cadre)
            tired = 0
        else:
            node = number(action, 1)
        bring_on(s, unit, node, how)
        if tired and how != "reinforce":
            s.mark(unit, DISORGANIZED)

    def why_not(self, s: NoRetreatState, action: Action, unit: int, how: str, tired: int) -> list[Citation]:
        side = s.game.side_of[unit]
        if action.kind == "rebuild":
            return [refuse("14.9.4", "only a recovered or replaced unit, on a Cadre with an Overland path")]
        if action.kind != "place" or number(action) != unit:
            return []
        node = number(action, 1)
        if how == "reinforce" and s.fate[unit] == PENDING:
            return [refuse(trigger_rule(s, unit), "it does not arrive there")]
        if s.zone[1 - side][node] and not (side == SOVIET and s.game.charts.is_city(node)):
            return [refuse("7.6.a", "units are not placed in an enemy zone of control")]
        if not s.held[1 - side][node] and not room(s, unit, node):
            return [refuse("8.4.1.a" if side == AXIS else "8.4.1.b", "there is no room")]
        if how == "recover":
            return [refuse("7.6.c" if side == AXIS else "7.6.e", "units do not recover there")]
        return [refuse("7.6.b" if side == AXIS else "7.6.d", "units are not placed there")]


def bring_on(s: NoRetreatState, unit: int, node: int, how: str) -> None:
    """Put a unit on the map on its right side (7.7.b, 7.9.2, 13.5)."""
    counter = s.game.counters[unit]
    if how in ("replace", "berlin"):
        s.face[unit] = replaced_face(s, unit)
    elif counter.arrives_face and s.fate[unit] == PENDING and s.at[unit] < 0:
        s.face[unit] = 1
    elif counter.arrives == s.turn and node == s.game.charts.site_node[s.game.charts.sevastopol] and counter.arrives_at:
        s.face[unit] = 1  # 13.5.3.b
    s.put(unit, node)
    rule = {"recover": "7.7.a", "reinforce": "7.8"}.get(how, "7.9.a")
    s.log("place", "{unit} is placed in {hex}", rule, unit=unit, hex=node)


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


# ---------------------------------------------------------------------- C. the Reorganization Step


@flow.step("org.reorganizing")
def reorganizing(s: NoRetreatState) -> None:
    if hand_count(s, s.player) and any(s.disorganized(unit) for unit in s.army(s.player)):
        s.push("org.reorganize", 0)


@flow.choice
class Reorganize(Choice[NoRetreatState]):
    """7.10: one card for each Disorganized marker; ``free`` markers are already paid for (15.5)."""

    name = "org.reorganize"
    rules = ("7.10",)

    def side(self, s: NoRetreatState, free: int) -> int:
        return s.player

    def prompt(self, s: NoRetreatState, free: int) -> str:
        return "Remove another Disorganized marker." if free else "Pay a card to reorganize a unit, or end the step."

    def legal(self, s: NoRetreatState, free: int) -> list[Action]:
        act = s.game.act
        found = [act["reorganize"][unit] for unit in s.army(s.player) if s.disorganized(unit)]
        found.append(act["done"][()])
        return found

    def do(self, s: NoRetreatState, action: Action, free: int) -> None:
        s.pop()
        if action.kind == "done":
            if free:
                reorganizing(s)
            return
        unit = number(action)
        s.unmark(unit, DISORGANIZED)
        s.log("reorganize", "{unit} is reorganized", "7.10", unit=unit)
        if free:
            reorganizing(s)
        elif s.options["faster_reorganization"]:
            s.push("org.faster")
        else:
            s.push("org.reorganizing")
            charge(s, s.player, s.game.price["reorganize"], "7.10")

    def why_not(self, s: NoRetreatState, action: Action, free: int) -> list[Citation]:
        if action.kind == "reorganize":
            return [refuse("7.10", "it is not a Disorganized unit of yours on the map")]
        return not_this_step(action)
