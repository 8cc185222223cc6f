"""Tuck boxes: as large as the cards, as deep as the pack, on paper that holds them."""

from io import BytesIO

import pytest

from tests.decks.pictures import needed

needed("reportlab")

from tefuda import games  # noqa: E402
from tefuda.decks.data import load  # noqa: E402
from tefuda.decks.faces import Style  # noqa: E402
from tefuda.decks.print.sheets import Job  # noqa: E402
from tefuda.decks.print.tuck_box import ROOM, box, write_box  # noqa: E402
from tefuda.decks.sizes import PaperError, SizeError  # noqa: E402
from tefuda.engine.texts import LANGUAGES  # noqa: E402


def job(game: str, size: str = "life", language: str = "en", paper: str = "a4") -> Job:
    description = games.description(game)
    return Job(description, load(description), Style(language=language), paper, size)


def test_a_box_is_as_large_as_its_cards_and_as_deep_as_the_pack() -> None:
    """40 and 84 cards, a title, and two and one cards to look things up."""
    made = box(job("ma-diao", "poker"), 0.3)
    assert (made.width, made.height) == (63 + ROOM, 88 + ROOM)
    assert made.depth == pytest.approx(43 * 0.3 + ROOM)
    assert made.flat == pytest.approx((10 + 2 * (64.5 + 14.4), 89.5 + 2 * (14.4 + 15)))
    assert box(job("sap-ng-wu", "poker"), 0.3).depth == pytest.approx(86 * 0.3 + ROOM)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_box_says_what_it_is_and_what_to_do(language: str) -> None:
    wanted = job("ma-diao", "poker", language)
    content = write_box(wanted)
    assert content == write_box(wanted)
    (page,) = needed("pypdf").PdfReader(BytesIO(content)).pages
    text = page.extract_text().replace("\n", "")
    assert wanted.rules.native in text
    assert wanted.word("box", count=len(wanted.faces), width=63, height=88, thickness=0.32).replace(
        " ", ""
    ) in text.replace(" ", "")


def test_a_box_that_fits_only_so_lies_on_its_side() -> None:
    wide = needed("pypdf").PdfReader(BytesIO(write_box(job("gong-zhu", "jumbo")))).pages[0].mediabox
    assert wide[2] > wide[3]


def test_a_box_larger_than_the_paper_is_refused_in_one_line() -> None:
    with pytest.raises(PaperError, match="the box for 86 such cards is 249 × 216 mm before it is folded"):
        write_box(job("sap-ng-wu", "jumbo"))
    with pytest.raises(SizeError, match=r"a card 5 mm thick: it must be from 0\.1 to 2 mm"):
        write_box(job("luk-fu"), 5)


def test_no_cut_crosses_another_panel() -> None:
    """Everything stands on the sheet that the measures promise."""
    from tefuda.decks.print.tuck_box import GLUE, TUCK, _dieline
    from tefuda.decks.shapes import drawing

    for game, size in (("luk-fu", "life"), ("sap-ng-wu", "poker"), ("gong-zhu", "mini")):
        made = box(job(game, size))
        left, top, right, bottom = drawing(*_dieline(made)).box()
        assert left == pytest.approx(-GLUE, abs=0.2)
        assert right - left == pytest.approx(made.flat[0], abs=0.4)
        assert top == pytest.approx(-made.depth - TUCK, abs=0.2)
        assert bottom - top == pytest.approx(made.flat[1], abs=0.4)
