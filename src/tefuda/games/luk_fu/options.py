"""Luk Fu: what a table may decide (the options table of the rules page)."""

from tefuda.engine.kit.session import SessionState, deals_of_session
from tefuda.engine.kit.state import BitSet, Choice, option, option_of_parts


class OldReading(Choice):
    """LF-24, LF-26: who has to be able to tell that a card is old."""

    PRIVATE = 0
    PUBLIC = 1


class LeadException(Choice):
    """LF-19: cases in which old singles may be led, beside the two that always hold."""

    SIXTH_TRICK = 0
    HAS_SIX = 1


class OnesSet(Choice):
    """LF-34: whether sets of ones beat others."""

    LED_ONLY = 0
    SECOND = 1


class TigersValue(Choice):
    """LF-45: the tricks that showing the five tigers counts."""

    SIX = 0, "6"
    EIGHT = 1, "8"


class StopTiming(Choice):
    """LF-41: after which tricks a player with six is asked."""

    OWN_TRICK = 0
    ANY_TRICK = 1


class RedScope(Choice):
    """LF-49: the red cards that pay."""

    OWN_WINNING = 0
    CAPTURED = 1


class SitterBonusMode(Choice):
    """LF-50: whether every card of the sitter's rank pays."""

    FLAT = 0
    PER_CARD = 1


class DealerStaysOn(Choice):
    """LF-55: the winner for whom a dealer of four deals again."""

    ELDEST = 0
    NEVER = 1


class Options(SessionState):
    """The options, each with its default and the rule that it touches."""

    __slots__ = ()

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
    sitter_bonus: bool = option(True, "LF-50", comment="1: the sitter is paid for a card of the same rank")
    sitter_bonus_mode: SitterBonusMode = option(SitterBonusMode.FLAT, "LF-50")
    pass_penalty: bool = option(
        True, "LF-51", comment="1: an eldest who passed with a quad or a long run gets one share only"
    )
    dealer_stays_on: DealerStaysOn = option(DealerStaysOn.ELDEST, "LF-55")
    draw_keeps_dealer: bool = option(False, "LF-54", comment="1: after a draw that eldest declared the dealer stays")
    session_deals: int = deals_of_session(12, "LF-56")
