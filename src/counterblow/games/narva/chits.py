"""Section 2.5: what the Action chits do, barrages apart."""

from __future__ import annotations

from counterblow.games.narva import air, combat, command
from counterblow.games.narva.components import GERMAN, HQ, SOVIET
from counterblow.games.narva.movement import FREE_MOVE, REGULAR
from counterblow.games.narva.state import ABSENT, MAY_MOVE, READY, NarvaChoice, NarvaState, flow, named
from counterblow.kernel.actions import Action
from counterblow.kernel.rulebook import Citation, refuse
from counterblow.kernel.state import NOWHERE


@flow.step("action.barrage")
def barrage_chit(s: NarvaState, number: int) -> None:
    """2.5.1b: a Barrage chit."""
    side = s.game.chits[number].side
    assert side is not None
    s.push("barrage.roll", side)


# ---------------------------------------------------------------------- 2.5.2: random events


@flow.step("action.event")
def random_event(s: NarvaState, number: int) -> None:
    """2.5.2a: 2d6 on the Random Event Table, applied at once."""
    roll = s.roll() + s.roll()
    event = s.game.events[roll]
    late = s.turn > s.game.numbers["last_frozen_turn"]
    rule = f"2.5.2.{roll:02d}" + ("" if roll != 11 else "b" if late else "a")
    s.log("event", "Random event {n}: {word}", rule, n=roll, word=event["text"])
    command.stand_down(s)
    happen(s, roll)


def happen(s: NarvaState, roll: int) -> None:
    if roll == 2:
        s.push("event.formation", GERMAN)
    elif roll == 3:
        move_units(s, GERMAN, 2)
    elif roll in (4, 5):
        s.push("replacements.next", 6 - roll, ())
    elif roll == 6:
        s.no_air = 1
    elif roll == 8:
        s.push("barrage.roll", SOVIET)
    elif roll == 9:
        air.recover(s, air.soviet_units(s))
    elif roll == 10:
        for unit in air.soviet_units(s):
            if s.air[unit] != ABSENT:
                s.air[unit] = READY
    elif roll == 11:
        prolong_frost(s)
    elif roll == 12:
        s.push("event.formation", SOVIET)


def prolong_frost(s: NarvaState) -> None:
    """2.5.2.11: before the thaw it prolongs the frost; later the Soviets move two units."""
    if s.turn <= s.game.numbers["last_frozen_turn"]:
        s.frost = 1
    else:
        move_units(s, SOVIET, 2)


def move_units(s: NarvaState, side: int, number: int) -> None:
    """2.5.2b: any units of the side move, without combat; command and supply do not matter."""
    s.queue(("event.units", side, number, REGULAR), ("movement.segment", side, REGULAR))


@flow.choice
class MoveFormation(NarvaChoice):
    """2.5.2.02, 2.5.2.12: all units of one division or corps may move."""

    name = "event.formation"
    rules = ("2.5.2.02", "2.5.2.12", "2.5.2b")

    def side(self, s: NarvaState, side: int) -> int:
        return side

    def prompt(self, s: NarvaState, side: int) -> str:
        return f"Choose a {('division', 'corps')[side]} to move, or decline."

    def legal(self, s: NarvaState, side: int) -> list[Action]:
        game = s.game
        able = [n for n, units in enumerate(game.formation_units) if units and game.side_of[units[0]] == side
                and any(s.at[u] != NOWHERE for u in units)]  # fmt: skip
        return [game.act["formation"][number] for number in able] + [game.act["decline"][()]]

    def do(self, s: NarvaState, action: Action, side: int) -> None:
        s.pop()
        if action.kind == "decline":
            return
        number = named(action)
        for unit in s.game.formation_units[number]:
            s.role[unit] = MAY_MOVE
        s.push("movement.segment", side, REGULAR)

    def why_not(self, s: NarvaState, action: Action, side: int) -> list[Citation]:
        return [refuse("2.5.2b", "it has no units of yours on the map")] if action.kind == "formation" else []


# ---------------------------------------------------------------------- naming units one by one


def nameable(s: NarvaState, side: int, kind: int) -> list[int]:
    """Units that an event or Free Move may name: no Army HQs, none pinned; for Free Move none in an EZOC (2.5.4c)."""
    game, found = s.game, []
    for unit in game.roster[side]:
        node = s.at[unit]
        if node == NOWHERE or s.role[unit] or s.pin[unit] or game.units[unit].headquarters == "army":
            continue
        if kind == FREE_MOVE and (s.in_ezoc(node, side) or game.kinds[unit] == HQ):
            continue
        found.append(unit)
    return found


@flow.step("event.units")
def name_units(s: NarvaState, side: int, left: int, kind: int) -> None:
    found = name_actions(s, side, kind) if left else []
    if len(found) > 1:
        s.offer(found, "event.unit", side, left, kind)


def name_actions(s: NarvaState, side: int, kind: int) -> list[Action]:
    add = s.game.add_actions
    return [add[unit] for unit in nameable(s, side, kind)] + [s.game.no_more_action]


@flow.choice
class NameUnit(NarvaChoice):
    """2.5.2.03, 2.5.2.11b, 2.5.4b: units anywhere on the map."""

    name = "event.unit"
    rules = ("2.5.2.03", "2.5.2.11b", "2.5.4b")

    def side(self, s: NarvaState, side: int, left: int, kind: int) -> int:
        return side

    def prompt(self, s: NarvaState, side: int, left: int, kind: int) -> str:
        return f"Name a unit anywhere on the map to move ({left} left), or go on."

    def legal(self, s: NarvaState, side: int, left: int, kind: int) -> list[Action]:
        return name_actions(s, side, kind)

    def do(self, s: NarvaState, action: Action, side: int, left: int, kind: int) -> None:
        s.pop()
        if action.kind == "no_more":
            return
        unit = named(action)
        s.role[unit] = MAY_MOVE
        s.push("event.units", side, left - 1, kind)

    def why_not(self, s: NarvaState, action: Action, side: int, left: int, kind: int) -> list[Citation]:
        unit = named(action)
        if action.kind != "add":
            return []
        if s.game.side_of[unit] != side or s.at[unit] == NOWHERE:
            return [refuse("2.5.2b", "only your own units on the map move")]
        if kind == FREE_MOVE and s.in_ezoc(s.at[unit], side):
            return [refuse("2.5.4c", "it starts in an enemy zone of control")]
        if s.pin[unit]:
            return [refuse("2.5.1i", "it is pinned")]
        return [refuse("2.5.4b" if kind == FREE_MOVE else "2.5.2b", "it cannot be named")]


# ---------------------------------------------------------------------- 2.5.3: Stavka directive


@flow.step("action.stavka")
def stavka(s: NarvaState, number: int) -> None:
    """2.5.3a, 2.5.3f: two attacks, and the chit comes back in two turns."""
    s.drawn[number] -= 1
    s.parked = (*s.parked, (number, s.turn + 2))
    command.stand_down(s)
    s.barred = ()
    s.push("stavka.next", 2)


def stavka_attackers(s: NarvaState, target: int) -> tuple[int, ...]:
    """2.5.3b: every Soviet combat unit next to the hex that is not pinned (ruling 17)."""
    near = [u for node in s.game.around[target] for u in s.combat_units(node) if s.game.side_of[u] == SOVIET]
    return tuple(sorted(u for u in near if not s.pin[u]))


def stavka_targets(s: NarvaState) -> list[int]:
    """Enemy hexes that can be attacked at 1-2 or better, air support included; no hex twice.

    In fog of war the odds are not known beforehand: any hex may be named, and one that falls short is no attack.
    """
    nodes = {node for unit in s.game.fighting[SOVIET] if s.at[unit] != NOWHERE for node in s.game.around[s.at[unit]]}
    help_from_air, fog = air.best_shift(s, SOVIET), s.options["fog"]
    found = []
    for node in sorted(nodes):
        if node in s.barred or not s.held[GERMAN][node]:
            continue
        attackers = stavka_attackers(s, node)
        if not combat.armed(s, attackers):
            continue
        if fog or combat.odds(s, SOVIET, node, attackers, (), True, help_from_air).column >= 1:
            found.append(node)
    return found


@flow.step("stavka.next")
def next_directed_attack(s: NarvaState, left: int) -> None:
    """So many attacks are left; hexes named before are remembered in ``barred``."""
    s.battle = combat.PEACE
    if left and stavka_targets(s):
        s.push("stavka.target", left)
    elif left:
        s.log("attack", "No directed attack is possible", "2.5.3a")


@flow.choice
class DirectedAttack(NarvaChoice):
    """2.5.3a: the Soviet player must attack."""

    name = "stavka.target"
    rules = ("2.5.3a", "2.5.3g")

    def side(self, s: NarvaState, left: int) -> int:
        return SOVIET

    def prompt(self, s: NarvaState, left: int) -> str:
        return f"Stavka directive: choose the hex that all adjacent Soviet units attack ({left} left)."

    def legal(self, s: NarvaState, left: int) -> list[Action]:
        attack = s.game.attack_actions
        return [attack[node] for node in stavka_targets(s)]

    def do(self, s: NarvaState, action: Action, left: int) -> None:
        s.pop()
        target = named(action)
        s.push("stavka.done", left, (*s.barred, target))
        combat.announce(s, SOVIET, target, stavka_attackers(s, target), True)

    def why_not(self, s: NarvaState, action: Action, left: int) -> list[Citation]:
        if action.kind == "end_combat":
            return [refuse("2.5.3a", "the directed attacks are compulsory")]
        if action.kind != "attack":
            return []
        target = named(action)
        if target in s.barred:
            return [refuse("2.5.3a", "two different hexes must be attacked")]
        if not s.held[GERMAN][target] or not stavka_attackers(s, target):
            return [refuse("2.5.3b", "no Soviet unit that can attack is next to an enemy there")]
        return [refuse("9.3.3a", "the odds fall short of the table")]


@flow.step("stavka.done")
def directed_attack_done(s: NarvaState, left: int, named_so_far: tuple[int, ...]) -> None:
    """An attack that was cancelled (``barred`` is empty only after a die roll) has to be made elsewhere."""
    rolled = not s.barred
    s.barred = named_so_far
    s.push("stavka.next", left - rolled)


# ---------------------------------------------------------------------- 2.5.4: free move


@flow.step("action.free move")
def free_move(s: NarvaState, number: int) -> None:
    command.stand_down(s)
    s.push("free.choose")


@flow.choice
class FreeMove(NarvaChoice):
    """2.5.4a: a Corps HQ with its units and three others; 2.5.4b: or three units anywhere."""

    name = "free.choose"
    rules = ("2.5.4a", "2.5.4b")

    def side(self, s: NarvaState) -> int:
        return SOVIET

    def prompt(self, s: NarvaState) -> str:
        return "Free Move: activate a Corps HQ, move three units anywhere, or decline."

    def legal(self, s: NarvaState) -> list[Action]:
        act = s.game.act
        able = [hq for hq in s.game.corps_hqs if not command.wake_refusal(s, hq)]
        return [act["wake"][hq] for hq in able] + [act["three_units"][()], act["decline"][()]]

    def do(self, s: NarvaState, action: Action) -> None:
        s.pop()
        if action.kind == "wake":
            hq = named(action)
            command.remember(s, SOVIET, hq)  # 4.1.2f
            command.rouse_formation(s, SOVIET, hq, MAY_MOVE)
            hold_engaged(s)
            others = ("command.others", SOVIET, hq, s.game.numbers["extra_units_per_hq"], MAY_MOVE)
            s.queue(others, ("movement.segment", SOVIET, FREE_MOVE))
        elif action.kind == "three_units":
            command.remember(s, SOVIET, -1)  # 4.1.2c
            s.queue(("event.units", SOVIET, 3, FREE_MOVE), ("movement.segment", SOVIET, FREE_MOVE))

    def why_not(self, s: NarvaState, action: Action) -> list[Citation]:
        hq = named(action)
        if action.kind != "wake":
            return []
        if hq not in s.game.corps_hqs:
            return [refuse("2.5.4a", "it is no Soviet Corps HQ")]
        return command.wake_refusal(s, hq)


def hold_engaged(s: NarvaState) -> None:
    """2.5.4c: units that start in an EZOC stay."""
    for unit in s.out(SOVIET):
        if s.in_ezoc(s.at[unit], SOVIET):
            s.role[unit] = 0


# ---------------------------------------------------------------------- 2.5.5-2.5.7: chits that wait


@flow.step("action.withdraw 59")
def withdraw_59(s: NarvaState, number: int) -> None:
    """2.5.5a."""
    park(s, number, "2.5.5a")


@flow.step("action.withdraw 214")
def withdraw_214(s: NarvaState, number: int) -> None:
    """2.5.7a."""
    park(s, number, "2.5.7a")


def park(s: NarvaState, number: int, rule: str) -> None:
    s.drawn[number] -= 1
    s.parked = (*s.parked, (number, s.turn + 1))
    s.log("chit", "{word} waits on the turn track", rule, word=s.game.chits[number].title)


@flow.step("action.2nd shock out of supply")
def shock_out_of_supply(s: NarvaState, number: int) -> None:
    """2.5.6a: it waits for the next 2nd Shock chit, over turns if need be."""
    s.drawn[number] -= 1
    s.waiting = 1
    s.log("chit", "{word} waits for the next 2nd Shock Army chit", "2.5.6a", word=s.game.chits[number].title)
