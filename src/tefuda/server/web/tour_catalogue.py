"""The tours of the games that are served: those that games bring, and those of a folder named by whoever serves."""

from pathlib import Path

from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.table.tour import Tour, load


class TourCatalogue:
    """The tours by game, each read when somebody first asks for those of its game.

    Args:
        folder: of further tours, read at once.

    Raises:
        TefudaError: the folder is not there, has no tours, or one of them will not do.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._further = [] if folder is None else _folder(folder)
        self._known: dict[str, dict[str, Tour]] = {}

    def of(self, game: Description) -> dict[str, Tour]:
        """A game's tours by name, the one to begin with first.

        Raises:
            TourError: one that the game brings will not do.
        """
        if game.name not in self._known:
            own = [load(path) for path in game.files.tours]
            further = [tour for tour in self._further if tour.game.name == game.name]
            self._known[game.name] = {tour.name: tour for tour in [*own, *further]}
        return self._known[game.name]

    def links(self, game: Description, language: str) -> list[dict[str, str]]:
        """Where the pages of a game's tours are, and what they are called."""
        return [
            {"address": f"/games/{game.name}/tour/{tour.name}", "title": tour.title[tour.language(language)]}
            for tour in self.of(game).values()
        ]


def _folder(folder: Path) -> list[Tour]:
    if not folder.is_dir():
        raise TefudaError(f"--tours: {folder} is not a folder")
    found = [load(path) for path in sorted(folder.glob("*.toml"))]
    if not found:
        raise TefudaError(f"--tours: {folder}: no .toml files in this folder")
    return found
