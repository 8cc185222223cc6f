"""Ma Diao: how a payment arose, line by line. The amounts come from the scoring rules and are put in words here."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.description import Sentence
from tefuda.engine.texts import signed
from tefuda.games.ma_diao import hands, scoring
from tefuda.games.ma_diao.bonuses import bonuses
from tefuda.games.ma_diao.notation import card_list
from tefuda.games.ma_diao.rules import NOBODY
from tefuda.games.ma_diao.state import CARD_WORDS, FOUR_LOWEST, SEATS, SECONDS, SUIT_OF, UNIT


def sheet(state: Any, seat: int) -> list[Sentence]:
    """What the deal brings this seat, and why."""
    received = np.zeros(SEATS, np.int64)
    verbs.payoff(state, received)
    if state.declared:
        lines = _after_declaring(state, seat)
    elif state.refuser != NOBODY:
        lines = _after_refusing(state, seat)
    else:
        lines = [*_value(state, seat), *_settlement(state, seat), *_knock(state, seat), *_accuser(state, seat)]
    return [*lines, _line("total", int(received[seat])), *_next_dealer(state, seat)]


def settlement(state: Any) -> list[tuple[int, int, int]]:
    """Who has paid whom how many half stakes, all things together; pairs that are even are left out."""
    owed: Counter[tuple[int, int]] = Counter()
    for payer, receiver, amount in _payments(state):
        owed[payer, receiver] += amount
        owed[receiver, payer] -= amount
    return [(payer, receiver, amount) for (payer, receiver), amount in owed.items() if amount > 0]


def _payments(state: Any) -> Iterator[tuple[int, int, int]]:
    """MD-12, MD-13 after declarations; MD-18 after a refusal; MD-44, MD-45 after play."""
    dealer, refuser = int(state.dealer), int(state.refuser)
    if state.declared:
        for declarer in bits.members_of(state.declared):
            yield from ((other, declarer, _owed(state, other, declarer)) for other in _others(declarer))
    elif refuser != NOBODY:
        if bits.inside(FOUR_LOWEST, int(scoring.cards_known(state, refuser))):
            yield from ((other, refuser, UNIT * scoring.REFUSAL_STAKES) for other in _others(refuser))
    else:
        values = [int(scoring.value(state, seat)) for seat in range(SEATS)]
        yield from ((dealer, seat, values[seat] - values[dealer]) for seat in _others(dealer))
        for knocker in _others(dealer):
            if state.knock and scoring.has_great_live(state, knocker):
                payers = (other for other in _others(knocker) if other != dealer)
                yield from ((other, knocker, UNIT * scoring.KNOCK_STAKES) for other in payers)
        payer = int(scoring.accused(state))
        if payer != NOBODY:
            yield from ((payer, other, UNIT * scoring.ACCUSER_STAKES) for other in _others(payer))


def _line(code: str, amount: int, **fields: str) -> Sentence:
    return Sentence(f"sheet.{code}", {"points": signed(amount, UNIT), **fields})


def _others(seat: int) -> list[int]:
    """The three others, from the right-hand neighbour round."""
    return [(seat + k) % SEATS for k in range(1, SEATS)]


# After play


def _value(state: Any, seat: int) -> list[Sentence]:
    """MD-29 to MD-43."""
    lines = [_line(f"bonus.{bonus.name}", bonus.amount, cards=card_list(bonus.cards)) for bonus in bonuses(state, seat)]
    return [_tricks(state, seat), *lines, _line("value", int(scoring.value(state, seat)))]


def _tricks(state: Any, seat: int) -> Sentence:
    """MD-29, MD-30."""
    tricks, score = int(scoring.tricks_of(state, seat)), int(scoring.trick_score(state, seat))
    if tricks >= scoring.HANGING_TRICKS:
        return _line("hanging" if score == UNIT else "hanging_half", score, tricks=str(tricks))
    if tricks >= scoring.HOME_TRICKS:
        return _line("level", score)
    return _line("dead_one" if tricks else "dead_none", score)


def _settlement(state: Any, seat: int) -> list[Sentence]:
    """MD-44."""
    values, dealer = [int(scoring.value(state, each)) for each in range(SEATS)], int(state.dealer)
    if seat != dealer:
        theirs = signed(values[dealer], UNIT)
        return [_line("settles", values[seat] - values[dealer], seat=f"#{dealer}", value=theirs)]
    return [
        _line("dealer_settles", values[seat] - values[other], seat=f"#{other}", value=signed(values[other], UNIT))
        for other in _others(seat)
    ]


def _knock(state: Any, seat: int) -> list[Sentence]:
    """MD-44 with knock."""
    players = [other for other in range(SEATS) if other != state.dealer]
    knockers = [player for player in players if state.knock and scoring.has_great_live(state, player)]
    if seat not in players or not knockers:
        return []
    stake, knocker = UNIT * scoring.KNOCK_STAKES, knockers[0]
    if seat != knocker:
        return [_line("knocked", -stake, seat=f"#{knocker}")]
    payers = [player for player in players if player != seat]
    return [_line("knock", stake * len(payers), seats=", ".join(f"#{payer}" for payer in payers))]


def _accuser(state: Any, seat: int) -> list[Sentence]:
    """MD-45."""
    payer = int(scoring.accused(state))
    if payer == NOBODY:
        return []
    stake, accuser = UNIT * scoring.ACCUSER_STAKES, int(state.accuser_card)
    card, second = CARD_WORDS[accuser], CARD_WORDS[SECONDS[SUIT_OF[accuser]]]
    if seat == payer:
        return [_line("accused", -stake * (SEATS - 1), card=card, second=second)]
    return [_line("accuser", stake, card=card, seat=f"#{payer}")]


# Before play


def _after_declaring(state: Any, seat: int) -> list[Sentence]:
    """MD-11 to MD-15: what he declared, and with whom he settles."""
    declarers = [other for other in range(SEATS) if bits.has(state.declared, other)]
    lines = []
    if seat in declarers:
        lines = _declared(int(scoring.cards_known(state, seat)), state)
        lines += [_line("receives", _owed(state, other, seat), seat=f"#{other}") for other in _others(seat)]
    code = "pays_without" if scoring.held_hundred(state, seat) else "pays_declarer"
    owed = [(other, _owed(state, seat, other)) for other in declarers if other != seat]
    return [*lines, *(_line(code, -amount, seat=f"#{other}") for other, amount in owed)]


def _owed(state: Any, payer: int, declarer: int) -> int:
    return int(scoring.owes_declarer(state, payer, declarer))


def _declared(hand: int, state: Any) -> list[Sentence]:
    """MD-10: each line that applies, with its stakes."""
    tops, reds, suit = hands.has_four_tops(hand), hands.is_all_red(state, hand), hands.is_one_suit(hand)
    hundred = hands.has_hundred(hand)
    applying = (
        ("four_tops", tops, hands.FOUR_TOPS_STAKES),
        ("four_tops_hundred", tops and hundred, hands.FOUR_TOPS_AND_HUNDRED_STAKES),
        ("four_tops_lowest", tops and hands.has_four_lowest(hand), hands.FOUR_TOPS_AND_LOWEST_STAKES),
        ("eight_reds", reds, hands.EIGHT_REDS_STAKES),
        ("eight_reds_hundred", reds and hundred, hands.EIGHT_REDS_AND_HUNDRED_STAKES),
        ("one_suit", suit, hands.ONE_SUIT_STAKES),
        ("tens_hundred", suit and hundred, hands.TENS_AND_HUNDRED_STAKES),
        ("all_strike_alive", hands.is_all_strike_alive(hand), hands.ALL_STRIKE_ALIVE_STAKES),
    )
    lines = [_line(f"hand.{name}", stakes * UNIT) for name, applies, stakes in applying if applies]
    return [*lines, _line("all_tricks", int(scoring.all_tricks_stake(state)))]


def _after_refusing(state: Any, seat: int) -> list[Sentence]:
    """MD-18."""
    refuser = int(state.refuser)
    lowest = bits.inside(FOUR_LOWEST, int(scoring.cards_known(state, refuser)))
    if seat == refuser:
        return [Sentence("sheet.refuses_lowest" if lowest else "sheet.refuses")]
    if lowest:
        return [_line("pays_refuser", -UNIT * scoring.REFUSAL_STAKES, seat=f"#{refuser}")]
    return [Sentence("sheet.pays_nothing", {"seat": f"#{refuser}"})]


def _next_dealer(state: Any, seat: int) -> list[Sentence]:
    """MD-5, MD-14, MD-20: who deals next, and why."""
    if seat != scoring.following_dealer(state) or state.deals + 1 >= state.session_deals:
        return []
    if state.declared:
        return [Sentence("sheet.deals_declared")]
    if seat != state.dealer:
        return [Sentence("sheet.deals_next")]
    return [Sentence("sheet.deals_again" if state.refuser == NOBODY else "sheet.deals_again_refusal")]
