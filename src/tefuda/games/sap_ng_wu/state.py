"""Sap Ng Wu: what a table may decide (the options table of the rules page), and a moment of the game."""

from enum import IntEnum

from tefuda.engine.kit import NOBODY, SessionState, Visible, deals_of_session
from tefuda.engine.kit.kept import ActionNumber, Copies, PerSeat, SeatNumber, SeatSet, Series, Small
from tefuda.engine.kit.state import Choice, field, option, value
from tefuda.games.sap_ng_wu.plays import CIVIL, FACES, SUIT_WORDS


class SupremeLead(Choice):  # SN-11: who may lead a supreme
    ANY, NONE_LAID = range(2)


class SupremeEight(Choice):  # SN-19: the fu of a supreme lead of all eight cards
    EIGHT = 0, "8"
    SIXTEEN = 1, "16"


class LastHolder(Choice):  # SN-26: what happens when one player alone has cards
    PLAYS_ON, ENDS = range(2)


class QuadInDraw(Choice):  # SN-32: what becomes of payments for four of a kind in a drawn deal
    KEPT, RETURNED = range(2)


class QuadRule(Choice):  # SN-21: where four of a kind are looked for
    WON_CARDS, ONE_PLAY = range(2)


class ScoreMode(Choice):  # SN-19, SN-27: what gives fu; with ``shed`` they are enough to stop, without a contest won
    LAST_PLAY, ALL_PLAYED, SHED = range(3)


MOST_PLAYS = len(SUIT_WORDS[CIVIL])  # in one contest: each has to be stronger than the one before


class Phase(IntEnum):  # the question put to the seat on turn
    SUPREMES, LEADING, FOLLOWING, DECIDING, OVER = range(5)


class State(SessionState, most_seats=4):
    """A moment of a deal."""

    __slots__ = ()

    # What a table may decide, each option with its default and the rule that it touches
    supreme_partial: bool = option(True, "SN-5", comment="1: some of one's 12s and 24s may be laid; 0: all or none")
    supreme_lead: SupremeLead = option(SupremeLead.ANY, "SN-11")
    supreme8_in_play: SupremeEight = option(SupremeEight.EIGHT, "SN-19")
    supreme8_quad_bonus: bool = option(True, "SN-21", comment="1: all eight laid together are two fours of a kind too")
    pass_locks: bool = option(False, "SN-17", comment="1: a player who has passed is out of this contest")
    last_holder: LastHolder = option(LastHolder.PLAYS_ON, "SN-26")
    quad_bonus: bool = option(True, "SN-21", comment="1: four of a kind are paid")
    quad_in_draw: QuadInDraw = option(QuadInDraw.KEPT, "SN-32")
    quad_rule: QuadRule = option(QuadRule.WON_CARDS, "SN-21")
    score_mode: ScoreMode = option(ScoreMode.LAST_PLAY, "SN-19")
    start_counters: int = option(100, "SN-1", least=0, most=1_000_000, comment="counters that each begins with")
    session_deals: int = deals_of_session(12, "SN-34")
    eight_laid: int = value(16, "SN-7", least=0, most=50)
    quad: int = value(1, "SN-21", least=0, most=100)
    fu_to_stop: int = value(15, "SN-28", least=1, most=100)
    fu_a_level: int = value(3, "SN-28", least=1, most=100)
    highest_level: int = value(5, "SN-28", least=1, most=20)
    # The moment
    totals: PerSeat[int] = field(
        "counters that each has from earlier deals; negative: debts", carried=True, start="start_counters", scale=2
    )
    dealer: SeatNumber = field(
        "seat that draws first and leads first; −1 before the first deal: chance decides", carried=True, start=NOBODY
    )
    phase: Phase = field("SUPREMES, LEADING, FOLLOWING, DECIDING, OVER")
    asked: Small = field("players who have answered whether they lay supreme cards, 0–4")
    hands: PerSeat[Series[Copies]] = field("cards held", Visible.OWNER, length=FACES)
    held: PerSeat[Small] = field("how many cards each holds, 0–28")
    laid: PerSeat[Series[Copies]] = field("supreme cards laid before play", length=FACES)
    won: PerSeat[Series[Copies]] = field("cards won in contests", length=FACES)
    table: Series[Copies] = field("cards of the latest play of the contest in progress", length=FACES)
    discards: Series[Copies] = field("beaten cards: face down, but everybody has seen them", length=FACES, past=True)
    aside: Series[Copies] = field("cards dealt to nobody; in the miniature only", Visible.NOBODY, length=FACES)
    contest: Series[ActionNumber] = field(
        "plays of the contest in progress in their order, −1 after the last", length=MOST_PLAYS, start=NOBODY
    )
    contest_by: Series[SeatNumber] = field("who made each of them", length=MOST_PLAYS)
    contest_size: Small = field("plays of the contest in progress, passes not counted, 0–11")
    passed: SeatSet = field("seats that have passed since their own latest play in this contest, as bits")
    contests: Small = field("contests finished, 0–84")
    fu: PerSeat[Small] = field("points of each, 0–36")
    declined: PerSeat[Small] = field("highest level at which each has declined to stop, 0–5")
    quads: PerSeat[Small] = field("fours of a kind that each has been paid for, 0–7")
    stopper: SeatNumber = field("seat that has stopped the deal, −1 if nobody has", start=NOBODY)
