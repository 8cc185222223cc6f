"""Kakkuri: what a table may decide (the options table of the rules page)."""

from tefuda.engine.kit.session import SessionState, deals_of_session
from tefuda.engine.kit.state import Choice, Small, option


class KingFreedom(Choice):
    """KK-37: who may play any card on a K, or that everybody may play an ace on it."""

    OWNER = 0
    ANYONE = 1
    WRAP_TO_ACE = 2


class RaisedKing(Choice):
    """KK-37: who may play on a K from the box."""

    TURNER = 0
    DEAD = 1
    ANYONE = 2


class Rebuild(Choice):
    """KK-44: what is done with the cards of a new box."""

    SHUFFLE = 0
    CUT_ONLY = 1


class ReturnConsent(Choice):
    """KK-20: who must agree before a dropped player returns."""

    ALL_OTHERS = 0
    ACTIVE_OTHERS = 1
    NEVER = 2


class EarlyDrop(Choice):
    """KK-17, KK-56: when a player may drop before their own first turn."""

    NO = 0
    ROUND = 1
    AFTER_TURNS = 2  # as ``any_time`` was in version 2 of the rules: not before the dealer's first turn
    ANY_TIME = 3


class DropUntil(Choice):
    """KK-17: how long a player may drop."""

    FIRST_TURN = 0
    FIRST_CARD = 1


class LastSurvivor(Choice):
    """KK-49: what becomes of the last player in the deal."""

    WINS_AT_ONCE = 0
    PLAYS_ON = 1


class Bankruptcy(Choice):
    """KK-53: what happens when somebody runs out of counters."""

    DEBT = 0
    END_SESSION = 1


class Options(SessionState):
    """The options, each with its default and the rule that it touches."""

    __slots__ = ()

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
