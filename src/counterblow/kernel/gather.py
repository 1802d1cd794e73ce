"""Units put together one by one, and then committed: an attack, a stack that marches, a bombing mission.

The game says who can join and why others cannot, which further hexes can be drawn in, when the whole may be committed,
and what it would lead to. Taking a unit out again and calling the whole off follow from that: they cost nothing, since
nothing happens before the commitment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from counterblow.kernel.actions import Action
from counterblow.kernel.flow import BACK, EVERYBODY, WITHOUT, Choice, S
from counterblow.kernel.forecast import Forecast
from counterblow.kernel.pick import Pick, part_of
from counterblow.kernel.rulebook import Citation


class Plan(NamedTuple):
    """What is being put together: whose, against which hexes, by which units, and what the game adds."""

    side: int
    targets: tuple[int, ...]
    units: tuple[int, ...] = ()
    extra: tuple[Any, ...] = ()

    def joined(self, unit: int) -> Plan:
        """The plan with one unit more."""
        return Plan(self.side, self.targets, (*self.units, unit), self.extra)

    def against(self, node: int) -> Plan:
        """The plan with one hex more."""
        return Plan(self.side, (*self.targets, node), self.units, self.extra)

    def less(self, unit: int) -> Plan:
        """The plan without a unit."""
        return Plan(self.side, self.targets, tuple([other for other in self.units if other != unit]), self.extra)

    def adding(self, extra: tuple[Any, ...]) -> Plan:
        """The plan with other things that the game adds."""
        return Plan(self.side, self.targets, self.units, extra)


class Gather(Choice[S]):
    """A plan grows by units and hexes until it is committed. The step's one argument is the plan."""

    joining: str = "with"  # the kind of action that adds a unit
    drawing: str = ""  # the kind that adds a hex, where several can be attacked together
    committing: str = "commit"  # none: a part commits, by naming the target last
    parts: tuple[Pick[Any], ...] = ()  # what else the game offers meanwhile (aircraft, ...)

    # ------------------------------------------------------------------ what the game says

    def candidates(self, s: S, plan: Plan) -> Iterable[int]:
        """Units that could join if no rule spoke against it."""
        raise NotImplementedError

    def why_not_join(self, s: S, plan: Plan, unit: int) -> Citation | None:
        """The rule that keeps a unit out of the plan; None if it can join."""
        raise NotImplementedError

    def joiners(self, s: S, plan: Plan) -> Sequence[int]:
        """Who can join now."""
        return [u for u in self.candidates(s, plan) if u not in plan.units and self.why_not_join(s, plan, u) is None]

    def further(self, s: S, plan: Plan) -> Sequence[int]:
        """Hexes that can be drawn in."""
        return ()

    def why_not_further(self, s: S, plan: Plan, node: int) -> Citation | None:
        """Why a hex that is not among ``further`` cannot be drawn in."""
        return None

    def why_not_commit(self, s: S, plan: Plan) -> Citation | None:
        """The rule that forbids to go through with the plan as it stands; without units none is gone through with."""
        return None

    def commit(self, s: S, plan: Plan) -> None:
        """Go through with it. The step is off the agenda already."""
        raise NotImplementedError

    def outlook(self, s: S, plan: Plan) -> Forecast | None:
        """What the plan would lead to."""
        return None

    def why_not_leave(self, s: S, plan: Plan) -> Citation | None:
        """The rule that forbids to call the plan off, or to take a unit out of it."""
        return None

    def why_not_more(self, s: S, plan: Plan) -> Citation:
        """Why nobody else can join."""
        return Citation(self.rules[0], "nobody else can join")

    def parts_now(self, s: S, plan: Plan) -> Sequence[Pick[Any]]:
        """The parts that can have something to offer: all, unless the game knows better."""
        return self.parts

    def joined(self, s: S, plan: Plan) -> None:
        """The plan has changed: what follows at once (nothing, usually)."""

    # ------------------------------------------------------------------ what follows from it

    def side(self, s: S, plan: Plan) -> int:
        return plan.side

    def chosen(self, s: S, plan: Plan) -> tuple[int, ...]:
        return plan.units

    def legal(self, s: S, plan: Plan) -> list[Action]:
        act = s.game.act
        found: list[Action] = s.game.actions_for(self.joining, self.joiners(s, plan))
        if self.drawing:
            draw = act[self.drawing]
            found += [draw[node] for node in self.further(s, plan)]
        for part in self.parts_now(s, plan):
            found += part.legal(s, plan)
        if self.committing and plan.units and self.why_not_commit(s, plan) is None:
            found.append(act[self.committing][()])
        return found

    def do(self, s: S, action: Action, plan: Plan) -> None:
        if action.kind == self.committing:
            s.pop()
            self.commit(s, plan)
        elif action.kind == self.joining or action.kind == self.drawing:
            self._change(s, self._after(action, plan))
        else:
            part = self._part(action.kind)
            assert part is not None
            part.do(s, action, plan)

    def _change(self, s: S, plan: Plan) -> None:
        s.replace(type(self), plan)
        self.joined(s, plan)

    def _after(self, action: Action, plan: Plan) -> Plan:
        """The plan as an action would leave it."""
        if action.kind == self.joining:
            return plan.joined(action.args[0])
        if action.kind == self.drawing:
            return plan.against(action.args[0])
        return plan.less(action.args[0]) if action.kind == WITHOUT else plan

    def _part(self, kind: str) -> Pick[Any] | None:
        return part_of(self.parts, kind)

    def shortcuts(self, s: S, plan: Plan) -> list[Action]:
        act = s.game.act
        found: list[Action] = [act[EVERYBODY][()]] if len(self.joiners(s, plan)) > 1 else []
        if self.why_not_leave(s, plan) is None:
            found.append(act[BACK][()])
            if len(plan.units) > 1:
                found += [act[WITHOUT][unit] for unit in plan.units]
        return found

    def allows(self, s: S, action: Action, plan: Plan) -> bool:
        """Everybody may join though only one can; a button for that would say nothing new."""
        return super().allows(s, action, plan) or (action.kind == EVERYBODY and bool(self.joiners(s, plan)))

    def take_shortcut(self, s: S, action: Action, plan: Plan) -> None:
        if action.kind == BACK:
            s.pop()
        else:
            self._change(s, self.everybody(s, plan) if action.kind == EVERYBODY else self._after(action, plan))

    def everybody(self, s: S, plan: Plan) -> Plan:
        """The plan with all who can join."""
        joiners = self.joiners(s, plan)
        while joiners:
            plan = plan.joined(joiners[0])
            joiners = self.joiners(s, plan)
        return plan

    def why_not(self, s: S, action: Action, plan: Plan) -> list[Citation]:
        if action.kind == self.joining:
            reason = self.why_not_join(s, plan, action.args[0])
        elif action.kind == self.drawing:
            reason = self.why_not_further(s, plan, action.args[0])
        elif action.kind == self.committing:
            reason = self.why_not_commit(s, plan)
        elif action.kind == BACK:
            reason = self.why_not_leave(s, plan)
        elif action.kind == WITHOUT:
            reason = self.why_not_without(s, plan, action.args[0])
        elif action.kind == EVERYBODY:
            reason = self.why_not_more(s, plan)
        else:
            part = self._part(action.kind)
            return part.why_not(s, action, plan) if part else []
        return [] if reason is None else [reason]

    def why_not_without(self, s: S, plan: Plan, unit: int) -> Citation:
        """Asked only of a unit that cannot be taken out."""
        if unit not in plan.units:
            return Citation(self.rules[0], f"{s.game.unit_names[unit]} is not part of it")
        return self.why_not_leave(s, plan) or Citation(self.rules[0], "it is all that is left: go back")

    def forecast(self, s: S, action: Action, plan: Plan) -> Forecast | None:
        """What the plan would lead to as the action leaves it."""
        part = self._part(action.kind)
        if part is not None:
            return part.forecast(s, action, plan)
        if action.kind == BACK:
            return None
        after = self.everybody(s, plan) if action.kind == EVERYBODY else self._after(action, plan)
        return self.outlook(s, after) if after.units else None

    def loaded(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        return (Plan(*args[0]),)
