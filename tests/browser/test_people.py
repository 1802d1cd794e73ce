"""Two people at two screens, one of them a phone: from the invitation over clock and messages to the rematch."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.table import Table
from tests.browser.test_trust import deciding, settled, stored_seats

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


def play_a_turn(seats: dict[str, Table]) -> None:
    """Whoever decides takes the last choice, and passes after a while; in the fog neither sees the other's units."""
    settled(*seats.values())
    acted, here = dict.fromkeys(seats, 0), seats["german"]
    first = here.turn
    for _ in range(80):
        if here.turn != first:
            break
        side = deciding(here)
        expect(seats[side].page.locator("[data-action]").first).to_be_visible()
        choices = seats[side].choices()
        seats[side].choose("pass" if "pass" in choices and acted[side] > 3 else choices[-1])
        acted[side] += 1
        settled(*seats.values())
    assert here.turn != first
    assert min(acted.values()) >= 2
    for side, table in seats.items():
        [(match, keys)] = stored_seats(table.page).items()
        shown = table.page.request.get(f"/api/matches/{match}", headers={"Authorization": f"Bearer {keys[side]}"})
        units = shown.json()["view"]["units"]
        assert any(unit.get("hidden") for unit in units if unit["side"] != side)
        assert not any(unit.get("hidden") for unit in units if unit["side"] == side)


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

    there.page.get_by_role("button", name="Close").click()  # on the phone the players lie over the choices
    play_a_turn(seats)
    for table in seats.values():
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


def test_a_player_says_where_he_will_never_react(open_page: Callable[..., Page]) -> None:
    """A remote match of No Retreat!: asked in the other's turn, the player passes there once for all."""
    here = Table(open_page())
    page = here.page
    page.goto("/")
    ask = page.request
    made = ask.post("/api/matches", data={"game": "noretreat", "kind": "remote", "side": "axis"}).json()
    path = f"/api/matches/{made['id']}"
    tokens = made["tokens"] | ask.post(f"{path}/join", data={"invitation": made["invitation"]}).json()["tokens"]
    axis = {"Authorization": f"Bearer {tokens['axis']}"}
    while (state := ask.get(path, headers=axis).json())["decider"] == "axis":
        legal = [action["text"] for action in state["view"]["legal"]]
        action = next((text for text in ("pass", "done") if text in legal), legal[0])
        ask.post(f"{path}/actions", headers=axis, data={"seq": state["seq"], "action": action})
    page.goto(f"/match/{made['id']}#soviet={tokens['soviet']}")
    expect(here.root).to_have_attribute("data-seat", "soviet")
    here.skip_story()
    players(page)
    page.get_by_role("button", name="Pass, and never ask me here again").click()
    expect(page.get_by_text("Never asked: ")).to_be_visible()
    expect(here.root).to_have_attribute("data-seq", str(state["seq"] + 1))
    page.get_by_role("button", name="Ask me again").click()
    expect(page.get_by_text("Never asked: ")).to_have_count(0)
    page.get_by_label("When I may react in the other's turn").select_option(label="ask me only for certain cards")
    expect(page.get_by_role("group", name="Ask me for these cards")).to_contain_text("You hold no card.")
