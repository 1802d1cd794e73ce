"""Everybody can play: axe-core finds nothing serious, small screens work, text grows, dark and light are legible."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import counterblow
from tests.browser import battles
from tests.browser.table import Table


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_start_page(open_page: Callable[..., Page], colours: str) -> None:
    table = Table(open_page(color_scheme=colours))
    table.page.goto("/")
    expect(table.page.get_by_role("article").first).to_be_visible()
    assert table.page.get_by_role("article").count() == len(counterblow.games())
    assert table.axe() == []
    table.page.get_by_role("button", name="Play").first.click()
    expect(table.page.get_by_role("dialog")).to_be_visible()
    assert table.axe() == []


@pytest.mark.parametrize("slug", counterblow.games())
def test_board(open_page: Callable[..., Page], slug: str) -> None:
    table = Table(open_page(color_scheme="dark" if slug < "narvik" else "light"))
    table.sit_down(battles.find(slug, lambda state: True, shortest=25))
    for tab in ("Log", "Standing", "Forces", "Charts", "Rules"):
        table.page.get_by_role("tab", name=tab).click()
        assert table.axe() == [], tab


def test_dialogs(table: Table) -> None:
    table.sit_down(battles.leningrad_retreat_and_advance())
    for name in ("Settings", "Share", "Help"):
        table.page.get_by_role("button", name=name).click()
        expect(table.page.get_by_role("dialog")).to_be_visible()
        assert table.axe() == [], name
        table.page.get_by_role("button", name="Done").click()
        expect(table.page.get_by_role("dialog")).to_have_count(0)


def test_large_text_and_dark(table: Table) -> None:
    table.sit_down(battles.leningrad_retreat_and_advance())
    page = table.page
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Text size").select_option("150")
    page.get_by_label("Colours").select_option("dark")
    page.get_by_role("button", name="Done").click()
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "24px"
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.reload()
    table.ready()
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "24px"


@pytest.mark.parametrize(("slug", "opening"), [("leningrad", "march "), ("narva", "end movement")])
def test_phone(open_page: Callable[..., Page], slug: str, opening: str) -> None:
    """A unit is moved by touch on a phone: tap the stack, tap the unit, tap the hex."""
    page = open_page(390, 780, has_touch=True, is_mobile=True, device_scale_factor=2)
    table = Table(page)
    table.sit_down(battles.find(slug, battles.offers(opening)))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert table.axe() == []
    unit = table.glowing_units()[0]
    before = table.place(unit)
    page.get_by_role("tab", name="Forces").tap()
    page.get_by_role("searchbox", name="Find a unit").fill(unit)
    page.locator(".page li button").first.tap()
    page.get_by_role("button", name="Close").tap()
    seq = table.seq
    if page.locator(f'[data-at="{before}"]').count() > 1:
        page.locator(f'[data-at="{before}"]').last.tap(force=True)
        page.locator(f'[data-fanned="{unit}"]').tap()
    else:
        table.counter(unit).tap(force=True)
    table.after(seq)
    goal = next(label for label in table.glowing_hexes() if page.locator(f'[data-at="{label}"]').count() == 0)
    seq = table.seq
    page.locator(f'[data-hex="{goal}"]').tap(force=True)
    table.take_first()
    table.after(seq)
    assert table.place(unit) == goal
    page.get_by_role("tab", name="Log").tap()
    expect(page.get_by_test_id("log")).to_be_visible()
