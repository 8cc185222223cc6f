"""``tefuda admin`` as tests give its commands, and what they look at afterwards."""

import asyncio
import json
import os
import subprocess
from typing import Any

from tefuda.server.store import Event, open_store
from tefuda.server.table.events import apply
from tefuda.server.table.table_state import TableState
from tests.cli.command import run


def admin(db: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run ``tefuda admin`` in this process; no person is at the other end."""
    return run({**os.environ, "XDG_DATA_HOME": "", "COLUMNS": "200", "NO_COLOR": "1"}, "admin", *words, "--db", db)


def told(db: str, *words: str) -> Any:
    """What ``tefuda admin … --json`` prints."""
    done = admin(db, *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def log(db: str, table: str) -> list[Event]:
    async def read() -> list[Event]:
        store = open_store(db)
        try:
            return await store.read(table)
        finally:
            await store.close()

    return asyncio.run(read())


def state(db: str, table: str) -> TableState:
    found = TableState()
    for event in log(db, table):
        apply(found, event)
    return found
