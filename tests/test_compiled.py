"""The program compiled as a whole (``make compile``) plays the very same games as its source."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tools.compile import ROOT, STAMP, TARGET, rewrite, stamp

import counterblow
from counterblow import envs, players
from counterblow.kernel.build import COMPILED
from counterblow.lab import variants
from counterblow.lab.simulate import play_random
from tests.refusals import refusals, told

REQUIRED = os.environ.get("COUNTERBLOW_COMPILED") == "required"
SEEDS = range(100)


def ends(slug: str) -> list[str]:
    """How 100 random games of this process end."""
    game = counterblow.load(slug)
    return [hashlib.sha256(play_random(game, seed)[0].to_json().encode()).hexdigest() for seed in SEEDS]


def seen(slug: str) -> list[str]:
    """What both sides of an environment see along a random game, a game with changed data, and what is refused."""
    env = envs.aec(slug)
    env.reset(seed=3)
    found = []
    for step in range(60):
        observation, _, over, _, info = env.last()
        if over:
            break
        found.append(
            hashlib.sha256(b"".join(part.tobytes() for part in observation["observation"].values())).hexdigest()
        )
        env.step(int(info["action_mask"].nonzero()[0][step % 7 % info["action_mask"].sum()]))
    if slug == "noretreat":  # going by a way of one's own, which no list of legal actions has
        units = {"4th Panzer": "1708", "Don": "1807"}
        s = counterblow.load(slug).position(turn=4, phase="axis.movement", units=units)
        s.do("move 4th Panzer")
        found += [str(s.why_not("by 1707")), str(s.forecast("by 1608-1707")), str(s.do("by 1608-1707")), s.to_json()]
    if slug == "leningrad":
        changed = variants.make(slug, "weaker", {"units.toml: unit[name=4. Panzer Gruppe].factor": 5}).game(slug)
        found.append(hashlib.sha256(play_random(changed, 1)[0].to_json().encode()).hexdigest())
    drawn = zip(
        range(60), refusals(counterblow.load(slug), 3), strict=False
    )  # decisions and reasons, which no game needs
    return found + [told(number, refusal) for number, refusal in drawn]


def chosen(slug: str) -> list[str]:
    """What computer players choose, and why: the beginning of a game of each that thinks."""
    found = []
    for name, actions in (("plain", 12), ("officer", 80), ("general", 6)):
        state = counterblow.load(slug).start(seed=7)
        seated = [players.make(name, side, nodes=400) for side in (0, 1)]
        for _ in range(actions):
            side = state.decider
            assert side is not None
            found.append(str(seated[side].choose(state, side)))
            found.append(seated[side].reason)
            state.do(found[-2])
    return found


def is_current() -> bool:
    kept = TARGET / STAMP
    return kept.exists() and kept.read_text() == stamp()


@pytest.mark.skipif(not is_current() and not REQUIRED, reason="not compiled, or from another source: make compile")
@pytest.mark.parametrize("slug", counterblow.games())
def test_the_compiled_program_plays_the_same_games(slug: str) -> None:
    code = (
        "import json, tests.test_compiled as t; from counterblow.kernel.build import how_built; "
        f"print(json.dumps([how_built(), t.ends({slug!r}), t.seen({slug!r}), t.chosen({slug!r})]))"
    )
    assert is_current(), "build/compiled is of another source: make compile"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TARGET), str(ROOT)])}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    built, found, observed, thought = json.loads(run.stdout)
    assert built == COMPILED
    assert found == ends(slug)
    assert observed == seen(slug)
    assert thought == chosen(slug)


KERNEL = """
from __future__ import annotations

class Choice:
    def items(self, s, *args: Any) -> list[int]:
        \"\"\"What there is.\"\"\"
        raise NotImplementedError

    def legal(self, s, *args: Any) -> list[int]:
        return self.items(s, *args) + s.game.items(s, 1) + self.ways(s, *args)

    def ways(self, s, unit: int, *args: Any) -> list[int]:
        return [unit]
"""
GAME = """
from __future__ import annotations
from counterblow.games.toy import roads

class March(kernel.Choice):
    kind, rules = "march", ("1.1", "1.2")

    def items(self, s, unit: int, hot: bool=False) -> list[int]:
        return [unit, hot]

    def legal(self, s, unit: int, *rest: int) -> list[int]:
        return super().legal(s, unit, *rest) + roads.items(s, unit) + s.items(unit)

class Other:
    def look(self, s, choice: March):
        return self.items(s, 1) + choice.items(s, 1, True)
"""


def test_the_arguments_of_a_step_are_handed_over_as_a_tuple(tmp_path: Path) -> None:
    """What is compiled does not call with a star; calls of other things by the same name stay as they are."""
    kernel, game = tmp_path / "kernel", tmp_path / "toy"
    for folder, text in ((kernel, KERNEL), (game, GAME)):
        folder.mkdir()
        (folder / "chapter.py").write_text(text)
    (game / "roads.py").write_text("")
    rewrite(tmp_path, [kernel / "chapter.py", game / "chapter.py"])
    assert [line.strip() for line in (kernel / "chapter.py").read_text().splitlines()[3:]] == [
        "class Choice:", "", "def items(self, s, args: tuple[Any, ...]=()) -> list[int]:",
        '"""What there is."""', "raise NotImplementedError", "",
        "def legal(self, s, args: tuple[Any, ...]=()) -> list[int]:",
        "return self.items(s, args) + s.game.items(s, 1) + self.ways(s, args)", "",
        "def ways(self, s, args: tuple[Any, ...]=()) -> list[int]:", "unit: int = args[0]", "args = args[1:]",
        "return [unit]",
    ]  # fmt: skip
    assert [line.strip() for line in (game / "chapter.py").read_text().splitlines()[4:]] == [
        "class March(kernel.Choice):", "kind = 'march'", "rules: tuple[Any, ...] = ('1.1', '1.2')", "",
        "def items(self, s, args: tuple[Any, ...]=()) -> list[int]:",
        "unit: int = args[0]", "hot: bool = args[1] if len(args) > 1 else False", "return [unit, hot]", "",
        "def legal(self, s, args: tuple[Any, ...]=()) -> list[int]:", "unit: int = args[0]", "rest = args[1:]",
        "return super().legal(s, (unit, *rest)) + roads.items(s, unit) + s.items(unit)", "",
        "class Other:", "", "def look(self, s, choice: March):",
        "return self.items(s, 1) + choice.items(s, (1, True))",
    ]  # fmt: skip
