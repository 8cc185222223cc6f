"""Draws the icons of the app that browsers install (PNG) from the icon of the pages (SVG).

uv run --extra pictures python -m tools.icons"""

from pathlib import Path

from tefuda.server.http.assets import WEB
from tefuda.server.http.pictures import png
from tefuda.server.pages.site import GROUND, ICONS

SAFE_PART = 0.66  # part of an icon that a system never cuts off, if it cuts it to its own form
FOLDER = WEB / "static"


def drawn(name: str) -> bytes:
    """An icon as it should be; one called ``whole`` fills its square."""
    drawing = (FOLDER / "icon.svg").read_text("utf-8")
    if "whole" in name:
        inside, edge = drawing.partition(">")[2].rpartition("</svg>")[0], 16 * (1 - SAFE_PART)
        ground = f'<rect width="32" height="32" fill="{GROUND}"/>'
        inner = f'<g transform="translate({edge:g} {edge:g}) scale({SAFE_PART})">{inside}</g>'
        drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{ground}{inner}</svg>'
    return png(drawing, ICONS[name])[0]


def main() -> None:
    """Write all of them."""
    for name in ICONS:
        Path(FOLDER / name).write_bytes(drawn(name))


if __name__ == "__main__":
    main()
