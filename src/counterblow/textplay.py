"""Playing in a terminal: numbered legal actions, prompts with rule ids, undo, save and resume."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from counterblow.kernel.actions import Action, IllegalAction, UnreadableAction
from counterblow.kernel.errors import CounterblowError
from counterblow.kernel.events import Event
from counterblow.kernel.game import Game
from counterblow.kernel.record import Match
from counterblow.kernel.state import State
from counterblow.learn.coach import advice

HELP = """Type the number of an action, or the action itself. Further commands:
  list [WORD]     the legal actions again, or those that contain WORD
  why ACTION      why an action is not legal
  odds ACTION     the exact outcomes of an action that rolls dice
  board           the units on the map, hex by hex
  status          what victory needs, how it stands, what would change it; who was eliminated
  rule ID         a rule in our own words
  coach           what a computer player would do, and why
  undo            take back the last action, to the last die or draw
  save [FILE]     save the match
  quit            leave (the match is saved if a file was named)"""


class Dialogue(ABC):
    """Somebody at a terminal types commands, or something to try. Playing and learning are dialogues."""

    def __init__(self, game: Game, help_text: str, out: Console) -> None:
        self.game = game
        self.help_text = help_text
        self.out = out
        self.leaving = False
        self.commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: self.out.print(self.help_text, markup=False),
            "list": self.list_legal,
            "board": lambda _: show_board(self.state, self.viewer, self.out),
            "rule": self._rule,
            "quit": self._quit,
        }

    @property
    @abstractmethod
    def state(self) -> State:
        """The position on the board."""

    @property
    @abstractmethod
    def viewer(self) -> str | None:
        """The side that looks at the board."""

    @abstractmethod
    def ask(self) -> None:
        """Tell what is asked now."""

    @abstractmethod
    def attempt(self, line: str) -> None:
        """Try what is no command."""

    def converse(self, going: Callable[[], bool]) -> None:
        """Ask and listen while it goes on; what is wrong is said."""
        while going() and not self.leaving:
            self.ask()
            try:
                line = self.out.input("> ").strip()
            except (EOFError, KeyboardInterrupt):
                line = "quit"
            try:
                self.obey(line)
            except CounterblowError as error:
                self.out.print(f"[red]{escape(str(error))}[/]")

    def obey(self, line: str) -> None:
        """Take one line that was typed."""
        word, _, rest = line.partition(" ")
        if word in self.commands:
            self.commands[word](rest.strip())
        else:
            self.attempt(line)

    def list_legal(self, word: str = "") -> None:
        """The legal actions with their numbers, or those that contain a word."""
        for number, action in enumerate(self.state.legal(), 1):
            if word.casefold() in action.text.casefold():
                self.out.print(f"  {number:3d}  {escape(action.text)}")

    def tell(self, events: Iterable[Event]) -> None:
        """What happened."""
        for event in events:
            text = str(event)
            self.out.print(f"   {escape(text[:1].upper() + text[1:])}")

    def _rule(self, rule: str) -> None:
        if rule not in self.game.rules:
            raise CounterblowError(f'{self.game.slug} has no rule "{rule}"')
        entry = self.game.rules[rule]
        self.out.print(f"   [bold]{entry.id}[/] {escape(entry.title)}: {escape(entry.text)}")

    def _quit(self, _: str) -> None:
        self.leaving = True


class TextPlay(Dialogue):
    """One terminal, both sides."""

    def __init__(self, match: Match, save: Path | None, out: Console) -> None:
        super().__init__(match.game, HELP, out)
        self.match = match
        self.save = save
        self.commands |= {
            "why": self._why,
            "odds": self._odds,
            "status": lambda _: show_standing(self.state, self.viewer, self.out),
            "coach": self._coach,
            "undo": self._undo,
            "save": self._save,
        }

    @property
    def state(self) -> State:
        return self.match.state

    @property
    def viewer(self) -> str | None:
        return self.state.side

    def run(self) -> None:
        """Play until the game is over or left."""
        self.out.print(f"[bold]{escape(self.game.title)}[/]  (type 'help' for help)")
        self.converse(lambda: not self.state.over)
        if self.state.over:
            result = self.state.result
            assert result is not None
            winner = f"{result.winner} wins" if result.winner else "a draw"
            self.out.print(f"[bold]{winner}[/]: {result.level}. {escape(result.reason)} ({', '.join(result.rules)})")
        self._save_if_named()

    def ask(self) -> None:
        state = self.state
        decision = state.decision
        assert decision is not None
        rules = f" [dim]({', '.join(decision.rules)})[/]" if decision.rules else ""
        turn = state.game.views.turn_label(state)
        self.out.print(f"\n[bold]{turn}[/]  [cyan]{decision.side}[/]: {escape(decision.prompt)}{rules}")
        self.list_legal()

    def attempt(self, line: str) -> None:
        if line:
            self.tell(self.match.do(self._chosen(line)))

    def _chosen(self, text: str) -> Action:
        return chosen(self.state, text)

    def _why(self, text: str) -> None:
        reasons = self.state.why_not(self._chosen(text))
        for reason in reasons:
            self.out.print(f"   {escape(str(reason))}")
        if not reasons:
            self.out.print("   it is legal")

    def _odds(self, text: str) -> None:
        try:
            forecast = self.state.forecast(self._chosen(text))
        except IllegalAction as error:
            self.out.print(f"[red]{escape(str(error))}[/]")
            return
        if forecast is None:
            self.out.print("   no die is rolled for that")
            return
        self.out.print(f"   {escape(forecast.title)}: " + escape(", ".join(f"{n} {v}" for n, v in forecast.facts)))
        for modifier in forecast.modifiers:
            self.out.print(f"   {escape(str(modifier))}")
        for outcome in forecast.outcomes:
            bar = "#" * round(40 * outcome.chance)
            self.out.print(f"   {float(outcome.chance):6.1%} {escape(outcome.result):8} {bar} {escape(outcome.text)}")
        for note in forecast.notes:
            self.out.print(f"   {escape(note)}")

    def _coach(self, _: str) -> None:
        decider = self.state.decider
        assert decider is not None
        for choice in advice(self.state, decider).choices:
            worth = f"{choice.worth:+.2f} points{'' if choice.less else ', best'}"
            self.out.print(f"   [bold]{escape(choice.action)}[/]  {escape(choice.reason)} [dim]({worth})[/]")

    def _undo(self, _: str) -> None:
        self.out.print(f"   taken back: {escape(str(self.match.undo()))}")

    def _save(self, name: str) -> None:
        if name:
            self.save = Path(name)
        if self.save is None:
            raise CounterblowError("save where? type 'save FILE'")
        self._save_if_named()

    def _save_if_named(self) -> None:
        if self.save is not None:
            self.match.save(self.save)
            self.out.print(f"   saved to {self.save}")


def chosen(state: State, text: str) -> Action:
    """The action that was typed: its number in the list of legal ones, or its words."""
    if not text.isdigit():
        return state.parse(text)
    legal = state.legal()
    if not 1 <= int(text) <= len(legal):
        raise UnreadableAction(f"there is no action number {text}: choose 1 to {len(legal)}")
    return legal[int(text) - 1]


def show_board(state: State, side: str | None, out: Console) -> None:
    """The units that a side sees on the map, hex by hex."""
    stacks: dict[str, list[str]] = {}
    for unit in state.view(side)["units"]:
        name = unit.get("name", f"{unit['side']} unit")
        marks = f" ({', '.join(unit['markers'])})" if unit.get("markers") else ""
        stacks.setdefault(unit["at"], []).append(name + marks)
    for place, names in stacks.items():
        out.print(f"   {place}  {escape(', '.join(names))}")


def show_standing(state: State, side: str | None, out: Console) -> None:
    """What victory needs and how it stands, as a side may know it."""
    view = state.view(side)
    titles = dict(zip(state.game.sides, state.game.side_titles, strict=True))
    standing = view["standing"]
    if standing is None:
        raise CounterblowError(f"{state.game.title} does not tell how it stands")
    verdict, left = standing["verdict"], standing["turns_left"]
    ending = f"{titles[verdict['winner']]} wins, {verdict['level']}" if verdict["winner"] else "a draw"
    out.print(f"   {left} turn{'s' * (left != 1)} left. If the game ended now: [bold]{escape(ending)}[/]. "
              f"{escape(verdict['reason'])} [dim]({', '.join(verdict['rules'])})[/]")  # fmt: skip
    for heading, lines in (("What victory needs", standing["needs"]), ("What would change it", standing["changes"])):
        out.print(f"   [bold]{heading}[/]")
        for line in lines:
            who = titles.get(line["side"], "Either side")
            now = f": {line['now']}" if line["now"] else ""
            out.print(f"   {'*' if line['met'] else '-'} {who}: {escape(line['text'] + now)} [dim]({line['rule']})[/]")
    lost = [unit for box in view.get("boxes", []) if box["id"] in view["losses"] for unit in box["units"]]
    lost += [unit for unit in view["units"] if unit["at"] in view["losses"]]
    names = ", ".join(unit.get("name", f"{unit['side']} unit") for unit in lost) or "nobody"
    out.print(f"   [bold]Eliminated[/]: {escape(names)}")
