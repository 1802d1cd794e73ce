"""Measures the browser client on the largest map: first paint, an action's round trip, frames while panning and while
the turn of the computer is shown.

    python benchmarks/browser.py [slug]

Needs a built client (make web) and Chromium. The times are those of this machine and its load.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.browser.conftest import CHROMIUM, FLAGS, Server
from tests.browser.table import Table
from tests.browser.test_speed import PLAYBACK
from tests.browser.test_story import before_the_russian_turn

TITLES = {"narva": "Across the Narva", "leningrad": "Leningrad 1941", "narvik": "Narvik 1940"}
ACTIONS = 80

FRAMES = """async ([x, y]) => {
  const board = document.querySelector(".board");
  const frame = board.getBoundingClientRect();
  const times = [];
  const fire = (type, dx, dy) => board.dispatchEvent(new PointerEvent(type, {pointerId: 1, bubbles: true, button: 0,
    buttons: 1, clientX: frame.left + x + dx, clientY: frame.top + y + dy}));
  fire("pointerdown", 0, 0);
  for (let i = 0; i < 120; i++) {
    await new Promise((done) => requestAnimationFrame((now) => { times.push(now); done(); }));
    fire("pointermove", 200 * Math.sin(i / 12), 150 * Math.cos(i / 12) - 150);
  }
  fire("pointerup", 0, 0);
  return times.slice(1).map((t, i) => t - times[i]);
}"""

ROUND_TRIPS = """() => performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/actions"))
  .map((e) => e.responseEnd - e.startTime)"""


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def first_paint(page: Page, address: str) -> dict[str, float]:
    page.goto(address)
    page.locator("[data-unit]").first.wait_for()
    page.wait_for_function("document.querySelector('.terrain').complete")
    page.wait_for_timeout(500)
    found: dict[str, float] = page.evaluate(
        """() => {
          const map = performance.getEntriesByType("resource").find((e) => e.name.includes("map.svg"));
          const [paint] = performance.getEntriesByName("first-contentful-paint");
          return {first_contentful_paint_ms: paint.startTime, terrain_loaded_ms: map.responseEnd};
        }"""
    )
    return found


def play(table: Table) -> list[float]:
    chance = random.Random(1)
    for _ in range(ACTIONS):
        table.choose(chance.choice(table.choices()))
    found: list[float] = table.page.evaluate(ROUND_TRIPS)
    return found


def watch(page: Page) -> list[float]:
    """Frames while the computer's first Russian turn of Leningrad 1941 is shown, with full motion."""
    page.goto("/")
    page.evaluate("localStorage.setItem('counterblow.settings', JSON.stringify({motion: 'full'}))")
    table = Table(page)
    table.sit_down(before_the_russian_turn(), computer="russian")
    page.locator('[data-action="end attacks"]').click()
    page.get_by_test_id("told").wait_for()
    found: list[float] = page.evaluate(PLAYBACK)
    return found


def main(slug: str) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            page = browser.new_context(base_url=server.url, viewport={"width": 1440, "height": 900}).new_page()
            page.add_init_script("performance.setResourceTimingBufferSize(5000)")
            table = Table(page)
            table.begin(TITLES[slug])
            paint = first_paint(page, page.url)
            trips = play(table)
            frames = page.evaluate(FRAMES, [500, 400])
            shown = watch(page)
        finally:
            browser.close()
            server.kill()
    result = {
        "game": slug,
        **{name: round(value) for name, value in paint.items()},
        "round_trip_ms": {"p50": round(statistics.median(trips), 1), "p95": round(percentile(trips, 0.95), 1)},
        "pan_frame_ms": {"p50": round(statistics.median(frames), 1), "p95": round(percentile(frames, 0.95), 1)},
        "pan_frames_per_s": round(1000 / statistics.mean(frames), 1),
        "playback_frame_ms": {"p50": round(statistics.median(shown), 1), "p95": round(percentile(shown, 0.95), 1)},
        "playback_frames_per_s": round(1000 / statistics.mean(shown), 1),
    }
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "narva")
