"""Chapter 2: components - strengths, rounding, fog of war, set-up, terrain, bridges, command chits."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from counterblow.games.narva.game import Narva
from tests.helpers import do, legal, log, rule
from tests.rules.narva.play import State, attack, box, cup, facts, fight, modifiers, reach, steps


@rule("0.0.B1", "1.0", "2.2.1", "6.5d", "2.2.11")
def test_map_and_calendar_as_published(narva: Narva) -> None:
    rivers = {line.name for line in narva.board.side_lines if line.kind == "major_river"}
    assert rivers == {"Narva"}
    calendar = narva.data.toml("calendar.toml")["turn"]
    assert [turn["number"] for turn in calendar] == list(range(1, 13))
    assert calendar[0]["dates"].startswith("2-8 Feb")
    assert calendar[-1]["dates"].startswith("19-25 Apr")
    gap = sorted(narva.board.tagged("railway_cut"))
    assert not narva.board.linked(gap[0], gap[1], "major_railway")
    s = narva.position(
        turn=5, units={"MOK": "2412"}, due={"2G": {"turn": 6, "entry": "A", "rerouted": True}}, cup={"3SS": 1}
    )
    assert [unit["name"] for box_ in s.view(None)["boxes"] if box_["id"] == "turn_6_A" for unit in box_["units"]] == [
        "2G"
    ]


@rule("0.0.B2", "2.2.10", "2.6.4")
def test_prepared_defense_track(narva: Narva) -> None:
    track = narva.data.toml("tables.toml")["prepared_defences"]
    assert track["boxes"] == [3, 3, 3, 3, 3, 2, 2, 2, 1, 0]
    assert track["markers"] == ["Nordland", "Nederland"]


@rule("2.2.2a", "6.2", "2.2.3", "2.2.9", "9.1d")
def test_charts_are_complete(narva: Narva) -> None:
    tables = narva.data.toml("tables.toml")
    names = {entry["name"] for entry in tables["terrain"]}
    assert set(narva.board.terrain[: narva.board.hexes]) <= names
    assert len(tables["crt"]["rows"]) == 6
    assert all(
        len(row) == len(tables["crt"]["german"]) == len(tables["crt"]["soviet"]) for row in tables["crt"]["rows"]
    )
    codes = {cell.split()[0] for row in tables["crt"]["rows"] for cell in row}
    assert all(code == "NR" or code[0] in "AD" for code in codes)
    assert (
        len(tables["barrage"]["city"]) == len(tables["barrage"]["other"]) == len(tables["barrage_roll"]["attacks"]) == 6
    )


@rule("2.2.4", "2.2.5", "2.2.6", "2.6.1", "2.6.2", "2.6.3", "4.1.2e")
def test_boxes_tracks_and_markers_are_shown(narva: Narva) -> None:
    s = narva.position(
        turn=2,
        phase="german.movement",
        units={"PZ": {"at": "2030", "supply": "isolated", "pinned": True}, "151G": "2031"},
        last=["FHH HQ"],
    )
    view = s.view("german")
    boxes = {entry["id"] for entry in view["boxes"]}
    assert boxes >= {"air_ready", "air_refit", "air_grounded"}
    tracks = {entry["id"]: entry for entry in view["tracks"]}
    assert tracks["activations_german"]["text"] == "0 of 2, last HQ: FHH HQ"
    assert {"activations_soviet", "pd_Nordland", "pd_Nederland"} <= set(tracks)
    assert {"at": "3227", "kind": "fort", "text": "Nordland -3"} in view["markers"]
    counter = next(unit for unit in view["units"] if unit["name"] == "PZ")
    assert counter["markers"] == ["isolated", "pinned"]
    assert view["turn"] == 2


@rule("2.2.7a", "2.2.7b", "2.2.7c")
def test_each_source_serves_one_side(narva: Narva) -> None:
    german, soviet = narva.board.tagged("german_source"), narva.board.tagged("soviet_source")
    assert german
    assert soviet
    assert not german & soviet
    assert german <= narva.board.tagged("west_edge")
    assert soviet <= narva.board.tagged("east_edge") | narva.board.tagged("south_edge")


@rule("2.5a", "2.5.1a")
def test_action_chits(narva: Narva) -> None:
    chits = {chit["id"]: chit for chit in narva.data.toml("chits.toml")["chit"]}
    assert chits["BAR-S"]["count"] == 2
    assert chits["BAR-G"]["count"] == 1
    assert chits["EVENT"]["side"] == "both"
    assert {chit["side"] for chit in chits.values() if chit["kind"] == "action"} == {"german", "soviet", "both"}


@rule("2.7b", "2.7c", "5.2c", "14.0b", "14.0d")
def test_counters(narva: Narva) -> None:
    units = {unit.name: unit for unit in narva.units}
    assert len(units) == 179
    assert {units[name].command for name in ("301", "381", "172")} == {"2 SH"}
    assert units["23"].ss
    assert units["151G"].command == "43"
    assert units["333G"].command == "26"
    assert units["29P"].formation == ""
    red_dots = {name for name, unit in units.items() if not unit.headquarters and not unit.zones[-1]}
    assert red_dots == {"SCHN", "1294SU", "1902SU", "806SU"}
    assert all(bool(unit.hex) != bool(unit.turn) for unit in units.values())


@rule("12.0a", "12.0b")
def test_air_units(narva: Narva) -> None:
    air = [(a["side"], a["full"], a["normal"], a.get("edition")) for a in narva.data.toml("units.toml")["air"]]
    revised = [unit[:3] for unit in air if unit[3] is None]
    assert revised.count(("german", 2, 1)) == 1
    assert revised.count(("soviet", 2, 1)) == 5
    assert revised.count(("soviet", 3, 0)) == 1
    assert box(narva.start(), "13A-6") == "absent"
    assert box(narva.start(options={"edition": "2018"}), "13A-6") == "ready"


# ---------------------------------------------------------------------- 2.1


@rule("2.1.1", "9.3f")
def test_halved_twice_is_a_quarter(narva: Narva) -> None:
    """Vector 1: strength 4, across a river and out of supply, counts 1."""
    s = narva.position(
        turn=2, phase="soviet.combat", units={"163": {"at": "1207", "supply": "out of supply"}, "MOK": "1107"}
    )
    attack(s, "1107", "163")
    assert facts(s)["attack"] == "1"
    assert modifiers(s)["9.3d"] == modifiers(s)["9.3f"] == "1/2"


@rule("2.1.2")
def test_fractions_are_added_before_rounding(narva: Narva) -> None:
    """Vector 2: 1.5 + 1.5 = 3. Vector 36: 0.75 + 2 = 2.75, rounded down to 2."""
    s = narva.position(turn=2, phase="soviet.combat", units={"1294SU": "1206", "1902SU": "1207", "MOK": "1107"})
    attack(s, "1107", "1294SU", "1902SU")
    assert facts(s)["attack"] == "3"
    s = narva.position(
        turn=2,
        phase="soviet.combat",
        units={"1294SU": {"at": "2121", "supply": "out of supply"}, "381": "2122", "MOK": "2022"},
    )
    s = narva.position(
        turn=2,
        phase="soviet.combat",
        units={"1294SU": {"at": "2122", "supply": "out of supply"}, "381": "2122", "MOK": "2123"},
    )
    attack(s, "2123", "1294SU", "381")
    assert facts(s)["attack"] == "2"


FOG = {"fog": True}


@rule("2.1.3a")
def test_fog_hides_stacks_until_an_attack_is_announced(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", options=FOG, units={"MOK": "2412", "PZ": "2412", "381": "2512"})
    names = [unit.get("name") for unit in s.view("soviet")["units"]]
    assert "MOK" not in names
    attack(s, "2412", "381")
    names = [unit.get("name") for unit in s.view("soviet")["units"]]
    assert "MOK" not in names
    assert s.refuses("resolve the attack", because="2.1.3a")
    assert any(event.kind == "reveal" for event in s.do("no more units"))
    names = [unit.get("name") for unit in s.view("soviet")["units"]]
    assert {"MOK", "PZ"} <= set(names)


@rule("2.1.3b")
def test_fog_shows_the_top_piece_or_the_marker_on_it(narva: Narva) -> None:
    units: dict[str, Any] = {"MOK": "2412", "PZ": "2412", "381": "2512"}
    s = narva.position(turn=2, phase="soviet.combat", options=FOG, units=units)
    seen = [unit for unit in s.view("soviet")["units"] if unit["side"] == "german"]
    assert [unit.get("name") for unit in seen] == [None, "PZ"]
    assert seen[0] == {"at": "2412", "side": "german", "hidden": True}
    assert all("name" in unit for unit in s.view("german")["units"] if unit["side"] == "german")
    s = narva.position(
        turn=2, phase="soviet.combat", options=FOG, units={**units, "PZ": {"at": "2412", "pinned": True}}
    )
    seen = [unit for unit in s.view("soviet")["units"] if unit["side"] == "german"]
    assert [unit.get("marker") for unit in seen] == ["pinned", "pinned"]
    assert not any("name" in unit for unit in seen)
    for supply in ("isolated", "out of supply"):
        s = narva.position(
            turn=2, phase="soviet.combat", options=FOG, units={**units, "PZ": {"at": "2412", "supply": supply}}
        )
        seen = [unit for unit in s.view("soviet")["units"] if unit["side"] == "german"]
        assert {unit.get("marker") for unit in seen} == {supply}


@rule("2.1.3c")
def test_fog_binds_an_announced_attack_unless_it_falls_short(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="soviet.combat", options=FOG, units={"151G": "2412", "162G": "2412", "1294SU": "2512"}
    )
    attack(s, "2412", "1294SU")
    assert s.why_not("back") == []  # nobody has seen anything yet
    s.do("no more units")
    assert s.refuses("back", because="2.1.3c")
    told = log(do(s, "resolve the attack"))
    assert any("cancelled" in line for line in told)
    assert steps(s, "1294SU") == 1
    s = narva.position(turn=2, phase="soviet.combat", units={"151G": "2412", "162G": "2412", "381": "2512"})
    attack(s, "2412", "381")
    assert s.why_not("back") == []


@rule("2.1.4a", "14.0a")
def test_set_up(narva: Narva) -> None:
    s: State = narva.start()
    assert s.turn == 1
    assert s.place("151G") == "2626"
    assert steps(s, "151G") == 1
    assert steps(s, "162G") == 2
    for unit in narva.units:
        number = narva.unit(unit.name)
        assert s.place(unit.name) == (unit.hex or None)
        assert s.due[number] == unit.turn


@rule("2.1.4b", "2.1.4c", "2.1.4d")
def test_set_up_of_boxes_track_and_cup(narva: Narva) -> None:
    s: State = narva.start()
    assert {box(s, unit) for unit in ("LW", "13A-1", "13A-5", "13A-B")} == {"ready"}
    assert s.pd == (0, 0)
    timed = {"59A", "8A", "26", "43", "AGN", "FREE", "STAVKA", "OOS", "W59", "W214"}
    assert all(cup(s, name) == 0 for name in timed)
    at_start = [cup(s, name) for name in ("3SS", "WER", "BAR-S", "BAR-G", "EVENT")]
    assert at_start == [2, 2, 2, 1, 1]


# ---------------------------------------------------------------------- 2.2


@rule("2.2.2b")
def test_mixed_terrain_counts_as_the_worst(narva: Narva, tmp_path: Path) -> None:
    """Vector 3: woods and swamp are a swamp: infantry 2, mechanised 4, defence doubled, no shift for woods."""
    text = narva.data.text("map.toml")
    text = text.replace('"s" = "swamp"', '"s" = "woods and swamp"')
    (tmp_path / "map.toml").write_text(text, encoding="utf-8")
    game = Narva(tmp_path)
    hexes = [game.ground.hex_terrain[node] for node in range(game.board.hexes) if "and" in game.board.terrain[node]]
    assert hexes
    assert all(dataclasses.asdict(t) == dataclasses.asdict(game.terrain["swamp"]) for t in hexes)


@rule("2.2.8a", "2.2.8b", "6.2.1a")
def test_a_bridge_cancels_the_river_for_movement(narva: Narva) -> None:
    """The rollbahn bridge carries mechanised units; the next hexside, without a road, does not."""
    s = narva.position(turn=9, phase="german.movement", units={"KAUS": "3029"})
    assert "to 3130" in reach(s, "KAUS")
    s = narva.position(turn=9, phase="german.movement", units={"KAUS": "3030", "381": "3230"})
    assert "to 3131" not in reach(s, "KAUS")


@rule("2.2.8b")
def test_a_bridge_carries_zones_and_supply(narva: Narva) -> None:
    s = narva.position(turn=9, phase="soviet.movement", units={"KAUS": "3029", "381": "3430"})
    assert s.in_ezoc(narva.node("3130"), 1)
    assert not s.in_ezoc(narva.node("3131"), 1)
    s = narva.position(turn=9, phase="supply", units={"KAUS": "3130"})
    assert s.supply[narva.unit("KAUS")] == 0


@rule("2.2.8c", "9.3d")
def test_attacks_across_a_bridge_are_halved(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "1921", "MOK": "1820"})
    attack(s, "1820", "381")
    assert facts(s)["attack"] == "2"
    assert modifiers(s)["2.2.8c"] == "1/2"


# ---------------------------------------------------------------------- 2.3, 2.4


@rule("2.3a", "4.1.1d")
def test_a_soviet_chit_wakes_a_corps_in_the_army_radius(narva: Narva) -> None:
    s = narva.position(
        turn=2,
        phase="command",
        draws=["2SH"],
        units={"2 SH HQ": "2411", "122 HQ": "2420", "109 HQ": "2424", "43 HQ": "1111"},
    )
    assert set(legal(s)) == {"activate 122 HQ", "relocate 2 SH HQ", "pass"}
    assert s.refuses("activate 109 HQ", because="4.1.1d")
    assert s.refuses("activate 2 SH HQ", because="2.3a")


@rule("2.3b", "4.1.1e")
def test_a_german_chit_wakes_an_hq_of_its_corps(narva: Narva) -> None:
    hqs = {
        "11SS HQ": "3029",
        "FHH HQ": "1827",
        "225 HQ": "0213",
        "KUST HQ": "2134",
        "KVO HQ": "0530",
        "STRAC HQ": "0430",
    }
    expected = {
        "3SS": {"11SS HQ", "KUST HQ"},
        "26": {"225 HQ"},
        "43": {"FHH HQ", "STRAC HQ"},
        "WER": {"225 HQ", "FHH HQ", "STRAC HQ"},
        "AGN": set(hqs),
    }
    for chit, woken in expected.items():
        s = narva.position(turn=4, phase="command", draws=[chit], units=hqs)
        assert set(legal(s)) == {f"activate {hq}" for hq in woken} | {"pass"}
    s = narva.position(turn=4, phase="command", draws=["43"], units=hqs)
    assert s.refuses("activate 11SS HQ", because="4.1.1e")
    assert s.refuses("activate 151G", because="2.3b")


@rule("2.3c", "4.1.1a", "4.1.1c")
def test_one_cup_for_both_sides(narva: Narva) -> None:
    """Over many seeds the first chit of turn 2 is now German, now Soviet; its owner decides."""
    units = {"2 SH HQ": "2411", "122 HQ": "2420", "11SS HQ": "3029"}
    owners = set()
    for seed in range(30):
        s = narva.position(turn=2, phase="command", cup={"2SH": 2, "3SS": 2}, units=units, seed=seed)
        do(s, "draw a chit")
        owners.add(s.side)
        assert sum(s.used) == 1
        assert s.used[("german", "soviet").index(s.side)] == 1
    assert owners == {"german", "soviet"}


@rule("2.3d", "4.1.1b")
def test_activation_limit(narva: Narva) -> None:
    """Vector 4: on turn 3 the third German chit does nothing."""
    units = {"11SS HQ": "3029", "FHH HQ": "1827", "225 HQ": "0213", "2 SH HQ": "2411"}
    s = narva.position(turn=3, phase="command", draws=["3SS", "43", "26", "2SH"], units=units)
    do(s, "pass")
    told = log(do(s, "pass"))
    assert any("no activation left" in line for line in told)
    assert s.used == (2, 1)
    assert s.side == "soviet"


@rule("2.4.1a")
def test_wehrmacht_chit(narva: Narva) -> None:
    s = narva.position(turn=2, phase="command", draws=["WER"], units={"11SS HQ": "3029", "FHH HQ": "1827"})
    assert set(legal(s)) == {"activate FHH HQ", "pass"}
    assert s.refuses("activate 11SS HQ", because="2.4.1a")


@rule("2.4.1b")
def test_wehrmacht_chits_leave_on_turn_3(narva: Narva) -> None:
    s = narva.position(turn=3, phase="german.reinforcement", cup={"WER": 1}, drawn={"WER": 1}, due={"930": 3})
    assert s.decision.kind == "reinforcements.Enter"
    assert (cup(s, "WER"), s.drawn[narva.chit_number["WER"]], s.removed[narva.chit_number["WER"]]) == (0, 0, 2)
    s = narva.position(turn=2, phase="german.reinforcement", cup={"WER": 2}, due={"930": 2})
    assert cup(s, "WER") == 2


@rule("2.4.2a", "2.4.2b", "2.4.2c", "4.2.4c")
def test_army_group_chit(narva: Narva) -> None:
    """Any HQ, and two units anywhere that move but do not fight."""
    s = narva.position(
        turn=4,
        phase="command",
        draws=["AGN"],
        units={
            "11SS HQ": "3029",
            "KVO HQ": "0530",
            "VILJ": "0531",
            "162G": "2412",
            "176G": "2411",
            "391G": "2410",
            "381": "2512",
        },
    )
    assert {"activate 11SS HQ", "activate KVO HQ"} < set(legal(s))
    do(s, "activate KVO HQ")
    assert {"add 162G", "add 176G", "add 391G"} <= set(legal(s))
    assert s.refuses("add VILJ", because="2.4.2b")
    do(s, "add 162G", "add 176G")
    assert set(legal(s)) == {"move KVO HQ", "move VILJ", "move 162G", "move 176G", "end movement"}
    do(s, "end movement")
    assert s.decision is None or s.decision.kind != "combat.DeclareAttack"


@rule("2.4.2c")
def test_army_group_units_may_not_join_an_attack(narva: Narva) -> None:
    s = narva.position(
        turn=4, phase="command", draws=["AGN"], units={"FHH HQ": "2411", "PZ": "2411", "162G": "2412", "381": "2512"}
    )
    do(s, "activate FHH HQ", "add 162G", "end movement", "attack 2512")
    assert s.refuses("add 162G", because="2.4.2c")
    assert "add PZ" in set(legal(s))


@rule("2.4.2c")
def test_army_group_units_that_have_moved_may_not_join_an_attack_either(narva: Narva) -> None:
    s = narva.position(
        turn=4, phase="command", draws=["AGN"], units={"FHH HQ": "2411", "PZ": "2411", "162G": "2410", "381": "2512"}
    )
    do(s, "activate FHH HQ", "add 162G", "move 162G", "to 2412", "end movement", "attack 2512")
    assert s.refuses("add 162G", because="2.4.2c")


def test_the_log_tells_a_battle(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "MOK": "2412"}, dice=(6,))
    told = log(fight(s, "2412", "381"))
    assert any("4 to 2 (2-1), die 6: D1r1 A1" in line for line in told)
