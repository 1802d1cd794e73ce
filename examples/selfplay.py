"""Train a small policy by self-play, and see whether it beats random play.

    python examples/selfplay.py --game noretreat --scenario C --minutes 3

A network with one hidden layer scores every legal action from its row (``env.options()``) and from what the observation
shows at its unit and its hexes. Both sides play with it; after each batch of games the choices of the winner become
more likely (REINFORCE with a baseline for each side, since the seats are not even). Then it plays random opponents from
both seats on seeds that it has not seen. Needs only numpy and the extra ``research``.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from counterblow import envs
from counterblow.lab.simulate import interval

Array = np.ndarray[Any, Any]
HIDDEN = 48
BATCH = 16
RATE = 0.01


class Policy:
    """Scores options: tanh layer, then one number each; the chances are their softmax."""

    def __init__(self, kinds: int, seed: int = 0) -> None:
        self.kinds = kinds
        self.rng = np.random.default_rng(seed)
        size = kinds + 14
        self.weights = [self.rng.normal(0, 0.1, (size, HIDDEN)), np.zeros(HIDDEN), np.zeros(HIDDEN)]
        self.moments = [np.zeros_like(w) for w in self.weights]

    def features(self, observation: dict[str, Array], rows: Array) -> Array:
        """What a wargamer would ask of an option: what it does, with whom, and who stands where it leads."""
        n = len(rows)
        found = np.zeros((n, self.kinds + 14))
        found[np.arange(n), rows[:, 0]] = 1
        hexes, units = observation["hexes"], observation["units"]
        at = rows[:, 5]
        where = np.where(at >= 0, at, 0)
        seen = (at >= 0)[:, None]
        around = hexes[:, where].T
        found[:, self.kinds : self.kinds + 3] = around[:, :3] * seen
        found[:, self.kinds + 3] = (around[:, 3] == 1) * seen[:, 0]
        found[:, self.kinds + 4] = (around[:, 3] == 2) * seen[:, 0]
        unit = np.where(rows[:, 1] >= 0, rows[:, 1], 0)
        own = (rows[:, 1] >= 0)[:, None]
        found[:, self.kinds + 5 : self.kinds + 7] = units[unit, 1:3] * own
        found[:, self.kinds + 7] = (units[unit, 3] > 0) * own[:, 0]
        found[:, self.kinds + 8] = rows[:, 3]
        found[:, self.kinds + 9] = n == 1
        found[:, self.kinds + 10] = rows[:, 1] < 0
        side = observation["globals"][1]
        found[:, self.kinds + 11 + side] = 1
        found[:, self.kinds + 13] = observation["globals"][0] / 10
        return found

    def chances(self, features: Array) -> tuple[Array, Array]:
        inner = np.tanh(features @ self.weights[0] + self.weights[1])
        scores = inner @ self.weights[2]
        weights = np.exp(scores - scores.max())
        return weights / weights.sum(), inner

    def choose(self, observation: dict[str, Array], rows: Array) -> tuple[int, Array]:
        features = self.features(observation, rows)
        chances, _ = self.chances(features)
        return int(self.rng.choice(len(rows), p=chances)), features

    def learn(self, choices: list[tuple[Array, int, float]]) -> None:
        """Make each choice more likely by its weight; Adam without the second bias."""
        slopes = [np.zeros_like(w) for w in self.weights]
        for features, taken, weight in choices:
            chances, inner = self.chances(features)
            error = -chances * weight
            error[taken] += weight
            back = np.outer(error, self.weights[2]) * (1 - inner**2)
            slopes[0] += features.T @ back
            slopes[1] += back.sum(0)
            slopes[2] += inner.T @ error
        for weights, moment, slope in zip(self.weights, self.moments, slopes, strict=True):
            slope /= max(1, len(choices))
            moment *= 0.9
            moment += 0.1 * slope
            weights += RATE * moment / (np.abs(moment).mean() + 1e-8)


def self_play(env: Any, policy: Policy, seed: int) -> tuple[list[tuple[int, Array, int]], dict[str, float]]:
    """One game: (side, features, choice) of each decision that was one, and the rewards."""
    env.reset(seed=seed)
    story: list[tuple[int, Array, int]] = []
    rewards: dict[str, float] = {}
    while env.agents:
        agent = env.agent_selection
        observation, reward, over, _, _ = env.last()
        if over:
            rewards[agent] = reward
            env.step(None)
            continue
        taken, features = policy.choose(observation["observation"], env.options())
        if len(features) > 1:
            story.append((int(observation["observation"]["globals"][1]), features, taken))
        env.step(taken)
    return story, rewards


def train(policy: Policy, env: Any, minutes: float) -> int:
    baseline, seed, end = [0.0, 0.0], 0, time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        choices: list[tuple[Array, int, float]] = []
        for _ in range(BATCH):
            seed += 1
            story, rewards = self_play(env, policy, seed)
            for side, agent in enumerate(env.possible_agents):
                weight = rewards[agent] - baseline[side]
                baseline[side] += 0.02 * weight
                choices += [(features, taken, weight) for s, features, taken in story if s == side]
        policy.learn(choices)
    return seed


def score(policy: Policy | None, slug: str, side: str, games: int, start: dict[str, Any]) -> int:
    """Wins from one seat against random play; ``None`` plays at random too."""
    env = envs.gym(slug, side, "random", **start)
    generator, wins = np.random.default_rng(99), 0
    for seed in range(10**6, 10**6 + games):
        observation, _ = env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            rows = env.options()
            taken = int(generator.integers(len(rows))) if policy is None else policy.choose(observation, rows)[0]
            observation, reward, over, _, _ = env.step(taken)
        wins += reward > 0
    return wins


def main() -> None:
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--game", default="noretreat")
    words.add_argument("--scenario")
    words.add_argument("--minutes", type=float, default=3.0)
    words.add_argument("--games", type=int, default=200, help="games of each test")
    chosen = words.parse_args()
    start = {"scenario": chosen.scenario}
    env = envs.aec(chosen.game, **start)
    policy = Policy(len(envs.layout(chosen.game).actions))
    played = train(policy, env, chosen.minutes)
    print(f"{played} games of self-play in {chosen.minutes:g} minutes")
    for side in env.possible_agents:
        for name, player in (("random", None), ("trained", policy)):
            wins = score(player, chosen.game, side, chosen.games, start)
            low, high = interval(wins, chosen.games)
            told = f"{wins} of {chosen.games} against random ({100 * low:.0f} to {100 * high:.0f} %)"
            print(f"{name} as {side}: {told}")


if __name__ == "__main__":
    main()
