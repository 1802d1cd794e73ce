"""Chapter 10, first part: declaring battles, choosing who attacks, odds and shifts (10.1-10.6)."""

from __future__ import annotations

from typing import NamedTuple

from counterblow.games.noretreat import options
from counterblow.games.noretreat.cards import (
    asks_always,
    charge,
    hand_count,
    passes,
    play,
    playable,
    wants,
    why_not_play,
)
from counterblow.games.noretreat.components import ATTACKED, AXIS, SOVIET, UNSUPPLIED
from counterblow.games.noretreat.special import score
from counterblow.games.noretreat.state import Battle, NoRetreatState, flow, number
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Choice
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.rulebook import Citation, refuse

# ---------------------------------------------------------------------- 10.1 declaring battles


def combat_phase(s: NoRetreatState) -> None:
    s.targets = s.blows = ()
    if s.standing:
        s.standing = tuple(n for n in s.standing if s.held[AXIS][n] or s.held[SOVIET][n])
    for unit in s.army(s.player):
        s.marks[unit] &= ~ATTACKED
    s.queue(("combat.target",), ("combat.declared",))


@flow.step("combat.declared")
def targets_declared(s: NoRetreatState) -> None:
    s.queue(("combat.counterblows",), ("combat.next",))
    if s.targets and wants(s, 1 - s.player, "declared"):
        s.push("window", 1 - s.player, "declared")


def can_attack(s: NoRetreatState, unit: int) -> Citation | None:
    """10.1.1.b, 2.3.d, 15.8: who takes part in a voluntary attack."""
    if s.disorganized(unit):
        return refuse("10.1.1.b", "a Disorganized unit cannot attack voluntarily")
    if s.is_white(unit):
        return refuse("2.3.d", "a white-strength unit cannot attack voluntarily")
    if not s.strength(unit):
        return refuse("15.8", "it has no combat strength")
    return None


def target_hexes(s: NoRetreatState) -> list[int]:
    """10.1.b: enemy hexes next to a unit that may attack, not yet marked."""
    marked = (*s.targets, *s.standing)
    found = [node for node in in_contact(s, 1 - s.player) if node not in marked and first_turn_target(s, node)]
    return [node for node in found if available(s, node, True)]


def in_contact(s: NoRetreatState, side: int) -> list[int]:
    """Hexes of a side next to an enemy across an open hexside. Zones reach just as far; forts and Unsupplied
    units, which have none, are looked for one by one."""
    at, marks, face, paren = s.at, s.marks, s.face, s.game.paren
    near = bytearray(s.zone[1 - side])
    for unit in s.army(1 - side):
        if marks[unit] & UNSUPPLIED or paren[face[unit]][unit]:
            for node in s.game.charts.beside[at[unit]]:
                near[node] = 1
    return sorted({at[unit] for unit in s.army(side) if near[at[unit]]})


def first_turn_target(s: NoRetreatState, node: int) -> bool:
    """Scenario A limits the Axis targets of turn 1."""
    allowed = s.game.first_turn_targets(s)
    return not allowed or any(unit in allowed for unit in s.stack(node))


def target_limit(s: NoRetreatState) -> int:
    """10.1.d, 13.1.lw.b, 13.5.20, 13.5.26: Target markers that may be placed."""
    limit: int = s.game.markers_each
    if s.player == AXIS:
        limit = min(limit, s.game.charts.weather[s.sky].axis_targets, s.game.axis_target_limit(s.turn))
    return limit


@flow.choice
class DeclareTargets(Choice[NoRetreatState]):
    name = "combat.target"
    rules = ("10.1.1.a", "10.1.a")

    def side(self, s: NoRetreatState) -> int:
        return s.player

    def prompt(self, s: NoRetreatState) -> str:
        return "Mark a hex to attack, or end the declaration."

    def legal(self, s: NoRetreatState) -> list[Action]:
        act = s.game.act
        found = []
        if len(s.targets) < target_limit(s):
            found = [act["target"][node] for node in target_hexes(s)]
        found.append(act["done"][()])
        return found

    def do(self, s: NoRetreatState, action: Action) -> None:
        if action.kind == "done":
            s.pop()
            return
        s.targets = (*s.targets, number(action))
        s.log("target", "{hex} is a target", "10.1.1.a", hex=number(action))

    def why_not(self, s: NoRetreatState, action: Action) -> list[Citation]:
        if action.kind != "target":
            return []
        return [why_not_target(s, number(action))]


def why_not_target(s: NoRetreatState, node: int) -> Citation:
    charts = s.game.charts
    if not s.held[1 - s.player][node]:
        return refuse("10.1.b", "no enemy unit is there")
    if node in s.standing or node in s.targets:
        return refuse("10.1.c", "a marker is there already")
    beside = [u for n in charts.beside[node] for u in s.stack(n) if s.game.side_of[u] == s.player]
    if not beside:
        return refuse("10.1.b", "no unit of yours is next to it across an open hexside")
    reasons = [can_attack(s, unit) for unit in beside]
    if all(reasons):
        return reasons[0] or refuse("10.1.1.b", "none of the units next to it may attack")
    if not first_turn_target(s, node):
        return refuse("3.0", "the scenario does not allow this target on turn 1")
    return _limit_rule(s)


def _limit_rule(s: NoRetreatState) -> Citation:
    if s.player == AXIS and s.game.axis_target_limit(s.turn) < s.game.charts.weather[s.sky].axis_targets:
        return refuse("13.5.26" if s.game.axis_target_limit(s.turn) == 1 else "13.5.20", "no Target marker is left")
    if s.player == AXIS and s.game.charts.weather[s.sky].axis_targets < s.game.markers_each:
        return refuse("13.1.lw.b", "three Target markers in Long Winter")
    return refuse("10.1.d", "five markers a side")


# ---------------------------------------------------------------------- 10.1.2 Counterblows


def counterblow_hexes(s: NoRetreatState) -> list[int]:
    """10.1.2: hexes of the non-phasing side that may get a Counterblow marker."""
    side = 1 - s.player
    own = [node for node in s.standing if s.held[side][node]]
    if len(s.blows) + len(own) >= s.game.markers_each:
        return []
    return [node for node in in_contact(s, side) if may_counterblow(s, node) is None]


def may_counterblow(s: NoRetreatState, node: int) -> Citation | None:
    side = 1 - s.player
    if not s.held[side][node]:
        return refuse("10.1.2.a", "no unit of yours is there")
    if node in s.targets:
        return refuse("10.1.2.g", "a Target marker is there")
    if node in s.blows or node in s.standing:
        return refuse("10.1.c", "a Counterblow marker is there")
    if all(s.is_white(unit) or not s.strength(unit) for unit in s.stack(node)):
        return refuse("10.1.2.b", "only white-strength units are there")
    if not any(s.held[s.player][n] for n in s.game.charts.beside[node]):
        return refuse("10.1.2.a", "no phasing unit is next to it")
    return None


@flow.step("combat.counterblows")
def offer_counterblows(s: NoRetreatState) -> None:
    side = 1 - s.player
    options = counterblow_options(s) if hand_count(s, side) else []
    if options or (asks_always(s, side) and not s.silent >> side & 1):
        s.offer([*options, s.game.act["done"][()]], "combat.counterblow")


def counterblow_options(s: NoRetreatState) -> list[Action]:
    """Counterblows to be paid with a card, and events that place one."""
    table = s.game.act["counterblow"]
    return [table[node] for node in counterblow_hexes(s)] + playable(s, 1 - s.player, "counterblow")


@flow.choice
class DeclareCounterblows(Choice[NoRetreatState]):
    name = "combat.counterblow"
    rules = ("10.1.2.a",)

    def side(self, s: NoRetreatState) -> int:
        return 1 - s.player

    def prompt(self, s: NoRetreatState) -> str:
        return "Pay a card to put a Counterblow marker on one of your hexes, or end the declaration."

    def legal(self, s: NoRetreatState) -> list[Action]:
        options = counterblow_options(s) if hand_count(s, 1 - s.player) else []
        return [*options, s.game.act["done"][()]]

    def do(self, s: NoRetreatState, action: Action) -> None:
        s.pop()
        if action.kind == "done":
            return
        s.push("combat.counterblows")
        if action.kind == "counterblow":
            mark_counterblow(s, number(action))
            charge(s, 1 - s.player, s.game.price["counterblow"], "10.1.2.a")
        else:
            play(s, action)

    def why_not(self, s: NoRetreatState, action: Action) -> list[Citation]:
        if action.kind != "counterblow":
            return why_not_play(s, action, 1 - s.player, "counterblow")
        reason = may_counterblow(s, number(action))
        if reason:
            return [reason]
        if not hand_count(s, 1 - s.player):
            return [refuse("10.1.2.a", "a Counterblow costs one card")]
        return [refuse("10.1.d", "five markers a side")]


def mark_counterblow(s: NoRetreatState, node: int) -> None:
    s.blows = (*s.blows, node)
    s.log("counterblow", "Counterblow in {hex}", "10.1.2.a", hex=node)


# ---------------------------------------------------------------------- 10.2, 10.3 order and allocation


def blow_hexes(s: NoRetreatState) -> tuple[int, ...]:
    """Counterblow hexes that the phasing side must attack: bought ones, and standing ones (10.7.pending)."""
    enemy = s.held[1 - s.player]
    return (*s.blows, *(node for node in s.standing if enemy[node]))


def available(s: NoRetreatState, node: int, voluntary: bool) -> list[int]:
    """10.3.4, 10.1.1.b, 10.1.2.d: units that could still attack a hex."""
    here, own, marks = s.here, s.held[s.player], s.marks
    found = []
    for there in s.game.charts.beside[node]:
        if own[there]:
            for unit in here[there]:
                if not marks[unit] & ATTACKED and (not voluntary or can_attack(s, unit) is None):
                    found.append(unit)
    return found


class Front(NamedTuple):
    """The battles still to be fought: (hex, voluntary) and who could attack each."""

    hexes: tuple[int, ...]
    units: tuple[tuple[int, ...], ...]

    def of(self, node: int) -> tuple[int, ...]:
        return self.units[self.hexes.index(node)]


def front(s: NoRetreatState) -> Front:
    """Targets that hold an enemy and can still be attacked; the others are without effect (ruling 45)."""
    enemy = s.held[1 - s.player]
    hexes, units = [], []
    for nodes, voluntary in ((s.targets, True), (blow_hexes(s), False)):
        for node in nodes:
            able = available(s, node, voluntary) if enemy[node] else []
            if able:
                hexes.append(node)
                units.append(tuple(able))
    return Front(tuple(hexes), tuple(units))


@flow.step("combat.next")
def next_battle(s: NoRetreatState) -> None:
    """10.2: battles in any order until every target is attacked."""
    hexes = front(s).hexes if s.targets or s.blows or s.standing else ()
    if not hexes:
        combat_over(s)
        return
    s.push("combat.next")
    s.offer([s.game.act["attack"][node] for node in hexes], "combat.battle")


@flow.choice
class ChooseBattle(Choice[NoRetreatState]):
    name = "combat.battle"
    rules = ("10.2", "10.3.1")

    def side(self, s: NoRetreatState) -> int:
        return s.player

    def prompt(self, s: NoRetreatState) -> str:
        return "Choose the next hex to attack."

    def legal(self, s: NoRetreatState) -> list[Action]:
        table = s.game.act["attack"]
        return [table[node] for node in front(s).hexes]

    def do(self, s: NoRetreatState, action: Action) -> None:
        s.replace("combat.build", (number(action),), ())

    def why_not(self, s: NoRetreatState, action: Action) -> list[Citation]:
        if action.kind == "done":
            return [refuse("10.1.2.f", "every declared target must be attacked")]
        if action.kind == "attack":
            return [refuse("10.3.4", "it is no target, or it was attacked already")]
        return []


@flow.choice
class BuildBattle(Choice[NoRetreatState]):
    """10.3.2, 10.3.3: the hexes and units of one battle; every unit next to every hex."""

    name = "combat.build"
    rules = ("10.3.1", "10.3.2")

    def side(self, s: NoRetreatState, hexes: tuple[int, ...], units: tuple[int, ...]) -> int:
        return s.player

    def prompt(self, s: NoRetreatState, hexes: tuple[int, ...], units: tuple[int, ...]) -> str:
        where = ", ".join(s.game.board.labels[node] for node in hexes)
        return f"Choose units and further hexes for the attack on {where}."

    def chosen(self, s: NoRetreatState, hexes: tuple[int, ...], units: tuple[int, ...]) -> tuple[int, ...]:
        return units

    def legal(self, s: NoRetreatState, hexes: tuple[int, ...], units: tuple[int, ...]) -> list[Action]:
        act, line = s.game.act, front(s)
        found = [act["add"][unit] for unit in line.of(hexes[0]) if self._may_add(line, hexes, units, unit)]
        found += [act["join"][node] for node in line.hexes if self._may_join(line, hexes, units, node)]
        if units and not self._stranded(line, hexes, units):
            found.append(act["fight"][()])
        return found

    def _may_add(self, line: Front, hexes: tuple[int, ...], units: tuple[int, ...], unit: int) -> bool:
        """Next to all hexes, and no other target left that only these units could attack but not join."""
        if unit in units or not all(unit in line.of(node) for node in hexes):
            return False
        more = (*units, unit)
        return all(set(more) <= set(line.of(node)) for node in self._stranded(line, hexes, more))

    def _may_join(self, line: Front, hexes: tuple[int, ...], units: tuple[int, ...], node: int) -> bool:
        able = line.of(node)
        if node in hexes or not all(unit in able for unit in units):
            return False
        return bool(units) or any(all(unit in line.of(other) for other in hexes) for unit in able)

    def _stranded(self, line: Front, hexes: tuple[int, ...], units: tuple[int, ...]) -> list[int]:
        """Other targets for which nobody would be left."""
        return [node for node, able in zip(line.hexes, line.units, strict=True)
                if node not in hexes and all(unit in units for unit in able)]  # fmt: skip

    def do(self, s: NoRetreatState, action: Action, hexes: tuple[int, ...], units: tuple[int, ...]) -> None:
        if action.kind == "add":
            s.replace("combat.build", hexes, (*units, number(action)))
        elif action.kind == "join":
            s.replace("combat.build", (*hexes, number(action)), units)
        else:
            s.pop()
            open_battle(s, planned(s, hexes, units))

    def why_not(self, s: NoRetreatState, action: Action, hexes: tuple[int, ...], units: tuple[int, ...]
                ) -> list[Citation]:  # fmt: skip
        if action.kind == "add":
            return [self._why_not_add(s, hexes, units, number(action))]
        if action.kind == "join":
            return [refuse("10.3.3", "every attacker must be next to every target hex")]
        if action.kind == "fight":
            reason = "every declared target must be attacked" if units else "nobody attacks yet"
            return [refuse("10.1.2.f" if units else "10.3.1", reason)]
        return []

    def _why_not_add(self, s: NoRetreatState, hexes: tuple[int, ...], units: tuple[int, ...], unit: int) -> Citation:
        if s.game.side_of[unit] != s.player:
            return refuse("2.3.f", "that unit belongs to the other side")
        if s.has_attacked(unit) or unit in units:
            return refuse("10.3.4", "no unit attacks twice in a Combat Phase")
        if not s.on_map(unit) or not all(s.at[unit] in s.game.charts.beside[node] for node in hexes):
            return refuse("10.3.3", "every attacker must be next to every target hex")
        if any(node in s.targets for node in hexes):
            reason = can_attack(s, unit)
            if reason:
                return reason
        return refuse("10.1.2.f", "another target would be left without an attack")

    def forecast(self, s: NoRetreatState, action: Action, hexes: tuple[int, ...], units: tuple[int, ...]
                 ) -> Forecast | None:  # fmt: skip
        from counterblow.games.noretreat.forecast import forecast_battle

        if action.kind == "add":
            units = (*units, number(action))
        elif action.kind == "join":
            hexes = (*hexes, number(action))
        return forecast_battle(s, planned(s, hexes, units)) if units else None


def planned(s: NoRetreatState, hexes: tuple[int, ...], units: tuple[int, ...]) -> Battle:
    """10.4.b: all units in the target hexes defend, but white ones in a Counterblow hex (10.1.2.c)."""
    blows = tuple(node for node in hexes if node in s.blows or node in s.standing)
    foes = [u for node in hexes for u in s.stack(node) if not (node in blows and s.is_white(u))]
    voluntary = sum(node in s.targets for node in hexes)
    return Battle(s.player, units, hexes, tuple(foes), blows, voluntary=voluntary)


def open_battle(s: NoRetreatState, battle: Battle) -> None:
    """10.3.4: markers come off and the attackers are spent; then the Battle Procedure (10.5)."""
    s.targets = tuple(n for n in s.targets if n not in battle.hexes)
    s.blows = tuple(n for n in s.blows if n not in battle.hexes)
    s.standing = tuple(n for n in s.standing if n not in battle.hexes)
    s.attacks += battle.voluntary
    for unit in battle.units:
        s.marks[unit] |= ATTACKED
    s.log("battle", "{units} attack {hexs}", "10.0", units=battle.units, hexs=battle.hexes)
    begin(s, battle)


def begin(s: NoRetreatState, battle: Battle) -> None:
    """10.5: the steps of a battle, for the first attack and for every counterattack (10.7.2)."""
    s.battle = battle
    s.queue(
        ("battle.terrain",),
        ("battle.support",),
        ("battle.commit", battle.side),
        ("battle.commit", 1 - battle.side),
        ("battle.roll",),
    )


def combat_over(s: NoRetreatState) -> None:
    """Demands of events (cards 18 and 21) are judged when all battles are done."""
    for side, needed, points in s.demands:
        if side == s.player and s.attacks < needed:
            s.log("demand", "{side} made {n} attacks, too few", "12.7.5.b", side=side, n=s.attacks)
            score(s, 1 - side, points, "12.7.5.b")
    s.demands = ()
    s.targets = s.blows = ()


# ---------------------------------------------------------------------- 10.5.2 commitment


def fighting(s: NoRetreatState) -> Battle:
    assert s.battle is not None
    return s.battle


@flow.step("battle.terrain")
def terrain_choice(s: NoRetreatState) -> None:
    """10.6.1.c: with several hexes the defender chooses whose terrain counts."""
    battle = fighting(s)
    if len(battle.hexes) == 1:
        s.battle = battle._replace(terrain=battle.hexes[0])
        return
    grounds = {assess(s, battle._replace(terrain=node)).shifts for node in battle.hexes}
    if len(grounds) > 1:  # even if the column is the same now: events may still change it
        s.push("battle.ground")
    else:
        s.battle = battle._replace(terrain=battle.hexes[0])


@flow.choice
class ChooseGround(Choice[NoRetreatState]):
    name = "battle.ground"
    rules = ("10.6.1.c",)

    def side(self, s: NoRetreatState) -> int:
        return 1 - fighting(s).side

    def prompt(self, s: NoRetreatState) -> str:
        return "Choose the hex whose terrain counts."

    def legal(self, s: NoRetreatState) -> list[Action]:
        return [s.game.act["ground"][node] for node in fighting(s).hexes]

    def do(self, s: NoRetreatState, action: Action) -> None:
        s.pop()
        s.battle = fighting(s)._replace(terrain=number(action))


@flow.step("battle.support")
def support_choice(s: NoRetreatState) -> None:
    battle = fighting(s)
    if s.support[battle.side] and not all(s.unsupplied(unit) for unit in battle.units):
        s.push("battle.marker")


@flow.choice
class CommitSupport(Choice[NoRetreatState]):
    """10.5.2.a, 10.6.2: one Blitz! or Shock! marker a battle, for the attacker."""

    name = "battle.marker"
    rules = ("10.5.2.a", "10.6.2.a")

    def side(self, s: NoRetreatState) -> int:
        return fighting(s).side

    def prompt(self, s: NoRetreatState) -> str:
        return f"Commit a {'Blitz!' if fighting(s).side == AXIS else 'Shock!'} marker to this battle?"

    def chosen(self, s: NoRetreatState) -> tuple[int, ...]:
        return fighting(s).units

    def legal(self, s: NoRetreatState) -> list[Action]:
        return [s.game.act["support"][()], s.game.act["pass"][()]]

    def do(self, s: NoRetreatState, action: Action) -> None:
        s.pop()
        if action.kind == "support":
            side = fighting(s).side
            blitz, shock = s.support
            s.support = (blitz - 1, shock) if side == AXIS else (blitz, shock - 1)
            s.battle = fighting(s)._replace(support=1)
            s.log("support", "{side} commits a Support marker", "10.5.2.a", side=side)

    def forecast(self, s: NoRetreatState, action: Action) -> Forecast | None:
        from counterblow.games.noretreat.forecast import forecast_battle

        return forecast_battle(s, fighting(s)._replace(support=1 if action.kind == "support" else 0))


@flow.step("battle.commit")
def commit_window(s: NoRetreatState, side: int) -> None:
    """10.5.2.b: the attacker, then the defender, may play one event before the roll."""
    if not wants(s, side, "commit"):
        return
    offer_event(s, side, "commit", 0)


def offer_event(s: NoRetreatState, side: int, moment: str, number_passed: int) -> bool:
    """Ask a side for an event in the battle, if it has one or wants to be asked. True if it is asked."""
    plays = playable(s, side, moment)
    if plays or (asks_always(s, side) and side != s.player):
        s.offer(plays + passes(s, side), "battle.card", side, moment, number_passed)
        return True
    return False


@flow.choice
class BattleEvent(Choice[NoRetreatState]):
    """One event before the roll ("commit"), one after it ("rolled"), for each side."""

    name = "battle.card"
    rules = ("10.5.2.b",)

    def side(self, s: NoRetreatState, side: int, moment: str, passed: int) -> int:
        return side

    def prompt(self, s: NoRetreatState, side: int, moment: str, passed: int) -> str:
        if moment == "commit":
            return "Play an event in this battle, or pass."
        return f"The result is {fighting(s).result}: play an event, or pass."

    def legal(self, s: NoRetreatState, side: int, moment: str, passed: int) -> list[Action]:
        return playable(s, side, moment) + passes(s, side)

    def do(self, s: NoRetreatState, action: Action, side: int, moment: str, passed: int) -> None:
        s.pop()
        played = action.kind not in ("pass", "silent")
        if action.kind == "silent":
            s.silent |= 1 << side
        if moment == "rolled":
            s.push("battle.after", 1 - side, 0 if played else passed + 1)
        if played:
            s.battle = fighting(s)._replace(used=fighting(s).used | 1 << side)
            play(s, action)

    def why_not(self, s: NoRetreatState, action: Action, side: int, moment: str, passed: int) -> list[Citation]:
        return why_not_play(s, action, side, moment)

    def forecast(self, s: NoRetreatState, action: Action, side: int, moment: str, passed: int) -> Forecast | None:
        from counterblow.games.noretreat.forecast import forecast_battle

        if moment != "commit":
            return None
        battle = fighting(s)
        if action.kind not in ("pass", "silent"):
            *events, target = (*action.args, -1) if action.kind in ("play", "replay") else action.args
            battle = battle._replace(cards=cards_with(s, battle, events[-1], target))
        return forecast_battle(s, battle)


def cards_with(s: NoRetreatState, battle: Battle, event: int, value: int) -> tuple[tuple[int, int], ...]:
    """The events in force once another is played; Jet Fighters (card 51) void those of the other side."""
    if s.game.half(event).op == "cancel_event":
        return tuple(card for card in battle.cards if card[0] & 1 == event & 1)
    return (*battle.cards, (event, value))


# ---------------------------------------------------------------------- 10.5.3, 10.5.4, 10.6 odds and shifts


class Shift(NamedTuple):
    amount: int
    text: str
    rule: str


class Assessment(NamedTuple):
    """Strengths, odds and shifts of a battle. ``column`` is below 0 for an automatic CA (10.6.4.b)."""

    attack: int
    defence: int
    initial: int
    shifts: tuple[Shift, ...]
    column: int


def assess(s: NoRetreatState, battle: Battle) -> Assessment:
    attack = total(s, battle.units, battle)
    defence = total(s, battle.foes, battle)
    odds = s.game.charts.odds
    initial = odds.column(attack, defence) if defence else len(odds.headings) - 1
    found = tuple(shifts(s, battle))
    column = initial
    if initial >= 0:
        column = min(initial + sum([shift.amount for shift in found]), len(odds.headings) - 1)
    return Assessment(attack, defence, initial, found, column)


def total(s: NoRetreatState, units: tuple[int, ...], battle: Battle) -> int:
    """10.5.1: strengths, doubled by some events, with Local Combat Support (15.3)."""
    result = 0
    for unit in units:
        strength = s.strength(unit) + options.support_bonus(s, unit)
        for event, value in battle.cards:
            if value == unit:
                strength *= s.game.half(event).get("strength_multiplier", 1)
        result += strength
    return result


def shifts(s: NoRetreatState, battle: Battle) -> list[Shift]:
    """10.6: everything that moves the column, with its rule."""
    found = ground_shifts(s, battle)
    found += _force_shifts(s, battle)
    found += _weather_shift(s, battle)
    if battle.support:
        double = battle.side == SOVIET and first_snow(s)
        name = "Blitz!" if battle.side == AXIS else "Shock!"
        rule = "10.6.2.b" if double else "10.6.2.a"
        found.append(Shift(2 if double else 1, f"{name} marker", rule))
    for event, _ in battle.cards:
        half = s.game.half(event)
        if half.get("shift", 0) and half.op == "shift":
            found.append(Shift(half.get("shift"), half.name, "10.5.4"))
    return found


def ground(battle: Battle) -> int:
    return battle.terrain if battle.terrain >= 0 else battle.hexes[0]


def ground_shifts(s: NoRetreatState, battle: Battle) -> list[Shift]:
    """10.6.1: terrain of the defender's hex; none in a counterattack (10.7.2.b) or Counterblow (10.1.2.e)."""
    node, charts = ground(battle), s.game.charts
    if battle.counter or node in battle.blows:
        return []
    found: list[tuple[str, Shift]] = []
    terrain = charts.terrain[node]
    if terrain.shift:
        found.append((terrain.name, Shift(terrain.shift, terrain.name, "10.6.1.a")))
    if charts.objective_hex[node]:
        shift = charts.terrain_chart["objective_hexside"].shift
        found.append(("objective_hexside", Shift(shift, "Objective hexside", "10.6.1.b")))
    rivers = charts.weather[s.sky].rivers
    if rivers and all(charts.river_between(s.at[unit], node) for unit in battle.units):
        found.append(("river", Shift(charts.terrain_chart["river_hexside"].shift, "river", "10.6.1.a")))
    if s.works and s.works == (node, 1 - battle.side):
        found.append(("works", Shift(-1, "Defensive Works", "14.13")))
    for event, _ in battle.cards:
        half = s.game.half(event)
        if half.op == "ignore_shift" and (not half.get("region", "") or charts.in_germany[node]):
            found = _ignoring(found, half.get("ignore_shifts"), half.get("ignore_count", 9))
    return [shift for _, shift in found]


def _ignoring(found: list[tuple[str, Shift]], names: list[str], count: int) -> list[tuple[str, Shift]]:
    """Events that ignore terrain shifts remove only shifts that were counted."""
    kept = []
    for name, shift in found:
        if count and (name in names or ("any_terrain" in names and name != "works")):
            count -= 1
        else:
            kept.append((name, shift))
    return kept


def _force_shifts(s: NoRetreatState, battle: Battle) -> list[Shift]:
    """Armor, Shock and SS units, and Unsupplied defenders."""
    found = []
    bonus = armor_bonus(s, battle)
    if bonus and not any(s.game.half(event).op == "cancel_armor_bonus" for event, _ in battle.cards):
        found.append(bonus)
    for unit in battle.units:
        if s.game.counters[unit].shock and s.face[unit] == 1:
            found.append(Shift(1, f"{s.game.unit_names[unit]} (Shock unit)", "14.7.a"))
    if s.game.ss_grenadier in battle.foes:
        found.append(Shift(-1, "SS Panzergrenadier", "14.6.a"))
    if any(s.unsupplied(unit) for node in battle.hexes for unit in s.stack(node)):
        found.append(Shift(2, "Unsupplied defender", "6.5.4.c"))
    return found


def armor_bonus(s: NoRetreatState, battle: Battle) -> Shift | None:
    """10.6.3, 14.5.a: once a battle; terrain denies it even in counterattacks."""
    game = s.game
    if game.ss_panzer in battle.units and not s.unsupplied(game.ss_panzer):
        return Shift(1, "SS Panzer Army", "14.5.a")
    if not any(s.is_armor(u) and not s.unsupplied(u) and keeps_bonuses(s, u) for u in battle.units):
        return None
    if not game.charts.weather[s.sky].armor_bonus:
        return None
    if game.charts.terrain[ground(battle)].name not in ("clear", "balkans"):
        return None
    if any(s.is_armor(unit) or s.is_mech(unit) for unit in battle.foes):
        return None
    return Shift(1, "Armor Bonus", "10.6.3.a")


def keeps_bonuses(s: NoRetreatState, unit: int) -> bool:
    """13.5.Oil.a, 14.3.a: without Rumanian oil only SS armor keeps them on the German side."""
    dry = s.oil_turn and s.turn > s.oil_turn
    return not dry or s.game.side_of[unit] == SOVIET or s.game.counters[unit].ss


def _weather_shift(s: NoRetreatState, battle: Battle) -> list[Shift]:
    """13.1: Axis attacks in the USSR in Snow; not a terrain shift (ruling 47)."""
    weather = s.game.charts.weather[s.sky]
    if battle.side == SOVIET or not weather.axis_shift or not s.game.charts.in_ussr[ground(battle)]:
        return []
    if all(s.game.counters[unit].nation == "Finnish" for unit in battle.units):
        return []
    amount = weather.axis_shift_turn_5 if "two_shift_penalty" in s.game.in_force(s.turn) else weather.axis_shift
    return [Shift(amount, weather.name, "13.1.lw.c" if weather.name == "Long Winter" else "13.1.snow.c")]


def first_snow(s: NoRetreatState) -> bool:
    """10.6.2.b: turn 4 if it snows then, else turn 5 (ruling 38)."""
    early, late = s.game.first_snow_turns
    return s.snowed(s.turn) and (s.turn == early or (s.turn == late and not s.snowed(early)))


def crt_side(s: NoRetreatState, side: int) -> int:
    """10.5.5, 13.1.snow.a: the Axis uses the Soviet table in Snow."""
    return s.game.charts.weather[s.sky].axis_crt if side == AXIS else SOVIET
