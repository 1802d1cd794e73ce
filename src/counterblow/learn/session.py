"""A lesson being taken: what the pupil may do, and what is said to it.

A session is decided by its inputs, the accepted ones in their order: the text of an action, or ``GO_ON`` where there
was only something to read. So it can be left, resumed, undone and linked to, and the server keeps nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from counterblow.kernel.actions import Action
from counterblow.kernel.errors import CounterblowError
from counterblow.kernel.events import Event
from counterblow.kernel.record import Match
from counterblow.kernel.rulebook import Citation
from counterblow.kernel.state import State
from counterblow.learn.lesson import Lesson, Step

GO_ON = ""


class Answer(Enum):
    """What became of what the pupil tried."""

    DONE = "done"  # what was asked for: it happened, and the lesson goes on
    OTHER = "other"  # legal, but not what the step asks for: it did not happen
    REFUSED = "refused"  # against the rules: it did not happen


@dataclass(frozen=True)
class Reply:
    """What came of something that the pupil tried."""

    answer: Answer
    say: str = ""
    citations: tuple[Citation, ...] = ()
    events: tuple[Event, ...] = ()


class Session:
    """One pupil in one lesson. What was given before is given again, so that a session can be kept as a list."""

    def __init__(self, lesson: Lesson, inputs: Iterable[str] = ()) -> None:
        self.lesson = lesson
        self.restart()
        for given in inputs:
            reply = self.give(given)
            if reply.answer is not Answer.DONE:
                raise CounterblowError(f"{lesson.name}: {given or 'going on'} does not fit here: {reply.say}")

    def restart(self) -> None:
        """Back to the first step."""
        self.match = Match(self.lesson.game, state=self.lesson.start())
        self.actors: list[str] = []  # of the match's actions
        self.inputs: list[str] = []
        self.at = 0  # the step
        self.done = 0  # how many of the step's actions are done

    @property
    def state(self) -> State:
        """The position on the pupil's board."""
        return self.match.state

    @property
    def over(self) -> bool:
        """Is the lesson learnt?"""
        return self.at == len(self.lesson.steps)

    @property
    def step(self) -> Step | None:
        """The step at hand; None at the end."""
        return None if self.over else self.lesson.steps[self.at]

    @property
    def wanted(self) -> tuple[str, ...]:
        """The actions that the step asks for now, any one of them; empty where anything legal will do.

        Of a choice that stands several times ("one of these, then another") what is done is not asked for again.
        """
        step = self.step
        if step is None or not step.do:
            return ()
        choice = step.do[self.done]
        done = self.inputs[len(self.inputs) - self.done :]
        return tuple(text for text in choice if text not in done) or choice

    @property
    def as_written(self) -> str:
        """The next input of the lesson as it is written."""
        step = self.step
        assert step is not None
        if step.reading:
            return GO_ON
        return step.forbidden or (step.play[self.done] if step.play else self.wanted[0])

    def give(self, given: str) -> Reply:
        """Go on, or try an action."""
        return self.go_on() if given == GO_ON else self.do(given)

    def go_on(self) -> Reply:
        """Past a step in which there is only something to read."""
        step = self.step
        if step is None:
            return Reply(Answer.OTHER, "The lesson is over.")
        if not step.reading:
            return Reply(Answer.OTHER, "There is something to do first.")
        return self._accept(GO_ON, [])

    def do(self, text: str) -> Reply:
        """Try an action. What is not asked for does not happen, and is answered."""
        step = self.step
        if step is None:
            return Reply(Answer.OTHER, "The lesson is over.")
        if step.reading and self._comes_next(text):
            self.go_on()
            return self.do(text)
        try:
            action = self.state.parse(text)
        except CounterblowError as error:
            return Reply(Answer.REFUSED, str(error))
        citations = tuple(self.state.why_not(action))
        if step.forbidden:
            return self._forbidden(step, action, citations)
        if citations:
            return Reply(Answer.REFUSED, self.remark(action), citations)
        if self.state.decision is not None and action == self.state.decision.back:
            self.undo()
            return Reply(Answer.DONE)
        if not self._asked_for(step, action):
            return Reply(Answer.OTHER, self.remark(action) or step.otherwise or self._pointer(step))
        return self._accept(action.text, self._play(action.text))

    def undo(self) -> None:
        """Take the last input back."""
        inputs = self.inputs[:-1]
        self.restart()
        for given in inputs:
            self.give(given)

    # ------------------------------------------------------------------ how a step is met

    def _forbidden(self, step: Step, action: Action, citations: tuple[Citation, ...]) -> Reply:
        wanted = self.state.parse(step.forbidden)
        if action == wanted and citations:
            reply = self._accept(step.forbidden, [])
            return Reply(Answer.DONE, reply.say, citations, reply.events)
        if citations:
            return Reply(Answer.REFUSED, self.remark(action), citations)
        return Reply(Answer.OTHER, self.remark(action) or f'First try what the rules forbid: "{step.forbidden}".')

    def _comes_next(self, text: str) -> bool:
        """Does a pupil who read quickly do at once what the next step asks for?"""
        ahead = self.lesson.steps[self.at + 1 : self.at + 2]
        step = self.step
        if step is None or step.then or not ahead or ahead[0].reading:
            return False
        wanted = ahead[0].do[0] if ahead[0].do else (ahead[0].forbidden,) if ahead[0].forbidden else ()
        action = self._reads(text)
        return action is not None and any(self._reads(one) == action for one in wanted)

    def _asked_for(self, step: Step, action: Action) -> bool:
        if step.reading:
            return False
        return not step.do or any(self.state.parse(text) == action for text in self.wanted)

    def remark(self, action: Action) -> str:
        """What the lesson says to a wrong turn, if it has a word for it."""
        turns = self.step.wrong if self.step is not None else ()
        return next((wrong.say for wrong in turns if self._reads(wrong.do) == action), "")

    def _reads(self, text: str) -> Action | None:
        try:
            return self.state.parse(text)
        except CounterblowError:
            return None

    def _pointer(self, step: Step) -> str:
        if step.reading:
            return "Read, then go on."
        return "Legal, but not what this lesson is about now: " + " or ".join(f'"{text}"' for text in self.wanted) + "."

    def _play(self, text: str) -> list[Event]:
        actor = self.state.actor(text)
        events = self.match.do(text)
        self.actors.append(actor or "")
        return events

    def _accept(self, given: str, events: list[Event]) -> Reply:
        step = self.step
        assert step is not None
        self.inputs.append(given)
        self.done += 1
        if self._met(step):
            for text in step.then:
                events = [*events, *self._play(text)]
            self.at += 1
            self.done = 0
        return Reply(Answer.DONE, "", (), tuple(events))

    def _met(self, step: Step) -> bool:
        if step.until:
            return holds(self.state, dict(step.until))
        return not step.do or self.done == len(step.do)


def example(lesson: Lesson, rule: str) -> Session:
    """The lesson as written, up to the first step that names a rule; its beginning, if none does."""
    session = Session(lesson)
    if any(rule in (*step.rules, step.because) for step in lesson.steps):
        while session.step is not None and rule not in (*session.step.rules, session.step.because):
            if session.give(session.as_written).answer is not Answer.DONE:
                break  # the check tells what is wrong with this lesson
    return session


def holds(state: State, until: dict[str, Any]) -> bool:
    """Does everything that a step waits for hold?"""
    return all(_holds(state, key, wanted) for key, wanted in until.items())


def _holds(state: State, key: str, wanted: Any) -> bool:
    match key:
        case "at":
            return all(
                state.place(unit) in ([hexes] if isinstance(hexes, str) else hexes) for unit, hexes in wanted.items()
            )
        case "gone":
            return all(state.place(unit) is None for unit in wanted)
        case "empty":
            return all(not state.stack(state.game.node(label)) for label in wanted)
        case "control":
            shown = state.view(None).get("control", {})
            return all(shown.get(label) == side for label, side in wanted.items())
        case "phase":
            return bool(not state.over and state.phase == wanted)
        case "turn":
            return bool(state.turn == wanted)
        case "decider":
            return bool(state.side == wanted)
        case _:
            return bool(state.over == wanted)
