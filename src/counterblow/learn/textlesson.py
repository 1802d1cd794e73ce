"""Taking a lesson in a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from counterblow.kernel.errors import CounterblowError
from counterblow.kernel.state import State
from counterblow.learn.lesson import Lesson
from counterblow.learn.session import Answer, Session
from counterblow.textplay import Dialogue, chosen

HELP = """Type an action, or its number in 'list'. Press Enter where there is only something to read. Further commands:
  list [WORD]     the legal actions, or those that contain WORD
  hint            what the lesson waits for
  board           the units on the map, hex by hex
  rule ID         a rule in our own words
  back            take back the last thing you did
  again           from the beginning
  quit            leave the lesson"""


FEW = 12  # choices that are shown without being asked for


class TextLesson(Dialogue):
    """One lesson in one terminal. ``run`` tells whether it was finished."""

    def __init__(self, lesson: Lesson, out: Console) -> None:
        super().__init__(lesson.game, HELP, out)
        self.session = Session(lesson)
        self.lesson = lesson
        self._told = -1
        self.commands |= {"hint": self._hint, "back": self._back, "again": self._again}

    @property
    def state(self) -> State:
        return self.session.state

    @property
    def viewer(self) -> str:
        return self.lesson.side

    def run(self) -> bool:
        """Lead through the lesson until it is learnt or left."""
        lesson = self.lesson
        self.out.print(f"[bold]{escape(lesson.title)}[/]  {escape(lesson.about)} [dim](type 'help' for help)[/]")
        self.converse(lambda: not self.session.over)
        if self.session.over:
            self.out.print(f"\n[bold green]Done.[/] {escape(lesson.after)}")
        return self.session.over

    def ask(self) -> None:
        """What to read, once; then what is asked, and what may be done."""
        session = self.session
        step, decision = session.step, session.state.decision
        assert step is not None
        if session.at != self._told:
            self._told = session.at
            rules = f" [dim]({', '.join(step.rules)})[/]" if step.rules else ""
            self.out.print(f"\n[bold cyan]{step.number}/{len(self.lesson.steps)}[/] {escape(step.read)}{rules}")
            if step.light:
                self.out.print(f"   [dim]on the map:[/] {escape(', '.join(step.light))}")
        if step.forbidden:
            self.out.print(f"   [dim]try:[/] {escape(step.forbidden)}")
        elif step.reading:
            self.out.print("   [dim]press Enter to go on[/]")
        elif decision is not None:
            self.out.print(f"   [dim]{escape(decision.prompt)}[/]")
            self._choices()

    def _choices(self) -> None:
        """What may be done, where that is short to read; else how to see it."""
        many = len(self.state.legal())
        if many <= FEW:
            self.list_legal()
        else:
            self.out.print(f"   [dim]{many} choices: 'list' shows them, 'list WORD' those with a word[/]")

    def attempt(self, line: str) -> None:
        session = self.session
        reply = session.give(chosen(self.state, line).text if line.isdigit() else line)
        for citation in reply.citations:
            self.out.print(f"   [yellow]{escape(str(citation))}[/]")
        if reply.say:
            self.out.print(f"   [yellow]{escape(reply.say)}[/]")
        self.tell(reply.events)
        if reply.answer is Answer.REFUSED and not reply.citations and not reply.say:
            self.out.print("   [yellow]not now[/]")

    def _hint(self, _: str) -> None:
        step = self.session.step
        assert step is not None
        wanted = self.session.wanted or ((step.forbidden,) if step.forbidden else step.play[:1])
        self.out.print("   " + escape(" or ".join(wanted) or "press Enter to go on"))

    def _back(self, _: str) -> None:
        if not self.session.inputs:
            raise CounterblowError("this is the beginning")
        self.session.undo()
        self._told = -1

    def _again(self, _: str) -> None:
        self.session.restart()
        self._told = -1
