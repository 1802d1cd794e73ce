"""Across the Narva: ground counts, losses do not; Narva itself ends the game; headquarters must keep up."""

from __future__ import annotations

from counterblow.games.narva.components import SOVIET
from tests.players.positions import Play, Puzzle, phase_over


def red(play: Play, label: str) -> bool:
    """Do the Soviets have the place?"""
    return (
        bool(play.state.red & play.state.game.victory_bits[play.node(label)])
        or play.state.owner(play.node(label)) == SOVIET
    )


def in_command(play: Play, hq: str, *units: str) -> bool:
    """Are most of these units within the headquarters' range?"""
    game = play.state.game
    radius = game.units[game.unit(hq)].range
    centre = play.at(hq)
    return centre is not None and 2 * sum(play.far(unit, centre) <= radius for unit in units) > len(units)


def no_attack(play: Play) -> bool:
    return not play.did("attack ")


def joined(play: Play) -> int:
    return sum(text.startswith("add ") for text in play.texts)


PUZZLES = (
    Puzzle(
        "goes into open Narva",
        {"turn": 5, "phase": "soviet.movement", "units": {"188": "3027", "190": "3127", "333G": "2022"}},
        lambda p: p.mine("3028", "3029", "3030", "2930"),
        phase_over,
    ),
    Puzzle(
        "goes into open Narva from the west",
        {"turn": 8, "phase": "soviet.movement", "units": {"188": "2829", "190": "2729", "333G": "2022"}},
        lambda p: p.mine("3028", "3029", "3030", "2930"),
        phase_over,
    ),
    Puzzle(
        "takes open Krivasoo",
        {"turn": 5, "phase": "soviet.movement", "units": {"188": "1921", "109 HQ": "2120", "333G": "1612"}},
        lambda p: red(p, "1820"),
        phase_over,
    ),
    Puzzle(
        "takes the open hill",
        {"turn": 8, "phase": "soviet.movement", "units": {"188": "1731", "190": "1732", "209G": "1226"}},
        lambda p: red(p, "1530") or red(p, "1629"),
        phase_over,
    ),
    Puzzle(
        "takes open Narva-Joesuu",
        {"turn": 6, "phase": "soviet.movement", "units": {"48MS": "2537", "4": "2536", "333G": "2022"}},
        lambda p: red(p, "2337"),
        phase_over,
    ),
    Puzzle(
        "takes an open village",
        {"turn": 6, "phase": "soviet.movement", "units": {"188": "2632", "190": "2634", "209G": "2028"}},
        lambda p: red(p, "2633") or red(p, "2630") or p.mine("2930"),
        phase_over,
    ),
    Puzzle(
        "cuts the rollbahn",
        {"turn": 9, "phase": "soviet.movement", "units": {"188": "2128", "190": "2227", "23": "2928", "209G": "1420"}},
        lambda p: any(p.mine(label) for label in ("2030", "2130", "2230", "2330", "2430", "2530")),
        phase_over,
    ),
    Puzzle(
        "three regiments attack a battle group together",
        {"turn": 5, "phase": "soviet.combat", "units": {"188": "2021", "190": "2122", "192": "2123", "MOK": "2022"}},
        lambda p: p.did("attack 2022") and joined(p) >= 2,
        phase_over,
    ),
    Puzzle(
        "a stack attacks a lone fusilier battalion",
        {"turn": 5, "phase": "soviet.combat", "units": {"188": "2635", "190": "2635", "192": "2735", "227F": "2634"}},
        lambda p: p.did("attack 2634"),
        phase_over,
    ),
    Puzzle(
        "one regiment does not attack two at once",
        {"turn": 5, "phase": "soviet.combat", "units": {"188": "1107", "333G": "1207", "377G": "1207"}},
        no_attack,
        phase_over,
    ),
    Puzzle(
        "one regiment does not storm Narva's garrison",
        {"turn": 5, "phase": "soviet.combat", "units": {"188": "2929", "23": "3029", "HAME": "3029"}},
        no_attack,
        phase_over,
    ),
    Puzzle(
        "the headquarters keeps up with its corps",
        {"turn": 6, "phase": "soviet.movement",
         "units": {"109 HQ": "2816", "602": "2226", "466": "2326", "657": "2425", "381": "2225", "333G": "2028"}},
        lambda p: p.far("109 HQ", "2326") < 9,
        phase_over,
    ),
    Puzzle(
        "the corps does not outrun its headquarters all at once",
        {"turn": 6, "phase": "soviet.movement",
         "units": {"109 HQ": "2120", "602": "2122", "466": "2123", "657": "2022", "381": "2222", "209G": "2028"}},
        lambda p: in_command(p, "109 HQ", "602", "466", "657", "381"),
        phase_over,
    ),
    Puzzle(
        "Narva keeps its garrison",
        {"turn": 6, "phase": "german.movement", "units": {"23": "3029", "188": "2829", "190": "2929", "3/24": "3131"}},
        lambda p: p.mine("3028", "3029", "3030", "2930"),
        phase_over,
    ),
    Puzzle(
        "somebody goes into open Narva before the enemy",
        {"turn": 6, "phase": "german.movement", "units": {"23": "3129", "HAME": "3130", "188": "2727", "190": "2728"}},
        lambda p: p.mine("3028", "3029", "3030", "2930"),
        phase_over,
    ),
    Puzzle(
        "retakes an open village",
        {"turn": 8, "phase": "german.movement", "units": {"PZ": "1728", "PZG": "1828", "188": "2426"},
         "control": {"1727": "soviet"}},
        lambda p: not p.state.red & p.state.game.victory_bits[p.node("1727")],
        phase_over,
    ),
    Puzzle(
        "stands in the enemy's way on the rollbahn",
        {"turn": 8, "phase": "german.movement", "units": {"PZ": "1630", "PZG": "1730", "188": "2428", "190": "2427"}},
        lambda p: min(p.far("PZ", "2428"), p.far("PZG", "2428")) <= 4,
        phase_over,
    ),
    Puzzle(
        "tigers and grenadiers attack a lone regiment",
        {"turn": 6, "phase": "german.combat",
         "units": {"2/502": "2633", "328G": "2634", "366G": "2533", "188": {"at": "2534", "steps": 1}}},
        lambda p: p.did("attack 2534"),
        phase_over,
    ),
    Puzzle(
        "a regiment does not attack two guards regiments",
        {"turn": 6, "phase": "german.combat", "units": {"23": "2335", "188": "2435", "190": "2435"}},
        no_attack,
        phase_over,
    ),
    Puzzle(
        "a grenadier regiment does not attack a stack",
        {"turn": 6, "phase": "german.combat", "units": {"333G": "1107", "163": "1207", "219": "1207"}},
        no_attack,
        phase_over,
    ),
)  # fmt: skip
