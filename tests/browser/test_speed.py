"""Full frame rate while the turn of the others is shown, and quick answers. The machine may be busy: what can be is
measured against the same page at rest; ``benchmarks/browser.py`` gives the figures themselves."""

from __future__ import annotations

import statistics
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser import battles
from tests.browser.table import Table
from tests.browser.test_story import before_the_russian_turn

AT_REST = """async () => {
  const times = [];
  while (times.length < 120) await new Promise((done) => requestAnimationFrame((now) => { times.push(now); done(); }));
  return times.slice(1).map((t, i) => t - times[i]);
}"""
PLAYBACK = """async () => {
  const times = [];
  while (document.querySelector("[data-testid=told]"))
    await new Promise((done) => requestAnimationFrame((now) => { times.push(now); done(); }));
  return times.slice(1).map((t, i) => t - times[i]);
}"""
TRIPS = """() => performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/actions"))
  .map((e) => e.responseEnd - e.startTime)"""


def test_full_frame_rate_during_playback(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.goto("/")
    page.evaluate("localStorage.setItem('counterblow.settings', JSON.stringify({motion: 'full'}))")
    table = Table(page)
    table.sit_down(before_the_russian_turn(), computer="russian")
    at_rest = page.evaluate(AT_REST)
    page.locator('[data-action="end attacks"]').click()
    expect(page.get_by_test_id("told")).to_be_visible()
    playing = page.evaluate(PLAYBACK)
    assert sum(playing) > 1000  # ms: there was something to see
    assert statistics.median(playing) <= 1.3 * statistics.median(at_rest)
    assert statistics.mean(playing) <= 2 * statistics.mean(at_rest)


def test_an_action_is_answered_quickly(table: Table) -> None:
    """p95 below 60 ms, for the answer of the service as the browser sees it."""
    table.sit_down(battles.find("leningrad", battles.offers("march "), shortest=1))
    rounds = []
    for _ in range(3):  # a busy moment of the machine is not the service's: the best of three counts
        before = len(table.page.evaluate(TRIPS))
        for _ in range(20):
            table.choose(table.choices()[0])
        trips = sorted(table.page.evaluate(TRIPS)[before:])
        assert len(trips) >= 20
        rounds.append(trips[int(0.95 * len(trips))])
        if rounds[-1] < 60:
            return
    raise AssertionError(f"95 % of the answers took {', '.join(f'{r:.0f}' for r in rounds)} ms in three rounds")
