"""What players see: counters, tracks, boxes, hands and charts. Hands and the deck stay hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from counterblow.games.noretreat.cards import hand_count
from counterblow.games.noretreat.components import AXIS, MOVED, PENDING, SIDES, SOVIET, TRACK, WEATHER_NAMES
from counterblow.games.noretreat.movement import allowance, range_of
from counterblow.games.noretreat.special import steps_left
from counterblow.games.noretreat.state import NOWHERE, NoRetreatState
from counterblow.games.noretreat.supply import supply_net
from counterblow.games.noretreat.victory import standing, vp_marker
from counterblow.kernel.flow import Decision
from counterblow.kernel.masks import bits
from counterblow.kernel.views import Standing, Views

if TYPE_CHECKING:
    from counterblow.games.noretreat.game import NoRetreat

SYMBOLS = {
    "armor": "armor", "mech_infantry": "mechanized", "infantry": "infantry", "cadre": "cadre",
    "regional": "infantry", "fort": "fort",
}  # fmt: skip


def counter_view(s: NoRetreatState, unit: int) -> dict[str, Any]:
    markers = [name for name, shown in (
        ("unsupplied", s.unsupplied(unit)),
        ("disorganized", s.disorganized(unit)),
        ("strategic reserve", s.reserve == unit),
        ("local support", unit in s.local),
        ("partisans", s.partisan[1] == unit),
        ("moved", s.marks[unit] & MOVED),
    ) if shown]  # fmt: skip
    return {**printed(s.game, unit, s.face[unit]), "steps": steps_left(s, unit), "markers": markers}


def printed(game: NoRetreat, unit: int, side: int) -> dict[str, Any]:
    """What is printed on one side of a counter: written once."""
    found = game.printed.get((unit, side))
    if found is None:
        counter = game.counters[unit]
        face = counter.faces[side]
        red = face.name == "red" and counter.red_name
        found = game.printed[unit, side] = {
            "symbol": SYMBOLS[face.type],
            "size": "XXXX" if counter.side == AXIS else "XXXXX",
            "values": f"({face.strength})" if face.paren else f"{face.strength}-{face.move}",
            "band": counter.nation,
            "face": face.name,
            "white": face.white,
            "title": counter.red_name if red else counter.name,
            "detail": f"{counter.nation} {face.type.replace('_', ' ')}, {face.name} side",
        }
    return found


def extra_view(s: NoRetreatState, side: int | None) -> dict[str, Any]:
    return {
        "tracks": tracks(s),
        "markers": markers(s),
        "boxes": track_boxes(s),
        "hands": {SIDES[owner]: hand(s, owner, side) for owner in (AXIS, SOVIET)},
        "deck": len(s.pile),
        "discards": {"count": len(s.discards), "top": top_discard(s)},
        "control": {
            s.game.board.labels[node]: SIDES[s.sites >> site & 1] for site, node in enumerate(s.game.charts.site_node)
        },
        "weather": WEATHER_NAMES[s.sky],
        "calendar": calendar(s),
    }


def tracks(s: NoRetreatState) -> list[dict[str, Any]]:
    marker = "Drang nach Osten!" if s.initiative == AXIS else "Na Berlin!"
    event_side = "no side" if not s.event_vp else s.game.side_titles[AXIS if s.event_vp > 0 else SOVIET]
    found = [
        {"id": "turn", "title": "Turn", "value": s.turn, "max": len(s.game.turns) - 1,
         "text": s.game.turns[s.turn].dates},
        {"id": "vp", "title": marker, "value": vp_marker(s), "max": 41, "text": s.game.side_titles[s.initiative]},
        {"id": "event_vp", "title": "Event VPs", "value": abs(s.event_vp), "max": s.game.event_cap,
         "text": event_side},
        {"id": "blitz", "title": "Blitz!", "value": s.support[AXIS], "max": 3, "text": ""},
        {"id": "shock", "title": "Shock!", "value": s.support[SOVIET], "max": 3, "text": ""},
    ]  # fmt: skip
    if s.high_tide >= 0:
        found.append({"id": "high_tide", "title": "High Tide", "value": s.high_tide, "max": 41, "text": ""})
    return found


def markers(s: NoRetreatState) -> list[dict[str, Any]]:
    labels = s.game.board.labels
    found = [{"at": labels[node], "kind": "target", "text": "Target"} for node in s.targets]
    found += [{"at": labels[node], "kind": "counterblow", "text": "Counterblow"} for node in (*s.blows, *s.standing)]
    if s.works:
        found.append({"at": labels[s.works[0]], "kind": "works", "text": "Defensive Works"})
    if s.scorched:
        node = s.game.charts.site_node[s.scorched[0]]
        found.append({"at": labels[node], "kind": "scorched", "text": "Scorched Earth"})
    if s.battle is not None:
        found += [{"at": labels[node], "kind": "battle", "text": "Battle"} for node in s.battle.hexes]
    return found


def track_boxes(s: NoRetreatState) -> list[dict[str, Any]]:
    """The Turn Track with the units on it, and those that wait for a trigger."""
    boxes: dict[str, list[dict[str, Any]]] = {}
    for unit in range(len(s.game.unit_names)):
        if s.at[unit] != NOWHERE or s.fate[unit] not in (TRACK, PENDING):
            continue
        where = f"Turn {s.due[unit]}" if s.fate[unit] == TRACK else str(s.game.counters[unit].arrives)
        entry = {"id": unit, "name": s.game.unit_names[unit], "side": SIDES[s.game.side_of[unit]]}
        boxes.setdefault(where, []).append({**entry, **counter_view(s, unit)})
    order = sorted(boxes, key=lambda name: (not name.startswith("Turn "), len(name), name))
    return [{"id": name, "title": name, "units": boxes[name]} for name in order]


def hand(s: NoRetreatState, owner: int, viewer: int | None) -> dict[str, Any]:
    """A hand's size, and its cards only for its owner; the Joker is always known (15.7)."""
    view: dict[str, Any] = {"count": hand_count(s, owner), "joker": bool(s.hands[owner] & s.game.joker_bit)}
    if viewer == owner:
        view["cards"] = [card_view(s, 2 * card + owner) for card in bits(s.hands[owner])]
    return view


def card_view(s: NoRetreatState, index: int) -> dict[str, Any]:
    half, other = s.game.half(index), s.game.half(index ^ 1)
    return {
        "id": half.number,
        "title": s.game.event_names[index],
        "text": half.text,
        "symbol": half.symbol,
        "timing": half.timing,
        "other": other.name,
        "provenance": half.provenance,
    }


def top_discard(s: NoRetreatState) -> dict[str, Any] | None:
    """5.0.c: only the top of the discard pile shows."""
    if not s.discards:
        return None
    card = s.discards[-1]
    return {"axis": card_view(s, 2 * card), "soviet": card_view(s, 2 * card + 1)}


def calendar(s: NoRetreatState) -> list[dict[str, Any]]:
    return [
        {
            "turn": turn.number,
            "dates": turn.dates,
            "weather": WEATHER_NAMES[s.weather[turn.number]],
            "variable": turn.variable,
            "blitz": turn.blitz,
            "shock": turn.shock,
            "red_event": turn.red_event,
            "notes": turn.notes,
            "sudden_death": {SIDES[i]: v for i, v in enumerate(turn.sudden_death) if v is not None},
        }
        for turn in s.game.turns[1:]
    ]


def describe_tables(game: NoRetreat) -> list[dict[str, Any]]:
    """The charts for a client, with provenance."""
    crts = [
        {
            "id": f"crt_{SIDES[side]}",
            "title": f"{game.side_titles[side]} Combat Results",
            "columns": ["die", *table.columns],
            "rows": [[str(die), *row] for die, row in enumerate(table.rows, 1)],
            "provenance": table.provenance,
        }
        for side, table in enumerate(game.charts.crt_tables)
    ]
    terrain = {
        "id": "tec",
        "title": "Terrain Effects",
        "columns": ["terrain", "MP armor", "MP other", "shift", "advance stops"],
        "rows": [
            [entry["feature"], str(entry["mp_armor"]), str(entry["mp_other"]), str(entry["shift"]),
             "yes" if entry["advance_stops"] else "no"]
            for entry in game.tables["terrain"]
        ],
        "provenance": "reconstructed",
    }  # fmt: skip
    weather = {
        "id": "weather",
        "title": "Weather",
        "columns": ["weather", "MP cap", "Armor Bonus", "advance", "Axis shift in the USSR", "rivers"],
        "rows": [
            [w.name, str(w.mp_cap) if w.mp_cap < 99 else "-", "yes" if w.armor_bonus else "no", str(w.advance_max),
             str(w.axis_shift), "yes" if w.rivers else "frozen"]
            for w in game.charts.weather
        ],
        "provenance": "rulebook",
    }  # fmt: skip
    deck = {
        "id": "cards",
        "title": "Event Cards",
        "columns": ["card", "Axis event", "effect", "Soviet event", "effect"],
        "rows": [
            [str(c.number), c.halves[0].name, c.halves[0].text, c.halves[1].name, c.halves[1].text]
            for c in game.cards.values()
        ],
        "provenance": "reconstructed",
    }
    return [*crts, terrain, weather, deck]


class NoRetreatViews(Views["NoRetreat"]):
    losses = ("Axis Destroyed", "Axis Surrendered", "Soviet Destroyed", "Soviet Surrendered")

    def turn_label(self, state: NoRetreatState) -> str:
        return f"Turn {state.turn}, {self.game.turns[state.turn].dates}, {WEATHER_NAMES[state.sky]}"

    def counter(self, state: NoRetreatState, unit: int) -> dict[str, Any]:
        return counter_view(state, unit)

    def extra(self, state: NoRetreatState, side: int | None) -> dict[str, Any]:
        return extra_view(state, side)

    def standing(self, state: NoRetreatState, side: int | None) -> Standing:
        return standing(state)

    def waiting(self, state: NoRetreatState, decision: Decision) -> dict[str, Any]:
        """The other side learns that somebody decides, never what is asked: that could betray a hand."""
        return {"side": decision.side, "kind": "", "prompt": "Waiting for the other side.", "rules": []}

    def tables(self) -> list[dict[str, Any]]:
        return describe_tables(self.game)

    def overlay(
        self, state: NoRetreatState, kind: str, side: int, unit: int | None, viewer: int | None
    ) -> dict[str, Any]:
        """Supply lines (hexes to the nearest source), a unit's reach with its paths, control of sites."""
        labels, charts = self.game.board.labels, self.game.charts
        if kind == "supply":
            net = supply_net(state, side)
            return {"hexes": {labels[node]: far - 1 for node, far in enumerate(net.reach) if far}}
        if kind == "reach" and unit is not None and state.on_map(unit):
            found = range_of(state, unit, allowance(state, unit), True)
            costs = {labels[n]: max(1, found.reach.cost_to(n)) for n in found.nodes}
            return {"hexes": costs, "paths": {labels[n]: [labels[p] for p in found.way(n)] for n in found.nodes}}
        if kind == "control":
            return {"hexes": {labels[n]: SIDES[state.sites >> site & 1] for site, n in enumerate(charts.site_node)}}
        return super().overlay(state, kind, side, unit, viewer)
