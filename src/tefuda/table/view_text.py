"""A view in plain words, for language models and for anyone who reads rather than looks; a game's rules as one text."""

from collections.abc import Iterator, Mapping, Sequence

from tefuda.decks import data
from tefuda.engine.description import Description
from tefuda.engine.notation import SUMMARY, is_declaration
from tefuda.engine.rulebook import rulebook
from tefuda.engine.scene import Group, Scene
from tefuda.engine.sentence import Sentence
from tefuda.engine.texts import LANGUAGES, TEXTS, Catalogue, catalogue, signed
from tefuda.table.game import Game, load
from tefuda.table.reasons import say_line, seat_name
from tefuda.table.table_rules import explained
from tefuda.table.view import View


def view_text(view: View, language: str = LANGUAGES[0]) -> str:
    """Describe what a seat knows, in plain text: the table, the play so far if the view has it (``told``), its hand,
    and what it may play. ``TefudaError`` if there are no texts in this language.

    Args:
        view: of a seat, or of a spectator.
        language: ``en``, ``ja``, ``zh-Hant`` or ``zh-Hans``.

    Example:
        >>> import tefuda
        >>> deal = tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})
        >>> print(tefuda.view_text(deal.view(0)))
        Gong Zhu: 4 players, on seats 0 to 3. You sit on seat 0.
        Playing tricks · trick ... of 13
        ...
        - SA (ace of spades)
        - H2 (two of hearts)
        <BLANKLINE>
        Play one of these. End your answer with a line such as PLAY: SA
    """
    return "\n\n".join(_Words(view, language).sections())


class _Words:
    """The words for one view in one language."""

    def __init__(self, view: View, language: str) -> None:
        self.view, self.game, self.language = view, view.game, language
        self.common, self.own = catalogue(TEXTS, language), catalogue(view.game.files.texts, language)
        seats = len(view.scene.seats)
        self.names = [self.common("you") if seat == view.seat else seat_name(seat, language) for seat in range(seats)]

    def sections(self) -> Iterator[str]:
        """Yield the paragraphs."""
        scene, common = self.view.scene, self.common
        yield self._head(scene)
        yield self._list("table", [*self._said(scene.middle), *self._said(scene.stake), *self._seats(scene)])
        if self.view.told:
            yield self._list("told", [self._say(line) for line in self.view.told])
        if scene.hand:
            yield self._list("hand", [self._group(group) for group in scene.hand] + self._mark(scene))
        legal = self.view.legal()
        if legal:
            yield self._list("plays", [play_name(self.game, play, self.language) for play in legal])
            yield common("described.answer", play=legal[0])
        elif self.view.mover >= 0:
            yield common("described.waiting", name=self.names[self.view.mover])

    def _head(self, scene: Scene) -> str:
        seat, seats = self.view.seat, len(scene.seats)
        who = self.common(
            "described.seated" if seat >= 0 else "described.watching",
            title=self.own("title"), seats=seats, last=seats - 1, seat=seat,
        )  # fmt: skip
        now = self.own(scene.phase)
        if scene.number:
            now += " · " + self.common("play.trick", number=scene.number, tricks=scene.tricks)
        return f"{who}\n{now}"

    def _seats(self, scene: Scene) -> Iterator[str]:
        """Yield a line for each player."""
        sides = [place.side for place in scene.seats]
        for name, place in zip(self.names, scene.seats, strict=True):
            if len(set(sides)) < len(sides):
                name += f" ({self.common('play.team', letter='AB'[place.side])})"
            facts = [self.common("play.held", count=place.held)]
            if place.total:
                facts.append(self.common("play.total", points=signed(place.total, self.game.rules.unit)))
            facts += self._said(place.notes)
            facts += [f"{self.own(pile.label)} {' '.join(pile.cards)}".rstrip() for pile in place.piles]
            if place.played:
                facts.append(self.common("described.played", cards=place.played))
            yield f"{name}: {' · '.join(facts)}"

    def _group(self, group: Group) -> str:
        marks = dict.fromkeys(group.marked, "°")
        cards = ", ".join(play_name(self.game, card, self.language) + marks.get(card, "") for card in group.cards)
        return f"{self.own(group.label)}: {cards}"

    def _mark(self, scene: Scene) -> list[str]:
        return [f"° {self.own(scene.mark)}"] if scene.mark and any(group.marked for group in scene.hand) else []

    def _said(self, lines: Sequence[tuple[str, Mapping[str, str]]]) -> list[str]:
        return [self._say(Sentence(code, fields)) for code, fields in lines]

    def _say(self, line: Sentence) -> str:
        return say_line(self.game, line, self.language, self.names)

    def _list(self, heading: str, lines: Sequence[str]) -> str:
        return "\n".join([self.common(f"described.{heading}"), *(f"- {line}" for line in lines)])


def play_name(game: Description, play: str, language: str) -> str:
    """Name a play as it is written, with what it is called or does in brackets, where there are words for it."""
    if SUMMARY.fullmatch(play):
        return f"{play} ({catalogue(TEXTS, language)('play.throw', count=play[1:])})"
    if is_declaration(play):
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


def rules_text(game: Game | str, language: str = LANGUAGES[0]) -> str:
    """Return the rules of a game as one text: what teaches it, every rule by its number, and the options that a table
    has changed. ``UnknownGameError`` if there is no such game, ``TefudaError`` if there is no such language.

    Example:
        >>> import tefuda
        >>> tefuda.rules_text("gong-zhu").splitlines()[0]
        'Gong Zhu 拱猪'
    """
    game = load(game) if isinstance(game, str) else game
    book, common = rulebook(game.description, language), catalogue(TEXTS, language)
    parts = [" ".join(dict.fromkeys([book.title, book.native])), book.about]
    parts += ["\n".join([section.heading, *section.paragraphs]) for section in book.sections]
    parts.append("\n".join([common("rulebook.rules"), *(f"{number}: {text}" for number, text in book.rules.items())]))
    changed = list(_changed_options(game, language))
    if changed:
        parts.append(common("play.options", options="\n".join(["", *changed])))
    return "\n\n".join(parts)


def _changed_options(game: Game, language: str) -> Iterator[str]:
    for name, value in game.changed_options().items():
        option = explained(game.description, game.description.rules.option_by_name[name], language)
        meaning = option.values.get(value, "")
        yield f"{name} = {value} [{option.rule}]: {option.sentence}" + (f" {value}: {meaning}" if meaning else "")
