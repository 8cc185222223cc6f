"""``tefuda doctor``: its options, and what it prints of ``doctor_checks``."""

import sys
from typing import Annotated
from urllib.parse import urlsplit

import typer
from typer import Option

from tefuda.cli.parameters import AsJson, Commands
from tefuda.cli.standard_streams import print_json
from tefuda.engine.errors import TefudaError, needed_by

app = Commands()


@app.command()
def doctor(
    host: Annotated[str, Option(help="Address to listen at, as for tefuda serve.")] = "127.0.0.1",
    port: Annotated[int, Option(min=0, max=65535, help="Port, as for tefuda serve.")] = 8000,
    db: Annotated[str | None, Option("--db", help="The database, as for tefuda serve; or set TEFUDA_DB.")] = None,
    url: Annotated[str | None, Option(help="Ask the server through its proxy too, at https://cards.example.")] = None,
    as_json: AsJson = False,
) -> None:
    """Look for what would keep a server here from working, and say what to do."""
    if url is not None and not (urlsplit(url).scheme in ("http", "https") and urlsplit(url).hostname):
        raise TefudaError(f"--url: {url!r} is not written like https://cards.example")
    with needed_by("tefuda doctor", "server"):
        from tefuda.cli.doctor_checks import examine
    found = []
    for name, state, told, todo in examine(host, port, db, url):
        found.append({"check": name, "state": state, "told": told, "todo": todo})
        if not as_json:
            sys.stdout.write(f"{state:<8} {name:<9} {'; '.join(filter(None, (told, todo)))}\n")
            sys.stdout.flush()
    if as_json:
        print_json(found)
    if any(each["state"] == "problem" for each in found):
        raise typer.Exit(1)
