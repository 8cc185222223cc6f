"""What ``h`` tells: what to play, why, and what each play is worth."""

import sys

from tefuda.bots.advice import THINKING, Advice, find_advice, usual_advice
from tefuda.bots.search import BY_HINTS, SearchBot, compile_worlds
from tefuda.cli.draw import Artist
from tefuda.cli.progress import SearchLoader
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.table.deal import Deal
from tefuda.table.game import Game

PATIENCE = 1.0
"""Seconds that a hint waits for a search that is still being compiled."""


class Tutor:
    """Gives hints to one player.

    Args:
        game: which is played.
        artist: who prints them.
    """

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
        """What to play and why; Ctrl-C stops the search."""
        verdict = usual_advice(deal)
        if len(deal.legal_actions()) > 1:
            try:
                verdict = self._look_ahead(deal) or verdict
            except KeyboardInterrupt:
                self.artist.note(self.words("play.hint_stopped"))
        for sentence in verdict.sentences(deal, self.artist.language, self.artist.names, self.artist.named):
            self.artist.say(sentence)
        if verdict.plays:
            self.artist.console.print(self.artist.estimates(verdict))

    def _look_ahead(self, deal: Deal) -> Advice | None:
        """The verdict of a search; None while it is being compiled."""
        with self.artist.console.status(self.words("play.thinking")):
            if not self.search.is_ready(PATIENCE if sys.stdin.isatty() else None):
                self.artist.note(self.words("play.search_compiling"))
                return None
            return find_advice(deal, self.thinker)
