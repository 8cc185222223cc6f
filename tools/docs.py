"""Build the documentation site and check it: ``uv run --group docs python -m tools.docs [FOLDER]`` (``build/site``).

Sphinx's warnings are errors. Then every built page is read: a link within the site must lead to a page and an anchor
that exist, and nothing may be loaded from another host, so that the site works without a network."""

import argparse
import sys
from collections import defaultdict
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parent.parent
LOADS = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src")}
"""What a browser fetches without being asked."""


class Page(HTMLParser):
    """The anchors and links of one built page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[tuple[bool, str]] = []
        """whether a browser loads it by itself, and the address"""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name in ("id", "name"):
                self.anchors.add(value)
            elif name in ("href", "src"):
                self.links.append(((tag, name) in LOADS, value))


def build(folder: Path) -> None:
    """Have Sphinx write the site."""
    from sphinx.cmd.build import main

    status = main(
        ["-W", "--keep-going", "-q", "-b", "html", "-d", str(folder) + ".doctrees", str(ROOT / "docs"), str(folder)]
    )
    if status:
        sys.exit(status)


def faults(folder: Path) -> list[str]:
    """What is wrong with the links of a built site, a line each."""
    pages = {path.resolve(): Page(path.read_text("utf-8")) for path in folder.rglob("*.html")}
    found: dict[str, list[str]] = defaultdict(list)
    for path, page in pages.items():
        for loaded, address in page.links:
            fault = _fault(path, loaded, address, pages)
            if fault:
                found[fault].append(str(path.relative_to(folder.resolve())))
    return [
        f"{fault}, in {places[0]}" + (f" and {len(places) - 1} more" if places[1:] else "")
        for fault, places in found.items()
    ]


def _fault(path: Path, loaded: bool, address: str, pages: dict[Path, Page]) -> str | None:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return f"{address} is loaded from elsewhere" if loaded and parts.scheme != "data" else None
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        return f"{address} leads nowhere"
    anchor = unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].anchors:
        return f"{address} has no such anchor"
    return None


def main() -> None:
    words = argparse.ArgumentParser(description="Build the documentation site and check its links.")
    words.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "site")
    folder = words.parse_args().folder
    build(folder)
    wrong = faults(folder)
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(list(folder.rglob('*.html')))} pages in {folder}")


if __name__ == "__main__":
    main()
