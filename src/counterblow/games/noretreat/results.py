"""Chapter 10, second part: the die, results, counterattacks and losses (10.5.5-10.7.4)."""

from __future__ import annotations

from counterblow.games.noretreat.advance import Advance
from counterblow.games.noretreat.combat import begin, may_strike_back, offer_event
from counterblow.games.noretreat.odds import (
    Assessment,
    assess,
    counterattack,
    crt_side,
    events_in,
    fighting,
    forecast_battle,
    fort_hexes,
    result_of,
)
from counterblow.games.noretreat.retreat import RETREAT, retreat
from counterblow.games.noretreat.special import PlaceCadre, eliminate, lose_step, shatter
from counterblow.games.noretreat.stacking import check_stacking
from counterblow.games.noretreat.state import Battle, NoRetreatState, flow
from counterblow.kernel.flow import Step, ask
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.losses import Losses
from counterblow.kernel.pick import Deed, Pick
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.walk import Path

# ---------------------------------------------------------------------- 10.5.5 the roll


@flow.step
def roll(s: NoRetreatState) -> None:
    """10.5.5: one die on the attacker's table, unless an event sets the result."""
    battle = s.battle = fighting(s)._replace(used=0)
    fixed = events_in(s, battle, "set_result", "duel")
    if not fixed:
        s.battle = _throw(s, battle)
    elif fixed[-1].op == "duel":
        _duel(s, battle)
        return
    else:
        s.battle = battle._replace(die=0, result=fixed[-1].get("result"))
        s.log("result", "{event}: the result is {result}", "10.5.5", event=fixed[-1].index, result=s.battle.result)
    s.push(after_roll, battle.side, 0)


def _throw(s: NoRetreatState, battle: Battle) -> Battle:
    odds = assess(s, battle)
    s.log("odds", odds_told(s, odds), "10.5.3", "10.5.4")
    if odds.column < 0:
        s.log("result", "odds below 1:3: the result is CA", "10.6.4.b")
        return battle._replace(die=0, result="CA")
    die = s.roll()
    result = result_of(s, battle, die, odds.column)
    table = s.game.side_titles[crt_side(s, battle.side)]
    s.log("roll", "die {n}, result {result}, by the table of the {table}", "10.5.5", n=die, table=table, result=result)
    return battle._replace(die=die, result=result)


def odds_told(s: NoRetreatState, odds: Assessment) -> str:
    """Strengths, every shift with its rule, and the column."""
    headings = (*s.game.charts.odds.headings, "below 1:3")
    shifts = "".join(f", {shift}" for shift in odds.shifts)
    column = f", column {headings[max(-1, odds.column)]}" if shifts else ""
    return f"{odds.attack} against {odds.defence}, {headings[odds.initial]}{shifts}{column}"


def roll_again(s: NoRetreatState) -> None:
    """Events that re-roll: a new roll, on which each side may play again (ruling 41)."""
    s.battle = _throw(s, fighting(s)._replace(used=0))
    s.replace(after_roll, fighting(s).side, 0)


def _duel(s: NoRetreatState, battle: Battle) -> None:
    """Hedgehogs (card 9): no odds, the lower of two dice loses a step."""
    attack, defence = s.roll(), s.roll()
    s.log("roll", "each side rolls: {attack} against {defence}", "10.5.5", attack=str(attack), defence=str(defence))
    s.push(end_battle)
    if attack != defence:
        s.push(ask, StepLoss, battle.units if attack < defence else battle.foes, 1)


@flow.step
def after_roll(s: NoRetreatState, side: int, passes: int) -> None:
    """One event a side on each roll, the roller first, in turn until both pass (5.0.e)."""
    while passes < 2:
        if not fighting(s).used >> side & 1 and offer_event(s, side, "rolled", passes):
            return
        side, passes = 1 - side, passes + 1
    s.push(apply_result)


# ---------------------------------------------------------------------- 10.7 results


@flow.step
def apply_result(s: NoRetreatState) -> None:
    """10.5.6."""
    battle = fighting(s)
    result = battle.result
    s.push(end_battle)
    if result == "CA":
        if battle.foes:
            s.push(Counterattack)
    elif result == "CB":
        _counterblow(s, battle)
    elif result == "EX":
        s.queue(*exchange(battle, battle.foes))
    elif result in ("DR", "DS", "DD"):
        firm = battle.hexes if events_in(s, battle, "stand_fast") else fort_hexes(s, battle)
        {"DR": _defender_retreats, "DS": _defender_shattered, "DD": _defender_destroyed}[result](s, battle, firm)
    else:
        s.log("result", "no effect", "10.7.0")


def exchange(battle: Battle, foes: Path) -> tuple[Step, ...]:
    """10.7.EX, 10.7.1.d: one step a side in all."""
    return (ask, StepLoss, battle.units, 1), (ask, StepLoss, foes, 1)


def _retreating(s: NoRetreatState, battle: Battle, firm: Path) -> Path:
    """10.7.2.c: everyone in a target hex retreats, engaged or not; forts and units with them never (10.7.5.h)."""
    return tuple(unit for node in battle.hexes if node not in firm for unit in s.stack(node))


def _defender_retreats(s: NoRetreatState, battle: Battle, firm: Path) -> None:
    """10.7.DR, 14.1.a: two hexes; forts and units with them stay."""
    for node in firm:
        _volkssturm(s, node)
    nodes = tuple(node for node in battle.hexes if node not in firm)
    if firm:
        s.log("result", "nobody retreats from {places}", "10.7.4", places=firm)
    s.queue((retreat, _retreating(s, battle, firm)), (ask, Advance, nodes, battle.units))


def _volkssturm(s: NoRetreatState, node: int) -> None:
    """14.11.a, 14.11.c: a Volkssturm unit turns a DR into no effect and is then gone."""
    for unit in s.stack(node):
        if s.game.counters[unit].volkssturm:
            s.out_of_play(unit)
            s.log("volkssturm", "{unit} holds {place} and is spent", "14.11.b", unit=unit, place=node)
            return


def _defender_shattered(s: NoRetreatState, battle: Battle, firm: Path) -> None:
    """10.7.DS, 10.7.4: forts turn it into an EX for their hex."""
    foes = tuple(unit for unit in battle.foes if s.at[unit] in firm)
    leaving = tuple(unit for unit in battle.foes if s.at[unit] not in firm)
    beaten = [unit for unit in leaving if RETREAT.paths(s, unit, s.at[unit], 2)]
    s.queue(
        *(exchange(battle, foes) if foes else ()),
        (retreat, tuple(unit for unit in _retreating(s, battle, firm) if unit not in leaving)),
        (ask, Advance, tuple(node for node in battle.hexes if node not in firm), battle.units),
    )
    for unit in leaving:
        if unit in beaten:
            shatter(s, unit, "10.7.DS", "10.7.6")
        else:
            eliminate(s, unit, "10.7.6", "10.7.5.f")


def _defender_destroyed(s: NoRetreatState, battle: Battle, firm: Path) -> None:
    """10.7.DD: every defending unit loses a step, survivors retreat."""
    s.queue(
        *((take_loss, unit) for unit in battle.foes if s.on_map(unit)),
        (retreat, _retreating(s, battle, firm)),
        (ask, Advance, battle.hexes, battle.units),
    )


# ---------------------------------------------------------------------- 10.7.2 counterattack


@flow.choice
class Counterattack(Deed[NoRetreatState]):
    kind, passing = "counterattack", "decline"

    def side(self, s: NoRetreatState) -> int:
        return 1 - fighting(s).side

    def prompt(self, s: NoRetreatState) -> str:
        return f"Counterattack from {s.game.all_of(fighting(s).hexes)}, or let the battle end?"

    def decline(self, s: NoRetreatState) -> None:
        s.log("result", "no counterattack", "10.7.CA")

    def perform(self, s: NoRetreatState) -> None:
        s.pop()  # the end of this battle: the new one brings its own
        foes = fighting(s).foes
        s.log("battle", f"{{units}} counterattack{'s' * (len(foes) == 1)}", "10.7.2.a", units=foes)
        s.queue((pay_price,), (answer,))

    def outlook(self, s: NoRetreatState, item: tuple[int, ...]) -> Forecast:
        return forecast_battle(s, counterattack(s, fighting(s)))


@flow.step
def answer(s: NoRetreatState) -> None:
    """The counterattack begins, unless the price of an event left nobody to attack."""
    battle = fighting(s)
    left = tuple(unit for unit in battle.units if s.on_map(unit))
    if left:
        begin(s, counterattack(s, battle._replace(units=left)))
    else:
        s.queue((check_stacking,), (battle_done,))


# ---------------------------------------------------------------------- 10.7.3 the CB result


def _counterblow(s: NoRetreatState, battle: Battle) -> None:
    """10.7.CB: the phasing player marks one of his hexes, if he has a marker (ruling 12)."""
    units = battle.units if battle.side == s.mover else battle.foes  # 10.7.3.c
    hexes = sorted({s.at[unit] for unit in units} - set(s.standing))
    nodes = tuple(node for node in hexes if may_strike_back(s, node))  # ruling 36
    used = len(s.targets) + sum(1 for node in s.standing if s.held[s.mover][node])
    if nodes and (battle.voluntary or used < s.game.markers_each):
        s.push(PutCounterblow, nodes)
    else:
        s.log("result", "no Counterblow marker can be placed", "10.7.CB")


@flow.choice
class PutCounterblow(Pick[NoRetreatState]):
    kind = "blow"
    otherwise = refuse("10.7.3.c", "it is not one of the phasing player's hexes in this battle: {places}")

    def items(self, s: NoRetreatState, nodes: Path) -> Path:
        return nodes

    def take(self, s: NoRetreatState, node: int, nodes: Path) -> None:
        s.standing = (*s.standing, node)
        s.log("counterblow", "a Counterblow marker stays in {place}", "10.7.3.c", place=node)


# ---------------------------------------------------------------------- 10.7.1 step losses


@flow.choice
class StepLoss(Losses[NoRetreatState]):
    """10.7.1.b: the owner's choice, but some must go first."""

    def eligible(self, s: NoRetreatState, units: Path, left: int) -> list[int]:
        alive = [unit for unit in units if s.on_map(unit)]
        first = self.forts(s, alive) or [unit for unit in alive if self.must(s, unit, alive)]
        return first or alive

    def forts(self, s: NoRetreatState, alive: list[int]) -> list[int]:
        """14.1.c: German forts."""
        return [unit for unit in alive if s.is_fort(unit) and s.game.counters[unit].nation == "German"]

    def must(self, s: NoRetreatState, unit: int, alive: list[int]) -> str:
        """The rule by which a unit takes the loss before others."""
        game, attacking = s.game, fighting(s).side == s.game.side_of[unit]
        if attacking and unit == game.ss_panzer:
            return "14.5.b"
        if attacking and game.counters[unit].shock and s.face[unit] == 1:
            return "14.7.b"
        beside = attacking and game.ss_panzer in alive  # 14.6.c
        return "14.6.b" if unit == game.ss_grenadier and not beside else ""

    def why_not_item(self, s: NoRetreatState, unit: int, units: Path, left: int) -> Citation | None:
        alive = [other for other in units if s.on_map(other)]
        if unit not in alive:
            return refuse(
                "10.7.1.b", f"the loss is taken on this side of the battle, by {s.game.all_units(alive, 'or')}"
            )
        if self.forts(s, alive):
            return refuse("14.1.c", "a German fort takes the first loss")
        first = self.eligible(s, units, left)
        return refuse(self.must(s, first[0], alive), f"{s.game.all_units(first, 'or')} must take this loss")

    def lose(self, s: NoRetreatState, unit: int, units: Path, left: int) -> None:
        take_loss(s, unit)


@flow.step
def take_loss(s: NoRetreatState, unit: int) -> None:
    """A Cadre may form only for a loss of a DD or EX, as which a fort takes a DS (14.9.2)."""
    node, may_form = s.at[unit], s.game.two_sided[unit] and not s.game.is_cadre[unit]
    if lose_step(s, unit) and not s.over and may_form and fighting(s).result in ("DD", "DS", "EX"):
        s.push(ask, PlaceCadre, s.game.side_of[unit], node)


# ---------------------------------------------------------------------- the end of a battle


@flow.step
def end_battle(s: NoRetreatState) -> None:
    """8.4.3 at the end of a battle."""
    s.queue((pay_price,), (check_stacking,), (battle_done,))


@flow.step
def pay_price(s: NoRetreatState) -> None:
    """Spring Awakening (card 48) costs a step after the attack."""
    battle = fighting(s)
    if any(s.game.halves[event].get("own_step_loss", 0) for event, _ in battle.cards):
        s.battle = battle._replace(result="")
        s.push(ask, StepLoss, battle.units, 1)


@flow.step
def battle_done(s: NoRetreatState) -> None:
    s.battle = None
