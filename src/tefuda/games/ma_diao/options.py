"""Ma Diao: what a table may decide (the options table of the rules page)."""

from tefuda.engine.kit.session import SessionState, deals_of_session
from tefuda.engine.kit.state import Choice, Small, option, option_of_parts


class OpeningLead(Choice):
    """MD-21: who leads to the first trick."""

    FIRST_DEALT = 0
    DEALER = 1


class FaceCard(Choice):
    """MD-9: which card of the stock is the face card."""

    BOTTOM = 0
    TOP_OF_REST = 1


class StrikeStacking(Choice):
    """MD-32: for what a strike bonus counts."""

    PER_CARD = 0
    ONCE = 1


class RefusalHand(Choice):
    """MD-17: hands that may refuse beside the four lowest."""

    TENS_HEAVY = 0
    NO_HONOURS = 1


class RefusalRedeal(Choice):
    """MD-20: who deals after a refusal."""

    NEXT_DEALER = 0
    SAME_DEALER = 1


class DoubleExtraordinary(Choice):
    """MD-15: the stake for all tricks with several declarers."""

    FULL = 0
    SPLIT = 1


class RedSet(Choice):
    """MD-10: which cards are red."""

    PAGE = 0
    WIKIPEDIA = 1
    HONOURS = 2


class Options(SessionState):
    """The options, each with its default and the rule that it touches."""

    __slots__ = ()

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
