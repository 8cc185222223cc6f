"""Ma Diao: how a view is laid out, and what is told of each play."""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

import numpy as np

from tefuda.engine.kit import NOBODY, Sentence, bits, common, reads_public, signed
from tefuda.engine.scene import BLUE, GREEN, ORANGE, PURPLE, UNSEEN, Face, Group, SceneParts, SeatScene, places
from tefuda.games.ma_diao import cards, scoring
from tefuda.games.ma_diao.cards import CARD_WORDS, SUIT_CARDS, SUIT_OF, SUIT_TEXTS, SUIT_WORDS, card_list
from tefuda.games.ma_diao.rules import may_beat, open_cards
from tefuda.games.ma_diao.state import HAND, SEATS, UNIT, WHOLE_TABLE, Phase, Side, State
from tefuda.games.ma_diao.words import DOWN

counting_tops, cards_shown = reads_public(scoring.counting_tops), reads_public(open_cards)
standings = reads_public(scoring.standings)  # and what that seat was dealt: its own place is laid out apart

PHASE_TEXTS = ("phase.declaring", "phase.refusing", "phase.playing", "phase.over")

# What stands on the cards, suit by suit and weakest first.
_FIGURES = "一二三四五六七八九"
_NAMES = (
    *(f"{figure}十萬" for figure in _FIGURES[1:]),
    *("百萬", "千萬", "萬萬"),
    *(f"{figure}萬" for figure in _FIGURES),
    *(f"{figure}索" for figure in _FIGURES),
    *(f"{figure}錢" for figure in reversed(_FIGURES)),
    *("半文錢", "空沒文"),
)

# Sign and letter say the suit too.
_SIGNS = "十萬索錢"
_COLOURS = (PURPLE, ORANGE, GREEN, BLUE)
FACES = {
    word: Face(_SIGNS[suit] + word, _COLOURS[suit], name, len(SUIT_WORDS[suit]) - SUIT_WORDS[suit].index(word))
    for word, suit, name in zip(CARD_WORDS, SUIT_OF, _NAMES, strict=True)
}

_SETS = (("scene.three_opened_left", cards.THREE_OPENED), ("scene.four_reds_left", cards.FOUR_REDS))
_WORTH_TELLING = 2  # tricks after which somebody who has won them all is on the way to the whole table

Note = tuple[str, Mapping[str, str]]


def own_scene(view: State) -> SceneParts:
    """The hand, and the places: players see more of their own than the others do."""
    return {"hand": _hand(view) if view.viewer >= 0 else (), "seats": places(view, _seat, _own_seat)}


def shared_scene(view: State) -> SceneParts:
    """All but the hand and the players' places."""
    playing = view.phase == Phase.PLAYING
    return {
        "phase": PHASE_TEXTS[view.phase],
        "number": int(view.number) + 1 if playing else 0,
        "tricks": HAND,
        "mark": "scene.beats",
        "reference": _reference(common(view, counting_tops)),
        "middle": _middle(view),
        "lead": (int(view.turn) - int(view.placed)) % SEATS if playing else -1,
        "winning": int(view.best_seat) if playing and view.placed else -1,
        "stake": tuple(_stake(view)) if playing and view.placed else (),
    }


@cache
def _reference(tops: int) -> tuple[Group, ...]:
    """MD-24, MD-31, MD-32: the ranks, and the cards that bring something."""
    return (
        *(Group(label, _words(suit)) for label, suit in zip(SUIT_TEXTS, SUIT_CARDS, strict=True)),
        Group("scene.tops", _words(tops)),
        Group("scene.strikers", _words(cards.STRIKERS)),
    )


def _stake(view: State) -> Iterator[Note]:
    """MD-29, MD-31: the trick that brings the player ahead home, and a top that wins it."""
    if bits.size(view.won[view.best_seat]) == scoring.HOME_TRICKS - 1:
        yield "scene.stake_home", {"seat": f"#{view.best_seat}"}
    if bits.has(counting_tops(view), view.best_card):
        yield "scene.stake_top", {"card": CARD_WORDS[view.best_card]}


@lru_cache(1024)  # all seats see much of the same, and go on seeing it
def _words(some: int) -> tuple[str, ...]:
    """Suit by suit, strongest card first."""
    suits = (bits.members_of(some & suit) for suit in SUIT_CARDS)
    return tuple(CARD_WORDS[card] for members in suits for card in reversed(members))


def _hand(view: State) -> tuple[Group, ...]:
    """MD-24: the cards that beat are marked for a player who follows."""
    hand = int(view.hands[view.viewer])
    follows = view.phase == Phase.PLAYING and view.turn == view.viewer and view.placed > 0
    return _by_suit(hand, int(may_beat(view, hand)) if follows else bits.EMPTY)


@lru_cache(1024)  # a hand stays as it is while the others play
def _by_suit(hand: int, marked: int) -> tuple[Group, ...]:
    suits = ((label, hand & suit) for label, suit in zip(SUIT_TEXTS, SUIT_CARDS, strict=True))
    return tuple(Group(label, _words(held), _words(held & marked)) for label, held in suits if held)


def _middle(view: State) -> tuple[Note, ...]:
    """MD-9, MD-31: the cards of the stock that everybody sees, and the second that the face card makes a top."""
    stock = [("scene.face", view.face), ("scene.bottom", view.bottom)]
    if view.face in cards.TOPS:
        stock.append(("scene.promoted", cards.SECONDS[cards.TOPS.index(view.face)]))
    return tuple((label, {"card": CARD_WORDS[card]}) for label, card in stock if card != NOBODY)


def _seat(view: State, seat: int) -> SeatScene:
    """The place as everybody sees it."""
    return _place(view, seat, _NONE_THROWN, common(view, _standings)[seat])


def _own_seat(view: State, seat: int) -> SeatScene:
    """The player's own place, with the cards thrown. MD-33 to MD-38: the player who was dealt the Hundred knows already
    what it brings."""
    standing = _standings(view) if bits.has(view.dealt[seat], cards.HUNDRED) else common(view, _standings)
    return _place(view, seat, tuple(view.thrown[seat].tolist()), standing[seat])


def _place(view: State, seat: int, thrown: tuple[int, ...], standing: list[int]) -> SeatScene:
    cards_played, sides = tuple(view.rows[seat].tolist()), tuple(view.orientation[seat].tolist())
    placed, won, row = _laid(cards_played, sides, thrown, int(view.won[seat]), int(view.number))
    piles = (("scene.won", won), ("scene.row", row), ("scene.shown", _words(int(view.laid_open[seat]))))
    played = placed if view.phase == Phase.PLAYING else ""
    groups = tuple(Group(label, words) for label, words in piles if words)
    notes = tuple(_notes(view, seat, *standing))
    return SeatScene(int(view.held[seat]), played, groups, int(view.totals[seat]), side=seat, notes=notes)


@lru_cache(4096)  # all seats see much of the same, and most of it stays as it is while others play
def _laid(
    cards_played: tuple[int, ...], sides: tuple[int, ...], thrown: tuple[int, ...], won: int, number: int
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """MD-28: the card to the trick in progress; winning cards, pushed forward; the player's other cards of finished
    tricks in the order played."""
    seen = [card for card in cards_played if card != NOBODY and bits.has(won, card)]
    winning = (*_words(bits.without(won, bits.of(seen))), *(CARD_WORDS[card] for card in seen))
    placed = list(map(_placed, sides[: number + 1], cards_played, thrown))
    row = tuple(word for word in placed[:number] if word and word not in winning)
    return placed[number] if number < HAND else "", winning, row


_NONE_THROWN = (bits.EMPTY,) * HAND
_NOT_PLAYED, _FACE_UP = int(Side.NOT_PLAYED), int(Side.FACE_UP)


def _placed(side: int, card: int, thrown: int) -> str:
    """A player's card to a trick as the viewer knows it; empty if none has been played."""
    if side == _NOT_PLAYED:
        return ""
    if side == _FACE_UP:
        return CARD_WORDS[card]
    card = bits.lowest(thrown) if thrown else card
    return UNSEEN if card == NOBODY else DOWN + CARD_WORDS[card]


def _notes(view: State, seat: int, tricks: int, *bonuses: int) -> Iterator[Note]:
    """Notes: dealer; tricks; what this player's cards bring if play ended now, and what they are on the way to."""
    if seat == view.dealer:
        yield "scene.dealer", {}
    if view.phase in (Phase.DECLARING, Phase.REFUSING) or view.declared or view.refuser != NOBODY:
        return
    if tricks >= scoring.HOME_TRICKS:  # MD-29
        yield "scene.home", {"tricks": str(tricks)}
    else:
        yield ("scene.one_trick" if tricks else "scene.no_tricks"), {}
    brought = scoring.bonuses_by_name(bonuses)
    for name, amount in brought.items():
        yield f"bonus.{name}", {"points": signed(amount, UNIT)}
    if view.phase == Phase.PLAYING:
        yield from _prospects(view, seat, tricks, "small_strike" in brought)


def _standings(view: State) -> list[list[int]]:
    """Standings of all seats at once: calls of compiled code cost more than what they do."""
    out = np.zeros((SEATS, 1 + len(scoring.Bonuses._fields)), np.int64)
    standings(view, out)
    found: list[list[int]] = out.tolist()
    return found


def _prospects(view: State, seat: int, tricks: int, strikes: bool) -> Iterator[Note]:
    """Bonuses that one thing is missing for, as far as the viewer can tell."""
    won = int(view.won[seat])
    if won & common(view, counting_tops) and tricks < scoring.HOME_TRICKS:
        yield "scene.tops_waiting", {}
    if won & cards.STRIKERS and not strikes:
        yield "scene.strikers_waiting", {"cards": card_list(won & cards.STRIKERS)}
    for code, wanted in _SETS:
        missing = bits.without(wanted, won)
        if bits.size(missing) == 1 and not missing & _not_to_come(view, seat):
            yield code, {"count": str(bits.size(wanted & won))}
    if view.number >= _WORTH_TELLING and bits.size(won) == view.number < WHOLE_TABLE:
        yield "scene.whole_table_left", {"count": str(view.number)}


def _not_to_come(view: State, seat: int) -> int:
    """The cards with which this player can win no trick any more, as far as the viewer can tell."""
    shown, me = common(view, cards_shown), int(view.viewer)
    if me < 0:
        return shown
    own = int(view.dealt[me])
    return shown | (bits.without(own, int(view.hands[me])) if seat == me else own)


def events(before: State, seat: int, word: str, after: State) -> list[Sentence]:
    """Sentences worth telling of a play: what all have answered before play, a finished trick."""
    if before.phase == Phase.DECLARING:
        return [] if after.phase == Phase.DECLARING else _declared(after)
    if word == "refuse":
        return [Sentence("events.refuse", {"seat": f"#{seat}"})]
    if before.phase == Phase.REFUSING:
        return [Sentence("events.fight", {"seat": f"#{after.turn}"})] if after.phase == Phase.PLAYING else []
    return [] if after.number == before.number else _trick(before, seat, word, after)


def _declared(after: State) -> list[Sentence]:
    """MD-16: told when all have answered."""
    told = [
        Sentence("events.declares", {"seat": f"#{seat}", "cards": " ".join(_words(int(after.laid_open[seat])))})
        for seat in bits.members_of(after.declared)
    ]
    return told or [Sentence("events.nobody_declares")]


def _trick(before: State, seat: int, word: str, after: State) -> list[Sentence]:
    """MD-27, MD-45; what others have thrown stays face down until the settlement."""
    number, winner = int(before.number), int(before.best_seat) if word.startswith(DOWN) else seat
    order = [(seat + 1 + k) % SEATS for k in range(SEATS)]
    placed = (
        (player, *(int(row[player, number]) for row in (after.orientation, after.rows, after.thrown)))
        for player in order
    )
    fields = {
        "number": str(number + 1),
        "plays": ", ".join(f"#{player} {_placed(*what)}" for player, *what in placed),
        "seat": f"#{winner}",
        "tricks": str(bits.size(after.won[winner])),
    }
    given = [Sentence("events.given", {"seat": f"#{winner}"})] if after.number > number + 1 else []
    if after.phase == Phase.OVER and after.accuser_card != NOBODY:
        return [*given, Sentence("events.trick_accuser", {**fields, "card": CARD_WORDS[after.accuser_card]})]
    return [*given, Sentence("events.trick", fields)]
