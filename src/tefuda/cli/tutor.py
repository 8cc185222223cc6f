"""Hints at the terminal: what to play, why, and what each play is worth, by a search compiled meanwhile."""

import sys
from collections.abc import Callable
from threading import Thread

from tefuda.bots import search
from tefuda.bots.advice import THINKING, Advice, find_advice, usual_advice
from tefuda.bots.search import BY_HINTS, SearchBot, compile_worlds
from tefuda.cli.draw import Artist
from tefuda.engine import compilation
from tefuda.engine.description import Description
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.table.deal import Deal
from tefuda.table.game import Game

PATIENCE = 1.0
"""Seconds that a hint waits for a search that is still being compiled."""


class SearchLoader:
    """Compiles a game's search in other processes while the player thinks, then has ``load`` load it by using it."""

    def __init__(self, game: Description, load: Callable[[], object]) -> None:
        self._game, self._load = game, load
        self._helpers: list[compilation.Helper] = []
        self._thread: Thread | None = None
        self._stopped = False

    def start(self) -> None:
        """Begin, unless that has been done."""
        if self._thread is None:
            self._thread = Thread(target=self._run, name="search loader")
            self._thread.start()

    def is_ready(self, patience: float | None = None) -> bool:
        """Tell if the search is loaded; wait for that so many seconds, or until it is."""
        self.start()
        assert self._thread is not None
        self._thread.join(patience)
        return not self._thread.is_alive()

    def stop(self) -> None:
        """Compile no more; what has been compiled is kept."""
        self._stopped = True
        for helper in self._helpers:
            helper.stop()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        if not compilation.is_warm(self._game, compilation.SEARCH):
            with compilation.lock(self._game, compilation.SEARCH):
                if not (self._stopped or compilation.is_warm(self._game, compilation.SEARCH)):
                    self._helpers = [compilation.Helper(self._game, part) for part in search.PARTS]
                    for helper in self._helpers:
                        helper.wait()
        if not self._stopped:
            self._load()
            compilation.mark(self._game, compilation.SEARCH)


class Tutor:
    """Gives hints to one player."""

    def __init__(self, game: Game, artist: Artist) -> None:
        self.game, self.artist = game, artist
        self.words = catalogue(TEXTS, artist.language)
        self.thinker = SearchBot(THINKING, settings=BY_HINTS)
        self.search = SearchLoader(game.description, self._load_search)

    def _load_search(self) -> None:
        deal = self.game.deal(0)
        self.thinker.warm(deal.view(deal.mover))
        compile_worlds(self.game.description)

    def hint(self, deal: Deal) -> None:
        """Say what to play and why; Ctrl-C stops the search."""
        verdict = usual_advice(deal)
        if len(deal.legal_actions()) > 1:
            try:
                verdict = self._look_ahead(deal) or verdict
            except KeyboardInterrupt:
                self.artist.note(self.words("play.hint_stopped"))
        self.artist.advise(deal, verdict)

    def _look_ahead(self, deal: Deal) -> Advice | None:
        """Find the verdict of a search; None while it is being compiled."""
        with self.artist.console.status(self.words("play.thinking")):
            if not self.search.is_ready(PATIENCE if sys.stdin.isatty() else None):
                self.artist.note(self.words("play.search_compiling"))
                return None
            return find_advice(deal, self.thinker)
