"""A stand-in for a server of language models: it answers as a test says, and keeps what it was asked."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Messages = list[dict[str, str]]

Answer = str | None | tuple[int, str]
"""The content of a message; or an HTTP status with a body."""


class ModelServer(ThreadingHTTPServer):
    """Answers each chat by ``answer``; ``asked`` has the bodies of the requests, ``keys`` who asked."""

    def __init__(self, answer: Callable[[Messages], Answer]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []

    @property
    def spec(self) -> str:
        """The bot of this server."""
        return f"llm:http://127.0.0.1:{self.server_address[1]}/v1,model=stand-in"


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def do_GET(self) -> None:
        self._send(404, "{}")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        self.server.keys.append(self.headers["Authorization"])
        answer = self.server.answer(body["messages"])
        if isinstance(answer, tuple):
            self._send(*answer)
            return
        usage = {"prompt_tokens": 100, "completion_tokens": 7}
        self._send(200, json.dumps({"choices": [{"message": {"content": answer}}], "usage": usage}))

    def _send(self, status: int, text: str) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Write nothing."""


@contextmanager
def model_server(answer: Callable[[Messages], Answer]) -> Iterator[ModelServer]:
    """A stand-in that runs as long as the block."""
    server = ModelServer(answer)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def legal(text: str) -> list[str]:
    """The plays that a text of a view offers."""
    lines = text.split("\nYou may play\n")[1].split("\n\n")[0].splitlines()
    return [line.removeprefix("- ").partition(" (")[0] for line in lines]
