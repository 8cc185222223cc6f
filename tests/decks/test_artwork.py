"""Drawings as data: every part is there, what editors write is read, what is wrong is told in one line."""

from pathlib import Path

import pytest

from tefuda import games
from tefuda.decks import data
from tefuda.decks.artwork import FOLDER, SIGNS, ArtError, Sheet, shared, sheet, sign_of
from tefuda.decks.data import Deck
from tefuda.decks.faces import Style, face
from tefuda.decks.shapes import Placed, Shape, ellipse, flattened
from tests.decks.pictures import needed

needed("fontTools")

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'


def drawn(tmp_path: Path, inside: str) -> Sheet:
    file = tmp_path / "own.svg"
    file.write_text(f"{HEAD}{inside}</svg>", "utf-8")
    return Sheet(file)


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.svg")))
def test_every_part_of_every_file_is_drawn(name: str) -> None:
    file = shared(name)
    assert len(file) >= 1
    assert [part for part in file if not file[part]] == ["none"] * ("none" in file)


def test_signs_are_about_as_large_as_the_circle_of_radius_1() -> None:
    for name in (name for file in map(shared, SIGNS) for name in file if name != "branch"):
        assert 0.55 <= max(map(abs, sign_of(name).box())) <= 1.25, name


def test_parts_that_decks_name_are_there(deck: Deck) -> None:
    for kind in ("hat", "beard", "robe", "arms"):
        named = {card.art[kind] for card in deck.cards.values() if kind in card.art}
        assert named <= set(shared({"robe": "robes", "hat": "hats", "beard": "beards"}.get(kind, kind)))


def test_what_an_editor_writes_is_read(tmp_path: Path) -> None:
    """Styles, inherited and overridden inks, relative paths, copies, transforms inside and outside of a part."""
    file = drawn(
        tmp_path,
        """<title>x</title><g transform="translate(50,7)"><g id="dot" style="fill:#ff0000;stroke:none">
        <g transform="translate(1 2)"><path d="m 0,0 h 2 v 2 h -2 z" style="stroke:#000000;stroke-width:0.5px"/></g>
        <circle cx="1" cy="1" r="3" fill="white"/><rect width="4" height="2" fill="#12ab34" transform="scale(2)"/>
        </g></g><g id="two"><use xlink:href="#dot" x="10" transform="rotate(90)"/><line x2="3" stroke="black"/></g>""",
    )
    square, disc, block = file["dot"]
    assert square.shape == Shape((("M", 0, 0), ("L", 2, 0), ("L", 2, 2), ("L", 0, 2), ("Z",)), "red", "black", 0.5)
    assert square.matrix == (1, 0, 0, 1, 1, 2)
    assert disc == Placed(ellipse(1, 1, 3, 3, fill="paper", width=0.0))
    assert (block.shape.fill, block.matrix[0]) == ("#12ab34", 2)
    assert flattened(file["two"][0])[0][0] == ("M", -2, 11)
    assert list(file) == ["dot", "two"]


def test_curves_of_every_kind_become_cubic(tmp_path: Path) -> None:
    (part,) = drawn(tmp_path, '<g id="a"><path d="M0 0Q1 2 2 0T4 0A1 1 0 0 1 6 0"/></g>')["a"]
    assert {command[0] for command in part.shape.path} == {"M", "C"}
    assert part.shape.path[1] == pytest.approx(("C", 2 / 3, 4 / 3, 4 / 3, 4 / 3, 2, 0))


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        ('<g id="a"><text>x</text></g>', "own.svg: part 'a': <text> cannot be drawn: make a path of it"),
        ('<g id="a"><path d="M0 0L1 1" fill="url(#x)"/></g>', "own.svg: part 'a': 'url(#x)' is no colour"),
        ('<g id="a"><use href="#b"/></g>', "own.svg: part 'a': it copies 'b', which is not there"),
        ('<g id="a"><path/></g>', "own.svg: part 'a': "),
        ('<g id="a" transform="skewX(3)"/>', "own.svg: part 'a': the transform skewX of 1 numbers is not known"),
        ('<g id="aa"/>', "own.svg: there is no part 'a'; did you mean 'aa'"),
    ],
)
def test_what_is_wrong_with_a_drawing_is_said_in_one_line(tmp_path: Path, inside: str, said: str) -> None:
    with pytest.raises(ArtError) as caught:
        drawn(tmp_path, inside)["a"]
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_drawing_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "bad.svg").write_text("<svg><g></svg>", "utf-8")
    with pytest.raises(ArtError, match=r"^bad\.svg: this is no well-formed SVG: mismatched tag"):
        sheet(tmp_path / "bad.svg")
    with pytest.raises(ArtError, match=r"none\.svg: No such file"):
        sheet(tmp_path / "none.svg")


def test_a_deck_brings_signs_of_its_own(tmp_path: Path) -> None:
    game = games.description("luk-fu")
    text = game.files.decks[0].read_text("utf-8").replace('sign = "ten"', 'sign = "own.svg#dragon"')
    (tmp_path / "own.toml").write_text(text, "utf-8")
    own = drawn(tmp_path, '<g id="dragon"><circle r="1" fill="#12ab34"/></g>')
    deck = data._read(game.name, game.cards, tmp_path / "own.toml")
    assert sign_of(deck.cards["T9"].suit.sign) == own["dragon"]
    assert "#12ab34" in {part.shape.fill for part in face(deck, deck.cards["T9"], Style(frozenset({"traditional"})))}
    assert "#12ab34" not in {part.shape.fill for part in face(deck, deck.cards["S9"], Style())}
