"""The command line: list, read rules, draw maps, play in the terminal, replay, simulate, measure."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

import counterblow
from counterblow import CounterblowError, Game, Match, players
from counterblow.kernel.errors import unknown
from counterblow.kernel.record import check_end, faces, fresh, read_record, replaying
from counterblow.kernel.record import replay as replay_record
from counterblow.lab import bench as benchmarks
from counterblow.lab import commands as laboratory
from counterblow.lab import fuzz as fuzzing
from counterblow.lab.commands import read_options
from counterblow.lab.simulate import simulate as run_games
from counterblow.lab.simulate import summary
from counterblow.learn.check import check as check_lesson
from counterblow.learn.lesson import read_file as read_lesson
from counterblow.learn.progress import Progress as Finished
from counterblow.learn.rulebook import Links, rulebook
from counterblow.learn.textlesson import TextLesson
from counterblow.textplay import TextPlay

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)
out = Console(highlight=False)
laboratory.register(app)

Slug = Annotated[str, typer.Argument(help="The game: see 'counterblow games'.")]
ScenarioOption = Annotated[str | None, typer.Option(help="The scenario; the first one if not given.")]
OptionsOption = Annotated[list[str] | None, typer.Option("--option", help="NAME=VALUE; repeat for several.")]
SeedOption = Annotated[int, typer.Option(help="Seed of all dice and draws.")]


@app.command()
def games() -> None:
    """List the games with their scenarios and options."""
    for slug in counterblow.games():
        game = counterblow.load(slug)
        out.print(f"[bold]{slug}[/]  {escape(game.title)}  ({' against '.join(game.side_titles)})")
        if game.summary:
            out.print(f"  {escape(game.summary)}")
        for scenario in game.scenarios:
            out.print(f"  scenario [cyan]{scenario.name}[/]: {escape(scenario.title)}")
        for option in game.option_list:
            choices = "/".join(map(str, option.choices))
            out.print(f"  option [cyan]{option.name}[/]={option.default} ({choices}): {escape(option.text)}")


@app.command()
def rules(
    slug: Slug,
    rule: Annotated[
        str | None, typer.Argument(help="A rule id, the start of one, or a question in your own words.")
    ] = None,
) -> None:
    """Read a game's rules in our own words: all, one, a chapter, or those that answer a question."""
    game = counterblow.load(slug)
    book = rulebook(game)
    found = list(game.rules.values()) if rule is None else book.chapter(rule.strip().rstrip("."))
    if rule is not None and not found:
        found = [hit.rule for hit in book.find(rule, 5)]
    if not found:
        raise CounterblowError(f"{slug}: " + unknown("rule", rule, game.rules))
    for entry in found:
        links = book.links[entry.id]
        out.print(f"[bold]{entry.id}[/] {escape(entry.title)} [dim]({entry.kind})[/]\n   {escape(entry.text)}")
        if rule is not None:
            _print_links(links)


def _print_links(links: Links) -> None:
    """Where to read on, after a rule that was asked for."""
    for title, ids in (
        ("except", links.exceptions),
        ("see", links.see),
        ("rulings", links.rulings),
        ("lessons", links.lessons),
    ):
        if ids:
            out.print(f"   [dim]{title} {escape(', '.join(ids))}[/]")


@app.command()
def learn(
    slug: Annotated[str | None, typer.Argument(help="The game: see 'counterblow games'.")] = None,
    lesson: Annotated[str | None, typer.Argument(help="The lesson; else the first that is not finished.")] = None,
    all_lessons: Annotated[bool, typer.Option("--list", help="List the lessons instead.")] = False,
    check: Annotated[Path | None, typer.Option(help="Check a lesson file: what is wrong, and where.")] = None,
) -> None:
    """Learn to play in this terminal: lessons on the real board, one thing at a time."""
    if check is not None:
        _check_lesson(check)
        return
    if slug is None:
        raise CounterblowError(f"learn what? one of {', '.join(counterblow.games())}")
    game = counterblow.load(slug)
    finished = Finished()
    if all_lessons:
        for entry in game.lessons:
            mark = "[green]done[/]" if finished.has(entry) else "    "
            out.print(
                f"{mark} [cyan]{entry.name}[/]  {escape(entry.title)}: {escape(entry.about)} ({entry.minutes} min)"
            )
        return
    by_name = {entry.name: entry for entry in game.lessons}
    if lesson is not None and lesson not in by_name:
        raise CounterblowError(f"{slug}: " + unknown("lesson", lesson, by_name))
    if not by_name:
        raise CounterblowError(f"{slug} has no lessons")
    left = [entry for entry in game.lessons if not finished.has(entry)] or list(game.lessons)
    chosen = by_name[lesson] if lesson is not None else left[0]
    if TextLesson(chosen, out).run():
        finished.add(chosen)
        following = [entry for entry in game.lessons if not finished.has(entry)]
        typed = f"learn {slug}" if following else f"play {slug}"
        what = f"Next lesson, {following[0].title}" if following else "You have taken every lesson. Play"
        out.print(f"{escape(what)}: [cyan]counterblow {typed}[/]")


def _check_lesson(file: Path) -> None:
    checked = check_lesson(read_lesson(file, counterblow.load))
    if checked.problems:
        raise CounterblowError("\n".join(checked.problems))
    out.print(
        f"{file}: in order, about {checked.minutes:.0f} minutes, {len(checked.inputs)} steps and actions", markup=False
    )


@app.command(name="map")
def draw_map(
    slug: Slug, svg: Annotated[Path, typer.Option(help="Where to write the picture.")] = Path("map.svg")
) -> None:
    """Draw a game's map as an SVG picture."""
    picture = counterblow.load(slug).map._repr_svg_()
    svg.write_text(picture, encoding="utf-8")
    out.print(f"{svg}: {len(picture) // 1024} kB")


@app.command()
def play(
    slug: Slug,
    text: Annotated[bool, typer.Option("--text", help="Play in this terminal.")] = False,
    scenario: ScenarioOption = None,
    option: OptionsOption = None,
    seed: Annotated[int | None, typer.Option(help="Seed of all dice and draws; by default a new one.")] = None,
    save: Annotated[Path | None, typer.Option(help="File to resume from if it exists, and to save to.")] = None,
) -> None:
    """Play a game: in the browser, or with --text in this terminal."""
    game = counterblow.load(slug)
    if not text:
        serve()
        return
    if save is not None and save.exists():
        match = replay_record(game, read_record(save))
    else:
        new_seed = seed if seed is not None else int.from_bytes(os.urandom(4), "big")
        match = Match(game, scenario, new_seed, read_options(game, option))
    TextPlay(match, save, out).run()


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; another is chosen if it is taken.")] = 8041,
    data: Annotated[Path | None, typer.Option(help="Folder for matches; else the user's data folder.")] = None,
    database: Annotated[
        str | None, typer.Option(help="Address of a PostgreSQL database (postgresql://...) instead of a folder.")
    ] = None,
    workers: Annotated[int, typer.Option(min=0, help="Computer players that think at the same time.")] = 1,
    metrics: Annotated[bool, typer.Option(help="Figures for Prometheus at /api/metrics.")] = False,
    json_log: Annotated[bool, typer.Option("--json-log", help="Log requests and errors as JSON lines.")] = False,
    browser: Annotated[bool, typer.Option(help="Open a browser.")] = True,
    hosts: Annotated[
        list[str] | None, typer.Option(help="A name under which the server may be addressed; repeat for several.")
    ] = None,
    proxy: Annotated[
        list[str] | None, typer.Option(help="Address of a proxy whose word is taken for who asks; repeat for several.")
    ] = None,
) -> None:
    """Start the program and play in the browser."""
    from counterblow import service  # only here: the web libraries take a moment to load

    names, proxies = tuple(hosts) if hosts else None, tuple(proxy or ())
    service.run(host, port, data, browser, names, proxies, database, workers, metrics, json_log)


@app.command()
def worker(
    database: Annotated[str | None, typer.Option(help="Address of the PostgreSQL database of the servers.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder of matches, if there is no database server.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Computer players that think at the same time.")] = 1,
) -> None:
    """Think for the computer players of servers elsewhere (started with --workers 0)."""
    from counterblow.service.server import run_worker

    run_worker(data, database, workers)


Where = Annotated[str | None, typer.Option("--database", help="Address of a PostgreSQL database.")]
DataFolder = Annotated[Path | None, typer.Option("--data", help="Folder of matches; else the user's data folder.")]


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="Where to write it.")], database: Where = None, data: DataFolder = None
) -> None:
    """Write all matches into one file, while others go on playing."""
    from counterblow.service import server

    out.print(f"{file}: {server.back_up(file, data, database)} rows", soft_wrap=True)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A backup.")], database: Where = None, data: DataFolder = None
) -> None:
    """Fill an empty folder or database from a backup, of whichever kind that was."""
    from counterblow.service import server

    out.print(f"{file}: {server.put_back(file, data, database)} rows restored", soft_wrap=True)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A saved match.")],
    quiet: Annotated[bool, typer.Option(help="Only the end.")] = False,
) -> None:
    """Play a saved match again, print its log and check that it ends as recorded."""
    record = read_record(file)
    game = counterblow.load(record["game"])
    match = fresh(game, record)
    for events in replaying(match, record):
        if not quiet:
            out.print(f"[bold]{escape(str(match.actions[-1]))}[/]")
            for event in events:
                out.print(f"   {escape(str(event))}")
    check_end(match, record)
    out.print(f"{len(match.actions)} actions, as recorded. {match.state.result or repr(match.state)}", markup=False)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="A record of a match.")],
    commitment: Annotated[str | None, typer.Option(help="What the server showed before the first throw.")] = None,
    nonce: Annotated[list[str] | None, typer.Option(help="SIDE=NONCE that you gave; repeat for both.")] = None,
) -> None:
    """Check a record: every throw, every action and the end; with fair dice also the secret and the nonces."""
    record = read_record(file)
    game = counterblow.load(record["game"])
    match = replay_record(game, record)
    throws = sum(len(faces(events)) for events in match.events)
    out.print(f"{len(match.actions)} actions and {throws} dice are as recorded.")
    if match.dice is None:
        if commitment or nonce:
            raise CounterblowError("this record has a plain seed, and no commitment or nonces")
        out.print("The dice come from a plain seed: whoever knew it could foresee them.")
        return
    if commitment is not None and commitment.lower() != match.dice.commitment:
        raise CounterblowError(f"the commitment is {match.dice.commitment}, not {commitment}")
    for side, text in read_pairs(game, nonce):
        if match.dice.nonces[side] != text:
            raise CounterblowError(f"the nonce of {game.sides[side]} is {match.dice.nonces[side]!r}, not {text!r}")
    out.print(f"commitment {match.dice.commitment}", soft_wrap=True)
    for name, given in zip(game.sides, match.dice.nonces, strict=True):
        out.print(f"nonce of {name}: {given}", soft_wrap=True, markup=False)
    if commitment is None:
        out.print("Compare these with what you noted, or give yours with --commitment and --nonce.")


@app.command()
def simulate(
    slug: Slug,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    seed: SeedOption = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes; the results are the same for any number.")] = 1,
    scenario: ScenarioOption = None,
    option: OptionsOption = None,
    player: Annotated[
        list[str] | None, typer.Option(help=f"SIDE=PLAYER, one of {', '.join(players.names())}; else random.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: the summary and every game.")] = False,
) -> None:
    """Play many games between computer players and report who wins."""
    game = counterblow.load(slug)
    options = read_options(game, option)
    names = read_players(game, player)
    game.start(scenario, 0, options)  # a wrong scenario or option is said before the work begins
    with Progress(console=Console(stderr=True), transient=True, disable=as_json) as bar:
        task = bar.add_task(slug, total=games)
        outcomes = run_games(slug, games, seed, jobs, scenario, options, names, lambda: bar.advance(task))
    found = summary(outcomes)
    if as_json:
        print(json.dumps({"game": slug, "players": names, **found, "outcomes": [vars(o) for o in outcomes]}, indent=1))
        return
    seated = " against ".join(f"{side} ({name})" for side, name in zip(game.sides, names, strict=True))
    table = Table(title=f"{game.title}: {seated}, {games} games from seed {seed}")
    for heading in ("winner", "games", "share", "95 % interval"):
        table.add_column(heading)
    for side, win in found["wins"].items():
        low, high = win["interval"]
        table.add_row(side, str(win["games"]), f"{win['share']:.1%}", f"{low:.1%} - {high:.1%}")
    out.print(table)
    out.print(", ".join(f"{level} {count}" for level, count in found["levels"].items()))
    out.print(f"mean length {found['mean_turns']:.1f} turns, {found['mean_actions']:.0f} actions")


@app.command()
def tune(
    slug: Slug,
    side: Annotated[str, typer.Option(help="The side whose weights are tuned.")],
    iterations: Annotated[int, typer.Option(min=1, help="How many iterations more.")] = 20,
    scenario: Annotated[
        str | None, typer.Option(help="Weights for this scenario alone; else for all, by games of the first.")
    ] = None,
    player: Annotated[
        str | None, typer.Option(help="Whose weights: the officer's, or the general's, who plays without his search.")
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, help="Pairs of games in each iteration: 100, or as many as the run had.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of all dice and draws: 0, or that of the run.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes; the results are the same for any number.")] = 1,
    file: Annotated[Path | None, typer.Option(help="Where the run is kept, and goes on from.")] = None,
) -> None:
    """Tune a player's weights for a side by games against the officer, and print what to put into judge.toml."""
    from counterblow.lab import tune as tuning

    path = file or Path(f"{slug}-{side}.tune.json")
    run = tuning.load(path, slug, side, games, seed, player, scenario)
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"{slug}, {side}", total=2 * iterations * run.games)
        try:
            run = tuning.tune(run, iterations, path, jobs, lambda: bar.advance(task))
        except KeyboardInterrupt:
            bar.stop()
            out.print(
                f"stopped after {run.done} iterations: they are kept in {path}, and the same command goes on",
                markup=False,
            )
            raise typer.Exit(130) from None
    before, after = run.history[0], run.history[-1]
    out.print(f"{run.done} iterations of {2 * run.games} games; mean score {before:.3f} at first, {after:.3f} at last")
    table = f"scenario.{run.scenario}" if run.scenario else "side" if run.player == "officer" else "general"
    out.print(f"\\[{table}.{side}]", *(f"{name} = {weight}" for name, weight in run.found.items()), sep="\n")


@app.command()
def fuzz(
    slugs: Annotated[list[str] | None, typer.Argument(help="The games; all if none is named.")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games of each scenario.")] = 20,
    seed: SeedOption = 0,
    faults: Annotated[Path, typer.Option(help="Folder for records of faults.")] = Path("build/faults"),
) -> None:
    """Play random games with every invariant checked; a fault prints its seed and writes its record."""
    for slug in slugs or counterblow.games():
        game = counterblow.load(slug)
        for scenario in game.scenarios:
            start = time.perf_counter()
            for number in range(seed, seed + games):
                try:
                    fuzzing.play_checked(game, number, scenario.name)
                except fuzzing.Fault as fault:
                    out.print(f"[red]{escape(str(fault))}[/]\nrecord: {fuzzing.save_fault(fault, faults)}")
                    raise typer.Exit(1) from fault
            out.print(f"{slug} {scenario.name}: {games} games without fault, {time.perf_counter() - start:.1f} s")


@app.command()
def bench(
    slugs: Annotated[list[str] | None, typer.Argument(help="The games; all if none is named.")] = None,
    seconds: Annotated[float, typer.Option(help="Time for each measurement.")] = 3.0,
    every: Annotated[bool, typer.Option(help="Measure it in every way in which it is built here.")] = True,
    compiled: Annotated[Path, typer.Option(help="Where `make compile` has put its work.")] = Path("build/compiled"),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure speed, with python-chess in the same run as the yardstick."""
    chosen = tuple(slugs or counterblow.games())
    runs = benchmarks.measure_all(chosen, seconds, compiled) if every else [benchmarks.measure(chosen, seconds)]
    if as_json:
        print(json.dumps(runs, indent=1))
        return
    for run in runs:
        chess = run["chess_moves_per_second"]
        yardstick = f"python-chess {chess:,.0f} moves/s" if chess else "python-chess is not installed"
        table = Table(title=f"{run['built']}; {yardstick}")
        table.add_column("")
        for slug in chosen:
            table.add_column(slug, justify="right")
        for figure in next(iter(run["games"].values())):
            table.add_row(figure.replace("_", " "), *(_number(run["games"][slug][figure]) for slug in chosen))
        out.print(table)


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def read_pairs(game: Game, given: list[str] | None) -> list[tuple[int, str]]:
    """SIDE=TEXT pairs, the side as its number."""
    pairs = []
    for pair in given or []:
        side, equals, text = pair.partition("=")
        if not equals:
            raise CounterblowError(f'"{pair}" should be SIDE=TEXT')
        pairs.append((game.side_number(side), text))
    return pairs


def read_players(game: Game, given: list[str] | None) -> tuple[str, str]:
    """SIDE=PLAYER pairs as two player names in the order of the sides."""
    names = ["random", "random"]
    for pair in given or []:
        side, equals, name = pair.partition("=")
        if not equals:
            raise CounterblowError(f'player "{pair}" should be SIDE=PLAYER')
        players.make(name)  # an unknown one is said here
        names[game.side_number(side)] = name
    return names[0], names[1]


def main() -> None:
    """Entry point: errors made on purpose are one clear line, not a traceback."""
    try:
        app()
    except CounterblowError as error:
        Console(stderr=True, highlight=False).print(f"[red]counterblow:[/] {escape(str(error))}", soft_wrap=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
