"""Running experiments: the same results whoever plays, nothing lost, nothing played twice."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from counterblow import Action, CounterblowError, State, cli, players
from counterblow.lab import balance, experiment, playing, report, results, tournament

runner = CliRunner()
EXPERIMENT = """
title = "Two dice <&> two tables"
games = {games}
[[match]]
game = "noretreat"
players = ["random", "random"]
scenarios = ["A", "C"]
[[variant]]
name = "more markers"
set = {{ "tables.toml: game_data.target_markers_each" = 6 }}
"""


def written(folder: Path, games: int = 6) -> Path:
    file = folder / "try.toml"
    file.write_text(EXPERIMENT.format(games=games), encoding="utf-8")
    return file


def run(*words: str) -> str:
    result = runner.invoke(cli.app, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def parquet(folder: Path) -> tuple[bytes, bytes]:
    return (folder / results.GAMES).read_bytes(), (folder / results.TURNS).read_bytes()


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one process."""
    folder = tmp_path_factory.mktemp("lab")
    run("lab", "run", str(written(folder)), "--out", str(folder / "one"), "--jobs", "1")
    return folder


def test_two_processes_give_the_same_bytes(finished: Path) -> None:
    run("lab", "run", str(finished / "try.toml"), "--out", str(finished / "two"), "--jobs", "2")
    assert parquet(finished / "two") == parquet(finished / "one")
    assert (finished / "two" / "report.html").read_bytes() == (finished / "one" / "report.html").read_bytes()


def test_the_tables_hold_every_game_and_turn(finished: Path) -> None:
    games = pq.read_table(finished / "one" / results.GAMES).to_pylist()
    assert len(games) == 24
    assert [g["number"] for g in games] == list(range(24))
    assert {(g["scenario"], g["variant"], g["seed"]) for g in games} == {
        (s, v, n) for s in "AC" for v in ("as shipped", "more markers") for n in range(6)
    }
    turns = pq.read_table(finished / "one" / results.TURNS).to_pylist()
    for game in games:
        mine = [t for t in turns if t["number"] == game["number"]]
        assert sum(t["value"] for t in mine if t["figure"] == "actions") == game["actions"]
        assert max(t["turn"] for t in mine) == game["turns"]
        assert {"axis units", "soviet units", "Blitz!"} <= {t["figure"] for t in mine}


def test_a_finished_run_plays_nothing_again_and_more_games_keep_the_old(finished: Path) -> None:
    journal = (finished / "one" / playing.JOURNAL).read_bytes()
    run("lab", "run", str(finished / "try.toml"), "--out", str(finished / "one"))
    assert (finished / "one" / playing.JOURNAL).read_bytes() == journal
    longer = finished / "longer"
    longer.mkdir()
    (longer / playing.JOURNAL).write_bytes(journal)
    run("lab", "run", str(written(longer, 7)), "--out", str(longer), "--jobs", "1")
    grown = (longer / playing.JOURNAL).read_bytes()
    assert grown.startswith(journal)
    assert grown.count(b"\n") == 28


def test_a_line_cut_off_in_the_middle_is_played_again(finished: Path, tmp_path: Path) -> None:
    journal = (finished / "one" / playing.JOURNAL).read_bytes()
    (tmp_path / playing.JOURNAL).write_bytes(journal[: len(journal) * 2 // 3])
    run("lab", "run", str(finished / "try.toml"), "--out", str(tmp_path), "--jobs", "1")
    assert parquet(tmp_path) == parquet(finished / "one")
    assert len((tmp_path / playing.JOURNAL).read_bytes().splitlines()) == 24


def test_kill_9_in_the_middle_loses_nothing_and_plays_nothing_twice(tmp_path: Path) -> None:
    file = written(tmp_path, 25)
    command = [sys.executable, "-m", "counterblow.cli", "lab", "run", str(file), "--out", str(tmp_path / "run")]
    process = subprocess.Popen([*command, "--jobs", "2"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    journal = tmp_path / "run" / playing.JOURNAL
    waited = time.monotonic() + 60
    while not (journal.exists() and journal.read_bytes().count(b"\n") >= 10):
        assert process.poll() is None, "the run was over before it could be killed"
        assert time.monotonic() < waited
        time.sleep(0.02)
    children = _children(process.pid)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = journal.read_bytes()
    assert before.count(b"\n") < 100
    for child in children:  # the workers go with their parent
        while _alive(child):
            assert time.monotonic() < waited, "a worker stayed behind"
            time.sleep(0.02)
    run("lab", "run", str(file), "--out", str(tmp_path / "run"), "--jobs", "2")
    after = journal.read_bytes()
    whole = before[: before.rfind(b"\n") + 1]
    assert after.startswith(whole)
    entries = [json.loads(line) for line in after.splitlines()]
    assert len({(entry["key"], entry["seed"]) for entry in entries}) == len(entries) == 100


def _children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def _alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_two_runs_at_once_in_one_folder_are_refused(finished: Path, tmp_path: Path) -> None:
    with playing.held(tmp_path), pytest.raises(CounterblowError, match="another run is at work there"):
        playing.run(experiment.read(finished / "try.toml"), tmp_path)


# ---------------------------------------------------------------------- reports


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]


def test_the_report_stands_alone_and_says_what_the_games_say(finished: Path) -> None:
    text = (finished / "one" / "report.html").read_text(encoding="utf-8")
    links = _Links()
    links.feed(text)
    assert all(link.startswith("#") for link in links.found)
    assert "Two dice &lt;&amp;&gt; two tables" in text
    assert f"counterblow lab run {finished / 'try.toml'}" in text
    rows = pq.read_table(finished / "one" / results.GAMES).to_pylist()
    for cell in report.summaries(rows):
        mine = [r for r in rows if all(r[name] == cell.setting[name] for name in ("scenario", "variant"))]
        assert cell.first.value == sum(1 for r in mine if r["winner"] == "axis") / 6
        assert report.percent(cell.first.value) in text
    assert len(list(report.differences(rows))) == 2  # a variant in each of two scenarios


def test_the_report_can_be_written_again(finished: Path) -> None:
    file = finished / "one" / "report.html"
    text = file.read_text(encoding="utf-8")
    file.unlink()
    run("lab", "report", str(finished / "one"))
    assert file.read_text(encoding="utf-8") == text


def row(cell: int, seed: int, score: float, **more: Any) -> dict[str, Any]:
    winner = {1.0: "german", 0.0: "russian", 0.5: None}[score]
    base = {"number": 100 * cell + seed, "cell": cell, "game": "leningrad", "rules_version": "1",
            "scenario": "campaign", "options": "{}", "variant": "as shipped", "swapped": False, "first_side": "german",
            "second_side": "russian", "first_player": "a", "second_player": "b", "seed": seed, "winner": winner,
            "first_score": score, "level": "win", "reason": "", "turns": 9, "actions": 90}  # fmt: skip
    return {**base, **more}


def test_a_player_is_compared_over_both_seats_seed_by_seed() -> None:
    swapped = {"first_player": "b", "second_player": "a", "swapped": True}
    rows = [row(0, s, float(s < 6)) for s in range(10)] + [row(1, s, float(s < 2), **swapped) for s in range(10)]
    (found,) = report.differences(rows)
    assert found.who == "a rather than b"
    assert found.worth.value == pytest.approx(0.4)  # a wins 6 of 10 as german, b 2 of 10


def test_standings_tell_both_seats_apart() -> None:
    swapped = {"first_player": "b", "second_player": "a", "swapped": True}
    rows = [row(0, s, 1.0) for s in range(20)] + [row(1, s, float(s % 2), **swapped) for s in range(20)]
    best, worst = tournament.standings(rows)
    assert (best[0], best[3], best[4], worst[0]) == ("a", "30", "40", "b")
    assert best[5].startswith("100 %")
    assert best[6].startswith("50 %")
    assert "the german side" in tournament.seat_sentence(rows)


def test_the_value_nearest_to_even_is_named() -> None:
    change = balance.read_change("units.toml: unit[name=4. Panzer Gruppe].factor = 4, 6, 8")
    assert change == balance.Change("units.toml: unit[name=4. Panzer Gruppe].factor", (4, 6, 8))
    rows = [row(0, s, float(s < 4)) for s in range(40)]
    for cell, (value, wins) in enumerate(((4, 4), (6, 22), (8, 38)), 1):
        rows += [row(cell, s, float(s < wins), variant=change.name(value)) for s in range(40)]
    found = balance.verdict(change, rows, "campaign")
    assert found.sentence.startswith("Nearest to even: 6 (german 55.0 %, as shipped 10.0 %).")
    even = re.search(r"even at (\d+\.\d+)", found.sentence)
    assert even
    assert 5.4 < float(even[1]) < 6.2
    assert [line[2] for line in found.lines] == ["10.0 %", "55.0 %", "95.0 %"]
    worse = balance.verdict(balance.Change(change.address, (4,)), rows, "campaign")
    assert worse.sentence.startswith("None of these values is nearer to even")


def test_balance_on_the_command_line(tmp_path: Path) -> None:
    text = run("balance", "noretreat", "--player", "random", "--games", "1", "--scenario", "C", "--out", str(tmp_path),
               "--change", "tables.toml: game_data.supply_range = 3, 5", "--jobs", "1")  # fmt: skip
    assert "supply_range" in text
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "counterblow balance noretreat --player random --games 1" in page
    assert "detachments=true" in page


class First(players.Player):
    """Always the first of the legal actions."""

    name = "first"

    def choose(self, state: State, side: int) -> Action:
        return state.legal()[0]


def test_a_tournament_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = players.make
    monkeypatch.setattr(players, "make", lambda name, seed=0: First(seed) if name == "first" else make(name, seed))
    text = run("tournament", "noretreat", "--player", "random", "--player", "first", "--games", "2", "--scenario", "C",
               "--out", str(tmp_path), "--jobs", "1")  # fmt: skip
    assert "Elo" in text
    assert "Standings" in (tmp_path / "report.html").read_text(encoding="utf-8")


# ---------------------------------------------------------------------- bad input


def complaint(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    monkeypatch.setattr("sys.argv", ["counterblow", *words])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2
    return " ".join(capsys.readouterr().err.split())


def test_wrong_calls_get_one_sentence(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*words: str) -> str:
        return complaint(monkeypatch, capsys, *words)

    file, folder = str(finished / "try.toml"), tmp_path / "run"
    assert "did you mean" in said("tournament", "narva", "--player", "random", "--player", "plan")
    assert "each named once" in said("tournament", "narva", "--player", "random", "--player", "random")
    assert "should be ADDRESS = VALUE" in said("balance", "narva", "--change", "units.toml")
    assert "values cannot be read" in said("balance", "narva", "--change", "units.toml: a = x")
    assert "not the folder of a finished run: run.json: No such file" in said("lab", "report", str(tmp_path))
    folder.mkdir()
    (folder / "run.json").write_text("{")
    assert "run.json: broken JSON" in said("lab", "report", str(folder))
    (folder / "run.json").write_text("{}")
    assert "games.parquet: there is no such file" in said("lab", "report", str(folder))
    (folder / "games.parquet").write_text("no parquet")
    assert "not a Parquet file that can be read" in said("lab", "report", str(folder))
    (folder / playing.JOURNAL).write_text("nonsense\n")
    assert "line 1 is no finished game" in said("lab", "run", file, "--out", str(folder))
    (tmp_path / "plain").write_text("")
    assert "cannot be used" in said("lab", "run", file, "--out", str(tmp_path / "plain" / "x"))


def test_a_cluster_that_is_away_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", object())  # installed, for this test: it is not asked
    with pytest.raises(CounterblowError, match=r"at 127\.0\.0\.1:1 cannot be reached"):
        playing.connect("127.0.0.1:1")
    with pytest.raises(CounterblowError, match="HOST:PORT"):
        playing.connect("somewhere")


def test_a_library_that_is_missing_is_named_with_its_extra(
    finished: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    words = ("lab", "run", str(finished / "try.toml"), "--out", str(finished / "none"), "--cluster", "local")
    assert (
        complaint(monkeypatch, capsys, *words)
        == "counterblow: ray is not installed: pip install 'counterblow[cluster]'"
    )
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    told = complaint(monkeypatch, capsys, "lab", "run", str(finished / "try.toml"), "--out", str(finished / "none"))
    assert told == "counterblow: pyarrow is not installed: pip install 'counterblow[lab]'"


def test_plan_says_what_would_be_played(finished: Path) -> None:
    text = run("lab", "plan", str(finished / "try.toml"))
    assert "24 games" in text
    assert "more markers" in text
