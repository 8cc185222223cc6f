"""Ma Diao: how a view is laid out, and what is told of each play."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from tefuda.engine import bits
from tefuda.engine.description import Sentence
from tefuda.engine.scene import UNSEEN, Face, Group, Scene, SeatScene
from tefuda.engine.texts import signed
from tefuda.games.ma_diao import scoring
from tefuda.games.ma_diao.bonuses import bonuses
from tefuda.games.ma_diao.names import SUIT_TEXTS
from tefuda.games.ma_diao.notation import DOWN, card_list
from tefuda.games.ma_diao.rules import NOBODY, cards_seen, may_beat
from tefuda.games.ma_diao.state import (
    CARD_WORDS,
    DECLARING,
    FACE_UP,
    FEMALE_STRIKERS,
    FOUR_REDS,
    HAND,
    MALE_STRIKER,
    NOT_PLAYED,
    OVER,
    PLAYING,
    REFUSING,
    SEATS,
    SECONDS,
    SUIT_CARDS,
    SUIT_OF,
    THREE_OPENED,
    TOPS,
    UNIT,
    WHOLE_TABLE_TRICKS,
)

PHASE_TEXTS = ("phase.declaring", "phase.refusing", "phase.playing", "phase.over")

# What stands on the cards, suit by suit and weakest first.
_FIGURES = "一二三四五六七八九"
_NAMES = (
    *(f"{figure}十万" for figure in _FIGURES[1:]),
    *("百万", "千万", "万万"),
    *(f"{figure}万" for figure in _FIGURES),
    *(f"{figure}索" for figure in _FIGURES),
    *(f"{figure}銭" for figure in reversed(_FIGURES)),
    *("半文銭", "空没文"),
)

# Colours that people with any kind of colour vision can tell apart (Okabe and Ito); sign and letter say it too.
_SIGNS = "十万索銭"
_COLOURS = ("#cc79a7", "#e69f00", "#00c08b", "#56b4e9")
FACES = {
    word: Face(_SIGNS[SUIT_OF[card]] + word, _COLOURS[SUIT_OF[card]], _NAMES[card])
    for card, word in enumerate(CARD_WORDS)
}

_STRIKERS = FEMALE_STRIKERS | bits.of((MALE_STRIKER,))
_SETS = (("scene.three_opened_left", THREE_OPENED), ("scene.four_reds_left", FOUR_REDS))
_WORTH_TELLING = 2
"""Tricks after which somebody who has won them all is on his way to the whole table."""

Note = tuple[str, Mapping[str, str]]


def scene(view: Any) -> Scene:
    """The table as the viewer sees it."""
    return Scene(
        phase=PHASE_TEXTS[view.phase],
        number=int(view.number) + 1 if view.phase == PLAYING else 0,
        tricks=HAND,
        hand=_hand(view) if view.viewer >= 0 else (),
        seats=tuple(_seat(view, seat) for seat in range(SEATS)),
        mark="scene.beats",
        reference=_reference(view),
        middle=_middle(view),
        lead=(int(view.turn) - int(view.placed)) % SEATS if view.phase == PLAYING else -1,
    )


@lru_cache(1024)  # all seats see much of the same, and go on seeing it
def _words(cards: int) -> tuple[str, ...]:
    """Suit by suit, strongest card first."""
    suits = (bits.members_of(cards & suit) for suit in SUIT_CARDS)
    return tuple(CARD_WORDS[card] for members in suits for card in reversed(members))


def _hand(view: Any) -> tuple[Group, ...]:
    """MD-24: the cards that beat are marked for a player who follows."""
    cards = int(view.hands[view.viewer])
    follows = view.phase == PLAYING and view.turn == view.viewer and view.placed > 0
    beating = int(may_beat(view, cards)) if follows else bits.EMPTY
    suits = [(label, cards & suit) for label, suit in zip(SUIT_TEXTS, SUIT_CARDS, strict=True) if cards & suit]
    return tuple(Group(label, _words(held), _words(held & beating)) for label, held in suits)


def _reference(view: Any) -> tuple[Group, ...]:
    """MD-31, MD-32: the tops that count in this deal, and the strikers."""
    return (
        Group("scene.tops", _words(int(scoring.counting_tops(view)))),
        Group("scene.strikers", _words(_STRIKERS)),
    )


def _middle(view: Any) -> tuple[Note, ...]:
    """MD-9, MD-31: the cards of the stock that everybody sees, and the second that the face card makes a top."""
    stock = [("scene.face", view.face), ("scene.bottom", view.bottom)]
    if view.face in TOPS:
        stock.append(("scene.promoted", SECONDS[TOPS.index(view.face)]))
    return tuple((label, {"card": CARD_WORDS[card]}) for label, card in stock if card != NOBODY)


# One player


def _seat(view: Any, seat: int) -> SeatScene:
    """MD-28: what he has won with, pushed forward; his other cards in order, as he has played them."""
    piles = (("scene.won", _won(view, seat)), ("scene.row", _row(view, seat)), ("scene.shown", _laid_open(view, seat)))
    return SeatScene(
        held=int(view.held[seat]),
        played=_placed(view, seat, int(view.number)) if view.phase == PLAYING else "",
        piles=tuple(Group(label, words) for label, words in piles if words),
        total=int(view.totals[seat]),
        side=seat,
        notes=tuple(_notes(view, seat)),
    )


def _placed(view: Any, seat: int, number: int) -> str:
    """This player's card to a trick as the viewer knows it; empty if he has not played to it."""
    row, orientation = view.rows[seat], view.orientation[seat]
    if number >= HAND or orientation[number] == NOT_PLAYED:
        return ""
    if orientation[number] == FACE_UP:
        return CARD_WORDS[row[number]]
    own = int(view.thrown[seat][number])
    card = bits.lowest(own) if own else int(row[number])
    return UNSEEN if card == NOBODY else DOWN + CARD_WORDS[card]


def _won(view: Any, seat: int) -> tuple[str, ...]:
    """In the order of the tricks; those of tricks that nobody has seen first."""
    cards = int(view.won[seat])
    rows = [int(card) for card in view.rows[seat] if card != NOBODY and bits.has(cards, card)]
    return (*_words(bits.without(cards, bits.of(rows))), *(CARD_WORDS[card] for card in rows))


def _row(view: Any, seat: int) -> tuple[str, ...]:
    """What has not won, of the tricks that are finished."""
    placed = (_placed(view, seat, k) for k in range(int(view.number)))
    won = set(_won(view, seat))
    return tuple(word for word in placed if word and word not in won)


def _laid_open(view: Any, seat: int) -> tuple[str, ...]:
    return _words(int(view.laid_open[seat]))


def _notes(view: Any, seat: int) -> Iterator[Note]:
    """Who deals; tricks; what this player's cards bring if play ended now, and what they are on the way to."""
    if seat == view.dealer:
        yield "scene.dealer", {}
    if view.phase in (DECLARING, REFUSING) or view.declared or view.refuser != NOBODY:
        return
    yield _tricks(view, seat)
    for bonus in bonuses(view, seat):
        yield f"bonus.{bonus.name}", {"points": signed(bonus.amount, UNIT)}
    if view.phase == PLAYING:
        yield from _prospects(view, seat)


def _tricks(view: Any, seat: int) -> Note:
    """MD-29."""
    tricks = int(scoring.tricks_of(view, seat))
    if tricks >= scoring.HOME_TRICKS:
        return "scene.home", {"tricks": str(tricks)}
    return ("scene.one_trick" if tricks else "scene.no_tricks"), {}


def _prospects(view: Any, seat: int) -> Iterator[Note]:
    """Bonuses that one thing is missing for, as far as the viewer can tell."""
    won = int(view.won[seat])
    if won & scoring.counting_tops(view) and not scoring.is_home(view, seat):
        yield "scene.tops_waiting", {}
    if won & _STRIKERS and not scoring.small_strike(view, seat):
        yield "scene.strikers_waiting", {"cards": card_list(won & _STRIKERS)}
    for code, cards in _SETS:
        missing = bits.without(cards, won)
        if bits.size(missing) == 1 and not missing & _not_to_come(view, seat):
            yield code, {"count": str(bits.size(cards & won))}
    if view.number >= _WORTH_TELLING and bits.size(won) == view.number < WHOLE_TABLE_TRICKS:
        yield "scene.whole_table_left", {"count": str(view.number)}


def _not_to_come(view: Any, seat: int) -> int:
    """The cards with which this player can win no trick any more, as far as the viewer can tell."""
    shown = bits.of(card for card in (view.face, view.bottom) if card != NOBODY)
    for other in range(SEATS):
        shown |= int(cards_seen(view, other))
    me = int(view.viewer)
    if me < 0:
        return shown
    own = int(view.dealt[me])
    return shown | bits.without(own, int(view.hands[me])) if seat == me else shown | own


# What is told


def events(before: Any, seat: int, word: str, after: Any) -> list[Sentence]:
    """What is worth telling of a play: what all have answered before play, a finished trick."""
    if before.phase == DECLARING:
        return [] if after.phase == DECLARING else _declared(after)
    if word == "refuse":
        return [Sentence("events.refuse", {"seat": f"#{seat}"})]
    if before.phase == REFUSING:
        return [Sentence("events.fight", {"seat": f"#{after.turn}"})] if after.phase == PLAYING else []
    return [] if after.number == before.number else _trick(before, seat, word, after)


def _declared(after: Any) -> list[Sentence]:
    """MD-16: told when all have answered."""
    declarers = [seat for seat in range(SEATS) if bits.has(after.declared, seat)]
    if not declarers:
        return [Sentence("events.nobody_declares")]
    return [
        Sentence("events.declares", {"seat": f"#{seat}", "cards": " ".join(_laid_open(after, seat))})
        for seat in declarers
    ]


def _trick(before: Any, seat: int, word: str, after: Any) -> list[Sentence]:
    """MD-27, MD-45; what others have thrown stays face down until the settlement."""
    number, winner = int(before.number), int(before.best_seat) if word.startswith(DOWN) else seat
    order = [(seat + 1 + k) % SEATS for k in range(SEATS)]
    fields = {
        "number": str(number + 1),
        "plays": ", ".join(f"#{player} {_placed(after, player, number)}" for player in order),
        "seat": f"#{winner}",
        "tricks": str(bits.size(after.won[winner])),
    }
    given = [Sentence("events.given", {"seat": f"#{winner}"})] if after.number > number + 1 else []
    if after.phase == OVER and after.accuser_card != NOBODY:
        return [*given, Sentence("events.trick_accuser", {**fields, "card": CARD_WORDS[after.accuser_card]})]
    return [*given, Sentence("events.trick", fields)]
