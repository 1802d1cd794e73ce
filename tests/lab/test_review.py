"""The review of a game: luck by hand, chances, turning points, the page, and what is kept."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import counterblow
from counterblow import CounterblowError, Game, Match, RecordError, cli, players
from counterblow.kernel import chance
from counterblow.lab import review, review_page, trials, winning
from counterblow.players import Cancelled

runner = CliRunner()
PLANTED = range(2000, 2006)  # seeds of games in which a blunder is planted: fixed before any of them was looked at


def test_dice_belong_to_the_attacker_though_the_enemy_spoke_last(found: dict[str, Any]) -> None:
    """A bomber flies on when nobody intercepts it: its dice are its own side's, not those of who let it pass."""
    passed = [throw for throw in found["throws"] if throw["action"] == "no interception" and throw["faces"]]
    assert passed
    for throw in passed:
        named = found_by_name(throw["told"])
        sunk = " is eliminated " in throw["told"]  # then the sentence is about the fleet that it hit (13.11)
        assert throw["side"] == (1 - named if sunk else named), throw["told"]


def found_by_name(told: str) -> int:
    """The side of the unit with which a sentence of the log begins."""
    game = counterblow.load("leningrad")
    named = [unit for unit, name in enumerate(game.unit_names) if told.startswith(name)]
    return game.side_of[max(named, key=lambda unit: len(game.unit_names[unit]))]


def test_a_trial_goes_on_where_it_stopped(tmp_path: Path) -> None:
    game = counterblow.load("leningrad")
    steps: list[tuple[int, int]] = []
    first = trials.run("luck", game, range(2), tmp_path, lambda done, size: steps.append((done, size)))
    assert steps == [(0, 2), (1, 2), (2, 2)]
    journal = tmp_path / "journal.jsonl"
    lines = journal.read_text().splitlines()
    assert len(lines) == 2
    journal.write_text(
        lines[0].replace('"german":', '"german":7,"was":') + "\n" + lines[1][:20]
    )  # killed in the middle
    again = trials.run("luck", game, range(3), tmp_path)
    assert again[0]["german"] == 7  # read, not played
    assert again[1] == first[1]
    assert len(journal.read_text().splitlines()) == 3
    told = trials.tell_luck(game, [{"german": 0.01, "russian": 0.0, "draws": 0.0},
                                   {"german": 0.03, "russian": 0.0, "draws": 0.0}])  # fmt: skip
    assert told[0] == "german: mean luck +2.000 points a game, standard error 1.000"


def test_an_unknown_trial_is_told() -> None:
    with pytest.raises(CounterblowError, match='unknown trial "dice": there are luck and blunders'):
        runner.invoke(cli.app, ["lab", "trial", "dice", "leningrad"], catch_exceptions=False)


# ---------------------------------------------------------------------- win probability


@pytest.mark.parametrize("slug", counterblow.games())
def test_the_chance_is_one_and_nought_at_the_end_and_rises_with_the_judgement(slug: str) -> None:
    game, curve = counterblow.load(slug), winning.curve(slug)
    state, generator = game.start(seed=2), chance.seeded(2)
    seen = []
    while not state.over:
        found = curve.with_interval(state)
        assert 0 < found.low <= found.value <= found.high < 1
        seen.append((winning.judgement(state), state.turn, found.value))
        legal = state.legal()
        generator, index = chance.below(generator, len(legal))
        state.do(legal[index])
    assert state.result is not None
    winner = state.result.winner
    assert curve(state) == (0.5 if winner is None else float(winner == game.sides[0]))
    for turn in {turn for _, turn, _ in seen}:
        chances = [p for _, t, p in sorted(seen) if t == turn]
        assert chances == sorted(chances)


def test_a_curve_is_fitted_and_checked() -> None:
    """On made-up games whose chance is known: the logistic of the judgement."""
    generator, samples = chance.seeded(3), []
    for _ in range(400):
        generator, throw = chance.below(generator, 4001)
        looks = (throw - 2000) / 500
        generator, coin = chance.below(generator, 1_000_000)
        score = float(coin < 1_000_000 * winning.logistic(1.5 * looks))
        samples.append(winning.Sample("x", ((100 * looks, 5),) * 3, score, 10))
    curve, checked = winning.fit(samples), winning.check(winning.foretold(samples))
    assert checked.games == 400  # each of them was held out once
    assert checked.brier < 0.7 * checked.brier_of_base
    assert checked.better.low > 0
    assert checked.better.value == pytest.approx(checked.brier_of_base - checked.brier)
    assert curve.weights[1] + curve.weights[2] / 2 == pytest.approx(1.5 * curve.spread / 100, rel=0.25)
    honest = [bin for bin in checked.bins if bin.won.low <= bin.predicted <= bin.won.high]
    assert len(honest) >= len(checked.bins) - 1  # 95 % intervals
    assert "| predicted | games | mean | won | 95 % interval |" in winning.table(checked)
    again = winning.read(__import__("tomllib").loads(winning.to_toml("x", curve))["x"])
    assert again.weights == pytest.approx(curve.weights, rel=1e-4)


def test_a_held_out_game_has_no_part_in_its_own_chances() -> None:
    """All games are the same but for who won the last one: that changes the chances of the others, not its own."""
    games = [winning.Sample("x", ((float(n % 7), 1), (float(n % 5), 2)), float(n % 2), 2) for n in range(20)]
    other = [*games[:-1], winning.Sample("x", games[-1].positions, 1 - games[-1].score, 2)]
    here, there = winning.foretold(games), winning.foretold(other)
    changed = [a.score != b.score for a, b in zip(here, there, strict=True)]
    place = changed.index(True)
    assert changed.count(True) == 1
    assert here[place].chances.tolist() == there[place].chances.tolist()
    assert here[place].base == there[place].base
    assert here[0].base != there[0].base


def test_positions_of_one_game_are_one_witness() -> None:
    """A long game says no more about the chances than a short one."""
    import numpy as np

    short = winning.check([winning.Foretold(np.array([0.75]), 1.0, 0.5)] * 4)
    long = winning.check([winning.Foretold(np.array([0.75] * 50), 1.0, 0.5)] * 4)
    assert short.bins == long.bins
    assert short.bins[0].games == 4
    assert 0.3 < short.bins[0].won.low < 0.6  # Wilson for 4 of 4


def test_a_calibration_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = counterblow.load("leningrad")
    monkeypatch.setattr(winning, "PAIRS", {"leningrad": ((1.0, 1.0),)})  # two random players: quick games
    steps: list[tuple[int, int]] = []
    first = winning.play(winning.sittings(game, range(2)), tmp_path, 1)
    again = winning.play(winning.sittings(game, range(3)), tmp_path, 1, lambda done, size: steps.append((done, size)))
    assert steps == [(2, 3), (3, 3)]
    assert again[:2] == first
    assert {s.scenario for s in again} == {"campaign"}
    assert len((tmp_path / "journal.jsonl").read_text().splitlines()) == 3


def test_a_game_that_is_not_calibrated_is_told() -> None:
    with pytest.raises(CounterblowError, match="counterblow lab calibrate toy"):
        winning.curve("toy")


# ---------------------------------------------------------------------- whole reviews


def officers(game: Game, seed: int) -> Match:
    """A game of two officers."""
    match = Match(game, None, seed)
    seats = [players.make("officer", 2 * seed + side) for side in (0, 1)]
    while (decider := match.state.decider) is not None:
        match.do(seats[decider].choose(match.state, decider))
    return match


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("review") / "game.json"
    officers(counterblow.load("leningrad"), 3).save(file)
    return file


@pytest.fixture(scope="module")
def found(record: Path) -> dict[str, Any]:
    return review.review(json.loads(record.read_text()))


def test_a_review_adds_up(record: Path, found: dict[str, Any]) -> None:
    actions = json.loads(record.read_text())["actions"]
    assert found["decisions"][-1]["ply"] == len(actions) - 1
    stretches = found["stretches"]
    plies = [ply for stretch in stretches for ply in range(stretch["first"], stretch["last"] + 1)]
    assert plies == list(range(len(actions)))  # the stretches are the whole game
    for stretch in stretches:
        sign = 1 if stretch["side"] == 0 else -1
        assert stretch["gained"] + stretch["luck"] == pytest.approx(sign * (stretch["after"] - stretch["before"]))
        assert stretch["regret"] == pytest.approx(stretch["reference"] - stretch["gained"])
    numbers = sorted(number for phase in found["phases"] for number in phase["stretches"])
    assert numbers == list(range(len(stretches)))  # each belongs to one phase
    total = found["luck"]["total"]
    net = found["luck"]["net"]
    assert net["german"] == pytest.approx(total["german"] - total["russian"] + total["draws"])
    assert net["german"] == -net["russian"]
    assert [turn["turn"] for turn in found["turns"]][:3] == [0, 1, 2]
    assert {"german units", "russian places", "german cut off"} <= set(found["turns"][0]["figures"])
    worst = [point["odds"] for point in found["turning_points"]]
    assert worst == sorted(worst, reverse=True)
    assert len(worst) <= review.POINTS
    assert all(point["regret"] >= review.LEAST for point in found["turning_points"])


def test_a_phase_is_a_sides_play_in_one_part_of_a_turn() -> None:
    """Where the sides take turns within a part, what a side lost in each of its stretches counts together."""

    def stretch(side: int, turn: int, lost: float) -> dict[str, Any]:
        return {"turn": turn, "name": "Actions", "side": side, "choices": 2, "luck": 0.0, "gained": -lost,
                "reference": 0.0, "regret": lost, "odds": 4 * lost}  # fmt: skip

    found = review.phases([stretch(0, 1, 0.01), stretch(1, 1, 0.05), stretch(0, 1, 0.03), stretch(0, 2, 0.02)])
    assert [(p["turn"], p["side"], p["stretches"], p["worst"]) for p in found] == [
        (1, 0, [0, 2], 2), (1, 1, [1], 1), (2, 0, [3], 3)
    ]  # fmt: skip
    assert found[0]["regret"] == pytest.approx(0.04)
    assert found[0]["odds"] == pytest.approx(0.16)
    assert found[0]["choices"] == 4


def test_planted_blunders_are_found() -> None:
    """One phase at random in games of officers: in four of five it is among the first three turning points."""
    game = counterblow.load("leningrad")
    found = [entry for seed in PLANTED if (entry := trials.blunder(game, seed))["planted"]]
    assert len(found) >= len(PLANTED) / 2
    named = [entry["named"] for entry in found if entry["named"] is not None and entry["named"] <= trials.NAMED]
    assert len(named) >= 0.8 * len(found)


def test_the_worst_of_three_tries_counts() -> None:
    """Where the reference player did better once, by chance, the game did not turn; where it always does, it did."""
    costs = {0: (0.9, 0.0, 0.5), 1: (0.4, 0.5, 0.3), 2: (0.2, 0.1, 0.2), 3: (0.004, 9.0, 9.0)}
    asked: list[tuple[int, int]] = []

    def weigh(number: int, attempt: int) -> dict[str, Any]:
        asked.append((number, attempt))
        cost = costs[number][attempt]
        return {"turn": number, "name": "movement", "side": 0, "choices": 3, "luck": 0.0, "gained": -cost,
                "reference": 0.0, "regret": cost, "odds": cost}  # fmt: skip

    told = [weigh(number, 0) for number in costs]
    asked.clear()
    found, points = review.turning_points(told, weigh)
    assert [(point["turn"], point["odds"]) for point in points] == [(1, 0.3), (2, 0.1)]
    assert [phase["odds"] for phase in found] == [0.0, 0.3, 0.1, 0.004]
    assert [stretch["odds"] for stretch in told] == [0.0, 0.3, 0.1, 0.004]  # what is told is the try that counts
    assert asked == [(0, 1), (1, 1), (1, 2), (2, 1), (2, 2)]  # and none more than needed


def test_a_blunder_is_planted_in_one_phase_of_a_game_still_open() -> None:
    game = counterblow.load("leningrad")
    seed, match, where = next((seed, match, where) for seed in PLANTED
                              for match, where in [trials.planted(game, seed)] if where is not None)  # fmt: skip
    start = match.state_at(where)
    value = winning.curve("leningrad")(start)
    assert trials.OPEN[0] <= value <= trials.OPEN[1]
    assert match.state.over
    seats = [players.make("officer", 2 * seed + seat) for seat in (0, 1)]
    for ply in range(where):  # before it both sides play well
        state = match.state_at(ply)
        assert state.decider is not None
        assert seats[state.decider].choose(state, state.decider) == match.actions[ply]


def test_a_phase_is_told_in_words(found: dict[str, Any]) -> None:
    game = counterblow.load("leningrad")
    assert review.phase_title(game, "german.movement", 0) == "movement"
    assert review.phase_title(game, "german.combat", 1) == "German combat"
    assert review.phase_title(game, "action", 1) == "action"
    for point in found["turning_points"]:
        assert re.fullmatch(r"Turn \d+: .* 1941, [A-Za-z ]+", point["label"])


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]

    def handle_data(self, data: str) -> None:
        self.words += data


def test_the_page_stands_alone(found: dict[str, Any]) -> None:
    made = {**found, "turning_points": found["turning_points"] or []}
    tags = _Tags()
    text = review_page.write(made)
    tags.feed(text)
    assert all(link.startswith("#") for link in tags.links)
    assert "How the chances ran" in tags.words
    for point in found["turning_points"]:
        assert "; ".join(point["played"][:2]) in re.sub(r"\s+", " ", tags.words)


def test_a_review_is_kept_and_reused_and_made_anew_when_it_is_another_game(record: Path) -> None:
    def run(*more: str) -> str:
        result = runner.invoke(cli.app, ["review", str(record), *more], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    first = run()
    kept = review.kept_beside(record)
    assert "Luck:" in first
    assert record.with_suffix(".review.html").exists()
    kept.write_text(kept.read_text().replace('"net":{"german":', '"net":{"german":0.5,"was":'))
    assert "Luck: 50.0 points" in run()  # it was read, not made
    assert "Luck: 50.0 points" not in run("--again")
    stale = json.loads(kept.read_text())
    kept.write_text(json.dumps({**stale, "fingerprint": "other", "luck": {**stale["luck"], "net": {"german": 0.5}}}))
    assert "Luck: 50.0 points" not in run()


def test_a_record_of_other_rules_is_told_with_its_file(record: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps({**json.loads(record.read_text()), "fingerprint": "0" * 16, "rules_version": "0.9"}))
    with pytest.raises(RecordError, match=r"other\.json: .*recorded with rules version 0\.9"):
        runner.invoke(cli.app, ["review", str(other)], catch_exceptions=False)


def test_a_review_can_be_cancelled(record: Path) -> None:
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 20

    with pytest.raises(Cancelled):
        review.review(json.loads(record.read_text()), cancelled=cancelled)
    assert len(asked) == 21


def test_progress_comes_to_its_end(record: Path) -> None:
    steps: list[tuple[int, int]] = []
    short = json.loads(record.read_text())
    match = Match(counterblow.load("leningrad"), None, short["seed"])
    for text in short["actions"][:40]:
        match.do(text)
    found = review.review(match.to_record(), progress=lambda done, size: steps.append((done, size)))
    assert found["result"] is None  # a game that is not over is reviewed as far as it goes
    assert [done for done, _ in steps] == list(range(1, steps[0][1] + 1))


def test_wrong_records_and_players_are_told(record: Path) -> None:
    data = json.loads(record.read_text())
    with pytest.raises(CounterblowError, match="unknown computer player"):
        review.review(data, "nobody")
    with pytest.raises(RecordError, match="rules version"):
        review.review({**data, "fingerprint": "0" * 16, "rules_version": "0.9"})
    with pytest.raises(RecordError, match="number 3 cannot be played"):
        review.review({**data, "actions": [*data["actions"][:2], "march nobody"]})
    empty = Match(counterblow.load("leningrad"), None, 1).to_record()
    with pytest.raises(CounterblowError, match="nothing to review"):
        review.review(empty)
