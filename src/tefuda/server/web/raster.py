"""Drawings as PNG, for those who do not take SVG: home screens and link previews. resvg draws, if it is installed."""

from importlib.util import find_spec

CAN_DRAW = find_spec("resvg_py") is not None
"""Whether resvg is installed."""


def png(drawing: str, width: int) -> bytes:
    """An SVG as a PNG of this width in pixels; only where ``CAN_DRAW``."""
    import resvg_py  # not at the start of the server, which should not wait for it

    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, width=width))
