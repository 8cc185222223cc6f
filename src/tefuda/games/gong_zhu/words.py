"""Gong Zhu: how plays are written, named and explained (``SQ``, ``expose:SQ+HA``, ``expose:none``)."""

from tefuda.engine.kit import NOBODY, Incident, Ints, bits, implements, percentage, rule, signed, verbs
from tefuda.engine.kit.french import SPADES, SUIT_CARDS, SUIT_TEXTS, number, suit_cards, suit_of
from tefuda.engine.notation import OneActionNotation, is_declaration
from tefuda.engine.sentence import Sentence, advised_declaration
from tefuda.games.gong_zhu import cards, scoring
from tefuda.games.gong_zhu.cards import CARD_WORDS, EXPOSABLE, EXPOSABLE_CARDS, PIG, SHEEP, TRANSFORMER
from tefuda.games.gong_zhu.hints import chance_to_win, hearts_lie, read
from tefuda.games.gong_zhu.scoring import LONE_TRANSFORMER_POINTS, PIG_POINTS, deck_in_use, has_all_hearts
from tefuda.games.gong_zhu.state import EXPOSURES, State

_exposed_words = ("+".join(CARD_WORDS[card] for card in EXPOSABLE if bits.has(cards, card)) for cards in EXPOSURES)
NOTATION = OneActionNotation(
    (*CARD_WORDS, *(f"expose:{words or 'none'}" for words in _exposed_words)),
    example="a card such as SQ or C10; before play expose:SQ+HA or expose:none",
    cards=CARD_WORDS,
)


def card_lines(state: State, word: str) -> list[Sentence]:
    """GZ-2, GZ-6, GZ-17: where a card ranks, what it counts, and whether it may be exposed."""
    card = number(word)
    suit = deck_in_use(state) & SUIT_CARDS[suit_of(card)]
    place = {"place": str(bits.size(bits.above(suit, card)) + 1), "count": str(bits.size(suit))}
    lines = [Sentence("cards.rank", {"suit": f"@{SUIT_TEXTS[suit_of(card)]}", **place})]
    worth = scoring.heart_points(state, cards.ALL_HEARTS & bits.only(card))
    points = {PIG: PIG_POINTS, SHEEP: scoring.SHEEP_POINTS, TRANSFORMER: LONE_TRANSFORMER_POINTS}.get(card, int(worth))
    if points:
        code = "transformer" if card == TRANSFORMER else "points"
        lines.append(Sentence(f"cards.{code}", {"points": signed(points)}))
    if state.exposing and bits.has(EXPOSABLE_CARDS, card):
        lines.append(Sentence("cards.exposable_hearts" if card == cards.HEART_ACE else "cards.exposable"))
    return lines


CODES = ("gives_away", "keeps_heart", "spreads_hearts", "sweeps", "flushes_pig", "sure", "ducks", "takes")
GIVES_AWAY, KEEPS_HEART, SPREADS_HEARTS, SWEEPS, FLUSHES_PIG, SURE, DUCKS, TAKES = range(len(CODES))


def why_advised(view: State, action: int, word: str) -> Sentence:
    """GZ-6, GZ-12, GZ-14, GZ-19."""
    if is_declaration(word):
        return Sentence("advice.exposes_nothing") if word == "expose:none" else advised_declaration(word)
    code, chance = read_reason(view, action)
    return Sentence(f"advice.{CODES[code]}", {"chance": percentage(chance)})


@rule
def read_reason(s: State, card: int) -> tuple[int, float]:
    """The reason for a card, as one of ``CODES``, and the chance that it takes the trick."""
    r = read(s, bits.wide(s.turn))
    win = chance_to_win(s, r, card)
    to_rival = s.trick_size > 0 and win == 0.0 and s.best_seat == r.rival
    if r.rival != NOBODY and not to_rival and (bits.has(cards.ALL_HEARTS, card) or hearts_lie(s)):
        return SPREADS_HEARTS, win
    if s.trick_size > 0 and suit_of(card) != suit_of(bits.wide(s.best_card)):
        kept = to_rival and r.stops and not bits.has(cards.ALL_HEARTS, card)
        return (KEEPS_HEART if kept else GIVES_AWAY), win
    if r.sweeping:
        return SWEEPS, win
    can_catch = bits.above(r.hand & suit_cards(SPADES), PIG) != bits.EMPTY
    if s.trick_size == 0 and suit_of(card) == SPADES and bits.has(r.out, PIG) and not can_catch:
        return FLUSHES_PIG, win
    if win == 1.0:
        return SURE, win
    return (DUCKS if win == 0.0 else TAKES), win


INCIDENTS = (
    Incident("pig", "GZ-17", wanted=-1),
    Incident("sheep", "GZ-17", wanted=1),
    Incident("transformer_plus", "GZ-18", wanted=1),
    Incident("transformer_minus", "GZ-18", wanted=-1),
    Incident("all_hearts", "GZ-19", wanted=1),
    Incident("other_all_hearts", "GZ-19", wanted=-1),
    Incident("hearts", "GZ-17", wanted=-1, amount=True),
    Incident("partner_pig", "GZ-22", wanted=-1),
    Incident("partner_sheep", "GZ-22", wanted=1),
)


@implements(verbs.incidents, State)
def incidents(state: State, seat: int, out: Ints) -> None:
    """GZ-17 to GZ-19, GZ-22."""
    won = state.won[seat]
    points = scoring.score(state, won) if bits.has(won, TRANSFORMER) else 0
    out[0], out[1] = bits.has(won, PIG), bits.has(won, SHEEP)
    out[2], out[3] = points > 0, points < 0
    out[4] = has_all_hearts(state, won)
    for other in range(state.seats):
        if other != seat and has_all_hearts(state, state.won[other]):
            out[5] = True
    out[6] = max(0, -scoring.hearts_part(state, won))  # what they cost; nothing if they count plus
    if state.partnership:
        others = state.won[scoring.partner(seat)]
        out[7], out[8] = bits.has(others, PIG), bits.has(others, SHEEP)
