"""How the computer plays Narvik 1940: what it looks at, and what it thinks of a position."""

from __future__ import annotations

from typing import Any

import pytest

import counterblow
from counterblow import players
from counterblow.players.general import General, _Search
from counterblow.players.judging import judge_of

GERMAN, ALLIED = 0, 1
ALLIES = ("SG-a", "SG-b", "IG-a", "IG-b", "SWB-a", "SWB-b")
FRENCH = ("6CA-a", "6CA-b", "12CA-a", "12CA-b", "14CA-a", "14CA-b")


def narvik() -> Any:
    return counterblow.load("narvik")


def test_on_the_last_turn_the_losing_side_fights_on() -> None:
    """Nothing it can do in one action wins, and yet it must not sit and wait for the end."""
    units = {"SG-a": "1019", "SG-b": "1019", "139-PiH": "0919", "139-6": "2020", "139-1": "1215"}
    s = narvik().position(turn=8, phase="allied.action", units=units)
    assert players.make("plain", 1).choose(s, ALLIED).text in ("fire BR", "assault BR")


def test_standing_under_enemy_guns_is_judged_a_danger() -> None:
    """Far from every objective, so that little else differs: next to a German stack, or a hex further on."""
    game = narvik()
    guns = dict.fromkeys(("139-1", "139-4", "139-14"), "0724")
    values = [game.judge.evaluate(game.position(units={**guns, "SG-a": place}), ALLIED) for place in ("0824", "0924")]
    assert values[0] < values[1]


def test_the_allies_deny_germany_its_places_to_regroup() -> None:
    """17.0.h: an objective in an Allied zone of control takes no regrouped unit."""
    game = narvik()
    away, near = (game.position(units={"139-6": "0919", "SG-a": place}) for place in ("1220", "1019"))
    assert game.judge.evaluate(near, ALLIED) > game.judge.evaluate(away, ALLIED)


def test_units_across_the_fjord_are_far_away() -> None:
    game = narvik()
    way = game.yardstick.way[game.ground.objectives.index(game.node("0919"))]
    assert game.board.distance(game.node("0916"), game.node("0919")) == 3
    assert way[game.node("0916")] == 11  # two voyages by way of Harstad, and then a march
    assert way[game.node("Harstad")] == 7  # the coast next to Narvik will be guarded
    assert way[game.node("1020")] == 1


def test_of_units_alike_in_a_staging_area_one_is_looked_at() -> None:
    game = narvik()
    units = {"SG-a": "Harstad", "SG-b": "Harstad", "SWB-a": "Harstad", "IG-a": "0216", "IG-b": "0216", "139-6": "0919"}
    s = game.position(phase="allied.action", units=units)
    s.do("movement BR")
    looked_at = [action.text for action in game.judge.worth_trying(s, s.legal())]
    assert [text for text in looked_at if text.startswith("move")] == [
        "move SG-a",
        "move IG-a",
        "move IG-b",
        "move SWB-a",
    ]
    assert "done" in looked_at


def test_landings_far_from_everything_are_not_looked_at() -> None:
    game = narvik()
    s = game.position(phase="allied.action", units={"SG-a": "Harstad", "139-6": "0919"})
    for text in ("amphibious BR", "embark SG-a"):
        s.do(text)
    looked_at = {action.text for action in game.judge.worth_trying(s, s.legal())}
    assert {"sail to 0820", "sail to Bardufoss"} <= looked_at
    assert "sail to 0605" not in looked_at
    assert "sail to 0605" in {action.text for action in s.legal()}


def test_an_officer_walks_into_an_objective_that_lies_open() -> None:
    """Everybody around Bjerkvik, nobody in it, the next objectives far away: it must be worth more taken than open."""
    game = narvik()
    judge = judge_of(game)
    around = dict(zip(ALLIES[1:], ("1216", "1316", "1214", "1314", "1315"), strict=True))
    germans = {"139-6": "0919", "139-7": "2020"}
    weights = judge.weights(ALLIED, "balanced", None)
    beside, inside = (
        judge.worth(game.position(turn=3, units={**germans, **around, ALLIES[0]: place}), ALLIED, weights)
        for place in ("1114", "1215")
    )
    assert inside > beside + 200
    s = game.position(
        turn=3, phase="allied.action", units={**germans, **around, ALLIES[0]: "1114"}, ap={"german": 0, "allied": 3}
    )
    officer = players.make("officer", 1)
    while s.decider == ALLIED and s.turn == 3:
        s.do(officer.choose(s, ALLIED))
    assert s.held[ALLIED][game.node("1215")]


def test_units_at_the_rear_count_as_they_come_nearer() -> None:
    """The whole army is on its way, not only those nearest to an objective."""
    game = narvik()
    judge = judge_of(game)
    march = judge.features.index("march")
    front = {unit: f"1{3 + n % 3}1{3 + n // 3}" for n, unit in enumerate((*ALLIES, *FRENCH))}
    held = {"55RE": "0216", "II/16": "1801", "139-6": "0919"}
    far, near = (
        judge.count(game.position(units={**held, **front, "I/16": place}))[march] for place in ("1901", "1711")
    )
    assert near < far


def weighed(command: str, *defenders: str) -> float:
    """What the judge thinks of an attack by the Scots Guards on the hill above Narvik."""
    game = narvik()
    units = {"SG-a": "1019", "SG-b": "1019", "139-6": "2020", **dict.fromkeys(defenders, "1020")}
    s = game.position(phase="allied.action", units=units)
    for text in (command, "attack with SG-a", "and SG-b"):
        s.do(text)
    judge, node = judge_of(game), game.node("1020")
    commit = next(action for action in s.legal() if action.text == "at 1020")
    found = judge.weigh(s, ALLIED, [node], [game.unit("SG-a"), game.unit("SG-b")], commit)
    assert found is not None
    return found


def test_fire_hurts_everybody_in_the_hex() -> None:
    """14.1.d: a die for each unit, not for the one on top only."""
    one, three = weighed("fire BR", "Erdmenger"), weighed("fire BR", "Erdmenger", "F-L", "Kothe")
    assert 0 < 2 * one < three < 3 * one  # three to hit, but the hex is less likely to be cleared


def test_an_assault_is_weighed_with_its_counterattack() -> None:
    """14.4.1: those that stay strike back, if they can."""
    assert weighed("assault BR", "Erdmenger", "F-L", "Kothe") < weighed("assault BR", "Holtorf", "Thiele", "Zenker")


def test_a_command_to_fire_is_worth_its_expectation_whatever_the_dice() -> None:
    """Not what a few throws would bring: the same few would promise the same success again and again."""
    game = narvik()
    units = {"SG-a": "1019", "SG-b": "1019", "Erdmenger": "1020", "139-6": "2020"}
    s = game.position(phase="allied.action", units=units, options={"fog": False})
    judge = judge_of(game)
    weights = judge.weights(ALLIED, "balanced", None)
    before = judge.worth(s, ALLIED, judge.in_time(weights, ALLIED, s))
    rated = {r.action.text: r.worth for r in players.make("officer", 1).rank(s, ALLIED, 20)}
    s.do("fire BR")
    paid = before - judge.worth(s, ALLIED, judge.in_time(weights, ALLIED, s))
    gain = judge.attack["follow"] * weighed("fire BR", "Erdmenger")
    assert abs(rated["fire BR"] - (gain - paid)) < 0.2


def test_a_guess_in_which_nobody_can_act_does_not_stop_a_recruit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hidden units are dealt anew: a position may follow that the rules would never allow."""
    s = narvik().position(phase="allied.action", units={"SG-a": "1019", "139-6": "0919", "139-7": "2020"})
    legal, depth = type(s).legal, len(s.agenda)
    monkeypatch.setattr(type(s), "legal", lambda state: [] if len(state.agenda) > depth else legal(state))
    assert players.make("plain", 1).choose(s, ALLIED) in legal(s)


def test_an_allied_general_keeps_points_until_the_germans_have_spent_theirs() -> None:
    """4.1.b, 5.1.g: what it takes when nobody can answer is its own at the end of the turn; but two passes end it."""
    game = narvik()
    units = {"SG-a": "1019", "SG-b": "1019", "139-PiH": "2020", "139-6": "2020", "139-1": "1215"}
    s = game.position(phase="allied.action", units=units)
    general = players.make("general", 1)
    for points, passes, waits in (
        ((8, 8), 0, True),
        ((9, 9), 0, False),  # the rest is spent first
        ((7, 8), 0, False),  # the Germans would pass too
        ((0, 8), 0, False),  # nobody can answer any more
        ((8, 8), 1, False),
    ):
        s.ap, s.passes = points, passes
        s.forget_choices()
        assert (general.choose(s, ALLIED).text == "pass") is waits, (points, passes)
    s.ap, s.passes = (8, 8), 0
    first, *others = general.rank(s, ALLIED, 3)
    assert first.action.text == "pass"
    assert others
    assert players.make("officer", 1).choose(s, ALLIED).text != "pass"


def test_an_allied_general_who_waits_still_shoots_first() -> None:
    """5.1.g: points are kept for marches and landings; who is shot first does not shoot back."""
    units = {"SG-a": "1019", "SG-b": "1019", "139-PiH": "0919", "139-6": "2020", "139-1": "1215"}
    s = narvik().position(phase="allied.action", units=units)
    s.ap, s.passes = (8, 8), 0
    s.forget_choices()
    assert players.make("general", 1).choose(s, ALLIED).kind == "assault"


def test_an_allied_general_with_nobody_on_the_map_does_not_wait() -> None:
    """4.1.a, 5.1.g: a German pass in answer would end the turn, and with it the game."""
    game = narvik()
    germans = {"139-6": "0919", "139-7": "2020"}
    for place, waits in (("Harstad", False), ("0216", True)):
        s = game.position(
            phase="allied.action", units={**germans, "SG-a": place, "SG-b": "Harstad"}, ap={"german": 6, "allied": 6}
        )
        assert (players.make("general", 1).choose(s, ALLIED).text == "pass") is waits, place


def test_a_german_general_ends_the_turn_when_the_allies_would_lose_more_points_by_it() -> None:
    units = {"SG-a": "1019", "SG-b": "1019", "139-PiH": "0919", "139-6": "2020", "139-1": "1215"}
    s = narvik().position(phase="german.action", units=units)
    general = players.make("general", 1)
    for points, passes, waits in (((4, 8), 1, True), ((8, 8), 1, False), ((4, 8), 0, False)):
        s.ap, s.passes = points, passes
        s.forget_choices()
        assert (general.choose(s, GERMAN).text == "pass") is waits, (points, passes)


LAST_OBJECTIVE = {
    "SG-a": "0216", "IG-a": "0919", "SWB-a": "1801", "IG-b": "1215", "6CA-a": "2120", "SWB-b": "2021", "SG-b": "2119",
    "139-6": "2020", "139-1": "0920", "139-2": "0920",
}  # fmt: skip


def test_a_general_plays_on_to_the_end_of_the_turn_what_nobody_can_answer() -> None:
    """Two commands are left for the last objective (4.1.b): one that clears the way comes first."""
    game = narvik()
    s = game.position(phase="allied.action", units=LAST_OBJECTIVE)
    s.ap = (0, 2)
    s.forget_choices()
    assert players.make("officer", 1).choose(s, ALLIED).text == "assault BR"
    for seed in range(3):
        assert players.make("general", seed).choose(s, ALLIED).text != "assault BR", seed


def test_a_general_of_narvik_searches_only_commands_that_nobody_can_answer() -> None:
    """Before that thirty commands are to come, and dice drown what a playout tells of one."""
    game = narvik()
    judge = judge_of(game)
    s = game.position(phase="allied.action", units=LAST_OBJECTIVE)
    for points, searches in (((0, 2), True), ((1, 2), False)):
        s.ap = points
        s.forget_choices()
        assert (judge.budget(s, ALLIED, s.legal()) > 0) is searches
    s.ap = (0, 2)
    s.forget_choices()
    assert judge.until(s) > judge.clock(s)
    s.do("fire BR")
    assert judge.budget(s, ALLIED, s.legal()) == 0


COLUMN_OF_GUARDS = {"139-6": "0919", "SG-a": "1220", "SG-b": "1220", "IG-a": "1121", "IG-b": "1121", "SWB-a": "1321"}


def test_at_the_end_of_a_turn_marches_are_tried_by_every_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that nobody can answer is tried with its marches, and what comes out best is done as a whole."""
    game = narvik()
    judge = judge_of(game)
    s = game.position(phase="allied.action", units=COLUMN_OF_GUARDS, ap={"german": 0, "allied": 3})
    general = players.make("general", 1, nodes=1 << 30, seconds=1e9)
    assert isinstance(general, General)
    lines = [trial.line for trial in general.search(s, ALLIED, s.legal())]
    marched = [line for line in lines if any(thought.action.kind in judge.verbs.open for thought in line.thoughts)]
    named = {plan.name if plan else "" for line in marched for plan in line.plans}
    assert named & {plan.name for plan in judge.plans_for(ALLIED)}
    assert len({tuple(thought.action for thought in line.thoughts) for line in marched}) > 2
    for line in marched:
        tried = s.copy()
        for thought in line.thoughts:
            tried.do(thought.action)
        assert tried.decider != ALLIED or any(a.kind in judge.verbs.activate for a in tried.legal())
    (planned, *_) = [line.plans for line in marched if line.plans[0] is not None]
    assert planned[0] is not None
    monkeypatch.setattr(_Search, "playout", lambda _, line, __: 500.0 * (line.plans == planned))
    best = general.search(s, ALLIED, s.legal())[0].line
    assert any(thought.action.kind in judge.verbs.open for thought in best.thoughts)
    assert best.thoughts[0].reason.endswith(f"(plan for the command: {planned[0].say})")
    monkeypatch.setattr(judge, "carried", 0)
    others = [trial.line for trial in general.search(s, ALLIED, s.legal())]
    assert max(len(line.thoughts) for line in others[1:]) == 1


def test_a_command_in_which_nobody_marches_is_tried_once() -> None:
    game = narvik()
    s = game.position(
        phase="allied.action", units={"139-6": "0919", "SG-a": "1019", "IG-a": "1020"}, ap={"german": 0, "allied": 3}
    )
    general = players.make("general", 1, nodes=1 << 30, seconds=1e9)
    assert isinstance(general, General)
    first = [trial.line.thoughts[0].action for trial in general.search(s, ALLIED, s.legal())]
    fire = [action for action in first if action.kind in ("fire", "assault")]
    assert fire
    assert len(fire) <= 1 + len(set(fire))  # the officer's own line may be one of them, with its shots


def test_what_the_next_turn_will_bring_is_counted() -> None:
    """6.1: objectives, twice with a signal unit on a numbered peak, three peaks, leaders; less what the enemy gets."""
    game = narvik()
    judge = judge_of(game)

    def income(**units: str) -> float:
        counted = judge.count(game.position(units={"139-6": "0919", "139-7": "2020", "SG-a": "0216"} | units))
        return counted[judge.features.index("income")]

    assert income() == 1
    assert income(Dietl="0919") == 3
    assert income(**{"Sig68-1": "1820"}) == 1
    assert income(**{"Sig68-1": "1819"}) == 3
    assert income(**{"Sig68-1": "1819", "139-8": "1918", "139-9": "1020"}) == 4
    assert income(**{"SG-b": "1819", "IG-a": "1918", "IG-b": "1020"}) == 0
    assert income(Auchinleck="Harstad") == -2


def test_the_last_objective_is_worth_more_to_the_germans_than_another() -> None:
    """With all of them the Allies win: the feature is there with the last one, and bad for the Germans."""
    game = narvik()
    judge = judge_of(game)
    labels = [game.board.labels[node] for node in sorted(game.ground.objectives)]
    british = ("SG-a", "SG-b", "IG-a", "IG-b", "SWB-a")
    garrisons = dict(zip(british, labels, strict=True))

    def held(units: dict[str, str]) -> float:
        return judge.count(game.position(units={"139-6": "1820"} | units))[judge.features.index("all")]

    assert held(garrisons) == -1
    assert held(dict(list(garrisons.items())[1:])) == 0


def test_who_can_win_at_the_end_of_a_turn_thinks_longer_there() -> None:
    """4.1.b: the Allies win at once with every objective; the Germans need only hold out."""
    game = narvik()
    judge = judge_of(game)
    units = {"139-6": "0919", "SG-a": "1019"}
    thought = {}
    for side, name in ((GERMAN, "german"), (ALLIED, "allied")):
        points = {"german": 0, "allied": 0} | {name: 3}
        s = game.position(phase=f"{name}.action", units=units, ap=points)
        thought[side] = judge.budget(s, side, s.legal())
    assert 0 < thought[GERMAN] < thought[ALLIED] == judge.nodes


def test_germans_mass_where_they_are_strongest() -> None:
    """4.1.b: one objective is enough to go on, so the same troops are worth more together than shared out."""
    game = narvik()
    judge = judge_of(game)
    troops = ("139-1", "139-2", "139-3", "139-6")

    def masses(*places: str) -> float:
        units = dict(zip(troops, places, strict=True)) | {"SG-a": "0216"}
        return judge.count(game.position(units=units))[judge.features.index("stronghold")]

    assert masses("2020", "2020", "2020", "0919") > masses("2020", "2020", "0919", "0919")
    assert masses("2020", "2020", "2020", "0919") == masses("2020", "2020", "2020", "1215")
    assert judge.weights(GERMAN, "balanced")[judge.features.index("stronghold")] > 0


def test_germans_waiting_to_regroup_are_worth_little_without_a_place_for_it() -> None:
    """17.0.g, 17.0.h: while every objective that they hold is in an Allied zone of control nobody comes back."""
    game = narvik()
    judge = judge_of(game)

    def strength(place: str, *waiting: str) -> float:
        units = {"139-6": "0919", "SG-a": place} | dict.fromkeys(waiting, "German Regroup")
        return judge.count(game.position(units=units))[judge.features.index("german")]

    waiting = ("139-1", "139-2", "139-3")
    free, shut_in = (strength(place, *waiting) - strength(place) for place in ("1220", "1019"))
    assert 0 < 2 * shut_in < free


@pytest.mark.parametrize("player", ["general", "officer"])
def test_germans_send_a_signal_unit_up_a_peak(player: str) -> None:
    """6.1.g: it doubles what every objective brings in next turn's points."""
    game = narvik()
    units = {"139-6": "0919", "139-7": "2020", "139-1": "1215", "Sig68-1": "1820", "SG-a": "1019", "SG-b": "0216"}
    for seed in range(4):
        s = game.position(phase="german.action", units=units)
        s.do("movement KGD")
        german = players.make(player, seed)
        while s.decider == GERMAN and s.active:
            s.do(german.choose(s, GERMAN))
        assert s.at[game.unit("Sig68-1")] in game.ground.numbered, seed


@pytest.mark.parametrize(
    ("unit", "full", "enemy"),
    [
        ("139-7", ("139-6", "139-8", "139-10"), {"SG-b": "0216"}),  # 9.0.c: three Germans
        ("SG-a", ("IG-a", "IG-b"), {"139-6": "2020"}),  # 9.0.d: two Allies
    ],
)
def test_nobody_marches_to_where_he_may_not_stay(unit: str, full: tuple[str, ...], enemy: dict[str, str]) -> None:
    """9.0.f, 9.0.g: a full hex can only be passed through, or somebody else must leave it.

    Who is judged as if he stayed there must go on afterwards, and ends up anywhere.
    """
    game = narvik()
    side = game.side_of[game.unit(unit)]
    s = game.position(
        phase=("german.action", "allied.action")[side], units={unit: "1020", **dict.fromkeys(full, "0919"), **enemy}
    )
    s.do("movement KGH" if side == GERMAN else "movement BR")
    judge, into = judge_of(game), game.node("0919")
    begun = s.copy()
    begun.do(f"move {unit}")
    goals = [a for a in begun.legal() if a.kind == "to"]
    resting = judge.resting(begun, game.unit(unit), goals)
    assert {a.args[-1] for a in goals} - {a.args[-1] for a in resting} == {into}
    for seed in range(4):
        after, player = s.copy(), players.make("officer", seed)
        while after.decider == side and after.active:
            action = player.choose(after, side)
            enters = action.kind == "to" and action.args[-1] == into
            assert not enters or len(after.here.get(into, ())) < len(full), seed
            after.do(action)


def test_strikes_go_where_they_do_most() -> None:
    """14.1.d, 14.3.e, 16.0.i: a die for each unit in the hex, the cover of a peak, and two strikes on a hex add up."""
    game = narvik()
    units = {"ILE-a": "1020", "SWB-a": "1019", "SWB-b": "1019", "139-6": "2020"}
    planes = dict.fromkeys(("Ju87-1", "Ju87-2"), "German Strikes")
    for seed in range(3):
        s, german = game.position(phase="german.action", units=units | planes), players.make("officer", seed)
        s.do("air support")
        while len(s.placed) < 2:
            s.do(german.choose(s, GERMAN))
        assert [node for _, node in s.placed] == [game.node("1019")] * 2, seed


def test_strikes_are_weighed_like_fire() -> None:
    """16.0: what they promise counts as much as the same fire of ground troops would, whatever the dice."""
    game = narvik()
    units = {"SG-a": "1019", "SG-b": "1019", "139-6": "2020", "Ju87-1": "German Strikes"}
    s = game.position(phase="german.action", units=units, options={"fog": False})
    judge, worths = judge_of(game), []
    weights = judge.in_time(judge.weights(GERMAN, "balanced"), GERMAN, s)
    rated = {r.action.text: r.worth for r in players.make("officer", 1).rank(s, GERMAN, 20)}
    worths.append(judge.worth(s, GERMAN, weights))
    command = next(action for action in s.legal() if action.text == "air support")
    s.do(command)
    worths.append(judge.worth(s, GERMAN, weights))
    promise = judge.promise(s, GERMAN, command)
    assert promise is not None
    # two battalions in column 6, and a chance of four in six squared to empty the hex
    column = game.yardstick.loss[6] / 100 * sum(game.yardstick.worth[game.unit(u)] for u in ("SG-a", "SG-b"))
    assert promise == pytest.approx(column + (4 / 6) ** 2 * 0.4 * judge.ground(s, GERMAN, game.node("1019")))
    assert rated["air support"] == pytest.approx(worths[1] + judge.attack["follow"] * promise - worths[0], abs=0.2)


@pytest.mark.parametrize(("unit", "command"), [("139-1", "regroup KGW"), ("139-14", "regroup KGW")])
def test_regrouping_is_tried_with_every_face_of_the_die(unit: str, command: str) -> None:
    """17.0: an elite company is lost as often as not half as often as it comes back; a few throws promised success."""
    game = narvik()
    units = {unit: "German Regroup", "139-6": "2020", "139-7": "0919", "SG-a": "1019", "SG-b": "0216"}
    s = game.position(phase="german.action", units=units, options={"fog": False})
    judge, worths = judge_of(game), []
    weights = judge.in_time(judge.weights(GERMAN, "balanced"), GERMAN, s)
    for face in range(1, 7):
        after = s.copy()
        after.dice = (face,)
        after.do(command)
        if after.decider == GERMAN and after.legal()[0].kind == "return":
            after.do(after.legal()[0])  # to Bjornfjell: Narvik is in a zone of control
        worths.append(judge.worth(after, GERMAN, weights) - judge.worth(s, GERMAN, weights))
    rated = {r.action.text: r.worth for r in players.make("officer", 1).rank(s, GERMAN, 20)}
    assert rated[command] == pytest.approx(sum(worths) / 6, abs=0.1)


def test_the_dice_of_a_trial_are_fair_for_every_unit() -> None:
    game = narvik()
    s = game.position(phase="german.action", units={"139-1": "German Regroup", "139-6": "2020", "SG-a": "0216"})
    regroup, movement = (
        next(action for action in s.legal() if action.text == text) for text in ("regroup KGW", "movement KGH")
    )
    throws = judge_of(game).throws(s, regroup)
    assert all(sorted(faces) == [1, 2, 3, 4, 5, 6] for faces in zip(*throws, strict=True))
    assert judge_of(game).throws(s, movement) == ()


def test_every_command_gets_a_look() -> None:
    """Of long lists twelve are looked at, but commands have no place to be sorted by: the last were dropped."""
    game = narvik()
    units = {"SG-a": "1019", "6CA-a": "1216", "1HL-a": "2120", "I/16": "1820", "SG-b": "Harstad", "6CA-b": "Harstad"}
    waiting = dict.fromkeys(("IG-a", "12CA-a", "2HL-a", "I/12"), "Allied Regroup")
    germans = {"139-6": "0919", "139-1": "1215", "139-7": "2020", "139-2": "1819"}
    s = game.position(phase="allied.action", units=units | waiting | germans)
    commands = {a.text for a in s.legal() if a.kind in judge_of(game).verbs.activate}
    assert len(commands) > 12
    assert {"assault NW", "regroup FR", "amphibious BR"} <= commands
    assert commands <= {rated.action.text for rated in players.make("officer", 1).rank(s, ALLIED, 100)}
