"""Where rules meet: cases in which one rule of Across the Narva bears on another."""

from __future__ import annotations

import random
from typing import Any

from counterblow.games.narva.game import Narva
from counterblow.games.narva.supply import supplied_hexes
from tests.helpers import do, legal, rule
from tests.rules.narva.play import every_throw, fight

RING = {"333G": "2633", "376G": "2732", "377G": "2631", "391G": "2532", "399G": "2533"}


@rule("11.1.1", "11.1.3b")
def test_hq_follows_the_survivor_when_another_unit_of_its_stack_dies_in_the_retreat(narva: Narva) -> None:
    """The assault gun cannot cross the ice and dies; the infantry and with it the HQ retreat over the river."""
    for first, second in (("381", "1294SU"), ("1294SU", "381")):
        s = narva.position(
            turn=3, phase="command", units={first: "2632", second: "2632", "109 HQ": "2632", **RING}, draws=["BAR-G"],
            dice=(1, 5),
        )  # fmt: skip
        s.do("barrage 2632")
        assert (s.place("381"), s.place("1294SU"), s.place("109 HQ")) == ("2733", None, "2733")


@rule("10.1a", "11.1.3a")
def test_a_source_in_an_enemy_zone_supplies_nobody_beside_it(narva: Narva) -> None:
    s = narva.position(turn=3, phase="soviet.movement", units={"381": "0203", "MOK": "2630"})
    found = {narva.board.labels[node] for node in supplied_hexes(s, 0)}
    assert "0104" in found  # a unit there would shield the source itself
    assert not {"0204", "0105"} & found


@rule("10.2.1a", "11.1.3a", "9.5.4")
def test_narva_is_no_supplied_ground_while_the_rollbahn_is_cut(narva: Narva) -> None:
    units = {"KAUS": "3030", "FHH HQ": "0829", "1294SU": "0828"}
    s = narva.position(turn=3, phase="soviet.movement", units=units)
    assert narva.node("3030") in supplied_hexes(s, 0)
    s = narva.position(turn=3, phase="soviet.movement", units={**units, "SCHN": "2629", "16UR": "2130"})
    found = supplied_hexes(s, 0)
    assert narva.node("2629") in found
    assert narva.node("3030") not in found


@rule("11.2.2b", "10.2.1a")
def test_no_unit_returns_in_narva_while_the_rollbahn_is_cut(narva: Narva) -> None:
    for blocker, possible in (({}, True), ({"381": "2130"}, False)):
        s = narva.position(
            turn=3, phase="command", units={"11SS HQ": "3030", "SCHN": "2629", **blocker}, draws=["EVENT"],
            eliminated=["2/24"], dice=(3, 2),
        )  # fmt: skip
        assert ("return 2/24 at 3030" in set(legal(s))) is possible


@rule("4.1.3")
def test_a_relocation_is_not_called_a_pass(narva: Narva) -> None:
    s = narva.position(turn=3, phase="command", units={"2 SH HQ": "3024"}, draws=["2SH"])
    told = [str(event) for event in s.do("relocate 2 SH HQ")] + [str(event) for event in s.do("place at 3015")]
    assert any("relocates" in line for line in told)
    assert not any("pass" in line for line in told)


@rule("2.5.4c")
def test_a_free_move_by_ferry_into_an_enemy_zone_is_refused_for_the_right_reason(narva: Narva) -> None:
    s = narva.position(turn=9, phase="soviet.free_move", units={"163": "1207", "333G": "1006"})
    s.do("move 163")
    assert "by ferry to 1107" not in set(legal(s))
    assert s.refuses("by ferry to 1107", because="2.5.4c")
    assert not s.refuses("by ferry to 1107", because="6.1c")


@rule("12.1a")
def test_any_ready_air_unit_may_be_sent(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", units={"381": "2512", "MOK": "2412"})
    do(s, "attack 2412", "add 381")
    assert {"full air attack by 13A-1", "full air attack by 13A-2"} <= set(legal(s))


@rule("4.2.5a", "11.1.2a")
def test_an_army_hq_does_not_advance_into_another_armys_range(narva: Narva) -> None:
    for other, goes in (("3620", True), ("3618", False)):
        units = {"381": "2412", "456": "2412", "59 HQ": "2412", "2 SH HQ": other, "BECK": "2512"}
        s = narva.position(turn=4, phase="soviet.combat", units=units, dice=(6,))
        s.do("attack 2512")
        s.do("add 381")
        s.do("add 456")
        s.do("resolve the attack")
        while "advance 381 by 2512" not in set(legal(s)):
            s.do(s.legal()[0])
        s.do("advance 381 by 2512")
        assert ("advance 59 HQ by 2512" in set(legal(s))) is goes


@rule("2.5.7b")
def test_only_units_in_play_are_reported_withdrawn(narva: Narva) -> None:
    s = narva.position(
        turn=9, phase="german.reinforcement", units={"355G": "2030", "381": "3605"}, parked={"W214": 9},
        eliminated=["367G"],
    )  # fmt: skip
    assert any("The 214th Division is withdrawn: 355G (" in str(event) for event in s.events)


@rule("13.1.1a")
def test_a_returning_unit_takes_control_of_the_hex(narva: Narva) -> None:
    s = narva.position(
        turn=3, phase="command", units={"227 HQ": "2030", "381": "3605"}, draws=["EVENT"], eliminated=["328G"],
        control={"2030": "soviet"}, dice=(3, 2),
    )  # fmt: skip
    s.do("return 328G at 2030")
    assert s.view(None)["control"]["2030"] == "german"


FOG = {"fog": True}
HIDDEN_STACK = {"151G": "2412", "162G": "2412", "381": "2512", "456": "2512", "MOK": "2830"}


@rule("2.1.3a", "2.1.3c")
def test_in_fog_attackers_are_named_before_the_defenders_are_seen(narva: Narva) -> None:
    s = narva.position(turn=2, phase="soviet.combat", options=FOG, units=HIDDEN_STACK)
    s.do("attack 2412")
    assert set(legal(s)) == {"add 381", "add 456"}
    assert s.refuses("no more units", because="9.2.3b")
    s.do("add 381")
    assert "10" not in s.decision.prompt
    assert s.refuses("full air attack by 13A-1", because="2.1.3a")
    seen = [unit.get("name") for unit in s.view("soviet")["units"] if unit["at"] == "2412"]
    assert seen == [None, "162G"]
    s.do("no more units")
    seen = [unit.get("name") for unit in s.view("soviet")["units"] if unit["at"] == "2412"]
    assert seen == ["151G", "162G"]
    assert s.refuses("add 456", because="2.1.3c")
    assert "full air attack by 13A-1" in set(legal(s))
    assert dict(s.forecast("resolve the attack").facts)["defence"] == "10"


@rule("2.1.3a", "2.5.3a")
def test_in_fog_directed_attacks_tell_nothing_before_they_are_announced(narva: Narva) -> None:
    """16UR falls short against the stack in 2412; that is found out, and another hex must be attacked instead."""
    units = {"151G": "2412", "162G": "2412", "16UR": "2512", "381": "2812", "MOK": "2912"}
    grounded = {f"13A-{n}": "grounded" for n in range(1, 6)} | {"13A-B": "grounded"}
    s = narva.position(turn=6, phase="command", units=units, draws=["STAVKA"], air=grounded, dice=(4,))
    assert set(legal(s)) == {"attack 2912"}
    s = narva.position(turn=6, phase="command", units=units, draws=["STAVKA"], air=grounded, dice=(4,), options=FOG)
    assert set(legal(s)) == {"attack 2412", "attack 2912"}
    assert any(event.kind == "reveal" for event in s.do("attack 2412"))
    assert any("cancelled" in str(event) for event in s.do("resolve the attack"))
    assert s.step[narva.unit("16UR")] == 2
    assert set(legal(s)) == {"attack 2912"}


@rule("2.1.3a", "2.1.3b", "10.0b")
def test_in_fog_the_supply_phase_names_no_hidden_unit(narva: Narva) -> None:
    s = narva.position(
        turn=9, phase="supply", units={"381": "0514", "456": "0514", "MOK": "2030", "11 HQ": "2030"}, options=FOG
    )
    lines = [(event.seen_by(1), event.seen_by(0)) for event in s.events if event.kind == "supply"]
    assert ("381 in 0514 is out of supply (10.0b)", "A unit in 0514 is out of supply (10.0b)") in lines


@rule("2.1.3a")
def test_computer_players_guess_what_fog_hides(narva: Narva) -> None:
    """Neither view nor evaluation tells a guess from the truth, and guesses differ from it."""
    chance, other = random.Random(5), 0
    s: Any = narva.start(seed=5, options=FOG)
    for number in range(400):
        s.do(chance.choice(s.legal()))
        if number % 8:
            continue
        for side, name in enumerate(narva.sides):
            guess = s.copy()
            narva.judge.redeal(guess, side)
            assert guess.view(name) == s.view(name)
            assert narva.judge.evaluate(guess, side) == narva.judge.evaluate(s, side)
            assert narva.check(guess) == narva.check(s)
            other += guess.at != s.at
    assert other > 20


@rule("7.1b", "9.5.5b")
def test_the_owner_chooses_which_unit_too_many_is_eliminated(narva: Narva) -> None:
    """Both cross the ice into a hex with room for one, and every hex beyond is full."""
    full = {"593": "2733", "743": "2734", "308": "2734", "4": "2833", "166": "2833", "695": "2832", "268": "2832"}
    s = narva.position(
        turn=3, phase="command", units={"381": "2632", "456": "2632", **full, **RING}, draws=["BAR-G"], dice=(1, 5)
    )
    s.do("barrage 2632")
    assert set(legal(s)) == {"give up 381", "give up 456"}
    assert s.refuses("give up 593", because="7.1b")
    s.do("give up 456")
    assert (s.place("381"), s.place("456")) == ("2733", None)


@rule("7.1b", "9.5.5a")
def test_of_units_that_meet_by_different_ways_either_may_go_on(narva: Narva) -> None:
    panzers = {"PZ": "2412", "PZG": "2412", "2/502": "2411", "FBB": "2411", "1/502": "2411"}
    s = narva.position(
        turn=3, phase="german.combat",
        units={
            **panzers, "593": "2712",
            "381": {"at": "2512", "supply": "isolated"}, "456": {"at": "2512", "supply": "isolated"},
        },
    )  # fmt: skip
    with every_throw(narva, "D1r2"):
        fight(s, "2512", *panzers)
    s.do("step loss on 381")
    s.do("retreat 381 by 2612-2712")
    s.do("retreat 456 by 2611-2712")
    units = {text.split()[1] for text in set(legal(s))}
    assert units == {"381", "456"}


@rule("4.1.1d")
def test_the_army_radius_counts_its_last_hex(narva: Narva) -> None:
    for place, able in (("3012", True), ("3011", False)):
        s = narva.position(turn=3, phase="command", units={"2 SH HQ": "3024", "109 HQ": place}, draws=["2SH"])
        assert narva.board.distance(narva.node("3024"), narva.node(place)) == (12 if able else 13)
        assert ("activate 109 HQ" in set(legal(s))) is able


@rule("4.2.3b")
def test_strachwitz_fires_a_single_barrage(narva: Narva) -> None:
    s = narva.position(
        turn=8, phase="command", draws=["43"], dice=(1,),
        units={"STRAC HQ": "2030", "MOK": "2412", "381": "2512", "456": "2411"},
    )  # fmt: skip
    s.do("activate STRAC HQ")
    assert set(legal(s)) == {"barrage 2512", "barrage 2411", "cease fire"}
    s.do("barrage 2512")
    assert s.decision.kind == "movement.ChooseMover"


@rule("2.1.2", "9.3f")
def test_halves_of_defenders_are_added_before_rounding(narva: Narva) -> None:
    """1.5 + 1.5 = 3."""
    starved = {unit: {"at": "2412", "supply": "out of supply"} for unit in ("61F", "227F")}
    s = narva.position(turn=2, phase="soviet.combat", units={**starved, "381": "2512"})
    s.do("attack 2412")
    s.do("add 381")
    assert dict(s.forecast("resolve the attack").facts)["defence"] == "3"


@rule("9.5.3b", "5.4a")
def test_every_enemy_zone_entered_costs_the_stack_a_step(narva: Narva) -> None:
    """D1r2 with both hexes of every way in enemy zones: three steps in all for two units of two steps."""
    panzers = {"PZ": "2412", "PZG": "2412", "2/502": "2411", "FBB": "2411", "1/502": "2411"}
    isolated = {unit: {"at": "2512", "supply": "isolated"} for unit in ("381", "456")}
    s = narva.position(
        turn=3, phase="german.combat",
        units={**panzers, **isolated, "333G": "2410", "377G": "2613", "391G": "2711"},
    )  # fmt: skip
    with every_throw(narva, "D1r2"):
        fight(s, "2512", *panzers)
    do(s, "step loss on 381", "retreat 381 by 2612-2712", "retreat 456 by 2612-2712")
    assert set(legal(s)) == {"step loss on 381", "step loss on 456"}  # both are reduced now, and one more must go
    s.do("step loss on 456")
    assert (s.place("381"), s.place("456")) == ("2712", None)


@rule("9.5.4", "10.1b")
def test_units_that_stay_keep_the_hex_open_for_the_supply_of_a_retreat(narva: Narva) -> None:
    """Through 0209, a swamp, supply runs on to 0110 only while the second regiment stays there."""
    for attackers, hexes in ((("381",), {"0210", "0310", "0110"}), (("381", "456"), {"0210", "0310"})):
        s = narva.position(
            turn=9, phase="soviet.combat", units={"381": "0209", "456": "0209", "2/502": "0208"}, dice=(4,)
        )
        s.do("attack 0208")
        for unit in attackers:
            s.do(f"add {unit}")
        for plane in ("13A-1", "13A-2")[: 3 - len(attackers)]:
            s.do(f"normal air attack by {plane}")
        s.do("resolve the attack")
        assert {text.split()[-1] for text in set(legal(s))} == hexes


@rule("11.1.3a", "11.1.4a")
def test_a_displaced_hq_goes_five_hexes_or_more(narva: Narva) -> None:
    s = narva.position(turn=9, phase="soviet.movement", units={"FHH HQ": "1029", "381": "1129", "MOK": "0230"})
    s.do("move 381")
    s.do("to 1029")
    away = {narva.board.distance(narva.node(text.split()[-1]), narva.node("1029")) for text in set(legal(s))}
    assert min(away) == 5


@rule("2.5.1i", "11.1.2a")
def test_a_pinned_hq_does_not_advance(narva: Narva) -> None:
    for pinned in (False, True):
        s = narva.position(
            turn=2, phase="soviet.combat", dice=(6,),
            units={"381": "2512", "456": "2512", "109 HQ": {"at": "2512", "pinned": pinned}, "BECK": "2412"},
        )  # fmt: skip
        for action in ("attack 2412", "add 381", "add 456", "resolve the attack"):
            s.do(action)
        while s.decision.kind != "advance.Advance":
            s.do(s.legal()[0])
        s.do("advance 381 by 2412")
        assert ("advance 109 HQ by 2412" in set(legal(s))) is not pinned


@rule("2.5.1i", "4.2.1a")
def test_a_pinned_hq_commands_but_stays(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="command", draws=["BAR-G", "2SH"], dice=(1, 4),
        units={"109 HQ": "2512", "381": "2512", "456": "2511", "2 SH HQ": "2515", "MOK": "2412"},
    )  # fmt: skip
    s.do("barrage 2512")
    do(s, "draw a chit", "activate 109 HQ")
    assert set(legal(s)) == {"move 456", "end movement"}
    assert s.refuses("move 109 HQ", because="2.5.1i")


@rule("2.2.2a", "2.2.3")
def test_charts_say_what_terrain_does_in_combat_and_which_losses_are_red(narva: Narva) -> None:
    tables = {table["id"]: table for table in narva.views.tables()}
    chart = {row[0]: row[1:] for row in tables["terrain"]["rows"]}
    assert chart["woods"] == ["2", "3", "-", "1 left"]
    assert chart["swamp"] == ["2", "4", "-", "defence x2"]
    assert chart["major river frozen"] == ["+1", "no", "-", "attack halved"]
    assert chart["rollbahn"] == ["1", "1", "1/4", "-"]
    assert {"city", "village", "prepared defence", "bridge", "ferry", "enemy zone"} <= set(chart)
    assert all(len(row) == len(tables["terrain"]["columns"]) for row in tables["terrain"]["rows"])
    assert tables["crt"]["rows"][1][6] == "NR A1*"


@rule("9.4.1a")
def test_the_strongest_defender_is_judged_by_defence_and_the_strongest_attacker_by_attack(narva: Narva) -> None:
    """PZ is 5-4, 151G is 4-5."""
    starved = {unit: {"at": "2412", "supply": "out of supply"} for unit in ("PZ", "151G")}
    s = narva.position(
        turn=2, phase="soviet.combat", dice=(5,), units={**starved, "381": "2512", "456": "2512", "602": "2413"}
    )
    for action in ("attack 2412", "add 381", "add 456", "add 602", "resolve the attack"):
        told = [str(event) for event in s.do(action)]
    assert any(line.startswith("151G loses a step") for line in told)
    assert not any(line.startswith("PZ loses") for line in told)
    units = {"PZ": "2412", "151G": "2412", "197": "2512", "191": "2512"}
    s = narva.position(turn=2, phase="german.combat", dice=(1,), units=units)
    for action in ("attack 2512", "add PZ", "add 151G", "resolve the attack"):
        told = [str(event) for event in s.do(action)]
    assert any(line.startswith("PZ loses a step") for line in told)
    assert set(legal(s)) == {"step loss on PZ", "step loss on 151G"}


@rule("9.5a", "9.1d")
def test_attackers_from_every_hex_retreat(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="soviet.combat", dice=(4,), units={"151G": "2412", "61F": "2412", "381": "2512", "456": "2413"}
    )
    for action in ("attack 2412", "add 381", "add 456"):
        s.do(action)
    told = [str(event) for event in s.do("resolve the attack")]
    assert any("(1-1), die 4: Ar1" in line for line in told)
    retreated = set()
    while s.decision is not None and s.decision.kind == "retreat.Retreat":
        retreated.add(str(s.legal()[0]).split()[1])
        s.do(s.legal()[0])
    assert retreated == {"381", "456"}
    assert s.place("381") != "2512"
    assert s.place("456") != "2413"


@rule("2.5.1j", "9.3.1b")
def test_a_hex_is_pinned_while_one_pinned_unit_is_in_it(narva: Narva) -> None:
    s = narva.position(
        turn=2, phase="soviet.combat", units={"MOK": {"at": "2412", "pinned": True}, "BECK": "2412", "381": "2512"}
    )
    s.do("attack 2412")
    s.do("add 381")
    forecast = s.forecast("resolve the attack")
    assert [(m.rule, m.amount) for m in forecast.modifiers if m.rule == "2.5.1j"] == [("2.5.1j", 1)]
    assert dict(forecast.facts)["column"] == "3-2"


@rule("11.1.3b")
def test_an_hq_is_displaced_when_its_last_unit_dies_in_the_retreat(narva: Narva) -> None:
    units = {"1294SU": "2632", "109 HQ": {"at": "2632", "pinned": True}, **RING}
    s = narva.position(turn=3, phase="command", units=units, draws=["BAR-G"], dice=(1, 5))
    s.do("barrage 2632")
    assert s.place("1294SU") is None
    assert s.decision.kind == "headquarters.Displace"
    s.do(s.legal()[0])
    assert s.place("109 HQ") != "2632"
    assert not s.pin[narva.unit("109 HQ")]


@rule("2.5.1c", "9.5a")
def test_a_barrage_drives_off_a_lone_hq(narva: Narva) -> None:
    s = narva.position(turn=3, phase="command", units={"109 HQ": "2512", "MOK": "2412"}, draws=["BAR-G"], dice=(1, 5))
    s.do("barrage 2512")
    assert s.decision.kind == "retreat.Retreat"
    s.do(s.legal()[0])
    assert narva.board.distance(narva.node(s.place("109 HQ")), narva.node("2512")) == 1


@rule("11.1.1")
def test_an_hq_may_stay_with_a_unit_that_did_not_attack(narva: Narva) -> None:
    units = {"151G": "2412", "381": "2512", "456": "2512", "109 HQ": "2512"}
    s = narva.position(turn=2, phase="soviet.combat", dice=(4,), units=units)
    for action in ("attack 2412", "add 381", "normal air attack by 13A-1", "resolve the attack"):
        s.do(action)
    s.do(s.legal()[0])  # the way of the 381st
    assert s.decision.kind == "headquarters.Follow"
    assert set(legal(s)) == {"place at 2512", f"place at {s.place('381')}"}
    s.do("place at 2512")
    assert s.place("109 HQ") == "2512"


@rule("2.5.2.11b")
def test_event_moves_name_no_army_hq(narva: Narva) -> None:
    s = narva.position(
        turn=9, phase="command", units={"2 SH HQ": "3024", "109 HQ": "2512", "381": "2512"}, draws=["EVENT"],
        dice=(5, 6),
    )  # fmt: skip
    assert set(legal(s)) == {"add 109 HQ", "add 381", "no more units"}


@rule("2.5.6b")
def test_only_a_2nd_shock_chit_ends_the_wait_of_the_supply_crisis(narva: Narva) -> None:
    s = narva.position(turn=8, phase="command", waiting=True, draws=["3SS", "59A", "2SH", "3SS"], units={"MOK": "2030"})
    for still_waiting in (1, 1, 0):
        s.do("pass")
        assert s.waiting == still_waiting


@rule("8.0.6b")
def test_a_side_beach_must_hold_no_combat_unit_of_either_side(narva: Narva) -> None:
    units = {"MOK": "1934", "BECK": "2034", "381": "1833"}
    s = narva.position(turn=3, phase="soviet.reinforcement", units=units, due={"260MS": 2})
    assert set(legal(s)) == {"land at 2135", "wait"}
    assert s.refuses("land at 1833", because="8.0.6b")


@rule("2.5.5a", "2.5.6a")
def test_waiting_chits_are_in_view(narva: Narva) -> None:
    s = narva.position(turn=8, phase="command", waiting=True, parked={"W59": 9}, draws=["3SS"], units={"MOK": "2030"})
    for side in ("german", "soviet", None):
        track = next(track for track in s.view(side)["tracks"] if track["id"] == "chits")
        assert track["text"] == "Withdraw 59 Army: turn 9; 2nd Shock Out of Supply: next 2nd Shock Army chit"
    assert not any(track["id"] == "chits" for track in narva.start().view(None)["tracks"])


@rule("2.5.3b", "2.5.4b", "6.0a")
def test_the_corner_is_a_hex_like_any_other(narva: Narva) -> None:
    """0101: its units attack when the Stavka says so, are named for a free move, and move."""
    units = {"381": "0101", "456": "0101", "MOK": "0102"}
    s = narva.position(turn=6, phase="command", draws=["STAVKA"], units=units)
    assert "attack 0102" in legal(s)
    s = narva.position(turn=6, phase="command", draws=["FREE"], units={"381": "0101", "456": "0101"})
    s.do("move three units")
    assert {"add 381", "add 456"} <= set(legal(s))
    s = narva.position(turn=6, phase="soviet.movement", units={"381": "0101"})
    assert "move 381" in legal(s)
