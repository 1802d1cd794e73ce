"""Gymnasium: one seat of a game, against a given opponent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from counterblow import players
from counterblow.atlas.position import picture
from counterblow.envs import encoding
from counterblow.kernel.actions import Action
from counterblow.kernel.errors import CounterblowError
from counterblow.kernel.game import Game
from counterblow.kernel.state import State
from counterblow.lab.simulate import play_until

Opponent = str | Callable[[State, int], Action]


class CounterblowSeat(gymnasium.Env[dict[str, Any], np.int64]):
    """One side decides; the opponent plays the other until it is that side's decision again.

    The action k is the k-th of ``state.legal()``; the observation's ``action_mask`` says how many there are. An index
    beyond them loses the game at once (``info["illegal"]``), as PettingZoo's TerminateIllegalWrapper does.
    """

    metadata = {"render_modes": ["svg"], "render_fps": 1}

    def __init__(
        self,
        game: Game,
        side: str,
        opponent: Opponent = "random",
        scenario: str | None = None,
        options: Mapping[str, Any] | None = None,
        width: int = encoding.WIDTH,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "svg"):
            raise CounterblowError(f'render_mode should be "svg" or None, not {render_mode!r}')
        self.game = game
        self.side = game.side_number(side)
        self.opponent = opponent
        self.scenario = scenario
        self.start_options = dict(options or {})
        self.render_mode = render_mode
        self._masks = encoding.Masks(width)
        self.observation_space = spaces.Dict({**encoding.space(game), "action_mask": encoding.mask_space(width)})
        self.action_space = spaces.Discrete(width)
        self.state = game.start(scenario, 0, self.start_options)  # a wrong scenario or option is said here
        self._choose = self._player(0)

    def _player(self, seed: int) -> Callable[[State, int], Action]:
        if isinstance(self.opponent, str):
            return players.make(self.opponent, seed).choose
        return self.opponent

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """A new game, played on to this seat's first decision."""
        super().reset(seed=seed)
        dice = int(self.np_random.integers(1 << 62))
        self._choose = self._player(~dice)  # not the dice's own seed: choices would tell of throws to come
        self.state = self.game.start(self.scenario, dice, self.start_options)
        play_until(self.state, self.side, self._choose)
        return self._observed(), {}

    def step(self, action: np.int64 | int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """One action, by its number in the legal list, and the opponent's answer; an illegal one loses."""
        legal = self.state.legal()
        if not 0 <= action < len(legal):
            return self._observed(), -1.0, True, False, {"illegal": True}
        self.state.do(legal[int(action)])
        play_until(self.state, self.side, self._choose)
        result = self.state.result
        if result is None:
            return self._observed(), 0.0, False, False, {}
        reward = 0.0 if result.winner is None else 1.0 if result.winner == self.game.sides[self.side] else -1.0
        return self._observed(), reward, True, False, {"result": result._asdict()}

    def _observed(self) -> dict[str, Any]:
        seen = encoding.of_state(self.state, self.side)
        return {**seen, "action_mask": self._masks.of(int(seen["globals"][encoding.OPTIONS])).copy()}

    def options(self) -> encoding.Array:
        """A row for each legal action: see ``encoding.OPTION_COLUMNS``."""
        return encoding.option_rows(self.game, self.state.legal())

    def render(self) -> str | None:
        """The map with the counters that the side sees, as SVG."""
        if self.render_mode is None:
            return None
        return picture(self.game, self.state.view(self.game.sides[self.side]))
