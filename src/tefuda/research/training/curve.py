"""The curve of a training run, as a picture and for TensorBoard."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from torch.utils.tensorboard import SummaryWriter

PICTURE, EVENTS = "curve.svg", "tensorboard"

SCALARS = {"gain": "gain/hints", "past_gain": "gain/round before", "loss": "loss"}
"""Numbers of a line of the curve, and what TensorBoard calls them."""


def write_curve(folder: Path, curve: Sequence[Mapping[str, Any]]) -> None:
    """Write both anew; the curve is a line for each round."""
    shutil.rmtree(folder / EVENTS, ignore_errors=True)
    with SummaryWriter(folder / EVENTS) as events:
        for row in curve:
            for name, label in SCALARS.items():
                if name in row:
                    events.add_scalar(label, row[name], row["deals"])
    figure = Figure(figsize=(6, 5), layout="constrained")
    gain, loss = figure.subplots(2, 1, sharex=True)
    deals = [row["deals"] for row in curve]
    gain.errorbar(deals, [row["gain"] for row in curve], [row["margin"] for row in curve], marker="o", ms=4, capsize=2)
    gain.axhline(0, color="0.5", lw=0.8)
    gain.set_ylabel("gain a deal against hints")
    loss.plot(deals, [row["loss"] for row in curve], marker="o", ms=4)
    loss.set_ylabel("loss")
    loss.set_xlabel("deals")
    figure.savefig(folder / PICTURE)
