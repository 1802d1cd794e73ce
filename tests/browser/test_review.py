"""The review of a finished match in the browser: begun, cancelled, read, followed into the replay, saved as a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

import counterblow
from counterblow.kernel import chance
from counterblow.kernel.record import Match
from tests.browser.table import Table


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short game of two random players."""
    match, generator = Match(counterblow.load("noretreat"), "A", 4), chance.seeded(4)
    while not match.state.over:
        legal = match.state.legal()
        generator, index = chance.below(generator, len(legal))
        match.do(legal[index])
    file = tmp_path_factory.mktemp("review") / "finished.json"
    match.save(file)
    return file


def test_an_imported_game_is_reviewed(table: Table, finished: Path, tmp_path: Path) -> None:
    page = table.page
    page.goto("/")
    page.get_by_label("Record file").set_input_files(finished)
    page.get_by_role("tab", name="Review").click()
    page.get_by_test_id("review-begin").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_test_id("review-begin").click()
    expect(page.get_by_role("heading", name="Turning points")).to_be_visible(timeout=90_000)
    expect(page.get_by_role("img", name="Chance that Axis wins, along the game")).to_be_visible()
    expect(page.get_by_role("heading", name="Losses, ground and supply")).to_be_visible()
    with page.expect_download(timeout=60_000) as download:
        page.get_by_role("button", name="Save as a page").click()
    file = tmp_path / "page.html"
    download.value.save_as(file)
    assert "No Retreat!" in file.read_text(encoding="utf-8")
    first = page.locator("ol li button").first
    expect(first).to_contain_text("1. ")
    first.click()
    actions = json.loads(finished.read_text())["actions"]
    page.wait_for_url("**/match/*/*")
    shown = page.url.rpartition("/")[2]
    assert 0 <= int(shown) < len(actions)
    expect(table.root).to_have_attribute("data-shown", shown)
    page.reload()
    page.get_by_role("tab", name="Review").click()
    expect(page.get_by_role("heading", name="Turning points")).to_be_visible()  # kept: it is not made again
