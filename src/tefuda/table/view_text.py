"""A view in plain words, for language models and for anyone who reads rather than looks; a game's rules as one text."""

from collections.abc import Iterable, Iterator, Mapping

from tefuda.decks import data
from tefuda.engine.description import Description
from tefuda.engine.notation import SUMMARY, is_declaration
from tefuda.engine.rulebook import rulebook
from tefuda.engine.scene import Group, Scene
from tefuda.engine.sentence import Sentence
from tefuda.engine.texts import LANGUAGES, TEXTS, Catalogue, catalogue, signed
from tefuda.table.game import load
from tefuda.table.reasons import say_line, seat_name
from tefuda.table.table_rules import TableRules
from tefuda.table.view import View


def view_text(view: View, language: str = LANGUAGES[0]) -> str:
    """Describe what a seat or a spectator knows: the table, the play so far if the view has it (``told``), the hand,
    and what the seat may play. ``TefudaError`` if there are no texts in this language.

    Example:
        >>> import tefuda
        >>> deal = tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})
        >>> tefuda.view_text(deal.view(0)).splitlines()[-4:-2]
        ['- SA (ace of spades)', '- H2 (two of hearts)']
    """
    return "\n\n".join(_Words(view, language).sections())


class _Words:
    """The words for one view in one language."""

    def __init__(self, view: View, language: str) -> None:
        self.view, self.game, self.language = view, view.game, language
        self.common, self.own = catalogue(TEXTS, language), catalogue(view.game.files.texts, language)
        seats, you = range(len(view.scene.seats)), self.common("you")
        self.names = [you if seat == view.seat else seat_name(seat, language) for seat in seats]

    def sections(self) -> Iterator[str]:
        """Yield the paragraphs."""
        scene, legal, seat, seats = self.view.scene, self.view.legal(), self.view.seat, len(self.names)
        key = "described.seated" if seat >= 0 else "described.watching"
        who = self.common(key, title=self.own("title"), seats=seats, last=seats - 1, seat=seat)
        trick = f" · {self.common('play.trick', number=scene.number, tricks=scene.tricks)}" if scene.number else ""
        yield f"{who}\n{self.own(scene.phase)}{trick}"
        yield self._list("table", [*self._said(scene.middle), *self._said(scene.stake), *self._seats(scene)])
        lists = {
            "told": [self._say(line) for line in self.view.told],
            "hand": [self._group(group) for group in scene.hand],
            "plays": [play_name(self.game, play, self.language) for play in legal],
        }
        if any(group.marked for group in scene.hand) and scene.mark:
            lists["hand"].append(f"° {self.own(scene.mark)}")
        yield from (self._list(heading, lines) for heading, lines in lists.items() if lines)
        if legal:
            yield self.common("described.answer", play=legal[0])
        elif self.view.mover >= 0:
            yield self.common("described.waiting", name=self.names[self.view.mover])

    def _seats(self, scene: Scene) -> Iterator[str]:
        """Yield a line for each player."""
        sides = [place.side for place in scene.seats]
        for name, place in zip(self.names, scene.seats, strict=True):
            facts = [self.common("play.held", count=place.held)]
            if len(set(sides)) < len(sides):
                facts.insert(0, self.common("play.team", letter="AB"[place.side]))
            if place.total:
                facts.append(self.common("play.total", points=signed(place.total, self.game.rules.unit)))
            facts += self._said(place.notes)
            facts += [f"{self.own(pile.label)} {' '.join(pile.cards)}".rstrip() for pile in place.piles]
            if place.played:
                facts.append(self.common("described.played", cards=place.played))
            yield f"{name}: {' · '.join(facts)}"

    def _group(self, group: Group) -> str:
        marks = dict.fromkeys(group.marked, "°")
        cards = (play_name(self.game, card, self.language) + marks.get(card, "") for card in group.cards)
        return f"{self.own(group.label)}: {', '.join(cards)}"

    def _said(self, lines: Iterable[tuple[str, Mapping[str, str]]]) -> list[str]:
        return [self._say(Sentence(code, fields)) for code, fields in lines]

    def _say(self, line: Sentence) -> str:
        return say_line(self.game, line, self.language, self.names)

    def _list(self, heading: str, lines: Iterable[str]) -> str:
        return "\n".join([self.common(f"described.{heading}"), *(f"- {line}" for line in lines)])


def play_name(game: Description, play: str, language: str) -> str:
    """Name a play as it is written, with what it is called or does in brackets, where there are words for it."""
    if SUMMARY.fullmatch(play):
        called = catalogue(TEXTS, language)("play.throw", count=play[1:])
    elif is_declaration(play):
        called = declaration_meaning(catalogue(game.files.texts, language), play)
    else:
        called = data.name_and_reading(game, play, language)[0]
    return f"{play} ({called})" if called else play


def declaration_meaning(texts: Catalogue, declaration: str) -> str:
    """Say what a declaration does, in the game's words; empty where it has none."""
    said, colon, cards = declaration.partition(":")
    for key in (f"plays.{declaration}", f"plays.{said}{colon}"):
        if key in texts:
            return texts(key).replace("{cards}", cards)
    return ""


def rules_text(game: TableRules | str, language: str = LANGUAGES[0]) -> str:
    """Return the rules of a game as one text: what teaches it, every rule by its number, and the options that the table
    has changed. ``UnknownGameError`` if there is no such game, ``TefudaError`` if there is no such language.

    Example:
        >>> import tefuda
        >>> tefuda.rules_text("gong-zhu").splitlines()[0]
        'Gong Zhu 拱猪'
    """
    game = load(game) if isinstance(game, str) else game
    book, common = rulebook(game.description, language), catalogue(TEXTS, language)
    parts = [" ".join(dict.fromkeys([book.title, book.native])), book.about]
    parts += ["\n".join([section.heading, *(each.text for each in section.paragraphs)]) for section in book.sections]
    parts.append("\n".join([common("rulebook.rules"), *(f"{number}: {text}" for number, text in book.rules.items())]))
    changed = ", ".join(f"{name} = {value}" for name, value in game.changed_options().items())
    return "\n\n".join([*parts, common("play.options", options=changed)] if changed else parts)
