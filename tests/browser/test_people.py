"""Two people at two screens, one of them a phone: from the invitation over clock and messages to the rematch."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.table import Table

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def players(page: Page) -> None:
    """Open the tab with the two players; changing tabs puts away what lies over them."""
    for tab in ("Log", "Players"):
        page.get_by_role("tab", name=tab).click()
    expect(page.get_by_test_id("people")).to_be_visible()


def begin_by_link(here: Table, there: Table) -> None:
    page = here.page
    page.goto("/")
    page.get_by_role("button", name="Play Narvik 1940").click()
    page.locator("fieldset select").nth(1).select_option(label="A person by link")
    page.get_by_label("Clock").select_option(label="Three days a turn")
    page.get_by_role("button", name="Start", exact=True).click()
    there.page.goto(page.get_by_label("Invitation").input_value())
    there.page.get_by_role("button", name="Play Allied").click()
    expect(there.root).to_have_attribute("data-seat", "allied")
    expect(here.root).to_have_attribute("data-seat", "german")


def test_from_invitation_to_rematch(open_page: Callable[..., Page]) -> None:
    here, there = Table(open_page()), Table(open_page(**PHONE))
    begin_by_link(here, there)
    seats = {"german": here, "allied": there}
    for table in seats.values():
        players(table.page)
    side = here.page.locator("header .side").inner_text().split()[0].lower()
    expect(here.page.locator(f'[data-clock="{side}"]')).to_have_text(re.compile(r"^(3 d 0 h|2 d 23 h)$"))
    expect(there.page.get_by_test_id("people")).to_contain_text("nobody until the end")

    here.page.get_by_label("Message").fill("Good <i>luck</i>")
    here.page.get_by_role("button", name="Send").click()
    expect(there.page.get_by_text("Good <i>luck</i>")).to_be_visible()

    acting = seats[side]
    if acting is there:  # on the phone the players lie over the choices
        there.page.get_by_role("button", name="Close").click()
    acting.choose(acting.choices()[-1])
    for table in seats.values():
        expect(table.root).to_have_attribute("data-seq", str(acting.seq))
        table.skip_story()
        players(table.page)

    here.page.get_by_role("button", name="Offer a draw").click()
    there.page.get_by_role("button", name="Decline").click()
    expect(here.page.get_by_text("You have offered a draw.")).to_have_count(0)

    there.page.get_by_role("button", name="Resign").click()
    there.page.get_by_role("dialog").get_by_role("button", name="Resign", exact=True).click()
    for table in seats.values():
        expect(table.page.get_by_role("dialog")).to_contain_text("resigned")
        table.page.keyboard.press("Escape")
    here.page.get_by_role("button", name="Offer a rematch").click()
    there.page.get_by_role("button", name="Accept").click()
    for table in seats.values():
        table.page.get_by_role("button", name="Go to the rematch").click()
    expect(here.root).to_have_attribute("data-seat", "allied")
    expect(there.root).to_have_attribute("data-seat", "german")


def test_the_lobby_and_an_account(open_page: Callable[..., Page]) -> None:
    here, there = open_page(), open_page()
    for page, name in ((here, "Ann"), (there, "Bob")):
        page.goto("/")
        page.get_by_test_id("lobby").get_by_role("button", name="Sign in").click()
        account = page.get_by_test_id("account")
        account.get_by_label("Name").fill(name)
        account.get_by_label("Password").fill("correct horse")
        account.get_by_role("button", name="New account").click()
        expect(account.get_by_role("heading", name=name)).to_be_visible()
        account.get_by_role("button", name="Done").click()
    here.get_by_role("button", name="Play Narvik 1940").click()
    here.locator("fieldset select").nth(1).select_option(label="A person by link")
    here.get_by_label("Anybody may join").check()
    here.get_by_role("button", name="Start", exact=True).click()
    expect(here.get_by_test_id("waiting")).to_be_visible()
    there.reload()
    there.get_by_test_id("lobby").get_by_role("button", name="Join Narvik 1940").click()
    expect(Table(there).root).to_have_attribute("data-seat", "allied")
    expect(Table(here).root).to_have_attribute("data-seat", "german")
    there.evaluate("localStorage.clear()")  # the account keeps the seat
    there.reload()
    expect(Table(there).root).to_have_attribute("data-seat", "allied")
