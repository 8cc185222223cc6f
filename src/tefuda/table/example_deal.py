"""Example deals, told play by play for people who learn a game from its rules.

``example.toml`` in a game's folder of texts holds the deal, the moves in parts, and a text on each part in every
language. ``example.json`` keeps what the engine told when it played those moves, so that the text can be printed before
anything has been compiled; ``python -m tests.example_deals`` writes it, and a test compares it with the rules."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tefuda.engine import toml
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.engine.notation import seat_and_play
from tefuda.engine.rulebook import Paragraph, Rulebook, Section, rulebook
from tefuda.engine.sentence import Sentence
from tefuda.engine.texts import LANGUAGES, TEXTS, Spell, catalogue, signed, spelled, typed
from tefuda.table.game import Game
from tefuda.table.reasons import name_seats, say_line
from tefuda.table.scenario import begin

WHOLE_DEAL = "whole_deal"  #: the section's key

FILE_KEYS = ("seats", "options", "deal", "part", "end")


@dataclass(frozen=True)
class ExamplePart:
    """Some moves in a row, each as ``seat:play``, and what is said about them by language (``#2``: a seat's name)."""

    moves: Sequence[str]
    says: Mapping[str, str]


@dataclass(frozen=True)
class ExampleDeal:
    """The content of ``example.toml``: parts in order, and the text on the score sheet by language."""

    path: Path
    file: toml.Table
    parts: Sequence[ExamplePart]
    end: Mapping[str, str]


@dataclass(frozen=True)
class ToldDeal:
    """The engine's account of an example deal; ``example.json`` has the same names.

    It has the words of the cards dealt to each seat, the sentences part by part, the payoffs with their sign, and the
    lines that explain each."""

    hands: Sequence[Sequence[str]]
    told: Sequence[Sequence[Sentence]]
    payoffs: Sequence[str]
    sheet: Sequence[Sequence[Sentence]]


def read(game: Description) -> ExampleDeal | None:
    """Read the game's example deal; None where it has none, ``TefudaError`` where the file is wrong."""
    path = game.files.texts / "example.toml"
    if not path.exists():
        return None
    file = toml.read(path).only(FILE_KEYS)
    parts = [ExamplePart(part.words("moves"), _in_languages(part)) for part in file.tables("part")]
    return ExampleDeal(path, file, parts, _in_languages(file.table("end")))


def _in_languages(table: toml.Table) -> dict[str, str]:
    return {language: table.text(language) for language in LANGUAGES}


def play(game: Description, example: ExampleDeal) -> ToldDeal:
    """Play the example by the rules, all hands open; ``TefudaError`` for an illegal move, or an unfinished deal."""
    played = Game(game, example.file.get("seats"), example.file.table("options"))
    deal, told = begin(played, example.file), []
    hands: list[list[str]] = [[] for _ in range(played.seats)]
    for part in example.parts:
        lines: list[Sentence] = []
        for move in part.moves:
            seat, word = seat_and_play(move)
            for each in range(played.seats):
                hands[each] = hands[each] or deal.view(each).hand()
            before = deal.state
            deal.play(word, seat)
            lines += game.display.events(before, seat, word, deal.state)
        told.append(lines)
    if not deal.over:
        raise TefudaError(f"{example.path}: the deal is not over")
    payoffs = [signed(points, game.rules.unit) for points in deal.payoff()]
    return ToldDeal(hands, told, payoffs, [game.display.sheet(deal.state, seat) for seat in range(played.seats)])


@cache
def recorded(path: Path) -> ToldDeal:
    """Read the ``example.json`` beside an example's file."""
    kept = json.loads(path.with_suffix(".json").read_text("utf-8"))
    told, sheet = ([[Sentence(**line) for line in lines] for lines in kept[part]] for part in ("told", "sheet"))
    return ToldDeal(kept["hands"], told, kept["payoffs"], sheet)


def paragraphs(game: Description, example: ExampleDeal, language: str, spell: Spell = typed) -> Iterator[str]:
    """Tell the deal in paragraphs of several lines: the hands, each part with its plays, then the score sheet."""
    common, kept = catalogue(TEXTS, language), recorded(example.path)
    names = [common(f"rulebook.player.{seat}") for seat in range(len(kept.hands))]

    def lines(sentences: Sequence[Sentence]) -> list[str]:
        return [f"· {say_line(game, line, language, names, spell)}" for line in sentences]

    def said(texts: Mapping[str, str]) -> str:
        return name_seats(spelled(texts[language], spell), language, names)

    yield common("rulebook.whole_deal")
    hands = zip(names, kept.hands, strict=True)
    yield "\n".join(common("rulebook.hand", name=name, cards=spell(" ".join(hand))) for name, hand in hands)
    for part, told in zip(example.parts, kept.told, strict=True):
        yield "\n".join([said(part.says), *lines(told)])
    for name, payoff, how in zip(names, kept.payoffs, kept.sheet, strict=True):
        yield "\n".join([common("rulebook.payoff", name=name, points=payoff), *lines(how)])
    yield said(example.end)


def full_rulebook(game: Description, language: str, spell: Spell = typed) -> Rulebook:
    """Return the rulebook with the whole deal after its sections, where the game has one."""
    book, example = rulebook(game, language, spell), read(game)
    if example is None:
        return book
    heading = catalogue(TEXTS, language)(f"rulebook.heading.{WHOLE_DEAL}")
    section = Section(WHOLE_DEAL, heading, [Paragraph(each) for each in paragraphs(game, example, language, spell)])
    return replace(book, sections=[*book.sections, section])
