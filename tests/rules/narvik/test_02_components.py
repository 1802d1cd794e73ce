"""Chapters 1 and 2: sides, counters, displays, markers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from counterblow import DataError, IllegalAction
from counterblow.games import narvik as package
from counterblow.games.narvik.components import SUBS, Roster, _crt
from tests.helpers import asked, do, refused, rule
from tests.rules.narvik.play import offers, starting


@rule("1.2.a")
def test_two_players_each_with_own_units(narvik: Any) -> None:
    assert narvik.sides == ("german", "allied")
    s = narvik.position(units={"139-1": "1720", "SG-a": "1704"})
    assert s.side == "german"
    assert refused(s, "movement BR", "1.2.a")
    do(s, "movement KGW")
    assert refused(s, "move SG-a", "1.2.a")
    assert {narvik.roster.units[u].sub for u in narvik.roster.of_side[1]} == {4, 5, 6, 7}


@rule("2.0.a")
def test_all_chance_is_six_sided_dice_and_blind_draws(narvik: Any) -> None:
    s = narvik.position(phase="turn", units={"139-1": "0919", "SG-a": "0216"}, dice=(1,) * 12)
    assert s.ap[0] == 1 + 1 + 2  # die 1, one objective, OKW Interest
    assert all(len(column) == 6 for column in narvik.tables.crt)
    for name in ("elite", "other"):
        assert len(narvik.data.toml("tables.toml")["regroup"][name]) == 6
    assert [len(rows) for rows in narvik.tables.events] == [6, 6]


@rule("2.1.a")
def test_a_unit_is_in_one_hex(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "SG-a": "1704"})
    do(s, "movement KGW", "move 139-1", "to 1820")
    assert s.place("139-1") == "1820"
    assert s.stack(narvik.node("1720")) == ()
    assert sum(narvik.unit("139-1") in units for units in s.here.values()) == 1


@rule("2.1.b")
def test_every_hex_has_its_own_label(narvik: Any) -> None:
    labels = narvik.board.labels[: narvik.board.hexes]
    assert len(set(labels)) == len(labels) == 594
    assert all(len(label) == 4 and label.isdigit() for label in labels)
    for name, label in (("Narvik", "0919"), ("Bjornfjell", "2020"), ("Bogen", "0216"), ("Salangen", "1801")):
        assert narvik.board.place(name).nodes == (narvik.node(label),)


@rule("2.1.c")
def test_every_terrain_has_a_line_in_the_chart(narvik: Any) -> None:
    chart = narvik.tables.terrain
    for node in range(narvik.board.hexes):
        assert narvik.board.terrain[node] in chart
    assert (chart["clear"]["mp"], chart["rough"]["mp"], chart["peak"]["mp"]) == (1, 2, 3)
    assert (chart["rough"]["fire"], chart["rough"]["assault"]) == (-1, -1)  # stated by the rulebook


@rule("2.1.1.a", "2.1.1.b")
def test_staging_areas_are_off_map(narvik: Any) -> None:
    areas = {a.id for a in narvik.board.areas if a.kind == "area"}
    assert areas == {"Harstad", "Bardufoss", "Swedish Transit"}
    assert not any(narvik.board.is_hex(narvik.node(label)) for label in areas)
    assert narvik.ground.staging == (
        (narvik.node("Swedish Transit"),),
        (narvik.node("Harstad"), narvik.node("Bardufoss")),
    )


@rule("2.1.1.c")
def test_only_strikes_in_the_display_are_used(narvik: Any) -> None:
    units = {"139-1": "0919", "SG-a": "0216", "Warspite": "Allied Strikes", "Aurora": "Allied Pool"}
    s = narvik.position(phase="allied.action", units=units)
    do(s, "naval support")
    assert starting(s, "strike with") == ["Warspite"]
    assert refused(s, "strike with Aurora", "16.0.c")


@rule("2.1.1.d")
def test_scheduled_display_and_random_pool_are_apart(narvik: Any) -> None:
    s = narvik.start(seed=3)
    ground, roster = narvik.ground, narvik.roster
    scheduled = s.stack(ground.scheduled)
    assert scheduled
    assert all(roster.code[u] == "S" for u in scheduled)
    allied_random = s.stack(ground.pool[1]) + s.stack(ground.arrivals[1]) + s.stack(ground.strikes[1])
    assert all(roster.code[u] == "R" and roster.side[u] == 1 for u in allied_random)
    assert all(roster.side[u] == 0 for u in s.stack(ground.pool[0]))


@rule("2.1.1.e")
def test_losses_go_to_two_displays(narvik: Any) -> None:
    units = {"139-4": "1720", "SG-a": "1820", "SG-b": "1820"}
    s = narvik.position(units=units, dice=(6, 4))  # column 5: 6 disrupted, 4 retreat
    do(s, "fire KGW", "attack with 139-4", "at 1820")
    assert s.place("SG-b") == "Allied Regroup"
    s = narvik.position(units={"139-1": "1720", "139-4": "1720", "139-9": "1720", "SG-a": "1820"}, dice=(6,))
    do(s, "fire KGW", "attack with 139-4", "and 139-1", "at 1820")  # column 8: eliminated
    assert s.place("SG-a") == "Allied Eliminated"


@rule("2.1.1.f")
def test_transferred_units_never_come_back(narvik: Any) -> None:
    units = {"139-1": "1720", "SG-a": "Troop Transfer", "SG-b": "0216"}
    s = narvik.position(phase="allied.action", units=units)
    assert offers(s, "movement BR")
    do(s, "movement BR")
    assert starting(s, "move") == ["SG-b"]
    assert not any(offers(s, f"regroup {sub}") for sub in SUBS)


@rule("2.1.1.g")
def test_relief_column_track(narvik: Any) -> None:
    tables = narvik.tables
    assert (tables.relief_names[0], tables.relief_names[-1]) == ("Trondheim", "Narvik")
    assert "Bodo" in tables.relief_names
    assert list(tables.relief_ap) == sorted(tables.relief_ap)
    assert tables.relief_ap[0] == 0


@rule("2.1.1.h")
def test_tracks(narvik: Any) -> None:
    s = narvik.position(ap={"german": 7, "allied": 3}, units={"139-1": "1720", "SG-a": "0216"})
    tracks = {t["id"]: t["value"] for t in s.view("german")["tracks"]}
    assert (tracks["ap-german"], tracks["ap-allied"], tracks["turn"]) == (7, 3, 1)
    assert len(narvik.tables.turns) == 8


@rule("2.3.a")
def test_units_have_one_step(narvik: Any) -> None:
    s = narvik.position(units={"139-4": "1720", "SG-a": "1820"}, dice=(5,))  # column 5, die 5: disrupted
    do(s, "fire KGW", "attack with 139-4", "at 1820")
    assert s.place("SG-a") == "Allied Regroup"
    assert s.stack(narvik.node("1820")) == ()


@rule("2.3.b")
def test_codes_say_how_a_unit_enters(narvik: Any) -> None:
    s = narvik.start("free", seed=1)
    roster = narvik.roster
    waiting = set(starting(s, "set up"))
    assert waiting == {roster.names[u] for u in roster.of_side[0] if roster.code[u] == ""}
    assert refused(s, "set up FJ1-1", "2.3.b")
    assert {roster.code[u] for u in roster.ground} == {"", "R", "S", "OPT", "OPT-A", "OPT-B"}


@rule("2.3.1.a", "2.3.1.b")
def test_sub_commands(narvik: Any) -> None:
    roster = narvik.roster
    assert SUBS == ("KGD", "KGB", "KGH", "KGW", "BR", "FR", "NW", "PL")
    assert {SUBS[roster.sub[u]] for u in roster.of_side[0]} == {"KGD", "KGB", "KGH", "KGW"}
    assert {SUBS[roster.sub[u]] for u in roster.of_side[1]} == {"BR", "FR", "NW", "PL"}
    assert roster.sub[roster.dietl] == SUBS.index("KGD")
    assert len({roster.nation[u] for u in roster.of_side[1]}) == 4


@rule("2.3.3.a")
def test_size_does_not_matter_for_stacking(narvik: Any) -> None:
    sizes = {u.size for u in narvik.roster.units if u.sub >= 0}
    assert sizes == {"platoon", "company", "battery", "wing", "battalion", "leader"}
    counts = {narvik.roster.counts[u] for u in narvik.roster.ground if not narvik.roster.leader[u]}
    assert counts == {1}


@rule("2.3.4.a")
def test_movement_factors(narvik: Any) -> None:
    moves = {narvik.roster.move[u] for u in narvik.roster.ground if not narvik.roster.leader[u]}
    assert min(moves) == 3
    assert max(moves) == 10
    s = narvik.position(units={"139-1": "1720", "SG-a": "0216"})
    do(s, "movement KGW", "move 139-1")
    assert s.left(narvik.unit("139-1")) == 2 * 6


@rule("2.3.5.a")
def test_only_the_firers_factor_counts(narvik: Any) -> None:
    for defender in ("SG-a", "Bardu"):  # fire 5 and 2
        s = narvik.position(units={"139-4": "1720", defender: "1820"}, dice=(1,))
        do(s, "fire KGW", "attack with 139-4")
        assert dict(s.forecast("at 1820").facts)["column"] == "5"


@rule("2.3.5.b")
def test_boxed_units_assault(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "139-4": "1720", "SG-a": "1820"})
    do(s, "assault KGW")
    assert starting(s, "attack with") == ["139-1"]


@rule("2.3.5.c")
def test_anti_armour_units_exist_on_both_sides(narvik: Any) -> None:
    roster = narvik.roster
    assert any(roster.aa[u] for u in roster.of_side[0])
    assert any(roster.aa[u] for u in roster.of_side[1])
    assert roster.aa[narvik.unit("139-AT")]
    assert not roster.aa[narvik.unit("139-1")]


@rule("2.3.5.d")
def test_values_that_the_rulebook_shows(narvik: Any) -> None:
    shown = {"FJ1-1": (3, 6), "2GD-1": (6, 6), "Gurkha": (5, 6), "RM": (4, 4)}
    for name, (fire, move) in shown.items():
        unit = narvik.roster.units[narvik.unit(name)]
        assert (unit.fire, unit.move, unit.elite) == (fire, move, True)


@rule("2.3.6.a")
def test_range_one_without_a_printed_range(narvik: Any) -> None:
    assert narvik.roster.range[narvik.unit("139-1")] == 1
    s = narvik.position(units={"139-1": "1720", "SG-a": "1920"})
    assert not offers(s, "fire KGW")


@rule("2.3.7.a")
def test_tanks_are_mechanised(narvik: Any) -> None:
    roster = narvik.roster
    assert sorted(roster.names[u] for u in roster.ground if roster.mech[u]) == ["342", "3KOH"]
    assert {roster.units[u].type for u in roster.ground if roster.mech[u]} == {"tank"}


@rule("2.3.7.b")
def test_mountain_and_marine_symbols_give_nothing(narvik: Any) -> None:
    ground, roster = narvik.ground, narvik.roster
    s = narvik.position(units={"139-1": "1720", "BB": "1720", "SG-a": "0216"})
    costs = {name: ground.costs(0, s.mobility(narvik.unit(name)), 6) for name in ("139-1", "BB")}
    assert costs["139-1"] is costs["BB"]  # mountain infantry and plain infantry of one factor
    assert s.mobility(narvik.unit("Kothe")) == s.mobility(narvik.unit("Holtorf")) == s.mobility(roster.marine)


@rule("2.3.7.c")
def test_every_airborne_symbol_counts(narvik: Any) -> None:
    roster = narvik.roster
    kinds = {roster.units[u].type for u in roster.ground if roster.airborne[u]}
    assert kinds == {"airborne infantry", "airborne artillery", "airborne engineer", "airborne mountain infantry"}
    s = narvik.position(phase="reinforcement", units={"FJ-Art": "German Arrivals", "SG-a": "0216"})
    assert asked(s) == "reinforcements.Landing"


@rule("2.3.8.a")
def test_strikes(narvik: Any) -> None:
    roster = narvik.roster
    assert {roster.side[u] for u in roster.strikes if roster.type[u] == "naval"} == {1}
    assert all(roster.fire[u] > 0 for u in roster.strikes)
    units = {"139-1": "2020", "SG-a": "0216", "FAA-Skua": "Allied Strikes"}
    s = narvik.position(phase="allied.action", units=units)
    do(s, "air support", "strike with FAA-Skua")
    assert starting(s, "on") == ["2020"]  # any distance


@rule("2.4.a")
def test_markers(narvik: Any) -> None:
    sheet = narvik.roster.sheet
    markers = {m["name"]: m["count"] for m in sheet["marker"]}
    assert sheet["units"] == len(narvik.roster.ground)
    assert sheet["strikes"] == len(narvik.roster.strikes)
    assert sheet["units"] + sheet["strikes"] + sum(markers.values()) == sheet["sheet"] - sheet["other_game"]
    words = " ".join(markers)
    for kind in ("turn", "action points", "relief", "entrenched", "demolished", "pontoon"):
        assert kind in words


@rule("11.2.a")
def test_actions_summary(narvik: Any) -> None:
    costs = {name: row.ap for name, row in narvik.tables.actions.items()}
    assert costs["regroup"] == costs["engineers"] == 1  # stated by the rulebook
    assert set(costs) == {
        "movement", "fire", "assault", "regroup", "engineers", "amphibious", "landing", "air", "naval", "recon",
    }  # fmt: skip
    assert all(ap >= 1 for ap in costs.values())


@rule("7.2.g")
def test_allied_events_draw_one_die(narvik: Any) -> None:
    assert [row.draw for row in narvik.tables.events[1]] == [1, 1, 1, 1, 1, 0]
    assert [row.draw for row in narvik.tables.events[0]] == [2, 0, 2, 1, 1, 2]


def test_an_illegal_action_changes_nothing(narvik: Any) -> None:
    s = narvik.position(units={"139-1": "1720", "SG-a": "1704"})
    before = s.to_json()
    with pytest.raises(IllegalAction) as refusal:
        s.do("movement BR")
    assert [c.rule for c in refusal.value.citations] == ["1.2.a"]
    assert s.to_json() == before


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda units: units["german"][1].update(id=units["german"][0]["id"]), "two counters have the same id"),
        (lambda units: units["german"][0].update(sub="BR"), '"BR" is no sub-command of the german side'),
        (
            lambda units: units["german_strikes"][0].update(kind="naval"),
            '"kind" should be air, or naval for the Allies',
        ),
        (lambda units: units["allied_strikes"][0].update(kind="land"), '"kind" should be air, or naval for the Allies'),
    ],
)
def test_counters_that_cannot_be_are_refused(narvik: Any, change: Any, complaint: str) -> None:
    table = narvik.data.toml("units.toml")
    change(table)
    with pytest.raises(DataError, match=complaint):
        Roster(table, "units.toml")


@pytest.mark.parametrize("wrong", [["------"] * 12, ["------"] * 12 + ["-----"], ["------"] * 12 + ["-----X"]])
def test_a_results_table_has_thirteen_columns_of_six_results(wrong: list[str]) -> None:
    with pytest.raises(DataError, match="13 columns of six results"):
        _crt(wrong, "tables.toml")


def test_an_owners_set_up_without_a_nations_zone_is_refused(narvik: Any, tmp_path: Path) -> None:
    """As an older copy of the file has them."""
    text = (Path(package.__file__).parent / "data" / "setup.toml").read_text(encoding="utf-8")
    (tmp_path / "setup.toml").write_text(text.replace("british = {", "british_zone = {"), encoding="utf-8")
    with pytest.raises(DataError, match=r'setup.toml: zones: "british" is missing'):
        type(narvik)(tmp_path)
