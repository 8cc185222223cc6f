"""Somebody at a browser that runs no scripts."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from tests.server.serving import Served


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
    for _ in range(200):
        if text in client.get(path).text:
            return True
        time.sleep(0.05)
    return False


def links(text: str) -> list[str]:
    """Where a page's links, pictures, styles and scripts lead."""
    return re.findall(r'(?:href|src)="([^"]+)"', text)
