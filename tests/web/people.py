"""Somebody at a browser that runs no scripts."""

import asyncio
import re
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx
from fastapi import FastAPI

from tests.server.server_process import Served

Answer = TypeVar("Answer")

WITHIN = 120
"""Seconds after which something is taken to be missing."""


@contextmanager
def visitor(site: Served, language: str = "en") -> Iterator[httpx.Client]:
    """Keeps cookies, says where its requests come from, does not follow redirections by itself."""
    headers = {
        "Origin": site.url,
        "Sec-Fetch-Site": "same-origin",
        "Accept": "text/html",
        "Accept-Language": language,
    }
    with httpx.Client(base_url=site.url, headers=headers, timeout=300) as client:
        yield client


def shows(client: httpx.Client, path: str, text: str) -> bool:
    """Whether a page shows something within a while: lists of tables follow what happens at the tables."""
    until = time.monotonic() + WITHIN
    while text not in client.get(path).text:
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def links(text: str) -> list[str]:
    """Where a page's links, pictures, styles and scripts lead."""
    return re.findall(r'(?:href|src)="([^"]+)"', text)


def apart(asked: Coroutine[Any, Any, Answer]) -> Answer:
    """What a coroutine answers, run in a thread of its own: Playwright's loop may run in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, asked).result()


class Reader:
    """Somebody at a server that has not begun to compile: its application, never started."""

    def __init__(self, app: FastAPI) -> None:
        self.transport = httpx.ASGITransport(app)

    def get(self, address: str) -> httpx.Response:
        return apart(self._ask("GET", address))

    def post(self, address: str, data: dict[str, str]) -> httpx.Response:
        return apart(self._ask("POST", address, data=data))

    async def _ask(self, method: str, address: str, **what: Any) -> httpx.Response:
        headers = {"Accept": "text/html", "Accept-Language": "en"}
        async with httpx.AsyncClient(transport=self.transport, base_url="http://localhost", headers=headers) as client:
            return await client.request(method, address, **what)
