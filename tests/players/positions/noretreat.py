"""No Retreat!: cities count, Moscow and Leningrad most; panzers live by supply; a lost front costs the war."""

from __future__ import annotations

from counterblow.games.noretreat.supply import supplied
from tests.players.positions import Play, Puzzle


def no_attack(play: Play) -> bool:
    return not play.did("target ")


def holds(play: Play, label: str) -> bool:
    """Does the player control the city?"""
    charts = play.state.game.charts
    return bool(play.state.controls(play.side, charts.site_at[play.node(label)]))


def in_supply(play: Play, unit: str) -> bool:
    number = play.state.game.unit(unit)
    return bool(play.state.at[number] >= 0 and supplied(play.state, number))


PUZZLES = (
    Puzzle(
        "walks into empty Minsk",
        {"turn": 2, "phase": "axis.movement", "units": {"2nd Panzer": "1011", "4th Army": "0910", "Moscow": "1907"}},
        lambda p: holds(p, "1210"),
    ),
    Puzzle(
        "walks into empty Riga",
        {"turn": 2, "phase": "axis.movement",
         "units": {"18th Army": "0907", "4th Panzer": "0807", "Leningrad": "1402"}},
        lambda p: holds(p, "1006"),
    ),
    Puzzle(
        "walks into empty Moscow",
        {"turn": 3, "phase": "axis.movement",
         "units": {"2nd Panzer": "1708", "4th Army": "1608", "9th Army": "1509", "Leningrad": "1402"}},
        lambda p: holds(p, "1907"),
    ),
    Puzzle(
        "walks into empty Rostov",
        {"turn": 8, "phase": "axis.movement",
         "units": {"1st Panzer": "1918", "17th Army": "1817", "6th Army": "1717", "Moscow": "1907"}},
        lambda p: holds(p, "2118"),
    ),
    Puzzle(
        "Rumanians do not storm Kiev",
        {"turn": 2, "phase": "axis.combat", "units": {"4th Rumanian": "1314", "Central": "1414", "Bryansk": "1414"}},
        no_attack,
    ),
    Puzzle(
        "one army does not attack two fronts",
        {"turn": 4, "phase": "axis.combat", "units": {"18th Army": "1508", "West": "1607", "Reserve": "1607"}},
        no_attack,
    ),
    Puzzle(
        "two panzer armies attack a weak front in the open",
        {"turn": 2, "phase": "axis.combat", "units": {"1st Panzer": "1413", "2nd Panzer": "1514", "Bryansk": "1513"}},
        lambda p: p.did("target 1513"),
    ),
    Puzzle(
        "three armies attack together",
        {"turn": 2, "phase": "axis.combat",
         "units": {"1st Panzer": "1413", "6th Army": "1514", "17th Army": "1512", "Southwest": "1513"}},
        lambda p: sum(text.startswith("attack with ") for text in p.texts) >= 2,
    ),
    Puzzle(
        "comes up to attack a lone front",
        {"turn": 2, "phase": "axis.movement",
         "units": {"1st Panzer": "1313", "2nd Panzer": "1311", "6th Army": "1312", "Bryansk": "1513",
                   "Moscow": "1907"}},
        lambda p: p.did("target 1513") or holds(p, "1414"),
    ),
    Puzzle(
        "an army comes back into supply",
        {"turn": 5, "phase": "axis.movement",
         "units": {"9th Army": "1606", "4th Army": "1409", "West": "1508", "Reserve": "1707", "Bryansk": "1607"}},
        lambda p: in_supply(p, "9th Army"),
    ),
    Puzzle(
        "Berlin keeps its garrison",
        {"turn": 26, "phase": "axis.movement",
         "units": {"4th Army": "0210", "9th Army": "0311", "West": "0411", "Reserve": "0410", "Central": "0510"}},
        lambda p: p.mine("0210"),
    ),
    Puzzle(
        "Moscow keeps its garrison with panzers at the gates",
        {"turn": 3, "phase": "soviet.movement",
         "units": {"Moscow": "1907", "2nd Panzer": "1808", "4th Army": "1708", "Reserve": "2006"}},
        lambda p: p.mine("1907"),
    ),
    Puzzle(
        "Leningrad keeps its garrison",
        {"turn": 3, "phase": "soviet.movement",
         "units": {"Leningrad": "1402", "4th Panzer": "1304", "18th Army": "1204", "Northwest": "1503"}},
        lambda p: p.mine("1402"),
    ),
    Puzzle(
        "somebody goes into open Stalingrad before the enemy",
        {"turn": 8, "phase": "soviet.movement",
         "units": {"Southwest": "2514", "South": "2516", "1st Panzer": "2115", "6th Army": "2014"}},
        lambda p: p.mine("2415"),
    ),
    Puzzle(
        "retakes Kiev, which nobody holds",
        {"turn": 13, "phase": "soviet.movement",
         "units": {"Central": "1613", "Southwest": "1614", "11th Army": "1118"}, "control": {"Kiev": "axis"}},
        lambda p: holds(p, "1414"),
    ),
    Puzzle(
        "a weak front does not attack a panzer army",
        {"turn": 3, "phase": "soviet.combat", "units": {"Moscow": "1609", "1st Panzer": "1608"}},
        no_attack,
    ),
    Puzzle(
        "three fronts attack lone Rumanians",
        {"turn": 11, "phase": "soviet.combat",
         "units": {"Central": "2214", "Southwest": "2215", "West": "2113", "3rd Rumanian": "2114"}},
        lambda p: p.did("target 2114"),
    ),
    Puzzle(
        "gets out of the pocket",
        {"turn": 2, "phase": "soviet.movement",
         "units": {"West": "1110", "2nd Panzer": "1012", "4th Army": "1011", "9th Army": "1009", "3rd Panzer": "1209",
                   "Reserve": "1509"}},
        lambda p: p.far("West", "1110") >= 2 and in_supply(p, "West"),
    ),
    Puzzle(
        "stands between the panzers and Moscow",
        {"turn": 3, "phase": "soviet.movement",
         "units": {"Reserve": "2006", "2nd Panzer": "1609", "4th Army": "1509", "Leningrad": "1402"}},
        lambda p: p.far("Reserve", "1907") <= 1,
    ),
    Puzzle(
        "nobody is lost by crowding",
        {"turn": 3, "phase": "soviet.movement",
         "units": {"Reserve": "1808", "West": "1809", "Central": "1909", "Bryansk": "1908", "Southwest": "1807",
                   "2nd Panzer": "1609", "4th Army": "1509", "Moscow": "1907"}},
        lambda p: not p.did("take off"),
    ),
)  # fmt: skip
