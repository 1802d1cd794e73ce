"""Chapter 4: the sequence of play."""

from __future__ import annotations

from typing import Any

from tests.helpers import asked, at, do, refused, rule
from tests.rules.noretreat.play import combat, moving, offers, score, skip_to, starting, told

SMALL = {"9th Army": "0810", "Don": "2210"}


def phases_seen(s: Any, stop: int) -> list[str]:
    """The phases that ask something, in order, playing quietly until a turn."""
    seen: list[str] = []
    while not s.over and s.turn < stop:
        if not seen or seen[-1] != s.phase:
            seen.append(s.phase)
        quiet = [t for t in (str(a) for a in s.legal()) if t in ("done", "pass")]
        s.do(quiet[0] if quiet else str(s.legal()[0]))
    return seen


@rule("4.0.a", "4.0.b")
def test_axis_then_soviet_phases_in_order(noretreat: Any) -> None:
    s = noretreat.position(turn=7, phase="axis.turn", units={"9th Army": "2210", "Don": "2211"},
                           hands={"axis": ["Katyusha", "River Crossing", "STAVKA"]})  # fmt: skip
    seen = phases_seen(s, 8)
    order = ["axis.card", "axis.organization", "axis.movement", "axis.combat",
             "soviet.organization", "soviet.movement", "soviet.combat"]  # fmt: skip
    assert [phase for phase in seen if phase in order] == order


@rule("4.A", "4.B")
def test_housekeeping_advances_the_turn_and_applies_its_events(noretreat: Any) -> None:
    s = noretreat.position(turn=14, phase="soviet.detraining", units={**SMALL, "Italian 8th": "0811"})
    assert s.turn == 15
    assert at(s, "Italian 8th") is None
    last = noretreat.position(turn=28, phase="soviet.detraining", units=SMALL)
    assert last.over
    assert last.result.winner == "axis"
    assert "4.A" in last.result.rules


@rule("4.C.a")
def test_red_events_score_at_once(noretreat: Any) -> None:
    before = noretreat.position(turn=3, phase="soviet.combat", units=SMALL)
    points = score(before)
    after = noretreat.position(turn=3, phase="soviet.detraining", units=SMALL)
    assert after.turn == 4
    assert score(after) == points - 1
    assert after.event_vp == -1


@rule("4.C.b", "13.2")
def test_sudden_death_only_on_skull_turns(noretreat: Any) -> None:
    held = {"control": dict.fromkeys(noretreat.charts.site_names[:30], "axis")}
    held["control"].update({"Moscow": "soviet", "Leningrad": "soviet", "Stalingrad": "soviet", "Sevastopol": "soviet"})
    plain = noretreat.position(turn=6, phase="soviet.detraining", units=SMALL, **held)
    assert not plain.over
    skull = noretreat.position(turn=5, phase="soviet.detraining", units=SMALL, **held)
    assert skull.result.level == "sudden death"


@rule("4.C.c", "13.5.12")
def test_the_initiative_changes_on_turn_12(noretreat: Any) -> None:
    for turn, initiative in ((10, 0), (11, 1)):
        s = noretreat.position(turn=turn, phase="soviet.detraining", units=SMALL)
        assert s.turn == turn + 1
        assert s.initiative == initiative


@rule("4.1")
def test_card_phase_discards_then_draws(noretreat: Any) -> None:
    held = ["Katyusha", "Soviet SNAFU", "Hedgehogs"]
    s = noretreat.position(turn=7, phase="soviet.card", units=SMALL, hands={"soviet": held})
    assert asked(s) == "cards.Discard"
    do(s, "discard Katyusha")
    assert s.view("soviet")["hands"]["soviet"]["count"] == 6


@rule("4.2")
def test_both_sides_are_checked_for_supply(noretreat: Any) -> None:
    cut_off = {"9th Army": "2210", "South": "0510"}
    s = noretreat.position(turn=7, phase="axis.supply", units=cut_off)
    assert s.unsupplied(noretreat.unit("9th Army"))
    assert s.unsupplied(noretreat.unit("South"))


@rule("4.3", "7.0")
def test_organization_steps_in_order(noretreat: Any) -> None:
    s = noretreat.position(
        turn=7, phase="axis.organization", units={"9th Army": {"at": "0810", "face": "reduced", "disorganized": True}},
        hands={"axis": ["STAVKA", "Katyusha", "River Crossing"]}, boxes={"Destroyed": ["4th Army"]},
    )  # fmt: skip
    assert asked(s) == "organization.Flip"
    assert refused(s, "replace 4th Army", because="7.0")
    assert refused(s, "reorganize 9th Army", because="7.0")
    do(s, "done")
    assert asked(s) == "reinforcements.Place"
    assert refused(s, "improve 9th Army", because="7.0")
    do(s, "done")
    assert asked(s) == "organization.Reorganize"
    assert refused(s, "replace 4th Army", because="7.0")


@rule("4.4", "8.0.b")
def test_only_the_phasing_player_moves(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "Don": "2310"}, options={"soviet_reactions": "always"})
    assert refused(s, "move Don", because="8.0.b")
    assert starting(s, "move") == ["9th Army"]
    do(s, "done")
    assert s.side == "soviet"
    assert refused(s, "move Don", because="4.4")


@rule("4.5", "10.1.a")
def test_all_battles_are_declared_before_any_is_fought(noretreat: Any) -> None:
    s = combat(noretreat, {"9th Army": "2210", "2nd Panzer": "2110", "Don": "2211", "Kalinin": "2209"},
               hands={"soviet": ["Katyusha"]})  # fmt: skip
    do(s, "target 2211")
    assert asked(s) == "combat.DeclareTargets"
    do(s, "done")
    assert asked(s) == "combat.DeclareCounterblows"
    do(s, "counterblow 2209", "discard Katyusha")
    skip_to(s, "combat.ChooseBattle")
    assert sorted(starting(s, "attack")) == ["2209", "2211"]


@rule("4.6", "6.5.6", "11.1.a")
def test_marked_units_without_supply_are_removed(noretreat: Any) -> None:
    s = noretreat.position(turn=7, phase="axis.removal", units={"9th Army": {"at": "2210", "unsupplied": True}})
    assert at(s, "9th Army") == "Axis Surrendered"


@rule("4.7", "9.0")
def test_detraining_brings_units_back(noretreat: Any) -> None:
    s = noretreat.position(turn=7, phase="axis.detraining", units={}, boxes={"Rail": ["9th Army"]})
    events = do(s, "detrain 9th Army", "detrain 9th Army 0811")
    assert at(s, "9th Army") == "0811"
    assert "detrains in Warsaw (0811)" in told(events)


@rule("4.0.b")
def test_a_phase_ends_before_the_next_begins(noretreat: Any) -> None:
    s = moving(noretreat, {"9th Army": "2210", "Don": "2211"})
    assert not offers(s, "target 2211")
    assert s.why_not("target 2211")


@rule("4.0.b", "5.0.g")
def test_housekeeping_is_part_of_no_player_turn(noretreat: Any) -> None:
    """Who passed until the next player turn is asked again in the Victory Phase."""
    units = {"9th Army": "0810", "Don": "2210"}
    hands = {"axis": ["Propaganda", "Ultra-Secret Plans"], "soviet": ["Katyusha", "Partisans"]}
    s = noretreat.position(turn=7, phase="soviet.movement", units=units, hands=hands)
    skip_to(s, "cards.React")
    assert s.side == "axis"
    do(s, "pass until the next player turn")
    skip_to(s, "cards.React")
    assert (s.turn, s.phase, s.side) == (8, "housekeeping", "axis")
    do(s, "play Propaganda")
