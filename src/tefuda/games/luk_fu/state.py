"""Luk Fu: what a table may decide (the options table of the rules page), and a moment of the game."""

from enum import IntEnum

from tefuda.engine.kit import NOBODY, SessionState, Visible, deals_of_session
from tefuda.engine.kit.kept import BitSet, CardSet, PerSeat, SeatNumber, Series, Small
from tefuda.engine.kit.state import Choice, field, option, option_of_parts, value
from tefuda.games.luk_fu.cards import HAND, RANKS, SUITS


class OldReading(Choice):  # LF-24, LF-26: who has to be able to tell that a card is old
    PRIVATE, PUBLIC = range(2)


class LeadException(Choice):  # LF-19: cases in which old singles may be led, beside the two that always hold
    SIXTH_TRICK, HAS_SIX = range(2)


class OnesSet(Choice):  # LF-34: whether sets of ones beat others
    LED_ONLY, SECOND = range(2)


class TigersValue(Choice):  # LF-45: the tricks that showing the five tigers counts
    SIX = 0, "6"
    EIGHT = 1, "8"


class StopTiming(Choice):  # LF-41: after which tricks a player with six is asked
    OWN_TRICK, ANY_TRICK = range(2)


class RedScope(Choice):  # LF-49: the red cards that pay
    OWN_WINNING, CAPTURED = range(2)


class SitterBonusMode(Choice):  # LF-50: whether every card of the sitter's rank pays
    FLAT, PER_CARD = range(2)


class DealerStaysOn(Choice):  # LF-55: the winner for whom a dealer of four deals again
    ELDEST, NEVER = range(2)


class Phase(IntEnum):  # the question put to the seat on turn
    DECLARING, LEADING, FOLLOWING, DECIDING, OVER = range(5)


class State(SessionState, most_seats=4):
    """A moment of a deal."""

    __slots__ = ()

    # What a table may decide, each option with its default and the rule that it touches
    old_reading: OldReading = option(OldReading.PRIVATE, "LF-24")
    old_infer: bool = option(True, "LF-25", comment="1: not beating a single shows that nothing higher is held")
    lead_exceptions: BitSet = option_of_parts(("declarer", "only_old"), LeadException, "LF-19")
    special_in_sets: bool = option(False, "LF-15", comment="1: L stands as a fifth 1 in sets of three or four")
    ones_set: OnesSet = option(OnesSet.LED_ONLY, "LF-34")
    tigers_value: TigersValue = option(TigersValue.SIX, "LF-45")
    tigers_lead: bool = option(False, "LF-45", comment="1: the five tigers may be led")
    tigers_at_first_lead: bool = option(
        False, "LF-16", comment="1: an eldest who passed may use the five tigers at the first lead"
    )
    stop_timing: StopTiming = option(StopTiming.OWN_TRICK, "LF-41")
    multiplier_10_12: bool = option(False, "LF-48", comment="1: ten and more tricks pay double, twelve three times")
    red_bonus: bool = option(False, "LF-49", comment="1: a chip for each red card")
    red_scope: RedScope = option(RedScope.OWN_WINNING, "LF-49")
    all_reds_double: bool = option(False, "LF-49", comment="1: twelve tricks with all the red cards pay double")
    sitter_bonus: bool = option(True, "LF-50", comment="1: the sitter is paid for a card of the same rank")
    sitter_bonus_mode: SitterBonusMode = option(SitterBonusMode.FLAT, "LF-50")
    pass_penalty: bool = option(
        True, "LF-51", comment="1: an eldest who passed with a quad or a long run gets one share only"
    )
    dealer_stays_on: DealerStaysOn = option(DealerStaysOn.ELDEST, "LF-55")
    draw_keeps_dealer: bool = option(False, "LF-54", comment="1: after a draw that eldest declared the dealer stays")
    session_deals: int = deals_of_session(12, "LF-56")
    par: int = value(5, "LF-46", least=0, most=6)
    ten_tricks: int = value(2, "LF-48", least=1, most=100)
    twelve_tricks: int = value(3, "LF-48", least=1, most=100)
    red_card: int = value(1, "LF-49", least=0, most=100)
    same_rank: int = value(1, "LF-50", least=0, most=100)
    # The moment
    totals: PerSeat[int] = field("chips from earlier deals", carried=True)
    dealer: SeatNumber = field("seat; −1 before the first deal: drawn by lot", carried=True, start=NOBODY)
    phase: Phase = field("DECLARING, LEADING, FOLLOWING, DECIDING, OVER")
    eldest: SeatNumber = field("seat that declares and leads first")
    sitter: SeatNumber = field("seat that does not play; −1 with three players")
    declarer: SeatNumber = field("seat that said play; −1 for nobody", start=NOBODY)
    answers: Small = field("declarations made, 0–3")
    hands: PerSeat[CardSet] = field("cards held", Visible.OWNER)
    held: PerSeat[Small] = field("how many cards each holds, 0–12")
    dealt: PerSeat[CardSet] = field("cards dealt to each active player", Visible.OWNER)
    sitter_card: PerSeat[CardSet] = field("the sitter's card until it is turned up", Visible.OWNER)
    turned_up: CardSet = field("the sitter's card, turned up at the end")
    dead: CardSet = field("the card left over with three players", Visible.NOBODY)
    opening: bool = field("1: the first lead of the deal is still to come", start=True)
    first_leader: SeatNumber = field("seat that led the first trick that ``played`` tells of")
    played: PerSeat[Series[CardSet]] = field("cards each has played face up, trick by trick", length=HAND, past=True)
    thrown: PerSeat[Series[CardSet]] = field(
        "cards each has thrown face down, trick by trick", Visible.OWNER, length=HAND
    )
    faceup: CardSet = field("all cards played face up in this deal", past=True)
    discards: PerSeat[CardSet] = field("all cards each has thrown face down", Visible.OWNER)
    bounds: PerSeat[Series[Small]] = field(
        "highest rank that each may still hold in each suit by what they did not beat, 1–9",
        length=SUITS,
        past=True,
        start=RANKS,
    )
    number: Small = field("tricks played, 0–12")
    leader: SeatNumber = field("seat that leads or has led the trick in progress")
    led_count: Small = field("cards that each plays to the trick in progress; 0 before the lead")
    best: CardSet = field("the combination that wins the trick so far")
    best_seat: SeatNumber = field("who played it")
    placed: Small = field("players whose cards to the trick in progress are complete, 0–2")
    to_throw: Small = field("cards that the mover has still to throw in a play already begun; 0 where none is begun")
    tricks: PerSeat[Small] = field("tricks credited, 0–12")
    won: PerSeat[CardSet] = field("own cards that have won tricks")
    captured: PerSeat[CardSet] = field("cards of others in the tricks each took", Visible.NOBODY)
    last_to_six: SeatNumber = field("seat that was the last to reach six tricks; −1 if none", start=NOBODY)
    stopped: bool = field("1: a player with six tricks has ended the deal, or shown the five tigers")
