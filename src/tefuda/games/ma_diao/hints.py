"""Ma Diao: what a good club player would teach a beginner on the first evening.

Every way to play a card is weighed in stakes: how likely it wins the trick, what a trick with that card is worth to
you and would be worth to the others, and what the card could still win later. Only the own hand and public facts are
read, so that a view is enough.

The lessons, in the order of the functions below. Declare an extraordinary hand, and refuse with a hand that may: both
pay better than play. Two tricks make you home, and with it your tops and your Hundred count; the third hangs the
others; more bring little but their bonus cards, unless you have won them all. With the Hundred in hand, get home, and
let a female striker win one of the tricks. Lead what nobody can beat any more. When you follow, beat with what is safe
and cheap; throw what can win nothing. Play the Hundred when TQ and TM are gone; while it is out and not yours, hold
them back. You settle with the dealer, whose tricks are your loss; those of the two others are nothing to you. As dealer
you settle three times, so your own tricks count for three, and everybody's are your loss."""

from typing import NamedTuple

from tefuda.engine.kit import NOBODY, Pick, Rng, better, bits, implements, next_seat, rule, verbs
from tefuda.games.ma_diao import cards
from tefuda.games.ma_diao.cards import CARDS, DECLARE, FEMALE_STRIKERS, HUNDRED, SUIT_OF, is_extraordinary
from tefuda.games.ma_diao.rules import may_beat, may_throw, open_cards
from tefuda.games.ma_diao.scoring import counting_tops, strikes, tricks_of
from tefuda.games.ma_diao.state import HAND, SEATS, WHOLE_TABLE, Phase, Side, State

TRICKS_WORTH = (-1.0, -0.6, 0.4, 1.0, 1.05, 1.1, 1.15, 1.2, 1.25)
"""Worth of so many tricks in the middle of a deal, in stakes: on the way to two and three."""

CHANCE_HOME = (0.35, 0.65, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)  # how likely a player with so many tricks gets home
DOUBT = 0.15  # how likely, against others, a player holds a card that would have beaten and was not played
LATER = (0.0, 0.3, 0.6, 0.9, 0.9, 0.9, 0.9, 0.9)
"""Chance that a card that nobody can beat still comes to win a trick if so many are left after this one."""

HOLDS = 0.8  # how likely the player whose card is the best so far wins the trick if I leave it to them
WHOLE_TABLE_CHANCE = 0.5  # how likely a player who has won all tricks so far wins one more of the first seven
GUARD = 0.2  # what holding back TQ or TM while the Hundred is out is worth against one opponent who counts


class Reading(NamedTuple):
    """Everything that the mover reads off the table once, before weighing plays."""

    me: int
    hand: int
    dealt: int
    out: int  # the cards whose place I do not know: in other hands, thrown by others, in the stock
    settlements: float  # how many others I settle with: my own value counts so often, each of theirs once against me
    later: float  # how likely a card that nobody can beat still comes to win a trick if I do not play it now


@implements(verbs.advise, State)
def advise(state: State, rng: Rng) -> int:
    """The answer before play; then the best-weighed card, equal ones by lot."""
    hand = state.hands[state.turn]
    if state.phase == Phase.DECLARING:
        return DECLARE if is_extraordinary(state, hand) else cards.SILENT
    if state.phase == Phase.REFUSING:
        return cards.REFUSE if cards.may_refuse(state, hand) else cards.FIGHT
    r = read(state)
    face_up = r.hand if state.placed == 0 else may_beat(state, r.hand)
    face_down = bits.EMPTY if state.placed == 0 else may_throw(state, r.hand)
    best = Pick(-1, 0.0, 0)
    while face_up != bits.EMPTY:
        card = bits.lowest(face_up)
        face_up = bits.without_lowest(face_up)
        best = better(best, card, playing_worth(state, r, card), rng)
    while face_down != bits.EMPTY:
        card = bits.lowest(face_down)
        face_down = bits.without_lowest(face_down)
        best = better(best, cards.THROW + card, -keeping_worth(state, r, card), rng)
    return best.action


@rule
def read(s: State) -> Reading:
    """Everything that does not depend on the card to be weighed."""
    me = bits.wide(s.turn)
    out = bits.without(cards.PACK, open_cards(s) | s.dealt[me])
    settlements = SEATS - 1.0 if s.dealer == me else 1.0
    return Reading(me, s.hands[me], s.dealt[me], out, settlements, LATER[s.held[me] - 1])


@rule
def let_pass(s: State, seat: int, suit: int) -> int:
    """The lowest card of this suit on which this player has thrown face down; CARDS if there is none."""
    lowest = CARDS
    for k in range(min(HAND, s.number + 1)):
        leader = s.leaders[k]
        if leader != NOBODY and s.orientation[seat, k] == Side.FACE_DOWN and SUIT_OF[s.rows[leader, k]] == suit:
            best = bits.wide(s.rows[leader, k])
            player = next_seat(s, leader)
            while player != seat:
                if s.orientation[player, k] == Side.FACE_UP:
                    best = bits.wide(s.rows[player, k])
                player = next_seat(s, player)
            lowest = min(lowest, best)
    return lowest


@rule
def chance_unbeaten_by(s: State, r: Reading, seat: int, card: int) -> float:
    """The chance that this player cannot beat the card; who has thrown on a lower one hardly can."""
    higher = bits.above(r.out & cards.suit_cards(card), card)
    if higher == bits.EMPTY or s.held[seat] == 0:
        return 1.0
    shown = let_pass(s, seat, SUIT_OF[card])
    doubtful = bits.EMPTY if shown == CARDS else bits.above(higher, shown)
    count = bits.size(higher) - (1.0 - DOUBT) * bits.size(doubtful)
    return max(0.0, 1.0 - s.held[seat] / bits.size(r.out)) ** count


@rule
def chance_unbeaten(s: State, r: Reading, card: int, players: int) -> float:
    """The chance that none of so many players after me can beat the card."""
    chance, seat = 1.0, r.me
    for _ in range(players):
        seat = next_seat(s, seat)
        chance *= chance_unbeaten_by(s, r, seat, card)
    return chance


@rule
def worth_to_me(s: State, r: Reading, won: int) -> float:
    """About what my value will be with these cards on the table, in stakes; what is sure and what is hoped for."""
    tricks = bits.size(won)
    home = CHANCE_HOME[tricks]
    worth = TRICKS_WORTH[tricks] + home * s.tops * bits.size(won & counting_tops(s))
    female = strikes(s, won & FEMALE_STRIKERS)
    if bits.has(won, cards.MALE_STRIKER):
        worth += s.small_strike * female
    if bits.has(r.dealt, HUNDRED):
        live = s.small_live + s.small_live_strike * female
        if bits.has(won, HUNDRED):
            live = s.great_live + s.great_live_strike * female
        worth += home * live + (1.0 - home) * dead_hundred(s, r, won, female)
    if bits.inside(cards.THREE_OPENED, won):
        worth += s.three_opened
    if bits.inside(cards.FOUR_REDS, won):
        worth += s.four_reds
    if tricks >= s.number and s.number < WHOLE_TABLE:
        worth += s.whole_table * WHOLE_TABLE_CHANCE ** (WHOLE_TABLE - tricks)
    return worth


@rule
def dead_hundred(s: State, r: Reading, won: int, female: int) -> float:
    """MD-33, MD-34."""
    pairs = strikes(s, r.dealt & FEMALE_STRIKERS) if bits.has(won, HUNDRED) else female
    return s.dead_hundred + s.dead_hundred_strike * pairs


@rule
def gain(s: State, r: Reading, card: int) -> float:
    """Gain of winning a trick with this card, in all settlements."""
    won = s.won[r.me]
    return r.settlements * (worth_to_me(s, r, won | bits.only(card)) - worth_to_me(s, r, won))


@rule
def denied(s: State, r: Reading) -> float:
    """Worth of what I take from those with whom I settle if this trick is mine."""
    loss = 0.0
    for seat in range(SEATS):
        if seat != r.me and (s.dealer == r.me or s.dealer == seat):  # MD-44
            likely = (
                1.0 / (SEATS - 1) if s.placed == 0 else HOLDS if seat == s.best_seat else (1.0 - HOLDS) / (SEATS - 2)
            )
            loss += likely * trick_for_other(s, seat)
    return loss


@rule
def trick_for_other(s: State, seat: int) -> float:
    """About what another player gets with this trick: nearer home, and the bonus of the card that now wins it."""
    tricks = tricks_of(s, seat)
    worth = TRICKS_WORTH[tricks + 1] - TRICKS_WORTH[tricks]
    if s.placed > 0 and seat == s.best_seat:
        best = bits.only(s.best_card)
        if best == cards.HUNDRED_CARD:
            worth += s.great_live - s.dead_hundred
        worth += s.tops * bits.size(best & counting_tops(s))
    return worth


@rule
def playing_worth(s: State, r: Reading, card: int) -> float:
    """Face up: the trick as likely as it is won, less what the card could win later; a sure trick needs no guard."""
    win = chance_unbeaten(s, r, card, SEATS - 1 - s.placed)
    worth = win * (gain(s, r, card) + denied(s, r)) - keeping_worth(s, r, card)
    return worth + guarding_worth(r, card) if win == 1.0 else worth


@rule
def keeping_worth(s: State, r: Reading, card: int) -> float:
    """Worth of what the card may still win if I hold it back, and of what it guards."""
    later = r.later * chance_unbeaten(s, r, card, SEATS - 1)
    return later * gain(s, r, card) + guarding_worth(r, card)


@rule
def guarding_worth(r: Reading, card: int) -> float:
    """TQ and TM keep another's Hundred from coming alive while it is out."""
    guards = bits.without(cards.THREE_OPENED, cards.HUNDRED_CARD)
    if not bits.has(guards, card) or not bits.has(r.out, HUNDRED):
        return 0.0
    return GUARD * r.settlements
