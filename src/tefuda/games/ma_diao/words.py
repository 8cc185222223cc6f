"""Ma Diao: how plays are written, named and explained (``S8`` face up, ``~S8`` face down, ``declare``, ``refuse``)."""

from tefuda.engine.kit import NOBODY, Incident, Ints, bits, implements, rule, verbs
from tefuda.engine.notation import OneActionNotation, is_declaration
from tefuda.engine.sentence import Sentence, advised_declaration, likelihood
from tefuda.games.ma_diao import cards
from tefuda.games.ma_diao.cards import CARD_WORDS, SUIT_CARDS, SUIT_OF, SUIT_TEXTS, THROW, card_list
from tefuda.games.ma_diao.hints import chance_unbeaten, read
from tefuda.games.ma_diao.scoring import HANGING_TRICKS, accused, bonuses, has_great_live, is_home, tricks_of
from tefuda.games.ma_diao.state import SEATS, State

DOWN = "~"

NOTATION = OneActionNotation(
    (*CARD_WORDS, *(DOWN + word for word in CARD_WORDS), "silent", "declare", "fight", "refuse"),
    cards=(*CARD_WORDS, *(DOWN + word for word in CARD_WORDS)),
    example="a card such as S8 or TB, ~S8 to throw it face down; before play declare or silent, then refuse or fight",
)


def card_lines(state: State, word: str) -> list[Sentence]:
    """MD-24, MD-31 to MD-40: where a card ranks, and the bonuses that it may bring."""
    card = CARD_WORDS.index(word)
    suit = SUIT_CARDS[SUIT_OF[card]]
    place = {"place": str(bits.size(bits.above(suit, card)) + 1), "count": str(bits.size(suit))}
    return [
        Sentence("cards.rank", {"suit": f"@{SUIT_TEXTS[SUIT_OF[card]]}", **place}),
        *(Sentence(f"cards.{code}", fields) for code, applies, fields in _roles(state, card) if applies),
    ]


def _roles(state: State, card: int) -> tuple[tuple[str, bool, dict[str, str]], ...]:
    return (
        ("top", card in cards.TOPS, {"stakes": str(state.tops)}),
        ("second", card in cards.SECONDS, {"card": CARD_WORDS[cards.TOPS[SUIT_OF[card]]]}),
        ("male_striker", card == cards.MALE_STRIKER, {"cards": card_list(cards.FEMALE_STRIKERS)}),
        ("female_striker", bits.has(cards.FEMALE_STRIKERS, card), {"card": CARD_WORDS[cards.MALE_STRIKER]}),
        ("hundred", card == cards.HUNDRED, {"stakes": str(state.great_live)}),
        ("three_opened", bits.has(cards.THREE_OPENED, card), {}),
        ("four_reds", bits.has(cards.FOUR_REDS, card), {}),
    )


def why_advised(view: State, action: int, word: str) -> Sentence:
    """MD-13, MD-18, MD-25, MD-29."""
    if is_declaration(word):
        return advised_declaration(word)
    if action >= THROW:
        return Sentence("advice.throws")
    chance, how = read_chance(view, action), "beats" if view.placed else "leads"
    return Sentence(f"advice.{how}_{likelihood(chance)}")


@rule
def read_chance(s: State, card: int) -> float:
    """The chance that nobody still to play beats this card."""
    return chance_unbeaten(s, read(s), card, SEATS - 1 - s.placed)


INCIDENTS = (
    Incident("home", "MD-29", wanted=1),
    Incident("hangs", "MD-29", wanted=1),
    Incident("great_live", "MD-37", wanted=1),
    Incident("strike", "MD-32", wanted=1),
    Incident("top", "MD-31", wanted=1),
    Incident("three_opened", "MD-39", wanted=1),
    Incident("accused", "MD-45", wanted=-1),
    Incident("dealer_hangs", "MD-44", wanted=-1),
    Incident("dealer_hundred", "MD-44", wanted=-1),
    Incident("others_hundred", "MD-44", wanted=-1),
)


@implements(verbs.incidents, State)
def incidents(state: State, seat: int, out: Ints) -> None:
    """MD-29 to MD-39, MD-44, MD-45; of a deal that was not played (MD-12, MD-18) nothing."""
    if state.declared != 0 or state.refuser != NOBODY:
        return
    b = bonuses(state, seat)
    out[0], out[1] = is_home(state, seat), tricks_of(state, seat) >= HANGING_TRICKS
    out[2] = b.great_live > 0
    out[3] = b.small_strike + b.dead_hundred_strike + b.small_live_strike + b.great_live_strike > 0
    out[4], out[5] = b.tops > 0, b.three_opened > 0
    out[6] = accused(state) == seat
    if seat == state.dealer:
        for other in range(SEATS):
            if other != seat and has_great_live(state, other):
                out[9] = True
    else:
        out[7] = tricks_of(state, state.dealer) >= HANGING_TRICKS
        out[8] = has_great_live(state, state.dealer)
