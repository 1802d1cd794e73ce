"""Chapter 9: stacking."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, at, do, legal, refused, rule
from tests.rules.narvik.play import offers, rolled, stack, starting


@rule("9.0.a", "12.0.e")
def test_enemies_never_share_a_hex(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "SG-a": "1920", "Ju87-1": "German Strikes"})
    do(s, "movement KGW", "move 139-1")
    assert "1920" not in starting(s, "to")
    assert refused(s, "to 1920", "12.0.e")
    s = narvik.position(units={"139-1": "1720", "SG-a": "1920", "Ju87-1": "German Strikes"})
    do(s, "air support", "strike with Ju87-1")
    assert offers(s, "on 1920")


@rule("9.0.b", "18.1.e")
def test_units_count_one_and_leaders_nothing(narvik: Any) -> None:
    units = {"Erdmenger": "1720", "F-L": "1720", "139-PiH": "1720", "Dietl": "1820", "SG-a": "0115"}
    s = narvik.position(units=units)  # battalions and a platoon count alike
    do(s, "movement KGD", "move Dietl", "to 1720")
    assert len(stack(s, "1720")) == 4
    do(s, "halt", "done")
    s = narvik.position(units={**units, "139-1": "1620"})
    do(s, "movement KGW", "move 139-1")
    assert refused(s, "to 1720", "9.0.c")


@rule("9.0.c")
def test_three_germans_in_a_hex(narvik: Any) -> None:
    units = {"139-7": "1720", "139-8": "1720", "139-6": "1720", "139-4": "1821", "SG-a": "0115"}
    s = narvik.position(units=units)
    do(s, "movement KGW", "move 139-4")
    assert refused(s, "to 1720", "9.0.c")
    assert "1720" not in starting(s, "to")


@rule("9.0.d")
def test_two_allies_in_a_hex(narvik: Any) -> None:
    units = {"SG-a": "1720", "SG-b": "1620", "IG-a": "1821", "139-1": "2020"}
    s = narvik.position(phase="allied.action", units=units)
    do(s, "movement BR", "move SG-a", "to 1719", "halt", "move SG-b", "to 1719", "halt", "move IG-a")
    assert refused(s, "to 1719", "9.0.d")


@rule("9.0.e")
def test_nationalities_do_not_mix(narvik: Any) -> None:
    units = {"SG-a": "1720", "6CA-a": "1620", "ILE-a": "1821", "139-1": "2020"}
    s = narvik.position(phase="allied.action", units=units)
    do(s, "movement FR", "move 6CA-a")
    assert refused(s, "to 1720", "9.0.e")
    assert offers(s, "to 1821")  # different formations of one nationality


@rule("9.0.f", "9.0.j")
def test_no_move_ends_above_the_limit(narvik: Any) -> None:
    units = {"SG-a": "1720", "SG-b": "1720", "IG-a": "1620", "IG-b": "1620", "139-1": "2020"}
    s = narvik.position(phase="allied.action", units=units)
    do(
        s,
        "movement BR",
        "move SG-a",
        "to 1721",
        "halt",
        "move SG-b",
        "to 1719",
        "to 1720",
        "halt",
        "move IG-b",
        "to 1720",
    )
    assert stack(s, "1720") == ["IG-b", "SG-b"]
    assert narvik.check(s) == []


EXCHANGE = {"SG-a": "1720", "SG-b": "1720", "IG-a": "1620", "IG-b": "1620", "139-1": "2020"}


@rule("9.0.f")
def test_two_full_stacks_change_places_in_one_action(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units=EXCHANGE)
    do(s, "movement BR", "move IG-a", "and IG-b", "to 1720", "halt")
    assert len(stack(s, "1720")) == 4
    assert "too many" in s.decision.prompt
    assert refused(s, "done", "9.0.f")  # checked at the end of the action
    assert narvik.check(s) == []
    assert set(starting(s, "move")) == {"SG-a", "SG-b"}
    do(s, "move SG-a", "to 1620", "halt")
    assert refused(s, "done", "9.0.f")
    do(s, "move SG-b", "to 1719", "halt", "done")  # anywhere else will do
    assert (stack(s, "1720"), stack(s, "1620"), at(s, "SG-b")) == (["IG-b", "IG-a"], ["SG-a"], "1719")


@rule("9.0.f")
def test_one_unit_of_a_stack_changes_places_with_one_of_another(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units=EXCHANGE)
    do(s, "movement BR", "move IG-a", "to 1720", "halt", "move SG-a", "to 1620", "halt", "done")
    assert (stack(s, "1720"), stack(s, "1620")) == (["IG-a", "SG-b"], ["SG-a", "IG-b"])
    full = {"139-1": "1720", "139-2": "1720", "139-3": "1720", "139-4": "1620", "139-14": "1620", "139-5": "1620"}
    s = narvik.position(units={**full, "SG-a": "0115"})
    do(s, "movement KGW", "move 139-4", "and 139-14", "to 1720", "halt")
    do(s, "move 139-1", "to 1620", "halt")
    assert refused(s, "done", "9.0.f")
    do(s, "move 139-2", "to 1620", "halt", "done")
    assert (len(stack(s, "1720")), len(stack(s, "1620"))) == (3, 3)


@rule("9.0.e", "9.0.f")
def test_nobody_changes_places_with_who_stood_among_another_nationality(narvik: Any) -> None:
    """A French battery goes ashore among the British and must go on: nobody of 1218 could take its place there."""
    units = {"AA-1013": "Harstad", "SG-a": "1118", "Col-2": "1218", "6SES": "1218", "139-13": "1217"}
    s = narvik.position(phase="allied.action", units=units)
    do(s, "movement FR", "move AA-1013", "ferry to 1118")
    assert starting(s, "to") == ["1117"]
    assert refused(s, "to 1218", "9.0.d")
    s = narvik.position(phase="allied.action", units={**units, "SG-a": "0115"})
    do(s, "movement FR", "move AA-1013", "ferry to 1118", "to 1218", "move Col-2", "to 1118", "done")
    assert (len(stack(s, "1218")), stack(s, "1118")) == (2, ["Col-2"])


@rule("9.0.f", "9.0.j")
def test_who_cannot_leave_keeps_others_out(narvik: Any) -> None:
    """The units in the hex must be activated, yet to move, and able to take the place of those who come."""
    moved = narvik.position(phase="allied.action", units=EXCHANGE)
    do(moved, "movement BR", "move SG-a", "to 1719", "to 1720", "halt", "move SG-b", "to 1719", "to 1720", "halt")
    do(moved, "move IG-a")
    idle = narvik.position(units={"139-7": "1720", "139-8": "1720", "139-6": "1720", "139-4": "1620", "SG-a": "0115"})
    do(idle, "movement KGW", "move 139-4")  # the others are of KGH
    pinned = narvik.position(phase="allied.action", units={**EXCHANGE, "139-1": "1721", "139-2": "1520"})
    do(pinned, "movement BR", "move IG-a")  # both hexes are in enemy zones (10.1.b)
    regrouped = narvik.position(units={**OVERSTACKED, "SG-a": "0115", "139-6": "2021", "139-7": "1921"})
    do(regrouped, "movement KGH", "move 139-7")  # above the limit already (9.0.h)
    for s, full, rule_id in (
        (moved, "1720", "9.0.d"), (idle, "1720", "9.0.c"), (pinned, "1720", "10.1.b"), (regrouped, "2020", "9.0.c"),
    ):  # fmt: skip
        assert refused(s, f"to {full}", rule_id)
        assert f"to {full}" not in legal(s)


@rule("9.0.f")
def test_who_must_leave_is_not_joined_by_who_cannot(narvik: Any) -> None:
    """The tank finds room next to the hex for itself alone: a stack of both would have nowhere to go."""
    units = {"ILE-b": "1721", "342": "1721", "Col-1": "1720", "ILE-a": "1720", "SG-a": "1821", "SG-b": "1621"}
    s = narvik.position(phase="allied.action", units={**units, "139-1": "2020"})
    do(s, "movement FR", "move Col-1", "to 1721", "halt", "move ILE-b")
    assert refused(s, "and 342", "9.0.f")
    assert "and 342" not in legal(s)
    do(s, "to 1720", "halt", "done")
    assert (stack(s, "1721"), stack(s, "1720")) == (["Col-1", "342"], ["ILE-b", "ILE-a"])


@rule("9.0.f")
def test_a_stack_that_changes_places_may_still_go_on(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units=EXCHANGE)
    do(s, "movement BR", "move IG-a", "to 1720", "to 1721", "halt")
    assert legal(s)[-1] == "done"  # it only passed through
    assert len(stack(s, "1720")) == 2


@rule("9.0.e", "9.0.f")
def test_nationalities_do_not_mix_while_they_change_places(narvik: Any) -> None:
    units = {"6CA-a": "1720", "6CA-b": "1720", "SG-a": "1620", "139-1": "2020"}
    s = narvik.position(phase="allied.action", units=units)
    do(s, "movement BR", "move SG-a")
    assert refused(s, "to 1720", "9.0.e")


@rule("12.0.f", "12.2.c")
def test_choosing_and_going_back_leaves_no_trace(narvik: Any) -> None:
    s = narvik.position(phase="allied.action", units=EXCHANGE)
    do(s, "movement BR", "move SG-a", "to 1721")
    assert refused(s, "back", "12.0.d")  # it has moved
    do(s, "halt")
    before = s.to_json()
    do(s, "move IG-a", "and IG-b", "without IG-a", "back")
    assert s.to_json() == before
    do(s, "move SG-b", "to 1721", "halt")  # the stack of 1720 may still go on: nobody else has begun
    assert stack(s, "1721") == ["SG-b", "SG-a"]


@rule("9.0.g")
def test_any_number_may_pass_through(narvik: Any) -> None:
    units = {"139-1": "1721", "139-2": "1721", "139-3": "1721", "139-7": "1621", "SG-a": "0115"}
    s = narvik.position(units=units)
    do(s, "movement KGH", "move 139-7", "to 1821")  # by rail links through the full hex 1721
    assert s.place("139-7") == "1821"
    assert s.left(narvik.unit("139-7")) == 10


OVERSTACKED = {"139-1": "2020", "139-4": "2020", "139-2": "2020", "139-3": "2020", "SG-a": "2021"}


@rule("9.0.h")
def test_only_the_top_unit_of_an_overstacked_hex_fires(narvik: Any) -> None:
    s = narvik.position(units=OVERSTACKED)
    do(s, "fire KGW")
    assert starting(s, "attack with") == ["139-3"]  # placed last: on top
    assert refused(s, "attack with 139-1", "9.0.h")
    s = narvik.position(phase="allied.action", units=OVERSTACKED, dice=(1, 1, 1, 1))
    do(s, "assault BR", "attack with SG-a")
    events = do(s, "at 2020")
    assert rolled(events) == ["139-3", "139-2", "139-4", "139-1"]  # all can be fired on
    assert starting(s, "counterattack with") == ["139-3"]
    assert refused(s, "counterattack with 139-2", "9.0.h")
    legal = narvik.position(units={u: p for u, p in OVERSTACKED.items() if u != "139-2"})
    do(legal, "fire KGW")
    assert len(starting(legal, "attack with")) == 3


@rule("9.0.i")
def test_a_stack_is_put_in_order_when_it_is_activated(narvik: Any) -> None:
    units = {"139-1": "1720", "139-2": "1720", "139-7": "1720", "139-6": "0919", "139-8": "0919", "SG-a": "1820"}
    s = narvik.position(units=units)
    do(s, "fire KGW", "rearrange stacks")
    assert set(starting(s, "top")) == {"139-1", "139-2"}  # 139-7 is on top; no unit of KGW is in 0919
    do(s, "top 139-1", "keep the order")
    assert stack(s, "1720") == ["139-1", "139-7", "139-2"]
    assert not offers(s, "rearrange stacks")
    assert refused(s, "rearrange stacks", "9.0.i")
    s = narvik.position(units=units)
    do(s, "fire KGW", "attack with 139-1", "back")
    assert offers(s, "rearrange stacks")  # nothing has been done yet
    s.dice = (1,)
    do(s, "attack with 139-1", "at 1820")
    assert not offers(s, "rearrange stacks")


@rule("9.0.i")
def test_a_stack_is_put_in_order_when_a_unit_retreats_into_it(narvik: Any) -> None:
    units = {"139-1": "1719", "139-2": "1821", "SG-a": "1720", "SG-b": "1721", "139-4": "1820"}
    s = narvik.position(units=units, dice=(4, 1))  # column 5 on clear: retreat; rout of one hex
    do(s, "fire KGW", "attack with 139-4", "at 1720", "retreat SG-a to 1721")
    assert asked(s) == "stacking.Arrange"
    assert s.side == "allied"
    assert stack(s, "1721") == ["SG-a", "SG-b"]
    do(s, "top SG-b", "keep the order")
    assert stack(s, "1721") == ["SG-b", "SG-a"]


@rule("9.0.h", "9.0.i")
def test_an_overstacked_formation_comes_on_top_when_it_is_activated(narvik: Any) -> None:
    """The top unit of another formation does not keep it from declaring fire or assault."""
    units = {**OVERSTACKED, "139-6": "2020"}
    s = narvik.position(units=units)
    assert stack(s, "2020")[0] == "139-6"
    for kind in ("fire", "assault"):
        t = s.copy()
        assert offers(t, f"{kind} KGW")
        do(t, f"{kind} KGW")
        assert not starting(t, "attack with")
        do(t, "rearrange stacks", "top 139-1", "keep the order")
        assert starting(t, "attack with") == ["139-1"]


@rule("9.0.i")
def test_stacks_are_put_in_order_at_the_start_of_every_action_of_a_formation(narvik: Any) -> None:
    units = {"SG-a": "0216", "55RE": "0216", "SG-b": "Harstad", "139-1": "0919"}
    for action in ("amphibious BR", "engineers BR"):
        s = narvik.position(phase="allied.action", units=units, options={"engineers": True})
        do(s, action)
        assert offers(s, "rearrange stacks")
        do(s, "rearrange stacks", "top SG-a", "keep the order")
        assert stack(s, "0216") == ["SG-a", "55RE"]
        assert not offers(s, "rearrange stacks")
        assert refused(s, "rearrange stacks", "9.0.i")
    s = narvik.position(phase="allied.action", units=units)
    do(s, "amphibious BR", "embark SG-b", "sail to 0820")
    assert not offers(s, "rearrange stacks")


@rule("9.0.f", "10.1.b")
def test_who_can_go_nowhere_leaves_an_overstacked_hex_as_it_is(narvik: Any) -> None:
    """Regrouped units may stand too many in a hex (ruling D34): nobody has to leave because one of them could not."""
    germans = dict.fromkeys(("139-14", "139-PiW", "139-13", "139-10"), "1215")
    s = narvik.position(units={**germans, "I/12": "1214", "SG-a": "1316"})
    do(s, "movement KGH", "move 139-10")
    assert legal(s) == ["halt"]
    do(s, "halt", "done")
    assert len(stack(s, "1215")) == 4


@rule("9.0.c", "12.2.a")
def test_an_overstacked_hex_is_left_by_stacks_within_the_limit(narvik: Any) -> None:
    """Regrouped units stand too many in a hex (ruling D34): all of them together could end their march nowhere."""
    germans = dict.fromkeys(("139-1", "139-2", "139-3", "139-4"), "2020")
    s = narvik.position(units={**germans, "SG-a": "0115"})
    do(s, "movement KGW", "move 139-1", "and 139-2", "and 139-3")
    assert refused(s, "and 139-4", "9.0.c")
    do(s, "to 1920", "halt", "move 139-4", "to 1821", "halt", "done")
    assert len(stack(s, "1920")) == 3


@rule("9.0.b", "18.1.e")
def test_a_leader_joins_an_overstacked_hex(narvik: Any) -> None:
    s = narvik.position(units={**OVERSTACKED, "SG-a": "0115", "Dietl": "1920", "139-7": "1921"})
    do(s, "movement KGD", "move Dietl")
    assert offers(s, "to 2020")
    do(s, "to 2020", "halt", "move 139-7")
    assert refused(s, "to 2020", "9.0.c")


@rule("9.0.i")
def test_each_unit_is_put_on_top_once(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "139-2": "1720", "SG-a": "0115"})
    do(s, "movement KGW", "rearrange stacks", "top 139-1")
    assert refused(s, "top 139-1", "9.0.i")
    do(s, "top 139-2")
    assert asked(s) == "movement.Movement"  # nothing is left to choose
