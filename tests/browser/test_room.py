"""Where there is little room: a desktop at 200 %, a phone, a tray with more than fits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import counterblow
from tests.browser import battles
from tests.browser.table import Table
from tests.browser.test_turn import LONGEST, OFTEN, plain

# the hexes and units that a finger would hit where they are drawn: [what, name, x, y]
IN_SIGHT = """() => [...document.querySelectorAll("[data-hex], [data-unit][data-stop]")].flatMap((e) => {
  const b = e.getBoundingClientRect(), x = b.x + b.width / 2, y = b.y + b.height / 2;
  const hit = document.elementFromPoint(x, y);
  if (e.dataset.hex) return hit?.closest("[data-hex]") === e ? [["hex", e.dataset.hex, x, y]] : [];
  return hit?.closest("[data-piece]") === e ? [["unit", e.dataset.unit, x, y]] : [];
})"""


def phone(open_page: Callable[..., Page]) -> Table:
    return Table(open_page(390, 844, has_touch=True, is_mobile=True, device_scale_factor=2))


def share_of_map(table: Table) -> float:
    box, size = table.page.locator("main.map").bounding_box(), table.page.viewport_size
    assert box is not None
    assert size is not None
    return box["width"] * box["height"] / (size["width"] * size["height"])


@pytest.mark.parametrize("slug", counterblow.games())
@pytest.mark.parametrize("room", ["200 %", "phone"])
def test_the_map_keeps_half_of_the_screen(open_page: Callable[..., Page], slug: str, room: str) -> None:
    """A desktop of 1440 by 900 at 200 % has 720 by 450; nothing sticks out, and the choices can be reached."""
    table = phone(open_page) if room == "phone" else Table(open_page(720, 450, device_scale_factor=2))
    table.sit_down(battles.find(slug, lambda state: len(state.legal()) > 6, shortest=20))
    page = table.page
    assert share_of_map(table) >= 0.5
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-action]").last.scroll_into_view_if_needed()
    expect(page.locator("[data-action]").last).to_be_in_viewport()
    page.get_by_role("tab", name="Standing").click()
    verdict = page.get_by_test_id("verdict")
    expect(verdict).to_be_in_viewport()
    if room == "phone":  # a sheet, not a cover
        box = page.get_by_role("region", name="Knowledge").bounding_box()
        assert box is not None
        assert box["y"] >= 844 * 0.49
    assert table.axe() == []
    page.get_by_role("button", name="Close").first.click()
    expect(verdict).not_to_be_visible()


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_counters_close_up_are_called_what_they_show(open_page: Callable[..., Page], colours: str) -> None:
    table = Table(open_page(color_scheme=colours))
    table.sit_down(battles.find("leningrad", battles.offers("march ")))
    page = table.page
    page.get_by_role("tab", name="Forces").click()
    page.get_by_role("searchbox", name="Find a unit").fill(table.glowing_units()[0])
    page.locator(".page li button").first.click()  # the map goes there
    expect(page.locator("svg.far")).to_have_count(0)
    expect(table.counter(table.glowing_units()[0])).to_be_in_viewport()
    assert table.axe() == []


@pytest.mark.parametrize("slug", ["narva", "noretreat"])
def test_the_tray_shows_all_it_holds(open_page: Callable[..., Page], slug: str) -> None:
    table = Table(open_page())
    match = battles.find(slug, lambda state: True, shortest=20)
    table.sit_down(match)
    page, view = table.page, match.state.view(match.state.side)
    held = {box["id"]: len(box["units"]) for box in view["boxes"] if box["units"] and box["id"] not in view["losses"]}
    tray = page.get_by_role("region", name="Boxes and cards")
    before = share_of_map(table)
    tray.get_by_role("button", name=re.compile(r"^All \d")).click()
    shown = tray.locator("[data-box]").evaluate_all(
        "all => all.map(b => [b.dataset.box, b.querySelectorAll('.unit').length])"
    )
    assert dict(shown) == held
    frame = tray.locator(".inner").bounding_box()
    assert frame is not None
    for box in tray.locator("[data-box], .card").all():
        spot = box.bounding_box()
        assert spot is not None
        assert spot["x"] >= frame["x"] - 1
        assert spot["x"] + spot["width"] <= frame["x"] + frame["width"] + 1
    tray.locator("[data-box]").last.scroll_into_view_if_needed()
    expect(tray.locator("[data-box]").last).to_be_in_viewport(ratio=0.9)
    assert share_of_map(table) == before  # it unfolds over the map
    assert table.axe() == []
    tray.get_by_role("button", name="Fold").click()
    expect(tray.get_by_role("button", name=re.compile(r"^All \d"))).to_be_visible()


def by_touch(table: Table, asked: Counter[str]) -> str:
    """Answer one decision with a finger: on the map while it is new and in sight, else by its button. Tells how."""
    page, seq = table.page, table.seq
    table.drawn()
    question = re.sub(r"\d+|[A-Z]\w*\.? ?", "", table.prompt)
    asked[question] += 1
    buttons = plain(table)
    seen: list[list[Any]] = page.evaluate(IN_SIGHT)
    if seen and (asked[question] <= OFTEN or not buttons):
        what, name, x, y = next((one for one in seen if one[0] == "hex"), seen[len(seen) // 2])
        page.touchscreen.tap(x, y)
        fanned = page.locator(f'[data-fanned="{name}"]')
        table.asks_whether_to_end()  # a frame later
        if what == "unit" and fanned.is_visible():
            fanned.tap()
        offered = page.get_by_role("group", name="Which one?")
        if offered.is_visible():
            offered.get_by_role("button").first.tap()
        if table.seq == seq and page.locator(".piece.chosen[data-stop]").count():  # its hexes glow now
            _, _, x, y = next(one for one in page.evaluate(IN_SIGHT) if one[0] == "hex")
            page.touchscreen.tap(x, y)
        table.after(seq)
        return str(what)
    ends = next((b for b in buttons if b.startswith(("end", "no", "pass", "decline"))), None)
    page.locator(f'[data-action="{ends or table.choices()[0]}"]').tap()
    if table.asks_whether_to_end():
        page.get_by_role("dialog").get_by_role("button").first.tap()
    table.after(seq)
    return "button"


def test_a_turn_by_touch_on_a_phone(open_page: Callable[..., Page]) -> None:
    """Leningrad from set-up to the second turn, both sides, with one finger."""
    table = phone(open_page)
    page = table.page
    page.goto("/")
    page.get_by_role("button", name="Play Leningrad 1941").tap()
    page.locator("fieldset select").nth(1).select_option(label="A person here")
    page.get_by_role("button", name="Start", exact=True).tap()
    table.ready()
    asked: Counter[str] = Counter()
    ways: Counter[str] = Counter()
    for _ in range(LONGEST):
        if table.turn.startswith("Turn 2"):
            break
        ways[by_touch(table, asked)] += 1
    assert table.turn.startswith("Turn 2")
    assert ways["hex"] > 5
    assert ways["unit"] > 2
    assert ways["button"] > 5
    assert share_of_map(table) >= 0.5


def test_neither_coach_nor_guide_pushes_the_choices_down(open_page: Callable[..., Page]) -> None:
    table = phone(open_page)
    table.sit_down(battles.find("leningrad", battles.offers("march ")))
    first = table.page.locator("[data-action]").first.bounding_box()
    assert first is not None
    for other in (table.page.get_by_role("region", name="Coach"), table.page.get_by_role("region", name="Guide")):
        box = other.bounding_box()
        assert box is not None
        assert box["y"] > first["y"]
