"""Pictures of reports, and their colours: the same numbers give the same bytes.

The colours of a report's pictures, on light paper and on dark, follow those of the page around them."""

import io
import re
import textwrap
import warnings
from collections.abc import Callable

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from tefuda.engine.texts import LANGUAGES
from tefuda.lab.measure.intervals import Interval
from tefuda.lab.report.findings import OF_PLAYS, Findings
from tefuda.lab.report.vocabulary import Words, is_share, unit_name

ARMS = ("#0667a7", "#a53e01", "#2d7b4c", "#491c76", "#b28718", "#c6317e", "#2a8998", "#434846")
"""Colours of the arms on light paper; any two stay apart without red or green, and markers tell them too."""

ARMS_DARK = ("#8ccafb", "#ee9166", "#52bfaa", "#a489e3", "#e1bc54", "#b55d7a", "#92eccd", "#6e6b49")

INK, INK_DARK = "#1a1a1b", "#e8e6e1"
FAINT, FAINT_DARK = "#8f8f90", "#85858a"

LIGHT = {"paper": "#fdfcfa", "ink": INK, "faint": FAINT, "rule": "#d9d6d0", "quiet": "#5c5b59"}
DARK = {"paper": "#16171a", "ink": INK_DARK, "faint": FAINT_DARK, "rule": "#3a3b40", "quiet": "#aeaca6"}

MARKERS = "osD^vPX*"
LINES = ("-", "--", "-.", ":", (0, (6, 2)), (0, (1, 3)), (0, (8, 2, 1, 2, 1, 2)), (0, (3, 4)))
"""Line styles, as many as colours: one can tell two arms apart without seeing colours."""

WIDTH = 5.4

ENDS = ("mean", "low", "high")

STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "tefuda",
    "font.family": "sans-serif",
    "font.size": 9,
    **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
    **dict.fromkeys(("axes.edgecolor", "grid.color"), FAINT),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right"), False),
    "axes.grid": True,
    "grid.alpha": 0.25,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
}


def css_variables(colours: dict[str, str], arms: tuple[str, ...]) -> str:
    """Declarations of the colours as CSS variables; pictures use those of the page around them."""
    named = {**colours, **{f"arm{k}": colour for k, colour in enumerate(arms)}}
    return " ".join(f"--{name}: {colour};" for name, colour in named.items())


def pictures(found: Findings) -> list[tuple[str, str, str]]:
    """The pictures of a report: name, caption and SVG of each."""
    made = []
    for name, (caption, draw) in PICTURES.items():
        with mpl.rc_context(STYLE):
            figure = Figure(figsize=(WIDTH, 3.0))
            if draw(found, figure):
                made.append((name, caption, to_svg(figure, caption)))
    return made


def answer_pictures(found: Findings) -> dict[str, tuple[str, str]]:
    """The picture of the answer in every language, its caption and its SVG; none where there is nothing to draw."""
    made = {}
    for language in LANGUAGES:
        words = Words(found.experiment, language)
        with mpl.rc_context({**STYLE, "svg.hashsalt": f"tefuda {language}"}):
            figure = Figure(figsize=(WIDTH, 1.2 + 0.34 * len(found.experiment.arms)))
            caption = draw_answer(found, words, figure)
            if caption:
                made[language] = caption, to_svg(figure, caption)
    return made


def draw_answer(found: Findings, words: Words, figure: Figure) -> str:
    """Draw the answering figure and the differences; return the caption, or nothing if there is nothing to draw."""
    row, arms = found.answering, found.experiment.arms
    if row is None or len(arms) < 2 or not any(each.count for each in row.means):
        return ""
    if row.name in OF_PLAYS:
        return words("picture.plays") if draw_plays(found, words, figure) else ""
    panels = figure.subplots(1, 2 if row.differences else 1, squeeze=False, sharey=True)[0]
    at = np.arange(len(arms))[::-1]
    for k, mean in enumerate(row.means):
        draw_interval(panels[0], mean, at[k], k)
    panels[0].set_yticks(at, [wrap_label(arm.name, 22) for arm in arms])
    panels[0].set_ylim(-0.6, len(arms) - 0.4)
    panels[0].set_xlabel(words.currency(row.name))
    name = words.figure(row.name)
    caption = words("picture.means", figure=name[:1].upper() + name[1:])
    if row.differences:
        for k, difference in enumerate(row.differences, 1):
            draw_interval(panels[1], difference.by, at[k], k)
        panels[1].axvline(0, color=INK, lw=0.8)
        panels[1].set_xlabel(wrap_label(words("picture.difference", first=arms[0].name), 26))
        least = found.experiment.smallest
        if least:
            panels[1].axvspan(-least, least, color=FAINT, alpha=0.18, lw=0)
            caption = words.joined([caption, words("picture.band")])
    for axes in panels:
        axes.xaxis.set_major_locator(MaxNLocator(4))
        if is_share(row.name):
            axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    return caption


def draw_interval(axes: Axes, found: Interval, at: float, k: int) -> None:
    """Draw a mean and its interval, in the colour and with the marker of the k-th arm."""
    if np.isfinite(found.low) and np.isfinite(found.high):
        axes.plot([found.low, found.high], [at, at], color=ARMS[k % 8], lw=2, solid_capstyle="butt")
    axes.plot([found.mean], [at], MARKERS[k % 8], color=ARMS[k % 8], ms=6)


def draw_plays(found: Findings, words: Words, figure: Figure) -> bool:
    """Draw how often the play asked about is clearly the best, clearly beaten, and neither."""
    pays, costs = found.sampled_row("pays"), found.sampled_row("costs")
    if pays is None or costs is None or not any(each.count for each in pays.means):
        return False
    axes = figure.subplots()
    arms = found.experiment.arms
    at = np.arange(len(arms))[::-1]
    best = np.array([each.mean for each in pays.means])
    beaten = np.array([each.mean for each in costs.means])
    left = np.zeros(len(arms))
    kinds = (("best", best, ARMS[0], ""), ("open", 1 - best - beaten, FAINT, ""), ("beaten", beaten, ARMS[1], "///"))
    for name, width, colour, hatch in kinds:
        label = words(f"picture.{name}")
        axes.barh(at, width, left=left, height=0.6, color=colour, hatch=hatch, edgecolor="white", lw=0, label=label)
        left = left + width
    axes.set_yticks(at, [wrap_label(arm.name, 22) for arm in arms])
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_xlabel(words("picture.decisions"))
    legend(figure, axes, columns=3)
    return True


def to_svg(figure: Figure, title: str) -> str:
    """A figure as SVG without date or version, with colours as CSS variables."""
    out = io.StringIO()
    # The file keeps letters as letters; matplotlib warns because it has no font to measure Chinese with.
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None, "Title": title})
    text = out.getvalue()
    text = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>|\n *", "", text[text.index("<svg") :], flags=re.DOTALL)
    text = re.sub(r' width="[\d.]+pt" height="[\d.]+pt"| height="[\d.]+pt"| width="[\d.]+pt"', "", text, count=2)
    for name, colour in (("ink", INK), ("faint", FAINT), *((f"arm{k}", colour) for k, colour in enumerate(ARMS))):
        text = text.replace(colour, f"var(--{name}, {colour})")
    return text.replace("<svg ", '<svg role="img" ', 1)


def draw_differences(found: Findings, figure: Figure) -> bool:
    """Draw each figure's differences from the first arm, in its standard deviations."""
    rows = [row for row in found.rows if any(each.equal < 1 for each in row.differences)]
    rows, arms = [row for row in rows if row.means[0].deviation > 0], found.experiment.arms
    if not rows:
        return False
    figure.set_figheight(1.2 + 0.42 * len(found.rows))
    axes, scale = figure.subplots(), np.array([row.means[0].deviation for row in rows])
    for k, arm in enumerate(arms[1:]):
        at = np.arange(len(rows))[::-1] + (len(arms) - 2 - 2 * k) * 0.3 / (len(arms) - 1)  # beside each other
        means, lows, highs = (np.array([getattr(row.differences[k].by, end) for row in rows]) / scale for end in ENDS)
        axes.errorbar(
            means, at, xerr=[means - lows, highs - means], fmt=MARKERS[(k + 1) % 8], ms=4, capsize=2,
            color=ARMS[(k + 1) % 8], label=arm.name,
        )  # fmt: skip
    axes.axvline(0, color=INK, lw=0.8)
    axes.set_yticks(range(len(rows)), [wrap_label(row.label) for row in reversed(rows)])
    axes.set_xlabel(f"less “{arms[0].name}”, in standard deviations")
    legend(figure, axes)
    return True


def draw_payoffs(found: Findings, figure: Figure) -> bool:
    """Draw how often each payoff comes, on a logarithmic scale: the tails."""
    axes = figure.subplots()
    least, most = min(each.least for each in found.payoffs), max(each.most for each in found.payoffs)
    unit = 1 / found.experiment.description.rules.unit
    bins = min(60, max(2, int((most - least) / unit) + 1))
    width = max(unit, np.ceil((most - least + unit) / bins / unit) * unit)
    edges = np.arange(least - unit / 2, most + width + unit, width)
    for k, each in enumerate(found.payoffs):
        counts, _ = np.histogram(each.values, edges, weights=each.counts)
        axes.stairs(counts / each.counts.sum(), edges, color=ARMS[k % 8], ls=LINES[k % 8], label=each.arm, lw=1.2)
    axes.set_yscale("log")
    axes.set_xlabel(f"payoff of a seat in a {unit_name(found.experiment)}")
    axes.set_ylabel("share of payoffs")
    legend(figure, axes)
    return bool(most > least)


def legend(figure: Figure, axes: Axes, columns: int = 2) -> None:
    """Write above the picture which colour stands for which arm."""
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=columns, fontsize=8)


def wrap_label(text: str, width: int = 34) -> str:
    """A label in lines of about this many letters; dollar signs are not mathematics."""
    words = " ".join(text.replace("$", r"\$").split())
    return textwrap.fill(words, width, break_long_words=False, break_on_hyphens=False)


PICTURES: dict[str, tuple[str, Callable[[Findings, Figure], bool]]] = {
    "differences": (
        "How the arms differ from the first one, in its standard deviations, with 95% intervals.",
        draw_differences,
    ),
    "payoffs": ("How often each payoff comes, and how long the tails are.", draw_payoffs),
}
