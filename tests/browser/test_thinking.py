"""A computer player who takes his time: what the person sees of it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.table import Table


def test_a_general_shows_how_far_he_has_thought(table: Table) -> None:
    page = table.page
    page.goto("/")
    page.get_by_role("button", name="Play No Retreat!").click()
    seats = page.locator("fieldset select")
    seats.nth(0).select_option("general")
    seats.nth(1).select_option(label="A person here")
    page.get_by_role("button", name="Start", exact=True).click()
    thought = page.get_by_role("progressbar", name="How far the computer has thought")
    expect(thought).to_be_visible(timeout=30_000)
    assert 0 < thought.evaluate("bar => bar.value") <= 1
