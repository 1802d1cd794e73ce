"""Taking a lesson in a terminal."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.markup import escape

from counterblow.kernel.errors import CounterblowError
from counterblow.learn.lesson import Lesson
from counterblow.learn.session import Answer, Session
from counterblow.textplay import chosen, show_board, show_rule

HELP = """Type an action, or its number in 'list'. Press Enter where there is only something to read. Further commands:
  list [WORD]     the legal actions, or those that contain WORD
  hint            what the lesson waits for
  board           the units on the map, hex by hex
  rule ID         a rule in our own words
  back            take back the last thing you did
  again           from the beginning
  quit            leave the lesson"""


class TextLesson:
    """One lesson in one terminal. ``run`` tells whether it was finished."""

    def __init__(self, lesson: Lesson, out: Console) -> None:
        self.session = Session(lesson)
        self.lesson = lesson
        self.out = out
        self.leaving = False
        self._told = -1

    def run(self) -> bool:
        """Lead through the lesson until it is learnt or left."""
        lesson = self.lesson
        self.out.print(f"[bold]{escape(lesson.title)}[/]  {escape(lesson.about)} [dim](type 'help' for help)[/]")
        while not self.session.over and not self.leaving:
            self._tell_step()
            try:
                line = self.out.input("> ").strip()
            except (EOFError, KeyboardInterrupt):
                line = "quit"
            try:
                self.obey(line)
            except CounterblowError as error:
                self.out.print(f"[red]{escape(str(error))}[/]")
        if self.session.over:
            self.out.print(f"\n[bold green]Done.[/] {escape(lesson.after)}")
        return self.session.over

    def _tell_step(self) -> None:
        """What to read, once; then who is asked what."""
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
        elif not step.reading and decision is not None:
            self.out.print(f"   [dim]{escape(decision.prompt)}[/]")

    def obey(self, line: str) -> None:
        """Take one line that the pupil typed."""
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: self.out.print(HELP, markup=False),
            "list": self._list,
            "hint": self._hint,
            "board": self._board,
            "rule": self._rule,
            "back": self._back,
            "again": self._again,
            "quit": self._quit,
        }
        if word in commands:
            commands[word](rest.strip())
        else:
            self._try(line)

    def _try(self, line: str) -> None:
        session = self.session
        reply = session.give(chosen(session.state, line).text if line.isdigit() else line)
        for citation in reply.citations:
            self.out.print(f"   [yellow]{escape(str(citation))}[/]")
        if reply.say:
            self.out.print(f"   [yellow]{escape(reply.say)}[/]")
        for event in reply.events:
            self.out.print(f"   {escape(str(event))}")
        if reply.answer is Answer.REFUSED and not reply.citations and not reply.say:
            self.out.print("   [yellow]not now[/]")

    def _list(self, word: str) -> None:
        for number, action in enumerate(self.session.state.legal(), 1):
            if word.casefold() in action.text.casefold():
                self.out.print(f"  {number:3d}  {escape(action.text)}")

    def _hint(self, _: str) -> None:
        step = self.session.step
        assert step is not None
        wanted = self.session.wanted or ((step.forbidden,) if step.forbidden else step.play[:1])
        self.out.print("   " + escape(" or ".join(wanted) or "press Enter to go on"))

    def _board(self, _: str) -> None:
        show_board(self.session.state, self.lesson.side, self.out)

    def _rule(self, rule: str) -> None:
        show_rule(self.lesson.game, rule, self.out)

    def _back(self, _: str) -> None:
        if not self.session.inputs:
            raise CounterblowError("this is the beginning")
        self.session.undo()
        self._told = -1

    def _again(self, _: str) -> None:
        self.session.restart()
        self._told = -1

    def _quit(self, _: str) -> None:
        self.leaving = True
