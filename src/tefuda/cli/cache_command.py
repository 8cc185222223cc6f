"""``tefuda cache``: what Tefuda keeps on this machine and where."""

import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import platformdirs
from typer import Option

from tefuda.cli.parameters import AsJson, Commands
from tefuda.cli.standard_streams import print_json
from tefuda.engine import cache

app = Commands()


@app.command("cache", example="cache --clear")
def list_kept(
    clear: Annotated[bool, Option("--clear", help="Delete compiled rules and reviews, which are made again.")] = False,
    as_json: AsJson = False,
) -> None:
    """List what is kept on this machine, or clear what can be made again."""
    caches = {"compiled rules": cache.base(), "reviews": cache.root() / "reviews"}
    own = {"games, tables, runs of the laboratory": platformdirs.user_data_path("tefuda")}
    found = []
    for what, folder in {**caches, **own}.items():
        size, cleared = size_of(folder), clear and what in caches
        found.append({"what": what, "folder": folder, "bytes": size, "cleared": cleared})
        if cleared and folder.exists():  # put aside first: another process may be writing there
            shutil.rmtree(folder.rename(folder.with_name(f"{folder.name}-{os.getpid()}")))
        if not as_json:
            sys.stdout.write(f"{size / 1e6:8.1f} MB  {what}: {folder}{'  cleared' if cleared else ''}\n")
    if as_json:
        print_json(found)


def size_of(folder: Path) -> int:
    """Count the bytes of a folder's files; 0 if there is no such folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
