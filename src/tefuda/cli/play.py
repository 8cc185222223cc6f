"""``tefuda play``: a game against bots in the terminal."""

import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from rich.console import Console

from tefuda.bots.players import BotError, bot, choose_play
from tefuda.cli import saves
from tefuda.cli.decision import DecisionPrompt
from tefuda.cli.draw import Artist
from tefuda.cli.exit_status import INTERRUPTED
from tefuda.cli.pace import Pace
from tefuda.cli.progress import prepare
from tefuda.cli.prompt import COMMANDS, ask
from tefuda.cli.settings import command, game_with, language_of, rule_number
from tefuda.cli.streams import can_write
from tefuda.cli.tutor import Tutor
from tefuda.decks.data import spoken_name
from tefuda.engine.errors import TefudaError
from tefuda.engine.notation import NotationError
from tefuda.engine.sentence import Sentence
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.table.deal import Deal
from tefuda.table.game import Game, Session
from tefuda.table.reasons import IllegalPlay, say_all
from tefuda.table.record import Record
from tefuda.table.view import View

YOU = 0
NO_INPUT = 2

Keep = Literal["at once", "played"]


class Left(Exception):  # noqa: N818 - not an error: the player has left the table
    """The player wants to stop here."""


def run(
    name: str, seats: int | None, settings: Sequence[str], seed: int | None, auto: bool, resume: bool,
    record: Path | None, language: str | None, bots: str = "hints", pace: str = "0",
) -> None:  # fmt: skip
    """Play against bots of this kind until the game is over or the player leaves; with ``auto`` one deal.

    At a terminal each play of the others stands alone for as long as ``pace`` says (``Pace.read``).

    Raises:
        TefudaError: names, options, seats or files that will not do.
    """
    language = language_of(language)
    bot(bots)
    speed = Pace.read(pace)
    path = record or (saves.latest(name) if resume else saves.default_path(name))
    if record is not None and record.is_dir():
        raise TefudaError(f"--record {record}: it is a folder; name a file")
    if not resume and record is not None and record.exists():
        raise TefudaError(f"--record {record}: the file exists; go on with it by --resume, or name another")
    if resume:
        session = _resumed(name, path, seats, settings, seed, language)
    else:
        session = Session(game_with(name, seats, settings), seed)
    prepare(session.game.description, language)
    if not (resume or auto or record) and saves.is_begun(path):
        if not at_terminal():
            path = saves.aside(path)  # the game in progress is somebody's: it is not put aside for a script
        elif seats is None and not settings and seed is None and (found := _interrupted(name, path, language)):
            session, resume = found, True
    keep: Keep | None = None if auto and not record else "at once" if record or resume else "played"
    Terminal(session, path, language, auto, bots, keep, speed).run(resume)


def at_terminal() -> bool:
    """Whether somebody sits there, and not a script."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _interrupted(name: str, path: Path, language: str) -> Session | None:
    """The game in progress, if there is one and the player wants to go on with it."""
    try:
        session = _resumed(name, path, None, [], None, language)
    except TefudaError:  # it is finished, or cannot be read: it is put aside
        return None
    begun = f"{datetime.fromtimestamp(path.stat().st_mtime):%Y-%m-%d %H:%M}"
    try:
        answer = ask(Console(highlight=False), catalogue(TEXTS, language)("play.resume_asked", when=begun), [])
    except EOFError:
        sys.exit(0)
    return None if answer.lower().startswith("n") else session


def _resumed(
    name: str, path: Path, seats: int | None, settings: Sequence[str], seed: int | None, language: str
) -> Session:
    if seats is not None or settings or seed is not None:
        raise TefudaError("--resume goes on with the seats, options and seed the game began with; leave them out")
    words = catalogue(TEXTS, language)
    if not path.exists():
        raise TefudaError(words("play.nothing_to_resume", game=name))
    saved = Record.read(path)
    if saved.game != name:
        raise TefudaError(f"{path} is a game of {saved.game}, not of {name}")
    prepare(saved.load_game().description, language)
    session = saved.replay()
    if session.over:
        raise TefudaError(words("play.finished_already", file=path, command=command("replay", path)))
    return session


class Terminal:
    """One player at the terminal, bots on the other seats.

    Args:
        session: new, or to be gone on with.
        path: of the record.
        language: of the texts.
        auto: a bot plays the player's seat too, for one deal.
        bots: what plays the other seats.
        keep: whether to write the record at once, or as soon as the player has made a play; None for no record.
        pace: of what the others play, where a person reads along.
    """

    def __init__(
        self, session: Session, path: Path, language: str, auto: bool, bots: str, keep: Keep | None, pace: Pace
    ) -> None:
        self.session, self.path, self.auto, self.bots, self.keep = session, path, auto, bots, keep
        self.game: Game = session.game
        self.console = Console(highlight=False)
        self.pace, self.watched = pace, not auto and sys.stdin.isatty() and self.console.is_terminal
        self.words = catalogue(TEXTS, language)
        names = [self.words("bot", number=seat) for seat in range(self.game.seats)]
        if not auto:
            names[YOU] = self.words("you")
        self.artist = Artist(self.game.description, language, names, self.console)
        self.prompt = DecisionPrompt(self.artist)
        self.language, self.names = language, names
        self.bot, self.tutor = bot(bots), Tutor(self.game, self.artist)
        self.last_trick: Sentence | None = None
        self.told = 0  # lines since the table was last shown
        self.journal: saves.Journal | None = None
        self.has_played = False

    def run(self, resumed: bool) -> None:
        """Play; whatever ends it, the record holds every play made."""
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
        """The command that resumes the game in this file."""
        record: list[str | Path] = [] if path == saves.default_path(self.game.name) else ["--record", path]
        return command("play", self.game.name, "--resume", *record)

    def _welcome(self, resumed: bool) -> None:
        title, native = map(self.artist.game_words, ("title", "native"))
        if native != title and can_write(native):
            title = self.words("play.titles", title=title, native=native)
        self.artist.say(self.words("play.welcome", title=title, seats=self.game.seats, seed=self.session.seed), "bold")
        changed = self.game.changed_options()
        if changed:
            settings = ", ".join(
                f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in changed.items()
            )
            self.artist.note(self.words("play.options", options=settings))
        if resumed:
            self.artist.note(self.words("play.resumed", file=self.path))
        if not self.auto:
            self._help()

    def _help(self) -> None:
        example = next(iter(self.game.description.display.faces))
        self.artist.note(self.words("play.help", example=example))
        if self.watched and self.pace.seconds != 0:
            self.artist.note(self.words("play.pace_help", pace=self.pace))

    def _play_deals(self) -> None:
        while not self.session.over:
            if not self.session.deals or self.session.deal.over:
                self.session.next_deal()
            self.console.rule(self.words("play.deal", number=len(self.session.deals)))
            self._play_deal(self.session.deal)
            if self.auto:
                return
            if not self.session.over and COMMANDS.get(self._ask(self.words("play.new_deal")).lower()) == "quit":
                raise Left

    def _play_deal(self, deal: Deal) -> None:
        self._write()
        while not deal.over:
            before = deal.view(self._viewer)
            if self.auto or deal.mover != YOU:
                choose_play(self.bot, deal, self.session.seed)
            elif (sole := deal.sole_answer()) is not None:
                deal.play(sole)
            else:
                self._decide(deal)
            self._write()
            self._tell(before, deal)
        self._score_sheet(deal)

    @property
    def _viewer(self) -> int:
        return -1 if self.auto else YOU

    def _write(self) -> None:
        if self.journal:
            self.journal.catch_up(self.session)
        elif self.keep and self.has_played:
            self._open_journal(replacing=False)

    def _tell(self, before: View, deal: Deal) -> None:
        seat, word = deal.history[-1]
        lines = deal.view(self._viewer).told_since(before, seat, word)
        for line in lines:
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
            answer = self._ask(self.words("play.your_turn"), deal.legal())
            if not answer:
                self._show(deal)
            elif not self._command(deal, answer):
                try:
                    deal.play(self.prompt.word(deal, answer))
                    self.has_played = True
                except (IllegalPlay, NotationError):
                    self.prompt.explain(deal, self.prompt.word(deal, answer))
                else:
                    return

    def _show(self, deal: Deal) -> None:
        self.prompt.show(deal, YOU, self.told)
        self.told = 0

    def _command(self, deal: Deal, answer: str) -> bool:
        """Whether what was typed is a question and not a play; it is answered here."""
        if answer[0] == "?":
            self._question(deal, answer[1:].strip())
            return True
        word, _, rest = answer.partition(" ")
        asked = COMMANDS.get(word.lower())
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
            "undo": lambda: self.artist.say(self.words("play.no_undo")),
        }
        if asked is not None:
            answers[asked]()
        return asked is not None

    def _last(self) -> None:
        if self.last_trick:
            self.artist.tell(self.last_trick)
        else:
            self.artist.say(self.words("play.no_trick"))

    def _set_pace(self, text: str) -> None:
        """How long each play of the others stands alone; told if nothing is asked for."""
        try:
            self.pace = Pace.read(text) if text else self.pace
        except TefudaError as error:
            self.artist.note(str(error), "yellow")
        else:
            self.artist.note(self.words("play.pace", pace=self.pace))

    def _question(self, deal: Deal, about: str) -> None:
        """``?`` alone: help; with a rule's number: the rule; with a play: why not."""
        number = None if self._is_play(about) else rule_number(self.game.description, about)
        if not about:
            self._help()
            self.artist.note(self.words("play.legal_mark"))
        elif number:
            self._rule(number)
        else:
            name = spoken_name(self.game.description, about, self.language)
            if name:
                self.artist.note(f"{about}  {name}")
            self.prompt.explain(deal, about)

    def _is_play(self, word: str) -> bool:
        try:
            return bool(self.game.description.notation.normal(word))
        except NotationError:
            return False

    def _rule(self, number: str) -> None:
        rules = say_all(self.game.description, "rules", self.language)
        if number in rules:
            self.artist.say(f"{number}  {rules[number]}")
        else:
            first, *_, last = rules
            self.artist.say(self.words("play.unknown_rule", rule=number, first=first, last=last), "yellow")

    def _scores(self) -> None:
        totals = self.session.totals
        counted = map(self.game.description.rules.counted, totals)
        self.artist.say(" · ".join(f"{name}: {total}" for name, total in zip(self.names, counted, strict=True)))

    def _ask(self, prompt: str, words: Sequence[str] = ()) -> str:
        return ask(self.console, prompt, words)

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
