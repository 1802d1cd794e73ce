"""The laboratory on the command line: experiments, tournaments, balance, reviews."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

import counterblow
from counterblow import players
from counterblow.kernel.errors import CounterblowError, RecordError
from counterblow.kernel.record import read_record
from counterblow.lab import balance as balancing
from counterblow.lab import experiment as experiments
from counterblow.lab import playing, report, results, review_page, trials, weighing, winning
from counterblow.lab import review as reviewing
from counterblow.lab import tournament as tournaments
from counterblow.lab.experiment import Experiment
from counterblow.lab.extras import need

RUN = "run.json"
REPORT = "report.html"
CORES = playing.cores()

app = typer.Typer(no_args_is_help=True, help="Experiments: play many games by a TOML file, and report what they say.")
records = typer.Typer(no_args_is_help=True, help="Matches as data.")
out = Console(highlight=False)

JobsOption = Annotated[int, typer.Option(min=1, help="Processes; the results are the same for any number.")]
ClusterOption = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Play on a Ray cluster: HOST:PORT, ray://HOST:PORT or local.")
]
OutOption = Annotated[
    Path | None, typer.Option("--out", help="Folder of the run; finished games in it are not played again.")
]
GamesOption = Annotated[int, typer.Option(min=1, help="Games (seeds) for each setting.")]
SeedOption = Annotated[int, typer.Option(help="The first seed.")]
ScenarioOption = Annotated[str | None, typer.Option(help="The scenario; the first one if not given.")]


@app.command(name="run")
def run_experiment(
    file: Annotated[Path, typer.Argument(help="The experiment, a TOML file.")],
    out_folder: OutOption = None,
    jobs: JobsOption = CORES,
    cluster: ClusterOption = None,
) -> None:
    """Play an experiment, or go on with one; write games.parquet, turns.parquet and report.html."""
    experiment = experiments.read(file)
    folder = out_folder or Path("results") / file.stem
    command = f"counterblow lab run {shlex.quote(str(file))}"
    finish(experiment, folder, jobs, cluster, command, file.read_text(encoding="utf-8"))


@app.command()
def plan(file: Annotated[Path, typer.Argument(help="The experiment, a TOML file.")]) -> None:
    """Check an experiment and say what it would play."""
    experiment = experiments.read(file)
    table = Table(title=escape(experiment.title or file.name))
    for heading in ("setting", "games", "seeds"):
        table.add_column(heading)
    for cell in experiment.cells:
        last = experiment.seed + experiment.games - 1
        table.add_row(escape(cell.label), str(experiment.games), f"{experiment.seed} to {last}")
    out.print(table)
    out.print(f"{experiment.size:,} games")


@app.command(name="report")
def write_report(folder: Annotated[Path, typer.Argument(help="The folder of a finished run.")]) -> None:
    """Write report.html again from the Parquet files of a run."""
    try:
        about = json.loads((folder / RUN).read_text(encoding="utf-8"))
    except OSError as error:
        raise CounterblowError(f"{folder}: not the folder of a finished run: {RUN}: {error.strerror}") from None
    except ValueError as error:
        raise CounterblowError(f"{folder / RUN}: broken JSON: {error}") from None
    rows = results.read(folder / results.GAMES)
    turns = results.read(folder / results.TURNS)
    _write_report(folder, about, rows, turns)
    out.print(f"{folder / REPORT}", markup=False)


def finish(
    experiment: Experiment, folder: Path, jobs: int, cluster: str | None, command: str, source: str, kind: str = "",
    changes: Sequence[str] = (),
) -> list[dict[str, Any]]:  # fmt: skip
    """Play what is missing, write the results, print and write the report."""
    need("pyarrow.parquet", "lab")  # what will be needed is asked for before hours of play, not after
    need("matplotlib.pyplot", "lab")
    full = command + (f" --cluster {shlex.quote(cluster)}" if cluster else f" --jobs {jobs}")
    with _progress(experiment.title or folder.name, full, folder) as progress:
        entries = playing.run(experiment, folder, jobs, cluster, progress)
    results.write(experiment, entries, folder)
    about = {"title": experiment.title, "command": command, "source": source, "kind": kind, "changes": list(changes)}
    (folder / RUN).write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    rows = results.read(folder / results.GAMES)
    _write_report(folder, about, rows, results.read(folder / results.TURNS))
    _print(experiment.title, rows)
    files = ", ".join((results.GAMES, results.TURNS, REPORT))
    out.print(f"{folder}: {files}", markup=False)
    return rows


def _write_report(folder: Path, about: dict[str, Any], rows: list[Any], turns: list[Any]) -> None:
    section = ""
    if about.get("kind") == "tournament":
        section = tournaments.section(rows)
    elif about.get("changes"):
        section = balancing.section([balancing.read_change(text) for text in about["changes"]], rows)
    text = report.write(about["title"], rows, turns, about["command"], about["source"], section)
    (folder / REPORT).write_text(text, encoding="utf-8")


@contextmanager
def _progress(title: str, command: str, folder: Path) -> Iterator[Callable[[int, int], None]]:
    """A live bar with the time that is left. Interrupted: say what is kept and how to go on."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("games"),
               TimeElapsedColumn(), TextColumn("left:"), TimeRemainingColumn())  # fmt: skip
    played = [0, 0]
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(title), total=None)

        def progress(done: int, size: int) -> None:
            played[:] = [done, size]
            bar.update(task, completed=done, total=size)

        try:
            yield progress
        except KeyboardInterrupt:
            bar.stop()
            told = (
                f"stopped: {played[0]} of {played[1]} games are kept in {folder}; the same command goes on:\n{command}"
            )
            Console(stderr=True, highlight=False).print(told, markup=False, soft_wrap=True)
            sys.exit(130)


def _print(title: str, rows: list[Any]) -> None:
    table = Table(title=escape(title))
    for heading in ("setting", "players", "games", "side", "wins", "95 % interval"):
        table.add_column(heading)
    for cell in report.summaries(rows):
        seated = f"{cell.setting['first_player']} - {cell.setting['second_player']}"
        first, second = cell.setting["first_side"], cell.setting["second_side"]
        table.add_row(escape(cell.label), seated, str(cell.games), first, report.percent(cell.first.value),
                      report.between(cell.first))  # fmt: skip
        table.add_row("", "", "", second, report.percent(cell.second.value), report.between(cell.second))
    out.print(table)
    for d in report.differences(rows):
        told = f"{d.what}: {d.here} -> {d.there}: {d.who} {100 * d.worth.value:+.1f} % ({report.between(d.worth)})"
        out.print(told, markup=False)


def tournament(
    slug: Annotated[str, typer.Argument(help="The game: see 'counterblow games'.")],
    player: Annotated[
        list[str] | None, typer.Option(help=f"A player: {', '.join(players.names())}; all if none is named.")
    ] = None,
    games: GamesOption = 20,
    seed: SeedOption = 0,
    scenario: ScenarioOption = None,
    option: Annotated[list[str] | None, typer.Option("--option", help="NAME=VALUE; repeat for several.")] = None,
    out_folder: OutOption = None,
    jobs: JobsOption = CORES,
    cluster: ClusterOption = None,
) -> None:
    """Round robin between computer players, seats swapped on the same seeds, with Elo and intervals."""
    names = player or list(players.names())
    game = counterblow.load(slug)
    for name in names:
        players.make(name)  # an unknown one is said here
    experiment = tournaments.experiment(slug, names, games, seed, scenario, read_options(game, option))
    command = shlex.join(
        ["counterblow", "tournament", slug, *_repeated("--player", names), "--games", str(games), "--seed", str(seed),
         *(["--scenario", scenario] if scenario else []), *_repeated("--option", option or [])]
    )  # fmt: skip
    folder = out_folder or Path("results") / f"tournament-{slug}"
    rows = finish(experiment, folder, jobs, cluster, command, "", "tournament")
    table = Table(title="Standings")
    for heading in tournaments.headings(*game.sides):
        table.add_column(heading)
    for line in tournaments.standings(rows):
        table.add_row(*line)
    out.print(table)
    out.print(tournaments.seat_sentence(rows), markup=False)


def balance(
    slug: Annotated[str, typer.Argument(help="The game: see 'counterblow games'.")],
    player: Annotated[str, typer.Option(help=f"Who plays both sides: {', '.join(players.names())}.")] = "plain",
    games: GamesOption = 50,
    seed: SeedOption = 0,
    scenario: Annotated[list[str] | None, typer.Option(help="A scenario; all if none is named.")] = None,
    options: Annotated[bool, typer.Option(help="Try every option alone, too.")] = True,
    change: Annotated[
        list[str] | None,
        typer.Option(
            help="A value of the data to try: 'units.toml: unit[name=NAME].factor = 4, 5, 6'; repeat for more."
        ),
    ] = None,
    out_folder: OutOption = None,
    jobs: JobsOption = CORES,
    cluster: ClusterOption = None,
) -> None:
    """Who wins how often by scenario and option, and which changed value would bring it near even."""
    changes = [balancing.read_change(text) for text in change or []]
    players.make(player)  # an unknown one is said here
    experiment = balancing.experiment(slug, player, games, seed, scenario, options, changes)
    command = shlex.join(
        ["counterblow", "balance", slug, "--player", player, "--games", str(games), "--seed", str(seed),
         *_repeated("--scenario", scenario or []), *([] if options else ["--no-options"]),
         *_repeated("--change", change or [])]
    )  # fmt: skip
    folder = out_folder or Path("results") / f"balance-{slug}"
    rows = finish(experiment, folder, jobs, cluster, command, "", "balance", change or [])
    for sentence in balancing.uneven(rows):
        out.print(sentence, markup=False)
    for tried in changes:
        for name in dict.fromkeys(row["scenario"] for row in rows):
            found = balancing.verdict(tried, rows, name)
            out.print(f"{name}: {tried.address}", markup=False)
            for line in found.lines:
                out.print("   " + "  ".join(line), markup=False)
            out.print(f"   {found.sentence}", markup=False)


def review(
    file: Annotated[Path, typer.Argument(help="A saved or exported match.")],
    player: Annotated[str, typer.Option(help="Who says what would have been better.")] = reviewing.REFERENCE,
    html: Annotated[Path | None, typer.Option(help="Where to write the page; else beside the record.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
    again: Annotated[bool, typer.Option(help="Make it anew even if one was kept.")] = False,
) -> None:
    """Review a game: how the chances ran, where it turned, what was luck and what was play."""
    need("matplotlib.pyplot", "lab")
    record = read_record(file)
    beside = reviewing.kept_beside(file)
    found = None if again else reviewing.kept(beside, record, player)
    if found is None:
        with Progress(console=Console(stderr=True), transient=True, disable=as_json) as bar:
            task = bar.add_task("review", total=None)
            try:
                found = reviewing.review(
                    record, player, lambda done, size: bar.update(task, completed=done, total=size)
                )
            except KeyboardInterrupt:
                raise CounterblowError("cancelled: nothing was written") from None
            except RecordError as error:
                raise RecordError(f"{file}: {error}") from None
        reviewing.keep(beside, found)
    if as_json:
        print(json.dumps(found))
        return
    target = html or file.with_suffix(".review.html")
    target.write_text(review_page.write(found), encoding="utf-8")
    _tell_review(found)
    out.print(str(target), markup=False, soft_wrap=True)


def _advance(bar: Progress, task: TaskID, done: int, size: int) -> None:
    bar.update(task, completed=done, total=size)


def _tell_review(found: dict[str, Any]) -> None:
    titles = found["side_titles"]
    for number, point in enumerate(found["turning_points"], 1):
        lost = f"{100 * point['regret']:.1f} points of win probability"
        out.print(f"{number}. {point['label']}: {titles[point['side']]} lost {lost}", markup=False, soft_wrap=True)
        out.print(f"   better: {'; '.join(point['better'][:4]) or 'to wait'}", markup=False, soft_wrap=True)
    if not found["turning_points"]:
        out.print("No turning point: no phase in which the computer would have done much better.")
    net = found["luck"]["net"][found["sides"][0]]
    lucky = titles[0] if net >= 0 else titles[1]
    out.print(f"Luck: {abs(100 * net):.1f} points of win probability for {lucky}.", markup=False)


@app.command()
def calibrate(
    slug: Annotated[str, typer.Argument(help="The game: see 'counterblow games'.")],
    games: GamesOption = 200,
    seed: SeedOption = 0,
    out_folder: OutOption = None,
    jobs: JobsOption = CORES,
) -> None:
    """Fit the win probability of a game on mixed games, and check it on games that were not fitted."""
    need("numpy", "lab")
    game = counterblow.load(slug)
    if games < 2 * winning.FOLDS:
        raise CounterblowError(f"--games {games}: at least {2 * winning.FOLDS} are needed to fit some and check others")
    folder = out_folder or Path("results") / f"calibration-{slug}"
    command = f"counterblow lab calibrate {slug} --games {games} --seed {seed} --out {shlex.quote(str(folder))}"
    with _progress(f"calibration: {game.title}", command, folder) as progress:
        samples = winning.play(winning.sittings(game, range(seed, seed + games)), folder, jobs, progress)
    print(winning.to_toml(slug, winning.fit(samples)))
    print(winning.table(winning.check(winning.foretold(samples))))


@app.command()
def weigh(
    slug: Annotated[str, typer.Argument(help="The game: see 'counterblow games'.")],
    games: GamesOption = 200,
    seed: SeedOption = 1_000_000,
    out_folder: OutOption = None,
    jobs: JobsOption = CORES,
) -> None:
    """Weigh the features of a game's judgement by what decided games between officers: for judge.toml."""
    need("numpy", "lab")
    game = counterblow.load(slug)
    folder = out_folder or Path("results") / f"weighing-{slug}"
    command = f"counterblow lab weigh {slug} --games {games} --seed {seed} --out {shlex.quote(str(folder))}"
    with _progress(f"weighing: {game.title}", command, folder) as progress:
        found = weighing.play(slug, range(seed, seed + games), folder, jobs, progress)
    print(weighing.table(slug, weighing.weigh(slug, found)))


@app.command()
def trial(
    what: Annotated[str, typer.Argument(help=f"What to try: {' or '.join(trials.TRIALS)}.")],
    slug: Annotated[str, typer.Argument(help="The game: see 'counterblow games'.")],
    games: GamesOption = 20,
    seed: SeedOption = 0,
    out_folder: OutOption = None,
) -> None:
    """Try how good the review is: luck between equal players, or blunders that were planted."""
    if what not in trials.TRIALS:
        raise CounterblowError(f'unknown trial "{what}": there are {" and ".join(trials.TRIALS)}')
    game = counterblow.load(slug)
    folder = out_folder or Path("results") / f"{what}-{slug}"
    command = f"counterblow lab trial {what} {slug} --games {games} --seed {seed} --out {shlex.quote(str(folder))}"
    with _progress(f"{what}: {game.title}", command, folder) as progress:
        found = trials.run(what, game, range(seed, seed + games), folder, progress)
    for line in trials.tell_luck(game, found) if what == "luck" else [trials.tell_blunders(found)]:
        out.print(line, markup=False)


def _repeated(flag: str, values: Sequence[str]) -> list[str]:
    return [word for value in values for word in (flag, value)]


def read_options(game: counterblow.Game, given: list[str] | None) -> dict[str, Any]:
    """NAME=VALUE pairs as the game's own option values."""
    options: dict[str, Any] = {}
    for pair in given or []:
        name, equals, text = pair.partition("=")
        if not equals:
            raise CounterblowError(f'option "{pair}" should be NAME=VALUE')
        choices = game.options[name].choices if name in game.options else ()
        fitting = [choice for choice in choices if str(choice).casefold() == text.casefold()]
        options[name] = fitting[0] if fitting else text
    return options


@records.command()
def export(
    file: Annotated[Path, typer.Argument(help="Where to write them: a name ending in .parquet or .jsonl.")],
    database: Annotated[str | None, typer.Option(help="Address of a PostgreSQL database.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder of matches; else the user's data folder.")] = None,
) -> None:
    """Write all matches of a server as data for study, without secrets."""
    from counterblow.service import exporting, server  # only here: the web libraries take a moment to load

    count = exporting.export(database or server.data_folder(data), file)
    out.print(f"{file}: {count} matches", markup=False, soft_wrap=True)


def register(main: typer.Typer) -> None:
    """Put the laboratory's commands into the program's."""
    main.add_typer(app, name="lab")
    main.add_typer(records, name="records")
    main.command()(tournament)
    main.command()(balance)
    main.command()(review)
