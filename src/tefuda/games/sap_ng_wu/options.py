"""Sap Ng Wu: what a table may decide (the options table of the rules page)."""

from tefuda.engine.kit.session import SessionState, deals_of_session
from tefuda.engine.kit.state import Choice, option


class SupremeLead(Choice):
    """SN-11: who may lead a supreme."""

    ANY = 0
    NONE_LAID = 1


class SupremeEight(Choice):
    """SN-19: the fu of a supreme lead of all eight cards."""

    EIGHT = 0, "8"
    SIXTEEN = 1, "16"


class LastHolder(Choice):
    """SN-26: what happens when one player alone has cards."""

    PLAYS_ON = 0
    ENDS = 1


class QuadInDraw(Choice):
    """SN-32: what becomes of payments for four of a kind in a drawn deal."""

    KEPT = 0
    RETURNED = 1


class QuadRule(Choice):
    """SN-21: where four of a kind are looked for."""

    WON_CARDS = 0
    ONE_PLAY = 1


class ScoreMode(Choice):
    """SN-19: what gives fu."""

    LAST_PLAY = 0
    ALL_PLAYED = 1


class Options(SessionState):
    """The options, each with its default and the rule that it touches."""

    __slots__ = ()

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
