"""How many clicks a turn takes. A drag counts as one; what plays itself counts as none."""

from __future__ import annotations

import random
from functools import cache

import counterblow
from counterblow.kernel.record import Match
from counterblow.kernel.state import State
from tests.browser import battles
from tests.browser.table import Table


class Counted:
    """A player at the table whose clicks are counted."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.clicks = 0

    def press(self, text: str) -> None:
        self.clicks += 1
        self.table.choose(text)

    def enemy(self, label: str) -> None:
        """Click the enemy in a hex."""
        self.clicks += 1
        table = self.table
        seq = table.seq
        table.bring_in_sight(table.hex(label))
        table.page.locator(f'[data-at="{label}"]').last.click(force=True)
        table.after(seq)

    def hex(self, label: str) -> None:
        self.clicks += 1
        self.table.click_hex(label)

    def unit(self, name: str) -> None:
        self.clicks += 1
        self.table.click_unit(name)

    def drag(self, name: str, label: str) -> None:
        """Drag a counter to a hex; a stack opens under the pointer without a click."""
        self.clicks += 1
        table, mouse = self.table, self.table.page.mouse
        seq = table.seq
        box = table.point_at(name).bounding_box()
        assert box is not None
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        mouse.down()
        x, y = self.centre(label)
        mouse.move((x + box["x"]) / 2, (y + box["y"]) / 2, steps=3)
        mouse.move(x, y, steps=3)
        mouse.up()
        table.after(seq)
        expect_place = table.page.locator(f'[data-unit="{name}"][data-at="{label}"]')
        expect_place.wait_for(state="attached")

    def centre(self, label: str) -> tuple[float, float]:
        """Where the middle of a hex is on the screen, worked out from the map's own description."""
        found: list[float] = self.table.page.evaluate(
            """async ([slug, label]) => {
              const game = await (await fetch(`/api/games/${slug}`)).json();
              const hex = game.map.hexes.find((one) => one.label === label);
              const box = document.querySelector(".sheet > svg").getBoundingClientRect();
              return [box.x + hex.x * box.width / game.map.width, box.y + hex.y * box.height / game.map.height];
            }""",
            [self.slug, label],
        )
        return found[0], found[1]

    slug = ""


def unit_of(text: str) -> str:
    return text.partition(" ")[2]


# ---------------------------------------------------------------------- Leningrad: six marches, two battles


@cache
def leningrad_turn() -> tuple[Match, list[tuple[str, str]], list[str]]:
    """The first German turn: where six units march so that two hexes can then be attacked."""
    game = counterblow.load("leningrad")
    for seed in range(200):
        chance = random.Random(seed)
        match = Match(game, seed=5)
        while not battles.offered(match.state, "march "):
            match.do(
                match.state.legal()[-1] if battles.offered(match.state, "end entrenching") else match.state.legal()[0]
            )
        state, marches = match.state.copy(), []
        for choose in battles.offered(state, "march "):
            state.do(choose)
            goal = chance.choice(battles.offered(state, "to "))
            state.do(goal)
            marches.append((unit_of(choose), unit_of(goal)))
        if len(marches) < 6:
            continue
        state.do("end movement")
        targets = attackable(state)
        if targets:
            return match, marches, targets
    raise LookupError("no such turn")


def attackable(state: State) -> list[str]:
    """Two hexes that can be attacked one after the other, everybody joining."""
    for first in battles.offered(state, "attack "):
        then = state.copy()
        everybody_attacks(then, first)
        seconds = battles.offered(then, "attack ") if not then.over else []
        if seconds:
            return [unit_of(first), unit_of(seconds[0])]
    return []


def everybody_attacks(state: State, target: str) -> None:
    state.do(target)
    while joiners := battles.offered(state, "with "):
        state.do(joiners[0])
    state.do("commit")


def test_leningrad_six_marches_and_two_battles(table: Table) -> None:
    match, marches, targets = leningrad_turn()
    table.sit_down(match)
    player = Counted(table)
    player.slug = "leningrad"
    for name, goal in marches:
        player.drag(name, goal)
    player.press("end movement")
    for label in targets:
        player.enemy(label)
        assert table.page.get_by_test_id("odds").is_visible()
        player.press("commit")
    fought = 0
    for _ in range(40):
        choices = table.choices()
        if "Russian movement" in table.page.locator("header .when").inner_text():
            break
        mine = table.root.get_attribute("data-seat") == "german"
        fight = next((text for text in choices if text.startswith("fight")), None)
        fought += fight is not None
        text = fight or next((text for text in choices if text.startswith(("end", "allow"))), choices[0])
        if mine:
            player.press(text)
        else:
            table.choose(text)
    assert fought == 2
    assert player.clicks <= 22, player.clicks
