"""A game in progress of one person against bots, or of bots alone: the next play, taking back, and the record."""

from pathlib import Path
from typing import Literal

from tefuda.bots.players import bot, choose_play
from tefuda.cli import saves
from tefuda.cli.chosen import command
from tefuda.engine.sentence import Sentence
from tefuda.table.deal import Deal
from tefuda.table.game import Session
from tefuda.table.view import View

YOU = 0

Keep = Literal["at once", "played"]


class GameInProgress:
    """A session that goes on play by play, bots on all seats but the player's; with ``auto`` on that too.

    The record is written at once, after the player's first play, or never (``keep`` is None); ``path`` holds this very
    game already if it is ``resumed``. TefudaError if it cannot be kept there."""

    def __init__(
        self, session: Session, path: Path, bots: str, keep: Keep | None, *, auto: bool = False, resumed: bool = False
    ) -> None:
        self.session, self.path, self.bots, self.keep = session, path, bots, keep
        self.auto, self.resumed = auto, resumed
        self.bot, self.viewer = bot(bots), -1 if auto else YOU
        self.last_trick: Sentence | None = None
        self.journal: saves.Journal | None = None
        self.has_played = False
        if keep:
            saves.check(path)

    def _open_journal(self, *, replacing: bool) -> None:
        players = [self.bots if self.auto or seat != YOU else "human" for seat in range(self.session.game.seats)]
        self.journal = saves.Journal(self.path, self.session, players, replacing=replacing)

    def close(self) -> None:
        """Close the record."""
        if self.journal:
            self.journal.close()

    def resuming(self, path: Path) -> str:
        """Return the command that resumes the game in this file."""
        name = self.session.game.name
        record: list[str | Path] = [] if path == saves.default_path(name) else ["--record", path]
        return command("play", name, "--resume", *record)

    def present_deal(self) -> Deal:
        """Return the deal to play, dealt if the one before is over, and write it to the record."""
        if not self.session.deals or self.session.deal.over:
            self.session.next_deal()
        self._write()
        return self.session.deal

    @property
    def awaits_player(self) -> bool:
        """True if the player is to choose between plays."""
        deal = self.session.deal
        return not (self.auto or deal.over) and deal.mover == YOU and deal.sole_answer() is None

    def others_play(self) -> str:
        """Choose the next play that is not the player's choice: a bot's, or the player's only answer; nothing is
        changed. BotError if the bot fails."""
        deal = self.session.deal
        sole = None if self.auto or deal.mover != YOU else deal.sole_answer()
        return sole or choose_play(self.bot, deal.copy(), self.session.seed)

    def told(self, before: View) -> list[Sentence]:
        """Write the play that was just made to the record; return what the viewer of ``before`` is told of it."""
        self._write()
        deal = self.session.deal
        lines = deal.view(self.viewer).told_since(before, *deal.history[-1])
        self.last_trick = next((line for line in lines if line.code.startswith("events.trick")), self.last_trick)
        return lines

    def _write(self) -> None:
        if self.journal:
            self.journal.catch_up(self.session)
        elif self.keep == "at once" or (self.keep and self.has_played):
            self._open_journal(replacing=self.resumed)

    def take_back(self) -> bool:
        """Take back what the player chose last in this deal, and all that was played since; False if nothing was."""
        deal = self.session.deal
        own = (n for n in reversed(range(len(deal.history))) if deal.history[n][0] == YOU)
        chosen = next((n for n in own if not deal.at(n).sole_answer()), None)
        if chosen is None:
            return False
        self.session.deals[-1], self.last_trick = deal.at(chosen), None
        if self.journal:
            self.journal.close()
            self._open_journal(replacing=True)
        return True
