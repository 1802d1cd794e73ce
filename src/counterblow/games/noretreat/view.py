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
from counterblow.kernel.views import Standing, Views, chart, columns_of, result_chart, track

if TYPE_CHECKING:
    from counterblow.games.noretreat.game import NoRetreat


class NoRetreatViews(Views[Any]):
    game: NoRetreat
    losses = ("Axis Destroyed", "Axis Surrendered", "Soviet Destroyed", "Soviet Surrendered")

    def turn_label(self, s: NoRetreatState) -> str:
        return f"Turn {s.turn}, {self.game.turns[s.turn].dates}, {WEATHER_NAMES[s.sky]}"

    def counter(self, s: NoRetreatState, unit: int) -> dict[str, Any]:
        markers = [name for name, shown in (
            ("unsupplied", s.unsupplied(unit)),
            ("disorganized", s.disorganized(unit)),
            ("strategic reserve", s.reserve == unit),
            ("local support", unit in s.local),
            ("partisans", s.partisan[1] == unit),
            ("moved", s.marks[unit] & MOVED),
        ) if shown]  # fmt: skip
        return {**self.printed(unit, s.face[unit]), "steps": steps_left(s, unit), "markers": markers}

    def face(self, unit: int, side: int) -> dict[str, Any]:
        counter = self.game.counters[unit]
        face = counter.faces[side]
        return {
            "symbol": self.game.tables["symbols"][face.type],
            "size": "XXXX" if counter.side == AXIS else "XXXXX",
            "values": f"({face.strength})" if face.paren else f"{face.strength}-{face.move}",
            "band": counter.nation,
            "face": face.name,
            "white": face.white,
            "title": counter.red_name if face.name == "red" and counter.red_name else counter.name,
            "detail": f"{counter.nation} {face.type.replace('_', ' ')}, {face.name} side",
        }

    def extra(self, s: NoRetreatState, side: int | None) -> dict[str, Any]:
        return {
            "tracks": self.tracks(s),
            "markers": self.markers(s),
            "boxes": self.track_boxes(s),
            "hands": {SIDES[owner]: self.hand(s, owner, side) for owner in (AXIS, SOVIET)},
            "deck": len(s.pile),
            "discards": {"count": len(s.discards), "top": self.top_discard(s)},
            "control": self.held_by({node: s.sites >> site & 1 for site, node in enumerate(s.game.charts.site_node)}),
            "weather": WEATHER_NAMES[s.sky],
            "calendar": self.calendar(s),
        }

    def tracks(self, s: NoRetreatState) -> list[dict[str, Any]]:
        titles = s.game.side_titles
        marker = "Drang nach Osten!" if s.initiative == AXIS else "Na Berlin!"
        event_side = "no side" if not s.event_vp else titles[AXIS if s.event_vp > 0 else SOVIET]
        return [
            track("turn", "Turn", s.turn, len(s.game.turns) - 1, s.game.turns[s.turn].dates),
            track("vp", marker, vp_marker(s), 41, titles[s.initiative]),
            track("event_vp", "Event VPs", abs(s.event_vp), s.game.event_cap, event_side),
            track("blitz", "Blitz!", s.support[AXIS], 3),
            track("shock", "Shock!", s.support[SOVIET], 3),
            *([track("high_tide", "High Tide", s.high_tide, 41)] if s.high_tide >= 0 else []),
        ]

    def markers(self, s: NoRetreatState) -> list[dict[str, Any]]:
        return [
            *self.marked(s.targets, "target", "Target"),
            *self.marked((*s.blows, *s.standing), "counterblow", "Counterblow"),
            *self.marked(s.works[:1], "works", "Defensive Works"),
            *self.marked([s.game.charts.site_node[site] for site in s.scorched[:1]], "scorched", "Scorched Earth"),
            *self.marked(s.battle.hexes if s.battle is not None else (), "battle", "Battle"),
        ]

    def track_boxes(self, s: NoRetreatState) -> list[dict[str, Any]]:
        """The Turn Track with the units on it, and those that wait for a trigger."""
        boxes: dict[str, list[int]] = {}
        for unit in range(len(s.game.unit_names)):
            if s.at[unit] == NOWHERE and s.fate[unit] in (TRACK, PENDING):
                where = f"Turn {s.due[unit]}" if s.fate[unit] == TRACK else str(s.game.counters[unit].arrives)
                boxes.setdefault(where, []).append(unit)
        order = sorted(boxes, key=lambda name: (not name.startswith("Turn "), len(name), name))
        return [self.box(s, name, name, boxes[name]) for name in order]

    def hand(self, s: NoRetreatState, owner: int, viewer: int | None) -> dict[str, Any]:
        """A hand's size, and its cards only for its owner; the Joker is always known (15.7)."""
        view: dict[str, Any] = {"count": hand_count(s, owner), "joker": bool(s.hands[owner] & s.game.joker_bit)}
        if viewer == owner:
            view["cards"] = [self.card(2 * card + owner) for card in bits(s.hands[owner])]
        return view

    def card(self, index: int) -> dict[str, Any]:
        half, other = self.game.halves[index], self.game.halves[index ^ 1]
        return {
            "id": half.number,
            "title": self.game.event_names[index],
            "text": half.text,
            "symbol": half.symbol,
            "timing": half.timing,
            "other": other.name,
            "provenance": half.provenance,
        }

    def top_discard(self, s: NoRetreatState) -> dict[str, Any] | None:
        """5.0.c: only the top of the discard pile shows."""
        return {word: self.card(2 * s.discards[-1] + side) for side, word in enumerate(SIDES)} if s.discards else None

    def calendar(self, s: NoRetreatState) -> list[dict[str, Any]]:
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

    def standing(self, s: NoRetreatState, side: int | None) -> Standing:
        return standing(s)

    def waiting(self, s: NoRetreatState, decision: Decision) -> dict[str, Any]:
        """The other side learns that somebody decides, never what is asked: that could betray a hand."""
        return {"side": decision.side, "kind": "", "prompt": "Waiting for the other side.", "rules": []}

    # ------------------------------------------------------------------ overlays

    def supply_overlay(self, s: NoRetreatState, side: int, viewer: int | None) -> dict[str, Any]:
        return self.lines(supply_net(s, side).reach)

    def reach_overlay(self, s: NoRetreatState, unit: int, viewer: int | None) -> dict[str, Any]:
        if not s.on_map(unit):
            return {"hexes": {}}
        found = range_of(s, unit, allowance(s, unit), True)
        return self.ways(
            {node: max(1, found.reach.cost_to(node)) for node in found.nodes},
            {node: found.way(node) for node in found.nodes},
        )

    # ------------------------------------------------------------------ charts

    def tables(self) -> list[dict[str, Any]]:
        game = self.game
        weather = [
            [w.name, w.mp_cap if w.mp_cap < 99 else "-", bool(w.armor_bonus), w.advance_max, w.axis_shift,
             "yes" if w.rivers else "frozen"]
            for w in game.charts.weather
        ]  # fmt: skip
        terrain = columns_of(game.tables["terrain"], "feature", "mp_armor", "mp_other", "shift", "advance_stops")
        deck = [[card.number, *(text for half in card.halves for text in (half.name, half.text))]
                for card in game.cards.values()]  # fmt: skip
        return [
            *(result_chart(f"crt_{SIDES[side]}", f"{game.side_titles[side]} Combat Results", table)
              for side, table in enumerate(game.charts.crt_tables)),
            chart("tec", "Terrain Effects", ["terrain", "MP armor", "MP other", "shift", "advance stops"], terrain,
                  "reconstructed"),
            chart("weather", "Weather", ["weather", "MP cap", "Armor Bonus", "advance", "Axis shift in the USSR",
                                         "rivers"], weather, "rulebook"),
            chart("cards", "Event Cards", ["card", "Axis event", "effect", "Soviet event", "effect"], deck,
                  "reconstructed"),
        ]  # fmt: skip
