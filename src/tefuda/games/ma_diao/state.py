"""Ma Diao: what a table may decide (the options table of the rules page), and a moment of the game."""

from enum import IntEnum

from tefuda.engine.kit import NOBODY, SessionState, Visible, deals_of_session
from tefuda.engine.kit.kept import CardNumber, CardSet, PerSeat, SeatNumber, SeatSet, Series, Small
from tefuda.engine.kit.state import Choice, field, option, option_of_parts, value


class OpeningLead(Choice):  # MD-21: who leads to the first trick
    FIRST_DEALT, DEALER = range(2)


class FaceCard(Choice):  # MD-9: which card of the stock is the face card
    BOTTOM, TOP_OF_REST = range(2)


class StrikeStacking(Choice):  # MD-32: for what a strike bonus counts
    PER_CARD, ONCE = range(2)


class RefusalHand(Choice):  # MD-17: hands that may refuse beside the four lowest
    TENS_HEAVY, NO_HONOURS = range(2)


class RefusalRedeal(Choice):  # MD-20: who deals after a refusal
    NEXT_DEALER, SAME_DEALER = range(2)


class DoubleExtraordinary(Choice):  # MD-15: the stake for all tricks with several declarers
    FULL, SPLIT = range(2)


class RedSet(Choice):  # MD-10: which cards are red
    PAGE, WIKIPEDIA, HONOURS = range(3)


SEATS = 4

HAND = 8  # cards dealt to each, and tricks in a deal
WHOLE_TABLE = 7  # MD-41: so many from the first on, all won by one player
UNIT = 2  # MD-2: payments and values are counted in half stakes


class Phase(IntEnum):  # the question put to the seat on turn
    DECLARING, REFUSING, PLAYING, OVER = range(4)


class Answer(IntEnum):  # MD-16: what a player has answered, which is not shown before all four have
    NONE_YET, SILENT, DECLARE = range(3)


class Side(IntEnum):  # MD-24: how a card was played
    NOT_PLAYED, FACE_UP, FACE_DOWN = range(3)


class State(SessionState, most_seats=SEATS):
    """A moment of a deal."""

    __slots__ = ()

    # What a table may decide, each option with its default and the rule that it touches
    first_leader: OpeningLead = option(OpeningLead.FIRST_DEALT, "MD-21")
    must_follow: bool = option(False, "MD-26", comment="1: a player who holds cards of the suit led plays one of them")
    face_card: FaceCard = option(FaceCard.BOTTOM, "MD-9")
    strike_stacking: StrikeStacking = option(StrikeStacking.PER_CARD, "MD-32")
    refusal_hands: Small = option_of_parts(("four_lowest",), RefusalHand, "MD-17")
    refusal_redeal: RefusalRedeal = option(RefusalRedeal.NEXT_DEALER, "MD-20")
    extraordinary_mandatory: bool = option(False, "MD-16", comment="1: an extraordinary hand must be declared")
    double_extraordinary: DoubleExtraordinary = option(DoubleExtraordinary.FULL, "MD-15")
    knock: bool = option(False, "MD-44", comment="1: non-dealers too pay a non-dealer with a great live Hundred")
    accuser: bool = option(True, "MD-45", comment="1: the accuser is shown after play")
    red_set: RedSet = option(RedSet.PAGE, "MD-10")
    stop_after_seven: bool = option(
        False, "MD-22", comment="1: a player who has won the first seven tricks gets the eighth without play"
    )
    dealer_stays_on_great_live: bool = option(True, "MD-5", comment="1: a dealer with a great live Hundred deals again")
    reveal_after: bool = option(True, "MD-28", comment="1: cards thrown face down are turned up after play")
    session_deals: int = deals_of_session(16, "MD-47")
    # Stakes that experiments may change; of a top and of a strike, for each card that counts
    tops: int = value(1, "MD-31", least=0, most=100)
    small_strike: int = value(1, "MD-32", least=0, most=100)
    dead_hundred: int = value(1, "MD-33", least=0, most=100)
    dead_hundred_strike: int = value(2, "MD-34", least=0, most=100)
    small_live: int = value(2, "MD-35", least=0, most=100)
    small_live_strike: int = value(4, "MD-36", least=0, most=100)
    great_live: int = value(3, "MD-37", least=0, most=100)
    great_live_strike: int = value(6, "MD-38", least=0, most=100)
    three_opened: int = value(3, "MD-39", least=0, most=100)
    four_reds: int = value(4, "MD-40", least=0, most=100)
    whole_table: int = value(8, "MD-41", least=0, most=100)
    all_tricks_stakes: int = value(1, "MD-13", least=0, most=100)
    refusal_stakes: int = value(1, "MD-18", least=0, most=100)
    knock_stakes: int = value(1, "MD-44", least=0, most=100)
    accuser_stakes: int = value(1, "MD-45", least=0, most=100)
    # The moment
    totals: PerSeat[int] = field("half stakes from earlier deals", carried=True, scale=4)
    dealer: SeatNumber = field("seat; −1 before the first deal: drawn by lot", carried=True, start=NOBODY)
    leads_first: SeatNumber = field(
        "seat that leads first whatever the bottom card says, in a deal that a file gives; −1: MD-21 decides",
        carried=True,
        start=NOBODY,
    )
    phase: Phase = field("DECLARING, REFUSING, PLAYING, OVER")
    first_dealt: SeatNumber = field("seat that was dealt to first")
    answers: Small = field("answers given in DECLARING or REFUSING, 0–3")
    pending: PerSeat[Answer] = field("answers that are not shown before all have answered", Visible.OWNER)
    declared: SeatSet = field("seats that have declared an extraordinary hand; shown when all have answered")
    refuser: SeatNumber = field("seat that has refused to play; −1 if none", start=NOBODY)
    hands: PerSeat[CardSet] = field("cards held", Visible.OWNER)
    held: PerSeat[Small] = field("how many cards each holds, 0–8")
    dealt: PerSeat[CardSet] = field("cards dealt to each", Visible.OWNER)
    laid_open: PerSeat[CardSet] = field("cards in each hand that are shown at the end to claim a score")
    face: CardNumber = field("the face card; −1 in a position that gives none", start=NOBODY)
    bottom: CardNumber = field(
        "the bottom card, shown at the cut, where it is not the face card; else −1", start=NOBODY
    )
    accuser_card: CardNumber = field("the accuser once it is shown; −1 before", start=NOBODY)
    accuser_down: CardSet = field("the accuser until it is shown", Visible.NOBODY)
    stock: CardSet = field("the other cards that were left over", Visible.NOBODY)
    rows: PerSeat[Series[CardNumber]] = field(
        "the cards before each player, trick by trick, as far as all have seen them; else −1", length=HAND, start=NOBODY
    )
    orientation: PerSeat[Series[Side]] = field("how each of them was played", length=HAND)
    thrown: PerSeat[Series[CardSet]] = field("those that lie face down", Visible.OWNER, length=HAND)
    won: PerSeat[CardSet] = field("own cards that have won tricks; their number is that of the tricks")
    number: Small = field("tricks finished, 0–8")
    leaders: Series[SeatNumber] = field("seat that led each trick; −1 where none is known", length=HAND, start=NOBODY)
    placed: Small = field("cards played to the trick in progress, 0–3")
    best_card: CardNumber = field("the card that wins the trick so far; −1 before the lead", start=NOBODY)
    best_seat: SeatNumber = field("who played it")
    first_seven: SeatNumber = field("seat that has won all of the first seven tricks; −1 if nobody has", start=NOBODY)
