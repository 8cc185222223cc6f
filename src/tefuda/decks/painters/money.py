"""Money cards of the Hakka kind: a brush-written numeral above, the suit below, a seal on the red cards."""

from tefuda.decks.data import Card
from tefuda.decks.fonts import BLACK, typeface
from tefuda.decks.frame import Frame
from tefuda.decks.glyphs import glyph
from tefuda.decks.painters.rows import rules
from tefuda.decks.shapes import Drawing, drawing, fitted, line, moved, scaled
from tefuda.decks.signs import sign_of
from tefuda.decks.signs.money import numeral
from tefuda.decks.signs.plain import chop


def paint(card: Card, frame: Frame) -> Drawing:
    """A numeral over the sign of the suit."""
    panel = frame.inside(1.5)
    above, below = panel.down(0.0, 0.5), panel.down(0.53, 1.0)
    middle = panel.y + panel.height * 0.515
    marks = chop(panel.middle, middle, card.seal, 6.2) if card.red else _knot(panel.middle, middle, panel.width)
    sign = fitted(sign_of(card.suit.sign), below.middle, below.centre, panel.width * 0.8, below.height * 0.74)
    return drawing(rules(panel, ink="red" if card.red else "black"), _upper(card, above), sign, marks)


def _upper(card: Card, frame: Frame) -> Drawing:
    wide = min(frame.width * 0.375, frame.height * 0.34)
    text = card.art.get("upper", "" if card.place else "錢")
    if text:
        face = typeface("zh-Hant", BLACK)
        size = min(wide * 1.75, frame.height * 0.74 / len(text))
        first = frame.centre - 0.8 - size * 0.52 * (len(text) - 1)
        return drawing(
            *(
                moved(glyph(each, size, face), frame.middle, first + size * 1.04 * place)
                for place, each in enumerate(text)
            )
        )
    return moved(scaled(numeral(card.index), wide, min(wide * 1.8, frame.height * 0.42)), frame.middle, frame.centre)


def _knot(x: float, y: float, width: float) -> Drawing:
    """What parts the number from its suit: a fine rule with a lozenge."""
    reach = width * 0.32
    return drawing(
        line((x - reach, y), (x - 1.3, y), width=0.25),
        line((x + 1.3, y), (x + reach, y), width=0.25),
        line((x - 0.7, y), (x, y - 0.7), (x + 0.7, y), (x, y + 0.7), (x - 0.7, y), width=0.25),
    )
