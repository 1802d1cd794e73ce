"""Luck: by hand, by going through every face, and over many games."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256

import pytest

import counterblow
from counterblow import Action, Game, State
from counterblow.games.leningrad.game import Leningrad
from counterblow.kernel import chance
from counterblow.kernel.chance import FairDice
from counterblow.kernel.record import faces
from counterblow.lab import luck as lucky
from counterblow.lab import trials
from counterblow.lab.luck import Outlook, falls, luck, thrower
from tests.rules.leningrad.play import duel


def defender_gone(state: State) -> float:
    """1 when no Russian stands in 1018 any more because the battle destroyed them."""
    return float(not any(owner == 1 and state.at[unit] >= 0 for unit, owner in enumerate(state.game.side_of)))


@pytest.mark.parametrize(("die", "worth"), [(1, 5 / 6), (4, -1 / 6)])
def test_fixed_dice_give_the_luck_reckoned_by_hand(leningrad: Leningrad, die: int, worth: float) -> None:
    """At 3:1 on index A only a 1 eliminates: one in six. A 1 is worth 5/6 more than that, anything else 1/6 less."""
    state = duel(leningrad, 6, 2, die)
    before = state.copy()
    action = next(action for action in state.legal() if action.text.startswith("fight"))
    events = state.do(action)
    assert faces(events) == [die]
    found = luck(before, action, state, faces(events), defender_gone)
    assert found is not None
    assert found.error == 0
    assert found.draws == 0
    assert found.dice == found.worth == pytest.approx(worth)


def test_whose_dice_they_are_does_not_depend_on_how_they_fall(leningrad: Leningrad) -> None:
    """Fighters that meet: the log ends with who was shot down, which must not make the dice his."""
    state, generator, seen = leningrad.start(seed=5), chance.seeded(5), set()
    while not state.over:
        before, legal = state.copy(), state.legal()
        generator, index = chance.below(generator, len(legal))
        events = state.do(legal[index])
        if any(event.dice and event.kind == "air" for event in events):
            seen.add(thrower(before, events) == before.mover)
    assert seen == {True}


def test_what_draws_on_no_chance_has_no_luck(leningrad: Game) -> None:
    state = leningrad.start(seed=1)
    before, action = state.copy(), state.legal()[0]
    events = state.do(action)
    assert luck(before, action, state, faces(events), lambda s: float(s.turn)) is None


@pytest.mark.parametrize(("slug", "games"), [("leningrad", 20), ("noretreat", 12)])
def test_luck_is_nought_on_the_mean(slug: str, games: int) -> None:
    """Within three standard errors here; the guide has the figures of 1,000 games."""
    game = counterblow.load(slug)
    found = [trials.random_luck(game, seed) for seed in range(games)]
    for name in game.sides:
        mean, error = trials.mean_and_error([luck[name] for luck in found])
        assert error > 0
        assert abs(mean) < 3 * error


def test_fair_dice_are_not_thrown_again_as_they_fell(leningrad: Game) -> None:
    """A keyed generator is no seed: sown anew it would go on with the very throws that it is weighed against."""
    before = leningrad.start(seed=1)
    before.rng = FairDice(b"secret", ("one", "two")).generator(7)
    assert before.rng >= chance.KEYED
    outlook = Outlook(before, before.legal()[0], anything)
    assert all(rng < chance.KEYED for rng in (outlook.seed, *outlook.worlds))
    other = before.copy()
    other.rng = FairDice(b"secret", ("one", "two")).generator(8)
    assert Outlook(other, before.legal()[0], anything).seed != outlook.seed


# ---------------------------------------------------------------------- every face
#
# Each part of a side's luck is nought on the mean because it is weighed against all that could have come. Here that is
# shown without samples: the dice of a position are laid down in every way, and their luck is added up by its weight.

# The places in the rules where dice are thrown: each must have been seen.
DICE = {
    "leningrad": {"results.row"},
    "narva": {"barrage.barrage_roll", "barrage.strike", "chits.random_event", "combat.resolve"},
    "narvik": {"engineers.take", "events.roll_event", "events.draw_reinforcements", "events.german_threat",
               "points.determine_points", "regroup.roll_regroup", "reinforcements.roll_landing", "results.roll_dice",
               "retreat.start_retreat"},
    "noretreat": {"cards._weather_card", "results._duel", "results._throw"},
}  # fmt: skip
OPTIONS = {"narvik": {"engineers": True}}
ENOUGH = 300  # ways in which dice fall that are gone through here
FEW = 16  # and where there are more, so that the others are sampled:
THROWS = 150


def anything(state: State) -> float:
    """A judgement without sense, which sees every difference: what holds for it holds for every other."""
    return int.from_bytes(sha256(repr(state.to_data()).encode()).digest()[:8]) / 256**8


def chances(game: Game, seeds: Iterable[int]) -> Iterator[tuple[State, Action]]:
    """Positions of random games in all scenarios, each with an action that draws on chance."""
    for seed in seeds:
        for scenario in game.scenarios:
            state, generator = game.start(scenario.name, seed, OPTIONS.get(game.slug)), chance.seeded(~seed)
            while not state.over:
                before, legal = state.copy(), state.legal()
                generator, index = chance.below(generator, len(legal))
                state.do(legal[index])
                assert not state.thrown  # every die is told in the log of its own action
                if (state.rng, state.dice) != (before.rng, before.dice):
                    yield before, legal[index]


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where in the rules dice are thrown."""
    seen: list[str] = []
    roll = State.roll

    def noting(state: State, sides: int = 6) -> int:
        caller = sys._getframe(1)
        if caller.f_code.co_name == "<listcomp>":
            caller = caller.f_back or caller
        seen.append(f"{caller.f_globals['__name__'].rpartition('.')[2]}.{caller.f_code.co_name}")
        return roll(state, sides)

    monkeypatch.setattr(State, "roll", noting)
    return seen


@pytest.mark.parametrize(("slug", "games"), [("leningrad", 4), ("narva", 3), ("narvik", 9), ("noretreat", 6)])
def test_the_luck_of_the_dice_is_nought_over_all_their_faces(
    slug: str, games: int, places: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    proven: set[tuple[str, int]] = set()
    for before, action in chances(counterblow.load(slug), range(games)):
        where = {(place, before.mover) for place in places}
        if where - proven:
            proven |= where
            check_every_face(before, action, monkeypatch)
        places.clear()
    assert {place for place, _ in proven} == DICE[slug]


def check_every_face(before: State, action: Action, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their luck, weighed, is nought; and whose dice they are does not depend on how they fall."""
    monkeypatch.setattr(lucky, "FALLS", ENOUGH)
    ways = list(falls(before, action, before.rng))
    assert len({thrower(before, fall.events) for fall in ways}) == 1, action
    if any(tuple(faces(fall.events)) != fall.faces for fall in ways):
        monkeypatch.setattr(lucky, "FALLS", FEW)
        check_many_throws(before, action)
        return
    assert sum(fall.weight for fall in ways) == pytest.approx(1)
    outlook = Outlook(before, action, anything, again=2)
    total = sum(fall.weight * outlook.luck(fall.state, fall.faces).dice for fall in ways)
    assert abs(total) < 1e-12, action


def check_many_throws(before: State, action: Action) -> None:
    """In Narvik 1940 up to eight dice are thrown at the end of a turn, too many to lay down in every way."""
    assert before.game.slug == "narvik"
    dice, draws = [], []
    for seed in range(THROWS):
        state = before.copy()
        state.rng = chance.seeded(seed)
        after = state.copy()
        thrown = faces(after.do(action))
        found = luck(state, action, after, thrown, anything, again=2)
        assert found is not None
        dice.append(found.dice)
        draws.append(found.draws)
    for mean, error in map(trials.mean_and_error, (dice, draws)):
        assert error < 0.05
        assert abs(mean) < 3 * error + 1e-12
