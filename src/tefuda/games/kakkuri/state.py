"""Kakkuri: what a table may decide (the options table of the rules page), and a moment of the game.

Sets of cards and of seats are the bits of an integer. Seats count counter-clockwise: seat i + 1 is the right-hand
neighbour of seat i."""

from enum import IntEnum

from tefuda.engine.kit import NOBODY, SessionState, Visible, deals_of_session
from tefuda.engine.kit.kept import BitSet, CardNumber, CardSet, Kind, PerSeat, SeatNumber, SeatSet, Series, Short, Small
from tefuda.engine.kit.state import Choice, field, option, value
from tefuda.games.kakkuri.plays import CARDS, NO_CARD, RANK_LETTERS


class KingFreedom(Choice):  # KK-37: who may play any card on a K, or that everybody may play an ace on it
    OWNER, ANYONE, WRAP_TO_ACE = range(3)


class RaisedKing(Choice):  # KK-37: who may play on a K from the box
    TURNER, DEAD, ANYONE = range(3)


class Rebuild(Choice):  # KK-44: what is done with the cards of a new box
    SHUFFLE, CUT_ONLY = range(2)


class ReturnConsent(Choice):  # KK-20: who must agree before a dropped player returns
    ALL_OTHERS, ACTIVE_OTHERS, NEVER = range(3)


class EarlyDrop(Choice):  # KK-17, KK-56: when a player may drop before their own first turn
    NO = 0
    ROUND = 1
    AFTER_TURNS = 2  # as ``any_time`` was in version 2 of the rules: not before the dealer's first turn
    ANY_TIME = 3


class DropUntil(Choice):  # KK-17: how long a player may drop
    FIRST_TURN, FIRST_CARD = range(2)


class LastSurvivor(Choice):  # KK-49: what becomes of the last player in the deal
    WINS_AT_ONCE, PLAYS_ON = range(2)


class Bankruptcy(Choice):  # KK-53: what happens when somebody runs out of counters
    DEBT, END_SESSION = range(2)


MOST_SEATS = 8

HAND = 6  # cards dealt to each player


class Phase(IntEnum):  # the question put to the seat on turn
    CEDING = 0  # the deal
    SWAPPING = 1  # fuwaru
    LEAVING = 2  # C3
    EARLY = 3  # dropping
    TURN = 4
    RIGHT = 5  # to raise
    RETURNING = 6
    CONSENT = 7
    CLAIMING = 8  # utazu at the end
    OVER = 9


class Ending(IntEnum):  # the way in which a deal has been decided
    NONE_YET, OUT, GURI, SURVIVOR, UTAZU, VOID = range(6)


class State(SessionState, most_seats=MOST_SEATS):
    """A moment of a deal."""

    __slots__ = ()

    # What a table may decide, each option with its default and the rule that it touches
    k_free: KingFreedom = option(KingFreedom.OWNER, "KK-37")
    k_upcard: RaisedKing = option(RaisedKing.TURNER, "KK-37")
    sanbon_wild: bool = option(True, "KK-41", comment="1: a wild may be one of the three cards of a sanbon")
    sanzoku_wild: bool = option(True, "KK-41", comment="1: a wild may be one of the two cards of a sanzoku pair")
    ceded_may_continue: bool = option(True, "KK-43", comment="1: a player ceded the right may play on the old card")
    rebuild: Rebuild = option(Rebuild.SHUFFLE, "KK-44")
    guri_takes_pot: bool = option(True, "KK-50", comment="1: the pot is the winner's after a guri as well")
    forced_out_pays: Small = option(0, "KK-50", comment="what the player forced out pays for a normal win, 0–1")
    utazu_by_dropped: bool = option(False, "KK-22", comment="1: a dropped player may claim utazu")
    utazu_before_c3: bool = option(False, "KK-14", comment="1: the holder of C3 may claim utazu before leaving")
    return_consent: ReturnConsent = option(ReturnConsent.ALL_OTHERS, "KK-20")
    early_drop: EarlyDrop = option(EarlyDrop.ANY_TIME, "KK-17", was_switch=True, former=[EarlyDrop.AFTER_TURNS])
    drop_until: DropUntil = option(DropUntil.FIRST_TURN, "KK-17")
    last_survivor: LastSurvivor = option(LastSurvivor.WINS_AT_ONCE, "KK-49")
    fuwaru: bool = option(True, "KK-11", comment="1: hands may be exchanged with the dealer's unseen")
    deal_cede: bool = option(True, "KK-7", comment="1: the deal may be handed on from the second deal")
    session_deals: int = deals_of_session(12, "KK-53")
    start_counters: int = option(20, "KK-53", most=1_000_000, comment="counters that each begins with")
    bankruptcy: Bankruptcy = option(Bankruptcy.DEBT, "KK-53")
    stalemate_turns: int = option(400, "KK-54", least=1, most=1_000, comment="turns without a card that void the deal")
    # Counters that experiments may change
    guri: int = value(2, "KK-50", least=0, most=1_000)
    utazu: int = value(3, "KK-50", least=0, most=1_000)
    # The moment
    totals: PerSeat[int] = field("counters from earlier deals; negative: debts", carried=True, start="start_counters")
    dealer: SeatNumber = field("seat that deals; −1 before the first deal: drawn", carried=True, start=NOBODY)
    phase: Phase = field("CEDING, SWAPPING, LEAVING, EARLY, TURN, RIGHT, RETURNING, CONSENT, CLAIMING, OVER")
    due: SeatNumber = field("seat that was due to deal, before anybody ceded the deal")
    ceded: bool = field("1: the deal (the right to raise) has been ceded by the seat that had it first")
    first: SeatNumber = field("seat that raises the first card and has the first turn: the dealer, unless forced out")
    swapped: SeatSet = field("seats that have exchanged hands with the dealer, as bits")
    hands: PerSeat[CardSet] = field("cards held; those of a dropped player too", Visible.OWNER)
    unseen: PerSeat[CardSet] = field("cards before each, until fuwaru is over", Visible.NOBODY)
    held: PerSeat[Small] = field("how many cards each has in hand or unseen on the table, 0–6")
    box: Series[CardNumber] = field(
        "the box, the top card last; −1 above it", Visible.NOBODY, length=CARDS, start=NO_CARD
    )
    box_size: Small = field("cards in the box, 0–48")
    table: Series[CardNumber] = field(
        "cards face up as they came to the table, −1 after the last", length=CARDS, start=NO_CARD
    )
    table_by: Series[SeatNumber] = field("who laid or raised each of them", length=CARDS)
    table_size: Small = field("cards face up, 0–48")
    turned: CardSet = field("those of them that were raised from the box")
    rank: Kind = field(
        "rank of the field card, 0 (A) – 11 (K), a wild as declared; −1 before the first", of=RANK_LETTERS, start=NOBODY
    )
    field_by: SeatNumber = field("seat that laid or raised the field card")
    field_raised: bool = field("1: the field card was raised from the box")
    lap_by: SeatNumber = field("seat of the last play or raising; the lap is closed when play comes back to it")
    right_first: SeatNumber = field("seat that first held the right to raise that is open; −1 if none is", start=NOBODY)
    fresh: SeatSet = field("seats whose first turn has not begun, as bits")
    first_turn: bool = field("1: this is the first turn of the seat on turn")
    begun: bool = field("1: the seat on turn has laid, raised or declared something in this turn")
    turn_cards: Small = field("cards laid in this turn, 0–6")
    played: SeatSet = field("seats that have played a card in this deal, as bits")
    declined: PerSeat[BitSet] = field(
        "ranks that each could have laid one card of when it stopped, as bits", of=RANK_LETTERS, past=True
    )
    sanzoku: SeatSet = field("seats that have declared sanzoku, as bits")
    dropped: SeatSet = field("seats that have dropped out, as bits; each has a counter in the pot")
    forced_out: SeatNumber = field("seat that held C3 and sits the deal out; −1 if none", start=NOBODY)
    interrupted: SeatNumber = field(
        "seat whose turn has ended while others are asked about dropping; −1 otherwise", start=NOBODY
    )
    asked: SeatSet = field("dropped seats that have been asked in this lap whether they return, as bits")
    asker: SeatNumber = field("seat that asks to return; −1 if none does", start=NOBODY)
    quiet: int = field("turns in a row without a card", scale=4)
    winner: SeatNumber = field("seat that wins, subject to a claim while CLAIMING; −1 for nobody", start=NOBODY)
    result: Ending = field("NONE_YET, OUT, GURI, SURVIVOR, UTAZU, VOID")
    # What is known of the box
    rebuilds: Short = field("how often the box has been rebuilt")
    in_box: CardSet = field("cards that everybody knows to be in the box", past=True)
    gathered: PerSeat[Short] = field(
        "the box that each seat's hand went into, 0 the first, then by rebuilding; −1: none", start=NOBODY
    )
    gave_up: PerSeat[CardSet] = field("cards of a hand that went into the box", Visible.OWNER)
    surfaced: PerSeat[CardSet] = field(
        "of hands that went into a box together, the cards known since, the same for each of them; cut_only: each "
        "hand's own once that box is used up"
    )
    order: Series[CardNumber] = field(
        "cut_only: the box before the cut; −1 for cards of hands", length=CARDS, start=NO_CARD
    )
    order_size: Small = field("cut_only: cards gathered for the box, 0–48")
    coming: Series[Small] = field("the next shuffle of the pack; all 0 before the deal", Visible.NOBODY, length=CARDS)
