"""A view as a picture for notebooks: what the view's scene says, drawn with the cards of the game's deck."""

from collections.abc import Sequence

from tefuda.engine.description import Description
from tefuda.engine.scene import Scene, SeatScene
from tefuda.engine.sentence import Sentence
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue, signed
from tefuda.table.reasons import say_line, seat_name

LANGUAGE = LANGUAGES[0]


def table_picture(game: Description, scene: Scene, hands: Sequence[Sequence[str]], near: int, mover: int) -> str | None:
    """Draw a table as SVG.

    Args:
        game: whose first deck is drawn.
        scene: of the view that is shown.
        hands: by seat, the words of the cards that are shown; the others are drawn from the back.
        near: the seat at the lower edge.
        mover: whose turn it is; −1 if nobody's.

    Returns:
        The SVG; None if the game has no deck, or what draws it (the extra ``decks``) is not installed.
    """
    if not game.files.decks:
        return None
    from tefuda.decks import data, table  # fonts and drawings take a while: only who draws waits for them

    texts, words = catalogue(game.files.texts, LANGUAGE), catalogue(TEXTS, LANGUAGE)
    title = f"{texts('title')} {texts('native')} · {texts(scene.phase)}"
    if scene.number:
        title += f" · {words('play.trick', number=scene.number, tricks=scene.tricks)}"
    places = [
        table.Place(
            name=seat_name(seat, LANGUAGE),
            facts=_facts(game, place),
            hand=hands[seat],
            held=place.held,
            played=place.played.rpartition(":")[2].split("+") if place.played else (),
            piles=[(texts(pile.label), pile.cards) for pile in place.piles],
            turn=seat == mover,
        )
        for seat, place in enumerate(scene.seats)
    ]
    middle = [_said(game, Sentence(code, fields)) for code, fields in scene.middle]
    try:
        return table.table_svg(data.load(game), title, places, near, max(scene.lead, 0), middle)
    except ModuleNotFoundError:
        return None


def _facts(game: Description, place: SeatScene) -> list[str]:
    words = catalogue(TEXTS, LANGUAGE)
    held = words("play.held", count=place.held)
    total = [words("play.total", points=signed(place.total, game.rules.unit))] if place.total else []
    notes = [_said(game, Sentence(code, fields)) for code, fields in place.notes]
    return [" · ".join([held, *total]), *notes]


def _said(game: Description, line: Sentence) -> str:
    return say_line(game, line, LANGUAGE)
