"""Learning in the browser: lessons on the real board, the rulebook that answers, briefing and guide."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import counterblow
from counterblow.learn.check import check
from tests.browser.table import Table
from tests.browser.test_people import PHONE, begin_by_link, players

SLUGS = counterblow.games()


def step(page: Page) -> str:
    return page.get_by_test_id("lesson").get_attribute("data-step") or ""


def choose(page: Page, text: str) -> None:
    """By the list of choices, as a keyboard does: long lists are searched first."""
    find = page.get_by_placeholder("Find among")
    if find.count():
        find.fill(text)
    page.locator(f'[data-action="{text}"]').click()


def give(page: Page, given: str) -> None:
    """One input of a lesson as written: go on, try what is forbidden, or choose."""
    lesson = page.get_by_test_id("lesson")
    if given == "":
        lesson.get_by_role("button", name="Go on").click()
    elif lesson.get_by_role("button", name="Try it").count():
        lesson.get_by_role("button", name="Try it").click()
    else:
        choose(page, given)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_first_lesson_two_clicks_from_the_start_page_to_its_end(table: Table, slug: str) -> None:
    """One click leads to the lesson, the second is the first own move; at the end it is remembered."""
    page, game = table.page, counterblow.load(slug)
    page.goto("/")
    page.get_by_role("button", name=f"Learn {game.title}").click()
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-step", "1")
    assert table.axe() == []
    inputs = check(game.lessons[0]).inputs
    assert inputs[0] != "", "the first thing to do is to act"
    for number, given in enumerate(inputs):
        expect(page.get_by_test_id("lesson")).to_have_attribute("data-inputs", str(number))
        give(page, given)
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-step", "over")
    page.get_by_role("link", name="All lessons").click()
    expect(page.get_by_role("listitem").first).to_contain_text("(done)")
    expect(page.get_by_role("main")).to_contain_text(game.lessons[1].title)
    assert table.axe() == []


def test_wrong_turns_are_answered_and_the_board_explains(table: Table) -> None:
    page = table.page
    page.goto("/learn/leningrad/first-march")
    lesson = page.get_by_test_id("lesson")
    choose(page, "end movement")
    expect(lesson).to_contain_text("First I. Korps, in the lit hex.")
    assert step(page) == "1"
    choose(page, "march I. Korps")
    expect(lesson).to_have_attribute("data-step", "2")
    table.ready()
    page.locator('[data-hex="0417"], [data-at="0417"]').first.click(force=True)
    expect(lesson).to_contain_text("The Russian corps stands there.")
    choose(page, "to 0518")
    expect(lesson).to_have_attribute("data-step", "3")
    lesson.get_by_role("button", name="Try it: march I. Korps").click()
    expect(lesson).to_contain_text("has moved this turn")
    expect(lesson).to_have_attribute("data-step", "4")
    lesson.get_by_role("button", name="Rule 1.10").click()
    expect(page.locator('.chapters [data-rule="1.10"].now')).to_be_visible()


def test_a_lesson_is_left_resumed_taken_back_and_begun_again(table: Table) -> None:
    page = table.page
    page.goto("/learn/leningrad/first-march")
    choose(page, "march I. Korps")
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-step", "2")
    page.reload()
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-step", "2")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-step", "1")
    choose(page, "march I. Korps")
    choose(page, "to 0518")
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-step", "3")
    page.get_by_role("button", name="Start again").click()
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-step", "1")
    page.get_by_test_id("lesson").get_by_role("link", name="Leave").click()
    expect(page).to_have_url("/learn/leningrad")


def test_the_other_side_acts_in_a_lesson(table: Table) -> None:
    page = table.page
    page.goto("/learn/narva/retreat")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-step", "2")
    table.ready()
    choose(page, "step loss on 61F")
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-step", "3")


@pytest.mark.parametrize(
    ("slug", "scheme"), [("narvik", "dark"), ("leningrad", "light"), ("narva", "dark"), ("noretreat", "light")]
)
def test_a_lesson_on_a_phone_in_light_and_dark(open_page: Callable[..., Page], slug: str, scheme: str) -> None:
    page = open_page(390, 780, has_touch=True, is_mobile=True, device_scale_factor=2, color_scheme=scheme)
    table, lesson = Table(page), counterblow.load(slug).lessons[0]
    page.goto(f"/learn/{slug}/{lesson.name}")
    expect(page.get_by_test_id("lesson")).to_be_visible()
    expect(page.get_by_test_id("lesson").get_by_text(lesson.title)).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert table.axe() == []
    page.locator(f'[data-action="{lesson.steps[0].do[0][0]}"]').tap()
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-step", "2")


def test_a_whole_lesson_by_keyboard_alone(table: Table) -> None:
    """To "Done." without a pointer: c goes to the choices, arrows through them; a button to press has the focus."""
    page = table.page
    page.goto("/learn/noretreat/first-move")
    lesson = page.get_by_test_id("lesson")
    table.ready()
    for number, given in enumerate(check(counterblow.load("noretreat").lessons[0]).inputs):
        expect(lesson).to_have_attribute("data-inputs", str(number))
        table.ready()
        if lesson.get_by_role("button", name="Try it").count():
            expect(lesson.get_by_role("button", name="Try it")).to_be_focused()
        else:
            page.keyboard.press("c")
            walk_to(page, given)
        page.keyboard.press("Enter")
    expect(lesson).to_have_attribute("data-step", "over")
    expect(lesson.get_by_role("link", name="Next lesson")).to_be_focused()


def walk_to(page: Page, action: str) -> None:
    """Down the list of choices."""
    for _ in range(60):
        if page.evaluate("document.activeElement?.dataset?.action") == action:
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"no arrow leads to {action}")


def test_the_likely_choice_in_a_lesson_is_what_it_asks_for(table: Table) -> None:
    """Elsewhere the big button ends the phase: a pupil would press it first."""
    page = table.page
    page.goto("/learn/leningrad/first-march")
    expect(page.locator('[data-action="end movement"]')).to_be_visible()
    expect(page.locator("[data-action].primary")).to_have_count(0)
    for number, given in enumerate(check(counterblow.load("leningrad").lessons[0]).inputs[:-1], 1):
        give(page, given)
        expect(page.get_by_test_id("lesson")).to_have_attribute("data-inputs", str(number))
    expect(page.locator("[data-action].primary")).to_have_attribute("data-action", "end movement")


def test_the_rules_are_printed_whole_and_without_buttons(table: Table) -> None:
    page = table.page
    page.goto("/rules/narvik")
    expect(page.locator("[data-rule]").first).to_be_visible()
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    expect(page.get_by_role("searchbox", name="Search the rules")).to_be_hidden()
    assert page.get_by_role("button", name="On the board").count() == 0
    assert page.locator(".chapters [data-rule]:visible").count() == len(counterblow.load("narvik").rules)


def test_the_rulebook_answers(open_page: Callable[..., Page]) -> None:
    table = Table(open_page(color_scheme="dark"))
    page = table.page
    page.goto("/rules/narva")
    page.get_by_role("searchbox", name="Search the rules").fill("can tanks cross ice")
    expect(page.locator("[data-rule]").first).to_have_attribute("data-rule", "6.2.2e")
    assert table.axe() == []
    page.get_by_role("button", name="On the board").first.click()
    expect(page.get_by_role("img", name="Position:")).to_be_visible()
    expect(page.locator("[data-rule]").first).to_contain_text("The ice carries men, not tanks")
    page.get_by_role("searchbox", name="Search the rules").fill("")
    expect(page.get_by_role("heading", name="13 How to win")).to_be_visible()
    assert table.axe() == []
    page.get_by_role("button", name="barrage", exact=True).first.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("Shells on an enemy hex")
    page.goto("/rules/narva#9.5.3a")
    page.reload()
    expect(page.locator('.chapters [data-rule="9.5.3a"].now')).to_be_in_viewport()


def test_briefing_guide_and_the_rules_that_hold_now(table: Table) -> None:
    page = table.page
    page.goto("/")
    page.get_by_role("button", name="Play Leningrad 1941").click()
    expect(page.get_by_role("dialog")).to_contain_text("How it is won.")
    expect(page.get_by_role("dialog")).to_contain_text("You lead Army Group North")
    page.locator("fieldset select").nth(1).select_option(label="A person here")
    page.get_by_role("button", name="Start", exact=True).click()
    table.ready()
    expect(page.get_by_test_id("guide")).to_contain_text("sets up")
    assert table.axe() == []
    page.get_by_role("tab", name="Rules").click()
    expect(page.get_by_label("Rules that hold now").locator("[data-rule]").first).to_be_visible()
    assert table.axe() == []
    page.get_by_role("button", name="Guide off").click()
    expect(page.get_by_test_id("guide")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("button", name="Guide on")).to_be_visible()


def test_the_coach_answers_when_both_at_one_screen_agree(table: Table) -> None:
    page = table.page
    table.begin("Leningrad 1941")
    page.get_by_role("button", name="What would you do?").click()
    page.get_by_role("button", name="We agree").click()
    expect(page.get_by_label("Coach").get_by_role("listitem").first).to_be_visible()
    expect(page.get_by_label("Coach")).to_contain_text("best")
    assert table.axe() == []


def test_two_at_two_screens_agree_on_the_coach_and_either_ends_it(open_page: Callable[..., Page]) -> None:
    here, there = Table(open_page()), Table(open_page(**PHONE))
    begin_by_link(here, there)
    tables = {"german": here, "allied": there}
    side = here.page.locator("header .side").inner_text().split()[0].lower()
    acting = tables[side].page
    for table in tables.values():
        players(table.page)
    here.page.get_by_role("button", name="Let both ask the coach").click()
    there.page.get_by_role("button", name="Accept").click()
    for table in tables.values():
        expect(table.page.get_by_text("Both may ask the coach.")).to_be_visible()
    assert there.axe() == []
    expect(acting.get_by_role("button", name="What would you do?")).to_have_count(1)

    here.page.get_by_role("button", name="No more coach").click()
    for table in tables.values():
        expect(table.page.get_by_text("Both may ask the coach.")).to_have_count(0)
        expect(table.page.get_by_role("button", name="Accept")).to_have_count(0)
        expect(table.page.get_by_role("button", name="Let both ask the coach")).to_be_enabled()
    expect(acting.get_by_role("button", name="What would you do?")).to_have_count(0)
