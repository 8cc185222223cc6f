"""A decision at the terminal: the screen, arranged to fit, the prompt, why a play is refused, and hints."""

import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from threading import Thread
from typing import NamedTuple

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.text import Text

from tefuda.bots import search
from tefuda.bots.advice import THINKING, Advice, find_advice, usual_advice
from tefuda.bots.search import BY_HINTS, SearchBot, compile_worlds
from tefuda.cli.draw import Artist, Prose
from tefuda.engine import compilation
from tefuda.engine.description import Description
from tefuda.engine.notation import SUMMARY, NotationError, is_declaration, plain
from tefuda.engine.scene import Scene
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.table import typed_play
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.reasons import IllegalPlay
from tefuda.table.view_text import declaration_meaning

try:
    import readline
except ImportError:  # Windows, whose console edits lines by itself
    readline = None  # type: ignore[assignment]

PROMPT_LINES = 1  # lines of the prompt, below everything else
MOST_TOLD = 5  # lines told before that stay above the table

COMMANDS = {
    "h": "hint", "hint": "hint",
    "help": "help",
    "l": "last", "last": "last",
    "r": "ranks", "ranks": "ranks",
    "p": "plays", "plays": "plays",
    "pace": "pace",
    "s": "scores", "scores": "scores",
    "u": "undo", "undo": "undo",
    "q": "quit", "quit": "quit", "exit": "quit"
}  # fmt: skip
"""Words that may be typed instead of a play, with what they ask for."""


def ask(console: Console, prompt: str, words: Iterable[str]) -> str:
    """Ask for a line, with editing, history and completion of ``words`` where the terminal has them.

    It comes in half width and without blanks at its ends; EOFError where there is no more input."""
    if readline is None or not (sys.stdin.isatty() and console.is_terminal):
        return plain(console.input(Text.assemble((prompt, "bold"), " › ")))
    known = sorted({*words, *COMMANDS})

    def complete(begun: str, number: int) -> str | None:
        found = [word for word in known if word.lower().startswith(begun.lower())]
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    bold, normal = ("\1\33[1m\2", "\1\33[0m\2") if console.color_system else ("", "")
    return plain(input(f"{bold}{prompt}{normal} › "))


Drawn = Sequence[RenderableType]  # below each other


class Plays(NamedTuple):
    """The lines below a hand: notes, then groups of cards, then declarations (``said``), each after its number."""

    notes: Drawn
    groups: Sequence[str]
    said: Drawn


class DecisionPrompt:
    """Shows decisions to one player, and understands what they type."""

    def __init__(self, artist: Artist) -> None:
        self._artist, self._words, self._console = artist, catalogue(TEXTS, artist.language), artist.console

    def show(self, deal: Deal, viewer: int, told: int = 0) -> None:
        """Print the table, the hand and the plays; ``told`` lines above them stay in sight."""
        scene, legal = deal.view(viewer).scene, deal.legal()
        title = self._artist.game_words(scene.phase)
        if scene.number:
            title = self._words("play.trick", number=scene.number, tricks=scene.tricks)
        flat, table = (self._artist.table(scene, viewer, deal.mover, title, rows=rows) for rows in (True, False))
        ranks = [self._artist.reference(scene), ""] if scene.reference else []
        hand = self._artist.hand(scene, [*legal, *self._equals(deal, scene, legal)])
        self.arrange([table, flat], ranks, hand, self._plays(deal), told)

    def arrange(self, tables: Drawn, ranks: Drawn, hand: RenderableType, plays: Plays, told: int) -> None:
        """Print the round table with the ranks where there is room, else in fewer lines, down to a row a player.

        Of the lines told before, the last stay in sight."""
        taken = PROMPT_LINES + min(told, MOST_TOLD)
        room = self._console.height - taken if self._console.is_terminal else None
        round_table, rows = tables
        below = [hand, *plays.notes, *self._groups(plays.groups), *plays.said]
        ways = [[round_table, *ranks, *below], [round_table, *below], [rows, *below]]
        fitting = [parts for parts in ways if room is None or self._lines(parts) <= room]
        if not fitting:  # as many groups as fit, one at least
            left = (room or 0) - self._lines([rows, hand, *plays.notes, *plays.said])
            counts = range(len(plays.groups), 1, -1)
            shown = next((n for n in counts if self._lines(self._groups(plays.groups, n)) <= left), 1)
            fitting = [[rows, hand, *plays.notes, *self._groups(plays.groups, shown), *plays.said]]
        self._console.print(Group(*fitting[0]))

    def show_plays(self, deal: Deal) -> None:
        """Print all plays that have a number."""
        plays = self._plays(deal)
        for part in [*plays.notes, *self._groups(plays.groups), *plays.said]:
            self._console.print(part)

    def _groups(self, groups: Sequence[str], shown: int | None = None) -> list[RenderableType]:
        """Draw the first of the groups, and say how many more there are."""
        drawn: list[RenderableType] = [Columns(groups[:shown], padding=(0, 3))] if groups else []
        if groups[shown:] and shown is not None:
            drawn.append(Prose(self._words("play.more_plays", count=len(groups) - shown), "dim"))
        return drawn

    def _lines(self, parts: Drawn) -> int:
        return len(self._console.render_lines(Group(*parts), pad=False))

    def word(self, deal: Deal, answer: str) -> str:
        """Return the play that was typed, or that a number stands for; what is no play comes back as it is."""
        game = deal.game.description
        found = self._numbered(deal).get(answer) or typed_play.understood(game, deal.legal(), answer)
        return found or typed_play.understood(game, None, answer) or answer

    def make(self, deal: Deal, answer: str) -> bool:
        """Make the play that was typed, or say why it may not be made; tell if it was."""
        word = self.word(deal, answer)
        try:
            deal.play(word)
        except (IllegalPlay, NotationError):
            self.explain(deal, word)
            return False
        return True

    def explain(self, deal: Deal, word: str) -> None:
        """Say why a play may not be made now."""
        reason = deal.why_not(word, language=self._artist.language, names=self._artist.names)
        if reason is None:
            self._artist.say(self._words("play.legal"))
        elif not reason.rule:
            self._artist.note(reason.text, "yellow")
        else:
            self._artist.say(f"{reason.text} [{reason.rule}]", "yellow")

    def _numbered(self, deal: Deal) -> dict[str, str]:
        """Number the plays that are listed: declarations, several cards, a wild for another."""
        listed = (word for word in deal.legal() if is_declaration(word) or "+" in word or "=" in word)
        # Where cards are written as numbers, those stand for the cards: the list leaves them out.
        names = typed_play.names(deal.game.description)
        numbers = (number for number in map(str, count(1)) if len(names.get(number, ())) != 1)
        return dict(zip(numbers, listed, strict=False))

    def _plays(self, deal: Deal) -> Plays:
        """Gather the lines below the hand: the plays that have a number, and what declarations do."""
        throws = filter(SUMMARY.fullmatch, deal.legal())
        notes = [Prose("  " + self._words("play.throw", count=word[1:]), "dim") for word in throws]
        groups, said = [], []
        for number, word in self._numbered(deal).items():
            if is_declaration(word):
                meaning = declaration_meaning(self._artist.game_words, word)
                said.append(Prose(f"  {number}  {word}  {meaning}".rstrip()))
            else:
                groups.append(f"{number} {word}")
        return Plays(notes, groups, said)

    @staticmethod
    def _equals(deal: Deal, scene: Scene, legal: Sequence[str]) -> list[str]:
        """Find cards that may be played although an equal one is listed in their place."""
        cards = {card for group in scene.hand for card in group.cards} - set(legal)
        if not cards or all(is_declaration(word) for word in legal):
            return []
        return [card for card in cards if deal.why_not(card) is None]


# Hints, by a search that is compiled meanwhile


PATIENCE = 1.0  # seconds that a hint waits for a search that is still being compiled


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
        self._asked: tuple[Deal, Advice] | None = None

    def _load_search(self) -> None:
        deal = self.game.deal(0)
        self.thinker.warm(deal.view(deal.mover))
        compile_worlds(self.game.description)

    def hint(self, deal: Deal) -> None:
        """Say what to play and why: by rules of thumb, then what looking ahead finds better; Ctrl-C stops that. Asked
        again at the same moment, it says the figures."""
        if self._asked and self._asked[0].record() == deal.record():
            self.artist.figures(*self._asked)
            return
        verdict = usual_advice(deal)
        self.artist.advise(deal, verdict)
        if len(deal.legal_actions()) > 1:
            try:
                found = self._look_ahead(deal) or verdict
            except KeyboardInterrupt:
                self.artist.note(self.words("play.hint_stopped"))
                return
            self._tell_more(deal, verdict, found)

    def _tell_more(self, deal: Deal, usual: Advice, found: Advice) -> None:
        """Say what looking ahead finds, where that is something else, and that there are figures, where there are."""
        if (found.play, found.code == "decided") != (usual.play, False):
            self.artist.advise(deal, found)
        if found.code:
            self._asked = deal.copy(), found
            self.artist.note(self.words("play.hint_figures"))

    def _look_ahead(self, deal: Deal) -> Advice | None:
        """Find the verdict of a search; None while it is being compiled."""
        with self.artist.console.status(self.words("play.thinking")):
            if not self.search.is_ready(PATIENCE if sys.stdin.isatty() else None):
                self.artist.note(self.words("play.search_compiling"))
                return None
            return find_advice(deal, self.thinker)
