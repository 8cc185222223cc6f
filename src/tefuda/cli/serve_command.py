"""``tefuda serve`` and ``tefuda doctor``: their options; files of these names carry them out, where the server's
packages are installed."""

import gc
import sys
from pathlib import Path
from typing import Annotated

from typer import Exit, Option

from tefuda.cli.parameters import SEVERAL_GAMES, AsJson, Commands
from tefuda.cli.standard_streams import print_json
from tefuda.engine.errors import needed_by

app = Commands()

Host = Annotated[str, Option(help="Address to listen on; 0.0.0.0 for everybody in your network.")]
Port = Annotated[int, Option(min=0, max=65535, help="Port; 0 for any free one.")]
Db = Annotated[
    str | None,
    Option("--db", help="Where tables are kept: sqlite:///FILE or postgresql://USER@HOST/DATABASE; or set TEFUDA_DB."),
]


@app.command(example="serve --game gong-zhu --game luk-fu")
def serve(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    db: Db = None,
    names: Annotated[
        list[str] | None,
        Option("--game", help="Serve this game only; may be repeated.", metavar="GAME", **SEVERAL_GAMES),
    ] = None,
    origin: Annotated[str | None, Option(help="The address people type, such as https://cards.example.")] = None,
    tours: Annotated[Path | None, Option(help="Folder of tours of your own (docs/tours.md).", metavar="FOLDER")] = None,
    mcp: Annotated[bool, Option("--mcp", help="Offer agents tables at /mcp, against bots.")] = False,
    passkeys: Annotated[bool, Option("--passkeys", help="Enable sign-in with passkeys; needs --origin.")] = False,
    push: Annotated[
        str | None,
        Option(
            help="Enable notifications at slow tables (Web Push); how push services reach you, such as "
            "mailto:you@cards.example.",
            envvar="TEFUDA_PUSH",
            show_envvar=False,
            metavar="CONTACT",
        ),
    ] = None,
    mail: Annotated[
        str | None,
        Option(
            help="Enable e-mails too; your mail server and the sender, such as "
            "smtp://USER:PASSWORD@HOST:587?from=cards@cards.example, or set TEFUDA_MAIL; needs --origin.",
            envvar="TEFUDA_MAIL",
            show_envvar=False,
            metavar="SERVER",
        ),
    ] = None,
    laboratory: Annotated[
        Path | None, Option("--lab", help="Folder of the runs shown at /lab, instead of your own.", metavar="FOLDER")
    ] = None,
    pace: Annotated[float, Option(help="Seconds that bots wait before each play.")] = 0.8,
    thinkers: Annotated[int, Option(min=1, max=256, help="Number of threads for bots that search.")] = 2,
    rate: Annotated[
        float, Option("--rate", help="Requests of 5 ms a second per address; 0: no limits but those on connections.")
    ] = 50.0,
    level: Annotated[str, Option("--log", help="What to log: debug, info, warning or error.")] = "warning",
    metrics: Annotated[bool, Option("--metrics", help="Answer Prometheus at /metrics.")] = False,
    metrics_at: Annotated[
        str | None, Option("--metrics-at", help="Answer Prometheus here, such as 127.0.0.1:9100.", metavar="ADDRESS")
    ] = None,
    proxies: Annotated[
        list[str] | None,
        Option(
            "--trusted-proxy",
            help="Trust the forwarded addresses of this proxy or network; may be repeated. By default 127.0.0.1.",
            envvar="TEFUDA_TRUSTED_PROXIES",
            show_envvar=False,
            metavar="ADDRESS",
        ),
    ] = None,
    browser: Annotated[
        bool, Option("--browser/--no-browser", help="Open the page in a browser, where there is a screen.")
    ] = True,
    workers: Annotated[int, Option(min=1, max=256, help="Number of processes; one runs each table.")] = 1,
    wait: Annotated[float, Option(min=0, help="Seconds to wait for the old server to stop.")] = 0,
    private_host: Annotated[
        str | None, Option("--private-host", help="Does nothing; kept for older commands.", metavar="ADDRESS")
    ] = None,
) -> None:
    """Serve tables to browsers and programs, over HTTP and WebSocket."""
    gc.disable()  # loading drops nothing, and looking for it takes a quarter of the time; the server begins it again
    with needed_by("tefuda serve", "server"):
        from tefuda.cli import serve as command

    command.check_options(level, private_host)
    settings = command.server_settings(
        games=names or (), lab=laboratory, rate=rate, proxies=proxies or (), metrics_at=metrics_at, tours=tours,
        passkeys=passkeys, push=push, mail=mail, origin=origin, pace=pace, thinkers=thinkers, mcp=mcp,
    )  # fmt: skip
    command.run(
        settings, host=host, port=port, db=db, level=level, metrics=metrics, browser=browser, workers=workers, wait=wait
    )


@app.command(example="doctor --url https://cards.example.org")
def doctor(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    db: Db = None,
    url: Annotated[str | None, Option(help="Also ask through the server's proxy, at https://cards.example.")] = None,
    as_json: AsJson = False,
) -> None:
    """Look for what keeps a server from working, and say what to do."""
    with needed_by("tefuda doctor", "server"):
        from tefuda.cli.doctor import examine
    found = []
    for name, state, told, todo in examine(host, port, db, url):
        found.append({"check": name, "state": state, "told": told, "todo": todo})
        if not as_json:
            sys.stdout.write(f"{state:<8} {name:<9} {'; '.join(filter(None, (told, todo)))}\n")
            sys.stdout.flush()
    if as_json:
        print_json(found)
    raise Exit(any(each["state"] == "problem" for each in found))
