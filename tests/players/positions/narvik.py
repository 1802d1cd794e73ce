"""Narvik 1940: the Allies need every objective, the Germans one; who shoots first, wins; points are short."""

from __future__ import annotations

from typing import Any

from counterblow.kernel.state import State
from tests.players.positions import Play, Puzzle

NARVIK, BJERKVIK, BJORNFJELL, SALANGEN, BOGEN = "0919", "1215", "2020", "1801", "0216"


def turn_over(before: State, now: State) -> bool:
    return now.turn != before.turn


def allied(turn: int, units: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"turn": turn, "phase": "allied.action", "units": units, **more}


def german(turn: int, units: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"turn": turn, "phase": "german.action", "units": units, **more}


def shot_at(play: Play, label: str) -> bool:
    return play.did(f"at {label}") or not play.enemy(label)


PUZZLES = (
    Puzzle(
        "the legion goes into open Bjerkvik",
        allied(3, {"ILE-a": "1214", "139-1": "1821"}),
        lambda p: p.mine(BJERKVIK),
        turn_over,
    ),
    Puzzle(
        "the guards go into open Narvik",
        allied(6, {"SG-a": "1020", "IG-a": "1119", "139-1": "2020"}),
        lambda p: p.mine(NARVIK),
        turn_over,
    ),
    Puzzle(
        "chasseurs go into open Bogen",
        allied(4, {"6CA-a": "0315", "6CA-b": "0315", "139-1": "2020"}),
        lambda p: p.mine(BOGEN),
        turn_over,
    ),
    Puzzle(
        "somebody goes for open Salangen",
        allied(4, {"IG-a": "1802", "139-1": "2020"}),
        lambda p: p.mine(SALANGEN),
        turn_over,
    ),
    Puzzle(
        "the last objective is taken",
        allied(8, {"ILE-a": BJERKVIK, "SG-a": NARVIK, "IG-a": SALANGEN, "6CA-a": BOGEN, "2HL-a": "2019",
                   "139-1": "1821"}),
        lambda p: p.mine(BJORNFJELL) or (p.state.over and p.state.result.winner == "allied"),
        turn_over,
    ),
    Puzzle(
        "who holds everything stays where he is",
        allied(8, {"ILE-a": BJERKVIK, "SG-a": NARVIK, "IG-a": SALANGEN, "6CA-a": BOGEN, "2HL-a": BJORNFJELL,
                   "139-1": "1721"}),
        lambda p: p.state.over and p.state.result.winner == "allied",
        turn_over,
    ),
    Puzzle(
        "fires at a lone company next door",
        allied(4, {"ILE-a": "1214", "ILE-b": "1214", "139-1": "1215"}),
        lambda p: shot_at(p, "1215"),
        turn_over,
    ),
    Puzzle(
        "the whole stack fires together",
        allied(4, {"6CA-a": "1020", "6CA-b": "1020", "139-1": "0919"}),
        lambda p: shot_at(p, "0919"),
        turn_over,
    ),
    Puzzle(
        "the artillery fires from afar",
        allied(4, {"342": "1214", "ILE-a": "1214", "139-1": "1216"}),
        lambda p: shot_at(p, "1216") or p.mine("1215"),
        turn_over,
    ),
    Puzzle(
        "marches on the objective that is missing",
        allied(6, {"ILE-a": "1315", "ILE-b": "1315", "SG-a": NARVIK, "139-1": BJORNFJELL}),
        lambda p: p.mine(BJERKVIK) or min(p.far("ILE-a", BJORNFJELL), p.far("ILE-b", BJORNFJELL)) <= 1,
        turn_over,
    ),
    Puzzle(
        "mountain troops go back into open Narvik",
        german(4, {"139-1": "1020", "139-2": "1121", "SG-a": "0720"}),
        lambda p: p.mine(NARVIK),
        turn_over,
    ),
    Puzzle(
        "mountain troops go into open Bjerkvik before the legion",
        german(4, {"139-1": "1316", "139-2": "1315", "ILE-a": "1213"}),
        lambda p: p.mine(BJERKVIK),
        turn_over,
    ),
    Puzzle(
        "Narvik keeps its garrison",
        german(6, {"139-1": NARVIK, "SG-a": "0820", "139-2": "1222"}),
        lambda p: p.mine(NARVIK),
        turn_over,
    ),
    Puzzle(
        "Bjornfjell keeps its garrison",
        german(8, {"139-1": BJORNFJELL, "2HL-a": "2018", "139-2": "1821"}),
        lambda p: p.mine(BJORNFJELL),
        turn_over,
    ),
    Puzzle(
        "fires at a lone company before Narvik",
        german(5, {"139-1": NARVIK, "139-2": NARVIK, "SG-a": "0820"}),
        lambda p: shot_at(p, "0820"),
        turn_over,
    ),
    Puzzle(
        "fires at a lone company before Bjornfjell",
        german(8, {"139-1": BJORNFJELL, "139-2": BJORNFJELL, "1HL-a": "2019"}),
        lambda p: shot_at(p, "2019"),
        turn_over,
    ),
    Puzzle(
        "retakes Narvik, which nobody holds",
        german(8, {"139-1": "1221", "139-2": BJORNFJELL, "SG-a": "0821"}, control={"0919": "allied"}),
        lambda p: p.mine(NARVIK) or p.far("139-1", NARVIK) <= 1,
        turn_over,
    ),
    Puzzle(
        "one objective is never left to chance: two units there, or a second objective",
        german(8, {"139-1": BJORNFJELL, "139-2": "1920", "1HL-a": "2018", "1HL-b": "2018"}),
        lambda p: p.count(BJORNFJELL) == 2 or (p.mine(BJORNFJELL) and p.mine(NARVIK, BJERKVIK)),
        turn_over,
    ),
    Puzzle(
        "the last Allied unit is hunted down",
        german(8, {"139-1": "1214", "139-2": "1214", "139-3": "1114", "SWB-a": "1215"}),
        lambda p: shot_at(p, "1215"),
        turn_over,
    ),
    Puzzle(
        "artillery helps to hold Narvik",
        german(6, {"112-1": "0919", "139-1": "0919", "SG-a": "0820", "SG-b": "0820"}),
        lambda p: shot_at(p, "0820") and p.mine(NARVIK),
        turn_over,
    ),
)  # fmt: skip
