"""The colours of reports: of the arms, in their order, and of what surrounds them, on light paper and on dark."""

ARMS = ("#0667a7", "#a53e01", "#2d7b4c", "#491c76", "#b28718", "#c6317e", "#2a8998", "#434846")
"""Of the arms on light paper; any two stay apart for those who see no red or no green, and markers tell them too."""

ARMS_DARK = ("#8ccafb", "#ee9166", "#52bfaa", "#a489e3", "#e1bc54", "#b55d7a", "#92eccd", "#6e6b49")

INK, INK_DARK = "#1a1a1b", "#e8e6e1"
FAINT, FAINT_DARK = "#8f8f90", "#85858a"

LIGHT = {"paper": "#fdfcfa", "ink": INK, "faint": FAINT, "rule": "#d9d6d0", "quiet": "#5c5b59"}
DARK = {"paper": "#16171a", "ink": INK_DARK, "faint": FAINT_DARK, "rule": "#3a3b40", "quiet": "#aeaca6"}


def css_variables(colours: dict[str, str], arms: tuple[str, ...]) -> str:
    """Declarations of the colours as CSS variables; pictures use those of the page around them."""
    named = {**colours, **{f"arm{k}": colour for k, colour in enumerate(arms)}}
    return " ".join(f"--{name}: {colour};" for name, colour in named.items())
