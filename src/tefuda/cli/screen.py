"""The screen before a decision: table, ranks, hand and plays, so arranged that a small terminal shows all of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.columns import Columns
from rich.console import Console, Group, RenderableType

from tefuda.cli.draw import Artist
from tefuda.cli.prose import Prose
from tefuda.engine.scene import Scene
from tefuda.engine.texts import Catalogue

PROMPT_LINES = 1
"""Of the screen, below everything else."""

MOST_TOLD = 5
"""Lines of what has been told that stay above the table."""


@dataclass(frozen=True)
class Plays:
    """What is written below a hand.

    Attributes:
        notes: what to know before a play is chosen.
        groups: plays of several cards, each after its number.
        said: declarations, each after its number, with what they do.
    """

    notes: Sequence[RenderableType]
    groups: Sequence[str]
    said: Sequence[RenderableType]


@dataclass(frozen=True)
class Screen:
    """Draws the screen of one table.

    Attributes:
        artist: who draws its parts.
        words: the texts of the terminal.
    """

    artist: Artist
    words: Catalogue

    def show(
        self, scene: Scene, viewer: int, mover: int, title: str, hand: RenderableType, plays: Plays, told: int
    ) -> None:
        """Print it: as a round table with the ranks beside it where there is room, else in fewer and fewer lines.

        The last lines of what has been told stay to be seen; there are so many.
        """
        console = self.artist.console
        taken = PROMPT_LINES + min(told, MOST_TOLD)
        room = console.height - taken if console.is_terminal else None
        ranks = [self.artist.reference(scene), ""] if scene.reference else []
        round_table, rows = (self.artist.table(scene, viewer, mover, title, rows=flat) for flat in (False, True))
        below = [hand, *plays.notes, *self._all(plays), *plays.said]
        ways = ([round_table, *ranks, *below], [round_table, *below], [rows, *below])
        fitting = [parts for parts in ways if room is None or _lines(console, parts) <= room]
        rest = [rows, hand, *plays.notes, *plays.said]
        shortest = [rows, hand, *plays.notes, *self._some(plays, (room or 0) - _lines(console, rest)), *plays.said]
        console.print(Group(*(fitting[0] if fitting else shortest)))

    def show_plays(self, plays: Plays) -> None:
        """Print all plays that have a number."""
        for part in [*plays.notes, *self._all(plays), *plays.said]:
            self.artist.console.print(part)

    def _all(self, plays: Plays) -> list[RenderableType]:
        return [_columns(plays.groups)] if plays.groups else []

    def _some(self, plays: Plays, room: int) -> list[RenderableType]:
        """As many of the groups as fit into so many lines, one at least; then how many there are beside."""
        shown = len(plays.groups)
        while shown > 1 and _lines(self.artist.console, self._first(plays, shown)) > room:
            shown -= 1
        return self._first(plays, shown) if plays.groups else []

    def _first(self, plays: Plays, shown: int) -> list[RenderableType]:
        more = len(plays.groups) - shown
        note = [Prose(self.words("play.more_plays", count=more), "dim")] if more else []
        return [_columns(plays.groups[:shown]), *note]


def _columns(groups: Sequence[str]) -> Columns:
    return Columns(groups, padding=(0, 3))


def _lines(console: Console, parts: Sequence[RenderableType]) -> int:
    return len(console.render_lines(Group(*parts), pad=False))
