"""Faces of people and bots: an animal of the zodiac on a coloured disc, a flower with a face.

A face has a code, such as ``tiger-3``: the animal and the colour, or the flower and how many leaves it has, one for the
weakest level of bots."""

import re
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

import tefuda
from tefuda.bots.players import LEVELS, levels
from tefuda.engine.description import Description

ANIMALS = ("rat", "ox", "tiger", "rabbit", "dragon", "snake", "horse", "goat", "monkey", "rooster", "dog", "pig")

COLOURS = ("#f0c9a4", "#bcd6b4", "#b5d2e2", "#d8c3e4", "#f2b8ae", "#e9dc9d")
"""Colours of the discs behind animals."""

FLOWERS = ("plum", "peony", "aster", "lotus", "camellia", "iris", "cherry", "bluebell")  # the bots, by seat
MOST_LEAVES = 4  # most leaves that a flower has

GROUND = "#e7efe3"

_DRAWINGS = Path(tefuda.__file__).parent / "web" / "faces"

_CODE = re.compile(r"([a-z-]+)-([0-9])")

MOST_IN_ROW = 8  # faces in one drawing: as many as people sit at a table


def usual_face(of: str) -> str:
    """The face of a person who has chosen none: the same for the same text."""
    number = int.from_bytes(sha256(of.encode()).digest()[:4], "big")
    return f"{ANIMALS[number % len(ANIMALS)]}-{number // len(ANIMALS) % len(COLOURS)}"


def bot_face(seat: int, level: int) -> str:
    """The face of a bot at a seat; ``level``, from 1, is that of its play, 0 if it is of none."""
    return f"{FLOWERS[seat % len(FLOWERS)]}-{level}"


def animal_of(face: str) -> str:
    """The animal of a person's face; empty if the code is no person's."""
    name, _, number = face.rpartition("-")
    return name if name in ANIMALS and number.isdecimal() and int(number) < len(COLOURS) else ""


@cache
def face_svg(face: str) -> str | None:
    """The drawing of a face; None if there is no such face."""
    found = _CODE.fullmatch(face)
    if found is None:
        return None
    name, number = found[1], int(found[2])
    if animal_of(face):
        return _disc(COLOURS[number], _drawing(name))
    if name in FLOWERS and number <= MOST_LEAVES:
        return _disc(GROUND, _leaves(number) + _drawing(name))
    return None


def faces_svg(faces: str) -> str | None:
    """Faces in a row, such as ``tiger-3+plum-1``: a table asks for them at once. None if there is no such face."""
    drawn = [face_svg(face) for face in faces.split("+")[: MOST_IN_ROW + 1]]
    known = [each for each in drawn if each is not None]
    if len(known) < len(drawn) or len(drawn) > MOST_IN_ROW:
        return None
    row = (svg.replace("<svg ", f'<svg x="{64 * place}" width="64" height="64" ', 1) for place, svg in enumerate(known))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {64 * len(known)} 64">{"".join(row)}</svg>\n'


def _disc(colour: str, inside: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
        f'<circle cx="32" cy="32" r="32" fill="{colour}"/>{inside}</svg>\n'
    )


def _drawing(name: str) -> str:
    """The parts of an animal or a flower, from its file."""
    return (_DRAWINGS / f"{name}.svg").read_text("utf-8").partition(">")[2].rpartition("</svg>")[0]


def _leaves(count: int) -> str:
    """Leaves below the flower, side by side."""
    step = 12
    first = 32 - step * (count - 1) / 2
    return "".join(
        f'<path d="M{first + step * place:g} 50c5 2 5 8 0 12c-5-4-5-10 0-12z" fill="#3f7d4e"/>'
        for place in range(count)
    )


@lru_cache(256)
def level_of(game: Description, spec: str) -> str:
    """The level, one of ``LEVELS``, for which this bot stands in a game; empty if it is of none."""
    known = levels(game)
    return next((level for level in LEVELS if spec in known[level].bots), "")


def level_number(game: Description, spec: str) -> int:
    """The number of that level, from 1, the weakest; 0 if it is of none."""
    level = level_of(game, spec)
    return 1 + LEVELS.index(level) if level else 0
