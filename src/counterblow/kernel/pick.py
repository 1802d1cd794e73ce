"""The common choice: one of several things, or none.

A ``Pick`` says what there is to pick (``items``), why something else is refused (``why_not_item``), and what picking
does (``take``); ``legal``, ``why_not`` and ``do`` follow. A ``Menu`` puts several of them side by side in one decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from counterblow.kernel.actions import Action
from counterblow.kernel.flow import BACK, Choice, S, filled
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.rulebook import Citation

Item = Any  # what fills the action's blanks: a unit, a hex, or a tuple where there are several blanks


class Pick(Choice[S]):
    """One item, written as the action ``kind``, or the pass, written as the action ``passing``.

    A subclass gives ``candidates`` and ``why_not_item``, and what is not refused can be picked; or, where that would be
    slow, ``items`` as well; or ``items`` alone, and ``otherwise`` for all the rest.
    """

    kind: str
    passing: str = ""  # the kind of the action that declines; none: one must pick
    stays: bool = False  # asked again after every item, until it is passed
    returns: bool = False  # "back": nothing is spent yet, and the choice below is where this one came from
    otherwise: Any = None  # a citation: why all that is not among ``items`` is refused; with blanks, see ``filled``
    opens: Any = None  # the choice that picking leads to, about the item: "march {unit}", then where to

    def candidates(self, s: S, *args: Any) -> Iterable[Item]:
        """Everything that could be picked if no rule spoke against it."""
        raise NotImplementedError

    def why_not_item(self, s: S, item: Item, *args: Any) -> Citation | None:
        """The rule that forbids an item; None if it may be picked."""
        if self.otherwise is None:
            raise NotImplementedError
        return Citation(self.otherwise.rule, filled(s, self.otherwise.text, args))

    def items(self, s: S, *args: Any) -> Sequence[Item]:
        """What can be picked, in a fixed order."""
        return [item for item in self.candidates(s, *args) if self.why_not_item(s, item, *args) is None]

    def why_not_pass(self, s: S, *args: Any) -> Citation | None:
        """The rule that forbids to decline."""
        return None

    def take(self, s: S, item: Item, *args: Any) -> None:
        """Carry it out. The step is off the agenda already, unless it ``stays``."""
        s.push(self.opens, item, *args)

    def outlook(self, s: S, item: Item, *args: Any) -> Forecast | None:
        """What picking an item would lead to, where dice will decide."""
        return None

    def decline(self, s: S, *args: Any) -> None:
        """What the pass does beyond taking the choice off the agenda."""

    def pass_item(self, s: S, *args: Any) -> Item:
        """What fills the blanks of the pass, where it has any: "halt {unit}"."""
        return ()

    def pass_rule(self, s: S, *args: Any) -> str:
        """The rule that lets one decline: for who names another than it."""
        return self.rules[0]

    # ------------------------------------------------------------------ what follows from these

    def offers(self, kind: str) -> bool:
        """Is an action of this kind one of this pick's?"""
        return kind in (self.kind, self.passing)

    def legal(self, s: S, *args: Any) -> list[Action]:
        found = self.listed(s, *args) if args else self.listed(s)
        if self.passing:
            passing = self.passes(s, *args) if args else self.passes(s)
            if passing is not None:
                found.append(passing)
        return found

    def listed(self, s: S, *args: Any) -> list[Action]:
        """The items as actions."""
        found = self.items(s, *args) if args else self.items(s)
        if not found:
            return []
        actions: list[Action] = s.game.actions_for(self.kind, found)
        return actions

    def passes(self, s: S, *args: Any) -> Action | None:
        if not self.passing or (self.why_not_pass(s, *args) if args else self.why_not_pass(s)) is not None:
            return None
        action: Action = s.game.act[self.passing][self.pass_item(s, *args) if args else self.pass_item(s)]
        return action

    def do(self, s: S, action: Action, *args: Any) -> None:
        if action.kind == self.passing:
            s.pop()
            self.decline(s, *args)
            return
        if not self.stays:
            s.pop()
        if args:
            self.take(s, item_of(action), *args)
        else:
            self.take(s, item_of(action))

    def forecast(self, s: S, action: Action, *args: Any) -> Forecast | None:
        return self.outlook(s, item_of(action), *args) if action.kind == self.kind else None

    def shortcuts(self, s: S, *args: Any) -> list[Action]:
        return [s.game.act[BACK][()]] if self.returns else []

    def allows(self, s: S, action: Action, *args: Any) -> bool:
        """Who ends what he has not begun takes it back."""
        found = self.shortcuts(s, *args)
        if action.kind != self.passing or s.game.act[BACK][()] not in found:
            return action in found
        own: Action = s.game.act[self.passing][self.pass_item(s, *args)]
        return action == own

    def why_not(self, s: S, action: Action, *args: Any) -> list[Citation]:
        if action.kind == self.kind:
            reason = self.why_not_item(s, item_of(action), *args)
        elif action.kind == self.passing:
            reason = self.why_not_pass(s, *args)
            if reason is None and self.rules:  # it names another than the one who is asked
                only: Action = s.game.act[self.passing][self.pass_item(s, *args)]
                reason = Citation(self.pass_rule(s, *args), f"here it can only be: {only.text}")
        else:
            reason = None
        return [] if reason is None else [reason]


class Deed(Pick[S]):
    """Something that can be done or not: an action without blanks."""

    def why_not_now(self, s: S, *args: Any) -> Citation | None:
        """The rule that forbids it now."""
        return None

    def perform(self, s: S, *args: Any) -> None:
        """Carry it out."""
        s.push(self.opens, *args)

    def items(self, s: S, *args: Any) -> Sequence[Item]:
        return [()] if self.why_not_now(s, *args) is None else []

    def why_not_item(self, s: S, item: Item, *args: Any) -> Citation | None:
        return self.why_not_now(s, *args)

    def take(self, s: S, item: Item, *args: Any) -> None:
        self.perform(s, *args)


def item_of(action: Action) -> Item:
    """What an action names: the one thing, or the tuple of all."""
    return action.args[0] if len(action.args) == 1 else action.args


class Menu(Choice[S]):
    """Several picks in one decision, listed one after another. They share the step's arguments.

    Who is asked, and about whom, the first part says. A part's ``do`` runs as if it stood alone: it takes the menu off
    the agenda unless the part ``stays``. What may be done besides the legal actions (back, a way of one's own) is what
    the parts allow.
    """

    parts: tuple[Pick[Any], ...]
    passing: str = ""  # the kind of the action that declines all of them, unless one of the parts has it

    def side(self, s: S, *args: Any) -> int:
        return self.parts[0].side(s, *args)

    def about(self, s: S, *args: Any) -> tuple[int, ...]:
        return self.parts[0].about(s, *args)

    def prompt(self, s: S, *args: Any) -> str:
        return super().prompt(s, *args) or self.parts[0].prompt(s, *args)

    def decline(self, s: S, *args: Any) -> None:
        """What the pass does beyond taking the choice off the agenda."""

    def why_not_pass(self, s: S, *args: Any) -> Citation | None:
        """The rule that forbids to decline."""
        return None

    def parts_now(self, s: S, *args: Any) -> tuple[Pick[Any], ...]:
        """The parts that can have something to offer: all, unless the game knows better."""
        return self.parts

    def legal(self, s: S, *args: Any) -> list[Action]:
        found: list[Action] = []
        for part in self.parts_now(s, *args):
            found += part.legal(s, *args) if args else part.legal(s)
        if self.passing and self.why_not_pass(s, *args) is None:
            found.append(s.game.act[self.passing][()])
        return found

    def by_own_way(self) -> bool:
        return any(part.by_own_way() for part in self.parts)

    def part(self, kind: str) -> Pick[Any] | None:
        """The part to which an action of this kind belongs."""
        return part_of(self.parts, kind)

    def passes(self, s: S, *args: Any) -> Action | None:
        if self.passing:
            action: Action = s.game.act[self.passing][()]
            return action if self.why_not_pass(s, *args) is None else None
        for part in self.parts:
            found = part.passes(s, *args)
            if found is not None:
                return found
        return None

    def do(self, s: S, action: Action, *args: Any) -> None:
        if action.kind == self.passing:
            s.pop()
            self.decline(s, *args)
            return
        part = self.part(action.kind)
        assert part is not None
        part.do(s, action, *args)

    def shortcuts(self, s: S, *args: Any) -> list[Action]:
        return [action for part in self.parts for action in part.shortcuts(s, *args)]

    def allows(self, s: S, action: Action, *args: Any) -> bool:
        return any(part.allows(s, action, *args) for part in self.parts)

    def take_shortcut(self, s: S, action: Action, *args: Any) -> None:
        part = next(part for part in self.parts if part.allows(s, action, *args))
        part.take_shortcut(s, action, *args)

    def why_not(self, s: S, action: Action, *args: Any) -> list[Citation]:
        if action.kind == self.passing:
            reason = self.why_not_pass(s, *args)
            return [] if reason is None else [reason]
        part = self.part(action.kind)
        return part.why_not(s, action, *args) if part else []

    def forecast(self, s: S, action: Action, *args: Any) -> Forecast | None:
        part = self.part(action.kind)
        return part.forecast(s, action, *args) if part else None


def part_of(parts: tuple[Pick[Any], ...], kind: str) -> Pick[Any] | None:
    """The part to which an action of this kind belongs."""
    for part in parts:
        if part.offers(kind):
            return part
    return None
