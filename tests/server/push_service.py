"""A push service in place of those of browsers: it keeps what it is sent, and decrypts it as a browser does."""

import json
import queue
import secrets
import threading
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02


class Pushed(NamedTuple):
    """A message as a browser gets it: whose, its headers, what it says."""

    browser: str
    headers: dict[str, str]
    text: str

    @property
    def said(self) -> dict[str, str]:
        said: dict[str, str] = json.loads(self.text)
        return said


class PushService(ThreadingHTTPServer):
    """The service; ``status`` is what it answers, ``paths`` is all that it was asked for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status, self.paths = 201, list[str]()
        self.pushed: queue.SimpleQueue[Pushed] = queue.SimpleQueue()
        self._keys: dict[str, tuple[ec.EllipticCurvePrivateKey, bytes]] = {}

    def subscription(self, browser: str) -> dict[str, Any]:
        """What a browser of this name tells our server when its reader agrees."""
        key, secret = ec.generate_private_key(ec.SECP256R1()), secrets.token_bytes(16)
        self._keys[f"/{browser}"] = key, secret
        point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {
            name: urlsafe_b64encode(value).decode().rstrip("=") for name, value in (("p256dh", point), ("auth", secret))
        }
        return {"endpoint": f"http://127.0.0.1:{self.server_port}/{browser}", "expirationTime": None, "keys": keys}

    def take(self, path: str, headers: dict[str, str], body: bytes) -> None:
        self.paths.append(path)
        key, secret = self._keys[path]
        assert Vapid02.verify(headers["authorization"])
        text = http_ece.decrypt(body, private_key=key, auth_secret=secret).decode()
        self.pushed.put(Pushed(path[1:], headers, text))

    def next(self) -> Pushed:
        """The next message."""
        return self.pushed.get(timeout=120)


class _Handler(BaseHTTPRequestHandler):
    server: PushService

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.take(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        self.send_response(self.server.status)
        self.send_header("location", "/elsewhere")
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None: ...


@contextmanager
def push_service() -> Iterator[PushService]:
    """A push service, stopped afterwards."""
    with PushService() as service:
        thread = threading.Thread(target=service.serve_forever)
        thread.start()
        try:
            yield service
        finally:
            service.shutdown()
            thread.join()
