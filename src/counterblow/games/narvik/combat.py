"""Chapter 14: ground unit fire and close assault: who attacks what, shifts, forecasts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from counterblow.games.narvik.engineers import bridged
from counterblow.games.narvik.leaders import why_idle
from counterblow.games.narvik.stacking import Group, Rearrange, may_fire
from counterblow.games.narvik.state import NarvikState, flow
from counterblow.kernel.forecast import Forecast, Modifier, rolled, tally
from counterblow.kernel.gather import Gather, Plan
from counterblow.kernel.masks import bits, mask_of
from counterblow.kernel.pick import Menu, Pick
from counterblow.kernel.rulebook import Citation, refuse, refuse_if

FIRE, ASSAULT, COUNTER, STRIKE = 0, 1, 2, 3
TITLES = ("Ground fire", "Close assault", "Counterattack", "Strike")
MEANING = {"-": "no effect", "R": "retreat", "D": "disrupted", "E": "eliminated"}
RESULTS = "EDR-"  # the worst first
EACH = 6  # defenders up to which a forecast tells what each of them meets with
NOBODY = -1  # no fire factors: nobody can counterattack
ROLL_DICE = flow.later("results.roll_dice")
AFTER_ASSAULT = flow.later("results.after_assault")
ONE_BY_ONE = refuse("14.4.1.b", "the assaults on one hex are completed before another is assaulted")

# ------------------------------------------------------------------ 14.0, 14.2 who can attack what


def targets(s: NarvikState, mode: int, unit: int, enemy: int) -> int:
    """Out of the hexes of a mask those that a unit can attack; nobody has to (10.2.a).

    14.2.a, 14.0.b: in range with a line of fire. 14.4.b, 14.4.c: adjacent, not across an all-sea hexside, and their
    assaults are not over. A counterattack strikes hexes that have assaulted, which are in reach.
    """
    ground = s.game.ground
    reach = enemy
    if mode == FIRE:
        reach = ground.fire_mask[s.game.roster.range[unit]][s.at[unit]]
    elif mode == ASSAULT:
        reach = ground.assault_mask[s.at[unit]] & ~s.barred
    return enemy & reach


def shooters(s: NarvikState, mode: int, enemy: int) -> list[int]:
    """Activated units on the map that can attack one of these hexes now."""
    ground, roster, at, zone = s.game.ground, s.game.roster, s.at, s.zone[1 - s.mover]
    found = []
    for u in bits(s.active & ~s.fired):
        node = at[u]
        if not 0 <= node < ground.hexes or (mode != FIRE and not roster.ca[u]):
            continue
        near = zone[node] or node in ground.fires_over_sea  # else no enemy is adjacent
        if (near or (mode == FIRE and roster.range[u] > 1)) and targets(s, mode, u, enemy) and may_fire(s, u):
            found.append(u)
    return found


def why_not_attack(s: NarvikState, mode: int, side: int, unit: int, enemy: int) -> Citation | None:
    """Why a unit cannot attack any of these hexes now; None if it can."""
    roster, counter = s.game.roster, mode == COUNTER
    if s.game.side_of[unit] != side:
        return refuse("1.2.a", "the unit belongs to the enemy")
    if unit == roster.auchinleck:
        return refuse("18.2.b", "Auchinleck is no combat unit")
    if not counter and not s.active >> unit & 1:
        return why_idle(s, unit)
    if not 0 <= s.at[unit] < s.game.ground.hexes:
        return refuse("20.0.e", "a unit in a staging area or display cannot attack")
    if s.fired >> unit & 1:
        return (
            refuse_if(counter, "14.4.1.c", "the unit has already counterattacked (ruling D29)")
            or refuse("14.1.h", "the unit has already attacked in this action")  # 14.0.e
        )  # fmt: skip
    if mode != FIRE and not roster.ca[unit]:
        return refuse("14.4.1.c" if counter else "14.4.a", "the unit is not close-assault capable")  # 14.4.e
    if not may_fire(s, unit):
        return refuse("9.0.h", "in an overstacked hex only the top unit attacks")
    if targets(s, mode, unit, enemy):
        return None
    over = s.game.ground.assault_mask[s.at[unit]] & s.occupied[1 - side] & s.barred
    return (
        refuse_if(mode == FIRE, "14.2.a", "no enemy hex is in range with a line of fire")
        or refuse_if(over, "14.4.1.b", "the assaults on the hex next to it are over")
        or refuse("14.4.b", "no enemy that it could assault is next to it")
    )


# ------------------------------------------------------------------ fire and assault: building an attack


class Attacker(Pick[NarvikState]):
    """The first unit of a group that attacks."""

    kind, stays = "attack", True

    def __init__(self, mode: int) -> None:
        self.mode = mode

    def items(self, s: NarvikState) -> list[int]:
        return shooters(s, self.mode, s.occupied[1 - s.mover])

    def why_not_item(self, s: NarvikState, unit: int) -> Citation | None:
        return why_not_attack(s, self.mode, s.mover, unit, s.occupied[1 - s.mover])

    def take(self, s: NarvikState, unit: int) -> None:
        s.push(Aim, Plan(s.mover, (), (unit,), (self.mode,)))


class Attacks(Menu[NarvikState]):
    """Any or all units of the sub-command attack, group by group."""

    passing, word = "done", ""

    def undone(self, s: NarvikState) -> str:
        return "" if s.fired & s.active else f"nobody has {self.word}, and the action is paid for"


@flow.choice
class Fire(Attacks):
    """14.0.a, 14.0.i"""

    word = "fired"
    parts = (Rearrange(), Attacker(FIRE))


@flow.choice
class Assault(Attacks):
    """14.0.d, 14.4.d"""

    word = "assaulted"
    parts = (Rearrange(), Attacker(ASSAULT))


def may_be_hit(s: NarvikState, plan: Plan) -> int:
    """The hexes that a plan may be aimed at, reach apart: those named in it, or any that the enemy holds."""
    enemy = s.occupied[1 - plan.side]
    return mask_of(plan.targets) & enemy if plan.targets else enemy


def common_targets(s: NarvikState, plan: Plan) -> int:
    """14.1.b: the hexes that all units of the group can attack."""
    common = may_be_hit(s, plan)
    for unit in plan.units:
        common &= targets(s, plan.extra[0], unit, common)
    return common


class Target(Pick[NarvikState]):
    """14.1.b: one enemy hex within reach of the whole group; with it the attack is made."""

    kind = "at"

    def items(self, s: NarvikState, plan: Plan) -> list[int]:
        return bits(common_targets(s, plan))

    def why_not_item(self, s: NarvikState, node: int, plan: Plan) -> Citation | None:
        ground, here, mode = s.game.ground, s.at[plan.units[0]], plan.extra[0]
        if ground.areas[node]:
            return refuse("20.0.e", "staging areas cannot be attacked")
        if node >= ground.hexes:
            return refuse("14.1.b", "a display is no hex that enemies occupy")
        if not s.held[1 - plan.side][node]:
            return refuse("14.1.b", "no enemy unit is there")
        if plan.targets and node not in plan.targets:
            return ONE_BY_ONE if mode == ASSAULT else refuse("14.4.1.c", "a counterattack strikes a hex that assaulted")
        distance = s.game.board.distance(here, node)
        if mode == ASSAULT:
            return (
                refuse_if(s.barred >> node & 1, "14.4.1.b", "the assaults on this hex are over")
                or refuse_if(distance > 1, "14.4.b", "a close assault is made against an adjacent hex")
                or refuse("14.4.c", "no close assault crosses an all-sea hexside")
            )
        for unit in plan.units:
            reach = s.game.roster.range[unit]
            if distance > reach:
                rule = "14.0.c" if reach == 1 else "14.2.a"
                return refuse(rule, f"{s.game.unit_names[unit]} has range {reach}")
        return refuse("14.2.b", "a peak blocks the line of fire")

    def take(self, s: NarvikState, node: int, plan: Plan) -> None:
        mode, here = plan.extra[0], s.at[plan.units[0]]
        s.fired |= mask_of(plan.units)
        if mode == ASSAULT:  # who assaults the hex: for pursuit and counterattack
            froms, units = s.stormed if plan.targets else ((), ())
            s.stormed = (froms if here in froms else (*froms, here), (*units, *plan.units))
            if not plan.targets:  # else the step that asked for more assaults comes again
                s.push(AFTER_ASSAULT, node)
        attack(s, mode, plan.side, plan.units, node)

    def outlook(self, s: NarvikState, node: int, plan: Plan) -> Forecast:
        return forecast_attack(s, plan.extra[0], plan.side, plan.units, node)


@flow.choice
class Aim(Gather[NarvikState]):
    """14.1, 14.0.h: the group, then its target; others of the hex may take another.

    ``extra`` of the plan is the kind of attack.
    """

    joining, committing, parts = "and", "", (Target(),)

    def prompt(self, s: NarvikState, plan: Plan) -> str:
        names = s.game.act.name("units", plan.units)
        where = s.game.board.labels[s.at[plan.units[0]]]
        return f"{TITLES[plan.extra[0]]} out of {where} with {names}: add a unit of the hex, or choose the target."

    def joiners(self, s: NarvikState, plan: Plan) -> Sequence[int]:
        """14.1.a: units of the same hex that can attack a target common to all."""
        stack = s.here[s.at[plan.units[0]]]
        if len(stack) == len(plan.units):
            return ()
        common = common_targets(s, plan)
        others = [u for u in sorted(stack) if u not in plan.units]
        return [u for u in others if why_not_attack(s, plan.extra[0], plan.side, u, common) is None]

    def why_not_join(self, s: NarvikState, plan: Plan, unit: int) -> Citation | None:
        if s.at[unit] != s.at[plan.units[0]]:
            return refuse("14.1.a", "only units in one hex combine their fire")
        if unit in plan.units:
            return refuse("14.1.a", "the unit is already in the group")
        return why_not_attack(s, plan.extra[0], plan.side, unit, may_be_hit(s, plan))


# ------------------------------------------------------------------ 14.1, 14.3 the column


def column_of(number: int, least: int = 0) -> int:
    """14.3.b, 14.3.c: the column of a number; fire factors count as 1 at least before they are shifted (14.1.c)."""
    return max(least, min(12, number))


def attack_shifts(
    s: NarvikState, mode: int, side: int, group: Group, target: int, viewer: int | None = None
) -> list[Modifier]:
    """14.3.a, 14.3.d: shifts against every unit in the hex, judged when the attack begins (ruling D49).

    With a ``viewer`` only defenders that this side can see count. 14.3.j, 14.3.m: nothing else shifts.
    """
    if mode == COUNTER:  # 14.4.1.d
        return []
    ground, roster, here = s.game.ground, s.game.roster, s.at[group[0]]
    cases = {"entrenched": s.trenches[1 - side] >> target & 1 > 0}
    if mode == ASSAULT:
        defenders = [u for u in s.here.get(target, ()) if viewer is None or s.sees(viewer, u)]
        ours, theirs = sum(roster.fire[u] for u in group), sum(roster.fire[u] for u in defenders)
        elite = any(roster.elite[u] for u in group)
        cases |= {
            "inlet": ground.inlet(here, target) and not bridged(s, here, target),
            "elite_assault": elite,
            "plain_assault": not elite,
            "elite_defender": any(roster.elite[u] for u in defenders),
            "twice_the_strength": bool(defenders) and theirs >= 2 * ours,
        }
    elif mode == STRIKE:
        flak = [u for u in enemy_flak(s, side, target) if viewer is None or s.sees(viewer, u)]
        cases["flak"] = roster.type[group[0]] == "air" and bool(flak)
    terrain = ground.assault_shift[target] if mode == ASSAULT else ground.fire_shift[target]
    found = [Modifier(terrain, s.game.board.terrain[target], "14.3.e")] if terrain else []
    return found + [s.game.tables.shifts[name] for name, holds in cases.items() if holds]


def enemy_flak(s: NarvikState, side: int, target: int) -> tuple[int, ...]:
    """14.3.k, ruling D48: every enemy anti-aircraft unit in a hex or next to it."""
    kind, side_of = s.game.roster.type, s.game.roster.side
    units = [u for node in (target, *s.game.ground.around[target]) for u in s.here.get(node, ())]
    return tuple([u for u in units if kind[u] == "anti-aircraft" and side_of[u] != side])


def against_armour(s: NarvikState, mode: int, group: Group, unit: int) -> int:
    """14.3.f, 14.3.2.a, ruling D46: one anti-armour unit in the group, on the die against a mechanised unit."""
    roster = s.game.roster
    if mode == COUNTER or not roster.mech[unit] or not any(roster.aa[u] for u in group):
        return 0
    return int(s.game.tables.shifts["anti_armour"].amount)


def immune(s: NarvikState, mode: int, unit: int) -> bool:
    """18.1.f, 18.1.g: only close assault touches Dietl."""
    return unit == s.game.roster.dietl and mode in (FIRE, STRIKE)


# ------------------------------------------------------------------ 14.1 the dice


def attack(s: NarvikState, mode: int, side: int, group: Group, target: int) -> None:
    """14.1.c, 14.1.d, 14.1.e: the column comes from the attackers; then one die for each unit, top first."""
    defenders = s.top(target)
    s.reveal((*group, *defenders))  # 21.0.d
    total = sum(s.game.roster.fire[u] for u in group)
    shifts = attack_shifts(s, mode, side, group, target)
    base, shift = column_of(total, 1), sum(int(m.amount) for m in shifts)
    parts = "".join(f", {m.amount:+d} {m.text}" for m in shifts)
    s.log("reveal", f"{TITLES[mode]} by {{units}} at {{place}}: fire factors {{n3}}, column {{n1}}{parts}", "14.1.c",
          *[m.rule for m in shifts], units=group, place=target, n1=base, n2=shift, n3=total)  # fmt: skip
    s.queue(*[(ROLL_DICE, mode, group, base + shift, unit) for unit in defenders])


# ------------------------------------------------------------------ forecasts


def forecast_attack(s: NarvikState, mode: int, side: int, group: Group, target: int, storm: bool = False) -> Forecast:
    """Exact chances of what an attack does to the hex, from what the attacker can see."""
    shifts = attack_shifts(s, mode, side, group, target, viewer=side)
    base = column_of(sum(s.game.roster.fire[u] for u in group), 1)
    column = base + sum(int(m.amount) for m in shifts)
    defenders = [u for u in s.top(target) if not (s.sees(side, u) and immune(s, mode, u))]
    columns = [column_of(column + (against_armour(s, mode, group, u) if s.sees(side, u) else 0)) for u in defenders]
    if any(s.sees(side, u) and against_armour(s, mode, group, u) for u in defenders):
        shifts.append(s.game.tables.shifts["anti_armour"])
    facts = (
        ("fire factors", str(sum(s.game.roster.fire[u] for u in group))),
        ("column", str(base)),
        ("final column", " ".join(str(c) for c in columns) or str(column_of(column))),
    )
    near = s.game.ground.around[target] if s.game.roster.type[group[0]] == "air" else ()  # 14.3.k: flak next to the hex
    unseen = any(not s.sees(side, u) for node in (target, *near) for u in s.here.get(node, ()))
    notes = ["units that you cannot see may change the shifts (21.0.a)"] if unseen and mode != COUNTER else []
    spared = len(s.top(target)) - len(defenders)
    results = tuple([s.game.tables.crt[c] for c in columns])
    outcomes = tally(
        _together(results).items(), {letters: _told(letters, spared > 0) for letters in _together(results)}
    )
    if spared:
        notes.append("Dietl stays: only close assault affects him (18.1.f)")
    if mode == ASSAULT and not storm:
        notes += _counter_notes(s, side, group, target, defenders, results)
    return Forecast(f"{TITLES[mode]} at {s.game.board.labels[target]}", facts, tuple(shifts), outcomes, tuple(notes))


def _told(letters: str, spared: bool) -> str:
    """A result in words: unit by unit, or of a large stack how many."""
    if letters and "-" not in letters and not spared:
        return "the hex is cleared"
    if len(letters) > EACH:
        return ", ".join(f"{letters.count(x)} {MEANING[x]}" for x in RESULTS if x in letters)
    return ", ".join(MEANING[x] for x in letters or "-")


@lru_cache(maxsize=4096)  # exact fractions are slow, and the same columns come again and again
def _together(columns: tuple[str, ...]) -> dict[str, Fraction]:
    """The chances of all results, top unit first: "R-" means the top unit retreats and the next is unharmed.

    Of a large stack only how many units meet with what, the worst first: unit by unit there would be millions.
    """
    if not columns:
        return {"": Fraction(1)}
    faces = sorted(columns[-1], key=RESULTS.index)
    if len(columns) <= EACH:
        return rolled(_together(columns[:-1]), lambda letters, face: letters + faces[face - 1])
    return rolled(
        _together(columns[:-1]), lambda letters, face: "".join(sorted(letters + faces[face - 1], key=RESULTS.index))
    )


def _left(s: NarvikState, defenders: list[int], columns: tuple[str, ...]) -> dict[tuple[int, int, int], Fraction]:
    """Who is left to counterattack: (units that count for stacking, the top one, fire factors) with their chances."""
    roster = s.game.roster
    ends: dict[tuple[int, int, int], int] = {(0, -1, NOBODY): 1}
    for unit, column in zip(defenders, columns, strict=True):
        stays = column.count("-")
        found: dict[tuple[int, int, int], int] = {}
        for end, ways in ends.items():
            load, top, strikers = end
            fire = max(0, strikers) + roster.fire[unit] if roster.ca[unit] else strikers
            left = (load + roster.counts[unit], unit if top < 0 else top, fire)
            for now, count in ((end, 6 - stays), (left, stays)):
                if count:
                    found[now] = found.get(now, 0) + ways * count
        ends = found
    return {end: Fraction(ways, 6 ** len(columns)) for end, ways in ends.items()}


def _counter_notes(
    s: NarvikState, side: int, group: Group, target: int, defenders: list[int], columns: tuple[str, ...]
) -> list[str]:
    """What the counterattack of the defenders that are left would do to each unit in the assaulting hex (14.4.1)."""
    if any(not s.sees(side, u) for u in defenders):
        return ["the counterattack cannot be foreseen: not all defenders are seen (21.0.a)"]
    roster = s.game.roster
    harm: dict[str, Fraction] = {}
    for (load, top, strikers), chance in _left(s, defenders, columns).items():
        if load > s.game.tables.stacking[1 - side]:  # 9.0.h: only the top unit
            strikers = roster.fire[top] if roster.ca[top] else NOBODY
        if strikers != NOBODY:
            for letter in s.game.tables.crt[column_of(strikers, 1)]:
                harm[letter] = harm.get(letter, Fraction(0)) + chance / 6
    if not harm:
        return ["no defender can counterattack (14.4.1.c)"]
    listed = ", ".join(f"{MEANING[x]} {harm[x]}" for x in "RDE" if x in harm)
    return [f"counterattack, for each unit in {s.game.board.labels[s.at[group[0]]]}: {listed} (14.4.1.a)"]
