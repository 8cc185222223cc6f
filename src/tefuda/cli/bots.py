"""``tefuda match``, ``ladder``, ``train`` and ``bench``: bots play each other, learn, and are measured."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tefuda.cli.arguments import AsJson, GameName, Seats, Settings, game_called
from tefuda.cli.cluster import RayAddress
from tefuda.cli.completion import game_names
from tefuda.cli.help import Commands
from tefuda.engine.errors import needed_by

app = Commands()


@app.command()
def match(
    game: GameName,
    bots: Annotated[
        list[str],
        typer.Argument(
            help="A bot for each seat: random, hints, net, search, search:100ms, search:2000it, net:FOLDER, a level, "
            "openspiel:ismcts:100ms, or module:Class.",
            metavar="BOT…",
        ),
    ],
    deals: Annotated[
        int, typer.Option("--deals", min=1, help="Duplicate deals, each played once in every rotation.")
    ] = 1000,
    settings: Settings = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed deals the same cards.")] = 0,
    until_decided: Annotated[
        bool, typer.Option("--until-decided", help="Stop as soon as it is clear whether the first bot gains.")
    ] = False,
    threads: Annotated[
        int | None,
        typer.Option("--threads", min=1, help="Games played at a time; 1 where bots think by the clock alone."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", help="Folder for the deals and records; where bots think, one is kept by itself."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget what an interrupted match has left.")] = False,
    luck: Annotated[
        bool | None,
        typer.Option("--luck/--no-luck", help="Measure the luck of the cards too; by default where bots think long."),
    ] = None,
    ray: RayAddress = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play duplicate deals, seats rotated, and compare them. The same command goes on after Ctrl-C."""
    from tefuda.cli import match as command

    options = command.MatchOptions(until_decided, threads, save, fresh, luck, ray)
    command.run(game, bots, deals, settings or [], seed, options, as_json)


@app.command()
def ladder(
    game: GameName,
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            help="Bots as in 'tefuda match'; the first is the zero of the scale. By default random, hints, net, search "
            "at 10, 100 and 1,000 ms, and OpenSpiel's search, as far as they can play here.",
            metavar="[BOT…]",
        ),
    ] = None,
    seats: Seats = None,
    deals: Annotated[int, typer.Option("--deals", min=1, help="Duplicate deals that each pair of bots plays.")] = 100,
    settings: Settings = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed deals the same cards.")] = 0,
    threads: Annotated[
        int | None,
        typer.Option("--threads", min=1, help="Games played at a time; 1 by default where bots think by the clock."),
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", help="Folder for the deals and records.")] = None,
    ray: RayAddress = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="Draw the ladder into this file: .svg, .png or .pdf.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let every bot play every other on duplicate deals, and rate them. The same command goes on after Ctrl-C."""
    with needed_by("tefuda ladder", "lab"):
        from tefuda.cli import ladder as command

    options = command.LadderOptions(threads, save, picture, ray)
    command.run(game, bots or [], seats, deals, settings or [], seed, options, as_json)


@app.command()
def train(
    game: GameName,
    seats: Seats = None,
    settings: Settings = None,
    vary: Annotated[
        list[str] | None,
        typer.Option("--vary", help="An option to learn with all its values; may be repeated.", metavar="OPTION"),
    ] = None,
    deals: Annotated[int, typer.Option("--deals", min=1, help="Deals to learn from.")] = 500_000,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="How often the network is judged meanwhile.")] = 5,
    judged: Annotated[int, typer.Option("--judged", min=2, help="Duplicate deals against hints, a round.")] = 1000,
    final: Annotated[
        int, typer.Option("--final", min=2, help="Duplicate deals that judge the finished network.")
    ] = 4000,
    hidden: Annotated[
        list[int] | None,
        typer.Option("--hidden", min=1, help="Hidden units of a layer, 256 and 128 by default.", metavar="UNITS"),
    ] = None,
    players: Annotated[
        str,
        typer.Option(
            "--players",
            help="Who plays the deals: hints; or net or net:FOLDER, from which the network then learns on.",
            metavar="BOT",
        ),
    ] = "hints",
    rate: Annotated[float, typer.Option("--rate", min=1e-6, max=1, help="Learning rate; it falls to 0.")] = 1e-3,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed, the same run on this machine.")] = 0,
    device: Annotated[str, typer.Option("--device", help="Where the network learns: cpu or cuda.")] = "cpu",
    threads: Annotated[int | None, typer.Option("--threads", min=1, help="Deals played at a time.")] = None,
    folder: Annotated[Path | None, typer.Option("--folder", help="Where the run is kept.", metavar="FOLDER")] = None,
) -> None:
    """Train a network that plays a game (the bot net:FOLDER). The same command goes on after Ctrl-C."""
    from tefuda.cli import train as command

    options = command.TrainingOptions(folder, device, threads)
    recipe: dict[str, Any] = {"deals": deals, "rounds": rounds, "judged": judged, "final": final, "seed": seed}
    recipe |= {"players": players, "rate": rate}
    recipe |= {"hidden": tuple(hidden)} if hidden else {}
    command.run(game, seats, settings or [], vary or [], options, **recipe)


@app.command()
def bench(
    game: Annotated[
        str | None,
        typer.Argument(
            help="One game; all games if none is named.",
            metavar="[GAME]",
            autocompletion=game_names,
            callback=game_called,
        ),
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="How long each figure is measured.")] = 2.0,
    as_json: AsJson = False,
) -> None:
    """Measure how many deals and decisions a second this machine plays."""
    from tefuda.cli import bench as command

    command.run(game, seconds, as_json)
