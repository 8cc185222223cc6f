"""What ``h`` tells: the play that the rules of thumb make and why, and what a search finds of it."""

import sys

from tefuda.bots.players import advice
from tefuda.bots.search import Budget, SearchBot, estimate_plays
from tefuda.cli.draw import Artist
from tefuda.cli.progress import SearchLoader
from tefuda.cli.second_opinion import listed, second_opinion
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.table.advice import advice_reason
from tefuda.table.deal import Deal
from tefuda.table.game import Game

THINKING = Budget(milliseconds=500)
"""For the search."""

PATIENCE = 1.0
"""Seconds that a hint waits for a search that is still being compiled."""


class Tutor:
    """Gives hints to one player.

    Args:
        game: which is played.
        artist: who prints them.
        seed: of what the rules of thumb and the search leave to chance.
    """

    def __init__(self, game: Game, artist: Artist, seed: int) -> None:
        self.game, self.artist, self.seed = game, artist, seed
        self.words = catalogue(TEXTS, artist.language)
        self.thinker = SearchBot(THINKING)
        self.search = SearchLoader(game.description, game.seats, self._load_search)

    def _load_search(self) -> None:
        deal = self.game.deal(0)
        self.thinker.warm(deal.view(deal.mover))

    def hint(self, deal: Deal) -> None:
        """What the rules of thumb say and why, then what a search finds; Ctrl-C stops the search."""
        play = advice(deal, self.seed)
        self.artist.say(self.words("play.hint", play=self.artist.named(play)))
        self.artist.say(advice_reason(deal, play, self.artist.language, self.artist.names))
        if len(deal.legal_actions()) == 1:
            return
        try:
            self._look_ahead(deal, play)
        except KeyboardInterrupt:
            self.artist.note(self.words("play.hint_stopped"))

    def _look_ahead(self, deal: Deal, play: str) -> None:
        with self.artist.console.status(self.words("play.thinking")):
            if not self.search.is_ready(PATIENCE if sys.stdin.isatty() else None):
                self.artist.note(self.words("play.search_compiling"))
                return
            found = estimate_plays(deal, self.thinker, self.seed)
        opinion = second_opinion(listed(deal, play), found)
        fields = {**opinion.fields, "play": self.artist.named(opinion.fields["play"])}
        self.artist.say(self.words(f"play.{opinion.code}", **fields))
        self.artist.console.print(self.artist.estimates(opinion))
        if not all(each.play in opinion.counted for each in opinion.plays):
            self.artist.note("  " + self.words("play.too_seldom"))
