"""PettingZoo: both sides as agents that decide in turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from counterblow.atlas.position import picture
from counterblow.envs import encoding
from counterblow.kernel.errors import CounterblowError
from counterblow.kernel.game import Game

Array = encoding.Array


class CounterblowAEC(AECEnv):  # type: ignore[misc]
    """One game as PettingZoo's agent-environment cycle.

    The action k is the k-th of ``state.legal()``; ``infos[agent]["action_mask"]`` and the observation's ``action_mask``
    say how many there are. Observations are made when they are asked for: ``last(observe=False)`` costs nothing.
    """

    metadata = {"name": "counterblow_v1", "render_modes": ["svg"], "is_parallelizable": False, "render_fps": 1}

    def __init__(
        self,
        game: Game,
        scenario: str | None = None,
        options: Mapping[str, Any] | None = None,
        width: int = encoding.WIDTH,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, "svg"):
            raise CounterblowError(f'render_mode should be "svg" or None, not {render_mode!r}')
        self.game = game
        self.scenario = scenario
        self.start_options = dict(options or {})
        self.render_mode = render_mode
        self.possible_agents = list(game.sides)
        self._masks = encoding.Masks(width)
        both = spaces.Dict({"observation": encoding.space(game), "action_mask": encoding.mask_space(width)})
        self.observation_spaces = dict.fromkeys(self.possible_agents, both)
        self.action_spaces = {side: spaces.Discrete(width) for side in self.possible_agents}
        self._seeds = np.random.default_rng()
        self.state_ = game.start(scenario, 0, self.start_options)  # a wrong scenario or option is said here

    def observation_space(self, agent: str) -> Any:
        """What a side sees, as arrays."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of the legal list."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. The seed decides its dice; without one the next is drawn after the last that was given."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.state_ = self.game.start(self.scenario, int(self._seeds.integers(1 << 62)), self.start_options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._next()

    def _next(self) -> None:
        """Whose decision it is, and how many options there are."""
        state = self.state_
        if not state.agenda:
            winner = state.result.winner if state.result else None
            for agent in self.agents:
                reward = 0.0 if winner is None else 1.0 if agent == winner else -1.0
                self.rewards[agent] = self._cumulative_rewards[agent] = reward
                self.terminations[agent] = True
                self.infos[agent] = {"action_mask": self._masks.of(0)}
            return
        side = state.side
        assert side is not None
        self.agent_selection = side
        self.infos[side] = {"action_mask": self._masks.of(len(state.legal()))}

    def observe(self, agent: str) -> dict[str, Any]:
        """What a side sees now, and the mask of its legal actions."""
        seen = encoding.of_state(self.state_, self.game.side_number(agent))
        return {"observation": seen, "action_mask": self._masks.of(int(seen["globals"][encoding.OPTIONS]))}

    def options(self) -> Array:
        """A row for each legal action of the side that decides: see ``encoding.OPTION_COLUMNS``."""
        return encoding.option_rows(self.game, self.state_.legal())

    def step(self, action: int | None) -> None:
        """One action, by its number in the legal list."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        legal = self.state_.legal()
        if action is None or not 0 <= action < len(legal):
            raise CounterblowError(f"{agent}: action {action} is not legal: there are options 0 to {len(legal) - 1}")
        self._cumulative_rewards[agent] = 0.0
        self.state_.do(legal[action])
        self._next()

    def render(self) -> str | None:
        """The map with the counters that the deciding side sees, as SVG."""
        if self.render_mode is None:
            return None
        return picture(self.game, self.state_.view(self.agent_selection))

    def close(self) -> None:
        """Nothing is held."""
