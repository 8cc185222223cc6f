"""One player at the terminal, line by line: plays told at a pace, decisions, and how it ends."""

import sys
from time import sleep

from tefuda.bots.players import BotError
from tefuda.cli.decision import COMMANDS, ask
from tefuda.cli.game_in_progress import YOU, GameInProgress
from tefuda.cli.standard_streams import BAD_INPUT, INTERRUPTED
from tefuda.cli.table_talk import Left, TableTalk, TellingPace
from tefuda.engine.sentence import Sentence
from tefuda.table.deal import Deal


class Terminal(TableTalk):
    """One player at the terminal, bots on the other seats, or on all for one deal.

    The others' plays come at a pace where a person reads along."""

    def __init__(self, current: GameInProgress, language: str, pace: TellingPace) -> None:
        super().__init__(current, language, pace)
        self.watched = not current.auto and sys.stdin.isatty() and self.console.is_terminal

    def run(self) -> None:
        """Play; the record holds every play made, whatever ends it."""
        self.welcome()
        if not self.current.auto:
            self.help()
        if sys.stdin.isatty() and not self.current.auto:
            self.tutor.search.start()
        try:
            self._play_deals()
        except (KeyboardInterrupt, Left, EOFError) as end:
            self._leave(end)
        except BotError:
            self.tell_saved()
            raise
        else:
            self.tell_saved()
        finally:
            self.tutor.search.stop()
            self.current.close()

    def _play_deals(self) -> None:
        session = self.current.session
        while not session.over:
            self.current.present_deal()
            self.console.rule(self.words("play.deal", number=len(session.deals)))
            self._play_deal()
            if self.current.auto or session.over:
                return
            if COMMANDS.get(ask(self.console, self.words("play.new_deal"), []).lower()) == "quit":
                raise Left

    def _play_deal(self) -> None:
        while not (deal := self.current.session.deal).over:
            if self.current.awaits_player:
                self._tell(self._decide(deal))
            else:
                before = deal.view(self.current.viewer)
                deal.play(self.current.others_play())
                self._tell(self.current.told(before))
        self.score_sheet(deal, len(self.current.session.deals))

    def _tell(self, lines: list[Sentence]) -> None:
        for line in lines:
            self.artist.tell(line)
            if self.watched and self.pace.seconds is None:
                self.console.input()
            elif self.watched and self.pace.seconds:
                sleep(self.pace.seconds)

    def _decide(self, deal: Deal) -> list[Sentence]:
        """Ask until a legal play has been made, and return what is told of it; or until one is taken back."""
        self.prompt.show(deal, YOU)
        while self.current.session.deal is deal:
            answer = ask(self.console, self.words("play.your_turn"), deal.legal())
            if not answer:
                self.prompt.show(deal, YOU)
            elif not self.command(deal, answer) and (lines := self.play(deal, answer)) is not None:
                return lines
        return []

    def _leave(self, end: BaseException) -> None:
        self.console.print()
        status = INTERRUPTED if isinstance(end, KeyboardInterrupt) else 0
        if isinstance(end, EOFError) and not sys.stdin.isatty():
            status = BAD_INPUT
            self.artist.note(self.words("play.no_input"), "yellow")
        self.tell_saved()
        sys.exit(status)
