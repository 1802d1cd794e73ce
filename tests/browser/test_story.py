"""See what happened: what others did is shown action by action, nothing of it is missed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocketRoute, expect

from counterblow.kernel.record import Match
from counterblow.kernel.state import State
from tests.browser import battles
from tests.browser.table import Table

# notes every scene that is shown: its ply, its words, whether an arrow or a battle was to be seen with it
WATCH = """() => {
  window.scenes = [];
  new MutationObserver(() => {
    const told = document.querySelector("[data-testid=told]");
    if (!told || !told.dataset.scene) return;
    const ply = Number(told.dataset.scene);
    let scene = window.scenes.at(-1);
    if (scene?.ply !== ply) {
      scene = {ply, text: told.querySelector(".words").innerText, arrow: false, card: false};
      window.scenes.push(scene);
    }
    scene.arrow ||= document.querySelector("[data-arrow]") !== null;
    scene.card ||= document.querySelector("[data-testid=battle]") !== null;
  }).observe(document.body, {subtree: true, childList: true, attributes: true});
}"""


def entries(table: Table) -> list[dict[str, Any]]:
    """The log as the service tells it to this seat."""
    found: list[dict[str, Any]] = table.page.evaluate(
        """async () => {
          const id = location.pathname.split("/")[2];
          const [token] = Object.values(JSON.parse(localStorage.getItem("counterblow.seats"))[id]);
          const answer = await fetch(`/api/matches/${id}/log`, {headers: {Authorization: `Bearer ${token}`}});
          return (await answer.json()).entries;
        }"""
    )
    return found


def scenes(table: Table) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = table.page.evaluate("window.scenes")
    return found


def judge(shown: list[dict[str, Any]], log: list[dict[str, Any]], after: int) -> None:
    """Every action that left a trace was on the screen once, in order, with its arrow or its battle."""
    wanted = sorted({entry["ply"] for entry in log if entry["ply"] > after and entry["side"] == "russian"})
    assert [scene["ply"] for scene in shown] == wanted
    for scene in shown:
        told = [entry for entry in log if entry["ply"] == scene["ply"]]
        for entry in told[:4]:
            assert entry["text"].partition(" (")[0] in scene["text"]
        if any(entry["kind"] in ("move", "rail", "fleet", "retreat", "advance") for entry in told):
            assert scene["arrow"], scene
        if any(entry["dice"] for entry in told):
            assert scene["card"], scene


def before_the_russian_turn() -> Match:
    """Leningrad's Germans are about to end their first combat phase; then the Russians move."""

    def stands(state: State) -> bool:
        if state.side != "german" or [str(action) for action in state.legal()] != ["end attacks"]:
            return False
        state = state.copy()
        state.do("end attacks")
        return state.side == "russian" and sum(str(action).startswith("march") for action in state.legal()) > 3

    return battles.find("leningrad", stands)


def test_the_turn_of_the_computer_is_seen(table: Table) -> None:
    match = before_the_russian_turn()
    table.sit_down(match, computer="russian")
    page = table.page
    page.evaluate(WATCH)
    seq = table.seq
    page.locator('[data-action="end attacks"]').click()
    expect(page.get_by_test_id("told")).to_be_visible()
    assert table.choices() == []  # first see, then decide
    table.after(seq)
    expect(page.get_by_test_id("told")).to_have_count(0)
    expect(page.locator("[data-action]").first).to_be_visible()
    shown = scenes(table)
    assert len(shown) >= 5
    judge(shown, entries(table), len(match.actions) + 1)

    page.evaluate(WATCH)
    page.get_by_role("button", name="Their turn").click()  # once more
    expect(page.get_by_test_id("told")).to_have_attribute("data-scene", str(shown[1]["ply"]))
    page.get_by_role("button", name="Pause").click()
    stopped = page.get_by_test_id("told").get_attribute("data-scene")
    page.wait_for_timeout(1500)
    assert page.get_by_test_id("told").get_attribute("data-scene") == stopped
    page.get_by_role("button", name="Step").click()
    expect(page.get_by_test_id("told")).not_to_have_attribute("data-scene", stopped or "")
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_test_id("told")).to_have_count(0)
    expect(page.locator("[data-action]").first).to_be_visible()


def test_nothing_is_missed_after_a_reload(table: Table) -> None:
    """A battle while the player was away, and the page loaded again in the middle of the story."""
    match = battles.leningrad_retreat_and_advance()
    assert match.state.side == "russian"
    done = len(match.actions)
    table.sit_down(match, computer="russian", looked=done)
    page = table.page
    expect(page.get_by_test_id("missed")).to_be_visible()
    page.evaluate(WATCH)
    page.get_by_role("button", name="Show what happened").click()
    battle = page.get_by_test_id("battle")
    expect(battle).to_be_visible()
    expect(battle.get_by_role("img", name="die").first).to_be_visible()
    expect(battle.locator(".outcomes .came")).to_have_count(1)
    assert battle.locator(".modifiers .rule").count() > 0
    assert battle.locator(".sides svg").count() >= 2
    first = scenes(table)
    page.reload()
    expect(table.root).to_be_visible()
    page.evaluate(WATCH)
    if page.get_by_test_id("missed").is_visible():
        page.get_by_role("button", name="Show what happened").click()
    expect(page.locator("[data-action]").first).to_be_visible()
    second = scenes(table)
    seen = first + [scene for scene in second if scene["ply"] > first[-1]["ply"]]
    judge(seen, entries(table), done)
    page.reload()
    expect(table.root).to_be_visible()
    expect(page.get_by_test_id("missed")).to_have_count(0)


def test_nothing_is_missed_while_the_line_was_down(table: Table) -> None:
    """The connection breaks just before the computer moves, and comes back when it has moved."""
    page = table.page
    lines: list[WebSocketRoute] = []
    down = False

    def on_line(line: WebSocketRoute) -> None:
        if down:
            line.close()
            return
        line.connect_to_server()
        lines.append(line)

    page.route_web_socket("**/live", on_line)
    match = before_the_russian_turn()
    table.sit_down(match, computer="russian")
    down = True
    lines[-1].close()
    page.locator('[data-action="end attacks"]').click()
    table.until_computer_has_acted(*table.seat())
    down = False
    expect(page.get_by_test_id("missed")).to_be_visible(timeout=20_000)
    page.evaluate(WATCH)
    page.get_by_role("button", name="Show what happened").click()
    expect(page.locator("[data-action]").first).to_be_visible(timeout=60_000)
    judge(scenes(table), entries(table), len(match.actions) + 1)


def test_at_once_if_one_likes(open_page: Callable[..., Page]) -> None:
    table = Table(open_page())
    table.sit_down(before_the_russian_turn(), computer="russian")
    page = table.page
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("What the others do").select_option("instant")
    page.get_by_role("button", name="Done").click()
    page.evaluate(WATCH)
    seq = table.seq
    page.locator('[data-action="end attacks"]').click()
    table.after(seq)
    expect(page.locator("[data-action]").first).to_be_visible()
    assert scenes(table) == []


def test_the_map_follows_on_a_phone(open_page: Callable[..., Page]) -> None:
    """With full motion on a small screen the map glides to the battle, which its card does not cover."""
    page = open_page(390, 844, has_touch=True, is_mobile=True)
    page.goto("/")
    page.evaluate("localStorage.setItem('counterblow.settings', JSON.stringify({motion: 'full'}))")
    table = Table(page)
    match = battles.leningrad_retreat_and_advance()
    table.sit_down(match, computer="russian", looked=len(match.actions))
    page.get_by_role("button", name="Show what happened").tap()
    card = page.get_by_test_id("battle")
    expect(card.locator(".outcomes .came")).to_have_count(1)
    fought, covered = page.locator(".fought").first.bounding_box(), card.bounding_box()
    assert fought is not None
    assert covered is not None
    assert fought["y"] + fought["height"] <= covered["y"]
    page.get_by_role("button", name="Skip").tap()
    expect(page.get_by_test_id("told")).to_have_count(0)
