"""The tours of the games that are served: those that games bring, and those of a folder of the server's own."""

from pathlib import Path

from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.table.tour import Tour, load


class TourCatalogue:
    """The tours by game; a game's are read when somebody first asks for them.

    Args:
        folder: of further tours, read at once.

    Raises:
        TefudaError: the folder does not exist or has no tours, or one of them is faulty.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._further = [] if folder is None else _folder(folder)
        self._known: dict[str, dict[str, Tour]] = {}

    def of(self, game: Description) -> dict[str, Tour]:
        """A game's tours by name, the one to begin with first.

        Raises:
            TourError: one of them is faulty.
        """
        if game.name not in self._known:
            own = [load(path) for path in game.files.tours]
            further = [tour for tour in self._further if tour.game.name == game.name]
            self._known[game.name] = {tour.name: tour for tour in [*own, *further]}
        return self._known[game.name]

    def links(self, game: Description, language: str) -> list[dict[str, str]]:
        """The addresses and titles of the pages of a game's tours."""
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
