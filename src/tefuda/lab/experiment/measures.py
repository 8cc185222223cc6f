"""The measures, and the figures that can answer a question. docs/lab.md defines them."""

from collections.abc import Sequence

USUAL = ("length", "outcome", "seats", "lines")
"""Measured in every deal."""

SAMPLED = ("binds", "decisions", "play", "information")
"""Measured in a sample of the deals."""

MEASURES = (*USUAL, "recovery", *SAMPLED)

OF_WHOLE_GAMES = frozenset(("length", "outcome", "seats", "recovery"))
"""What can be measured of whole games; ``recovery`` of nothing else."""

ANSWERS = {
    "moves": "length",
    "decisions": "length",
    "choices": "length",
    "drawn": "outcome",
    "spread": "outcome",
    "sum": "outcome",
    "first": "seats",
    "gain": "outcome",
    "binds": "binds",
    "advice": "binds",
    "gap": "decisions",
    "matters": "decisions",
    "care": "decisions",
    "comeback": "decisions",
    "lead_changes": "decisions",
    "worth": "play",
    "pays": "play",
    "costs": "play",
    "taken": "play",
    "unknown": "information",
}
"""Figures that can answer a question, and the measure each belongs to.

Further figures depend on the game and the experiment: ``line.NAME``, how often a line of the score sheet occurs in a
deal; the name of a place that the game hands on, such as ``dealer``, or of a field that the experiment names;
``recovers.POINTS`` and ``wins.POINTS``, of seats that were so far behind.
"""

RECOVERY = ("recovers", "wins")
"""What a seat that was behind may still do: not come last; come first (seats that tie share the first place)."""


def recovery_figures(behind: Sequence[float]) -> list[str]:
    """The figures of ``recovery`` for each number of points."""
    return [f"{what}.{points:g}" for points in behind for what in RECOVERY]
