"""One player at the terminal: plays told at a pace, decisions and questions, the score sheets, and how it ends."""

import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Literal

from tefuda.bots.players import BotError, bot, choose_play
from tefuda.cli import saves
from tefuda.cli.chosen import command, rule_number
from tefuda.cli.decision import COMMANDS, DecisionPrompt, Tutor, ask
from tefuda.cli.draw import Artist
from tefuda.cli.standard_streams import INTERRUPTED, can_write
from tefuda.decks.data import spoken_name
from tefuda.engine.errors import TefudaError
from tefuda.engine.option import written
from tefuda.engine.sentence import Sentence
from tefuda.table import typed_play
from tefuda.table.deal import Deal
from tefuda.table.game import Session
from tefuda.table.reasons import say_all
from tefuda.table.view import View

if sys.platform == "win32":
    import msvcrt
else:
    import select
    import termios
    import tty

YOU = 0
NO_INPUT = 2

Keep = Literal["at once", "played"]

PAUSE = " "  # key that stops the clock until another is pressed
KEY = "key"  # name of the pace that waits for a key after each play

MOST_SECONDS = 60.0

_KEY_BYTES = 64  # bytes read at once: an arrow key sends several, and so does a person who types ahead


class Left(Exception):  # noqa: N818 - not an error: the player has left the table
    """The player wants to stop here."""


@dataclass(frozen=True)
class TellingPace:
    """Seconds for which a play stands alone; 0 does not wait, None waits for a key."""

    seconds: float | None

    @classmethod
    def read(cls, text: str) -> "TellingPace":
        """Read ``0.7``, ``0`` or ``key``; TefudaError if it is written in another way."""
        if text.strip().lower() == KEY:
            return cls(None)
        if not re.fullmatch(r"\d+(\.\d*)?|\.\d+", text.strip()) or float(text) > MOST_SECONDS:
            raise TefudaError(f"pace: {text!r} is neither a number of seconds from 0 to {MOST_SECONDS:g} nor {KEY!r}")
        return cls(float(text))

    def __str__(self) -> str:
        return KEY if self.seconds is None else f"{self.seconds:g}"

    def wait(self, paused: Callable[[], object] = lambda: None) -> None:
        """Let a play stand. Any key goes on at once; space calls ``paused`` and waits for another key."""
        if self.seconds == 0:
            return
        if pressed_key(self.seconds) == PAUSE and self.seconds is not None:
            paused()
            pressed_key(None)


if sys.platform == "win32":

    def pressed_key(seconds: float | None) -> str:
        """Return the key that is pressed within so many seconds, empty if none is. None waits for one."""
        end = None if seconds is None else monotonic() + seconds
        while not msvcrt.kbhit():
            if end is not None and monotonic() >= end:
                return ""
            sleep(0.02)
        return msvcrt.getwch()

else:

    def pressed_key(seconds: float | None) -> str:
        """Return the key that is pressed within so many seconds, empty if none is. None waits for one."""
        keyboard = sys.stdin.fileno()
        settings = termios.tcgetattr(keyboard)
        tty.setcbreak(keyboard, termios.TCSANOW)  # what was typed before is kept
        try:
            if not select.select([keyboard], [], [], seconds)[0]:
                return ""
            return os.read(keyboard, _KEY_BYTES).decode("utf-8", "replace")
        finally:
            termios.tcsetattr(keyboard, termios.TCSADRAIN, settings)


class Terminal:
    """One player at the terminal, bots on the other seats; with ``auto`` on all, for one deal.

    The record is written at once, after the player's first play, or never (``keep`` is None); the others' plays come at
    a pace where a person reads along."""

    def __init__(
        self, session: Session, path: Path, language: str, auto: bool, bots: str, keep: Keep | None, pace: TellingPace
    ) -> None:
        self.session, self.path, self.auto, self.bots, self.keep = session, path, auto, bots, keep
        self.game = session.game
        self.artist = Artist.seated(self.game, language, None if auto else YOU)
        self.console, self.words, self.names = self.artist.console, self.artist.words, self.artist.names
        self.pace, self.watched = pace, not auto and sys.stdin.isatty() and self.console.is_terminal
        self.prompt, self.language = DecisionPrompt(self.artist), language
        self.bot, self.tutor = bot(bots), Tutor(self.game, self.artist)
        self.viewer = -1 if auto else YOU
        self.last_trick: Sentence | None = None
        self.told = 0  # lines since the table was last shown
        self.journal: saves.Journal | None = None
        self.has_played = False

    def run(self, resumed: bool) -> None:
        """Play; the record holds every play made, whatever ends it."""
        if self.keep:
            saves.check(self.path)
        self._welcome(resumed)
        if self.keep == "at once":
            self._open_journal(replacing=resumed)
        if sys.stdin.isatty() and not self.auto:
            self.tutor.search.start()
        try:
            self._play_deals()
        except (KeyboardInterrupt, Left, EOFError) as end:
            self._leave(end)
        except BotError:
            self._tell_saved()
            raise
        else:
            self._finish()
        finally:
            self.tutor.search.stop()
            if self.journal:
                self.journal.close()

    def _open_journal(self, *, replacing: bool) -> None:
        players = [self.bots if self.auto or seat != YOU else "human" for seat in range(self.game.seats)]
        self.journal = saves.Journal(self.path, self.session, players, replacing=replacing)
        if self.journal.kept:
            self.artist.line(self.words("play.kept", file=self.journal.kept, command=self._again(self.journal.kept)))

    def _again(self, path: Path) -> str:
        """Return the command that resumes the game in this file."""
        record: list[str | Path] = [] if path == saves.default_path(self.game.name) else ["--record", path]
        return command("play", self.game.name, "--resume", *record)

    def _welcome(self, resumed: bool) -> None:
        title, native = map(self.artist.game_words, ("title", "native"))
        if native != title and can_write(native):
            title = self.words("play.titles", title=title, native=native)
        self.artist.say(self.words("play.welcome", title=title, seats=self.game.seats, seed=self.session.seed), "bold")
        changed = self.game.changed_options()
        if changed:
            settings = ", ".join(f"{name}={written(value)}" for name, value in changed.items())
            self.artist.note(self.words("play.options", options=settings))
        if resumed:
            self.artist.note(self.words("play.resumed", file=self.path))
        if not self.auto:
            self._help()

    def _help(self) -> None:
        self.artist.note(self.words("play.help", example=next(iter(self.game.description.display.faces))))
        if self.watched and self.pace.seconds != 0:
            self.artist.note(self.words("play.pace_help", pace=self.pace))

    def _play_deals(self) -> None:
        while not self.session.over:
            if not self.session.deals or self.session.deal.over:
                self.session.next_deal()
            self.console.rule(self.words("play.deal", number=len(self.session.deals)))
            self._play_deal()
            if self.auto or self.session.over:
                return
            if COMMANDS.get(ask(self.console, self.words("play.new_deal"), []).lower()) == "quit":
                raise Left

    def _play_deal(self) -> None:
        self._write()
        while not (deal := self.session.deal).over:
            before = deal.view(self.viewer)
            if self.auto or deal.mover != YOU:
                choose_play(self.bot, deal, self.session.seed)
            elif (sole := deal.sole_answer()) is not None:
                deal.play(sole)
            else:
                self._decide(deal)
            if self.session.deal is deal:  # not where a play was taken back
                self._write()
                self._tell(before, deal)
        self._score_sheet(deal)

    def _write(self) -> None:
        if self.journal:
            self.journal.catch_up(self.session)
        elif self.keep and self.has_played:
            self._open_journal(replacing=False)

    def _tell(self, before: View, deal: Deal) -> None:
        seat, word = deal.history[-1]
        for line in deal.view(self.viewer).told_since(before, seat, word):
            self.artist.tell(line)
            self.told += 1
            if line.code.startswith("events.trick"):
                self.last_trick = line
            if self.watched:
                self.pace.wait(lambda: self.artist.note(self.words("play.paused")))

    # The player's decisions

    def _decide(self, deal: Deal) -> None:
        """Ask until a legal play has been made."""
        self._show(deal)
        while True:
            answer = ask(self.console, self.words("play.your_turn"), deal.legal())
            if not answer:
                self._show(deal)
            elif self._command(deal, answer):
                if self.session.deal is not deal:
                    return  # it was taken back
            elif self.prompt.make(deal, answer):
                self.has_played = True
                return

    def _show(self, deal: Deal) -> None:
        self.prompt.show(deal, YOU, self.told)
        self.told = 0

    def _command(self, deal: Deal, answer: str) -> bool:
        """Answer a question; tell if it was one, and not a play."""
        if answer[0] == "?":
            self._question(deal, answer[1:].strip())
            return True
        word, _, rest = answer.partition(" ")
        asked = COMMANDS.get(word.lower())
        if answer in deal.legal() or (rest and asked != "pace"):
            return False  # a card may be called L, and ``s 9`` is one
        if asked == "quit":
            raise Left
        answers: dict[str, Callable[[], None]] = {
            "hint": lambda: self.tutor.hint(deal),
            "help": lambda: self._question(deal, ""),
            "last": self._last,
            "ranks": lambda: self.console.print(self.artist.reference(deal.view(YOU).scene)),
            "plays": lambda: self.prompt.show_plays(deal),
            "scores": self._scores,
            "pace": lambda: self._set_pace(rest),
            "undo": self._undo,
        }
        if asked is not None:
            answers[asked]()
        return asked is not None

    def _undo(self) -> None:
        """Take back what the player chose last in this deal, and all that was played since."""
        deal = self.session.deal
        own = (n for n in reversed(range(len(deal.history))) if deal.history[n][0] == YOU)
        chosen = next((n for n in own if not deal.at(n).sole_answer()), None)
        if chosen is None:
            self.artist.say(self.words("server.nothing_to_take_back"))
            return
        self.session.deals[-1], self.last_trick = deal.at(chosen), None
        if self.journal:
            self.journal.close()
            self._open_journal(replacing=True)

    def _last(self) -> None:
        if self.last_trick:
            self.artist.tell(self.last_trick)
        else:
            self.artist.say(self.words("play.no_trick"))

    def _set_pace(self, text: str) -> None:
        """Set the pace of the others' plays, or say it if nothing is asked for."""
        try:
            self.pace = TellingPace.read(text) if text else self.pace
        except TefudaError as error:
            self.artist.note(str(error), "yellow")
        else:
            self.artist.note(self.words("play.pace", pace=self.pace))

    def _question(self, deal: Deal, about: str) -> None:
        """Answer ``?`` alone with help, a rule's number with the rule, a play with why not."""
        is_play = typed_play.understood(self.game.description, None, about)
        number = None if is_play else rule_number(self.game.description, about)
        if not about:
            self._help()
            self.artist.note(self.words("play.legal_mark"))
        elif number:
            self._rule(number)
        else:
            play = self.prompt.word(deal, about)
            if name := spoken_name(self.game.description, play, self.language):
                self.artist.note(f"{play}  {name}")
            self.prompt.explain(deal, play)

    def _rule(self, number: str) -> None:
        rules = say_all(self.game.description, "rules", self.language)
        if number in rules:
            self.artist.say(f"{number}  {rules[number]}")
        else:
            first, *_, last = rules
            self.artist.say(self.words("play.unknown_rule", rule=number, first=first, last=last), "yellow")

    def _scores(self) -> None:
        counted = map(self.game.description.rules.counted, self.session.totals)
        self.artist.say(" · ".join(f"{name}: {total}" for name, total in zip(self.names, counted, strict=True)))

    # Ends

    def _score_sheet(self, deal: Deal) -> None:
        facts = deal.facts()
        self.console.print(self.artist.sheet(deal, len(self.session.deals), facts["totals"]))
        if not facts["over"]:
            role = next((name for name in ("next_leader", "next_dealer") if name in facts), None)
            if role:
                own = self.artist.game_words  # a game may say in its own words whose the next deal is
                words = own if f"sheet.{role}" in own else self.words
                self.artist.say(words(f"sheet.{role}", seat=self.names[facts[role]]))
            return
        self.artist.say(self.words("sheet.game_over"), "bold")
        for key, points in (("sheet.winner", max(facts["totals"])), ("sheet.loser", min(facts["totals"]))):
            seats = ", ".join(self.names[seat] for seat, total in enumerate(facts["totals"]) if total == points)
            self.artist.say(self.words(key, seats=seats), "bold")

    def _leave(self, end: BaseException) -> None:
        self.console.print()
        status = INTERRUPTED if isinstance(end, KeyboardInterrupt) else 0
        if isinstance(end, EOFError) and not sys.stdin.isatty():
            status = NO_INPUT
            self.artist.note(self.words("play.no_input"), "yellow")
        self._tell_saved()
        sys.exit(status)

    def _tell_saved(self) -> None:
        if self.journal:
            self.artist.line(self.words("play.saved", file=self.path, command=self._again(self.path)))

    def _finish(self) -> None:
        if self.journal:
            self.artist.line(self.words("play.recorded", file=self.path, command=command("replay", self.path)))
