"""Experiments as files: what they mean, and what is said of a wrong one."""

from __future__ import annotations

from pathlib import Path

import pytest

import counterblow
from counterblow import CounterblowError
from counterblow.lab import experiment, variants

PANZER = "units.toml: unit[name=4. Panzer Gruppe].factor"


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "try.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_every_combination_is_a_setting_with_the_same_seeds(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        f"""
        games = 3
        seed = 7
        [[match]]
        game = "leningrad"
        players = ["plain", "random"]
        swap = true
        options = {{ die_index = ["A", "B"], panzer_corps_zoc = true }}
        [[variant]]
        name = "weak"
        set = {{ "{PANZER}" = 3 }}
        """,
    )
    found = experiment.read(file)
    assert [(c.options, c.variant.name, c.players, c.swapped) for c in found.cells] == [
        (options, variant, pair, swapped)
        for options in ('{"panzer_corps_zoc": true}', '{"die_index": "B", "panzer_corps_zoc": true}')
        for variant in ("as shipped", "weak")
        for pair, swapped in ((("plain", "random"), False), (("random", "plain"), True))
    ]
    assert found.size == 24
    assert [seed for cell, seed in found.jobs() if cell == 5] == [7, 8, 9]


def test_equal_players_are_not_swapped_and_equal_settings_not_played_twice() -> None:
    match = {"game": "leningrad", "players": ["random", "random"], "swap": True}
    found = experiment.build({"games": 1, "match": [match, {**match, "options": {"die_index": "A"}}]})
    assert len(found.cells) == 1  # die_index A is the default


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("games = ", "not valid TOML"),
        ('games = "x"\n[[match]]\ngame = "narva"\nplayers = ["random", "random"]', "games should be a whole number"),
        ('games = 1\n[[match]]\ngame = "narva"\nplayers = ["random", "random"]\nswop = true', 'did you mean "swap"?'),
        ('games = 1\n[[match]]\ngame = "leningrad"', "match[1].players is missing: it should be two names"),
        (
            'games = 0\n[[match]]\ngame = "leningrad"\nplayers = ["random", "random"]',
            "games should be a whole number from 1 up: games = 100; it is 0",
        ),
        (
            'games = 1\nmatches = 2\n[[match]]\ngame = "narva"\nplayers = ["random", "random"]',
            'matches: unknown key "matches": did you mean "match"',
        ),
        (
            'games = 1\n[[match]]\ngame = "narwa"\nplayers = ["random", "random"]',
            'match[1].game: unknown game "narwa": did you mean',
        ),
        (
            'games = 1\n[[match]]\ngame = "narva"\nplayers = ["random", "plane"]',
            'match[1].players: unknown computer player "plane": did you mean "plain"',
        ),
        (
            'games = 1\n[[match]]\ngame = "narva"\nplayers = ["random"]',
            "match[1].players should be two names in the order of the sides",
        ),
        ('games = 1\n[[match]]\ngame = "narva"\nplayers = ["random", "random"]\noptions = { frog = true }', '"frog"'),
        ('games = 1\n[[match]]\ngame = "narva"\nplayers = ["random", "random"]\nscenarios = ["x"]', 'scenario "x"'),
    ],
)
def test_a_wrong_file_is_told_with_its_name_and_field(tmp_path: Path, text: str, complaint: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(CounterblowError) as error:
        experiment.read(file)
    assert complaint in str(error.value)
    assert str(error.value).startswith(str(file))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CounterblowError, match=r"none\.toml: cannot be read: No such file"):
        experiment.read(tmp_path / "none.toml")


VARIANT = 'games = 1\n[[match]]\ngame = "leningrad"\nplayers = ["random", "random"]\n[[variant]]\nname = "v"\n'


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ('set = { "units.toml: unit[name=5. Panzer Gruppe].factor" = 3 }', 'did you mean "4. Panzer Gruppe"'),
        (
            'set = { "units.toml: unit[name=4. Panzer Gruppe].faktor" = 3 }',
            'unknown key "faktor": did you mean "factor"',
        ),
        (f'set = {{ "{PANZER}" = "six" }}', "the value there is 6: 'six' is of another kind"),
        ('set = { "tables.toml: ground.rows[7]" = [] }', "[7]: the list has members 1 to 6"),
        ('set = { "tables.toml: ground.rows[0]" = [] }', "[0]: the list has members 1 to 6"),
        ('set = { "tabels.toml: ground" = 1 }', 'unknown data file "tabels.toml": did you mean "tables.toml"'),
        ('set = { "units.toml" = 1 }', "should be like"),
        ('set = { "units.toml: unit.factor" = 1 }', "which is no table"),
        ('set = { "units.toml: unit[name=4. Panzer Gruppe].start" = ["9999"] }', "9999"),
        ('folder = "nowhere"', "there is no such folder"),
        ("", "changes nothing"),
        (f'game = "narva"\nset = {{ "{PANZER}" = 3 }}', 'unknown game of a match "narva"'),
    ],
)
def test_a_wrong_variant_is_told_with_its_address(tmp_path: Path, change: str, complaint: str) -> None:
    with pytest.raises(CounterblowError) as error:
        experiment.read(written(tmp_path, VARIANT + change))
    assert complaint in str(error.value)
    assert 'variant "v"' in str(error.value)


def test_a_changed_value_is_played_and_the_game_as_shipped_stays() -> None:
    variant = variants.make("leningrad", "weak", {PANZER: 3, "tables.toml: ground.rows[6][13]": "-"})
    changed, shipped = variant.game("leningrad"), counterblow.load("leningrad")
    panzer = shipped.unit("4. Panzer Gruppe")
    counters = [game.counters.factor[panzer] for game in (changed, shipped)]  # type: ignore[attr-defined]
    assert counters == [3, 6]
    ground = next(table for table in changed.views.tables() if table["id"] == "ground")
    assert ground["rows"][5][12] == "-"
    assert variant.game("leningrad") is changed
    assert variant.digest != variants.make("leningrad", "weak", {PANZER: 4}).digest


def test_a_folder_of_corrected_files(tmp_path: Path) -> None:
    data = counterblow.load("leningrad").data
    text = data.text("units.toml").replace("factor = 6", "factor = 5", 1)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "units.toml").write_text(text, encoding="utf-8")
    found = experiment.read(written(tmp_path, VARIANT + 'folder = "mine"'))
    game = found.cells[1].variant.game("leningrad")
    assert game.counters.factor[game.unit("4. Panzer Gruppe")] == 5  # type: ignore[attr-defined]
