"""Chapter 10, second part: the die, results, counterattacks, losses, retreats and advances (10.5.5-10.8)."""

from __future__ import annotations

from itertools import pairwise

from counterblow.games.noretreat.cards import wants
from counterblow.games.noretreat.combat import assess, begin, crt_side, fighting, keeps_bonuses, offer_event
from counterblow.games.noretreat.components import AXIS, SOVIET
from counterblow.games.noretreat.movement import may_use_area, travel
from counterblow.games.noretreat.special import eliminate, lose_step, room, shatter, soviet_tanks_ready
from counterblow.games.noretreat.state import Battle, NoRetreatState, flow, number
from counterblow.games.noretreat.supply import shut, sources
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Choice
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.rulebook import Citation, refuse

Path = tuple[int, ...]

# ---------------------------------------------------------------------- 10.5.5 the roll


def result_of(s: NoRetreatState, battle: Battle, die: int, column: int) -> str:
    table = s.game.charts.crt_by_switch[s.options["crt_1to1_3"]][crt_side(s, battle.side)]
    return table.result(die, column)


@flow.step("battle.roll")
def roll(s: NoRetreatState) -> None:
    """10.5.5: one die on the attacker's table, unless an event sets the result."""
    battle = fighting(s)._replace(used=0)
    fixed = [h for h in (s.game.half(event) for event, _ in battle.cards) if h.op in ("set_result", "duel")]
    if fixed and fixed[-1].op == "duel":
        s.battle = battle
        _duel(s, battle)
        return
    if fixed:
        battle = battle._replace(die=0, result=fixed[-1].get("result"))
        s.log("result", "{event}: the result is {result}", "10.5.5", event=fixed[-1].index, result=battle.result)
    else:
        battle = _throw(s, battle)
    s.battle = battle
    s.push("battle.after", battle.side, 0)


def _throw(s: NoRetreatState, battle: Battle) -> Battle:
    odds = assess(s, battle)
    if odds.column < 0:
        s.log("result", "odds below 1:3: the result is CA", "10.6.4.b")
        return battle._replace(die=0, result="CA")
    die = s.roll()
    result = result_of(s, battle, die, odds.column)
    heading = s.game.charts.odds.headings[odds.column]
    s.log("roll", "{attack} against {defence}, {heading}: die {n}, result {result}", "10.5.5",
          attack=str(odds.attack), defence=str(odds.defence), heading=heading, n=die, result=result)  # fmt: skip
    return battle._replace(die=die, result=result)


def roll_again(s: NoRetreatState) -> None:
    """Events that re-roll: a new roll, on which each side may play again (ruling 41)."""
    s.battle = _throw(s, fighting(s)._replace(used=0))
    s.replace("battle.after", fighting(s).side, 0)


def _duel(s: NoRetreatState, battle: Battle) -> None:
    """Hedgehogs (card 9): no odds, the lower of two dice loses a step."""
    attack, defence = s.roll(), s.roll()
    s.log("roll", "each side rolls: {attack} against {defence}", "10.5.5", attack=str(attack), defence=str(defence))
    s.push("battle.end")
    if attack != defence:
        loser = battle.side if attack < defence else 1 - battle.side
        s.push("battle.loss", loser, battle.units if loser == battle.side else battle.foes)


@flow.step("battle.after")
def after_roll(s: NoRetreatState, side: int, passes: int) -> None:
    """One event a side on each roll, the roller first, in turn until both pass (5.0.e)."""
    while passes < 2:
        may_answer = not fighting(s).used >> side & 1 and wants(s, side, "rolled")
        if may_answer and offer_event(s, side, "rolled", passes):
            return
        side, passes = 1 - side, passes + 1
    s.push("battle.apply")


# ---------------------------------------------------------------------- 10.7 results


def fort_hexes(s: NoRetreatState, battle: Battle) -> Path:
    """10.7.4: target hexes that hold a Fortified unit, or count as such (card 42)."""
    festung = any(s.game.half(event).op == "fort_hex" for event, _ in battle.cards)
    return tuple(
        node
        for node in battle.hexes
        if any(s.is_fort(unit) for unit in s.stack(node)) or (festung and s.game.charts.is_city(node))
    )


@flow.step("battle.apply")
def apply_result(s: NoRetreatState) -> None:
    """10.5.6."""
    battle = fighting(s)
    result = battle.result
    stand_fast = any(s.game.half(event).op == "stand_fast" for event, _ in battle.cards)  # as in a fort hex
    s.push("battle.end")
    if result == "CA":
        if battle.foes:
            s.push("battle.counter")
    elif result == "CB":
        _counterblow(s, battle)
    elif result == "EX":
        s.queue(*exchange(battle, battle.foes))
    elif result in ("DR", "DS", "DD"):
        firm = battle.hexes if stand_fast else fort_hexes(s, battle)
        {"DR": _defender_retreats, "DS": _defender_shattered, "DD": _defender_destroyed}[result](s, battle, firm)
    else:
        s.log("result", "no effect", "10.7.0")


def exchange(battle: Battle, foes: Path) -> tuple[tuple[object, ...], ...]:
    """10.7.EX, 10.7.1.d: one step a side in all."""
    return ("battle.loss", battle.side, battle.units), ("battle.loss", 1 - battle.side, foes)


def _retreating(s: NoRetreatState, battle: Battle, firm: Path) -> Path:
    """10.7.2.c: everyone in a target hex retreats, engaged or not; forts and units with them never (10.7.5.h)."""
    return tuple(unit for node in battle.hexes if node not in firm for unit in s.stack(node))


def _defender_retreats(s: NoRetreatState, battle: Battle, firm: Path) -> None:
    for node in firm:
        _volkssturm(s, node)
    nodes = tuple(node for node in battle.hexes if node not in firm)
    if firm:
        s.log("result", "nobody retreats from {hexs}", "10.7.4", hexs=firm)
    s.queue(("battle.retreat", _retreating(s, battle, firm)), ("battle.advance", nodes, battle.units))


def _volkssturm(s: NoRetreatState, node: int) -> None:
    """14.11: a Volkssturm unit turns a DR into no effect and is then gone."""
    for unit in s.stack(node):
        if s.game.counters[unit].volkssturm:
            s.out_of_play(unit)
            s.log("volkssturm", "{unit} holds {hex} and is spent", "14.11.b", unit=unit, hex=node)
            return


def _defender_shattered(s: NoRetreatState, battle: Battle, firm: Path) -> None:
    """10.7.DS, 10.7.4: forts turn it into an EX for their hex."""
    foes = tuple(unit for unit in battle.foes if s.at[unit] in firm)
    leaving = tuple(unit for unit in battle.foes if s.at[unit] not in firm)
    beaten = [unit for unit in leaving if retreat_paths(s, unit)]
    s.queue(
        *(exchange(battle, foes) if foes else ()),
        ("battle.retreat", tuple(unit for unit in _retreating(s, battle, firm) if unit not in leaving)),
        ("battle.advance", tuple(node for node in battle.hexes if node not in firm), battle.units),
    )
    for unit in leaving:
        if unit in beaten:
            shatter(s, unit, "10.7.DS", "10.7.6")
        else:
            eliminate(s, unit, "10.7.6", "10.7.5.f")


def _defender_destroyed(s: NoRetreatState, battle: Battle, firm: Path) -> None:
    """10.7.DD: every defending unit loses a step, survivors retreat."""
    s.queue(
        ("battle.losses", battle.foes),
        ("battle.retreat", _retreating(s, battle, firm)),
        ("battle.advance", battle.hexes, battle.units),
    )


# ---------------------------------------------------------------------- 10.7.2 counterattack


@flow.choice
class Counterattack(Choice[NoRetreatState]):
    name = "battle.counter"
    rules = ("10.7.CA", "10.7.2.a")

    def side(self, s: NoRetreatState) -> int:
        return 1 - fighting(s).side

    def prompt(self, s: NoRetreatState) -> str:
        return "Counterattack, or let the battle end?"

    def legal(self, s: NoRetreatState) -> list[Action]:
        return [s.game.act["counterattack"][()], s.game.act["decline"][()]]

    def do(self, s: NoRetreatState, action: Action) -> None:
        s.pop()
        if action.kind == "decline":
            s.log("result", "no counterattack", "10.7.CA")
            return
        s.pop()  # the end of this battle: the new one brings its own
        s.log("battle", "{side} counterattacks", "10.7.2.a", side=1 - fighting(s).side)
        s.queue(("battle.price",), ("battle.answer",))

    def forecast(self, s: NoRetreatState, action: Action) -> Forecast | None:
        from counterblow.games.noretreat.forecast import forecast_battle

        return forecast_battle(s, counterattack(s, fighting(s))) if action.kind == "counterattack" else None


@flow.step("battle.answer")
def answer(s: NoRetreatState) -> None:
    """The counterattack begins, unless the price of an event left nobody to attack."""
    battle = fighting(s)
    left = tuple(unit for unit in battle.units if s.on_map(unit))
    if left:
        begin(s, counterattack(s, battle._replace(units=left)))
    else:
        s.queue(("stacking",), ("battle.done",))


def counterattack(s: NoRetreatState, battle: Battle) -> Battle:
    """10.7.2: the same units with roles reversed; support and cards of the first battle are gone."""
    nodes = tuple(sorted({s.at[unit] for unit in battle.units}))
    return Battle(1 - battle.side, battle.foes, nodes, battle.units, (), battle.counter + 1,
                  voluntary=battle.voluntary)  # fmt: skip


# ---------------------------------------------------------------------- 10.7.3 the CB result


def _counterblow(s: NoRetreatState, battle: Battle) -> None:
    """10.7.CB: the phasing player marks one of his hexes, if he has a marker (ruling 12)."""
    nodes = counterblow_nodes(s, battle)
    used = len(s.targets) + sum(1 for node in s.standing if s.held[s.player][node])
    if nodes and (battle.voluntary or used < s.game.markers_each):
        s.push("battle.blow", nodes)
    else:
        s.log("result", "no Counterblow marker can be placed", "10.7.CB")


def counterblow_nodes(s: NoRetreatState, battle: Battle) -> Path:
    """10.7.3.c: hexes of the phasing side in the battle, not of white-strength units only (ruling 36)."""
    units = battle.units if battle.side == s.player else battle.foes
    nodes = sorted({s.at[unit] for unit in units})
    return tuple(
        node
        for node in nodes
        if node not in s.standing and any(not s.is_white(u) and s.strength(u) for u in s.stack(node))
    )


@flow.choice
class PutCounterblow(Choice[NoRetreatState]):
    name = "battle.blow"
    rules = ("10.7.CB", "10.7.3.c")

    def side(self, s: NoRetreatState, nodes: Path) -> int:
        return s.player

    def prompt(self, s: NoRetreatState, nodes: Path) -> str:
        return "Choose one of your hexes for the Counterblow marker."

    def legal(self, s: NoRetreatState, nodes: Path) -> list[Action]:
        return [s.game.act["blow"][node] for node in nodes]

    def do(self, s: NoRetreatState, action: Action, nodes: Path) -> None:
        s.pop()
        s.standing = (*s.standing, number(action))
        s.log("counterblow", "a Counterblow marker stays in {hex}", "10.7.3.c", hex=number(action))

    def why_not(self, s: NoRetreatState, action: Action, nodes: Path) -> list[Citation]:
        return [refuse("10.7.3.c", "on one of the phasing player's hexes in this battle")]


# ---------------------------------------------------------------------- 10.7.1 step losses


def loss_candidates(s: NoRetreatState, side: int, units: Path) -> list[int]:
    """10.7.1.b: the owner's choice, under 14.1.c, 14.5.b, 14.6.b and 14.7.b."""
    alive = [unit for unit in units if s.on_map(unit)]
    game = s.game
    attacking = fighting(s).side == side
    forts = [u for u in alive if s.is_fort(u) and game.counters[u].nation == "German"]
    if forts:
        return forts
    forced = []
    if attacking:
        forced += [u for u in alive if u == game.ss_panzer or (game.counters[u].shock and s.face[u] == 1)]
    if game.ss_grenadier in alive and not (attacking and game.ss_panzer in alive):
        forced.append(game.ss_grenadier)
    return forced or alive


@flow.step("battle.loss")
def one_loss(s: NoRetreatState, side: int, units: Path) -> None:
    """One step of one side."""
    candidates = loss_candidates(s, side, units)
    if len(candidates) == 1:
        take_loss(s, candidates[0])
    elif candidates:
        s.push("battle.lose", side, tuple(candidates))


def take_loss(s: NoRetreatState, unit: int) -> None:
    """A Cadre may form only for a loss of a DD or EX, as which a fort takes a DS (14.9.2)."""
    node = s.at[unit]
    if lose_step(s, unit) and not s.over and fighting(s).result in ("DD", "DS", "EX"):
        s.push("cadre.offer", unit, node)


@flow.choice
class ChooseLoss(Choice[NoRetreatState]):
    name = "battle.lose"
    rules = ("10.7.1.b",)

    def side(self, s: NoRetreatState, side: int, units: Path) -> int:
        return side

    def prompt(self, s: NoRetreatState, side: int, units: Path) -> str:
        return "Choose the unit that loses a step."

    def legal(self, s: NoRetreatState, side: int, units: Path) -> list[Action]:
        return [s.game.act["lose"][unit] for unit in units]

    def do(self, s: NoRetreatState, action: Action, side: int, units: Path) -> None:
        s.pop()
        take_loss(s, number(action))

    def why_not(self, s: NoRetreatState, action: Action, side: int, units: Path) -> list[Citation]:
        if action.kind != "lose":
            return []
        if number(action) in fighting(s).units + fighting(s).foes and s.game.side_of[number(action)] == side:
            return [refuse("10.7.1.b", "another unit must take this loss")]
        return [refuse("10.7.2.c", "it takes no part in the battle")]


@flow.step("battle.losses")
def every_loss(s: NoRetreatState, units: Path) -> None:
    """DD: one step from each defending unit."""
    if not units:
        return
    s.push("battle.losses", units[1:])
    if s.on_map(units[0]):
        take_loss(s, units[0])


# ---------------------------------------------------------------------- 10.7.5 retreats


def open_to_retreat(s: NoRetreatState, unit: int, node: int) -> bool:
    """10.7.5.c, 10.7.5.d."""
    side = s.game.side_of[unit]
    if s.held[1 - side][node] or (s.zone[1 - side][node] and not s.held[side][node]):
        return False
    return node < s.game.board.hexes or may_use_area(s, unit, node) is None


def retreat_paths(s: NoRetreatState, unit: int, length: int = 2) -> list[Path]:
    """10.7.5: two hexes farther from the battle; an area ends the retreat (10.7.5.b)."""
    if s.game.counters[unit].nation == "Finnish":
        return []
    start, beside = s.at[unit], s.game.charts.beside
    near = s.game.board.around[start]
    paths: list[Path] = []
    for first in beside[start]:
        if not open_to_retreat(s, unit, first):
            continue
        if length == 1 or first >= s.game.board.hexes:
            paths.append((start, first))
            continue
        for second in beside[first]:
            if second != start and second not in near and open_to_retreat(s, unit, second):
                paths.append((start, first, second))
    return paths


def homeward(s: NoRetreatState, side: int, paths: list[Path]) -> list[Path]:
    """10.7.5.a: toward a supply source if possible (ruling 15)."""
    if len(paths) < 2:
        return paths
    charts = s.game.charts
    blocked = shut(s, side)
    lines = charts.graph.flood(charts.supply_steps, blocked, sources(s, side, blocked)[1], -1)
    distances = [lines[path[-1]] if path[-1] < s.game.board.hexes else 0 for path in paths]
    best = min((d for d in distances if d), default=0)
    return [path for path, d in zip(paths, distances, strict=True) if d == best] if best else paths


@flow.step("battle.retreat")
def retreat(s: NoRetreatState, units: Path) -> None:
    """The owner retreats unit by unit; those that cannot are eliminated (10.7.5.f)."""
    left = tuple(unit for unit in units if s.on_map(unit))
    if not left:
        return
    if any(retreat_paths(s, unit) for unit in left):
        s.push("battle.flee", left)
        return
    for unit in left:
        eliminate(s, unit, "10.7.5.f")
        if s.over:
            return


@flow.choice
class Flee(Choice[NoRetreatState]):
    name = "battle.flee"
    rules = ("10.7.5.a",)

    def side(self, s: NoRetreatState, units: Path) -> int:
        return s.game.side_of[units[0]]

    def prompt(self, s: NoRetreatState, units: Path) -> str:
        return "Retreat a unit two hexes."

    def legal(self, s: NoRetreatState, units: Path) -> list[Action]:
        table, side = s.game.act["retreat"], s.game.side_of[units[0]]
        found = []
        for unit in units:
            found += [table[unit, path] for path in homeward(s, side, retreat_paths(s, unit))]
        return found

    def do(self, s: NoRetreatState, action: Action, units: Path) -> None:
        s.pop()
        unit, path = number(action), action.args[1]
        s.push("battle.retreat", tuple(u for u in units if u != unit))
        s.log("retreat", "{unit} retreats {path}", "10.7.5.a", unit=unit, path=path)
        travel(s, unit, path)

    def why_not(self, s: NoRetreatState, action: Action, units: Path) -> list[Citation]:
        if action.kind != "retreat" or number(action) not in units:
            return []
        path: Path = action.args[1]
        return [why_not_retreat(s, number(action), path)]


def why_not_retreat(s: NoRetreatState, unit: int, path: Path) -> Citation:
    side = s.game.side_of[unit]
    for here, there in pairwise(path):
        if s.held[1 - side][there] or there not in s.game.charts.beside[here]:
            return refuse("10.7.5.c", "no retreat into an enemy unit, across a prohibited hexside or off the map")
        if s.zone[1 - side][there] and not s.held[side][there]:
            return refuse("10.7.5.d", "no retreat into an enemy zone without a friendly unit")
    if path in retreat_paths(s, unit):
        return refuse("10.7.5.a", "toward a friendly supply source")
    return refuse("10.7.5.a", "two hexes farther from the battle")


# ---------------------------------------------------------------------- 10.8 advances


def advance_limit(s: NoRetreatState, unit: int) -> int:
    """10.8.1, 10.8.2, 6.5.4.b and 13.1; then the events, in the order played (5.0.e)."""
    weather = s.game.charts.weather[s.sky]
    limit: int = weather.advance
    if weather.third_hex and s.is_armor(unit) and _third_hex(s, unit):
        limit += 1
    if s.unsupplied(unit):
        limit = 1
    for amount, armor_only in fighting(s).advance:
        if amount < 0:
            limit = min(limit, -amount)
        elif not armor_only or s.is_armor(unit):
            limit += amount
    return limit


def _third_hex(s: NoRetreatState, unit: int) -> bool:
    if s.game.side_of[unit] == SOVIET:
        return soviet_tanks_ready(s)
    return keeps_bonuses(s, unit)


def may_advance(s: NoRetreatState, unit: int) -> Citation | None:
    """10.8.b."""
    if not s.on_map(unit):
        return refuse("10.8.a", "it did not survive the battle")
    if s.disorganized(unit):
        return refuse("10.7.3.b", "a Disorganized unit never advances")
    if s.is_white(unit) or s.is_fort(unit):
        return refuse("10.8.b", "a white-strength unit never advances")
    return None


@flow.step("battle.advance")
def offer_advance(s: NoRetreatState, nodes: Path, units: Path) -> None:
    if advances(s, nodes, units):
        s.push("battle.pursue", nodes, units)


def advances(s: NoRetreatState, nodes: Path, units: Path) -> list[tuple[int, int]]:
    """(unit, hex) for the first hex of an advance."""
    enemy = s.held[1 - fighting(s).side]
    free = [node for node in nodes if not enemy[node]]
    found = []
    for unit in units:
        if may_advance(s, unit) is None:
            for node in free:
                if node in s.game.charts.beside[s.at[unit]] and _may_enter(s, unit, node, 1):
                    found.append((unit, node))
    return found


def _may_enter(s: NoRetreatState, unit: int, node: int, length: int) -> bool:
    """Room to stay, or a way on."""
    if node >= s.game.board.hexes and may_use_area(s, unit, node):
        return False
    return room(s, unit, node) or bool(onward(s, unit, node, length))


def onward(s: NoRetreatState, unit: int, node: int, length: int) -> list[int]:
    """10.8.1: further hexes after ``length`` of them; ZOCs do not matter, rough terrain stops."""
    charts, side = s.game.charts, s.game.side_of[unit]
    if length >= advance_limit(s, unit) or charts.terrain[node].stops:
        return []
    enemy, hexes = s.held[1 - side], charts.board.hexes
    return [
        there
        for there in charts.beside[node]
        if not enemy[there] and (there < hexes or may_use_area(s, unit, there) is None)
    ]


@flow.choice
class Advance(Choice[NoRetreatState]):
    name = "battle.pursue"
    rules = ("10.8.a",)

    def side(self, s: NoRetreatState, nodes: Path, units: Path) -> int:
        return fighting(s).side

    def prompt(self, s: NoRetreatState, nodes: Path, units: Path) -> str:
        return "Advance a unit, or end the advance."

    def legal(self, s: NoRetreatState, nodes: Path, units: Path) -> list[Action]:
        act = s.game.act
        found = [act["advance"][unit, node] for unit, node in advances(s, nodes, units)]
        found.append(act["done"][()])
        return found

    def do(self, s: NoRetreatState, action: Action, nodes: Path, units: Path) -> None:
        s.pop()
        if action.kind == "done":
            return
        unit, node = number(action), number(action, 1)
        s.push("battle.advance", nodes, tuple(u for u in units if u != unit))
        _step(s, unit, node, 1)

    def why_not(self, s: NoRetreatState, action: Action, nodes: Path, units: Path) -> list[Citation]:
        if action.kind != "advance":
            return []
        unit, node = number(action), number(action, 1)
        if unit not in units:
            return [refuse("10.8.a", "it did not attack, or has advanced already")]
        reason = may_advance(s, unit)
        if reason:
            return [reason]
        if node not in nodes:
            return [refuse("10.8.1.a", "the first hex is the one that the defender left")]
        if s.held[1 - fighting(s).side][node]:
            return [refuse("10.8.c", "the hex is still occupied")]
        return [refuse("8.4.1.a" if s.game.side_of[unit] == AXIS else "8.4.1.b", "there is no room")]


@flow.choice
class AdvanceOn(Choice[NoRetreatState]):
    name = "battle.onward"
    rules = ("10.8.1.a", "10.8.2")

    def side(self, s: NoRetreatState, unit: int, length: int) -> int:
        return s.game.side_of[unit]

    def prompt(self, s: NoRetreatState, unit: int, length: int) -> str:
        return f"Advance {s.game.unit_names[unit]} another hex, or halt."

    def legal(self, s: NoRetreatState, unit: int, length: int) -> list[Action]:
        act = s.game.act
        found = [act["advance"][unit, node] for node in onward(s, unit, s.at[unit], length)]
        found.append(act["halt"][unit])
        return found

    def do(self, s: NoRetreatState, action: Action, unit: int, length: int) -> None:
        s.pop()
        if action.kind == "advance":
            _step(s, unit, number(action, 1), length + 1)

    def why_not(self, s: NoRetreatState, action: Action, unit: int, length: int) -> list[Citation]:
        if action.kind != "advance" or number(action) != unit:
            return []
        if s.held[1 - s.game.side_of[unit]][number(action, 1)]:
            return [refuse("10.8.1.b", "an enemy unit is there")]
        return [refuse("10.8.1.b", "not across that hexside, and not off the map")]


def _step(s: NoRetreatState, unit: int, node: int, length: int) -> None:
    s.log("advance", "{unit} advances to {hex}", "10.8.a" if length == 1 else "10.8.1.a", unit=unit, hex=node)
    taken = s.captured
    travel(s, unit, (s.at[unit], node))
    if onward(s, unit, node, length):
        s.push("battle.onward", unit, length)
    if s.captured != taken and s.game.side_of[unit] == AXIS:
        s.push("window", SOVIET, "captured")


# ---------------------------------------------------------------------- the end of a battle


@flow.step("battle.end")
def end_battle(s: NoRetreatState) -> None:
    """8.4.3 at the end of a battle."""
    s.queue(("battle.price",), ("stacking",), ("battle.done",))


@flow.step("battle.price")
def pay_price(s: NoRetreatState) -> None:
    """Spring Awakening (card 48) costs a step after the attack."""
    battle = fighting(s)
    if any(s.game.half(event).get("own_step_loss", 0) for event, _ in battle.cards):
        s.battle = battle._replace(result="")
        s.push("battle.loss", battle.side, battle.units)


@flow.step("battle.done")
def battle_done(s: NoRetreatState) -> None:
    s.battle = None
