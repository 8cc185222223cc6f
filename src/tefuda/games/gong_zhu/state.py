"""Gong Zhu: what a table may decide, and a moment of the game beside what all games of tricks have."""

from collections.abc import Mapping
from enum import IntEnum

from tefuda.engine.bits import of
from tefuda.engine.kit import NOBODY, Sentence, Visible, constant, deals_of_session
from tefuda.engine.kit.french import CARDS
from tefuda.engine.kit.kept import CardSet, PerSeat, SeatNumber, Series, Short, Small
from tefuda.engine.kit.state import Choice, field, option, value
from tefuda.engine.kit.tricks import TrickState
from tefuda.engine.option import Value
from tefuda.games.gong_zhu.cards import CARD_WORDS, EXPOSABLE, HEART_TWO, SHEEP


class FiveDeck(Choice):  # which cards leave the pack with five players
    SEED, PAGAT = range(2)


class ExposeOrder(Choice):  # GZ-7: how cards are exposed before play
    SINGLE_ROUND, UNTIL_QUIET, SIMULTANEOUS = range(3)


class AlwaysOpen(Choice):  # GZ-5: the cards that lie open from the beginning; nobody is asked then
    NONE, ALL_BUT_SHEEP, ALL = range(3)


class TeamEnd(Choice):  # the points that are watched in partnership
    TEAM_TOTAL, ANY_INDIVIDUAL = range(2)


class HeartValues(Choice):  # GZ-17: what hearts count
    STANDARD, PIPS = range(2)


class PigFlips(Choice):  # GZ-20: the cards whose taker has the pig as a plus; with ``never`` there are none
    ALL_HEARTS, ALL_SCORING, NEVER = range(3)


class FirstLeader(Choice):  # GZ-3: whose holder leads to the first trick of a game, or that it is drawn
    S2 = 0, "S2"
    C2 = 1, "C2"
    S7 = 2, "S7"
    DRAWN = 3, "draw"
    S2_LED = 4, "S2_led"


def exclusions(seats: int, options: Mapping[str, Value]) -> Sentence | None:
    """GZ-2, GZ-5, GZ-18, GZ-22, GZ-27: partnership and C2 need four players; one rule says what all hearts count, and
    cards that are always open are exposed."""
    if seats != 4 and options["partnership"]:
        return Sentence("excluded.partners_are_four")
    if seats == 5 and options["first_leader"] == FirstLeader.C2.word:
        return Sentence("excluded.no_club_two")
    if options["transformer_losses_only"] and options["all_hearts_transformer_300"]:
        return Sentence("excluded.one_transformer_rule")
    if options["always_open"] != AlwaysOpen.NONE.word and not options["exposing"]:
        return Sentence("excluded.always_exposed")
    return None


EXPOSURES = constant([of(card for i, card in enumerate(EXPOSABLE) if k >> i & 1) for k in range(2 ** len(EXPOSABLE))])
"""Actions 0–51 play that card; ``EXPOSE`` + k exposes the cards of ``EXPOSURES[k]``."""
EXPOSE = CARDS
ACTIONS = CARDS + len(EXPOSURES)

ALWAYS_OPEN = (0, of(card for card in EXPOSABLE if card != SHEEP), of(EXPOSABLE))
"""GZ-5: by the values of ``always_open``, the cards that are exposed as soon as they are dealt."""


class Phase(IntEnum):  # the question put to the seat on turn
    EXPOSING, PLAYING, OVER = range(3)


class State(TrickState, most_seats=5):
    """A moment of a deal."""

    __slots__ = ()

    # What a table may decide, each option with its default and the rule that it touches
    partnership: bool = option(False, "GZ-22", comment="1: seats 0 and 2 play against 1 and 3")
    five_deck: FiveDeck = option(FiveDeck.SEED, "GZ-2")
    expose_order: ExposeOrder = option(ExposeOrder.SINGLE_ROUND, "GZ-7")
    exposed_singleton_lead: bool = option(False, "GZ-9", comment="1: GZ-9 excepts a singleton")
    target: int = option(
        1000, "GZ-24", least=1, most=1_000_000, most_at_table=10_000, comment="points down at which the game ends"
    )
    session_deals: int = deals_of_session(0, "GZ-24", least=0)
    end_on_plus: bool = option(False, "GZ-24", comment="1: so many points up end it too")
    team_end: TeamEnd = option(TeamEnd.TEAM_TOTAL, "GZ-26")
    all_hearts_transformer_300: bool = option(
        False, "GZ-27", comment="1: all hearts with the transformer count 300, not 200 doubled"
    )
    transformer_losses_only: bool = option(False, "GZ-18", comment="1: the transformer multiplies only a sum below 0")
    all_cards_1000: bool = option(False, "GZ-27", comment="1: all the point cards together count 1000")
    heart_values: HeartValues = option(HeartValues.STANDARD, "GZ-17")
    pig_flips: PigFlips = option(PigFlips.ALL_HEARTS, "GZ-20")
    pig_doubled: bool = option(False, "GZ-17", comment="1: the pig counts −200, or −400 exposed")
    sheep_flips: bool = option(False, "GZ-20", comment="1: the sheep counts minus for the taker of all hearts")
    first_leader: FirstLeader = option(FirstLeader.S2, "GZ-3")
    hearts_broken: bool = option(False, "GZ-13", comment="1: hearts are not led before one has been played")
    forced_fourth_exposure: bool = option(False, "GZ-7", comment="1: with three cards open the fourth opens too")
    exposing: bool = option(True, "GZ-5", comment="1: cards may be exposed before play")
    always_open: AlwaysOpen = option(AlwaysOpen.NONE, "GZ-5")
    clockwise: bool = option(
        False, "GZ-12", comment="1: the next seat is the left-hand neighbour; all else is the same"
    )
    # Points that experiments may change; signs stay, so that a plus remains one
    pig: int = value(-100, "GZ-17", least=-10_000, most=0)
    sheep: int = value(100, "GZ-17", least=0, most=10_000)
    hearts: Series[Short] = value(
        dict(zip(CARD_WORDS[HEART_TWO:], (0, 0, 0, -10, -10, -10, -10, -10, -10, -20, -30, -40, -50), strict=False)),
        "GZ-17", least=-1_000, most=0,
    )  # fmt: skip
    lone_transformer: int = value(50, "GZ-18", least=0, most=10_000)
    transformer: int = value(2, "GZ-18", least=1, most=10)
    all_hearts: int = value(300, "GZ-27", least=0, most=10_000)
    all_cards: int = value(1_000, "GZ-27", least=0, most=100_000)
    # The moment
    totals: PerSeat[int] = field("points from earlier deals; a team's for both partners", carried=True, scale=10)
    own_totals: PerSeat[int] = field("points from earlier deals that each seat took", carried=True, scale=10)
    leads_first: SeatNumber = field(
        "seat that leads to the first trick; −1 before the first deal: its cards decide", carried=True, start=NOBODY
    )
    phase: Phase = field("EXPOSING, PLAYING, OVER")
    exposed: CardSet = field("cards exposed in this deal, played or not")
    exposed_by: PerSeat[CardSet] = field("which of them each has exposed")
    answers: Small = field("answers given in this round of exposing, 0–5")
    round_exposed: bool = field("1: somebody has exposed a card in this round of exposing")
    pending: PerSeat[CardSet] = field("chosen to be exposed, not shown before all have chosen", Visible.OWNER)
    aside: CardSet = field("cards dealt to nobody; in the miniature for two only", Visible.NOBODY)
    fresh: bool = field("1: the suit of the trick in progress is led for the first time in this deal")
