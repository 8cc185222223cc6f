"""Settings of a server."""

import ipaddress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from urllib.parse import urlsplit

from tefuda.engine.errors import TefudaError


@dataclass(frozen=True)
class ServerSettings:
    """The settings of one process."""

    games: tuple[str, ...] = ()  # to serve; all if none is named
    tours: Path | None = None  # folder of tours (``docs/tours.md``) beside those that games bring
    lab: Path | None = None  # folder of the laboratory's runs; None where it is not installed
    mcp: bool = False  # whether agents get tables at ``/mcp``
    passkeys: bool = False  # whether people may keep who they are with a passkey, and sign in with it elsewhere
    # how push services reach the host, ``mailto:`` or https; None where nobody is told of their turn
    push: str | None = None
    # the mail server by which people are told, as ``live/mail`` reads it; None where nobody is told by e-mail
    mail: str | None = None
    push_anywhere: bool = False  # whether push services may be in this machine's network, over http: for tests
    # the address that people type, such as ``https://cards.example``. If None, people reach the server from this
    # machine or its network alone: host names other than an address, ``localhost`` and ``*.local`` are refused.
    origin: str | None = None
    pace: float = 0.8  # seconds, on average, that a bot waits before it plays, so that people can follow
    # seconds that the first deal, and a shuffle begun again, wait for the seals of the people at the table
    patience: float = 5.0
    reveal_within: float = 10.0  # seconds in which a seat must reveal the entropy that it has sealed
    delay: float = 60.0  # seconds by which delayed spectators are behind
    thinkers: int = 2  # threads in which bots search; with two or more, one address never has all of them
    requests: float = 50.0  # a second that one address may make, and ten times as many at once; 0 for no limit
    messages: float = 20.0  # a second that one socket may send, and twice as many at once; 0 for no limit
    creations: float = 120.0  # tables an hour that one address may open; 0 for no limit
    sockets: int = 100  # that one address may hold open; 0 for no limit
    connections: int = 200  # of any kind that one address may hold open; 0 for no limit. A proxy may hold more.
    connections_in_all: int = 20_000  # that the process may hold open; 0 for no limit
    metrics_at: str | None = None  # where Prometheus is answered, ``HOST:PORT``, beside or instead of ``/metrics``
    proxies: tuple[str, ...] = ("127.0.0.1",)  # addresses and networks of proxies, which say whom they speak for

    def __post_init__(self) -> None:
        for name in ("pace", "patience", "reveal_within", "delay", "messages", "creations", "sockets", "connections"):
            if not 0 <= getattr(self, name) < inf:
                raise TefudaError(f"--{name}: {getattr(self, name)} is not a number from 0 up")
        if not (1 <= self.requests < inf or self.requests == 0):
            raise TefudaError(f"--rate: {self.requests} would let nobody in; write 1 or more, or 0 for no limits")
        if self.metrics_at is not None:
            read_address(self.metrics_at)
        for proxy in self.proxies:
            _check_proxy(proxy)
        if self.origin is not None and not (
            self.origin.startswith(("http://", "https://")) and self.origin.count("/") == 2 and self.origin[-1] != "/"
        ):
            raise TefudaError(f"--origin: {self.origin!r} is not written like https://cards.example")
        if self.mail is not None and self.origin is None:
            raise TefudaError("--mail: say where links in e-mails lead: --origin https://cards.example")
        if self.passkeys:
            _check_passkey_origin(self.origin)

    @property
    def secure(self) -> bool:
        """True if people come over https."""
        return self.origin is not None and self.origin.startswith("https:")


def read_address(text: str) -> tuple[str, int]:
    """The host and the port of ``HOST:PORT``. ``TefudaError`` if it is not written like that."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise TefudaError(f"--metrics-at {text}: write an address and a port, such as 127.0.0.1:9100")
    return host.strip("[]"), int(port)


def ip_of(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The IP address that a host is; None if it is a name, or nothing at all."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _check_passkey_origin(origin: str | None) -> None:
    """Browsers make passkeys for names reached over https, and for ``localhost``."""
    if origin is None:
        raise TefudaError("--passkeys: say where people find the server: --origin https://cards.example")
    address = urlsplit(origin)
    host = address.hostname or ""
    if address.scheme != "https" and host != "localhost":
        raise TefudaError(f"--passkeys: browsers allow them over https and at localhost alone, not at {origin}")
    if ip_of(host) is not None:
        raise TefudaError(f"--passkeys: a passkey belongs to a name, and {host} is an address")


def _check_proxy(proxy: str) -> None:
    if proxy == "*":
        raise TefudaError("--trusted-proxy *: anybody could then invent addresses; name that of the proxy")
    try:
        ipaddress.ip_network(proxy)
    except ValueError as error:
        raise TefudaError(f"--trusted-proxy {proxy}: {error}") from None
