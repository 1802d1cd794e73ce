"""What leaves the server of a match: its line in a list, a position, what an entry tells, each as a seat may see it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from counterblow.kernel.actions import Vocabulary
from counterblow.kernel.events import Event
from counterblow.kernel.game import Game
from counterblow.kernel.state import State
from counterblow.service.store import Known, Standing, Start


def summary(game: Game, known: Known) -> dict[str, Any]:
    """A match in a list."""
    start, standing = known.start, known.standing
    titles = dict(zip(game.sides, game.side_titles, strict=True))
    seats = sorted(start.seats, key=lambda seat: game.sides.index(seat.side))
    return {
        "id": start.id,
        "kind": start.kind,
        "status": standing.status,
        "game": start.game,
        "title": game.title,
        "scenario": start.scenario,
        "options": start.options,
        "rules_version": start.rules_version,
        "created": known.created,
        "updated": known.updated,
        "seq": standing.seq,
        "ply": standing.ply,
        "turn_label": standing.turn_label,
        "decider": standing.decider,
        "over": standing.status == "over",
        "result": standing.result,
        "seats": [
            {"side": s.side, "title": titles[s.side], "kind": s.kind, "name": s.name, "player": s.player} for s in seats
        ],
        "spectators": start.spectators,
        "listed": start.listed,
        "seed_known": start.seed_known,
        "dice": dice_view(game, start, standing),
        "frozen": known.frozen,
        "rematch": known.rematch,
        "clock": None
        if start.pace is None
        else {
            **json.loads(start.pace),
            "due": known.due,
            "left": {seat.side: seat.clock for seat in seats if seat.clock is not None},
        },
    }


def dice_view(game: Game, start: Start, standing: Standing) -> dict[str, Any]:
    """Where the dice come from, and who can know them."""
    dice = start.dice(game.sides)
    if dice is None or not start.remote:
        whose = "who made the match chose the seed, or imported it, and can know every die"
        nobody = "nobody chose the seed; who holds the seats of all persons can look it up in the record"
        return {"kind": "plain", "known_to": whose if start.seed_known else nobody}
    begun, over = standing.status != "waiting", standing.status == "over"
    return {
        "kind": "fair",
        "known_to": "nobody until the end, except who runs this server and can read its database",
        "commitment": dice.commitment,
        "nonces": {side: start.seat(side).nonce for side in game.sides} if begun else {},
        "secret": dice.secret.hex() if over else None,
    }


def view(state: State, side: str | None) -> dict[str, Any]:
    """The kernel's view, its legal actions spelled out for lighting counters and hexes."""
    shown = state.view(side)
    words = state.game.act
    for action in shown["legal"]:
        light(words, action)
    return shown


def light(words: Vocabulary, action: dict[str, Any]) -> None:
    """Add the units and hexes that an action names."""
    units: list[int] = []
    hexes: list[str] = []
    for blank, value in zip(words.blanks[action["kind"]], action["args"], strict=True):
        if blank == "unit":
            units.append(value)
        elif blank == "hex":
            hexes.append(words.names["hex"][value])
        elif blank == "units":
            units += value
        elif blank in ("hexs", "path"):
            hexes += [words.names["hex"][number] for number in value]
    action["units"], action["hexes"] = units, hexes
    action["unit"], action["hex"] = units[0] if units else None, hexes[-1] if hexes else None


# ---------------------------------------------------------------------- what an entry tells, and whom


def told(game: Game, events: Sequence[Event], ply: int, actor: str | None) -> str:
    """What happened, written once: a list of entries if everybody may read the same, else one for each who looks."""
    views: dict[str, list[dict[str, Any]]] = {}
    for number, name in ((None, ""), *enumerate(game.sides)):
        views[name] = _entries(game, events, ply, actor, number)
        if all(event.only is None for event in events):
            return json.dumps(views[name], ensure_ascii=False, separators=(",", ":"))
    return json.dumps(views, ensure_ascii=False, separators=(",", ":"))


def seen(text: str, side: str | None) -> list[dict[str, Any]]:
    """What a seat may read of an entry."""
    if text == "[]":
        return []
    data = json.loads(text)
    entries: list[dict[str, Any]] = data if isinstance(data, list) else data[side or ""]
    return entries


def _entries(
    game: Game, events: Sequence[Event], ply: int, actor: str | None, side: int | None
) -> list[dict[str, Any]]:
    entries = []
    for event in events:
        text = event.seen_by(side)
        if text is not None:
            told = event.only is None or event.only == side
            hexes = [game.board.labels[node] for node in event.nodes] if told else []
            dice = event.dice if told else ()
            entry = {"ply": ply, "side": actor, "kind": event.kind, "text": text, "rules": list(event.rules)}
            more = {"units": event.units, "result": event.values.get("result")} if told else {}
            entries.append({**entry, "hexes": hexes, "dice": list(dice), **{name: v for name, v in more.items() if v}})
    return entries
