"""Leningrad 1941: the Germans must cut the city off overland and keep it so; every lost factor counts against them."""

from __future__ import annotations

from counterblow.games.leningrad import supply
from tests.players.positions import Play, Puzzle, phase_over

SOUTH = dict.fromkeys(
    ("Pskov", "Dno", "Porkhov", "Soltsy", "Shimsk", "Staraya Russa", "Demyansk", "Kresttsy", "Novgorod", "Chudovo",
     "Malaya Vishera", "Kirishi", "Luga", "Tosno", "Mga", "Krasnogvardeisk", "Gdov", "Slantsy", "Kingisepp", "Narva"),
    "german",
)  # fmt: skip
RING = {"16. Armee": "0805", "XXVI. Korps": "0906", "XXVIII. Korps": "1006", "I. Korps": "1106"}


def no_attack(play: Play) -> bool:
    return not play.did("attack ")


def besieged(play: Play) -> bool:
    return not supply.overland(play.state)


PUZZLES = (
    Puzzle(
        "walks into undefended Novgorod",
        {"turn": 4, "phase": "german.movement", "units": {"X. Korps": "1114", "48. Army": "1810"},
         "control": {**SOUTH, "Novgorod": "russian"}},
        lambda p: p.state.control[p.node("1213")] == 0,
    ),
    Puzzle(
        "walks into undefended Valdai, five points",
        {"turn": 12, "phase": "german.movement", "units": {"X. Korps": "1616", "48. Army": "1808"},
         "control": SOUTH},
        lambda p: p.state.control[p.node("1716")] == 0,
    ),
    Puzzle(
        "walks into undefended Tichvin, ten points",
        {"turn": 12, "phase": "german.movement", "units": {"XXXIX. Panzer Korps": "1707", "48. Army": "1903"},
         "control": SOUTH},
        lambda p: p.state.control[p.node("1806")] == 0,
    ),
    Puzzle(
        "does not attack two entrenched armies in Luga with one korps",
        {"turn": 4, "phase": "german.allocation",
         "units": {"XXVI. Korps": "0812", "11. Army": {"at": "0811", "entrenched": True}, "34. Army": "0811"}},
        no_attack,
        phase_over,
    ),
    Puzzle(
        "does not attack three to one against itself without need",
        {"turn": 4, "phase": "german.allocation", "units": {"6. Panzer Division": "1010", "11. Army": "1011"}},
        no_attack,
        phase_over,
    ),
    Puzzle(
        "crushes a Disrupted corps that cannot get away",
        {"turn": 4, "phase": "german.allocation",
         "units": {"4. Panzer Gruppe": "1010", "16. Armee": "1012", "16. Corps": {"at": "1011", "disrupted": True}}},
        lambda p: p.did("attack 1011"),
    ),
    Puzzle(
        "three korps together against one army",
        {"turn": 4, "phase": "german.allocation",
         "units": {"I. Korps": "1010", "XXVI. Korps": "1012", "XXVIII. Korps": "1111", "48. Army": "1011"}},
        lambda p: p.did("attack 1011") and sum(text.startswith("with ") for text in p.texts) == 3,
    ),
    Puzzle(
        "goes where three can attack one",
        {"turn": 4, "phase": "german.movement",
         "units": {"I. Korps": "0513", "XXVI. Korps": "0514", "XXVIII. Korps": "0614", "41. Corps": "0713",
                   "11. Army": "0811", "48. Army": "1111"}},
        lambda p: p.did("attack ") and sum(text.startswith("with ") for text in p.texts) >= 2,
    ),
    Puzzle(
        "closes the ring at the Neva",
        {"turn": 9, "phase": "german.movement",
         "units": {**RING, "18. Armee": "1107", "X. Korps": "1207", "8. Army": "0904", "54. Army": "1506"},
         "control": SOUTH},
        besieged,
    ),
    Puzzle(
        "keeps the ring closed",
        {"turn": 14, "phase": "german.movement",
         "units": {**RING, "18. Armee": "1205", "X. Korps": "1104", "8. Army": "0904", "42. Army": "1003"},
         "control": SOUTH},
        besieged,
    ),
    Puzzle(
        "storms an empty Leningrad at great odds on the last turn",
        {"turn": 15, "phase": "german.allocation",
         "units": {"16. Armee": "0905", "18. Armee": "0905", "4. Panzer Gruppe": "1005", "I. Korps": "1004"}},
        lambda p: p.did("attack 0904"),
    ),
    Puzzle(
        "the panzer group does not stay next to a counterattack at bad odds in the open without support",
        {"turn": 6, "phase": "german.movement",
         "units": {"6. Panzer Division": "1111", "16. Armee": "0911", "11. Army": "1211", "34. Army": "1212",
                   "54. Army": "1112"}},
        lambda p: p.did("attack ") or p.far("6. Panzer Division", "1211") > 1,
    ),
    Puzzle(
        "Leningrad South stays garrisoned with the enemy at the gates",
        {"turn": 7, "phase": "russian.movement",
         "units": {"42. Army": "0904", "18. Armee": "0905", "16. Armee": "1005", "55. Army": "0903"}},
        lambda p: p.mine("0904"),
    ),
    Puzzle(
        "retakes Mga, which nobody holds",
        {"turn": 9, "phase": "russian.movement", "units": {"54. Army": "1305", "18. Armee": "0807"},
         "control": {"Mga": "german"}},
        lambda p: p.state.control[p.node("1205")] == 1,
    ),
    Puzzle(
        "breaks the ring where one korps holds it",
        {"turn": 14, "phase": "russian.movement",
         "units": {"X. Korps": {"at": "1104", "disrupted": True}, **RING, "18. Armee": "1007", "54. Army": "1303",
                   "4. Army": "1404", "23. Army": "1003", "55. Army": "0904"}},
        lambda p: p.did("attack 1104") or not besieged(p),
    ),
    Puzzle(
        "one corps does not attack an army",
        {"turn": 5, "phase": "russian.allocation", "units": {"16. Corps": "1010", "18. Armee": "1011"}},
        no_attack,
        phase_over,
    ),
    Puzzle(
        "digs in before the enemy",
        {"turn": 5, "phase": "russian.entrenchment",
         "units": {"11. Army": "0811", "48. Army": "0911", "18. Armee": "0812"}},
        lambda p: p.did("entrench "),
        phase_over,
    ),
    Puzzle(
        "steps between the enemy and the city",
        {"turn": 6, "phase": "russian.movement",
         "units": {"42. Army": "1205", "55. Army": "1206", "18. Armee": "0707", "16. Armee": "0808"}},
        lambda p: min(p.far("42. Army", "0806"), p.far("55. Army", "0806"), p.far("42. Army", "0904"),
                      p.far("55. Army", "0904")) <= 2,
    ),
    Puzzle(
        "gets out of the pocket",
        {"turn": 6, "phase": "russian.movement",
         "units": {"11. Army": "0814", "18. Armee": "0615", "16. Armee": "0616", "X. Korps": "0713",
                   "I. Korps": "0815", "48. Army": "1112"}},
        lambda p: p.far("11. Army", "0814") > 1 and supply.in_supply(p.state, p.state.game.unit("11. Army")),
    ),
    Puzzle(
        "Tichvin is not left to a raid",
        {"turn": 12, "phase": "russian.movement",
         "units": {"52. Army": "1806", "XXXIX. Panzer Korps": "1608", "12. Panzer Division": "1609",
                   "4. Army": "1905"}},
        lambda p: p.mine("1806"),
    ),
)  # fmt: skip
