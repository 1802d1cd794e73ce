"""Is a lesson right? Plays it as written, tries every wrong turn, and says what does not fit and where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from counterblow.kernel.errors import CounterblowError
from counterblow.learn.lesson import Lesson, Step
from counterblow.learn.session import Answer, Session

WORDS_A_MINUTE = 130  # read with the map in view
SECONDS_AN_ACTION = 7


@dataclass
class Checked:
    """What was found, and what the lesson covers: for the list of what no lesson teaches."""

    problems: list[str] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)  # of actions that the pupil does, or hears of as legal wrong turns
    phases: set[str] = field(default_factory=set)  # in which the pupil acts
    rules: set[str] = field(default_factory=set)  # that the lesson names
    minutes: float = 0.0
    inputs: list[str] = field(default_factory=list)  # the lesson played as written


def check(lesson: Lesson) -> Checked:
    """Play a lesson through as a pupil would: what is wrong in it, how long it takes, which rules it teaches."""
    found = Checked(rules=set(lesson.teaches))
    try:
        session = Session(lesson)
    except CounterblowError as error:
        found.problems.append(f"{_place(lesson, str(error))}: the position cannot be built: {error}")
        return found
    words = 0
    for step in lesson.steps:
        place = f"{lesson.where}, line {step.line} (step {step.number})"
        found.rules.update(step.rules)
        words += len(step.read.split())
        problems = [f"{place}: {problem}" for problem in _play(session, step, found)]
        found.problems.extend(problems)
        if problems:
            return found  # what follows stands on this step
    found.inputs = session.inputs
    found.minutes = words / WORDS_A_MINUTE + len(session.inputs) * SECONDS_AN_ACTION / 60
    if not lesson.teaches:
        found.problems.append(f'{lesson.where}: "teaches" is empty: name the rules that the lesson teaches')
    return found


def _place(lesson: Lesson, error: str) -> str:
    """The file, and the first line in which what the error quotes stands."""
    quoted = re.search(r'"[^"]+"', error)
    lines = enumerate(lesson.source.splitlines(), 1)
    line = next((number for number, text in lines if quoted is not None and quoted[0] in text), None)
    return lesson.where if line is None else f"{lesson.where}, line {line}"


def _play(session: Session, step: Step, found: Checked) -> Iterator[str]:
    """One step as written; what is wrong with it."""
    if step.reading:
        try:
            session.go_on()
        except CounterblowError as error:
            yield f'"then": {error}: {_asked(session)}'
        return
    yield from _wrong_turns(session, step, found)
    if step.forbidden:
        yield from _forbidden(session, step)
        return
    for choice in step.do or tuple((text,) for text in step.play):
        if session.at != step.number - 1:
            yield f'it is over before "{choice[0]}": leave that out of "play"'
            return
        if session.state.side != session.lesson.side:
            yield f'"{choice[0]}": the pupil ({session.lesson.side}) does not decide: {_asked(session)}'
            return
        texts = session.wanted or choice
        for text in texts:
            problem = _illegal(session, text)
            if problem:
                yield problem
                return
        found.kinds.add(session.state.parse(texts[0]).kind)
        found.phases.add(session.state.phase)
        try:
            session.do(texts[0])
        except CounterblowError as error:
            yield f'"then": {error}: {_asked(session)}'
            return
    if session.at != step.number:
        yield f'"until" does not hold after what "play" does: {dict(step.until)}'


def _forbidden(session: Session, step: Step) -> Iterator[str]:
    try:
        citations = session.state.why_not(session.state.parse(step.forbidden))
    except CounterblowError as error:
        yield f'"forbidden": {error}'
        return
    if not citations:
        yield f'"forbidden": "{step.forbidden}" is legal'
        return
    if step.because not in [citation.rule for citation in citations]:
        said = "; ".join(map(str, citations))
        yield f'"because": "{step.forbidden}" is refused, but not by rule {step.because}: {said}'
        return
    try:
        session.do(step.forbidden)
    except CounterblowError as error:
        yield f'"then": {error}: {_asked(session)}'


def _wrong_turns(session: Session, step: Step, found: Checked) -> Iterator[str]:
    """Each wrong turn is really tried: refused by the rule it names, or legal and not what was asked for."""
    for number, wrong in enumerate(step.wrong, 1):
        before = session.state.to_json()
        reply = session.do(wrong.do)
        place = f'wrong turn {number}, "{wrong.do}"'
        if session.state.to_json() != before or reply.answer is Answer.DONE:
            yield f"{place}: it is what the step asks for"
            return
        if wrong.rule is None and reply.answer is not Answer.OTHER:
            said = "; ".join(map(str, reply.citations)) or reply.say
            yield f'{place}: is not legal ({said}); name the rule with "rule"'
        elif wrong.rule is not None and wrong.rule not in [citation.rule for citation in reply.citations]:
            said = "; ".join(map(str, reply.citations)) or reply.say or "it is legal"
            yield f"{place}: should be refused by rule {wrong.rule}, but: {said}"
        elif wrong.rule is None:
            found.kinds.add(session.state.parse(wrong.do).kind)  # it is spoken of, and may be chosen another time
        if reply.say != wrong.say:
            yield f'{place}: its "say" is not said'


def _illegal(session: Session, text: str) -> str | None:
    try:
        citations = session.state.why_not(session.state.parse(text))
    except CounterblowError as error:
        return f"{error}: {_asked(session)}"
    if citations:
        return f'"{text}" is not legal: {"; ".join(map(str, citations))}: {_asked(session)}'
    return None


def _asked(session: Session) -> str:
    """What is asked at this moment, for whoever writes the lesson."""
    decision = session.state.decision
    if decision is None:
        return "the game is over"
    legal = [action.text for action in session.state.legal()]
    shown = ", ".join(legal[:40]) + (f" and {len(legal) - 40} more" if len(legal) > 40 else "")
    return f"{decision.side} in {session.state.phase} is asked: {decision.prompt} Legal: {shown}"
