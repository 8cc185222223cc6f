"""The recipes in ``deploy`` for nginx and Caddy, tried with the real programs before a real server."""

import asyncio
import os
import re
import shutil
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

pytest.importorskip("prometheus_client", reason="figures are left out: uv sync --extra metrics")

from tefuda.cli import doctor
from tefuda.version import __version__
from tests.server.conftest import new_database
from tests.server.players import Player, closed
from tests.server.postgres import Cluster
from tests.server.server_process import Served, free_port, serving

DEPLOY = Path(__file__).parents[2] / "deploy"
NAME = "cards.example"
OPTIONS = ("--game", "gong-zhu", "--origin", f"https://{NAME}", "--rate", "20", "--metrics")


@dataclass
class Proxied:
    """A server behind a proxy.

    Attributes:
        server: itself.
        port, plain: where the proxy speaks https and http.
    """

    server: Served
    port: int
    plain: int

    def client(self, source: str = "127.0.0.1") -> httpx.Client:
        """A client that comes from this address of the machine; the first table waits until its game is compiled."""
        transport, url = NamedTransport(verify=False, local_address=source), f"https://127.0.0.1:{self.port}"
        return httpx.Client(transport=transport, base_url=url, headers={"Host": NAME}, timeout=60)


Proxy = Callable[[Path, Sequence[str], int, int], list[str]]
"""Makes the command of a proxy before servers, with ports for https and http."""


class NamedTransport(httpx.HTTPTransport):
    """Asks for ``cards.example`` wherever it is."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions["sni_hostname"] = NAME
        return super().handle_request(request)


def nginx(folder: Path, upstreams: Sequence[str], port: int, plain: int) -> list[str]:
    """The command that runs nginx with the recipe, a certificate of our own and other ports."""
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    subprocess.run([*words, "-keyout", "key.pem", "-out", "cert.pem"], cwd=folder, check=True, capture_output=True)
    site = (DEPLOY / "nginx.conf").read_text("utf-8")
    for recipe, here in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(folder / "cert.pem")),
        (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(folder / "key.pem")),
        ("server 127.0.0.1:8000;", " ".join(f"server {upstream};" for upstream in upstreams)),
    ):
        assert recipe in site
        site = site.replace(recipe, here)
    (folder / "site.conf").write_text(site)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    user = "user root;" if os.geteuid() == 0 else ""
    main = f"{user} pid {folder}/pid; events {{}} http {{ access_log off; {paths} include {folder}/site.conf; }}"
    (folder / "nginx.conf").write_text(main)
    return [
        "nginx",
        "-p",
        str(folder),
        "-e",
        str(folder / "errors"),
        "-c",
        str(folder / "nginx.conf"),
        "-g",
        "daemon off;",
    ]


def caddy(folder: Path, upstreams: Sequence[str], port: int, plain: int) -> list[str]:
    """The command that runs Caddy with the recipe, a certificate of its own making and other ports."""
    options = f"admin off\nlocal_certs\nskip_install_trust\nhttp_port {plain}\nhttps_port {port}\n"
    (folder / "Caddyfile").write_text(f"{{\n{options}}}\nimport {DEPLOY / 'Caddyfile'}\n")
    environment = [
        f"DOMAIN=https://{NAME}",
        f"TEFUDA={' '.join(upstreams)}",
        f"XDG_DATA_HOME={folder}",
        f"XDG_CONFIG_HOME={folder}",
    ]
    return ["env", *environment, "caddy", "run", "--config", str(folder / "Caddyfile")]


PROXIES: list[Proxy] = [nginx, caddy]


@contextmanager
def behind(proxy: Proxy, folder: Path, servers: Sequence[Served]) -> Iterator[Proxied]:
    """Servers behind one of the proxies."""
    if shutil.which(proxy.__name__) is None:
        pytest.skip(f"{proxy.__name__} left out: apt-get install {proxy.__name__}")
    found = Proxied(servers[0], free_port(), free_port())
    upstreams = [server.url.removeprefix("http://") for server in servers]
    with (folder / "out").open("wb") as out:
        process = subprocess.Popen(proxy(folder, upstreams, found.port, found.plain), stdout=out, stderr=out)
    try:
        wait_for(found, folder)
        yield found
    finally:
        stop(process)


@pytest.fixture(scope="module", params=PROXIES, ids=["nginx", "caddy"])
def proxied(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    folder = tmp_path_factory.mktemp(request.param.__name__)
    with served(folder) as server, behind(request.param, folder, [server]) as found:
        yield found


def stop(process: subprocess.Popen[bytes]) -> None:
    """Caddy waits for its last connection, but not for ever here."""
    process.terminate()
    try:
        process.wait(3)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(10)


@contextmanager
def served(folder: Path, url: str = "") -> Iterator[Served]:
    url = url or f"sqlite:///{folder / 'tables.db'}"
    server = Served(url, folder / f"log{free_port()}", *OPTIONS, port=free_port())
    try:
        yield server
    finally:
        server.end()


def wait_for(proxied: Proxied, folder: Path) -> None:
    until = time.monotonic() + 20
    while True:
        try:
            with proxied.client("127.0.0.9") as client:
                assert client.get("/readyz").status_code == 200
        except httpx.TransportError:
            assert time.monotonic() < until, (folder / "out").read_text()
            time.sleep(0.1)
        else:
            return


def unverified() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def test_a_browser_gets_secure_cookies_and_no_figures(proxied: Proxied) -> None:
    with proxied.client() as client:
        headers = {"Origin": f"https://{NAME}"}
        opened = client.post("/api/v1/tables", json={"game": "gong-zhu", "name": "Ann"}, headers=headers)
        assert opened.status_code == 201
        assert re.match(r"__Host-tefuda=.*Secure", opened.headers["set-cookie"])
        assert opened.headers["strict-transport-security"]
        assert client.get("/metrics").status_code == 404
        assert client.post("/api/v1/verify", content=b"x" * 300_000).status_code == 413
    moved = httpx.get(f"http://127.0.0.1:{proxied.plain}/", headers={"Host": NAME})
    assert moved.status_code in (301, 308)
    assert moved.headers["location"].startswith(f"https://{NAME}")


def test_nobody_escapes_the_limits_by_inventing_addresses(proxied: Proxied) -> None:
    statuses = set[int]()
    with proxied.client("127.0.0.2") as client:
        for k in range(2000):
            invented = {"X-Forwarded-For": f"203.0.{k % 200}.9, 10.0.{k % 200}.9", "Forwarded": f"for=10.1.{k % 200}.9"}
            statuses.add(client.get("/api/v1/games", headers=invented).status_code)
            if 429 in statuses:
                break
    assert statuses == {200, 429}
    with proxied.client("127.0.0.3") as other:  # the proxy says for whom it asks: others are not held back
        assert other.get("/api/v1/games").status_code == 200


def test_streams_arrive_as_they_are_sent(proxied: Proxied) -> None:
    with proxied.client("127.0.0.4") as client:
        opened = client.post("/api/v1/tables", json={"game": "gong-zhu", "name": "Ann", "bots": ["hints"]}).json()
        with client.stream("GET", f"/api/v1/tables/{opened['table']}/events", timeout=5) as stream:
            assert '"type":"state"' in next(stream.iter_lines())


def test_sockets_play_through_the_proxy_until_the_server_says_goodbye(proxied: Proxied) -> None:
    """The last test: it stops the server, and starts another in its place."""

    async def play(client: httpx.Client) -> Player:
        opened = client.post(
            "/api/v1/tables",
            json={"game": "gong-zhu", "name": "Ann", "bots": ["hints"] * 3},
        ).json()
        player = Player("", opened["table"], opened["token"])
        address = f"wss://{NAME}/api/v1/tables/{opened['table']}/socket"
        player.line = await connect(
            address, host="127.0.0.1", port=proxied.port, ssl=unverified(), compression=None,
            additional_headers={"Authorization": f"Bearer {opened['token']}"},
        )  # fmt: skip
        await player.play_on()
        return player

    async def scenario(client: httpx.Client) -> None:
        player = await play(client)
        proxied.server.process.terminate()
        assert await closed(player) == 1012
        await player.close()

    with proxied.client("127.0.0.5") as client:
        asyncio.run(scenario(client))
        proxied.server.process.wait(20)
        while_down(client)


def while_down(client: httpx.Client) -> None:
    """A client is told to come back, in the end."""
    answer = client.get("/api/v1/games", timeout=20)
    assert answer.status_code in (502, 503)
    assert answer.status_code == 502 or answer.headers["retry-after"] == "1"


@pytest.mark.slow
@pytest.mark.parametrize("proxy", PROXIES, ids=["nginx", "caddy"])
def test_each_table_is_sent_to_one_of_several_servers_and_to_another_if_that_one_dies(
    proxy: Proxy, cluster: Cluster, tmp_path: Path
) -> None:
    url, tables = new_database(cluster), list[str]()

    def holders() -> dict[str, str]:
        import psycopg

        with psycopg.connect(url) as connection:
            return dict(connection.execute('SELECT "table", process FROM leases').fetchall())

    def look(client: httpx.Client) -> dict[str, str]:
        """Ask for every table, by all kinds of addresses; who holds it then."""
        for table in tables:
            for path in (f"/api/v1/tables/{table}", f"/t/{table}?lang=ja", f"/api/v1/tables/{table}/proofs"):
                assert client.get(path, headers={"accept": "text/html"}).status_code == 200
        return holders()

    with served(tmp_path, url) as one, served(tmp_path, url) as two, behind(proxy, tmp_path, [one, two]) as proxied:
        with proxied.client("127.0.0.6") as client:
            while len(tables) < 8 or len(set(look(client).values())) < 2:  # chance may send eight to one of them
                assert len(tables) < 40, "each server gets tables"
                opened = client.post("/api/v1/tables", json={"game": "gong-zhu", "name": "Ann", "bots": ["hints"]})
                tables.append(opened.json()["table"])
            before = look(client)
            for _ in range(3):
                assert look(client) == before, "none was pulled to and fro"
            one.process.kill()
            one.process.wait()
            until = time.monotonic() + 20
            # One that has lost a table to the other answers from memory until it next looks at its leases.
            after = before
            while len(set(after.values())) > 1:
                assert time.monotonic() < until
                with suppress(AssertionError):
                    after = look(client)
                time.sleep(0.5)
        left = {process for table, process in before.items() if after[table] == process}
        assert len(left) == 1
        assert {after[table] for table in tables} == left


RECIPE = {
    "Host": "$http_host", "X-Forwarded-For": "$remote_addr", "Upgrade": "$http_upgrade", "Connection": '"upgrade"',
}  # fmt: skip
"""The headers that nginx passes on, as in ``deploy/nginx.conf``."""


@contextmanager
def passing(folder: Path, upstream: Served, headers: Mapping[str, str]) -> Iterator[str]:
    """The address of an nginx that speaks http and passes these headers on."""
    if shutil.which("nginx") is None:
        pytest.skip("nginx left out: apt-get install nginx")
    port, lines = free_port(), "".join(f"proxy_set_header {name} {value};" for name, value in headers.items())
    user = "user root;" if os.geteuid() == 0 else ""
    site = f"listen 127.0.0.1:{port}; location / {{ proxy_pass {upstream.url}; proxy_http_version 1.1; {lines} }}"
    paths = " ".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    text = f"{user} pid {folder}/pid; events {{}} http {{ access_log off; {paths} server {{ {site} }} }}"
    (folder / "nginx.conf").write_text(text)
    words = ["nginx", "-p", str(folder), "-e", str(folder / "errors"), "-c", str(folder / "nginx.conf")]
    process = subprocess.Popen([*words, "-g", "daemon off;"])
    try:
        while process.poll() is None:
            with suppress(httpx.TransportError):
                httpx.get(f"http://127.0.0.1:{port}/healthz")
                break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        stop(process)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that people reach over http, and that trusts a proxy on its machine."""
    folder = tmp_path_factory.mktemp("plain")
    with serving(f"sqlite:///{folder / 'tables.db'}", folder / "log", "--game", "gong-zhu") as server:
        yield server


@pytest.mark.parametrize(
    ("changed", "problems"),
    [
        ({}, []),
        ({"X-Forwarded-For": "$proxy_add_x_forwarded_for"}, []),  # of several, the last is believed
        ({"X-Forwarded-For": "$http_x_forwarded_for"}, ["clients can invent their address"]),
        ({"X-Forwarded-For": '""'}, ["the server takes 127.0.0.2 for 127.0.0.1"]),
        ({"Upgrade": '""'}, ["WebSockets do not pass (status 404)"]),
        ({"Origin": '""'}, ["what other sites send is let in"]),
        ({"Host": "elsewhere.example"}, ["/healthz is answered with status 421"]),
    ],
)
def test_the_doctor_finds_what_a_proxy_does_wrong(
    plain: Served, tmp_path: Path, changed: dict[str, str], problems: list[str]
) -> None:
    with passing(tmp_path, plain, {**RECIPE, **changed}) as url:
        found = [(told, todo) for state, told, todo in doctor.proxy(url) if state == "problem"]
    assert len(found) == len(problems), found
    assert all(part in told and todo for part, (told, todo) in zip(problems, found, strict=True)), found


def test_the_doctor_knows_a_server_of_its_own_at_the_port(plain: Served) -> None:
    (found,) = doctor.port_of("127.0.0.1", plain.port)
    assert found == ("ok", f"Tefuda {__version__} serves at 127.0.0.1:{plain.port}", "")
