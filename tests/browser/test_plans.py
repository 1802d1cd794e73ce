"""Why the computer did it, and its offer to resign: what the person sees of them."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from tests.browser.table import Table


def begin_against_officer(table: Table) -> None:
    """Leningrad's Russians are the computer's: they set up first, and the Germans are to decide."""
    page = table.page
    page.goto("/")
    page.get_by_role("button", name="Play Leningrad 1941").click()
    page.locator("fieldset select").nth(1).select_option("officer")
    page.get_by_role("button", name="Start", exact=True).click()
    table.ready()


def test_the_plans_are_told_by_the_coach_and_at_the_end_by_the_log(table: Table) -> None:
    page = table.page
    begin_against_officer(table)
    table.skip_story()
    page.get_by_role("button", name="What is the enemy's plan?").click()
    expect(page.get_by_label("Coach").locator(".plans li").first).to_contain_text("48. Army starts in")
    expect(page.get_by_test_id("log").locator(".plan")).to_have_count(0)
    match, token = table.seat()
    page.context.request.post(f"/api/matches/{match}/resign", headers={"Authorization": f"Bearer {token}"}, data={})
    page.get_by_role("button", name="Look at the board").click()
    expect(page.get_by_test_id("log").locator(".plan").first).to_be_visible()


def test_an_offer_to_resign_is_shown_and_may_be_left_alone(table: Table) -> None:
    """The service's own tests show when a computer offers it; here it is put into the answer."""
    page = table.page

    def offer(route: Route) -> None:
        answer = route.fetch()
        info = answer.json()
        info["people"]["offers"] = [{"side": "russian", "kind": "resign", "seq": info["seq"]}]
        route.fulfill(response=answer, json=info)

    page.route("**/info", offer)
    begin_against_officer(table)
    table.skip_story()
    shown = page.get_by_test_id("surrender")
    expect(shown).to_contain_text("Russian (computer) has no hope left and offers to resign.")
    expect(shown.get_by_role("button", name="Accept")).to_be_visible()
    shown.get_by_role("button", name="Play on").click()
    expect(shown).to_have_count(0)
    expect(page.locator("[data-action]").first).to_be_visible()


def test_a_temperament_is_chosen_before_the_match(table: Table) -> None:
    page = table.page
    page.goto("/")
    page.get_by_role("button", name="Play Leningrad 1941").click()
    page.locator("fieldset select").nth(1).select_option("officer")
    page.get_by_label("Temperament (Russian)").select_option("bold")
    page.get_by_role("button", name="Start", exact=True).click()
    table.ready()
    match, token = table.seat()
    seats = page.context.request.get(f"/api/matches/{match}", headers={"Authorization": f"Bearer {token}"}).json()[
        "seats"
    ]
    assert [seat["player"] for seat in seats] == [None, "officer:bold"]
