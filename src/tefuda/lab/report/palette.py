"""The colours of reports: of the arms, in their order, and of what surrounds them, on light paper and on dark."""

ARMS = ("#20639b", "#c4541c", "#2f8559", "#8250a8", "#a07800", "#b03060", "#337d88", "#5a5a5c")
"""Of the arms on light paper; markers and lines tell them apart too."""

ARMS_DARK = ("#6fb3e8", "#f29a66", "#76c79b", "#c39be2", "#dcb84a", "#ef86a8", "#7cc7d2", "#b5b5b8")

INK, INK_DARK = "#1a1a1b", "#e8e6e1"
FAINT, FAINT_DARK = "#8f8f90", "#85858a"

LIGHT = {"paper": "#fdfcfa", "ink": INK, "faint": FAINT, "rule": "#d9d6d0", "quiet": "#5c5b59"}
DARK = {"paper": "#16171a", "ink": INK_DARK, "faint": FAINT_DARK, "rule": "#3a3b40", "quiet": "#aeaca6"}


def css_variables(colours: dict[str, str], arms: tuple[str, ...]) -> str:
    """Declarations of the colours as CSS variables; pictures use those of the page around them."""
    named = {**colours, **{f"arm{k}": colour for k, colour in enumerate(arms)}}
    return " ".join(f"--{name}: {colour};" for name, colour in named.items())
