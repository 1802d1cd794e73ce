"""The command line, as typed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import counterblow
from counterblow import cli

runner = CliRunner()
ROOT = Path(__file__).parent.parent


def run(*words: str, typed: str = "") -> str:
    result = runner.invoke(cli.app, list(words), input=typed, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def complaint(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a wrong call prints on standard error; never a traceback."""
    monkeypatch.setattr("sys.argv", ["counterblow", *words])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2
    return " ".join(capsys.readouterr().err.split())


def test_games_lists_every_game() -> None:
    text = run("games")
    assert all(slug in text for slug in counterblow.games())


def test_rules_prints_one_rule_or_a_chapter() -> None:
    one = run("rules", "leningrad", "2.2")
    chapter = run("rules", "leningrad", "2")
    assert one.startswith("2.2 ")
    assert "2.2 " in chapter
    assert "2.21" in chapter
    assert "\n3.1 " not in chapter


def test_map_writes_a_picture(tmp_path: Path) -> None:
    run("map", "leningrad", "--svg", str(tmp_path / "m.svg"))
    assert (tmp_path / "m.svg").read_text().startswith("<svg")


def test_a_match_is_played_saved_resumed_and_replayed(tmp_path: Path) -> None:
    file = tmp_path / "my.json"
    text = run("play", "leningrad", "--text", "--seed", "3", "--save", str(file), typed="help\n1\n1\nundo\n1\nquit\n")
    assert "taken back" in text
    assert len(json.loads(file.read_text())["actions"]) == 2
    run(
        "play",
        "leningrad",
        "--text",
        "--save",
        str(file),
        typed="1\nboard\nlist\nrule 2.2\nwhy 1\nodds 1\n999\nfly\nquit\n",
    )
    assert len(json.loads(file.read_text())["actions"]) == 3
    assert "3 actions, as recorded" in run("replay", str(file))


def test_simulate_prints_a_summary_and_json() -> None:
    assert "2 games" in run("simulate", "leningrad", "--games", "2")
    found = json.loads(run("simulate", "leningrad", "--games", "2", "--json"))
    assert found["games"] == 2
    assert [o["seed"] for o in found["outcomes"]] == [0, 1]


def test_fuzz_reports_each_scenario() -> None:
    assert "1 games without fault" in run("fuzz", "leningrad", "--games", "1")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rules", "leningard"], 'unknown game "leningard": did you mean "leningrad"?'),
        (["rules", "leningrad", "99.9"], 'unknown rule "99.9"'),
        (["simulate", "leningrad", "--scenario", "x"], 'unknown scenario "x"'),
        (["simulate", "leningrad", "--option", "fog"], "should be NAME=VALUE"),
        (["simulate", "leningrad", "--option", "fgo=1"], 'unknown option "fgo"'),
        (["simulate", "leningrad", "--player", "german=deep"], 'unknown computer player "deep"'),
        (["simulate", "leningrad", "--player", "plain"], "should be SIDE=PLAYER"),
        (["simulate", "leningrad", "--player", "finnish=plain"], 'unknown side "finnish"'),
        (["replay", "none.json"], "none.json: cannot be read"),
    ],
)
def test_wrong_calls_get_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert message in complaint(monkeypatch, capsys, *words)


def test_the_readme_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    [code] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    exec(code, {})
    assert "Result(winner=" in capsys.readouterr().out


def test_lessons_are_listed_taken_and_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *names, **more: str(tmp_path))
    assert "first-march" in run("learn", "leningrad", "--list")
    typed = "help\nboard\nlist march\n99\nmarch I. Korps\nback\nagain\nrule 7.2\nhint\nquit\n"
    assert "this lesson" not in run("learn", "leningrad", "first-march", typed=typed)
    right = ["march I. Korps", "to 0417", "to 0518", "march I. Korps", "march LVI. Panzer Korps", "to 0415"]
    text = run("learn", "leningrad", typed="\n".join([*right, "to 0617", "end movement"]) + "\n")
    assert "there is no overrun (rule 7.19)" in text
    assert "2  march I. Korps" in text, "a few choices are shown without being asked for"
    assert "choices: 'list' shows them" in text
    assert "Done." in text
    assert "Next lesson, " in text
    assert "done first-march" in run("learn", "leningrad", "--list")
    assert "1/9 Three German units" in run("learn", "leningrad", typed="quit\n")


def test_a_lesson_file_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = ROOT / "src/counterblow/games/leningrad/lessons/01-first-march.toml"
    assert "in order" in " ".join(run("learn", "--check", str(shipped)).split())
    file = tmp_path / "broken.toml"
    file.write_text(shipped.read_text().replace('do = "to 0518"', 'do = "to 9999"'))
    assert "(step 2)" in complaint(monkeypatch, capsys, "learn", "--check", str(file))
    assert 'unknown lesson "x"' in complaint(monkeypatch, capsys, "learn", "leningrad", "x")
    assert "learn what?" in complaint(monkeypatch, capsys, "learn")


def test_rules_answer_a_question() -> None:
    text = run("rules", "narva", "retreat zone")
    assert text.startswith("5.4a ")
    assert "see 9.5.3b" in text


def test_the_coach_speaks_in_the_terminal_too() -> None:
    text = " ".join(run("play", "leningrad", "--text", "--seed", "3", typed="coach\nquit\n").split())
    assert re.search(r"\([+-]\d+\.\d\d points, best\)", text)
