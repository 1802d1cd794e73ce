"""What the board offers while one plays: battles, undo, explanations, replay, hidden things, a lost connection."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import counterblow
from counterblow.kernel.record import Match, read_record
from counterblow.kernel.state import State
from tests.browser import battles
from tests.browser.conftest import Server
from tests.browser.table import Table


def test_leningrad_battle_with_retreat_and_advance(table: Table) -> None:
    table.sit_down(battles.leningrad_retreat_and_advance())
    fight = next(text for text in table.choices() if text.startswith("fight"))
    table.page.locator(f'[data-action="{fight}"]').hover()
    forecast = table.page.get_by_test_id("forecast")
    expect(forecast).to_be_visible()
    chances = forecast.locator(".chance").all_inner_texts()
    assert 98 <= sum(int(text.strip("%<")) for text in chances) <= 102  # rounded, but all of them
    assert forecast.locator(".modifiers .rule").count() > 0
    table.choose(fight)
    expect(table.page.get_by_test_id("battle").get_by_role("img", name="die")).to_be_visible()

    table.choose("order retreat 0")

    battle_hex = fight.split()[-1]
    retreat = next(text for text in table.choices() if text.startswith("retreat"))
    unit = retreat.removeprefix("retreat ")[:-5]
    assert table.place(unit) == battle_hex
    first = table.glowing_hexes()[0]
    table.click_hex(first)
    assert table.place(unit) == first
    while "retreat" in " ".join(table.choices()):
        table.choose(next(text for text in table.choices() if text.startswith("stay")))

    victor = re.sub(r"^advance | \d{4}$", "", next(text for text in table.choices() if text.startswith("advance")))
    table.click_hex(battle_hex)
    assert table.place(victor) == battle_hex
    assert f"{victor} advances to {battle_hex}" in table.log


def test_narva_battle_with_retreat_and_advance(table: Table) -> None:
    table.sit_down(battles.narva_retreat_and_advance())
    expect(table.page.get_by_test_id("forecast")).to_be_visible()
    table.choose("resolve the attack")
    retreat = next(text for text in table.choices() if text.startswith("retreat"))
    found = re.match(r"retreat (.+) by ([\d-]+)$", retreat)
    assert found is not None
    unit, goal = found[1], found[2].split("-")[-1]
    left = table.place(unit)
    table.page.locator(f'[data-action="{retreat}"]').hover()
    expect(table.page.locator("polyline.path")).to_have_count(2)  # the line and its outline
    table.choose(retreat)
    assert table.place(unit) == goal
    advance = next(text for text in table.choices() if text.startswith("advance"))
    table.choose(advance)
    victor = advance.removeprefix("advance ").partition(" by ")[0]
    assert table.place(victor) == left


@pytest.mark.parametrize(("slug", "aim", "adding"), [("narvik", "at ", "and "), ("leningrad", "commit", "with ")])
def test_units_in_a_planned_attack_are_marked(open_page: Callable[..., Page], slug: str, aim: str, adding: str) -> None:
    def stands(state: State) -> bool:
        decision = state.decision
        building = decision is not None and len(decision.chosen) == 1 and bool(battles.offered(state, aim))
        return building and any(str(action).startswith(adding) for action in state.legal())

    match = battles.find(slug, stands)
    table = Table(open_page())
    table.sit_down(match)
    assert match.state.decision is not None
    first = match.game.unit_names[match.state.decision.chosen[0]]
    assert table.joined_units() == [first]
    second = next(text for text in table.choices() if text.startswith(adding)).removeprefix(adding)
    table.choose(adding + second)
    assert set(table.joined_units()) == {first, second}
    together = table.place(first) == table.place(second)  # then the stack tells how many of it were chosen
    assert ("2" in table.page.locator(".joined[data-unit] .tick text").all_text_contents()) == together
    assert ", chosen," in (table.counter(second).get_attribute("aria-label") or "")
    match.do(adding + second)
    enemy = Table(open_page())
    enemy.sit_down(match, only=next(side for side in match.game.sides if side != match.state.side))
    assert enemy.joined_units() == []


@pytest.mark.parametrize("both_here", [False, True])
def test_capitulation_while_the_enemy_decides(table: Table, both_here: bool) -> None:
    match = Match(counterblow.load("narvik"), seed=5)
    assert match.state.side == "german"
    table.sit_down(match, only=None if both_here else "allied")
    page = table.page
    page.get_by_role("tab", name="Standing").click()
    capitulate = page.get_by_role("button", name="Capitulate (Allied)")
    expect(page.get_by_role("button", name="Capitulate (German)")).to_have_count(int(both_here))
    capitulate.click()
    asked = page.get_by_role("dialog", name="Capitulate as")
    expect(asked).to_contain_text("5.2.a")
    asked.get_by_role("button", name="Play on").click()
    expect(asked).to_be_hidden()
    assert table.seq == 0
    capitulate.click()
    assert table.axe() == []
    asked.get_by_role("button", name="Capitulate").click()
    expect(page.get_by_role("dialog", name="German wins")).to_be_visible()
    page.get_by_role("button", name="Look at the board").click()
    expect(capitulate).to_have_count(0)


def test_no_capitulation_where_no_rule_allows_it(table: Table) -> None:
    table.sit_down(moving())
    table.page.get_by_role("tab", name="Standing").click()
    expect(table.page.get_by_role("heading", name="Tracks")).to_be_visible()
    expect(table.page.get_by_role("button", name="Capitulate")).to_have_count(0)


def test_undo_takes_back_a_move(table: Table) -> None:
    table.sit_down(moving())
    unit = table.glowing_units()[0]
    before = table.place(unit)
    table.click_unit(unit)
    goal = next(label for label in table.glowing_hexes() if label != before)
    table.click_hex(goal)
    assert table.place(unit) == goal
    for _ in range(2):
        seq = table.seq
        table.page.get_by_role("button", name="Undo").click()
        table.after(seq)
    assert table.place(unit) == before
    assert unit in table.glowing_units()


def test_another_unit_can_be_chosen_instead(table: Table) -> None:
    table.sit_down(moving())
    first = table.glowing_units()[0]
    second = next(u for u in table.glowing_units() if u != first and table.place(u) == table.place(first))
    table.click_unit(first)
    assert first in table.prompt
    table.click_unit(second)
    expect(table.page.get_by_test_id("prompt")).to_contain_text(second)


def test_an_end_asks_only_when_something_of_value_is_left_undone(table: Table) -> None:
    table.sit_down(moving())
    page, seq = table.page, table.seq
    units = len(table.glowing_units())
    page.locator('[data-action="end movement"]').click()
    asked = page.get_by_role("dialog", name="End movement?")
    expect(asked).to_contain_text(f"None of the {units} units that can march has moved")
    asked.get_by_role("button", name="Not yet").click()
    expect(asked).to_be_hidden()
    assert table.seq == seq
    table.click_unit(table.glowing_units()[0])
    table.click_hex(table.glowing_hexes()[0])
    seq = table.seq
    page.locator('[data-action="end movement"]').click()
    table.after(seq)
    expect(asked).to_have_count(0)


def test_a_destination_tells_what_it_would_do(table: Table) -> None:
    """Beside the hex, before the click; and it goes when the pointer goes."""
    match = moving()
    table.sit_down(match)
    unit = table.glowing_units()[0]
    match.do(f"march {unit}")
    told = {str(a).removeprefix("to "): match.state.forecast(a) for a in match.state.legal() if a.kind == "to"}
    goal, forecast = next((label, found) for label, found in told.items() if found)
    table.click_unit(unit)
    table.bring_in_sight(table.hex(goal))
    table.hex(goal).hover()
    shown = table.page.get_by_test_id("consequences")
    expect(shown).to_be_visible()
    assert [text.lower() for text in shown.locator("li").all_inner_texts()] == [n.lower() for n in forecast.notes]
    table.page.mouse.move(3, 3)
    expect(shown).to_have_count(0)


def test_a_frame_gathers_several_units(table: Table) -> None:
    """Shift and a drag: who lies in the frame is chosen, and goes where the first one is sent."""
    table.sit_down(moving())
    page = table.page
    able = table.glowing_units()
    boxes = [box for box in (table.counter(unit).bounding_box() for unit in able) if box]
    page.keyboard.down("Shift")
    page.mouse.move(min(b["x"] for b in boxes) - 12, min(b["y"] for b in boxes) - 12)
    page.mouse.down()
    page.mouse.move(
        max(b["x"] + b["width"] for b in boxes) + 12, max(b["y"] + b["height"] for b in boxes) + 12, steps=4
    )
    expect(page.locator(".board .frame")).to_be_visible()
    page.mouse.up()
    page.keyboard.up("Shift")
    expect(page.locator(".board .frame")).to_have_count(0)
    expect(page.locator(".piece.chosen[data-unit]")).to_have_count(len(able))
    page.keyboard.press("Escape")
    expect(page.locator(".piece.chosen[data-unit]")).to_have_count(0)
    assert table.glowing_units() == able


def test_a_way_is_chosen_hex_by_hex(table: Table) -> None:
    def stands(state: State) -> bool:
        return state.side == "axis" and bool(battles.offered(state, "move "))

    table.sit_down(battles.find("noretreat", stands))
    page = table.page
    unit = table.glowing_units()[0]
    start = table.place(unit)
    table.click_unit(unit)
    page.get_by_role("button", name="Way hex by hex").click()
    first = table.glowing_hexes()[0]
    table.hex_spot(first)
    expect(page.locator("polyline.path")).to_have_count(2)  # the line and its outline
    second = next(label for label in table.glowing_hexes() if label not in (first, start))
    table.hex_spot(second)
    expect(page.locator(f'[data-hex="{second}"]')).to_have_count(1)
    table.click_hex(second)
    assert table.place(unit) == second
    with_way = page.get_by_test_id("log").locator("li", has_text=f"{unit} moves").last
    with_way.hover()
    expect(page.locator(".lit")).to_have_count(3)  # from, through, to


def test_states_are_large_badges(table: Table) -> None:
    def disrupted(state: State) -> bool:
        return any("disrupted" in unit["markers"] for unit in state.view(None)["units"])

    match = battles.find("leningrad", disrupted)
    table.sit_down(match)
    unit = next(u["name"] for u in match.state.view(None)["units"] if "disrupted" in u["markers"])
    badge, counter = table.counter(unit).locator('[data-badge="disrupted"] circle'), table.counter(unit)
    own, whole = badge.bounding_box(), counter.locator("rect").first.bounding_box()
    assert own is not None
    assert whole is not None
    assert own["width"] > 0.38 * whole["width"]
    assert "disrupted" in (counter.get_attribute("aria-label") or "")


@pytest.mark.parametrize("slug", counterblow.games())
def test_how_do_i_stand(table: Table, slug: str) -> None:
    """What victory needs, how it stands, turns left, what would change it, by rule; and who was eliminated."""
    match = battles.find(slug, lambda state: True, shortest=20)
    table.sit_down(match)
    page = table.page
    page.get_by_role("tab", name="Standing").click()
    panel = page.get_by_role("tabpanel")
    standing = match.state.view(match.state.side)["standing"]
    expect(page.get_by_test_id("verdict")).to_contain_text(f"{standing['turns_left']} turns left")
    shown = panel.locator("li").all_inner_texts()
    lines = [*standing["needs"], *standing["changes"]]
    assert len(shown) == len(lines)
    for text, line in zip(shown, lines, strict=True):
        assert line["text"] in text
        assert line["now"] in text
        assert line["rule"] in text
    placed = next(line for line in lines if line["hexes"])
    panel.locator("li").nth(lines.index(placed)).hover()
    expect(page.locator(".lit")).to_have_count(len(placed["hexes"]))
    expect(panel.get_by_role("heading", name="Eliminated")).to_be_visible()
    panel.locator("li .rule").first.click()
    expect(page.get_by_role("tab", name="Rules")).to_have_attribute("aria-selected", "true")


def test_actions_of_narvik_tell_their_price(table: Table) -> None:
    match = battles.find("narvik", battles.offers("movement "))
    table.sit_down(match)
    narvik: Any = match.game
    rows = narvik.tables.actions
    headings = table.page.locator(".choices thead th").all_inner_texts()[1:]
    kinds = [text.split("\n")[0].lower() for text in headings]
    assert len(kinds) > 1
    assert [text.split("\n")[1] for text in headings] == [f"{rows[kind].ap} AP" for kind in kinds]
    cell = table.page.locator(".choices td button").first
    assert cell.inner_text().endswith(f"{rows[kinds[0]].ap} AP")


def moving() -> Match:
    """The first movement phase of Leningrad's Germans."""
    return battles.find("leningrad", battles.offers("march "), shortest=1)


def test_an_illegal_click_says_why(table: Table) -> None:
    table.sit_down(moving())
    table.click_unit(table.glowing_units()[0])
    seq = table.seq
    frame = table.page.get_by_role("region", name="Map of").bounding_box()
    assert frame is not None
    table.page.mouse.click(frame["x"] + frame["width"] * 0.78, frame["y"] + frame["height"] * 0.42)
    notice = table.page.get_by_role("alert")
    expect(notice).to_be_visible()
    assert "7.4" in " ".join(table.rules_of(notice))
    assert table.seq == seq
    notice.locator(".rule").first.click()
    expect(table.page.get_by_role("tab", name="Rules")).to_have_attribute("aria-selected", "true")
    expect(table.page.locator(".chapters [data-rule].now")).to_be_visible()


def test_an_illegal_unit_says_why(table: Table) -> None:
    table.sit_down(moving())
    enemy = table.page.locator('[data-unit="16. Corps"]')
    enemy.click(force=True)
    expect(table.page.get_by_role("alert")).to_be_visible()
    assert table.rules_of(table.page.get_by_role("alert"))


@pytest.mark.parametrize("slug", ["leningrad", "noretreat"])
def test_replay(table: Table, slug: str) -> None:
    match = battles.find(slug, lambda state: True, shortest=30)
    table.sit_down(match)
    page = table.page
    page.get_by_role("button", name="Replay").click()
    slider = page.get_by_role("slider", name="Move")
    expect(slider).to_have_value("30")
    page.keyboard.press("Home")
    expect(table.root).to_have_attribute("data-shown", "0")
    page.keyboard.press("ArrowRight")
    expect(table.root).to_have_attribute("data-shown", "1")
    state = match.state_at(1)
    shown = dict(page.locator("[data-unit]").evaluate_all("all => all.map(u => [u.dataset.unit, u.dataset.at])"))
    assert shown == {u["name"]: u["at"] for u in state.view(None)["units"] if not u.get("hidden")}
    assert page.url.endswith("/1")
    page.goto(page.url.removesuffix("/1") + "/7")  # a link to a move
    expect(table.root).to_have_attribute("data-shown", "7")
    expect(slider).to_have_value("7")
    page.get_by_role("button", name="Back to play").click()
    expect(page.locator("[data-action]").first).to_be_visible()


def test_the_record_goes_out_and_comes_back(table: Table, tmp_path: Path) -> None:
    match = battles.find("leningrad", lambda state: True, shortest=12)
    table.sit_down(match)
    page = table.page
    page.get_by_role("button", name="Share").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export the record").click()
    file = tmp_path / "match.json"
    download.value.save_as(file)
    assert read_record(file)["actions"] == [str(action) for action in match.actions]
    page.goto("/")
    page.get_by_label("Record file").set_input_files(file)
    table.ready()
    expect(table.root).to_have_attribute("data-shown", "12")
    file.write_text("{", encoding="utf-8")
    page.goto("/")
    page.get_by_label("Record file").set_input_files(file)
    expect(page.get_by_role("alert")).to_contain_text("match.json is not a record")


def test_hidden_things_are_handed_over(table: Table) -> None:
    """With hands of cards, the board of one player is gone before the other one looks."""
    match = battles.find("noretreat", lambda state: state.decision is not None and state.side == "axis", shortest=3)
    side = match.state.side
    table.sit_down(match)
    for _ in range(60):
        expect(table.root).to_have_attribute("data-busy", "false")
        buttons = table.choices()
        seq = table.seq
        table.page.locator(f'[data-action="{buttons[-1]}"]').click()
        table.page.wait_for_function(
            "seq => document.querySelector('[data-testid=handover]') || "
            "document.querySelector('[data-testid=table]')?.dataset.seq !== seq",
            arg=str(seq),
        )
        if table.page.get_by_test_id("handover").is_visible():
            break
    handover = table.page.get_by_test_id("handover")
    expect(handover).to_be_visible()
    assert table.page.locator("[data-unit], [data-action], .card").count() == 0
    table.page.reload()
    expect(handover).to_be_visible()
    assert table.page.locator("[data-unit], [data-action], .card").count() == 0
    handover.get_by_role("button").click()
    table.ready()
    assert side is not None
    assert table.prompt.split("\n")[0].lower() != side


def test_a_lost_connection_comes_back(open_page: Callable[..., Page], server: Server) -> None:
    table = Table(open_page())
    table.begin("Leningrad 1941")
    table.choose(table.choices()[0])
    shown = table.prompt
    server.kill()
    expect(table.page.get_by_text("Connection lost")).to_be_visible()
    seq = table.seq
    table.page.locator("[data-action]").first.click()
    expect(table.page.get_by_role("alert")).to_contain_text("does not answer")
    server.start()
    expect(table.page.get_by_text("Connection lost")).to_be_hidden()
    assert table.prompt == shown
    assert table.seq == seq
    table.choose(table.choices()[0])
    assert table.prompt != shown


def test_against_the_computer(table: Table) -> None:
    """Two clicks from the start page, and the computer answers by itself."""
    table.begin("Leningrad 1941", alone=True)
    expect(table.page.locator("[data-action]").first).to_be_visible()
    assert "German" in table.prompt
    assert "starts in" in table.log  # the Russian set-up, made by the computer


def test_overlay_and_log_light_the_map(table: Table) -> None:
    table.sit_down(battles.leningrad_retreat_and_advance())
    page = table.page
    page.get_by_role("button", name="Overlays").click()
    page.get_by_role("button", name="Zones of control, Russian").click()
    expect(page.locator(".heat").first).to_be_visible()
    page.get_by_role("button", name="Nothing").click()
    expect(page.locator(".heat")).to_have_count(0)
    page.get_by_test_id("log").locator(".text", has_text=re.compile(r"marches to|goes by rail|digs in")).first.hover()
    expect(page.locator(".lit").first).to_be_visible()


def test_forced_choices_play_themselves(table: Table) -> None:
    """And the log says so; without dice, and not where the player would rather not have it."""

    def forced(state: State) -> bool:
        legal, decision = state.legal(), state.decision
        assert decision is not None
        return len(legal) == 1 and decision.passes is None and state.forecast(legal[0]) is None

    match = battles.find("leningrad", forced, shortest=5)
    only = str(match.state.legal()[0])
    table.page.goto("/")
    table.page.evaluate("localStorage.setItem('counterblow.settings', JSON.stringify({autoPlay: false}))")
    table.sit_down(match)
    assert table.choices() == [only]
    page = table.page
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Play forced choices").check()
    page.get_by_role("button", name="Done").click()
    seq = table.seq
    page.reload()
    table.after(seq)
    assert only not in table.choices()
    expect(page.get_by_test_id("log").get_by_text("the only choice")).to_be_visible()
