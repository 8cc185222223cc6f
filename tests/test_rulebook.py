"""What people learn a game from, one source for terminal, page and paper; terms, origins, background pages."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tefuda import games
from tefuda.cli.rules_command import rules
from tefuda.decks import data
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.engine.rulebook import MARKS, Rulebook, background, glossary, rulebook, sources
from tefuda.engine.texts import LANGUAGES, catalogue
from tefuda.games import description, names
from tefuda.table.example_deal import (
    WHOLE_DEAL,
    ExampleDeal,
    ToldDeal,
    full_rulebook,
    play,
    read,
    recorded,
)

TESTS = Path(__file__).parent

SECTIONS = ["codes", "cards", "aim", "deal", "play", "pay", "example"]
"""Of the text that teaches a game, in the order in which a stranger needs them."""

HEADINGS = 6
"""Of a background page: name, history and places, cards, the collector's view, lost and chosen, sources."""

CHARACTERS = re.compile("[\u3040-\u30ff\u4e00-\u9fff]+")


OURS = [name for name in names() if Path(games.__file__).parent in description(name).files.texts.parents]
"""Games of this package; another's need no glossary and no background page."""


@pytest.fixture(params=OURS)
def game(request: pytest.FixtureRequest) -> Description:
    return description(request.param)


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def said(book: Rulebook) -> str:
    """All that teaches the game, and all rules."""
    taught = (each.text for section in book.sections for each in section.paragraphs)
    return "\n".join([*taught, *book.rules.values()])


# Teaching


def test_a_game_is_taught_in_the_same_sections(game: Description, language: str) -> None:
    book = rulebook(game, language)
    assert [section.key for section in book.sections] == SECTIONS
    assert all(section.heading and section.paragraphs for section in book.sections)


def test_paragraphs_tell_rules_and_show_no_numbers(game: Description, language: str) -> None:
    """All but those on codes; and every rule that is named exists."""
    book = rulebook(game, language)
    for section in book.sections:
        for paragraph in section.paragraphs:
            assert bool(paragraph.rules) or section.key == "codes", paragraph
            assert set(paragraph.rules) <= set(book.rules), paragraph
            assert not re.search(rf"\b{game.rules.prefix}-\d", paragraph.text), paragraph


@pytest.mark.parametrize("name", OURS)
def test_a_primer_shows_a_trick_and_the_payments_as_tables(name: str, language: str) -> None:
    """The same tables in every language, their rows as long as their heads."""
    found, english = (rulebook(description(name), each).sections for each in (language, "en"))
    shapes = [
        [[len(row) for row in told.rows] for section in sections for told in section.paragraphs]
        for sections in (found, english)
    ]
    assert shapes[0] == shapes[1]
    assert all(len(set(shape)) <= 1 for shape in shapes[0])
    with_tables = {section.key for section in found if any(told.rows for told in section.paragraphs)}
    assert "pay" in with_tables
    assert with_tables & {"play", "example"}


def test_codes_name_only_cards_of_the_pack(game: Description, language: str) -> None:
    """What looks like a card in the text between backquotes is one."""
    texts = catalogue(game.files.texts, language).under("teach")
    for text in texts.values():
        for quoted in re.findall(r"`([^`]*)`", text):
            for word in re.split(r"[ +]", quoted):
                assert word in game.cards, quoted


# A whole deal


def told(game: Description) -> tuple[ExampleDeal, ToldDeal]:
    example = read(game)
    assert example is not None
    return example, recorded(example.path)


@pytest.mark.parametrize("name", OURS)
def test_the_whole_deal_is_what_the_rules_make_of_its_moves(name: str) -> None:
    """Every play is legal, every line told and every figure is the engine's."""
    game = description(name)
    example, kept = told(game)
    assert play(game, example) == kept


def test_the_whole_deal_comes_last_and_shows_every_hand(game: Description, language: str) -> None:
    last = full_rulebook(game, language).sections[-1]
    example, kept = told(game)
    assert last.key == WHOLE_DEAL
    assert all(" ".join(hand) in last.paragraphs[1].text for hand in kept.hands)
    assert len(last.paragraphs) == 2 + len(example.parts) + len(kept.hands) + 1
    assert "#" not in "".join(each.text for each in last.paragraphs)


def test_cards_that_are_named_in_the_whole_deal_are_in_it(game: Description, language: str) -> None:
    """Each is played in the part that names it, shown by it, or in somebody's hand."""
    example, kept = told(game)
    hands = {card for hand in kept.hands for card in hand}
    for part, lines in zip(example.parts, kept.told, strict=True):
        played = hands | set(
            re.split(r"[:+ `]", " ".join([*part.moves, *(v for each in lines for v in each.fields.values())]))
        )
        for card in re.findall(r"`([^`]*)`", part.says[language]):
            assert card in played, part.says[language]


# Twenty questions


def questions(name: str) -> list[dict[str, str]]:
    path = TESTS / name.replace("-", "_") / "questions.toml"
    found: list[dict[str, str]] = tomllib.loads(path.read_text("utf-8"))["question"]
    return found


@pytest.mark.parametrize("name", OURS)
def test_a_stranger_finds_the_answers_in_what_teaches_the_game(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Twenty questions a game; each is answered by the text that it names, and all of that text is printed."""
    game = description(name)
    taught = rulebook(game, "en")
    texts = {
        f"{section.key}.{number}": told.text.replace("`", "")
        for section in taught.sections
        for number, told in enumerate(section.paragraphs, 1)
    }
    example, _ = told(game)
    texts["example"] = " ".join([*(part.says["en"] for part in example.parts), example.end["en"]]).replace("`", "")
    asked = questions(name)
    assert len(asked) >= 20
    assert len({question["asks"] for question in asked}) == len(asked)
    missing = [each["asks"] for each in asked if each["answer"].replace("`", "") not in texts[each["in"]]]
    assert not missing
    rules(name, language="en")
    printed = "".join(capsys.readouterr().out.partition("Every rule by its number")[0].split())
    for section in taught.sections:
        for paragraph in section.paragraphs:
            if not paragraph.rows:
                assert "".join(paragraph.text.split()) in printed


# Sources


@pytest.mark.parametrize("name", OURS)
def test_every_rule_says_where_it_comes_from(name: str) -> None:
    """By the page's sentences, by signs, or by both; and only rules have sources."""
    book = rulebook(description(name), "en")
    assert set(book.sources) <= set(book.rules)
    assert [rule for rule in book.rules if rule in book.sources] == list(book.sources)
    assert not [rule for rule in book.rules if not book.origins(rule)]
    for rule, quoted in book.sources.items():
        assert quoted, rule
        assert all(CHARACTERS.search(each.sentence) and each.heading for each in quoted), rule


@pytest.mark.parametrize("name", OURS)
def test_signs_stand_at_the_same_sentences_in_every_language(name: str, language: str) -> None:
    """As many, in the same order in each text; and only after the end of a sentence."""
    texts, english = (catalogue(description(name).files.texts, each) for each in (language, "en"))
    for part in ("teach", "rules"):
        for key, text in texts.under(part).items():
            signs = "".join(MARKS.values())
            assert re.findall(f"[{signs}]", text) == re.findall(f"[{signs}]", english.under(part)[key]), key
            after = r"(?<=[.?!:”)]) [{}](?= |$|\n)" if language == "en" else r"(?<=[。？！：」）”])[{}]"
            assert not re.search(f"[{signs}]", re.sub(after.format(signs), "", text)), key


@pytest.mark.parametrize("text", ['GZ-1 = ["rumour"]', "GZ-1 = 3", 'GZ-1 = [["a", "b", "c"]]'])
def test_sources_of_another_shape_are_one_clear_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "sources.toml").write_text(f"{text}\n", "utf-8")
    with pytest.raises(TefudaError, match=r"sources.toml: each rule has a list of pairs, a heading and a sentence"):
        sources(tmp_path)


def test_a_game_without_these_files_has_rules_all_the_same(tmp_path: Path) -> None:
    assert sources(tmp_path) == {}


# Terms


def terms(game: Description) -> dict[str, Any]:
    return tomllib.loads((game.files.texts / "glossary.toml").read_text("utf-8"))


def everything(game: Description, language: str) -> Iterator[tuple[str, str]]:
    """Every text of the catalogue, by its key."""
    yield from catalogue(game.files.texts, language).without().items()


def test_a_glossary_has_every_language(game: Description, language: str) -> None:
    shown = glossary(game, language)
    assert len(shown) >= 10
    assert all(term.original and term.word and term.meaning for term in shown)


def test_a_term_is_used_by_the_rules_it_names(game: Description, language: str) -> None:
    rules = rulebook(game, language).rules
    missing = [
        (rule, word)
        for term in glossary(game, language)
        for word in term.word.split(" / ")
        for rule in term.rules
        if word.lower() not in rules[rule].lower()
    ]
    assert not missing


def test_words_that_stand_for_no_term_are_not_used(game: Description, language: str) -> None:
    for name, term in terms(game).items():
        for word in term.get("avoid", {}).get(language, []):
            used = [key for key, text in everything(game, language) if word in text]
            assert not used, f"{name}: {word!r} in {used}"


def test_terms_that_the_english_rules_quote_are_in_the_glossary(game: Description) -> None:
    """Characters in an English rule are a term of the glossary, or a card's name."""
    known = "\n".join(term["original"] for term in terms(game).values())
    for deck in game.files.decks:
        for card in data.load(game, deck.stem).cards.values():
            known += "\n" + "\n".join([*card.names.values(), card.seal])
    for rule, text in rulebook(game, "en").rules.items():
        for word in CHARACTERS.findall(text):
            assert word in known, f"{rule}: {word}"


# Background


def test_a_background_page_has_the_same_parts_in_every_language(game: Description, language: str) -> None:
    blocks = background(game, language)
    assert [block.kind for block in blocks].count("title") == 1
    assert blocks[0].kind == "title"
    headings = [block.plain for block in blocks if block.kind == "heading"]
    assert len(headings) == HEADINGS
    english = background(game, "en")
    assert [block.kind for block in blocks if block.kind != "text"] == [
        block.kind for block in english if block.kind != "text"
    ]


def test_a_background_page_is_neither_short_nor_long(game: Description) -> None:
    words = sum(len(block.plain.split()) for block in background(game, "en"))
    assert 500 <= words <= 1000


def test_headings_are_the_same_for_every_game(language: str) -> None:
    found = {
        tuple(block.plain for block in background(description(name), language) if block.kind == "heading")
        for name in OURS
    }
    assert len(found) == 1


def test_options_that_a_background_page_names_exist(game: Description, language: str) -> None:
    for block in background(game, language):
        for style, text in block.spans:
            if style == "code":
                assert text.split(" ")[0] in game.rules.option_by_name
