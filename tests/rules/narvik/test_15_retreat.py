"""Chapter 15: retreat and pursuit."""

from __future__ import annotations

from typing import Any

from counterblow.games.narvik.retreat import WALK
from tests.helpers import asked, do, legal, refused, rule
from tests.rules.narvik.play import offers, stack, starting


def _hit(narvik: Any, unit: str, at: str, others: dict[str, str], shooter: str, dice: tuple[int, ...]) -> Any:
    """The German company 139-4 fires with 5 factors at an Allied unit."""
    s = narvik.position(units={"139-4": shooter, **others, unit: at}, dice=dice)
    do(s, "fire KGW", "attack with 139-4", f"at {at}")
    return s


FIVE = (4,)  # column 5, die 4: retreat


@rule("15.1.a")
def test_elite_units_withdraw_one_hex(narvik: Any) -> None:
    s = _hit(narvik, "6CA-a", "1820", {}, "1720", FIVE)
    assert asked(s) == "retreat.Retreat"
    do(s, "retreat 6CA-a to 1919")
    assert s.place("6CA-a") == "1919"
    assert asked(s) != "retreat.Retreat"


@rule("15.1.b")
def test_others_rout_as_far_as_the_die_says(narvik: Any) -> None:
    s = _hit(narvik, "SG-a", "1820", {}, "1720", (4, 2))
    do(s, "retreat SG-a to 1919")
    assert asked(s) == "retreat.Retreat"
    do(s, f"retreat SG-a to {starting(s, 'retreat SG-a to')[0]}")
    assert narvik.board.distance(narvik.node("1820"), narvik.node(s.place("SG-a"))) == 2
    assert asked(s) != "retreat.Retreat"


@rule("15.1.c")
def test_the_owner_chooses(narvik: Any) -> None:
    s = _hit(narvik, "SG-a", "1820", {}, "1720", (4, 1))
    assert s.side == "allied"
    assert set(starting(s, "retreat SG-a to")) == {"1819", "1919", "1920", "1821", "1719"}
    units = {"SG-a": "1720", "Kothe": "1820"}
    s = narvik.position(phase="allied.action", units=units, dice=(4, 1))
    do(s, "fire BR", "attack with SG-a", "at 1820")
    assert s.side == "german"


@rule("15.1.d")
def test_not_into_the_enemy(narvik: Any) -> None:
    s = _hit(narvik, "SG-a", "1820", {"139-2": "1919"}, "1720", (4, 1))
    assert refused(s, "retreat SG-a to 1919", "15.1.d")
    assert "1919" not in starting(s, "retreat SG-a to")


@rule("15.1.e")
def test_a_retreat_may_end_in_a_zone_but_not_pass_it(narvik: Any) -> None:
    s = _hit(narvik, "SG-a", "1820", {}, "1720", (4, 1))
    assert "1821" in starting(s, "retreat SG-a to")  # in the zone of 139-4: as the last hex
    s = _hit(narvik, "SG-a", "1820", {}, "1720", (4, 2))
    assert "1821" not in starting(s, "retreat SG-a to")
    assert refused(s, "retreat SG-a to 1821", "15.1.e")
    ring = {"139-1": "1718", "139-2": "2020", "139-3": "1921"}  # every way out lies in a zone
    s = _hit(narvik, "SG-a", "1820", ring, "1720", (4, 2))
    assert s.place("SG-a") == "Allied Regroup"


@rule("15.1.f")
def test_not_into_prohibited_terrain(narvik: Any) -> None:
    s = _hit(narvik, "3KOH", "1820", {}, "1720", (4, 1))
    assert set(starting(s, "retreat 3KOH to")) == {"1920", "1821"}
    assert refused(s, "retreat 3KOH to 1919", "15.1.f")
    s = _hit(narvik, "SG-a", "1019", {}, "1020", (3, 1))
    assert refused(s, "retreat SG-a to 1118", "15.1.f")  # across an all-sea hexside
    assert set(starting(s, "retreat SG-a to")) == {"0919", "1119"}


@rule("15.1.g")
def test_every_step_leads_away(narvik: Any) -> None:
    s = _hit(narvik, "SG-a", "1820", {}, "1720", (4, 3))
    do(s, "retreat SG-a to 1919")
    assert refused(s, "retreat SG-a to 1920", "15.1.g")
    while asked(s) == "retreat.Retreat":
        s.do(s.legal()[0])
    assert narvik.board.distance(narvik.node("1820"), narvik.node(s.place("SG-a"))) == 3


@rule("15.1.h")
def test_an_overstacked_unit_goes_on(narvik: Any) -> None:
    full = {"IG-a": "1919", "IG-b": "1919"}
    s = _hit(narvik, "SG-a", "1820", full, "1720", (4, 1))
    do(s, "retreat SG-a to 1919")
    assert asked(s) == "retreat.Retreat"  # no room: further
    assert "1918" in starting(s, "retreat SG-a to")
    do(s, "retreat SG-a to 1918")
    assert s.place("SG-a") == "1918"
    assert asked(s) != "retreat.Retreat"


@rule("15.1.h", "15.1.e")
def test_a_full_hex_in_an_enemy_zone_is_no_way_out(narvik: Any) -> None:
    units = {"139-4": "1720", "SG-a": "1820", "IG-a": "1920", "IG-b": "1920", "139-6": "2020"}
    s = narvik.position(units=units, dice=(4, 1))
    do(s, "fire KGW", "attack with 139-4", "at 1820")
    assert set(starting(s, "retreat SG-a to")) == {"1719", "1819", "1919", "1821"}
    assert refused(s, "retreat SG-a to 1920", "15.1.e")  # no room, and no passing on


@rule("15.1.m")
def test_another_nationality_is_passed(narvik: Any) -> None:
    s = _hit(narvik, "SG-a", "1820", {"6CA-a": "1919"}, "1720", (4, 1))
    do(s, "retreat SG-a to 1919")
    assert asked(s) == "retreat.Retreat"
    do(s, "retreat SG-a to 1918")
    assert s.place("SG-a") == "1918"
    units = {"6CA-b": "2020", "SG-b": "1918"}
    s = _hit(narvik, "SG-a", "1820", {"6CA-a": "1919", **units}, "1720", (4, 1))
    do(s, "retreat SG-a to 1919", "retreat SG-a to 1918", "keep the order", "done", "movement FR", "move 6CA-b")
    assert "1919" in starting(s, "to")  # the passage left no trace


@rule("15.1.i")
def test_allied_units_leave_by_an_edge(narvik: Any) -> None:
    s = _hit(narvik, "SG-a", "0115", {}, "0215", (4, 6))
    assert "Harstad" in starting(s, "retreat SG-a to")
    do(s, "retreat SG-a to Harstad")
    assert s.place("SG-a") == "Harstad"
    assert asked(s) != "retreat.Retreat"
    s = _hit(narvik, "SG-a", "0214", {}, "0314", (4, 6))  # lake: column 6, die 4 retreat
    do(s, "retreat SG-a to 0114", "retreat SG-a to Harstad")  # reached on the way
    assert s.place("SG-a") == "Harstad"


@rule("15.1.j")
def test_no_retreat_into_swedish_transit(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units={"SG-a": "2020", "Kothe": "2120"}, dice=(4, 1))
    do(s, "fire BR", "attack with SG-a", "at 2120")
    assert refused(s, "retreat Kothe to Swedish Transit", "15.1.j")
    assert "Swedish Transit" not in " ".join(legal(s))
    s = narvik.position(phase="allied.action", units={"SG-a": "0215", "Kothe": "0115"}, dice=(4, 1))
    do(s, "fire BR", "attack with SG-a", "at 0115")
    assert refused(s, "retreat Kothe to Harstad", "15.1.i")  # nor Germans into an Allied area


@rule("15.1.k")
def test_no_transport_in_a_retreat(narvik: Any) -> None:
    units = {"SG-a": "1020", "Kothe": "0919", "139-PiH": "0919"}
    s = narvik.position(phase="allied.action", units=units, control={"0820": "german"}, dice=(1, 4, 1))
    do(s, "fire BR", "attack with SG-a", "at 0919")  # column 4: the engineer stands, Kothe routs
    assert set(starting(s, "retreat Kothe to")) == {"1019", "0920"}  # no ferry to Ankenes, no train
    assert refused(s, "retreat Kothe to 1420", "15.1.k")
    s = narvik.position(units={"139-4": "0821", "RM": "0820"}, options={"marine_boats": True}, dice=(4, 1))
    do(s, "fire KGW", "attack with 139-4", "at 0820")  # elite: one hex
    assert s.place("RM") == "0720"  # the only way: boats do not serve in a retreat (ruling D74)


@rule("15.1.l")
def test_a_unit_that_cannot_retreat_goes_to_regroup(narvik: Any) -> None:
    ring = {"139-1": "1819", "139-2": "1919", "139-3": "1920", "139-6": "1821", "139-7": "1719"}
    s = _hit(narvik, "SG-a", "1820", ring, "1720", (4, 1))
    assert s.place("SG-a") == "Allied Regroup"


# ------------------------------------------------------------------ 15.2 pursuit


def cleared(narvik: Any, units: dict[str, str], *group: str, sub: str = "KGW", dice: tuple[int, ...] = (6,)) -> Any:
    """An assault on 1820 that clears it."""
    s = narvik.position(units=units, dice=dice)
    do(s, f"assault {sub}", f"attack with {group[0]}", *[f"and {u}" for u in group[1:]], "at 1820")
    return s


@rule("15.2.a")
def test_pursuit_only_into_a_cleared_hex(narvik: Any) -> None:
    s = cleared(narvik, {"139-1": "1720", "SG-a": "1820"}, "139-1")
    assert asked(s) == "advance.Pursuit"
    s = cleared(narvik, {"139-1": "1720", "SG-a": "1820"}, "139-1", dice=(1,))
    assert asked(s) == "results.Counterattack"
    s = narvik.position(units={"139-4": "1720", "SG-a": "1820"}, dice=(6,))
    do(s, "fire KGW", "attack with 139-4", "at 1820")
    assert asked(s) != "advance.Pursuit"


@rule("15.2.b")
def test_plain_units_pursue_one_hex(narvik: Any) -> None:
    s = cleared(narvik, {"Kothe": "1720", "SG-a": "1820"}, "Kothe", sub="KGB")
    assert starting(s, "pursue with") == ["Kothe to 1820"]
    assert refused(s, "pursue with Kothe to 1920", "15.2.b")
    do(s, "pursue with Kothe to 1820")
    assert s.place("Kothe") == "1820"


@rule("15.2.c")
def test_elite_units_pursue_two_hexes(narvik: Any) -> None:
    s = cleared(narvik, {"139-1": "1720", "139-2": "1720", "SG-a": "1820"}, "139-1", "139-2")
    hexes = {t.split()[2] for t in starting(s, "pursue with") if t.startswith("139-1 ")}
    assert hexes == {"1820", "1819", "1919", "1920", "1821", "1719"}
    do(s, "pursue with 139-1 to 1920", "pursue with 139-2 to 1820")
    assert (s.place("139-1"), s.place("139-2")) == ("1920", "1820")
    assert s.controls(0, narvik.node("1820"))


@rule("15.2.c", "4.4.d")
def test_the_cleared_hex_is_taken_in_passing(narvik: Any) -> None:
    s = cleared(narvik, {"139-1": "1720", "SG-a": "1820", "SG-b": "0115"}, "139-1")
    assert not s.controls(0, narvik.node("1820"))
    do(s, "pursue with 139-1 to 1920")
    assert s.controls(0, narvik.node("1820"))
    assert s.controls(0, narvik.node("1920"))


@rule("15.2.a", "15.2.c")
def test_all_that_assaulted_the_hex_pursue(narvik: Any) -> None:
    units = {"139-1": "1720", "139-2": "1821", "SG-a": "1820", "139-3": "1719", "SG-b": "1619"}
    s = narvik.position(units=units, dice=(1, 1, 6))
    do(s, "assault KGW", "attack with 139-3", "at 1619", "decline")  # another fight
    do(s, "attack with 139-1", "at 1820", "attack with 139-2", "at 1820")
    moves = starting(s, "pursue with")
    assert {"139-1 to 1920", "139-2 to 1919", "139-1 to 1820"} <= set(moves)  # the first assault counts as well
    assert not any(move.startswith("139-3 ") for move in moves)
    assert refused(s, "pursue with 139-3 to 1820", "15.2.e")  # next to the hex, but it attacked elsewhere


@rule("9.0.i")
def test_a_stack_is_put_in_order_after_pursuit(narvik: Any) -> None:
    s = cleared(narvik, {"139-1": "1720", "SG-a": "1820", "139-7": "1920"}, "139-1")
    do(s, "pursue with 139-1 to 1920")
    assert asked(s) == "stacking.Arrange"
    assert starting(s, "top") == ["139-7"]


@rule("15.2.d")
def test_pursuit_is_free(narvik: Any) -> None:
    s = cleared(narvik, {"139-1": "1720", "SG-a": "1820"}, "139-1")
    ap = s.ap
    do(s, "pursue with 139-1 to 1820")
    assert s.ap == ap
    assert asked(s) == "combat.Assault"  # the action goes on


@rule("15.2.e")
def test_units_that_did_not_fire_may_move_in(narvik: Any) -> None:
    units = {"139-1": "1720", "139-2": "1821", "139-7": "1821", "139-4": "1720", "SG-a": "1820", "SG-b": "1919"}
    s = cleared(narvik, units, "139-1")
    moves = starting(s, "pursue with")
    assert "139-2 to 1820" in moves
    assert "139-2 to 1920" not in moves  # no further, though elite
    assert refused(s, "pursue with 139-2 to 1920", "15.2.e")
    assert not any(move.startswith("139-7 ") for move in moves)  # not activated
    do(s, "pursue with 139-2 to 1820", "end the pursuit")
    assert refused(s, "attack with 139-2", "14.1.h")  # ruling D54, though SG-b is next to it now


@rule("15.2.f")
def test_stacking_after_pursuit(narvik: Any) -> None:
    units = {"139-1": "1720", "139-2": "1720", "139-3": "1720", "139-11": "1719", "139-12": "1719", "SG-a": "1820"}
    s = cleared(narvik, units, "139-1", "139-2", "139-3")
    for name in ("139-1", "139-2", "139-3"):
        do(s, f"pursue with {name} to 1820")
        if asked(s) == "stacking.Arrange":
            do(s, "keep the order")
    assert asked(s) != "advance.Pursuit"  # full: 139-11 and 139-12 stay
    assert len(stack(s, "1820")) == 3
    s = cleared(narvik, {**units, "139-7": "1920", "139-8": "1920", "139-6": "1920"}, "139-1")
    assert refused(s, "pursue with 139-1 to 1920", "15.2.f")


@rule("15.2.g")
def test_pursuit_ignores_zones(narvik: Any) -> None:
    s = cleared(narvik, {"139-1": "1720", "SG-a": "1820", "SG-b": "2020"}, "139-1")
    assert "139-1 to 1920" in starting(s, "pursue with")
    do(s, "pursue with 139-1 to 1919")
    assert s.place("139-1") == "1919"


@rule("15.2.h")
def test_pursuit_needs_passable_terrain(narvik: Any) -> None:
    units = {"3KOH": "1720", "Kothe": "1719"}
    s = narvik.position(phase="allied.action", units=units, dice=(6,))
    do(s, "assault BR", "attack with 3KOH", "at 1719")
    assert asked(s) != "advance.Pursuit"  # rough is closed to the tank
    s = cleared(narvik, {"139-1": "1720", "SG-a": "1820"}, "139-1")
    assert refused(s, "pursue with 139-1 to 1620", "15.2.c")  # too far
    assert refused(s, "pursue with 139-1 to 1720", "15.2.c")  # ruling D88: not back again
    s = narvik.position(units={"139-1": "1117", "SG-a": "1118"}, dice=(6,))
    do(s, "assault KGW", "attack with 139-1", "at 1118")
    assert starting(s, "pursue with") == ["139-1 to 1118", "139-1 to 1218"]  # sea and all-sea hexsides around
    assert refused(s, "pursue with 139-1 to 1018", "15.2.h")


@rule("15.2.i")
def test_who_never_pursues(narvik: Any) -> None:
    units = {"139-1": "1720", "139-4": "1720", "SG-a": "1820", "SG-b": "1721"}
    s = cleared(narvik, units, "139-1")
    assert refused(s, "pursue with 139-4 to 1820", "15.2.i")
    assert refused(s, "pursue with SG-b to 1820", "1.2.a")  # nor does anybody of the enemy's


@rule("15.2.k")
def test_a_counterattack_that_clears_brings_no_advance(narvik: Any) -> None:
    s = cleared(narvik, {"Kothe": "1720", "SG-a": "1820"}, "Kothe", sub="KGB", dice=(1, 6))
    do(s, "counterattack with SG-a", "at 1720")
    assert s.place("Kothe") == "German Regroup"
    assert s.place("SG-a") == "1820"
    assert asked(s) != "advance.Pursuit"
    assert not any(text.startswith("pursue") for text in legal(s))


@rule("15.2.j")
def test_no_other_advance_after_combat(narvik: Any) -> None:
    s = narvik.position(units={"139-4": "1720", "SG-a": "1820"}, dice=(6,))
    do(s, "fire KGW", "attack with 139-4", "at 1820")
    assert not any(text.startswith("pursue") for text in legal(s))
    s = cleared(narvik, {"139-1": "1720", "139-3": "1519", "SG-a": "1820"}, "139-1")
    assert refused(s, "pursue with 139-3 to 1820", "15.2.e")
    assert offers(s, "end the pursuit")


@rule("15.1.h", "15.1.g")
def test_a_full_hex_from_which_no_way_leads_on(narvik: Any) -> None:
    crowd = dict.fromkeys(("139-11", "139-12", "139-13"), "0727")
    s = narvik.position(units={"139-2": "0627", **crowd, "SG-a": "0216"})
    unit, way, full = narvik.unit("139-2"), (narvik.node("0627"),), narvik.node("0727")
    assert WALK.why_not_next(s, unit, way, full, 1) == (
        "15.1.h", "more than 3 units would stand in 0727, and no way leads on"
    )  # fmt: skip
    far = WALK.why_not_next(s, unit, way, full, 6)
    assert far == ("15.1.g", "the retreat could not be completed that way")
