"""Adapters for research libraries: the same games behind the interfaces that learning algorithms expect.

>>> from counterblow import envs
>>> env = envs.aec("leningrad")                       # PettingZoo: both sides
>>> env = envs.gym("leningrad", "russian", "random")  # Gymnasium: one side against a player

They need the extra ``research``; OpenSpiel (``envs.spiel``) the extra ``openspiel``. See docs/research.md.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import counterblow
from counterblow.lab.extras import need

if TYPE_CHECKING:
    from counterblow.envs.encoding import Layout
    from counterblow.envs.seat import CounterblowSeat, Opponent
    from counterblow.envs.zoo import CounterblowAEC

__all__ = ["aec", "gym", "layout", "spiel", "vector"]


def aec(slug: str, **start: Any) -> CounterblowAEC:
    """A game for PettingZoo. ``start``: scenario, options, width, render_mode."""
    need("pettingzoo", "research")
    from counterblow.envs.zoo import CounterblowAEC

    return CounterblowAEC(counterblow.load(slug), **start)


def gym(slug: str, side: str, opponent: Opponent = "random", **start: Any) -> CounterblowSeat:
    """One seat of a game for Gymnasium, against a player by name or a function (state, side) -> action."""
    need("gymnasium", "research")
    from counterblow.envs.seat import CounterblowSeat

    return CounterblowSeat(counterblow.load(slug), side, opponent, **start)


def vector(slug: str, side: str, opponent: Opponent = "random", count: int = 2, **start: Any) -> Any:
    """So many games at once, each in a process of its own: Gymnasium's AsyncVectorEnv."""
    need("gymnasium", "research")
    from gymnasium.vector import AsyncVectorEnv

    return AsyncVectorEnv([partial(gym, slug, side, opponent, **start)] * count, context="spawn")


def spiel(slug: str, seed: int = 0) -> Any:
    """A game for OpenSpiel."""
    need("pyspiel", "openspiel")
    from counterblow.envs import openspiel as adapter

    return adapter.make(slug, seed)


def layout(slug: str) -> Layout:
    """What the numbers in the arrays of a game mean."""
    need("gymnasium", "research")
    from counterblow.envs.encoding import layout_of

    return layout_of(slug)
