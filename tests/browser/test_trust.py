"""One can trust the table: nothing is lost, nobody sees the other's secrets, and a click hits what was pointed at."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response, expect

import counterblow
from counterblow.kernel.record import Match, read_record, replay
from tests.browser import battles
from tests.browser.table import Table

BEYOND_A_DOUBLE = 2**62 - 3  # a browser would round it


# ---------------------------------------------------------------------- records


def test_a_long_seed_survives_export_import_and_replay(table: Table, tmp_path: Path) -> None:
    page = table.page
    page.goto("/")
    page.get_by_role("button", name="Play Leningrad 1941").click()
    page.locator("fieldset select").nth(1).select_option(label="A person here")
    page.get_by_text("Options and optional rules").click()
    page.get_by_label("Seed of the dice").fill(str(BEYOND_A_DOUBLE))
    page.get_by_role("button", name="Start", exact=True).click()
    table.ready()
    for _ in range(12):
        table.choose(table.choices()[0])
    page.get_by_role("button", name="Share").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export the record").click()
    file = tmp_path / "match.json"
    download.value.save_as(file)
    record = read_record(file)
    assert record["seed"] == BEYOND_A_DOUBLE
    replay(counterblow.load("leningrad"), record)
    page.goto("/")
    page.get_by_label("Record file").set_input_files(file)
    table.ready()
    expect(table.root).to_have_attribute("data-shown", "12")
    page.get_by_role("button", name="Share").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export the record").click()
    download.value.save_as(file)
    assert read_record(file) == record


# ---------------------------------------------------------------------- seats


def stored_seats(page: Page) -> dict[str, dict[str, str]]:
    seats: dict[str, dict[str, str]] = page.evaluate("JSON.parse(localStorage.getItem('counterblow.seats') ?? '{}')")
    return seats


def test_a_seat_given_away_leaves_its_key(open_page: Callable[..., Page]) -> None:
    """At one table: whoever invites somebody to a seat keeps the other one, and nothing of the first."""
    here, there = Table(open_page()), Table(open_page())
    here.sit_down(Match(counterblow.load("narvik"), options={"fog": True}, seed=3))
    page = here.page
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Invite Allied").click()
    address = page.get_by_label("Link for Allied").input_value()
    page.get_by_role("button", name="Done").click()
    key = address.partition("=")[2]
    assert key not in json.dumps(page.evaluate("({...localStorage})"))
    assert list(*stored_seats(page).values()) == ["german"]
    there.page.goto(address)
    expect(there.root).to_have_attribute("data-seat", "allied")
    page.reload()
    expect(here.root).to_have_attribute("data-seat", "german")


def test_two_persons_by_link_with_fog(open_page: Callable[..., Page]) -> None:
    """Two browsers, a whole turn of Narvik: each holds one seat, never hands over, and is told its own side only."""
    here, there = Table(open_page()), Table(open_page())
    told: dict[str, set[str | None]] = {"german": set(), "allied": set()}
    for side, table in (("german", here), ("allied", there)):
        table.page.on("response", partial(note_viewer, told[side]))
    page = here.page
    page.goto("/")
    page.get_by_role("button", name="Play Narvik 1940").click()
    page.locator("fieldset select").nth(1).select_option(label="A person by link")
    page.get_by_label("Name (German)").fill("Dietl")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_test_id("waiting")).to_be_visible()
    there.page.goto(page.get_by_label("Invitation").input_value())
    expect(there.page.get_by_text("You are invited to play Allied against Dietl")).to_be_visible()
    there.page.get_by_role("button", name="Play Allied").click()
    expect(there.root).to_have_attribute("data-seat", "allied")
    expect(here.root).to_have_attribute("data-seat", "german")
    assert [list(seats) for seats in stored_seats(page).values()] == [["german"]]
    assert [list(seats) for seats in stored_seats(there.page).values()] == [["allied"]]

    seats = {"german": here, "allied": there}
    settled(here, there)
    acted = dict.fromkeys(seats, 0)
    first = here.turn
    for _ in range(120):
        if here.turn != first:
            break
        side = deciding(here)
        table = seats[side]
        expect(table.page.locator("[data-action]").first).to_be_visible()
        choices = table.choices()
        table.choose("pass" if "pass" in choices and acted[side] > 6 else choices[-1])
        acted[side] += 1
        settled(here, there)
        for name, shown in seats.items():
            expect(shown.page.get_by_test_id("handover")).to_have_count(0)
            assert shown.root.get_attribute("data-seat") == name
    assert here.turn != first
    assert min(acted.values()) >= 2
    assert told == {"german": {"german"}, "allied": {"allied"}}


def settled(*tables: Table) -> None:
    """All show the same position, and nothing plays itself any more: a button that is read now can be clicked."""
    for _ in range(300):
        for table in tables:
            table.skip_story()
        shown = {(table.root.get_attribute("data-busy"), table.seq) for table in tables}
        if len(shown) == 1 and next(iter(shown))[0] == "false":
            return
        tables[0].page.wait_for_timeout(50)
    raise TimeoutError(f"the tables do not come to rest: {shown}")


def note_viewer(told: set[str | None], answer: Response) -> None:
    """Whose view did the service send?"""
    if re.search(r"/api/matches/[^/]+(/actions)?(\?|$)", answer.url) and answer.ok:
        view = answer.json().get("view")
        if view is not None:
            told.add(view["viewer"])


def deciding(table: Table) -> str:
    """The side that decides now, by the bar on top."""
    return table.page.locator("header .side").inner_text().split()[0].lower()


def test_computer_against_computer_can_be_watched(table: Table) -> None:
    page = table.page
    page.goto("/")
    page.get_by_role("button", name="Play Leningrad 1941").click()
    for seat in (0, 1):
        page.locator("fieldset select").nth(seat).select_option(index=2)
    page.get_by_role("button", name="Start", exact=True).click()
    expect(table.root).to_be_visible()
    expect(page.get_by_test_id("log").locator("li").nth(5)).to_be_visible()
    assert table.choices() == []
    page.reload()
    expect(table.root).to_be_visible()


def test_removing_a_match_asks_first(table: Table) -> None:
    table.begin("Leningrad 1941")
    page = table.page
    page.goto("/")
    page.get_by_role("button", name="Remove Leningrad 1941").click()
    asked = page.get_by_role("dialog", name="Remove Leningrad 1941?")
    expect(asked).to_contain_text("only key")
    page.keyboard.press("Enter")  # the safe answer
    expect(asked).to_be_hidden()
    assert len(stored_seats(page)) == 1
    page.get_by_role("button", name="Remove Leningrad 1941").click()
    asked.get_by_role("button", name="Remove it").click()
    expect(page.get_by_role("button", name="Remove Leningrad 1941")).to_have_count(0)
    assert stored_seats(page) == {}


# ---------------------------------------------------------------------- pointing

PLACES = """() => Object.fromEntries([...document.querySelectorAll(
  "[data-action], [data-unit], [data-hex], .table > header button, [role=tab], .zoom button")].map((e, i) => {
    const b = e.getBoundingClientRect();
    const name = e.dataset.action ?? e.dataset.unit ?? e.dataset.hex ?? e.id ?? e.title;
    return [`${i} ${name}`, [b.x, b.y, b.width, b.height].map(Math.round).join()];
  }))"""


@pytest.mark.parametrize(
    ("slug", "opening"),
    [("leningrad", "bomb 0"), ("narva", "barrage "), ("narvik", "land "), ("noretreat", "target ")],
)
def test_nothing_moves_under_a_resting_pointer(table: Table, slug: str, opening: str) -> None:
    """Pointing opens forecasts and fans; everything stays where it was, and the click does what was pointed at."""
    table.sit_down(battles.find(slug, battles.offers(opening)))
    page = table.page
    before = page.evaluate(PLACES)
    rows = page.locator(".row[data-action]")
    things = [rows.nth(i) for i in range(min(5, rows.count()))]
    counters = page.locator("[data-unit]")
    things += [counters.nth(i) for i in range(0, counters.count(), max(1, counters.count() // 4))]
    for thing in things:
        box = thing.bounding_box()
        frame = page.locator(".panel" if thing in things[: min(5, rows.count())] else ".board").bounding_box()
        assert box is not None
        assert frame is not None
        if box["y"] + box["height"] > frame["y"] + frame["height"]:
            continue  # out of sight
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(350)
        assert page.evaluate(PLACES) == before
    row = rows.nth(min(3, rows.count() - 1))
    wanted = row.get_attribute("data-action")
    box = row.bounding_box()
    assert box is not None
    spot = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*spot)
    page.wait_for_timeout(350)
    under = "([x, y]) => document.elementFromPoint(x, y)?.closest('[data-action]')?.dataset.action"
    assert page.evaluate(under, spot) == wanted
    with page.expect_request("**/actions") as sent:
        page.mouse.click(*spot)
    assert json.loads(sent.value.post_data or "")["actions"][0] == wanted


@pytest.mark.parametrize(("slug", "opening"), [("leningrad", "march "), ("narva", "move "), ("noretreat", "move ")])
def test_escape_lets_go_of_a_unit(table: Table, slug: str, opening: str) -> None:
    table.sit_down(battles.find(slug, battles.offers(opening)))
    offered = table.choices()
    unit = table.glowing_units()[0]
    table.click_unit(unit)
    assert table.choices() != offered
    seq = table.seq
    table.page.keyboard.press("Escape")
    table.after(seq)
    assert table.choices() == offered
    assert unit in table.glowing_units()


def test_a_friend_in_the_way_is_not_entered_by_surprise(table: Table) -> None:
    """A click on another unit chooses that one, also where the first one could go to its hex."""
    table.sit_down(battles.find("leningrad", battles.offers("march "), shortest=1))
    first, *others = table.glowing_units()
    table.click_unit(first)
    there = table.glowing_hexes()
    second = next(unit for unit in others if table.place(unit) in there)
    before = table.place(first)
    table.click_unit(second)
    expect(table.page.get_by_test_id("prompt")).to_contain_text(second)
    assert table.place(first) == before


# ---------------------------------------------------------------------- small screens


def phone(open_page: Callable[..., Page]) -> Page:
    return open_page(390, 844, has_touch=True, is_mobile=True, device_scale_factor=2)


def test_the_start_page_fits_a_phone(open_page: Callable[..., Page]) -> None:
    page = phone(open_page)
    page.goto("/")
    expect(page.get_by_role("article").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    settings = page.get_by_role("button", name="Settings").bounding_box()
    assert settings is not None
    assert settings["x"] + settings["width"] <= 390
    page.get_by_role("button", name="Play Leningrad 1941").tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_the_inspector_can_be_closed_on_a_phone(open_page: Callable[..., Page]) -> None:
    page = phone(open_page)
    table = Table(page)
    table.sit_down(battles.find("leningrad", battles.offers("march ")))
    inspector = page.get_by_test_id("inspector")
    table.counter("16. Corps").tap(force=True)
    expect(inspector).to_be_visible()
    inspector.get_by_role("button", name="Close").tap()
    expect(inspector).to_have_count(0)
