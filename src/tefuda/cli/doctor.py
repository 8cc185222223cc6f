"""Checks of ``tefuda doctor``. Each yields findings, and changes nothing that a server would miss."""

import getpass
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path
from socket import gethostbyname
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import func, select, text

from tefuda import games
from tefuda.cli import serve
from tefuda.cli.cache_command import size_of
from tefuda.engine import cache, compilation
from tefuda.engine.errors import TefudaError, installation
from tefuda.server.http.limits import household
from tefuda.server.store import StoreError, read_url, schema, sqlite, usual_address
from tefuda.server.store.database import Database

OK, WARNING, PROBLEM = "ok", "warning", "problem"
Findings = Iterator[tuple[str, str, str]]  # one of these, what was found, and what to do

WITHIN = 10  # seconds in which a server or a proxy must answer
LEAST_FREE, LITTLE_FREE = 100e6, 1e9  # bytes free on a disk, below which is a problem and a warning
CLOCK_MOVED, CLOCKS_DIFFER = 0.02, 1.0  # seconds, in a fifth of a second and from the database's clock
FORGED = "203.0.113.77"  # an address for documentation (RFC 5737), which nobody has
UPGRADE = {"Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}


def examine(host: str, port: int, db: str | None, url: str | None) -> Iterator[tuple[str, str, str, str]]:
    """Findings, each behind the name of its check; through the proxy too if ``url`` is where people find the server."""
    if url is not None and not (urlsplit(url).scheme in ("http", "https") and urlsplit(url).hostname):
        raise TefudaError(f"--url: {url!r} is not written like https://cards.example")
    checks = {"database": database(usual_address(db)), "clock": clock(), "cache": kept_code(), "decks": decks()}
    checks |= {"port": port_of(host, port)} | ({"proxy": proxy(url.rstrip("/"))} if url else {})
    for name, findings in checks.items():
        try:
            yield from ((name, *finding) for finding in findings)
        except (TefudaError, OSError, HTTPException) as error:
            says_it = isinstance(error, TefudaError) and error.__cause__ is None
            yield name, PROBLEM, str(error), "" if says_it else "does it run there, and may this user in?"


def database(address: str) -> Findings:
    url = read_url(address)
    file = sqlite.file_of(url) if url.get_backend_name() == "sqlite" else None
    if file is not None:
        yield from _room(file.parent, "name another --db")
    if file is not None and not file.exists():
        yield OK, f"{file} does not exist yet; tefuda serve makes it", ""
    elif file is not None and sys.platform != "win32" and file.owner() != getpass.getuser():
        # What SQLite keeps beside the file would be ours, and the server could not write it.
        yield WARNING, f"{file} belongs to {file.owner()}", f"try again as {file.owner()}"
    else:
        with Database(address, older=True) as found:
            found.change(lambda connection: connection.execute(schema.meta.update().values(key=schema.meta.c.key)))
            yield from _state(found)


def _state(found: Database) -> Findings:
    """Look at the version of a database, and compare its clock, or what was written last, with this machine's."""
    with found.engine.connect() as connection:
        try:
            schema.check(connection)
            yield OK, f"{found.name} is of version {schema.VERSION}, and can be written", ""
        except StoreError as error:
            yield WARNING, f"{found.name}: {error}", ""
        latest = (connection.scalar(select(func.max(schema.listings.c.at))) or 0) / 1000 - time.time()
        now = text("SELECT extract(epoch FROM clock_timestamp())")
        apart = 0 if found.is_sqlite else float(connection.scalar(now)) - time.time()
    if abs(apart) > CLOCKS_DIFFER:
        yield PROBLEM, f"its clock is {apart:+.1f} s from this machine's", "let both keep time by NTP"
    if latest > CLOCKS_DIFFER:
        yield PROBLEM, f"a table was changed {latest:.0f} s from now: the clock was set back", "set it"


def clock() -> Findings:
    began = time.time() - time.monotonic()
    time.sleep(0.2)
    moved = time.time() - time.monotonic() - began
    yield (OK, "it runs evenly", "") if abs(moved) < CLOCK_MOVED else (WARNING, f"it moved {moved:+.2f} s", "try again")


def kept_code() -> Findings:
    yield from _room(cache.base(), "set TEFUDA_CACHE_DIR to another, else every start compiles again")
    size = size_of(cache.base()) / 1e6
    cold = " ".join(name for name in games.names() if not compilation.is_warm(games.description(name)))
    told = f"{cache.base()} has {size:.0f} MB; {f'not compiled: {cold}' if cold else 'all games are compiled'}"
    yield WARNING if cold else OK, told, cold and f"tefuda admin compile {cold}, else the first start does it"


def decks() -> Findings:
    is_missing = find_spec("reportlab") is None
    yield (WARNING, "they cannot be printed", installation("decks")) if is_missing else (OK, "they can be printed", "")


def port_of(host: str, port: int) -> Findings:
    try:
        serve.listen(host, port).close()
        yield OK, f"{host}:{port} is free", ""
    except TefudaError as error:
        try:
            version = _ask(serve.address_of(host, port), "/healthz")[1]["tefuda"]
            yield OK, f"Tefuda {version} serves at {host}:{port}", ""
        except (OSError, HTTPException, KeyError):
            yield PROBLEM, str(error), ""


def proxy(url: str) -> Findings:
    status, told, is_secure, source = _ask(url, "/healthz", **{"X-Forwarded-For": FORGED})
    name_it = f"start the server with --origin {url}"
    if "tefuda" not in told:
        todo = f"{name_it}, and let the proxy pass Host on" if status in (403, 421) else "does an older one run there?"
        yield PROBLEM, f"{url}/healthz is answered with status {status}", todo
        return
    yield OK, f"Tefuda {told['tefuda']} answers at {url}", ""
    yield judge(told["address"], household(source))
    ready, *_ = _ask(url, "/readyz")
    passed, *_ = _ask(url, "/api/v1/tables/doctor/socket", Connection="Upgrade", Origin=url, **UPGRADE)
    own, *_ = _ask(url, "/healthz", "POST", Origin=url)
    foreign, *_ = _ask(url, "/healthz", "POST", Origin="https://elsewhere.example")
    for is_so, said, todo in (
        (ready != 200, "the server cannot write its database", "look at its log"),
        (own == 403, "the server takes its own pages for another site's", name_it),
        (foreign != 403, "what other sites send is let in", "let the proxy pass Origin on"),
        (url.startswith("https:") and not is_secure, "the server does not know that people come over https", name_it),
        (passed != 101, f"WebSockets do not pass (status {passed})", "let the proxy pass on Upgrade and Connection"),
    ):
        if is_so:
            yield PROBLEM, said, todo
    if not url.startswith("https:"):
        yield WARNING, "people come over http: others in the network can read along", "let a proxy speak https"


def judge(seen: str, own: str) -> tuple[str, str, str]:
    """Judge for whom the server takes a client that claims to be somebody else; both as limits know addresses."""
    if seen == FORGED:
        todo = "let the proxy write X-Forwarded-For itself, as in deploy/nginx.conf, and trust no address but its own"
        return PROBLEM, "clients can invent their address: what they write in X-Forwarded-For is believed", todo
    if seen == own or (seen != "unknown" and ip_network(seen).is_global):
        return OK, f"the server sees who asks ({seen})", ""
    todo = f"let the proxy write X-Forwarded-For, and trust it: --trusted-proxy {seen}, if that is the proxy"
    return PROBLEM, f"the server takes {own} for {seen}: all visitors may share one limit", todo


def _ask(url: str, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, Any], bool, str]:
    """Ask a server, on this machine from an address for which no proxy speaks: the status, the JSON if there is any,
    whether it says that people come over https, and the address of this end. ``OSError`` or ``HTTPException``."""
    address = urlsplit(url)
    kind: type[HTTPConnection] = HTTPSConnection if address.scheme == "https" else HTTPConnection
    host, port = address.hostname or "", address.port or kind.default_port
    is_here = sys.platform == "linux" and host != "::1" and gethostbyname(host) == "127.0.0.1"
    line = kind(host, port, timeout=WITHIN, source_address=("127.0.0.2", 0) if is_here else None)
    try:
        line.connect()
        source = line.sock.getsockname()[0]
        line.request(method, path, headers=headers)
        answer = line.getresponse()
        told = dict(json.loads(answer.read(1 << 16))) if answer.status == 200 else {}
        return answer.status, told, "strict-transport-security" in answer.headers, source
    except (ValueError, TypeError):
        return 200, {}, False, ""
    finally:
        line.close()


def _room(folder: Path, otherwise: str) -> Findings:
    """Find fault with a folder, or where it would be made, if nothing can be written there, or there is little room."""
    place = next(each for each in (folder, *folder.parents) if each.exists())
    try:
        tempfile.TemporaryFile(dir=place).close()
    except OSError as error:
        yield PROBLEM, f"{folder} cannot be written: {error.strerror}", f"let this user write there, or {otherwise}"
    if (free := shutil.disk_usage(place).free) < LITTLE_FREE:
        yield PROBLEM if free < LEAST_FREE else WARNING, f"{folder}: {free / 1e6:.0f} MB are free", "make room"
