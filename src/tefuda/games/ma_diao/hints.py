"""Ma Diao: what a good club player would teach a beginner on the first evening.

Every way to play a card is weighed in stakes: how likely it wins the trick, what a trick with that card is worth to
you and would be worth to the others, and what the card could still win later. Only the own hand and public facts are
read, so that a view is enough.

The lessons, in the order of the functions below. Declare an extraordinary hand, and refuse with a hand that may: both
pay better than play. Two tricks make you home, and with it your tops and your Hundred count; the third hangs the
others; more bring little but their bonus cards, unless you have won them all. With the Hundred in hand, get home, and
let a female striker win one of the tricks. Lead what nobody can beat any more. When you follow, beat with what is safe
and cheap; throw what can win nothing. Play the Hundred when TQ and TM are gone; while it is out and not yours, hold
them back. You settle with the dealer: his tricks are your loss, those of the two others are nothing to you. As dealer
you settle three times, so your own tricks count for three, and everybody's are your loss.
"""

from typing import Any, NamedTuple

from tefuda.engine import bits, verbs
from tefuda.engine.rng import Pick, better
from tefuda.engine.verbs import implements, rule
from tefuda.games.ma_diao.hands import is_extraordinary, may_refuse
from tefuda.games.ma_diao.rules import NOBODY, cards_seen, may_beat, may_throw, next_seat, suit_cards
from tefuda.games.ma_diao.scoring import (
    DEAD_HUNDRED_STAKES,
    DEAD_HUNDRED_STRIKE_STAKES,
    FOUR_REDS_STAKES,
    GREAT_LIVE_STAKES,
    GREAT_LIVE_STRIKE_STAKES,
    SMALL_LIVE_STAKES,
    SMALL_LIVE_STRIKE_STAKES,
    THREE_OPENED_STAKES,
    WHOLE_TABLE_STAKES,
    counting_tops,
    strikes,
    tricks_of,
)
from tefuda.games.ma_diao.state import (
    CARDS,
    DECLARE,
    DECLARING,
    FACE_DOWN,
    FACE_UP,
    FEMALE_STRIKERS,
    FIGHT,
    FOUR_REDS,
    HAND,
    HUNDRED,
    HUNDRED_CARD,
    MALE_STRIKER,
    REFUSE,
    REFUSING,
    SEATS,
    SILENT,
    STATE,
    SUIT_OF,
    THREE_OPENED,
    THROW,
    WHOLE_TABLE_TRICKS,
)

TRICKS_WORTH = (-1.0, -0.6, 0.4, 1.0, 1.05, 1.1, 1.15, 1.2, 1.25)
"""What so many tricks are worth in the middle of a deal, in stakes: on the way to two and three."""

CHANCE_HOME = (0.35, 0.65, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
"""How likely a player with so many tricks gets home."""

DOUBT = 0.15
"""How likely, against others, a player holds a card with which he could have beaten and did not."""

LATER = (0.0, 0.3, 0.6, 0.9, 0.9, 0.9, 0.9, 0.9)
"""How likely a card that nobody can beat still comes to win a trick if so many cards are left after this one."""

HOLDS = 0.8
"""How likely the player whose card is the best so far wins the trick if I leave it to him."""

WHOLE_TABLE_CHANCE = 0.5
"""How likely a player who has won all tricks so far wins one more of the first seven."""

GUARD = 0.2
"""What holding back TQ or TM while the Hundred is out is worth against one opponent who counts."""


class Reading(NamedTuple):
    """What the mover reads off the table once, before he weighs his plays."""

    me: int
    hand: int
    dealt: int
    out: int
    """the cards whose place I do not know: in other hands, thrown by others, in the stock"""
    mine: float
    """how many settlements my own value counts in"""
    others: float
    """how many of the others' values count against me, each once"""
    later: float
    """how likely a card that nobody can beat still comes to win a trick if I do not play it now"""


@implements(verbs.advise, STATE)
def advise(state: Any, rng: Any) -> int:
    """What to say before play; then the best-weighed card, equal ones by lot."""
    hand = state.hands[state.turn]
    if state.phase == DECLARING:
        return DECLARE if is_extraordinary(state, hand) else SILENT
    if state.phase == REFUSING:
        return REFUSE if may_refuse(state, hand) else FIGHT
    r = read(state)
    face_up = r.hand if state.placed == 0 else may_beat(state, r.hand)
    face_down = bits.EMPTY if state.placed == 0 else may_throw(state, r.hand)
    best = Pick(-1, 0.0, 0)
    for down in range(2):
        cards = face_down if down else face_up
        while cards != bits.EMPTY:
            card = bits.lowest(cards)
            cards = bits.without_lowest(cards)
            worth = -keeping_worth(state, r, card) if down else playing_worth(state, r, card)
            best = better(best, THROW + card if down else card, worth, rng)
    return best.action


# Reading the table


@rule
def read(s: Any) -> Any:
    """Everything that does not depend on the card to be weighed."""
    me = bits.wide(s.turn)
    known = s.dealt[me]
    for card in (s.face, s.bottom):
        if card != NOBODY:
            known |= bits.only(card)
    for seat in range(SEATS):
        known |= cards_seen(s, seat)
    out = bits.without(bits.span(0, CARDS), known)
    dealing = s.dealer == me
    later = LATER[s.held[me] - 1]
    return Reading(me, s.hands[me], s.dealt[me], out, 3.0 if dealing else 1.0, 3.0 if dealing else 1.0, later)


@rule
def counts_against_me(s: Any, r: Any, seat: int) -> float:
    """MD-44: 1 for a player with whom I settle, 0 for another."""
    return 1.0 if s.dealer == r.me or s.dealer == seat else 0.0


@rule
def let_pass(s: Any, seat: int, suit: int) -> int:
    """The lowest card of this suit on which this player has thrown face down; CARDS if there is none."""
    lowest = CARDS
    for k in range(min(HAND, s.number + 1)):
        leader = s.leaders[k]
        if leader != NOBODY and s.orientation[seat, k] == FACE_DOWN and SUIT_OF[s.rows[leader, k]] == suit:
            best = bits.wide(s.rows[leader, k])
            player = next_seat(leader)
            while player != seat:
                if s.orientation[player, k] == FACE_UP:
                    best = bits.wide(s.rows[player, k])
                player = next_seat(player)
            lowest = min(lowest, best)
    return lowest


@rule
def chance_unbeaten_by(s: Any, r: Any, seat: int, card: int) -> float:
    """The chance that this player cannot beat the card; who has thrown on a lower one hardly can."""
    higher = bits.above(r.out & suit_cards(card), card)
    if higher == bits.EMPTY or s.held[seat] == 0:
        return 1.0
    shown = let_pass(s, seat, SUIT_OF[card])
    doubtful = bits.EMPTY if shown == CARDS else bits.above(higher, shown)
    count = bits.size(higher) - (1.0 - DOUBT) * bits.size(doubtful)
    return max(0.0, 1.0 - s.held[seat] / bits.size(r.out)) ** count


@rule
def chance_unbeaten(s: Any, r: Any, card: int, players: int) -> float:
    """The chance that none of so many players after me can beat the card."""
    chance, seat = 1.0, r.me
    for _ in range(players):
        seat = next_seat(seat)
        chance *= chance_unbeaten_by(s, r, seat, card)
    return chance


# What tricks are worth


@rule
def worth_to_me(s: Any, r: Any, won: int) -> float:
    """About what my value will be with these cards on the table, in stakes; what is sure and what is hoped for."""
    tricks = bits.size(won)
    home = CHANCE_HOME[tricks]
    worth = TRICKS_WORTH[tricks] + home * bits.size(won & counting_tops(s))
    female = strikes(s, won & FEMALE_STRIKERS)
    if bits.has(won, MALE_STRIKER):
        worth += female
    if bits.has(r.dealt, HUNDRED):
        worth += home * live_hundred(won, female) + (1.0 - home) * dead_hundred(s, r, won, female)
    if bits.inside(THREE_OPENED, won):
        worth += THREE_OPENED_STAKES
    if bits.inside(FOUR_REDS, won):
        worth += FOUR_REDS_STAKES
    if tricks >= s.number and s.number < WHOLE_TABLE_TRICKS:
        worth += WHOLE_TABLE_STAKES * WHOLE_TABLE_CHANCE ** (WHOLE_TABLE_TRICKS - tricks)
    return worth


@rule
def live_hundred(won: int, female: int) -> float:
    """MD-35 to MD-38."""
    if bits.has(won, HUNDRED):
        return GREAT_LIVE_STAKES + GREAT_LIVE_STRIKE_STAKES * female
    return SMALL_LIVE_STAKES + SMALL_LIVE_STRIKE_STAKES * female


@rule
def dead_hundred(s: Any, r: Any, won: int, female: int) -> float:
    """MD-33, MD-34."""
    pairs = strikes(s, r.dealt & FEMALE_STRIKERS) if bits.has(won, HUNDRED) else female
    return DEAD_HUNDRED_STAKES + DEAD_HUNDRED_STRIKE_STAKES * pairs


@rule
def gain(s: Any, r: Any, card: int) -> float:
    """What winning a trick with this card brings me, in all settlements."""
    won = s.won[r.me]
    return r.mine * (worth_to_me(s, r, won | bits.only(card)) - worth_to_me(s, r, won))


@rule
def denied(s: Any, r: Any) -> float:
    """What I take from those with whom I settle if this trick is mine."""
    loss = 0.0
    for seat in range(SEATS):
        if seat != r.me:
            likely = 1.0 / 3.0 if s.placed == 0 else (HOLDS if seat == s.best_seat else (1.0 - HOLDS) / 2.0)
            loss += counts_against_me(s, r, seat) * likely * trick_for_other(s, seat)
    return loss


@rule
def trick_for_other(s: Any, seat: int) -> float:
    """About what another player gets with this trick: nearer home, and the bonus of the card that now wins it."""
    tricks = tricks_of(s, seat)
    worth = TRICKS_WORTH[tricks + 1] - TRICKS_WORTH[tricks]
    if s.placed > 0 and seat == s.best_seat:
        best = bits.only(s.best_card)
        if best == HUNDRED_CARD:
            worth += GREAT_LIVE_STAKES - DEAD_HUNDRED_STAKES
        worth += bits.size(best & counting_tops(s))
    return worth


# Weighing a card


@rule
def playing_worth(s: Any, r: Any, card: int) -> float:
    """Face up: the trick as likely as it is won, less what the card could win later."""
    win = chance_unbeaten(s, r, card, SEATS - 1 - s.placed)
    return win * (gain(s, r, card) + denied(s, r)) - keeping_worth(s, r, card)


@rule
def keeping_worth(s: Any, r: Any, card: int) -> float:
    """What the card may still win if I hold it back, and what it guards."""
    later = r.later * chance_unbeaten(s, r, card, SEATS - 1)
    return later * gain(s, r, card) + guarding_worth(r, card)


@rule
def guarding_worth(r: Any, card: int) -> float:
    """TQ and TM keep another's Hundred from coming alive while it is out."""
    guards = bits.without(THREE_OPENED, HUNDRED_CARD)
    if not bits.has(guards, card) or not bits.has(r.out, HUNDRED):
        return 0.0
    return GUARD * r.others
