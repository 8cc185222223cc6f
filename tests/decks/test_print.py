"""Cards on paper: how many, how large, where, with which fonts."""

import re
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest

from tests.decks.pictures import needed

needed("reportlab")

from tefuda import games  # noqa: E402
from tefuda.decks.data import Deck, by_name, load  # noqa: E402
from tefuda.decks.faces import LAYERS, Style  # noqa: E402
from tefuda.decks.fonts import REGULAR, lines, typeface  # noqa: E402
from tefuda.decks.print.sheets import TEXT, Job, write  # noqa: E402
from tefuda.decks.sizes import PAPERS, SIZES, Grid, PaperError, SizeError, grid  # noqa: E402  # noqa: E402
from tefuda.engine import bits  # noqa: E402
from tefuda.engine.rulebook import CODES  # noqa: E402
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue  # noqa: E402
from tefuda.games.ma_diao.cards import CARD_WORDS, RED_CARDS  # noqa: E402
from tefuda.games.ma_diao.state import RedSet  # noqa: E402

POINT = 25.4 / 72
SHEETS = {"six-tigers": 2, "woodcut": 2, "heroes": 2, "dominoes": 4, "komatsu": 2, "western": 6, "poker": 7}


def job(game: str, name: str = "", **options: object) -> Job:
    description = games.description(game)
    return Job(description, load(description, name), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("paper", PAPERS)
def test_sheets_of_cards_in_life_size(deck: Deck, paper: str) -> None:
    description = games.description(deck.game)
    assert Job(description, deck, paper=paper).sheets == SHEETS[deck.name]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("gutter", [False, True])
def test_cards_stand_inside_what_printers_reach(deck: Deck, paper: str, size: str, gutter: bool) -> None:
    where = grid(deck, paper, size, gutter)
    (width, height), (left, top) = PAPERS[paper], where.corner
    across, down = where.extent
    assert left >= 9.0 - 0.01
    assert width - left - across >= 9.0 - 0.01
    assert top >= 6.0 - 0.01
    assert height - top - down >= 6.0 - 0.01


def test_backs_meet_their_fronts(deck: Deck) -> None:
    """Turned over the long edge, the back of a card lies behind its face."""
    where = grid(deck)
    for place in range(where.places):
        (x, y), (back_x, back_y) = where.spot(place), where.spot(place, mirrored=True)
        assert where.paper[0] - (back_x + where.card[0]) == pytest.approx(x)
        assert back_y == y


def test_unknown_papers_and_sizes_are_refused_in_one_line() -> None:
    deck = load(games.description("luk-fu"))
    with pytest.raises(PaperError, match="no paper 'a3'"):
        grid(deck, "a3")
    with pytest.raises(SizeError, match="did you mean 'large'"):
        grid(deck, size="larg")


@pytest.fixture(scope="module")
def printed() -> tuple[Job, bytes]:
    """Luk Fu on both sides, in Japanese."""
    wanted = job("luk-fu", style=Style(language="ja"), backs=True, saving=True)
    seen: list[tuple[int, int]] = []
    content = write(wanted, lambda done, pages: seen.append((done, pages)))
    assert seen == [(done, 7) for done in range(1, 8)]
    return wanted, content


def test_pages_and_their_size(printed: tuple[Job, bytes]) -> None:
    reader = needed("pypdf").PdfReader(BytesIO(printed[1]))
    assert len(reader.pages) == printed[0].pages == 7
    for page in reader.pages:
        assert [float(side) * POINT for side in page.mediabox[2:]] == pytest.approx([210.0, 297.0], abs=0.1)


def test_fonts_are_embedded(printed: tuple[Job, bytes]) -> None:
    reader = needed("pypdf").PdfReader(BytesIO(printed[1]))
    for page in reader.pages:
        for font in page["/Resources"].get("/Font", {}).values():
            assert "/FontFile2" in font.get_object()["/FontDescriptor"].get_object()
    assert "古い札" in reader.pages[4].extract_text()


def test_the_same_deck_is_the_same_bytes(printed: tuple[Job, bytes]) -> None:
    assert write(printed[0]) == printed[1]


def test_crop_marks_are_a_card_apart(printed: tuple[Job, bytes]) -> None:
    """Lines measured from the page's own drawing operators: cuts 22 and 82 mm apart, a ruler of 100 mm."""
    reader = needed("pypdf").PdfReader(BytesIO(printed[1]))
    upright, level = _lines(reader.pages[0].get_contents().get_data().decode("latin-1"))
    across = sorted({round(x, 1) for x, length in upright if length == pytest.approx(3.5, abs=0.01)})
    down = sorted({round(y, 1) for y, length in level if length == pytest.approx(3.5, abs=0.01)})
    assert [b - a for a, b in pairwise(across)] == pytest.approx([22.0] * 8, abs=0.1)
    assert [b - a for a, b in pairwise(down)] == pytest.approx([82.0] * 3, abs=0.1)
    assert any(length == pytest.approx(100.0, abs=0.1) for _, length in level)


def _lines(stream: str) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Upright and level lines of a page: where they stand and how long they are, in millimetres."""
    number = r"(-?\d*\.?\d+)"
    upright, level = [], []
    for found in re.findall(rf"{number} {number} m {number} {number} l\sS", stream):
        x0, y0, x1, y1 = map(float, found)
        if x0 == x1:
            upright.append((x0, abs(y1 - y0)))
        if y0 == y1:
            level.append((y0, abs(x1 - x0)))
    return upright, level


def test_lines_break_where_they_may() -> None:
    face = typeface("ja", REGULAR)
    text = "四人のときは、ディーラーが「休み」になります（LF-6）。play or pass and go on"
    for width in range(20, 60, 3):
        broken = lines(text, face, 4.0, width)
        assert "".join(broken).replace(" ", "") == text.replace(" ", "")
        assert all(face.width(line, 4.0) <= width for line in broken)
        assert not any(line[0] in "、。）」ーィ" or line[-1] in "（「" for line in broken)


def test_a_game_that_teaches_nothing_is_printed_without_a_page_of_rules(tmp_path: Path) -> None:
    """A sixth game in another package: its own name, its own file, a catalogue with no more than it must have."""
    game = games.description("luk-fu")
    file = tmp_path / "own.toml"
    text = game.files.decks[0].read_text("utf-8").partition("[beside.")[0]
    file.write_text(text.replace('painter = "money"', 'painter = "dominoes"', 1), "utf-8")
    (tmp_path / "en.toml").write_text('title = "Sixth"\nnative = "Sixth"\nabout = "A game."\n[rules]\n', "utf-8")
    other = replace(game, name="sixth", files=replace(game.files, decks=(file,), texts=tmp_path))
    wanted = Job(other, load(other), Style(frozenset({"index"}), "zh-Hans"))
    assert wanted.pages == 3
    assert list(wanted.extras) == ["title"]
    assert len(needed("pypdf").PdfReader(BytesIO(write(wanted))).pages) == 3


@pytest.mark.deep
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_deck_is_printed_in_every_language(deck: Deck, language: str) -> None:
    wanted = Job(games.description(deck.game), deck, Style(language=language), paper="letter", backs=True)
    reader = needed("pypdf").PdfReader(BytesIO(write(wanted)))
    assert len(reader.pages) == wanted.pages
    for page in reader.pages:
        assert [float(side) * POINT for side in page.mediabox[2:]] == pytest.approx([215.9, 279.4], abs=0.1)
    assert wanted.rules.title in reader.pages[-1].extract_text().replace("\n", "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_of_rules_are_large_enough_to_read_and_complete(deck: Deck, language: str) -> None:
    """Nine points; no line lower than the page's margin; and what it says of cards it says by their names."""
    wanted = Job(games.description(deck.game), deck, Style(language=language), paper="letter")
    assert TEXT / POINT >= 9.0
    laid = [line for page in wanted.booklet for column in page for line in column]
    assert len(wanted.booklet) <= 2
    assert all(y <= 279.4 - 2 * 13.0 for _, y, *_ in laid)
    texts = [text for part in wanted.told for text in (part.heading, *(each.text for each in part.paragraphs))]
    # Of a table, whose broken cells stand side by side, the lines have the characters in another order.
    assert sorted("".join(text for _, _, text, _, _ in laid).replace(" ", "")) == sorted(
        re.sub(r"[ |\n]", "", "".join(texts))
    )
    assert not any(re.search(rf"\[{wanted.game.rules.prefix}-", text) for text in texts)
    said = "".join(each.text for part in wanted.rules.sections for each in part.paragraphs if part.key != CODES)
    assert "`" not in said
    words = [word for word in deck.cards if not word.isdecimal()]
    assert not [word for word in words if re.search(rf"\b{word}\b", said, re.ASCII)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_lists_the_red_cards_of_the_rule(language: str) -> None:
    """MD-10: ten names, one after another, and no others."""
    wanted = job("ma-diao", style=Style(language=language))
    reds = ["TM", "TQ", "TB", "W9", "W8", "S9", "S8", "C9", "C8", "C0"]
    assert bits.of(map(CARD_WORDS.index, reds)) == RED_CARDS[RedSet.PAGE]
    comma = catalogue(TEXTS, language)("page.wording.comma")
    said = "".join(each.text for section in wanted.rules.sections for each in section.paragraphs)
    assert by_name(wanted.deck, language, comma)(" ".join(reds)) in said


def test_letters_of_suits_are_explained_where_cards_show_them() -> None:
    reader = needed("pypdf").PdfReader(BytesIO(write(job("luk-fu", style=Style(frozenset(LAYERS))))))
    text = reader.pages[2].extract_text()
    assert all(said in text for said in ("C · cash", "S · strings", "K · kwan", "T · tens"))


def test_a_grid_counts_its_places() -> None:
    where = Grid((210.0, 297.0), (22.0, 82.0), 8, 3, 2.0)
    assert where.places == 24
    assert where.extent == (190.0, 250.0)
    assert where.cuts()[0][:3] == [10.0, 32.0, 34.0]


@pytest.mark.parametrize(("game", "deals"), [("luk-fu", 12), ("ma-diao", 16), ("gong-zhu", 24)])
def test_the_score_sheet_has_a_line_for_every_deal_of_a_game(game: str, deals: int) -> None:
    """LF-56, MD-47; Gong Zhu ends by points (GZ-24), so the sheet is as long as the paper."""
    text = needed("pypdf").PdfReader(BytesIO(write(job(game)))).pages[-1].extract_text()
    assert [int(line) for line in text.splitlines() if line.isdecimal()] == list(range(1, deals + 1))
    assert {"Deal", "Dealer"} <= set(text.splitlines())
