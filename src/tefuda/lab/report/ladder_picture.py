"""A ladder as a picture: each bot's rating with its interval."""

import io
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from tefuda.engine.errors import TefudaError, file_fault
from tefuda.lab.play.ladder import LadderResult
from tefuda.lab.report.palette import ARMS
from tefuda.lab.report.plots import STYLE, WIDTH

FORMATS = ("svg", "png", "pdf")


def write_picture(result: LadderResult, path: Path) -> None:
    """Write the picture in the format that the file's name says.

    Raises:
        TefudaError: an unknown format, or the file cannot be written.
    """
    kind = path.suffix.removeprefix(".").lower()
    if kind not in FORMATS:
        raise TefudaError(f"{path}: a picture is one of {', '.join(FORMATS)}; name a file that ends so")
    drawn = io.BytesIO()
    with mpl.rc_context(STYLE):
        metadata = {"Date": None} if kind == "svg" else None
        _draw(result).savefig(drawn, format=kind, dpi=200, metadata=metadata)
    try:
        path.write_bytes(drawn.getvalue())
    except OSError as error:
        raise TefudaError(file_fault(error)) from error


def _draw(result: LadderResult) -> Figure:
    figure = Figure(figsize=(WIDTH, 0.9 + 0.36 * len(result.ratings)))
    axes = figure.add_subplot()
    for place, each in enumerate(reversed(result.ratings)):
        axes.plot([each.low, each.high], [place, place], color=ARMS[0], linewidth=2.5, solid_capstyle="butt")
        axes.plot(each.rating, place, "o", color=ARMS[0])
        axes.annotate(f"{each.rating:+.0f}", (each.rating, place), (0, 6), textcoords="offset points", ha="center")
    axes.set_yticks(range(len(result.ratings)), [each.bot for each in reversed(result.ratings)])
    axes.set_ylim(-0.6, len(result.ratings) - 0.3)
    axes.margins(x=0.12)
    axes.set_title(f"{result.game}, {result.deals} deals a pair", fontsize="medium")
    # To the right: where the names of bots are long, the words are longer than the axis, and there is room on the left.
    axes.set_xlabel(f"rating points above {result.bots[0]}, with 95 % intervals", loc="right")
    return figure
