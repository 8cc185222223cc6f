"""Where ``tefuda serve`` listens, where it says it is, and whether it opens a browser there."""

import ipaddress
import re
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tefuda.cli import serve
from tefuda.engine.errors import TefudaError


def test_an_address_that_stands_for_all_is_said_as_the_one_in_the_network() -> None:
    said = re.fullmatch(r"http://(.+):8000/", serve.address_of("0.0.0.0", 8000))
    assert said
    assert not ipaddress.ip_address(said[1]).is_unspecified


def test_an_address_that_was_named_is_said_as_it_was() -> None:
    assert serve.address_of("127.0.0.1", 80) == "http://127.0.0.1:80/"
    assert serve.address_of("::1", 8000) == "http://[::1]:8000/"


@pytest.mark.parametrize(
    ("platform", "environment", "has_screen"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("darwin", {}, True),
        ("darwin", {"SSH_CONNECTION": "192.0.2.7 50000 192.0.2.8 22"}, False),
    ],
)
def test_a_browser_needs_a_screen(
    monkeypatch: pytest.MonkeyPatch, platform: str, environment: dict[str, str], has_screen: bool
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", platform)
    assert serve._has_screen() is has_screen


@pytest.mark.parametrize("host", ["300.1.1.1", "192.0.2.1", "no such host", "." * 70])
def test_an_address_that_this_machine_does_not_have_is_said_to_be_wrong_itself(host: str) -> None:
    with pytest.raises(TefudaError) as refused:
        serve.listen(host, 0)
    assert str(refused.value) == f"--host {host}: {serve.NO_SUCH_HOST}"


def test_a_port_in_use_asks_for_another() -> None:
    with closing(serve.listen("127.0.0.1", 0)) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(TefudaError, match=rf"--port {port}: Address already in use; name another --port"):
            serve.listen("127.0.0.1", port)


def test_on_windows_a_port_is_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_KEEPALIVE, raising=False)  # any option will do here
    with closing(serve.listen("127.0.0.1", 0)) as listening:
        assert listening.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert not listening.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)


@pytest.mark.parametrize("proxy", ["*", "proxy.example", "10.0.0.1/8"])
def test_a_proxy_is_an_address_or_a_network(proxy: str) -> None:
    with pytest.raises(TefudaError, match="--trusted-proxy"):
        serve.server_settings(games=(), lab=None, rate=50, proxies=[proxy])


def test_proxies_are_those_named_else_those_that_uvicorn_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    def trusted(*named: str) -> tuple[str, ...]:
        return serve.server_settings(games=(), lab=None, rate=50, proxies=named).proxies

    monkeypatch.delenv(serve.PROXIES, raising=False)
    assert trusted() == ("127.0.0.1",)
    monkeypatch.setenv(serve.PROXIES, "10.0.0.0/8, 192.168.1.1")
    assert trusted() == ("10.0.0.0/8", "192.168.1.1")
    assert trusted("172.16.0.5") == ("172.16.0.5",)


@pytest.mark.slow
def test_passkeys_without_their_library_say_how_to_install_it(tmp_path: Path) -> None:
    without = (
        "import sys; sys.argv[0] = 'tefuda'; sys.modules['webauthn'] = None; from tefuda.cli.app import main; main()"
    )
    store = f"sqlite:///{tmp_path / 'tables.db'}"
    words = ["serve", "--passkeys", "--origin", "https://cards.example", "--port", "0", "--db", store]
    done = subprocess.run([sys.executable, "-c", without, *words], capture_output=True, encoding="utf-8", timeout=300)
    told = f"tefuda: tefuda serve --passkeys needs webauthn: uv run --extra passkeys tefuda {' '.join(words)}\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)
