"""Talk at the table of a game: what a player may ask and be told, whatever shows it; and the game line by line."""

import re
import sys
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from tefuda.cli.chosen import command
from tefuda.cli.course import Course, Left, Moment, asked, in_lines
from tefuda.cli.decision import COMMANDS, DecisionPrompt, Tutor
from tefuda.cli.draw import Artist
from tefuda.cli.game_in_progress import YOU, GameInProgress
from tefuda.cli.standard_streams import INTERRUPTED, can_write
from tefuda.engine.errors import TefudaError
from tefuda.engine.option import written
from tefuda.engine.sentence import Sentence
from tefuda.table.deal import Deal

KEY = "key"  # name of the pace that waits for a key after each play
MOST_SECONDS = 60.0
NO_INPUT = 2  # exit status where a game needs input, and there is none


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


class TableTalk:
    """Answers one player's questions and makes their plays; what is said is printed on ``console``."""

    def __init__(
        self, current: GameInProgress, language: str, pace: TellingPace, console: Console | None = None
    ) -> None:
        self.current, self.language, self.pace = current, language, pace
        self.game = current.session.game
        self.artist = Artist.seated(self.game, language, None if current.auto else YOU, console)
        self.console, self.words, self.names = self.artist.console, self.artist.words, self.artist.names
        self.prompt, self.tutor = DecisionPrompt(self.artist), Tutor(self.game, self.artist)

    def welcome(self) -> None:
        """Name the game, its options and its file."""
        title = self.words("play.welcome", title=self.title(), seats=self.game.seats, seed=self.current.session.seed)
        self.artist.say(title, "bold")
        changed = self.game.changed_options()
        if changed:
            settings = ", ".join(f"{name}={written(value)}" for name, value in changed.items())
            self.artist.note(self.words("play.options", options=settings))
        if self.current.resumed:
            self.artist.note(self.words("play.resumed", file=self.current.path))

    def title(self) -> str:
        """Return the game's name, and its native one where that can be shown."""
        title, native = map(self.artist.game_words, ("title", "native"))
        both = native != title and can_write(native)
        return self.words("play.titles", title=title, native=native) if both else title

    def help(self) -> str:
        """Return how plays and questions are typed."""
        return self.words("play.help", example=next(iter(self.game.description.display.faces)))

    def play_on(self) -> Course:
        """Play from deal to deal to the end of the game, or to that of one deal between bots."""
        current, session = self.current, self.current.session
        while not session.over:
            current.present_deal()
            self.console.rule(self.words("play.deal", number=len(session.deals)))
            while not (deal := session.deal).over:
                if current.awaits_player:
                    lines = yield from self._decided(deal)
                else:
                    before = deal.view(current.viewer)
                    deal.play((yield current.others_play))
                    lines = current.told(before)
                for line in lines:
                    self.artist.tell(line)
                    yield self._moment(deal, seconds=self.pace.seconds)
            self.score_sheet(deal, len(session.deals))
            if current.auto or session.over:
                return
            yield from asked(self._moment(deal, question=self.words("play.new_deal")))

    def _moment(self, deal: Deal, **settings: Any) -> Moment:
        title = f"{self.title()} · {self.words('play.deal', number=len(self.current.session.deals))}"
        return Moment(deal, YOU, self.prompt, title, last_trick=self.current.last_trick, **settings)

    def _decided(self, deal: Deal) -> Generator[Moment, str, list[Sentence]]:
        """Ask until a legal play has been made, and return what is told of it; or until one is taken back."""
        moment = self._moment(deal, question=self.words("play.your_turn"), for_play=True)
        while self.current.session.deal is deal:
            answer = yield moment
            if answer and not self.command(deal, answer) and (lines := self.play(deal, answer)) is not None:
                return lines
        return []

    def play(self, deal: Deal, answer: str) -> list[Sentence] | None:
        """Make the player's play; return what they are told of it, or None where it was refused, which is said."""
        before = deal.view(YOU)
        if not self.prompt.make(deal, answer):
            return None
        self.current.has_played = True
        is_first, lines = self.current.journal is None, self.current.told(before)
        if is_first and self.current.journal and (kept := self.current.journal.kept):
            self.artist.line(self.words("play.kept", file=kept, command=self.current.resuming(kept)))
        return lines

    def command(self, deal: Deal, answer: str) -> bool:
        """Answer a question; tell if it was one, and not a play. Left if the player wants to stop."""
        if answer[0] == "?":
            self.prompt.answer_about(deal, answer[1:].strip(), self.help())
            return True
        word, _, rest = answer.partition(" ")
        asked = COMMANDS.get(word.lower())
        if answer in deal.legal() or (rest and asked != "pace"):
            return False  # a card may be called L, and ``s 9`` is one
        if asked == "quit":
            raise Left
        answers: dict[str, Callable[[], None]] = {
            "hint": lambda: self.tutor.hint(deal),
            "help": lambda: self.prompt.answer_about(deal, "", self.help()),
            "last": self.last,
            "ranks": lambda: self.console.print(self.artist.reference(deal.view(YOU).scene)),
            "scores": self.scores,
            "pace": lambda: self._set_pace(rest),
            "undo": self._undo,
        }
        if asked is not None:
            answers[asked]()
        return asked is not None

    def _undo(self) -> None:
        if not self.current.take_back():
            self.artist.say(self.words("server.nothing_to_take_back"))

    def last(self) -> None:
        """Tell the last trick again."""
        if self.current.last_trick:
            self.artist.tell(self.current.last_trick)
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

    def scores(self) -> None:
        """Say the total of each player."""
        counted = map(self.game.description.rules.counted, self.current.session.totals)
        self.artist.say(" · ".join(f"{name}: {total}" for name, total in zip(self.names, counted, strict=True)))

    def score_sheet(self, deal: Deal, number: int) -> None:
        """Print the sheet of a finished deal, and what comes next or who has won."""
        facts = deal.facts()
        self.console.print(self.artist.sheet(deal, number, facts["totals"]))
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

    def tell_saved(self) -> None:
        """Say where the game is kept, and how it is resumed, or seen again if it is over."""
        if self.current.journal:
            session, path = self.current.session, self.current.path
            over = session.over or (self.current.auto and session.deal.over)
            again = command("replay", path) if over else self.current.resuming(path)
            self.artist.line(self.words(f"play.{'recorded' if over else 'saved'}", file=path, command=again))


def play_in_lines(talk: TableTalk) -> None:
    """Play; the record holds every play made, whatever ends it. A person sees the others' plays at a pace."""
    is_person = sys.stdin.isatty() and not talk.current.auto
    talk.welcome()
    if not talk.current.auto:
        talk.artist.note(talk.help())
    if is_person:
        talk.tutor.search.start()
    try:
        in_lines(talk.play_on(), talk.console, watched=is_person and talk.console.is_terminal)
    except (KeyboardInterrupt, Left, EOFError) as end:
        talk.console.print()
        lacks_input = isinstance(end, EOFError) and not sys.stdin.isatty()
        if lacks_input:
            talk.artist.note(talk.words("play.no_input"), "yellow")
        sys.exit(INTERRUPTED if isinstance(end, KeyboardInterrupt) else NO_INPUT * lacks_input)
    finally:
        talk.tutor.search.stop()
        talk.current.close()
