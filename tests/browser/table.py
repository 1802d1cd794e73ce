"""What a person does at the table, in a browser: look, point, choose."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

from playwright.sync_api import Locator, Page, expect

from counterblow.kernel.record import Match


class Table:
    def __init__(self, page: Page) -> None:
        self.page = page

    # sitting down

    def begin(self, title: str, *, alone: bool = False) -> None:
        """From the start page, with the mouse: choose a game, and who plays."""
        self.page.goto("/")
        self.page.get_by_role("button", name=f"Play {title}").click()
        if not alone:
            self.page.locator("fieldset select").nth(1).select_option(label="A person here")
        self.page.get_by_role("button", name="Start", exact=True).click()
        self.ready()

    def sit_down(
        self, match: Match, only: str | None = None, computer: str | None = None, looked: int | None = None
    ) -> None:
        """Go on with a match that was played so far without a screen, both sides here or only one.

        ``computer`` is a side that the computer plays on; ``looked`` how much of it this browser has seen.
        """
        origin = self.page.context.request.get("/").url
        seats = {} if computer is None else {computer: {"kind": "computer", "player": "plain"}}
        body = json.dumps({"record": match.to_record(), "seats": seats}).encode()
        request = urllib.request.Request(
            f"{origin}api/matches/import", body, {"Content-Type": "application/json"}, method="POST"
        )
        with urllib.request.urlopen(request) as answer:
            made = json.load(answer)
        tokens = {side: token for side, token in made["tokens"].items() if only in (None, side)}
        self.page.goto("/")
        self.page.evaluate(
            "([id, tokens]) => localStorage.setItem('counterblow.seats', JSON.stringify({[id]: tokens}))",
            [made["id"], tokens],
        )
        if looked is not None:
            self.page.evaluate(
                "([id, seen]) => localStorage.setItem('counterblow.looked.' + id, JSON.stringify(seen))",
                [made["id"], dict.fromkeys(tokens, looked)],
            )
            self.until_computer_has_acted(made["id"], next(iter(tokens.values())))
        self.page.goto(f"/match/{made['id']}")
        self.ready(deciding=match.state.side in tokens and looked is None)

    def seat(self) -> tuple[str, str]:
        """The match on the screen and a key to it."""
        match = self.page.url.split("/")[4]
        seats = self.page.evaluate("JSON.parse(localStorage.getItem('counterblow.seats'))")
        return match, next(iter(seats[match].values()))

    def until_computer_has_acted(self, match: str, token: str) -> None:
        request = self.page.context.request
        for _ in range(200):
            state = request.get(f"/api/matches/{match}", headers={"Authorization": f"Bearer {token}"}).json()
            if not state["thinking"]:
                return
            self.page.wait_for_timeout(100)
        raise TimeoutError("the computer still thinks")

    def ready(self, *, deciding: bool = True) -> None:
        expect(self.root).to_be_visible()
        if deciding:
            expect(self.page.locator("[data-action]").first).to_be_visible()
        self.drawn()

    def drawn(self) -> None:
        """Wait until what has changed is on the screen, as everybody's finger does: the map may have moved."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    # looking

    @property
    def root(self) -> Locator:
        return self.page.get_by_test_id("table")

    @property
    def seq(self) -> int:
        return int(self.root.get_attribute("data-seq") or 0)

    @property
    def prompt(self) -> str:
        return self.page.get_by_test_id("prompt").inner_text()

    @property
    def turn(self) -> str:
        return self.page.locator("header .when b").inner_text()

    @property
    def log(self) -> str:
        return self.page.get_by_test_id("log").inner_text()

    def choices(self) -> list[str]:
        """Every legal action, as the list of buttons shows it."""
        found: list[str] = self.page.locator("[data-action]").evaluate_all("all => all.map(b => b.dataset.action)")
        return found

    def place(self, unit: str) -> str | None:
        return self.counter(unit).get_attribute("data-at")

    def counter(self, unit: str) -> Locator:
        return self.page.locator(f'[data-unit="{unit}"]')

    def hex(self, label: str) -> Locator:
        return self.page.locator(f'[data-hex="{label}"]')

    def glowing_hexes(self) -> list[str]:
        found: list[str] = self.page.locator("[data-hex]").evaluate_all("all => all.map(h => h.dataset.hex)")
        return found

    def glowing_units(self) -> list[str]:
        found: list[str] = self.page.locator("[data-unit][data-stop]").evaluate_all(
            "all => all.map(u => u.dataset.unit)"
        )
        return found

    def joined_units(self) -> list[str]:
        """The units that the map marks as chosen for the attack that is being put together."""
        found: list[str] = self.page.locator(".joined[data-unit]").evaluate_all("all => all.map(u => u.dataset.unit)")
        return found

    # acting

    def after(self, seq: int) -> None:
        """Wait until the service has answered and the board shows it."""
        expect(self.root).not_to_have_attribute("data-seq", str(seq))
        expect(self.root).to_have_attribute("data-busy", "false")

    def skip_story(self) -> None:
        """Do not wait for what the others did to be shown. It may end by itself: look and click in one."""
        self.page.evaluate(
            "[...document.querySelectorAll('[data-testid=told] button')].find(b => b.innerText === 'Skip')?.click()"
        )

    def choose(self, text: str) -> None:
        seq = self.seq
        self.page.locator(f'[data-action="{text}"]').click()
        if self.asks_whether_to_end():
            self.page.get_by_role("dialog").get_by_role("button").first.click()
        self.after(seq)

    def asks_whether_to_end(self) -> bool:
        """Would something of value be left undone?"""
        self.drawn()
        return self.page.get_by_role("button", name="Not yet").is_visible()

    def click_unit(self, unit: str) -> None:
        """Click a counter; one in a stack is first fanned out by the pointer."""
        seq = self.seq
        self.point_at(unit).click()
        glowing = self.glowing_hexes() if self.page.locator(".piece.chosen[data-stop]").count() else []
        if glowing:  # it may go to several hexes; where it was sent already, none glows
            self.hex_spot(glowing[0])
        self.take_first()
        self.after(seq)

    def point_at(self, unit: str) -> Locator:
        self.bring_in_sight(self.counter(unit))
        at = self.place(unit)
        together = self.page.locator(f'[data-at="{at}"]')
        if together.count() == 1 or (at is not None and not at.isdigit()):
            return self.counter(unit)
        self.page.mouse.move(3, 3)
        together.last.hover(force=True)
        fanned = self.page.locator(f'[data-fanned="{unit}"]')
        expect(fanned).to_be_visible()
        return fanned

    def bring_in_sight(self, thing: Locator) -> None:
        """Where the map is larger than the window, show all of it."""
        frame, box = self.page.locator(".board").bounding_box(), thing.bounding_box()
        assert frame is not None
        assert box is not None
        inside = frame["x"] < box["x"] and box["x"] + box["width"] < frame["x"] + frame["width"]
        if not inside or box["y"] < frame["y"] or box["y"] + box["height"] > frame["y"] + frame["height"]:
            self.page.get_by_role("button", name="Fit the map").click()
            self.drawn()

    def click_hex(self, label: str) -> None:
        seq = self.seq
        self.hex_spot(label)
        self.take_first()
        self.after(seq)

    def take_first(self) -> None:
        """Several actions fit the click: take the first that is offered."""
        offered = self.page.get_by_role("group", name="Which one?")
        if offered.is_visible():
            offered.get_by_role("button").first.click()

    def hex_spot(self, label: str) -> None:
        """Click a hex; where counters stand in it, beside them."""
        self.bring_in_sight(self.hex(label))
        box = self.hex(label).bounding_box()
        assert box is not None
        across, down = 0.5, 0.5
        if self.page.locator(f'[data-at="{label}"]').count():
            across, down = (0.5, 0.08) if box["height"] > box["width"] else (0.93, 0.5)  # a corner
        self.page.mouse.click(box["x"] + box["width"] * across, box["y"] + box["height"] * down)

    def rules_of(self, notice: Locator) -> list[str]:
        return notice.locator(".rule").all_inner_texts()

    def axe(self) -> list[dict[str, Any]]:
        """What axe-core finds of serious or critical impact."""
        from tests.browser.conftest import ROOT

        self.page.evaluate((ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text())
        found: list[dict[str, Any]] = self.page.evaluate(
            """async () => (await axe.run(document, {
                resultTypes: ["violations"], rules: {"label-content-name-mismatch": {enabled: true}},
            })).violations
            .filter(v => ["serious", "critical"].includes(v.impact))
            .map(v => ({id: v.id, help: v.help, nodes: v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))}))"""
        )
        return found
