"""Ma Diao: how the payments of a deal arose, line by line. They come from the scoring rules and are put in words."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from tefuda.engine.kit import NOBODY, Sentence, bits, received_by, sheet_line, signed
from tefuda.games.ma_diao import scoring
from tefuda.games.ma_diao.cards import CARD_WORDS, SECONDS, SUIT_OF, card_list, hand_lines
from tefuda.games.ma_diao.scoring import Payment, PaymentKind
from tefuda.games.ma_diao.state import UNIT, State


def outcome(state: State) -> Sentence:
    """MD-13, MD-18, MD-33: a declaration, a refusal, or the value with which the dealer settles."""
    if state.declared:
        seats = ", ".join(f"#{seat}" for seat in bits.members_of(state.declared))
        return Sentence("outcome.declared", {"seats": seats})
    if state.refuser != NOBODY:
        return Sentence("outcome.refused", {"seat": f"#{state.refuser}"})
    value = signed(int(scoring.value(state, state.dealer)), UNIT)
    return Sentence("outcome.settled", {"seat": f"#{state.dealer}", "value": value})


def sheet(state: State, seat: int) -> list[Sentence]:
    """The lines of what the deal brings this seat, and why."""
    lines = [*_reasons(state, seat), *_payments(state, seat), _line("total", received_by(state)[seat])]
    return [*lines, *_next_dealer(state, seat)]


def settlement(state: State) -> list[tuple[int, int, int]]:
    """Payments between players in half stakes, all things together; pairs that are even are left out."""
    owed: Counter[tuple[int, int]] = Counter()
    for _, payer, receiver, amount in scoring.payments(state):
        owed[payer, receiver] += amount
        owed[receiver, payer] -= amount
    return [(payer, receiver, amount) for (payer, receiver), amount in owed.items() if amount > 0]


def _line(code: str, amount: int, **fields: str) -> Sentence:
    return sheet_line(code, amount, UNIT, **fields)


def _reasons(state: State, seat: int) -> Iterator[Sentence]:
    """The lines of an extraordinary hand, what a refusal costs, or the lines of a value."""
    if state.declared:
        if bits.has(state.declared, seat):
            yield from _hand(state, seat)
    elif state.refuser != NOBODY:
        yield from _refusal(state, seat)
    else:
        yield _tricks(state, seat)
        for name, amount in scoring.bonuses_by_name(scoring.bonuses(state, seat)).items():
            yield _line(f"bonus.{name}", amount, cards=card_list(_counted(state, seat, name)))
        yield _line("value", scoring.value(state, seat))


def _hand(state: State, seat: int) -> Iterator[Sentence]:
    """MD-10, MD-13: each line that applies to the declarer's hand, with its stakes; the stake for all tricks."""
    for name, amount in hand_lines(state, scoring.cards_known(state, seat))._asdict().items():
        if amount:
            yield _line(f"hand.{name}", amount)
    yield _line("all_tricks", scoring.all_tricks_stake(state))


def _counted(state: State, seat: int, bonus: str) -> int:
    """The cards that a bonus counts by; none where its name says it all."""
    if bonus == "tops":
        return int(state.won[seat] & scoring.counting_tops(state))
    return int(scoring.paired_strikers(state, seat)) if bonus.endswith("strike") else bits.EMPTY


def _refusal(state: State, seat: int) -> Iterator[Sentence]:
    """MD-18."""
    lowest = scoring.refuses_lowest(state)
    if seat == state.refuser:
        yield Sentence("sheet.refuses_lowest" if lowest else "sheet.refuses")
    elif not lowest:
        yield Sentence("sheet.pays_nothing", {"seat": f"#{state.refuser}"})


def _tricks(state: State, seat: int) -> Sentence:
    """MD-29, MD-30."""
    tricks, score = int(scoring.tricks_of(state, seat)), int(scoring.trick_score(state, seat))
    if tricks >= scoring.HANGING_TRICKS:
        return _line("hanging" if score == UNIT else "hanging_half", score, tricks=str(tricks))
    if tricks >= scoring.HOME_TRICKS:
        return _line("level", score)
    return _line("dead_one" if tricks else "dead_none", score)


_CODES = {
    (PaymentKind.DECLARATION, False): "receives",
    (PaymentKind.DECLARATION, True): "pays_declarer",
    (PaymentKind.REFUSAL, True): "pays_refuser",
    (PaymentKind.SETTLEMENT, False): "settles",
    (PaymentKind.SETTLEMENT, True): "dealer_settles",
    (PaymentKind.KNOCK, True): "knocked",
    (PaymentKind.ACCUSER, False): "accuser",
}
"""By kind, and whether the seat pays: the line of one payment."""


def _payments(state: State, seat: int) -> Iterator[Sentence]:
    """All payments to or from this seat; of each kind first what it receives."""

    def order(payment: Payment) -> tuple[int, bool]:
        return payment.kind, payment.payer == seat

    own = sorted((each for each in scoring.payments(state) if seat in (each.payer, each.receiver)), key=order)
    for (kind, pays), some in groupby(own, order):
        shares = {each.receiver if pays else each.payer: -each.amount if pays else each.amount for each in some}
        yield from _shares(state, seat, PaymentKind(kind), pays, shares)


def _shares(state: State, seat: int, kind: PaymentKind, pays: bool, shares: dict[int, int]) -> Iterator[Sentence]:
    """Payments of one kind, by the other player: a line for each, or one for all."""
    accuser = {"card": CARD_WORDS[state.accuser_card]} if kind == PaymentKind.ACCUSER else {}
    if kind == PaymentKind.KNOCK and not pays:
        yield _line("knock", sum(shares.values()), seats=", ".join(f"#{other}" for other in sorted(shares)))
    elif kind == PaymentKind.ACCUSER and pays:
        second = CARD_WORDS[SECONDS[SUIT_OF[state.accuser_card]]]
        yield _line("accused", sum(shares.values()), second=second, **accuser)
    elif (kind, pays) in _CODES:  # what a refuser receives is said by the refusal
        code = _CODES[kind, pays]
        if kind == PaymentKind.DECLARATION and pays and scoring.held_hundred(state, seat):
            code = "pays_without"
        for other, amount in shares.items():
            value = {"value": signed(int(scoring.value(state, other)), UNIT)} if kind == PaymentKind.SETTLEMENT else {}
            yield _line(code, amount, seat=f"#{other}", **value, **accuser)


def _next_dealer(state: State, seat: int) -> list[Sentence]:
    """MD-5, MD-14, MD-20: who deals next, and why."""
    if seat != scoring.following_dealer(state) or state.deals + 1 >= state.session_deals:
        return []
    if state.declared:
        return [Sentence("sheet.deals_declared")]
    if seat != state.dealer:
        return [Sentence("sheet.deals_next")]
    return [Sentence("sheet.deals_again" if state.refuser == NOBODY else "sheet.deals_again_refusal")]
