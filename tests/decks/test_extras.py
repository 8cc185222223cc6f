"""Cards that explain the game: inside the card, complete, and among those that are printed."""

from itertools import repeat

import pytest

from tests.decks.pictures import needed

needed("reportlab")

from tefuda import games  # noqa: E402
from tefuda.decks.data import Deck, load  # noqa: E402
from tefuda.decks.faces import Style  # noqa: E402
from tefuda.decks.fonts import flowed  # noqa: E402
from tefuda.decks.print.sheets import Job  # noqa: E402
from tefuda.engine.rulebook import Paragraph, Section  # noqa: E402
from tefuda.engine.texts import LANGUAGES  # noqa: E402


@pytest.mark.parametrize("size", ["life", "large", "poker", "mini"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_text_stands_inside_the_card(deck: Deck, language: str, size: str) -> None:
    """3 mm from the cut in printers' sizes, 1.8 mm in life; one or more cards to look things up."""
    job = Job(games.description(deck.game), deck, Style(language=language), size=size)
    (width, height), margin = job.card.sides, 1.8 if deck.size[0] < 40 and size in ("life", "large") else 2.9
    assert list(job.extras)[:2] == ["title", "reference-1"]
    for name in job.extras.keys() - deck.beside.keys():
        card = job.extras[name]
        left, top, right, bottom = card.box()
        assert left >= margin, name
        assert top >= margin, name
        assert right <= width - margin, name
        assert bottom <= height - margin, name


def test_the_card_of_the_pack_that_the_game_does_not_use_is_printed() -> None:
    """LF-21's pack has 37 cards; a real one has a 38th, which no notation names."""
    description = games.description("luk-fu")
    job = Job(description, load(description))
    assert len(job.deck.pack) == 37
    assert list(job.deck.beside) == ["F"]
    assert "F" not in description.cards
    assert job.faces.count("F") == 1
    left, top, right, bottom = job.extras["F"].box()
    assert (right - left, bottom - top) == pytest.approx(job.card.sides, abs=4.5)


def test_the_sheets_end_with_them_and_have_room() -> None:
    description = games.description("ma-diao")
    job = Job(description, load(description))
    assert job.faces[:40] == [card.word for card in job.deck.pack]
    assert job.faces[40:] == list(job.extras)
    assert len(job.faces) <= job.sheets * job.grid.places < len(job.faces) + job.grid.places


def test_text_flows_from_card_to_card() -> None:
    """Lines of 1.33 sizes, 0.45 above a paragraph: five lines to a column of 15 mm. A heading takes two lines along."""
    told = {"A": ["one", "two", "three"], "B": ["four", "five"]}
    sections = [Section(head.lower(), head, [Paragraph(text) for text in texts]) for head, texts in told.items()]
    laid = flowed(sections, "en", 2.0, 50.0, repeat(15.0))
    assert [[text for _, _, text, _, _ in column] for column in laid] == [
        ["A", "one", "two", "three"],
        ["B", "four", "five"],
    ]
    assert [y for _, y, *_ in laid[1]] == pytest.approx([2.66, 6.22, 9.78])
    assert [(bold, first) for _, _, _, bold, first in laid[1]] == [(True, True), (False, True), (False, True)]


def test_a_table_keeps_its_columns_and_breaks_wide_cells() -> None:
    """Cells begin where those above begin. Where columns get less than 4.5 sizes, a row becomes a paragraph."""
    table = Paragraph("Tricks | 6 | 7\nPays | 1 | 2\nin all | two chips more | 3")

    def laid(width: float) -> list[tuple[float, str]]:
        (column,) = flowed([Section("a", "A", [table])], "en", 2.0, width, repeat(50.0))
        return [(round(x, 1), text) for x, _, text, _, _ in column[1:]]

    wide = laid(50.0)
    assert [text for _, text in wide] == ["Tricks", "6", "7", "Pays", "1", "2", "in all", "two chips more", "3"]
    assert [x for x, _ in wide[:3]] == [x for x, _ in wide[3:6]] == [x for x, _ in wide[6:]]
    narrow = laid(20.0)
    (second, _), (third, _) = narrow[1:3]
    assert narrow[6:] == [(0.0, "in all"), (second, "two chips"), (third, "3"), (second, "more")]
    assert laid(12.0)[:2] == [(0.0, "Tricks: 6, 7"), (0.0, "Pays: 1, 2")]
