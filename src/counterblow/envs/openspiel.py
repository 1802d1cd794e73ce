"""OpenSpiel: each game as a Python game with sampled chance, for its algorithms.

``make(slug)`` gives a ``pyspiel.Game``. Dice and draws come from the state's own generator: chance is sampled, so there
are no chance nodes to walk through. The action k is the k-th of ``state.legal()``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import pyspiel

import counterblow
from counterblow.envs import encoding
from counterblow.kernel.game import Game


def _type(slug: str, title: str) -> Any:
    return pyspiel.GameType(
        short_name=f"counterblow_{slug}",
        long_name=title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"seed": 0},
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Counterblow as OpenSpiel knows games. Each new state has the next seed."""

    def __init__(self, game: Game, params: Mapping[str, Any] | None = None) -> None:
        info = pyspiel.GameInfo(
            num_distinct_actions=encoding.WIDTH, max_chance_outcomes=0, num_players=2, min_utility=-1.0,
            max_utility=1.0, utility_sum=0.0, max_game_length=game.max_actions,
        )  # fmt: skip
        super().__init__(_type(game.slug, game.title), info, dict(params or {}))
        self.game = game
        self.seed = int((params or {}).get("seed", 0))

    def new_initial_state(self) -> SpielState:
        """A new game; every one has other dice."""
        self.seed += 1
        return SpielState(self, self.seed)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What a side sees, as arrays."""
        return Observer(self.game)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state behind OpenSpiel's interface; actions are the numbers of the legal list."""

    def __init__(self, game: SpielGame, seed: int) -> None:
        super().__init__(game)
        self.state = game.game.start(seed=seed)

    def current_player(self) -> int:
        """Who decides, or that the game is over."""
        decider = self.state.decider
        return int(pyspiel.PlayerId.TERMINAL) if decider is None else decider

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.state.legal()))) if player == self.state.decider else []

    def _apply_action(self, action: int) -> None:
        self.state.do(self.state.legal()[action])

    def _action_to_string(self, player: int, action: int) -> str:
        legal = self.state.legal() if player == self.state.decider else []
        return str(legal[action]) if action < len(legal) else str(action)

    def is_terminal(self) -> bool:
        """Is the game over?"""
        return self.state.over

    def returns(self) -> list[float]:
        """1 for the winner, -1 for the loser, 0 for both in a draw."""
        result = self.state.result
        if result is None or result.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if result.winner == self.state.game.sides[0] else [-1.0, 1.0]

    def clone(self) -> SpielState:
        """An independent copy."""
        other = super().clone()
        other.state = self.state.copy()
        return other  # type: ignore[no-any-return]

    def __deepcopy__(self, memo: Any) -> SpielState:
        return self.clone()

    def __str__(self) -> str:
        return repr(self.state)


class Observer:
    """The arrays of ``encoding.of_state``, one after another in ``tensor``."""

    def __init__(self, game: Game) -> None:
        start = encoding.of_state(game.start(), 0)
        sizes = [array.size for array in start.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict = {name: part.reshape(start[name].shape) for name, part in zip(start, parts, strict=True)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the arrays with what a side sees."""
        for name, array in encoding.of_state(state.state, player).items():
            self.dict[name][...] = array

    def string_from(self, state: SpielState, player: int) -> str:
        """What a side sees, in a line."""
        game = state.state.game
        view = state.state.view(game.sides[player])
        return f"{view['turn_label']}, {view['phase']}: {len(view['units'])} counters seen"


@lru_cache(maxsize=16)
def make(slug: str, seed: int = 0) -> SpielGame:
    """A game for OpenSpiel, made once for each seed."""
    return SpielGame(counterblow.load(slug), {"seed": seed})
