"""Whole turns, played as a person plays them: with the mouse only, or with the keyboard only."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import Table

OFTEN = 2  # how often a kind of decision is answered on the map before its button is taken
LONGEST = 160


def plain(table: Table) -> list[str]:
    """The buttons that stand for no unit and no hex."""
    found: list[str] = table.page.locator(".plain [data-action]").evaluate_all("all => all.map(b => b.dataset.action)")
    return found


def by_mouse(table: Table, asked: Counter[str]) -> str:
    """Answer one decision with the mouse: on the map while it is new, else by its button. Tells how."""
    question = re.sub(r"\d+|[A-Z]\w*\.? ?", "", table.prompt)
    asked[question] += 1
    buttons = plain(table)
    if buttons and asked[question] > OFTEN:
        table.choose(next((b for b in buttons if b.startswith(("end", "no", "pass", "decline"))), buttons[-1]))
        return "button"
    hexes = table.glowing_hexes()
    if hexes:
        table.click_hex(hexes[len(hexes) // 2])
        return "hex"
    units = table.glowing_units()
    if units:
        table.click_unit(units[0])
        return "unit"
    table.choose(table.choices()[0])
    return "button"


@pytest.mark.parametrize(("title", "until"), [("Leningrad 1941", "Turn 2"), ("Across the Narva", "")])
def test_a_turn_with_the_mouse(table: Table, title: str, until: str) -> None:
    """Leningrad from set-up to the second turn, both sides; of Narva the first sixty decisions."""
    table.begin(title)
    asked: Counter[str] = Counter()
    ways: Counter[str] = Counter()
    for _ in range(LONGEST if until else 60):
        if until and table.turn.startswith(until):
            break
        ways[by_mouse(table, asked)] += 1
    assert ways["hex"] > 5
    assert ways["unit"] > 2
    assert ways["button"] > 5
    if until:
        assert table.turn.startswith(until)
        assert "Turn 1" in table.log
    assert not table.page.get_by_role("alert").is_visible()


def test_a_turn_with_the_keyboard(open_page: Callable[..., Page]) -> None:
    """Leningrad from the start page to the second turn without touching the mouse."""
    page = open_page()
    table = Table(page)
    keys = page.keyboard
    page.goto("/")
    button = page.get_by_role("button", name="Play Leningrad 1941")
    expect(button).to_be_visible()
    for _ in range(12):
        keys.press("Tab")
        if button.evaluate("b => b === document.activeElement"):
            break
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    second = page.locator("fieldset select").nth(1)
    for _ in range(6):
        if second.evaluate("s => s === document.activeElement"):
            break
        keys.press("Tab")
    keys.press("Home")
    expect(second).to_have_value("person")
    start = page.get_by_role("button", name="Start", exact=True)
    for _ in range(6):
        if start.evaluate("b => b === document.activeElement"):
            break
        keys.press("Tab")
    keys.press("Enter")
    table.ready()

    ways: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for _ in range(LONGEST):
        if table.turn.startswith("Turn 2"):
            break
        ways[by_keyboard(table, asked)] += 1
    assert table.turn.startswith("Turn 2")
    assert ways["map"] > 5
    assert ways["list"] > 5


def by_keyboard(table: Table, asked: Counter[str]) -> str:
    """Answer one decision with keys: on the map while it is new, else in the list."""
    keys = table.page.keyboard
    seq = table.seq
    question = re.sub(r"\d+|[A-Z]\w*\.? ?", "", table.prompt)
    asked[question] += 1
    on_map = table.page.locator("[data-stop]").count() > 0
    if on_map and (asked[question] <= OFTEN or not plain(table)):
        keys.press("m")
        expect(table.page.locator("[data-stop]:focus")).to_have_count(1)
        keys.press("ArrowRight")
        expect(table.page.locator("[data-stop]:focus")).to_have_count(1)
        keys.press("Enter")
        if table.page.locator(".piece.chosen[data-stop]").count():  # a unit that may go to several hexes
            expect(table.page.locator("[data-hex]:focus")).to_have_count(1)
            keys.press("Enter")
        if table.page.get_by_role("group", name="Which one?").is_visible():
            keys.press("Enter")
        table.after(seq)
        return "map"
    keys.press("c")
    focused = table.page.locator("[data-action]:focus")
    expect(focused).to_have_count(1)
    wanted = table.choices()
    ending = next((i for i, text in enumerate(wanted) if text.startswith(("end", "no", "allow"))), 0)
    for _ in range(ending):
        keys.press("ArrowDown")
    expect(focused).to_have_attribute("data-action", wanted[ending])
    keys.press("Enter")
    if table.asks_whether_to_end():
        keys.press("Shift+Tab")
        keys.press("Enter")
    table.after(seq)
    return "list"
