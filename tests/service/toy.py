"""The toy game with secrets: with the option "secret" only Blue sees its units and its orders, and may scout."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from counterblow.kernel.actions import Action
from counterblow.kernel.flow import Flow
from counterblow.kernel.game import Game
from counterblow.kernel.judge import Judge
from counterblow.kernel.state import NOWHERE
from counterblow.kernel.views import Views
from tests.kernel.toy import game as toy
from tests.kernel.toy.game import BLUE, RED, Toy, ToyState

DATA = Path(toy.__file__).parent / "data"
flow: Flow[Any] = Flow()
for mine, theirs in zip(
    (flow.automatic, flow.choices, flow.names, flow.heads),
    (toy.flow.automatic, toy.flow.choices, toy.flow.names, toy.flow.heads),
    strict=True,
):
    cast(Any, mine).update(theirs)


class SecretToyState(ToyState):
    def blank(self) -> None:
        super().blank()
        self.orders: list[int] = [3, 1, 4]  # Blue's secret orders, by number

    def sees(self, side: int | None, unit: int) -> bool:
        return not self.options["secret"] or side == BLUE or self.game.side_of[unit] != BLUE


class Movement(toy.Movement):
    """Blue may also scout, once a turn, while its orders last: it shows an order to both."""

    def legal(self, s: Any) -> list[Action]:
        scouts = (
            [s.game.act["scout"][order] for order in s.orders] if s.mover == BLUE and len(s.orders) > 3 - s.turn else []
        )
        return [*super().legal(s), *scouts]

    def do(self, s: Any, action: Action) -> None:
        if action.kind != "scout":
            super().do(s, action)
            return
        s.orders.remove(action.args[0])
        s.log("reveal", "order {n} is carried out", "1.1", n=action.args[0])


class Where(toy.Where):
    def do(self, s: Any, action: Action, unit: int) -> None:
        super().do(s, action, unit)
        event = s.events[-1]
        if s.options["secret"] and s.game.side_of[unit] == BLUE:
            event.only, event.public = BLUE, "something moves"


for replaced, choice in ((toy.Movement, Movement()), (toy.Where, Where())):
    choice.name = toy.flow.choices[replaced].name
    flow.choices[replaced] = choice


class SecretToyViews(Views[Any]):
    def extra(self, state: Any, side: int | None) -> dict[str, Any]:
        cards = [{"id": n, "title": f"Order {n}"} for n in state.orders] if side == BLUE else []
        return {"hands": {"blue": {"count": len(state.orders), "cards": cards}}}


class SecretToyJudge(Judge[Any]):
    def evaluate(self, state: Any, side: int) -> int:
        """Units in play, and how near they are to the town, as the side sees them."""
        game, value = self.game, 0
        for unit, node in enumerate(state.at):
            if node not in (NOWHERE, game.dead) and state.sees(side, unit) and game.board.is_hex(node):
                worth = 20 * game.strength[unit] - 3 * game.board.distance(node, game.town)
                value += worth if game.side_of[unit] == side else -worth
        return value

    def redeal(self, state: Any, side: int) -> None:
        if side == RED:
            state.shuffle(state.orders)


class SecretToy(Toy):
    more_sentences = {"scout": "scout order {n}"}
    hiding = ("secret",)
    flow = flow
    state_class = SecretToyState
    views_class = SecretToyViews
    judge_class = SecretToyJudge

    def __init__(self, data: Path | None = None) -> None:
        super().__init__(data or DATA)


TOY = SecretToy()


def load_toy(slug: str) -> Game:
    assert slug == "toy"
    return TOY
