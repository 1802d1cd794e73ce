"""The flow of play: an agenda of small steps, each handled by one function or one choice.

The agenda is a stack of plain tuples, ``("combat.retreat", battle, unit)``: a name and whole-number, text or tuple
arguments. It copies and saves like any list. An *automatic* step is taken off the stack and run; it may change the
state and push further steps. A *choice* stays on top until its ``do`` takes it off or replaces it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from counterblow.kernel.actions import Action
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.rulebook import Citation

if TYPE_CHECKING:
    from counterblow.kernel.state import State

S = TypeVar("S", bound="State")
Step = tuple[Any, ...]


class Decision(NamedTuple):
    """What is to be decided now, by whom, under which rules."""

    side: str
    kind: str
    prompt: str
    rules: tuple[str, ...]
    chosen: tuple[int, ...] = ()  # units that the decider has already put into what is being put together


class Choice(Generic[S]):
    """One kind of decision. Subclasses are stateless: everything is in the state and the step's arguments.

    ``name`` is the step's name on the agenda; ``rules`` are the rules that grant the choice.
    """

    name: ClassVar[str]
    rules: ClassVar[tuple[str, ...]] = ()

    def side(self, s: S, *args: Any) -> int:
        """Who decides."""
        raise NotImplementedError

    def prompt(self, s: S, *args: Any) -> str:
        """What the player is asked, in one sentence."""
        raise NotImplementedError

    def legal(self, s: S, *args: Any) -> list[Action]:
        """Every legal action, in a fixed order. Never empty."""
        raise NotImplementedError

    def do(self, s: S, action: Action, *args: Any) -> None:
        """Carry out a legal action: change the state, and take this step off the agenda or replace it."""
        raise NotImplementedError

    def chosen(self, s: S, *args: Any) -> tuple[int, ...]:
        """The decider's units that are already in the attack, stack or mission that is being put together."""
        return ()

    def why_not(self, s: S, action: Action, *args: Any) -> list[Citation]:
        """Why an action that is not legal is refused. Asked only for actions that are not in ``legal``."""
        return []

    def forecast(self, s: S, action: Action, *args: Any) -> Forecast | None:
        """The exact outcomes of an action, where dice will decide."""
        return None


class Flow(Generic[S]):
    """The steps of a game by name."""

    def __init__(self) -> None:
        self.automatic: dict[str, Callable[..., None]] = {}
        self.choices: dict[str, Choice[S]] = {}

    def step(self, name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
        """Register a function ``(state, *args)`` as an automatic step."""

        def register(function: Callable[..., None]) -> Callable[..., None]:
            self._new(name)
            self.automatic[name] = function
            return function

        return register

    def choice(self, cls: type[Choice[S]]) -> type[Choice[S]]:
        """Register a class as a choice, under its ``name``."""
        self._new(cls.name)
        self.choices[cls.name] = cls()
        return cls

    def _new(self, name: str) -> None:
        if name in self.automatic or name in self.choices:
            raise ValueError(f"the step {name} is defined twice")
