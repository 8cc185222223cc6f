"""Talk at the table: what a player may ask and be told, whatever shows it: help, rules, why not, scores, the sheets."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console

from tefuda.cli.chosen import command, rule_number
from tefuda.cli.decision import COMMANDS, DecisionPrompt, Tutor
from tefuda.cli.draw import Artist
from tefuda.cli.game_in_progress import YOU, GameInProgress
from tefuda.cli.standard_streams import can_write
from tefuda.decks.data import spoken_name
from tefuda.engine.errors import TefudaError
from tefuda.engine.option import written
from tefuda.engine.sentence import Sentence
from tefuda.table import typed_play
from tefuda.table.deal import Deal
from tefuda.table.reasons import say_all

KEY = "key"  # name of the pace that waits for a key after each play

MOST_SECONDS = 60.0


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

    def help(self) -> None:
        """Say how plays and questions are typed."""
        self.artist.note(self.words("play.help", example=next(iter(self.game.description.display.faces))))

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
            self.question(deal, answer[1:].strip())
            return True
        word, _, rest = answer.partition(" ")
        asked = COMMANDS.get(word.lower())
        if answer in deal.legal() or (rest and asked != "pace"):
            return False  # a card may be called L, and ``s 9`` is one
        if asked == "quit":
            raise Left
        answers: dict[str, Callable[[], None]] = {
            "hint": lambda: self.tutor.hint(deal),
            "help": lambda: self.question(deal, ""),
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

    def question(self, deal: Deal, about: str) -> None:
        """Answer ``?`` alone with help, a rule's number with the rule, a play with why not."""
        is_play = typed_play.understood(self.game.description, None, about)
        number = None if is_play else rule_number(self.game.description, about)
        if not about:
            self.help()
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
