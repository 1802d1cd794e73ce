"""Chapter 4: command - drawing chits, waking HQs, and the units they command."""

from __future__ import annotations

from collections.abc import Sequence

from counterblow.games.narva import headquarters
from counterblow.games.narva.components import GERMAN, HQ, SIDES, SOVIET
from counterblow.games.narva.movement import REGULAR, ChooseMover, movement_segment, why_not_leave_zone
from counterblow.games.narva.state import MAY_ATTACK, MAY_MOVE, NarvaState, flow, with_entry
from counterblow.kernel.actions import Action
from counterblow.kernel.flow import ask
from counterblow.kernel.pick import Deed, Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if
from counterblow.kernel.state import NOWHERE

COMBAT_SEGMENT, FIRE = flow.later("combat.combat_segment"), flow.later("barrage.Fire")
SEGMENTS = ((movement_segment, REGULAR), (COMBAT_SEGMENT,))

# ---------------------------------------------------------------------- 4.1.1: drawing chits


@flow.step
def command_phase(s: NarvaState) -> None:
    """On turn 1 a 2nd Shock chit opens the game as if just drawn (14.3a)."""
    opening = s.game.chit_number["2SH"]
    if s.turn == 1 and s.cup[opening]:
        take(s, opening)
        s.queue((play_chit, opening), (draw,))
    else:
        s.push(next_draw)


def exhausted(s: NarvaState, side: int) -> bool:
    """2.3d: has a side had all its activations of this turn?"""
    return bool(s.used[side] >= s.game.calendar[s.turn][SIDES[side]])


def take(s: NarvaState, chit: int) -> None:
    s.cup[chit] -= 1
    s.drawn[chit] += 1


def more_to_draw(s: NarvaState) -> bool:
    """2.5d: until both sides have had all their activations; an empty cup ends the phase too (ruling 2)."""
    return any(s.cup) and not (exhausted(s, GERMAN) and exhausted(s, SOVIET))


@flow.step
def next_draw(s: NarvaState) -> None:
    """Nobody's last move is made final by surprise: somebody says that the next chit is drawn."""
    if more_to_draw(s):
        s.begin_phase("command")
        s.push(DrawChit)


@flow.choice
class DrawChit(Deed[NarvaState]):
    """4.1.1a: it does not matter who draws."""

    kind = "draw"

    def passes(self, s: NarvaState) -> Action:
        """It ends what went before: nobody does it for a player who could still take something back."""
        return s.game.act[self.kind][()]

    def perform(self, s: NarvaState) -> None:
        draw(s)


@flow.step
def draw(s: NarvaState) -> None:
    """4.1.1a, 2.3c, 2.5a: a chit at random; those alike are copies of one. Action chits use no activation (2.5c).

    Command chits of a side without activations left do nothing (4.1.1b, 2.3e).
    """
    if not more_to_draw(s):
        return
    s.begin_phase("command")
    if s.draws:
        number, s.draws = s.draws[0], s.draws[1:]
    else:
        number = s.draw([number for number in range(len(s.cup)) for _ in range(s.cup[number])])
    chit = s.game.chits[number]
    take(s, number)
    s.log("reveal", "Chit drawn: {word}", "4.1.1a", word=chit.title)
    if not chit.command:
        s.queue((flow.heads[f"chits.{chit.action}"], number), (next_draw,))
    elif chit.side is not None and exhausted(s, chit.side):
        s.log("chit", "The {word}s have no activation left", "4.1.1b", word=s.game.side_titles[chit.side])
        s.push(draw)
    else:
        s.queue((play_chit, number), (draw,))


@flow.step
def play_chit(s: NarvaState, number: int) -> None:
    """4.1.1c: the owner is active. The first 2nd Shock chit of a turn also wakes the 260th MS (8.0.6f, 8.0.6g)."""
    chit = s.game.chits[number]
    assert chit.side is not None
    s.begin_phase("command", chit.side)
    s.used = with_entry(s.used, chit.side, s.used[chit.side] + 1)
    stand_down(s)
    if chit.name == "2SH" and not s.naval:
        s.naval = 1
        brigade = s.game.naval_brigade
        if s.at[brigade] != NOWHERE:
            s.rouse(brigade, MAY_MOVE | MAY_ATTACK)
    s.queue((Wake, number), (file_chit, number))


def stand_down(s: NarvaState) -> None:
    """4.2.6b: nobody is activated any more."""
    s.may_move = s.may_attack = s.moved = s.attacked = 0


@flow.step
def file_chit(s: NarvaState, number: int) -> None:
    """4.2.1b; a waiting 2nd Shock Out of Supply chit takes a used 2nd Shock chit out of the game (2.5.6b, 2.5.6c)."""
    stand_down(s)
    chit = s.game.chits[number]
    if chit.name != "2SH" or not s.waiting:
        return
    s.waiting = 0
    s.drawn[number] -= 1
    s.removed[number] += 1
    park(s, s.game.chit_number["OOS"], 1)
    s.log("chit", "A 2nd Shock Army chit leaves the game", "2.5.6b")


def park(s: NarvaState, number: int, turns: int) -> None:
    """On the turn track, so many turns ahead."""
    s.parked = (*s.parked, (number, s.turn + turns))


# ---------------------------------------------------------------------- 4.1.1d-f, 4.1.2: which HQ


def why_not_wake(s: NarvaState, hq: int) -> Citation | None:
    """4.1.2a, 4.2.3c: not twice running, over the turns too (4.1.2b); Strachwitz once per turn. Else often (4.0b)."""
    last = s.last[s.game.side_of[hq]]  # 4.1.2d: the side's own activations
    return (
        refuse_if(s.at[hq] == NOWHERE, "4.1.1c", "it is not on the map")
        or refuse_if(hq == last, "4.1.2a", "it was the last HQ of its side to be activated")
        or refuse_if(s.strachwitz and hq == s.game.strachwitz, "4.2.3c", "Strachwitz has been activated this turn")
    )


def commanded_by(s: NarvaState, number: int) -> tuple[int, ...]:
    """The HQs that a chit may wake, where they stand (4.1.1d, 4.1.1e); whose corps it is does not matter (4.1.1g)."""
    chit = s.game.chits[number]
    if chit.army < 0:
        return chit.hqs
    if s.at[chit.army] == NOWHERE:
        return ()
    centre, radius = s.at[chit.army], s.game.units[chit.army].range
    at, distance = s.at, s.game.distance
    return tuple([hq for hq in s.game.corps_hqs if at[hq] != NOWHERE and distance(centre, at[hq]) <= radius])


def why_not_reached(s: NarvaState, rule: str, unit: int, hq: int) -> Citation:
    """Of a unit that lies out of an HQ's range."""
    game, seat = s.game, s.at[hq]
    if NOWHERE in (seat, s.at[unit]):
        return refuse(rule, f"{game.unit_names[hq if seat == NOWHERE else unit]} is not on the map")
    away = f"{game.distance(seat, s.at[unit])} hexes from {game.unit_names[hq]} in {game.where(seat)}"
    return refuse(rule, f"it is {away}, whose range is {game.units[hq].range}")


class WakeHq(Pick[NarvaState]):
    """4.1.1d, 4.1.1e: the HQ that the chit wakes; a chit need not be used (ruling 3)."""

    kind, passing = "wake", "pass"

    def items(self, s: NarvaState, number: int) -> Sequence[int]:
        return [hq for hq in commanded_by(s, number) if why_not_wake(s, hq) is None]

    def why_not_item(self, s: NarvaState, hq: int, number: int) -> Citation | None:
        chit, unit = s.game.chits[number], s.game.units[hq]
        if unit.side != chit.side or unit.kind != HQ or unit.headquarters == "army":
            return refuse("2.3a" if chit.side == SOVIET else "2.3b", "the chit does not wake that unit")
        if hq not in commanded_by(s, number):
            if chit.side == SOVIET:
                return why_not_reached(s, "4.1.1d", hq, chit.army)
            rule = "4.1.1f" if not unit.command else "2.4.1a" if chit.name == "WER" else "4.1.1e"
            return refuse(rule, f"the {chit.title} chit does not command it")
        return why_not_wake(s, hq)

    def take(self, s: NarvaState, hq: int, number: int) -> None:
        """4.2.1a: the HQ, its formation in range, and so many others; then movement and combat."""
        numbers, role = s.game.numbers, MAY_MOVE | MAY_ATTACK
        remember(s, hq)
        s.log("chit", "{unit} is activated", "4.2.1a", unit=hq)
        rouse_formation(s, hq, role)
        s.queue(*SEGMENTS)
        others = numbers["extra_units_per_hq"]
        if hq == s.game.strachwitz:
            s.strachwitz = 1
            others = numbers["extra_units_strachwitz"]  # 4.2.3a
            s.push(ask, FIRE, 1, ())  # 4.2.3b, 2.5.1m: before any of its units move
        s.push(ask, ChooseOthers, hq, others, role)
        if s.game.chits[number].name == "AGN":  # 2.4.2a
            s.push(ask, ChooseReserves, hq, numbers["extra_units_army_group"], MAY_MOVE)

    def decline(self, s: NarvaState, number: int) -> None:
        remember(s, -1)
        s.log("chit", "The {word}s pass", "4.1.1c", word=s.game.side_titles[s.mover])
        if s.activated:
            s.queue(*SEGMENTS)  # the 260th MS is awake


class RelocateHq(Pick[NarvaState]):
    """4.1.3: or the relocation of an Army HQ; a pinned one stays (2.5.1i)."""

    kind, stays = "relocate", True

    def candidates(self, s: NarvaState, number: int) -> Sequence[int]:
        army = s.game.chits[number].army
        return (army,) if army >= 0 else ()

    def why_not_item(self, s: NarvaState, hq: int, number: int) -> Citation | None:
        return (
            refuse_if(hq != s.game.chits[number].army, "4.1.3", "only the Army HQ of the chit may be moved")
            or refuse_if(s.at[hq] == NOWHERE, "4.1.3", "it is not on the map")
            or refuse_if(s.pin[hq], "2.5.1i", "it is pinned")
        )

    def take(self, s: NarvaState, hq: int, number: int) -> None:
        s.push(Relocate, hq)


@flow.choice
class Wake(Menu[NarvaState]):
    """What the side does with its chit."""

    parts = (WakeHq(), RelocateHq())

    def prompt(self, s: NarvaState, number: int) -> str:
        chit = s.game.chits[number]
        or_move = ", relocate the Army HQ" if chit.army >= 0 else ""
        return f"{chit.title}: choose the HQ to activate{or_move}, or pass."


@flow.choice
class Relocate(headquarters.PlaceHq):
    """4.1.3: anywhere on the map, apart from the other Army HQs (4.2.5a)."""

    returns = True

    def items(self, s: NarvaState, hq: int) -> Sequence[int]:
        return s.game.graph.at_most(s.game.hexes, headquarters.barred_seats(s, hq), 0)

    def why_not_item(self, s: NarvaState, node: int, hq: int) -> Citation | None:
        return headquarters.why_not_seat(s, hq, node)

    def take(self, s: NarvaState, node: int, hq: int) -> None:
        s.pop()  # the chit is used
        remember(s, -1)
        s.put(hq, node)
        s.log("move", "{unit} relocates to {place}", "4.1.3", unit=hq, place=node)
        s.begin_phase(f"{SIDES[s.mover]}.movement")
        s.queue((ChooseMover, REGULAR), (COMBAT_SEGMENT,))  # it can be taken back until the movement is ended


def remember(s: NarvaState, hq: int) -> None:
    """4.1.2: the side's last activation; -1 if it woke no HQ (ruling 4)."""
    s.last = with_entry(s.last, s.mover, hq)


# ---------------------------------------------------------------------- 4.2: the units commanded


def rouse_formation(s: NarvaState, hq: int, role: int) -> None:
    """Units of the formation within range (4.2.4b, 4.2.6a), and the HQ itself for movement (6.0a)."""
    s.rouse(hq, MAY_MOVE)
    near = s.game.within(s.at[hq], s.game.units[hq].range)  # 4.2.4a: counted in hexes, when the HQ is woken
    for unit in s.game.members[hq]:
        if s.at[unit] in near and not s.pin[unit]:
            s.rouse(unit, role)


@flow.choice
class ChooseOthers(Pick[NarvaState]):
    """4.2.1a: up to three units (Strachwitz: four) that are not of the formation; independent ones too (4.2.2)."""

    kind, passing = "add", "no_more"

    def items(self, s: NarvaState, hq: int, left: int, role: int) -> Sequence[int]:
        activated, pin, at = s.activated, s.pin, s.at
        near = s.game.within(at[hq], s.game.units[hq].range) if left else ()
        found = [u for u in s.game.fighting[s.mover] if at[u] in near and not activated >> u & 1 and not pin[u]]
        return found if role & MAY_ATTACK else [u for u in found if not s.in_ezoc(at[u], s.mover)]

    def why_not_item(self, s: NarvaState, unit: int, hq: int, left: int, role: int) -> Citation | None:
        """Combat units on the map that are neither activated yet nor pinned (ruling 6)."""
        rule, fights = self.rules[0], unit in s.game.fighting[s.mover] and s.at[unit] != NOWHERE
        return (
            refuse_if(not fights, rule, "only your combat units on the map can be commanded")
            or refuse_if(s.pin[unit], "2.5.1i", "it is pinned")
            or refuse_if(s.activated >> unit & 1, rule, "it is activated already")
            or (None if role & MAY_ATTACK else why_not_leave_zone(s, unit))
            or why_not_reached(s, "4.2.4a", unit, hq)
        )

    def take(self, s: NarvaState, unit: int, hq: int, left: int, role: int) -> None:
        s.rouse(unit, role)
        s.push(ask, type(self), hq, left - 1, role)


@flow.choice
class ChooseReserves(ChooseOthers):
    """2.4.2b, 2.4.2c, 4.2.4c: the Army Group's two more units anywhere on the map, to move only."""

    def items(self, s: NarvaState, hq: int, left: int, role: int) -> Sequence[int]:
        activated, pin, at = s.activated, s.pin, s.at
        free = [u for u in s.game.fighting[s.mover] if at[u] >= 0 and not activated >> u & 1 and not pin[u]]
        return free if left else []
