"""A decision at the terminal: the screen, arranged to fit, the prompt, why a play is refused, and hints."""

import sys
from collections.abc import Callable, Iterable
from itertools import count
from threading import Lock, Thread

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.text import Text

from tefuda.bots import search
from tefuda.bots.advice import THINKING, Advice, find_advice, usual_advice
from tefuda.bots.search import BY_HINTS, SearchBot, compile_worlds
from tefuda.cli.chosen import rule_number
from tefuda.cli.draw import Artist, Prose
from tefuda.decks.data import spoken_name
from tefuda.engine import compilation
from tefuda.engine.description import Description
from tefuda.engine.notation import SUMMARY, NotationError, is_declaration, plain
from tefuda.engine.scene import Scene
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.table import typed_play
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.reasons import IllegalPlay, say_all
from tefuda.table.view_text import declaration_meaning

try:
    import readline
except ImportError:  # Windows, whose console edits lines by itself
    readline = None  # type: ignore[assignment]

COMMANDS = {
    "h": "hint", "hint": "hint", "help": "help", "l": "last", "last": "last", "r": "ranks", "ranks": "ranks",
    "pace": "pace", "s": "scores", "scores": "scores", "u": "undo", "undo": "undo",
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


class DecisionPrompt:
    """Shows decisions to one player, and understands what they type."""

    def __init__(self, artist: Artist) -> None:
        self.artist, self._words, self._console = artist, catalogue(TEXTS, artist.language), artist.console

    def show(self, deal: Deal, viewer: int) -> None:
        """Print the table, the ranks, the hand and the plays that have a number."""
        scene = deal.view(viewer).scene
        table = self.artist.table(scene, viewer, deal.mover, self.artist.moment(scene))
        ranks = [self.artist.reference(scene), ""] if scene.reference else []
        hand = self.artist.hand(scene, self.playable(deal, scene))
        self._console.print(Group(table, *ranks, hand, *self.throws(deal), *self._plays(deal)))

    def throws(self, deal: Deal) -> list[Prose]:
        """Say how many cards must be thrown face down, where that is so."""
        throws = filter(SUMMARY.fullmatch, deal.legal())
        return [Prose("  " + self._words("play.throw", count=word[1:]), "dim") for word in throws]

    def _plays(self, deal: Deal) -> list[RenderableType]:
        """List the plays that have a number, declarations with what they do on lines of their own."""
        numbered = self.numbered(deal).items()
        groups = [f"{number} {word}" for number, word in numbered if not is_declaration(word)]
        said = [Prose(f"  {number}  {self.described(word)}") for number, word in numbered if is_declaration(word)]
        return [*([Columns(groups, padding=(0, 3))] if groups else []), *said]

    def described(self, play: str) -> str:
        """Write a play with what it does, if it is a declaration."""
        return f"{play}  {declaration_meaning(self.artist.game_words, play) if is_declaration(play) else ''}".rstrip()

    def word(self, deal: Deal, answer: str) -> str:
        """Return the play that was typed, or that a number stands for; what is no play comes back as it is."""
        game = deal.game.description
        found = self.numbered(deal).get(answer) or typed_play.understood(game, deal.legal(), answer)
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
        reason = deal.why_not(word, language=self.artist.language, names=self.artist.names)
        if reason is None:
            self.artist.say(self._words("play.legal"))
        elif not reason.rule:
            self.artist.note(reason.text, "yellow")
        else:
            self.artist.say(f"{reason.text} [{reason.rule}]", "yellow")

    def answer_about(self, deal: Deal, about: str, how: str) -> None:
        """Answer a question: about nothing with ``how`` to type, a rule's number with the rule, a play with why not."""
        game = deal.game.description
        number = None if typed_play.understood(game, None, about) else rule_number(game, about)
        if not about:
            self.artist.note(how)
            self.artist.note(self._words("play.legal_mark"))
        elif number:
            first, *_, last = rules = say_all(game, "rules", self.artist.language)
            unknown = self._words("play.unknown_rule", rule=number, first=first, last=last)
            self.artist.say(f"{number}  {rules[number]}" if number in rules else unknown)
        else:
            play = self.word(deal, about)
            if name := spoken_name(game, play, self.artist.language):
                self.artist.note(f"{play}  {name}")
            self.explain(deal, play)

    def numbered(self, deal: Deal) -> dict[str, str]:
        """Number the plays that are listed: declarations, several cards, a wild for another."""
        listed = (word for word in deal.legal() if is_declaration(word) or "+" in word or "=" in word)
        # Where cards are written as numbers, those stand for the cards: the list leaves them out.
        names = typed_play.names(deal.game.description)
        numbers = (number for number in map(str, count(1)) if len(names.get(number, ())) != 1)
        return dict(zip(numbers, listed, strict=False))

    @staticmethod
    def playable(deal: Deal, scene: Scene) -> list[str]:
        """List the legal plays, and the cards that may be played although an equal one is listed in their place."""
        legal = deal.legal()
        cards = {card for group in scene.hand for card in group.cards} - set(legal)
        if not cards or all(is_declaration(word) for word in legal):
            return legal
        return [*legal, *(card for card in cards if deal.why_not(card) is None)]


# Hints, by a search that is compiled meanwhile


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
        self._thinking = Lock()

    def _load_search(self) -> None:
        deal = self.game.deal(0)
        self.thinker.warm(deal.view(deal.mover))
        compile_worlds(self.game.description)

    def hint(self, deal: Deal) -> None:
        """Say what to play and why: by rules of thumb, then what looking ahead finds better; Ctrl-C stops that. Asked
        again at the same moment, it says the figures."""
        if (usual := self.usual(deal)) is None:
            return
        try:
            with self.artist.console.status(self.words("play.thinking")):
                self.refine(deal, usual, self.look_ahead(deal))
        except KeyboardInterrupt:
            self.artist.note(self.words("play.hint_stopped"))

    def usual(self, deal: Deal) -> Advice | None:
        """Say what to play by the heuristics, or the figures if that was asked at this moment before; None where
        looking ahead finds no more."""
        if self._asked and self._asked[0].record() == deal.record():
            self.artist.figures(*self._asked)
            return None
        self.artist.advise(deal, verdict := usual_advice(deal))
        return verdict if len(deal.legal_actions()) > 1 else None

    def look_ahead(self, deal: Deal) -> Advice:
        """Find the verdict of a search, one at a time, once the search is compiled."""
        self.search.is_ready()
        with self._thinking:
            return find_advice(deal, self.thinker)

    def refine(self, deal: Deal, usual: Advice, found: Advice) -> None:
        """Say what looking ahead finds, where that is something else, and that there are figures, where there are."""
        if (found.play, found.code == "decided") != (usual.play, False):
            self.artist.advise(deal, found)
        if found.code:
            self._asked = deal.copy(), found
            self.artist.note(self.words("play.hint_figures"))
