"""The pictures of a report as SVG: the same numbers give the same bytes, and the colours follow the page's."""

import io
import re
import warnings
from collections.abc import Callable

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tefuda.lab.report.findings import Findings
from tefuda.lab.report.labels import line_label
from tefuda.lab.report.palette import ARMS, FAINT, INK

MARKERS = "osD^vPX*"
LINES = ("-", "--", "-.", ":")

WIDTH = 5.4
MOST_LINES = 24

STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "tefuda",
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.grid": True,
    "grid.color": FAINT,
    "grid.alpha": 0.25,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
}


def pictures(found: Findings) -> list[tuple[str, str, str]]:
    """The pictures of a report: of each its name, its caption, and its SVG."""
    made = []
    for name, caption, height, draw in PICTURES:
        with mpl.rc_context(STYLE):
            figure = Figure(figsize=(WIDTH, height(found)))
            if draw(found, figure):
                made.append((name, caption, to_svg(figure, caption)))
    return made


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
    """Each figure's differences from the first arm, in its standard deviations."""
    rows = [row for row in found.rows if any(each.equal < 1 for each in row.differences)]
    rows = [row for row in rows if row.means[0].deviation > 0]
    if not rows:
        return False
    axes = figure.subplots()
    arms = len(found.experiment.arms) - 1
    for k, arm in enumerate(found.experiment.arms[1:]):
        at = [len(rows) - 1 - i + (arms - 1 - 2 * k) * 0.3 / max(1, arms) for i in range(len(rows))]
        scale = [row.means[0].deviation for row in rows]
        means = np.array([row.differences[k].by.mean / s for row, s in zip(rows, scale, strict=True)])
        lows = np.array([row.differences[k].by.low / s for row, s in zip(rows, scale, strict=True)])
        highs = np.array([row.differences[k].by.high / s for row, s in zip(rows, scale, strict=True)])
        axes.errorbar(
            means, at, xerr=[means - lows, highs - means], fmt=MARKERS[(k + 1) % 8], ms=4, capsize=2,
            color=ARMS[(k + 1) % 8], label=arm.name,
        )  # fmt: skip
    axes.axvline(0, color=INK, lw=0.8)
    axes.set_yticks(range(len(rows)), [wrap_label(row.label) for row in reversed(rows)])
    axes.set_xlabel(f"less ‘{found.experiment.arms[0].name}’, in standard deviations")
    legend(figure, axes)
    return True


def draw_payoffs(found: Findings, figure: Figure) -> bool:
    """How often each payoff comes, on a logarithmic scale: the tails."""
    axes = figure.subplots()
    least, most = min(each.least for each in found.payoffs), max(each.most for each in found.payoffs)
    unit = 1 / found.experiment.description.rules.unit
    bins = min(60, max(2, int((most - least) / unit) + 1))
    width = max(unit, np.ceil((most - least + unit) / bins / unit) * unit)
    edges = np.arange(least - unit / 2, most + width + unit, width)
    for k, each in enumerate(found.payoffs):
        counts, _ = np.histogram(each.values, edges, weights=each.counts)
        axes.stairs(counts / each.counts.sum(), edges, color=ARMS[k % 8], ls=LINES[k % 4], label=each.arm, lw=1.2)
    axes.set_yscale("log")
    axes.set_xlabel("payoff of a seat in a deal")
    axes.set_ylabel("share of payoffs")
    legend(figure, axes)
    return bool(most > least)


def draw_lines(found: Findings, figure: Figure) -> bool:
    """How often each line of the score sheet occurs."""
    lines = sorted(found.lines, key=lambda line: (-max(each.mean for each in line.row.means), line.row.name))
    lines = lines[:MOST_LINES][::-1]
    if not lines:
        return False
    axes = figure.subplots()
    for k, arm in enumerate(found.experiment.arms):
        means = np.array([line.row.means[k].mean for line in lines])
        seen = means > 0
        axes.plot(
            means[seen], np.arange(len(lines))[seen], MARKERS[k % 8], color=ARMS[k % 8], ms=4, ls="", label=arm.name
        )
    axes.set_xscale("log")
    names = [line_label(found.experiment, line.row.name.removeprefix("line.")) for line in lines]
    axes.set_yticks(range(len(lines)), [wrap_label(name) for name in names])
    axes.set_xlabel("times a deal")
    legend(figure, axes)
    return True


def draw_course(found: Findings, figure: Figure) -> bool:
    """How much is unknown, and how much is open, in the course of a deal."""
    course = found.course
    if course is None:
        return False
    shown = [name for name in ("unknown", "open") if course[name].is_not_null().any()]
    panels = figure.subplots(1, len(shown), squeeze=False)[0]
    titles = {"unknown": "what the mover cannot know, bits", "open": "share of the payoff’s variance open"}
    for axes, name in zip(panels, shown, strict=True):
        for k, arm in enumerate(found.experiment.arms):
            own = course.filter(pl.col("arm").cast(pl.String) == arm.name)
            at = (own["part"].to_numpy() + 0.5) / 8
            axes.plot(at, own[name].to_numpy(), MARKERS[k % 8] + "-", ms=3, color=ARMS[k % 8], label=arm.name)
        axes.set_ylim(bottom=0)
        axes.set_title(titles[name], fontsize=9)
        axes.set_xlabel("part of the deal's decisions")
        axes.set_xlim(0, 1)
    legend(figure, panels[0])
    return True


def draw_luck(found: Findings, figure: Figure) -> bool:
    """What decides a payoff: the hand, the bot, the rest."""
    if not found.luck:
        return False
    axes = figure.subplots()
    for k, luck in enumerate(reversed(found.luck)):
        left = 0.0
        for part, (name, share) in enumerate(luck.shares.items()):
            axes.barh(k, share.mean, left=left, color=ARMS[part], height=0.6, label=name if k == 0 else None)
            left += share.mean
    axes.set_yticks(range(len(found.luck)), [wrap_label(luck.arm) for luck in reversed(found.luck)])
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the variance of a payoff")
    legend(figure, axes, columns=3)
    return True


def legend(figure: Figure, axes: Axes, columns: int = 2) -> None:
    """Write above the picture which colour stands for what."""
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=columns, fontsize=8)


def wrap_label(text: str, width: int = 34) -> str:
    """A label in lines of about this many letters; dollar signs are not mathematics."""
    lines = [""]
    for word in text.replace("$", r"\$").split():
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)


Draw = Callable[[Findings, Figure], bool]

PICTURES: tuple[tuple[str, str, Callable[[Findings], float], Draw], ...] = (
    (
        "differences",
        "How the arms differ from the first one: means and simultaneous 95 % intervals, in standard deviations.",
        lambda found: 1.2 + 0.42 * len(found.rows),
        draw_differences,
    ),
    ("payoffs", "How often each payoff comes, and how long the tails are.", lambda found: 3.0, draw_payoffs),
    (
        "lines",
        "How often each line stands on the score sheets.",
        lambda found: 1.2 + 0.3 * min(MOST_LINES, len(found.lines)),
        draw_lines,
    ),
    ("luck", "What decides a payoff.", lambda found: 1.1 + 0.4 * len(found.luck), draw_luck),
    ("course", "In the course of a deal.", lambda found: 2.8, draw_course),
)
