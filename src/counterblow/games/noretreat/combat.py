"""Chapter 10, first part: declaring battles, choosing who attacks, support and events before the roll (10.1-10.5.2)."""

from __future__ import annotations

from typing import Any

from counterblow.games.noretreat import cards
from counterblow.games.noretreat.components import ATTACKED, AXIS, SOVIET, UNSUPPLIED
from counterblow.games.noretreat.odds import MARKERS, assess, cards_with, fighting, forecast_battle
from counterblow.games.noretreat.special import score
from counterblow.games.noretreat.state import Battle, NoRetreatState, flow, pair, why_not_own
from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.gather import Gather, Plan
from counterblow.kernel.pick import Deed, Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse

Front = dict[int, list[int]]  # the battles still to be fought: hexes, and who could attack each
ROLL, AFTER_ROLL = flow.later("results.roll"), flow.later("results.after_roll")

# ---------------------------------------------------------------------- 10.1 declaring battles


@flow.step
def combat_phase(s: NoRetreatState) -> None:
    """4.5, 10.1.a: all battles are declared, then fought."""
    s.targets = s.blows = s.fought = ()
    s.standing = tuple(n for n in s.standing if s.held[AXIS][n] or s.held[SOVIET][n])
    for unit in s.army(s.mover):
        s.marks[unit] &= ~ATTACKED
    s.queue((DeclareTargets,), (targets_declared,), (offer_counterblows,), (next_battle,))


@flow.step
def targets_declared(s: NoRetreatState) -> None:
    if s.targets:
        cards.window(s, 1 - s.mover, "declared")


def why_not_attack(s: NoRetreatState, unit: int) -> Citation | None:
    """10.1.1.b, 7.9.d, 2.3.d, 15.8: who takes part in a voluntary attack."""
    if s.disorganized(unit):
        return refuse("10.1.1.b", "a Disorganized unit cannot attack voluntarily")
    if s.is_white(unit):
        return refuse("2.3.d", "a white-strength unit cannot attack voluntarily")
    return None if s.strength(unit) else refuse("15.8", "it has no combat strength")


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


def target_limit(s: NoRetreatState) -> tuple[int, Citation]:
    """Target markers that may be placed, and the rule when none is left."""
    weather, event = s.game.charts.weather[s.sky].axis_targets_max, s.game.axis_target_limit[s.turn]
    if s.mover == AXIS and event < weather:
        rule = "13.5.26" if event == 1 else "13.5.20"
        return event, refuse(rule, f"all {event} Target markers of this turn are placed")
    if s.mover == AXIS and weather < s.game.markers_each:
        return weather, refuse("13.1.lw.b", "three Target markers in Long Winter are placed")
    return s.game.markers_each, refuse("10.1.d", "five markers a side")


@flow.choice
class DeclareTargets(Pick[NoRetreatState]):
    """10.1.b: enemy hexes next to a unit that may attack, not yet marked."""

    kind, passing, stays = "target", "done", True

    def candidates(self, s: NoRetreatState) -> list[int]:
        return in_contact(s, 1 - s.mover) if len(s.targets) < target_limit(s)[0] else []

    def why_not_item(self, s: NoRetreatState, node: int) -> Citation | None:
        if not s.held[1 - s.mover][node]:
            return refuse("10.1.b", "no enemy unit is there")
        if node in s.targets:
            return refuse("10.3.4", "it is a target already, and no target hex is attacked twice")
        if node in s.standing:
            return refuse("10.1.c", "a Counterblow marker is there")
        if not available(s, node, True):
            return self._why_nobody(s, node)
        allowed = s.game.plays[s.scenario].first_targets if s.turn == 1 and s.mover == AXIS else ()
        if allowed and not any(unit in allowed for unit in s.stack(node)):
            return refuse("3.0", "the scenario does not allow this target on turn 1")
        limit, rule = target_limit(s)
        return rule if len(s.targets) >= limit else None

    def undone(self, s: NoRetreatState) -> str:
        hexes = len(self.items(s))
        return "" if s.targets else f"no target is marked, though {hexes} hex{'es' * (hexes != 1)} can be attacked"

    def _why_nobody(self, s: NoRetreatState, node: int) -> Citation:
        beside = [u for n in s.game.charts.beside[node] if s.held[s.mover][n] for u in s.stack(n)]
        reasons = [reason for reason in (why_not_attack(s, unit) for unit in beside) if reason]
        return reasons[0] if reasons else refuse("10.1.b", "no unit of yours is next to it across an open hexside")

    def take(self, s: NoRetreatState, node: int) -> None:
        s.targets = (*s.targets, node)
        s.log("target", "{place} is a target", "10.1.1.a", place=node)


# ---------------------------------------------------------------------- 10.1.2 Counterblows


def counterblow_hexes(s: NoRetreatState) -> list[int]:
    """10.1.2: hexes of the non-phasing side that may get a Counterblow marker."""
    return [node for node in in_contact(s, 1 - s.mover) if why_not_counterblow(s, node) is None]


def why_not_counterblow(s: NoRetreatState, node: int) -> Citation | None:
    side = 1 - s.mover
    if not s.held[side][node]:
        return refuse("10.1.2.a", "no unit of yours is there")
    if node in s.targets:
        return refuse("10.1.2.g", "a Target marker is there")
    if node in s.blows or node in s.standing:
        return refuse("10.1.c", "a Counterblow marker is there")
    if not may_strike_back(s, node):
        return refuse("10.1.2.b", "only white-strength units are there")
    if not any(s.held[s.mover][n] for n in s.game.charts.beside[node]):
        return refuse("10.1.2.a", "no phasing unit is next to it")
    used = len(s.blows) + sum(1 for other in s.standing if s.held[side][other])
    return refuse("10.1.d", "five markers a side") if used >= s.game.markers_each else None


def may_strike_back(s: NoRetreatState, node: int) -> bool:
    """10.1.2.b, ruling 36: is there more than white-strength units in a hex?"""
    return any(not s.is_white(unit) and s.strength(unit) for unit in s.stack(node))


@flow.step
def offer_counterblows(s: NoRetreatState) -> None:
    """A Counterblow or an event at a time, until there is nothing more to declare."""
    side = 1 - s.mover
    if cards.asks_always(s, side) and not s.silent >> side & 1:
        s.push(DeclareCounterblows)
    else:
        s.ask(DeclareCounterblows)


class BuyCounterblow(Pick[NoRetreatState]):
    kind, stays, other = "counterblow", True, True

    def items(self, s: NoRetreatState) -> list[int]:
        return counterblow_hexes(s) if cards.hand_count(s, 1 - s.mover) else []

    def why_not_item(self, s: NoRetreatState, node: int) -> Citation | None:
        return why_not_counterblow(s, node) or refuse("10.1.2.a", "a Counterblow costs one card, and the hand is empty")

    def take(self, s: NoRetreatState, node: int) -> None:
        mark_counterblow(s, node)
        cards.charge(s, 1 - s.mover, s.game.number["counterblow"], "10.1.2.a")


@flow.choice
class DeclareCounterblows(Menu[NoRetreatState]):
    parts = (BuyCounterblow(), cards.PlayEvent("counterblow", other=True))

    def do(self, s: NoRetreatState, action: Action) -> None:
        if action.kind != "done":
            s.replace(offer_counterblows)
        super().do(s, action)


def mark_counterblow(s: NoRetreatState, node: int) -> None:
    s.blows = (*s.blows, node)
    s.log("counterblow", "Counterblow in {place}", "10.1.2.a", place=node)


# ---------------------------------------------------------------------- 10.2, 10.3 order and allocation


def blow_hexes(s: NoRetreatState) -> tuple[int, ...]:
    """Counterblow hexes that the phasing side must attack: bought ones, and standing ones (10.7.pending)."""
    enemy = s.held[1 - s.mover]
    return (*s.blows, *(node for node in s.standing if enemy[node]))


def available(s: NoRetreatState, node: int, voluntary: bool) -> list[int]:
    """10.3.4, 10.1.1.b, 10.1.2.d: units that could still attack a hex."""
    here, own, marks = s.here, s.held[s.mover], s.marks
    found = []
    for there in s.game.charts.beside[node]:
        if own[there]:
            for unit in here[there]:
                if not marks[unit] & ATTACKED and (not voluntary or why_not_attack(s, unit) is None):
                    found.append(unit)
    return found


def front(s: NoRetreatState) -> Front:
    """Targets that hold an enemy, and who can still attack each; without anybody they have no effect (ruling 45)."""
    found: Front = {}
    enemy = s.held[1 - s.mover]
    for nodes, voluntary in ((s.targets, True), (blow_hexes(s), False)):
        for node in nodes:
            able = available(s, node, voluntary) if enemy[node] else []
            if able:
                found[node] = able
    return found


@flow.step
def next_battle(s: NoRetreatState) -> None:
    """10.2: battles in any order until every target is attacked."""
    hexes = front(s) if s.targets or s.blows or s.standing else {}
    if not hexes:
        combat_over(s)
        return
    s.push(next_battle)
    s.offer([s.game.act["attack"][node] for node in hexes], ChooseBattle)


@flow.choice
class ChooseBattle(Pick[NoRetreatState]):
    kind, stays = "attack", True

    def items(self, s: NoRetreatState) -> list[int]:
        return list(front(s))

    def why_not_item(self, s: NoRetreatState, node: int) -> Citation | None:
        if node in s.fought:
            return refuse("10.3.4", "it was attacked already")
        if node in s.targets or node in blow_hexes(s):
            return refuse("10.3.4", "nobody who has not attacked yet is next to it")
        return refuse("10.1.a", f"it was not declared as a target: what is left is {s.game.all_of(front(s))}")

    def take(self, s: NoRetreatState, node: int) -> None:
        s.push(Attack, Plan(s.mover, (node,)))


@flow.choice
class Attack(Gather[NoRetreatState]):
    """10.3.2, 10.3.3.a: the hexes and units of one battle; every unit next to every hex.

    10.4.c: units stacked together may attack apart.
    Finland and the Balkans are hexes like others (8.6.b, 8.6.d).
    """

    joining, drawing, committing = "add", "join", "fight"

    def prompt(self, s: NoRetreatState, plan: Plan) -> str:
        return f"Choose units and further hexes for the attack on {s.game.all_of(plan.targets)}."

    def line(self, s: NoRetreatState) -> Front:
        found: Front = s.kept("front") or s.keep("front", front(s))
        return found

    def stranded(self, s: NoRetreatState, plan: Plan) -> list[int]:
        """Other targets for which a plan would leave nobody."""
        others = [(node, able) for node, able in self.line(s).items() if node not in plan.targets]
        return [node for node, able in others if all(unit in plan.units for unit in able)]

    def candidates(self, s: NoRetreatState, plan: Plan) -> list[int]:
        return self.line(s)[plan.targets[0]]

    def why_not_join(self, s: NoRetreatState, plan: Plan, unit: int) -> Citation | None:
        foreign = why_not_own(s, unit, s.mover)
        if foreign:
            return foreign
        if s.marks[unit] & ATTACKED or unit in plan.units:
            return refuse("10.3.4", "no unit attacks twice in a Combat Phase")
        if not s.on_map(unit) or not all(s.at[unit] in s.game.charts.beside[node] for node in plan.targets):
            return refuse("10.3.3", "every attacker must be next to every target hex")
        barred = why_not_attack(s, unit) if any(node in s.targets for node in plan.targets) else None
        if barred:
            return barred
        line, more = self.line(s), plan.joined(unit)
        alone = [node for node in self.stranded(s, more) if not set(more.units) <= set(line[node])]
        return self.why_stranded(s, more, alone)

    def further(self, s: NoRetreatState, plan: Plan) -> list[int]:
        return [node for node in self.line(s) if self.why_not_further(s, plan, node) is None]

    def why_not_further(self, s: NoRetreatState, plan: Plan, node: int) -> Citation | None:
        line = self.line(s)
        if node in plan.targets:
            return refuse("10.3.4", "it is under attack already")
        if node not in line:
            return ChooseBattle().why_not_item(s, node)
        able = line[node]
        together = plan.units or [u for u in able if all(u in line[other] for other in plan.targets)]
        if together and all(unit in able for unit in together):
            return None
        return refuse("10.3.3", "every attacker must be next to every target hex")

    def why_not_commit(self, s: NoRetreatState, plan: Plan) -> Citation | None:
        if not plan.units:
            return refuse("10.3.1", "nobody attacks yet")
        return self.why_stranded(s, plan, self.stranded(s, plan))

    def why_stranded(self, s: NoRetreatState, plan: Plan, hexes: list[int]) -> Citation | None:
        """Targets are left for which only units of the plan could fight."""
        if not hexes:
            return None
        able = s.game.all_units([u for u in plan.units if any(u in self.line(s)[node] for node in hexes)], "or")
        return refuse("10.1.2.f", f"nobody would be left for {s.game.all_of(hexes)}, which only {able} could attack")

    def commit(self, s: NoRetreatState, plan: Plan) -> None:
        s.pop()  # the choice of the battle
        open_battle(s, planned(s, plan.targets, plan.units))

    def outlook(self, s: NoRetreatState, plan: Plan) -> Forecast:
        return forecast_battle(s, planned(s, plan.targets, plan.units))


def planned(s: NoRetreatState, hexes: tuple[int, ...], units: tuple[int, ...]) -> Battle:
    """10.4.b, 10.7.3.a: all units in the target hexes defend, but white ones in a Counterblow hex (10.1.2.c)."""
    blows = tuple(node for node in hexes if node in s.blows or node in s.standing)
    foes = [u for node in hexes for u in s.stack(node) if not (node in blows and s.is_white(u))]
    voluntary = sum(node in s.targets for node in hexes)
    return Battle(s.mover, units, hexes, tuple(foes), blows, voluntary=voluntary)


def open_battle(s: NoRetreatState, battle: Battle) -> None:
    """10.3.4, 10.4.a: markers come off and the attackers are spent; then the Battle Procedure (10.5)."""
    s.targets, s.blows, s.standing = (
        tuple(node for node in marked if node not in battle.hexes) for marked in (s.targets, s.blows, s.standing)
    )
    s.fought = (*s.fought, *battle.hexes)
    s.attacks += battle.voluntary
    for unit in battle.units:
        s.marks[unit] |= ATTACKED
    verb = "attack" if len(battle.units) > 1 else "attacks"
    s.log("battle", f"{{units}} {verb} {{places}}", "10.0", units=battle.units, places=battle.hexes)
    begin(s, battle)


def begin(s: NoRetreatState, battle: Battle) -> None:
    """10.5: the steps of a battle, for the first attack and for every counterattack (10.7.2.d, 10.7.2.e)."""
    s.battle = battle
    s.queue((settle_ground,), (offer_support,), (commitment, battle.side), (commitment, 1 - battle.side), (ROLL,))


def combat_over(s: NoRetreatState) -> None:
    """Demands of events (cards 18 and 21) are judged when all battles are done."""
    for side, needed, points in s.demands:
        if side == s.mover and s.attacks < needed:
            s.log("demand", "attacks made by {who}: {n}, too few", "12.7.5.b", who=side, n=s.attacks)
            score(s, 1 - side, points, "12.7.5.b")
    s.demands = ()
    s.targets = s.blows = ()


# ---------------------------------------------------------------------- 10.5.2 commitment


@flow.step
def settle_ground(s: NoRetreatState) -> None:
    """10.6.1.c: with several hexes the defender chooses whose terrain counts."""
    battle = fighting(s)
    grounds = [battle._replace(terrain=node) for node in battle.hexes]
    if len({assess(s, ground).shifts for ground in grounds} if len(grounds) > 1 else grounds) > 1:
        s.push(ChooseGround)  # even if the column is the same now: events may still change it
    else:
        s.battle = grounds[0]


@flow.choice
class ChooseGround(Pick[NoRetreatState]):
    kind = "ground"

    def side(self, s: NoRetreatState) -> int:
        return 1 - fighting(s).side

    def items(self, s: NoRetreatState) -> tuple[int, ...]:
        return fighting(s).hexes

    def why_not_item(self, s: NoRetreatState, node: int) -> Citation | None:
        return refuse("10.6.1.c", f"what is attacked in this battle is {s.game.all_of(fighting(s).hexes)}")

    def take(self, s: NoRetreatState, node: int) -> None:
        s.battle = fighting(s)._replace(terrain=node)

    def outlook(self, s: NoRetreatState, node: int) -> Forecast:
        return forecast_battle(s, fighting(s)._replace(terrain=node))


@flow.step
def offer_support(s: NoRetreatState) -> None:
    """10.6.2.c: not for an attack made only by Unsupplied units."""
    battle = fighting(s)
    if s.support[battle.side] and not all(s.unsupplied(unit) for unit in battle.units):
        s.push(CommitSupport)


@flow.choice
class CommitSupport(Deed[NoRetreatState]):
    """10.5.2.a, 10.6.2.a, 10.6.2.d: one Blitz! or Shock! marker a battle, for the attacker."""

    kind, passing = "support", "pass"

    def side(self, s: NoRetreatState) -> int:
        return fighting(s).side

    def prompt(self, s: NoRetreatState) -> str:
        return f"Commit a {MARKERS[fighting(s).side]} marker to the attack on {s.game.all_of(fighting(s).hexes)}?"

    def chosen(self, s: NoRetreatState) -> tuple[int, ...]:
        return fighting(s).units

    def perform(self, s: NoRetreatState) -> None:
        side = fighting(s).side
        s.support = pair(s.support, side, s.support[side] - 1)
        s.battle = fighting(s)._replace(support=1)
        s.log("support", "a {marker} marker is committed", "10.5.2.a", marker=MARKERS[side])

    def forecast(self, s: NoRetreatState, action: Action) -> Forecast:
        return forecast_battle(s, fighting(s)._replace(support=int(action.kind == "support")))


@flow.step
def commitment(s: NoRetreatState, side: int) -> None:
    """10.5.2.b: the attacker, then the defender, may play one event before the roll."""
    offer_event(s, side, "commit", 0)


def offer_event(s: NoRetreatState, side: int, moment: str, passed: int) -> bool:
    """Ask a side for an event in the battle, if it has one or wants to be asked. True if it is asked."""
    if not cards.wants(s, side, moment):
        return False
    plays = cards.playable(s, side, moment)
    if plays or (cards.asks_always(s, side) and side != s.mover):
        s.offer(plays + cards.passes(s, side), BattleEvent, side, moment, passed)
        return True
    return False


@flow.choice
class BattleEvent(cards.React):
    """10.5.2.b: one event before the roll ("commit"), one after it ("rolled"), for each side."""

    def prompt(self, s: NoRetreatState, side: int, moment: str, *args: Any) -> str:
        where = s.game.all_of(fighting(s).hexes)
        if moment == "commit":
            return f"Play an event in the battle for {where}, or pass."
        return f"The result in {where} is {fighting(s).result}: play an event, or pass."

    def answered(self, s: NoRetreatState, played: bool, side: int, moment: str, *args: Any) -> None:
        if moment == "rolled":
            s.push(AFTER_ROLL, 1 - side, 0 if played else args[0] + 1)
        if played:
            s.battle = fighting(s)._replace(used=fighting(s).used | 1 << side)

    def forecast(self, s: NoRetreatState, action: Action, side: int, moment: str, *args: Any) -> Forecast | None:
        if moment != "commit":
            return None
        battle = fighting(s)
        if action.kind in cards.PLAYS:
            *events, target = (*action.args, -1) if action.kind in ("play", "replay") else action.args
            battle = battle._replace(cards=cards_with(s, battle, events[-1], target))
        return forecast_battle(s, battle)
