"""Chapter 3: scenarios A to F and the campaigns that begin from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from counterblow.games.noretreat.cards import draw, keep, sky_of, take
from counterblow.games.noretreat.components import AXIS, OUT, PENDING, SIDES, SOVIET, TRACK, WEATHER_NAMES
from counterblow.games.noretreat.sequence import start_at
from counterblow.games.noretreat.state import RUMANIA_OUT, NoRetreatState
from counterblow.kernel.data import need
from counterblow.kernel.errors import DataError, unknown

if TYPE_CHECKING:
    from counterblow.games.noretreat.game import NoRetreat

FACES = {"full": 0, "brown": 0, "reduced": 1, "red": 1, "fort": 1}


class Play(NamedTuple):
    """How long a scenario lasts and how it is won."""

    setup: dict[str, Any]
    last_turn: int
    standard: bool  # the victory rules of chapter 12
    winner: int  # the side that must reach the scenario's own goal
    vp: int
    vp_option: bool
    control: tuple[int, ...]
    more: int
    first_targets: tuple[int, ...]  # units that the Axis may attack on turn 1; none: no limit


def read_plays(game: NoRetreat) -> dict[str, Play]:
    """scenarios.toml, by name; a campaign has the set-up of a scenario and the victory rules of chapter 12."""
    table, where = game.data.toml("scenarios.toml"), game.data.where("scenarios.toml")
    entries = {entry["id"]: entry for entry in table["scenario"]}
    for entry in table["campaign_start"]:
        entries[entry["id"]] = {**entries[entry["setup"]], **entry, "campaign": True}
    return {name: _play(game, entries, name, f"{where}: scenario {name}") for name in entries}


def _play(game: NoRetreat, entries: dict[str, dict[str, Any]], name: str, where: str) -> Play:
    entry = entries[name]
    win = need(entry, "win", dict, where)
    standard = any((entry.get("campaign"), win.get("standard"), win.get("standard_1945")))
    source = entries[entry.get("placements_from", name)]
    setup = {**source, **entry, **{key: source[key] for key in ("placement", "turn_track", "trigger_pending")}}
    return Play(
        setup,
        len(game.turns) - 1 if standard else entry["last_turn"],
        standard,
        SOVIET if win["side"] == "soviet" else AXIS,
        win["vp"],
        "vp_option" in win,
        tuple(game.charts.site(city) for city in win["or_control"]),
        win["or_more_objectives"],
        tuple(game.unit(unit) for unit in setup.get("turn_1_axis_targets", ())),
    )


def set_up(s: NoRetreatState) -> None:
    """3.0: units, markers, deck and hands of a scenario; the Housekeeping of its first turn is done."""
    game = s.game
    entry = game.plays[s.scenario].setup
    s.turn = entry["first_turn"]
    s.initiative = SIDES.index(entry["initiative"])
    s.event_vp = entry["event_marker"] * (1 if entry["event_marker_side"] == "axis" else -1)
    s.high_tide = entry["high_tide"]
    s.sites = sum(1 << game.charts.site(city) for city in entry["soviet_controls"])
    s.support = (entry["blitz"], entry["shock"])
    for marker in entry["weather_markers"]:
        s.weather[marker["turn"]] = WEATHER_NAMES.index(marker["weather"])
    s.sky = sky_of(s, s.turn)
    s.mover = SIDES.index(entry["first_player"])
    place_units(s, entry)
    note_triggers(s)
    deal(s, entry)


def place_units(s: NoRetreatState, entry: dict[str, Any]) -> None:
    game = s.game
    for line in entry["placement"]:
        unit = game.unit(line["unit"])
        face = line.get("face", "full")
        if face not in FACES:
            raise DataError(f"scenarios.toml: {line['unit']}: " + unknown("face", face, FACES))
        s.face[unit] = FACES[face]
        s.put(unit, game.node(line["at"]))
    for line in entry["turn_track"]:
        s.to_track(game.unit(line["unit"]), line["turn"], TRACK)
    for line in entry["trigger_pending"]:
        s.to_track(game.unit(line["unit"]), 0, PENDING)
    for name in entry["cadre_available"]:
        s.to_box(game.unit(name), "Cadres")
    for name in entry["destroyed"]:
        s.to_box(game.unit(name), "Destroyed")
    for name in entry["out_of_play"]:
        s.to_track(game.unit(name), 0, OUT)
    if s.options["rezervy"]:
        s.to_track(game.rezervy, int(game.counters[game.rezervy].arrives), TRACK)


def note_triggers(s: NoRetreatState) -> None:
    """13.5: what happened before the scenario began."""
    charts, before = s.game.charts, s.turn - 1
    if s.controls(SOVIET, charts.rumanian_oil):
        s.oil_turn = before
        s.flags |= RUMANIA_OUT
    if s.controls(SOVIET, charts.warsaw):
        s.warsaw_turn = before
    if any(s.is_red(unit) and charts.in_germany[s.at[unit]] for unit in s.army(SOVIET)):
        s.gg_turn = before


def deal(s: NoRetreatState, entry: dict[str, Any]) -> None:
    """The opening deck and hands: the starting side takes six cards and keeps four."""
    late = s.turn >= s.game.year_45_turn
    s.pile = opening_deck(s.game, late)
    s.shuffle(s.pile)
    if s.options["joker"]:
        take(s, SIDES.index(entry["joker"]), s.game.joker)
    phase = "supply" if entry["first_phase"] == "Supply Check Phase" else "card"
    start_at(s, s.mover, phase)
    for side in (s.mover, 1 - s.mover):
        hand = entry["hand"][SIDES[side]]
        if hand["random"]:
            draw(s, side, hand["random"])
            s.push(keep, side, hand["keep"])


def opening_deck(game: NoRetreat, late: bool) -> list[int]:
    """C.DECK, 5.5.a: 41 cards; the green ones replace the red-barred ones in 1945, the Joker is never in it."""
    out = "bar" if late else "green"
    return [card.number for card in game.cards.values() if card.year45 != out and not card.joker]
