"""The shared mechanisms: picks, menus, plans that are put together, walks, losses, stacks, journeys."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from counterblow import Action, IllegalAction, RecordError, UnreadableAction
from counterblow.kernel.flow import Flow, ask
from counterblow.kernel.forecast import Forecast, Outcome
from counterblow.kernel.gather import Gather, Plan
from counterblow.kernel.graph import Costs
from counterblow.kernel.journey import Journey, price
from counterblow.kernel.losses import Losses
from counterblow.kernel.pick import Deed, Menu, Pick
from counterblow.kernel.rulebook import Citation, cited_as, refuse, refuse_if
from counterblow.kernel.stacking import Shed
from counterblow.kernel.state import NOWHERE, State, pair
from counterblow.kernel.walk import Outward, Walk
from counterblow.kernel.walk import Path as Way
from tests.kernel.toy import game as toy_game
from tests.kernel.toy.game import BLUE, RED, Toy, ToyPositions

flow: Flow[Any] = Flow()
TELL = flow.later("test_mechanisms.tell")


class DrillState(State):
    def blank(self) -> None:
        self.told: tuple[int, ...] = ()
        self.hurt: bytearray = bytearray(len(self.game.unit_names))

    def derive(self) -> None:
        self.pain: list[int] = [sum(self.hurt)]


@flow.step
def tell(s: DrillState, number: int) -> None:
    s.told = (*s.told, number)


class PickUnit(Pick[DrillState]):
    rules = ("1.1",)
    kind, passing = "select", "end"

    def prompt(self, s: DrillState) -> str:
        return "A unit?"

    def candidates(self, s: DrillState) -> list[int]:
        return [unit for unit, node in enumerate(s.at) if node != NOWHERE]

    def why_not_item(self, s: DrillState, unit: int) -> Citation | None:
        if s.at[unit] == NOWHERE:
            return refuse("1.2", "it is not there")
        return refuse("1.3", "not yours") if s.game.side_of[unit] != s.mover else None

    def why_not_pass(self, s: DrillState) -> Citation | None:
        return refuse("2.1", "one must go") if not s.told else None

    def take(self, s: DrillState, unit: int) -> None:
        s.queue((TELL, unit), (Onward, unit))


@flow.choice
class OneUnit(PickUnit):
    pass


@flow.choice
class Onward(Journey[DrillState]):
    rules = ("1.1",)
    asks = "Where?"
    kind = "to"

    def candidates(self, s: DrillState, unit: int) -> Sequence[int]:
        near: Sequence[int] = s.game.board.around[s.at[unit]]
        return near

    def why_not_item(self, s: DrillState, node: int, unit: int) -> Citation | None:
        return refuse("1.3", "somebody is there") if s.stack(node) else None

    def take(self, s: DrillState, node: int, unit: int) -> None:
        s.put(unit, node)

    def why_not_way(self, s: DrillState, path: Way, unit: int) -> Citation | None:
        cost = price(s.game.board, s.game.costs, s.held[RED], s.zone[RED], s.held[BLUE], (s.at[unit], *path))
        return refuse("1.1", "too dear") if not 0 <= cost <= 3 else None

    def go_by(self, s: DrillState, path: Way, unit: int) -> None:
        s.put(unit, path[-1])


class Sing(Pick[DrillState]):
    kind, stays = "sing", True
    otherwise = refuse("3.1", "nobody knows that song")

    def items(self, s: DrillState) -> list[int]:
        return [1, 2]

    def take(self, s: DrillState, item: int) -> None:
        tell(s, item)


class SingTo(Sing):
    """In a menu whose arguments it does not need; it forecasts the applause."""

    kind, passing = "sing", "end"

    def offers(self, kind: str) -> bool:
        return kind == "lose" or super().offers(kind)

    def items(self, s: DrillState, *args: Any) -> list[int]:
        return [1]

    def why_not(self, s: DrillState, action: Action, *args: Any) -> list[Citation]:
        return [refuse("3.1", "nothing to lose")] if action.kind == "lose" else super().why_not(s, action, *args)

    def forecast(self, s: DrillState, action: Action, *args: Any) -> Forecast:
        return Forecast("Applause")


@flow.choice
class Concert(Menu[DrillState]):
    parts = (PickUnit(), Sing())

    def prompt(self, s: DrillState) -> str:
        return "Sing, or go."


class GoOn(Onward):
    """Part of a menu."""


@flow.choice
class GoOrSing(Menu[DrillState]):
    parts = (GoOn(), SingTo())

    def prompt(self, s: DrillState, unit: int) -> str:
        return "Go, or sing."


@flow.choice
class Encore(Menu[DrillState]):
    """A menu with a pass of its own."""

    parts, passing = (Sing(),), "end"

    def prompt(self, s: DrillState) -> str:
        return "Sing, or end."

    def why_not_pass(self, s: DrillState) -> Citation | None:
        return refuse("3.1", "nobody has sung") if not s.told else None

    def decline(self, s: DrillState) -> None:
        s.push(TELL, 9)


@flow.choice
class Rehearsal(Sing):
    stays = False

    def prompt(self, s: DrillState) -> str:
        return "Which song is rehearsed?"

    def take(self, s: DrillState, item: int) -> None:
        s.keep("song", item)
        s.push(OneUnit)


@flow.choice
class Attack(Gather[DrillState]):
    rules = ("2.1",)
    drawing = "also"

    def prompt(self, s: DrillState, plan: Plan) -> str:
        return "Who attacks?"

    def candidates(self, s: DrillState, plan: Plan) -> list[int]:
        return [unit for unit, node in enumerate(s.at) if node != NOWHERE]

    def why_not_join(self, s: DrillState, plan: Plan, unit: int) -> Citation | None:
        if unit in plan.units:
            return refuse("2.1", "it is with them")
        return refuse("1.3", "not yours") if s.game.side_of[unit] != plan.side else None

    def further(self, s: DrillState, plan: Plan) -> list[int]:
        near = s.game.board.around[plan.targets[0]]
        return [n for n in near if s.held[1 - plan.side][n] and n not in plan.targets]

    def why_not_further(self, s: DrillState, plan: Plan, node: int) -> Citation | None:
        return refuse("2.1", "it is not next to the first")

    def why_not_commit(self, s: DrillState, plan: Plan) -> Citation | None:
        return refuse("2.2", "two must go") if len(plan.units) < 2 else None

    def why_not_leave(self, s: DrillState, plan: Plan) -> Citation | None:
        return refuse("2.2", "announced") if len(plan.targets) > 1 else None

    def outlook(self, s: DrillState, plan: Plan) -> Forecast:
        return Forecast("Attack", (("attack", str(len(plan.units))),), (), (Outcome("-", 1),))  # type: ignore[arg-type]

    def commit(self, s: DrillState, plan: Plan) -> None:
        s.told = plan.units


@flow.choice
class Patrol(Gather[DrillState]):
    """No rule forbids to set out."""

    def candidates(self, s: DrillState, plan: Plan) -> list[int]:
        return [unit for unit, node in enumerate(s.at) if node != NOWHERE]

    def why_not_join(self, s: DrillState, plan: Plan, unit: int) -> Citation | None:
        return None

    def commit(self, s: DrillState, plan: Plan) -> None:
        s.told = plan.units


class Aimed(Pick[DrillState]):
    kind = "to"

    def items(self, s: DrillState, plan: Plan) -> list[int]:
        return [node for node in s.game.board.around[s.at[plan.units[0]]] if s.held[1 - plan.side][node]]

    def take(self, s: DrillState, node: int, plan: Plan) -> None:
        s.told = plan.units

    def forecast(self, s: DrillState, action: Action, plan: Plan) -> Forecast:
        return Attack().outlook(s, plan)


@flow.choice
class Shoot(Attack):
    drawing, committing, parts = "", "", (Aimed(),)


@flow.choice
class Bleed(Losses[DrillState]):
    rules = ("2.1",)

    def prompt(self, s: DrillState, units: tuple[int, ...], left: int) -> str:
        return f"Who loses ({left})?"

    def why_not_item(self, s: DrillState, unit: int, units: tuple[int, ...], left: int) -> Citation | None:
        return refuse_if(s.hurt[unit] > 1, "2.1", "it is dead")

    def lose(self, s: DrillState, unit: int, units: tuple[int, ...], left: int) -> None:
        s.hurt[unit] += 1
        s.push(TELL, unit)


@flow.choice
class TooMany(Shed[DrillState]):
    rules = ("1.2",)

    def prompt(self, s: DrillState, node: int) -> str:
        return "Who goes?"

    def excess(self, s: DrillState, node: int) -> tuple[int, ...]:
        return s.stack(node) if len(s.stack(node)) > 1 else ()

    def why_not_item(self, s: DrillState, unit: int, node: int) -> Citation | None:
        return refuse("1.2", "it is elsewhere")

    def shed(self, s: DrillState, unit: int, node: int) -> None:
        s.put(unit, s.game.dead)


class DrillPositions(ToyPositions):
    def phases(self) -> dict[str, Any]:
        return {"none": lambda s: None}


class Drill(Toy):
    slug = "drill"
    more_sentences = {
        "to": "to {hex}", "sing": "sing {n}", "with": "with {unit}",
        "also": "also {hex}", "commit": "commit", "lose": "lose {unit}", "remove": "remove {unit}",
        "halt": "halt {unit}", "muster": "muster",
    }  # fmt: skip
    flow = flow
    state_class = DrillState  # type: ignore[assignment]
    positions_class = DrillPositions

    def __init__(self) -> None:
        super().__init__(Path(toy_game.__file__).parent / "data")


@pytest.fixture(scope="module")
def drill() -> Drill:
    return Drill()


def deployed(drill: Drill, *steps: tuple[Any, ...], **units: str) -> Any:
    names = {"b1": "Blue 1", "b2": "Blue 2", "b3": "Blue 3", "r1": "Red 1", "r2": "Red 2"}
    s = drill.position(units={names[key]: at for key, at in units.items()})
    s.queue(*steps)
    s.run()
    return s


def texts(s: DrillState) -> list[str]:
    return [action.text for action in s.legal()]


# ---------------------------------------------------------------------- steps


def test_a_step_is_named_after_its_place_and_saved_as_plain_data(drill: Drill) -> None:
    s = deployed(drill, (OneUnit,), (ask, Bleed, (0, 1), 2), (TELL, 7), b1="0101", b2="0102")
    data = s.to_data()
    assert data["agenda"] == [
        ("test_mechanisms.tell", 7), ("flow.ask", "test_mechanisms.Bleed", (0, 1), 2), ("test_mechanisms.OneUnit",),
    ]  # fmt: skip
    assert drill.from_json(s.to_json()) == s


def test_a_plan_comes_back_from_a_save_as_a_plan(drill: Drill) -> None:
    s = deployed(drill, (Attack, Plan(BLUE, (5,))), b1="0101", b2="0102")
    s.do("with Blue 1")
    again: Any = drill.from_json(s.to_json())
    assert again == s
    again.do("with Blue 2")
    again.do("commit")
    assert again.told == (0, 1)


def test_a_step_that_no_chapter_defines_is_found_when_the_game_is_loaded() -> None:
    other: Flow[Any] = Flow()
    other.later("march.flee")
    with pytest.raises(ValueError, match=r"no chapter defines the step march\.flee"):
        other.seal()


def test_a_step_is_defined_once() -> None:
    other: Flow[Any] = Flow()
    other.step(tell)
    with pytest.raises(ValueError, match="defined twice"):
        other.step(tell)


def test_an_unknown_step_in_a_save_is_refused(drill: Drill) -> None:
    broken: list[Any] = [[["flow.ask", "nobody"]], [["flow.ask"]], [[]], ["x"]]
    for agenda in broken:
        data = deployed(drill, (OneUnit,), b1="0101").to_data() | {"agenda": agenda}
        with pytest.raises(RecordError, match="no step of drill"):
            drill.from_json(json.dumps(data))


# ---------------------------------------------------------------------- fields


def test_fields_are_found_where_they_are_declared(drill: Drill) -> None:
    s = deployed(drill, (OneUnit,), b1="0101")
    assert drill.fields is not None
    assert drill.fields[:3] == (("told",), ("hurt",), ("pain",))
    other = s.copy()
    other.hurt[0], other.pain[0], other.told = 1, 9, (4,)
    assert (s.hurt[0], s.pain, s.told) == (0, [0], ())
    loaded: Any = drill.from_json(other.to_json())
    assert loaded.pain == [1]


# ---------------------------------------------------------------------- picks


def test_a_pick_offers_what_no_rule_forbids(drill: Drill) -> None:
    s = deployed(drill, (OneUnit,), b1="0101", r1="0503")
    assert texts(s) == ["select Blue 1"]
    assert s.refuses("select Red 1", because="1.3")
    assert s.refuses("select Blue 2", because="1.2")
    assert s.refuses("end phase", because="2.1")
    assert s.decision is not None
    assert s.decision.passes is None
    s.told = (1,)
    s.forget_choices()
    assert texts(s) == ["select Blue 1", "end phase"]
    assert s.decision.passes == s.parse("end phase")
    s.do("end phase")
    assert s.over


@pytest.mark.parametrize("word", ["pass", "done", " Decline "])
def test_a_pass_may_be_said_in_other_words(drill: Drill, word: str) -> None:
    s = deployed(drill, (OneUnit,), b1="0101", r1="0503")
    with pytest.raises(UnreadableAction):  # it must be decided
        s.parse(word)
    s.told = (1,)
    s.forget_choices()
    assert s.parse(word).text == "end phase"  # and so it is written down
    s.do(word)
    assert s.over
    with pytest.raises(UnreadableAction):
        s.parse(word)


def test_back_takes_a_choice_back_without_a_trace(drill: Drill) -> None:
    s = deployed(drill, (OneUnit,), b1="0101")
    s.push(Onward, 0)
    before = s.to_json()
    assert s.decision is not None
    assert (s.decision.about, str(s.decision.back)) == ((0,), "back")
    assert "back" not in texts(s)
    assert s.why_not("back") == []
    for words in ("back", "pass", "to 0101"):  # who passes, or goes where he is, stays
        other = s.copy()
        assert other.do(words) == []
        assert texts(other) == ["select Blue 1"]
    s.do("back")
    with pytest.raises(IllegalAction):
        s.do("back")
    s.push(Onward, 0)
    assert s.to_json() == before


def test_a_way_of_ones_own(drill: Drill) -> None:
    s = deployed(drill, (Onward, 0), b1="0101", r1="0503")
    s.copy().do("by 0201-0301")
    assert s.refuses("by 0201-0401", because="1.1")  # not adjacent
    with pytest.raises(IllegalAction, match="too dear"):
        s.do("by 0102-0202-0303")
    s.do("by 0201-0301")
    assert s.place("Blue 1") == "0301"


def test_a_menu_lists_its_parts_in_order(drill: Drill) -> None:
    s = deployed(drill, (Concert,), b1="0101")
    assert texts(s) == ["select Blue 1", "sing 1", "sing 2"]
    s.do("sing 2")
    assert s.told == (2,)
    assert texts(s) == ["select Blue 1", "end phase", "sing 1", "sing 2"]
    assert s.refuses("sing 3", because="3.1")
    assert s.decision is not None
    assert str(s.decision.passes) == "end phase"
    s.do("select Blue 1")
    assert s.told == (2, 0)
    assert s.decision.kind == "test_mechanisms.Onward"


def test_a_destination_may_name_the_unit_that_goes() -> None:
    s = Toy().start()
    s.do("select Blue 1")
    assert s.refuses("move Blue 2 0101", because="1.1")
    assert s.refuses("move Blue 1 0603", because="1.1")
    s.do("move Blue 1 0201")
    assert s.place("Blue 1") == "0201"


def test_a_menu_allows_what_its_parts_allow(drill: Drill) -> None:
    s = deployed(drill, (OneUnit,), b1="0101")
    s.push(GoOrSing, 0)
    assert s.decision is not None
    assert (str(s.decision.back), str(s.decision.passes)) == ("back", "end phase")
    assert s.refuses("by 0201-0401", because="1.1")
    assert s.refuses("lose Blue 1", because="3.1")  # a kind that a part answers for beyond its own
    forecast = s.forecast("sing 1")
    assert forecast is not None
    assert (forecast.title, s.forecast("to 0201")) == ("Applause", None)
    marched = s.copy()
    marched.do("by 0201-0301")
    assert marched.place("Blue 1") == "0301"
    s.do("back")
    assert texts(s) == ["select Blue 1"]


def test_a_menu_may_have_a_pass_of_its_own(drill: Drill) -> None:
    s = deployed(drill, (Encore,), b1="0101")
    assert texts(s) == ["sing 1", "sing 2"]
    assert s.refuses("end phase", because="3.1")
    assert s.decision is not None
    assert s.decision.passes is None
    s.do("sing 1")
    assert texts(s) == ["sing 1", "sing 2", "end phase"]
    assert str(s.decision.passes) == "end phase"
    s.do("end phase")
    assert (s.told, s.over) == ((1, 9), True)


def test_a_game_says_why_something_else_is_not_done_now(drill: Drill) -> None:
    s = deployed(drill, (Encore,), b1="0101")
    (reason,) = s.why_not("select Blue 1")
    assert reason.text == "not now: blue decides: Sing, or end"


def test_what_was_worked_out_for_the_next_choice_is_kept_until_it_is_made(drill: Drill) -> None:
    s = deployed(drill, (Rehearsal,), b1="0101", b2="0102")
    s.do("sing 2")
    assert s.kept("song") == 2
    s.do("select Blue 1")
    assert s.kept("song") is None


def test_a_single_thing_is_left_to_the_player_where_he_is_to_see_it(drill: Drill) -> None:
    s = deployed(drill, (OneUnit,), b1="0101")
    assert s.pose(OneUnit)
    assert [str(action) for action in s.legal()] == ["select Blue 1"]
    nobody = deployed(drill, (Recall, 3), r1="0101")
    assert not nobody.pose(OneUnit)
    assert nobody.decision.kind == "test_mechanisms.Recall"


def test_asking_takes_what_must_be_taken_and_asks_nobody_for_nothing(drill: Drill) -> None:
    s = deployed(drill, (ask, OneUnit), (TELL, 8), b1="0101")
    assert s.told == (0,)  # the only unit was picked, and now goes somewhere
    s = deployed(drill, (ask, OneUnit), (TELL, 8), r1="0101")
    assert s.told == (8,)


# ---------------------------------------------------------------------- plans


def test_a_plan_grows_shrinks_and_is_committed(drill: Drill) -> None:
    s = deployed(drill, (Attack, Plan(BLUE, (drill.node("0402"),))), b1="0501", b2="0502", r1="0402", r2="0403")
    assert texts(s) == ["with Blue 1", "with Blue 2", "also 0403"]
    assert s.refuses("commit", because="2.2")
    assert s.refuses("with Red 1", because="1.3")
    assert s.refuses("also 0101", because="2.1")
    s.do("with Blue 2")
    s.do("with Blue 1")
    assert s.decision is not None
    assert s.decision.chosen == (1, 0)
    assert [str(drop) for drop in s.decision.drops] == ["without Blue 2", "without Blue 1"]
    forecast = s.forecast("without Blue 2")
    assert forecast is not None
    assert forecast.facts == (("attack", "1"),)
    assert s.refuses("with everybody", because="2.1")  # all are in
    s.do("without Blue 2")
    assert s.decision.chosen == (0,)
    assert [reason.text for reason in s.why_not("without Blue 1")] == ["it is all that is left: go back"]
    assert [reason.text for reason in s.why_not("without Blue 2")] == ["Blue 2 is not part of it"]
    s.do("with Blue 2")
    s.do("commit")
    assert s.told == (0, 1)


def test_everybody_joins_at_once_and_all_may_be_called_off(drill: Drill) -> None:
    s = deployed(drill, (OneUnit,), b1="0501", b2="0502", b3="0601", r1="0402", r2="0403")
    s.push(Attack, Plan(BLUE, (drill.node("0402"),)))
    forecast = s.forecast("with everybody")
    assert forecast is not None
    assert forecast.facts == (("attack", "3"),)
    s.do("with everybody")
    assert s.decision is not None
    assert (s.decision.chosen, s.decision.everybody) == ((0, 1, 2), None)
    called_off = s.copy()
    called_off.do("back")
    assert called_off.decision is not None
    assert called_off.decision.kind == "test_mechanisms.OneUnit"
    s.do("also 0403")
    assert s.refuses("back", because="2.2")
    assert s.decision.drops == ()


def test_a_plan_may_be_committed_by_naming_its_target(drill: Drill) -> None:
    s = deployed(drill, (OneUnit,), b1="0501", b2="0502", r1="0401")
    s.push(Shoot, Plan(BLUE, (), (0,)))
    assert texts(s) == ["with Blue 2", "to 0401"]
    forecast = s.forecast("to 0401")
    assert forecast is not None
    assert forecast.facts == (("attack", "1"),)
    s.do("with Blue 2")
    s.do("to 0401")
    assert s.told == (0, 1)


def test_a_plan_that_no_rule_forbids_waits_only_for_who_can_join(drill: Drill) -> None:
    alone = (ask, Patrol, Plan(BLUE, (), (0,)))
    assert deployed(drill, alone, b1="0501").told == (0,)
    assert texts(deployed(drill, alone, b1="0501", b2="0502")) == ["with Blue 2", "commit"]
    assert texts(deployed(drill, (Patrol, Plan(BLUE, ())), b1="0501")) == ["with Blue 1"]


# ---------------------------------------------------------------------- losses and stacks


def test_losses_are_taken_one_by_one_with_what_each_leads_to(drill: Drill) -> None:
    s = deployed(drill, (ask, Bleed, (0, 1), 3), b1="0101", b2="0102")
    s.do("lose Blue 1")
    assert s.told == (0,)
    s.do("lose Blue 1")
    assert (tuple(s.hurt[:2]), s.told, s.over) == ((2, 1), (0, 0, 1), True)  # the last had no choice


def test_losses_that_nobody_is_left_to_take_lapse(drill: Drill) -> None:
    s = deployed(drill, (ask, Bleed, (0,), 5), b1="0101")
    assert (s.hurt[0], s.over) == (2, True)


def test_a_stack_sheds_until_it_is_within_the_limit(drill: Drill) -> None:
    s = deployed(drill, (ask, TooMany, drill.node("0101")), b1="0101", b2="0101", b3="0101")
    assert texts(s) == ["remove Blue 1", "remove Blue 2", "remove Blue 3"]
    s.do("remove Blue 2")
    s.do("remove Blue 1")
    assert s.over
    assert s.place("Blue 3") == "0101"


# ---------------------------------------------------------------------- walks


class Flight(Walk[DrillState]):
    """So many hexes, each farther from the start, not onto the enemy; by clear ground rather than woods."""

    def why_not_step(self, s: DrillState, unit: int, path: Way, there: int, length: int) -> Citation | None:
        if not s.game.board.is_hex(there) or s.held[RED][there]:
            return refuse("1.3", "the enemy is there")
        away = s.game.board.distance(path[0], there) == len(path)
        return None if away else refuse("1.1", "not away")

    def complete(self, s: DrillState, unit: int, path: Way, length: int) -> bool:
        return len(path) > length

    def why_not_complete(self, s: DrillState, unit: int, path: Way, length: int) -> Citation:
        return refuse("1.2", "it cannot be completed that way")

    def preferred(self, s: DrillState, unit: int, paths: list[Way], length: int) -> list[Way]:
        clear = [path for path in paths if all(s.game.board.terrain[node] == "clear" for node in path[1:])]
        return clear or paths

    def why_not_preferred(self, s: DrillState, unit: int, path: Way, paths: list[Way], length: int) -> Citation:
        return refuse("2.2", "a clear way is open")


def test_a_walk_finds_and_ranks_its_ways(drill: Drill) -> None:
    s = deployed(drill, (OneUnit,), b1="0101", r1="0301")
    walk, node = Flight(), drill.node
    start = node("0101")
    two = partial(walk.paths, s, 0)
    ways = [tuple(drill.board.labels[n] for n in way[1:]) for way in two(start, 2)]
    assert ways == [("0201", "0302"), ("0102", "0103")]

    def path(*labels: str) -> Way:
        return (start, *(node(label) for label in labels))

    assert walk.why_not_path(s, 0, path("0201", "0302"), 2) is None
    for labels, rule in ((("0201", "0301"), "1.3"), (("0201", "0101"), "1.1"), (("0201",), "1.2"),
                         (("0102", "0202"), "2.2")):  # fmt: skip
        reason = walk.why_not_path(s, 0, path(*labels), 2)
        assert reason is not None
        assert reason.rule == rule, labels


def test_a_walk_goes_on_only_where_it_can_be_completed(drill: Drill) -> None:
    s = deployed(drill, (OneUnit,), b1="0101", r1="0301", r2="0302")
    walk, node = Flight(), drill.node
    start = node("0101")
    assert walk.next_steps(s, 0, (start,), 2) == [node("0102")]
    reason = walk.why_not_next(s, 0, (start,), node("0201"), 2)
    assert reason is not None
    assert reason.rule == "2.2"  # by the woods of 0202 it could be completed
    assert walk.why_not_next(s, 0, (start,), node("0102"), 2) is None
    assert walk.next_steps(s, 0, (start,), 9) == []
    longest = walk.farthest_paths(s, 0, (start,), 9)
    assert longest
    assert {len(way) for way in longest} == {8}  # to the far corner


class Rout(Outward[DrillState]):
    """The same, with no way put before another."""

    exits, why_not_step = Flight.exits, Flight.why_not_step
    complete, why_not_complete = Flight.complete, Flight.why_not_complete


def test_a_walk_outward_finds_the_same_steps_by_trying_every_hex_once(drill: Drill) -> None:
    s = deployed(drill, (OneUnit,), b1="0101", r1="0301", r2="0302")
    walk, node = Rout(), drill.node
    for label in ("0101", "0202", "0502"):
        start = node(label)
        for length in (1, 2, 3, 4):
            ways = walk.complete_paths(s, 0, (start,), length)
            assert set(walk.next_steps(s, 0, (start,), length)) == {way[1] for way in ways}
    start = node("0101")
    assert walk.why_not_next(s, 0, (start,), node("0102"), 2) is None
    for label, length, rule in (("0101", 2, "1.1"), ("0201", 9, "1.2")):
        reason = walk.why_not_next(s, 0, (start,), node(label), length)
        assert reason is not None
        assert reason.rule == rule


# ---------------------------------------------------------------------- journeys


@pytest.mark.parametrize("rules", [{}, {"stop": 1}, {"enter": 1, "leave": 2}, {"between": 1}, {"between": 2},
                                   {"friends": 1, "leave": 1}, {"whole": 2}])  # fmt: skip
def test_the_price_of_a_way_is_that_of_the_reach(drill: Drill, rules: dict[str, Any]) -> None:
    s = deployed(drill, (OneUnit,), b1="0101", b2="0302", r1="0402", r2="0503")
    board = drill.board
    road = board.flags(lambda a, b: board.linked(a, b, "road"))
    costs = Costs(list(drill.costs.cost), road=road, **rules)
    reach = board.graph.reach(costs, s.held[RED], s.zone[RED], s.held[BLUE], s.at[0], 6)
    assert len(reach.nodes) > 6
    for node in reach.nodes:
        way = reach.path_to(node)
        assert price(board, costs, s.held[RED], s.zone[RED], s.held[BLUE], way) == reach.cost_to(node)
    for barred in (("0101", "0401"), ("0302", "0402")):
        nodes = [board.node(label) for label in barred]
        assert price(board, costs, s.held[RED], s.zone[RED], s.held[BLUE], nodes) == -1


def test_a_reach_stays_true_to_its_moment(drill: Drill) -> None:
    s = deployed(drill, (OneUnit,), b1="0101", r1="0503")
    graph = drill.board.graph
    first = graph.reach(drill.costs, s.held[RED], s.zone[RED], s.held[BLUE], s.at[0], 2)
    cost, way = first.cost_to(first.nodes[-1]), first.path_to(first.nodes[-1])
    graph.reach(drill.costs, s.held[BLUE], s.zone[BLUE], s.held[RED], s.at[3], 3)
    assert (first.cost_to(first.nodes[-1]), first.path_to(first.nodes[-1])) == (cost, way)
    assert first.cost_to(drill.node("0603")) == -1
    assert first.path_to(drill.node("0603")) == []


def test_a_question_that_is_always_the_same(drill: Drill) -> None:
    assert OneUnit.asks == ""
    s = deployed(drill, (Recall, 0), b1="0101")
    assert s.decision is not None
    assert s.decision.prompt == "Where was Blue 1?"


def test_a_question_names_the_arguments_of_its_step(drill: Drill) -> None:
    s = deployed(drill, (Recall, 0), b1="0101")
    assert Farther().prompt(s, 1, drill.node("0101"), 2) == "Where does Blue 2 go from 0101, 2 hexes away?"
    assert Budget().prompt(s, 3) == "Spend 3 points."
    assert Budget().prompt(s, 1) == "Spend 1 point."


@flow.choice
class Recall(Onward):
    asks = "Where was {unit}?"


class Farther(Recall):
    asks = "Where does {unit} go from {place2}, {n3} hexes away?"


class Budget(Menu[DrillState]):
    asks = "Spend {n} point{s}."
    parts = (OneUnit(),)


@flow.choice
class MayGo(Onward):
    """A journey that may be declined, in words that name the unit."""

    passing, returns = "halt", False


class Order(Pick[DrillState]):
    """Picking opens the next choice; before it, one is told what it would lead to."""

    kind, passing, opens = "select", "end", MayGo

    def items(self, s: DrillState) -> list[int]:
        return [0]

    def outlook(self, s: DrillState, unit: int) -> Forecast:
        return Forecast(f"{s.game.unit_names[unit]} goes")


class Muster(Deed[DrillState]):
    kind, opens = "muster", OneUnit


@flow.choice
class Orders(Menu[DrillState]):
    parts = (Order(), Muster())


def test_a_pick_opens_the_choice_about_its_item(drill: Drill) -> None:
    s = deployed(drill, (Orders,), b1="0101")
    forecast = s.forecast("select Blue 1")
    assert forecast is not None
    assert forecast.title == "Blue 1 goes"
    assert s.forecast("muster") is None
    s.do("select Blue 1")
    assert s.decision.kind == "test_mechanisms.MayGo"
    assert s.decision.about == (0,)
    s = deployed(drill, (Orders,), b1="0101")
    s.do("muster")
    assert s.decision.kind == "test_mechanisms.OneUnit"


def test_a_journey_is_declined_in_the_name_of_its_unit(drill: Drill) -> None:
    s = deployed(drill, (MayGo, 0), b1="0101", b2="0102")
    assert str(s.decision.passes) == "halt Blue 1"
    assert s.why_not("halt Blue 2") == [Citation("1.1", "here it can only be: halt Blue 1")]
    s.do("halt Blue 1")
    assert s.over


def test_the_first_reason_of_a_table_counts() -> None:
    def why(rain: bool, night: int) -> Citation | None:
        return refuse_if(rain, "1.1", "it rains") or refuse_if(night, "1.2", "it is dark")

    assert why(True, 1) == Citation("1.1", "it rains")
    assert why(False, 4) == Citation("1.2", "it is dark")
    assert why(False, 0) is None


def test_a_reason_is_cited_as_another_rules() -> None:
    full = refuse("7.0", "it is full")
    assert cited_as(full, "7.0", "8.1") == Citation("8.1", "it is full")
    assert cited_as(full, "7.1", "8.1") == full
    assert cited_as(None, "7.0", "8.1") is None


@flow.choice
class Answer(PickUnit):
    other = True


def test_a_choice_may_be_for_the_side_whose_player_turn_it_is_not(drill: Drill) -> None:
    s = deployed(drill, (Answer,), b1="0101", r1="0503")
    assert s.decider == 1 - s.mover


def test_of_a_pair_one_sides_number_is_changed() -> None:
    assert (pair((3, 4), BLUE, 7), pair((3, 4), RED, 7)) == ((7, 4), (3, 7))
