"""Gong Zhu: how plays are written, named and explained (``SQ``, ``expose:SQ+HA``, ``expose:none``)."""

from tefuda.engine.kit import NOBODY, Incident, Ints, bits, french, implements, rule, signed, verbs
from tefuda.engine.kit.french import SPADES, SUIT_CARDS, SUIT_TEXTS, number, rank_of, suit_cards, suit_of
from tefuda.engine.notation import OneActionNotation, is_declaration
from tefuda.engine.sentence import Sentence, advised_declaration
from tefuda.games.gong_zhu import cards, scoring
from tefuda.games.gong_zhu.cards import CARD_WORDS, EXPOSABLE, EXPOSABLE_CARDS, PIG, SHEEP, TRANSFORMER
from tefuda.games.gong_zhu.hints import Reading, card_points, chance_to_win, hearts_lie, read, trick_points
from tefuda.games.gong_zhu.rules import asks_exposing
from tefuda.games.gong_zhu.scoring import deck_in_use, has_all_hearts
from tefuda.games.gong_zhu.state import ALWAYS_OPEN, EXPOSURES, State

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
    others = {PIG: scoring.pig_points(state), SHEEP: state.sheep, TRANSFORMER: state.lone_transformer}
    points = int(others.get(card, scoring.heart_points(state, cards.ALL_HEARTS & bits.only(card))))
    if points:
        losses = "_losses" if state.transformer_losses_only else ""
        code = f"transformer{losses}" if card == TRANSFORMER else "points"
        lines.append(Sentence(f"cards.{code}", {"points": signed(points)}))
    always = bits.has(ALWAYS_OPEN[state.always_open], card)
    if always or (asks_exposing(state) and bits.has(EXPOSABLE_CARDS, card)):
        whose = "_hearts" if card == cards.HEART_ACE else ""
        lines.append(Sentence(f"cards.{'always_open' if always else 'exposable'}{whose}"))
    return lines


CODES = (
    "gives_pig", "gives_heart", "gives_sheep", "gives_catcher", "gives_high", "gives", "keeps_heart", "spreads_hearts",
    "sweeps", "flushes_pig", "sure_good", "sure_high", "sure", "ducks_highest", "ducks", "takes_good", "takes_early",
    "takes", "loses",
)  # fmt: skip
(
    GIVES_PIG, GIVES_HEART, GIVES_SHEEP, GIVES_CATCHER, GIVES_HIGH, GIVES, KEEPS_HEART, SPREADS_HEARTS,
    SWEEPS, FLUSHES_PIG, SURE_GOOD, SURE_HIGH, SURE, DUCKS_HIGHEST, DUCKS, TAKES_GOOD, TAKES_EARLY,
    TAKES, LOSES,
) = range(len(CODES))  # fmt: skip
"""Reasons for a card."""

HIGH = french.TEN  # rank from which a card is called high


def why_advised(view: State, action: int, word: str) -> Sentence:
    """GZ-6, GZ-12, GZ-14, GZ-19."""
    if is_declaration(word):
        return Sentence("advice.exposes_nothing") if word == "expose:none" else advised_declaration(word)
    fields = {"suit": f"@{SUIT_TEXTS[suit_of(action)]}"}
    if view.trick_size:
        fields |= {"seat": f"#{view.best_seat}", "best": CARD_WORDS[view.best_card]}
    return Sentence(f"advice.{CODES[read_reason(view, action)]}", fields)


@rule
def read_reason(s: State, card: int) -> int:
    """The reason for a card, as one of ``CODES``."""
    r = read(s, bits.wide(s.turn))
    win, heart = chance_to_win(s, r, card), bits.has(cards.ALL_HEARTS, card)
    to_rival = s.trick_size > 0 and win == 0.0 and s.best_seat == r.rival
    if r.rival != NOBODY and not to_rival and (heart or hearts_lie(s)):
        return SPREADS_HEARTS
    if s.trick_size > 0 and suit_of(card) != suit_of(bits.wide(s.best_card)):
        return KEEPS_HEART if to_rival and r.stops and not heart else discard_reason(s, r, card)
    if r.sweeping:
        return SWEEPS
    can_catch = bits.above(r.hand & suit_cards(SPADES), PIG) != bits.EMPTY
    if s.trick_size == 0 and suit_of(card) == SPADES and bits.has(r.out, PIG) and not can_catch:
        return FLUSHES_PIG
    if win == 0.0:
        return duck_reason(s, r, card)
    pays = trick_points(s, r, r.me) + card_points(s, r, card, r.me) > 0.0
    if win == 1.0:
        return SURE_GOOD if pays else SURE_HIGH if s.trick_size > 0 and rank_of(card) >= HIGH else SURE
    if win < 0.5:
        return LOSES
    return TAKES_GOOD if pays else TAKES if bits.has(s.led, suit_of(card)) else TAKES_EARLY


@rule
def discard_reason(s: State, r: Reading, card: int) -> int:
    """GZ-12: the reason for a card of another suit than was led."""
    if card == PIG:
        return GIVES_PIG
    if bits.has(cards.ALL_HEARTS, card):
        return GIVES_HEART
    if card == SHEEP:
        return GIVES_SHEEP
    if suit_of(card) == SPADES and card > PIG and bits.has(r.out, PIG):
        return GIVES_CATCHER
    return GIVES_HIGH if rank_of(card) >= HIGH else GIVES


@rule
def duck_reason(s: State, r: Reading, card: int) -> int:
    """GZ-14: the reason for a card below the best one of the suit led; often it is the highest such card."""
    below = bits.below(r.hand & suit_cards(suit_of(card)), bits.wide(s.best_card))
    return DUCKS_HIGHEST if card == bits.highest(below) and bits.size(below) > 1 else DUCKS


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
    gains = not state.transformer_losses_only or won & cards.POINT_CARDS == bits.only(TRANSFORMER)
    out[2], out[3] = gains and points > 0, points < 0
    out[4] = has_all_hearts(state, won)
    for other in range(state.seats):
        if other != seat and has_all_hearts(state, state.won[other]):
            out[5] = True
    out[6] = max(0, -scoring.hearts_part(state, won))  # what they cost; nothing if they count plus
    if state.partnership:
        others = state.won[scoring.partner(seat)]
        out[7], out[8] = bits.has(others, PIG), bits.has(others, SHEEP)
