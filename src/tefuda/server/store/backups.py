"""Copies of the whole database, made while the server runs, and put back while it does not."""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.engine import URL

from tefuda.engine.errors import TefudaError
from tefuda.engine.files import whole
from tefuda.server.store import postgres, read_url, sqlite
from tefuda.server.store.database import Database
from tefuda.server.store.port import StoreError


def back_up(database: Database, copy: Path) -> int:
    """Write a copy of the database as it is at one moment, after this was called; how many bytes.

    The file appears under its name when it is whole, and on disk. ``TefudaError`` if the copy cannot be made."""
    if not copy.parent.is_dir():
        raise TefudaError(f"{copy.parent}: there is no such folder")
    with whole(copy, ".part") as part:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)  # it holds the key that signs cookies
        if database.is_sqlite:
            _copy_sqlite(database.file, part)
        else:
            _run("pg_dump", database.url, "--format=custom", f"--file={part}")
        _sync(part)
    _sync(copy.parent)
    return copy.stat().st_size


def restore(address: str, copy: Path) -> None:
    """Put a copy in the place of the database, which no server may use meanwhile. ``TefudaError`` if a server uses it,
    or the copy is none."""
    if not copy.is_file():
        raise TefudaError(f"{copy}: there is no such file")
    url = read_url(address)
    if url.get_backend_name() == "sqlite":
        _restore_sqlite(sqlite.file_of(url), copy)
    else:
        _refuse_if_served(url)
        _run("pg_restore", url, "--clean", "--if-exists", "--no-owner", "--single-transaction", str(copy))


def exists(address: str) -> bool:
    """Tell if there is a database that a restored one would replace."""
    url = read_url(address)
    if url.get_backend_name() == "sqlite":
        return sqlite.file_of(url).exists()
    with suppress(StoreError), Database(address, older=True):
        return True
    return False


def _copy_sqlite(file: Path, part: Path) -> None:
    """Copy in one step of SQLite's backup: it reads one moment's state, and no writer waits for it."""
    try:
        read_only = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=10)
        with closing(read_only) as source, closing(sqlite3.connect(part)) as target:
            source.backup(target, pages=-1)
            target.execute("PRAGMA journal_mode=DELETE")
        _check_sqlite(part)
    except sqlite3.Error as error:
        raise StoreError(f"{part}: {error}") from error


def _check_sqlite(file: Path) -> None:
    """Make sure that a file is a whole database of Tefuda's, of a version that can be read."""
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        try:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{file}: {error}") from error
    if found != "ok":
        raise StoreError(f"{file}: damaged: {found}")
    if not {"events", "meta"} <= names:
        raise StoreError(f"{file}: this is not a database of Tefuda's")


def _restore_sqlite(file: Path, copy: Path) -> None:
    _check_sqlite(copy)
    with sqlite.lock(file):
        with whole(file, ".part") as part:
            shutil.copyfile(copy, part)
            _give_to_owner_of(file if file.exists() else file.parent, part)
            _sync(part)
            for ending in ("-wal", "-shm"):  # of the old database: SQLite would apply them to the new one
                file.with_name(file.name + ending).unlink(missing_ok=True)
        _sync(file.parent)


def _give_to_owner_of(like: Path, file: Path) -> None:
    """Let the server's user have a file that an administrator has written."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        owner = like.stat()
        os.chown(file, owner.st_uid, owner.st_gid)


def _refuse_if_served(url: URL) -> None:
    engine = postgres.connect(url)
    others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    try:
        with engine.connect() as connection:
            if connection.scalar(text(others)):
                raise StoreError("the database is in use; stop the servers and whoever else is connected to it")
    finally:
        engine.dispose()


def _run(program: str, url: URL, *options: str) -> None:
    """Run a program of PostgreSQL's on a database; the password goes through the environment."""
    if shutil.which(program) is None:
        raise TefudaError(f"{program} is not installed; it comes with PostgreSQL's client (postgresql-client)")
    environment = {**os.environ, **({"PGPASSWORD": str(url.password)} if url.password else {})}
    where = url.set(drivername="postgresql", password=None).render_as_string()
    done = subprocess.run(  # noqa: S603 - a program of PostgreSQL's, found by its name
        [program, f"--dbname={where}", *options], env=environment, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise TefudaError(f"{program}: {(done.stderr.strip() or 'failed').splitlines()[0]}")


def _sync(path: Path) -> None:
    """Have the system write a file, or the names in a folder, to the disk."""
    if os.name == "nt" and path.is_dir():
        return  # Windows has no such call for folders
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
