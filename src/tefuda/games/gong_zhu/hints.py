"""Gong Zhu: what a good club player would teach a beginner on the first evening.

Every card that may be played is weighed in points: what the trick is worth times the chance to take it, what is given
away otherwise, and what it does to the hand. Only the own hand and public facts are read, so that a view is enough. The
weights are those that did best over thousands of deals against others, rounded.

The lessons, in the order of the functions below: expose from length, as strong players do; collect all hearts while
few of your cards can lose a trick; catch the sheep; duck under the pig and flush it out with low spades while you hold
nothing above it; get rid of the pig, of high spades and of hearts on other people's tricks; take the transformer only
on a plus. From the second heart on, watch whoever has them all: see that one heart goes to somebody else, give none to
that player, and keep the last heart that can take a trick from them."""

from typing import NamedTuple

from tefuda.engine.kit import NOBODY, Pick, Rng, better, bits, french, implements, next_seat, rule, verbs
from tefuda.engine.kit.french import CLUBS, DIAMONDS, HEARTS, SPADES, rank_of, suit_cards, suit_of
from tefuda.engine.kit.tricks import can_win, higher, suit_led, unplayed
from tefuda.games.gong_zhu import scoring
from tefuda.games.gong_zhu.cards import ALL_HEARTS, HEART_ACE, PIG, SHEEP, TRANSFORMER
from tefuda.games.gong_zhu.rules import exposure_action, may_expose, playable
from tefuda.games.gong_zhu.scoring import deck_in_use, doubled, partner, score
from tefuda.games.gong_zhu.state import Phase, State

LONG = 5  # cards of a suit that make it long
LOW_CLUBS = 3  # clubs below the transformer with which it can wait
COLLECTED = 2  # hearts in one hand's tricks, none elsewhere, from which a sweep of all hearts is taken seriously
HOPEFUL = 4  # hearts in hand and taken with which it can set out to collect all
MOST_LOSERS = 7  # cards of a hand that may lose a trick and still let it collect all hearts
LOST_HEART = 3  # others that weigh as much as the loss of a trick of hearts

# Weights, in points unless it is said otherwise.
LIKELY_ALONE, THREATENS = 0.2, -20.0
"""The transformer without other captures: a small plus now, a large minus if anything follows."""

SWEPT_HEART = 15.0  # a heart more on the way to all of them, beside its points
HIGHER_USED, HIGHER_ALONE = 0.4, 0.9
"""Chance that a player plays a higher card: with low cards out to stay below, fewer than half of those who can beat
will want to; without, nearly all have to."""

DISCARD_TO_SWEEP, DISCARD_WITH_PIG_OUT, DISCARD = 10.0, -60.0, -15.0
"""Points that another player is likely to add to a trick that I win."""

PARTNERS_SHARE, OPPONENTS_SHARE, OTHERS_SHARE = 1.0, -0.7, -0.4
"""Weight of what another takes: my partner's minus is my loss, their opponents' my gain; without partners
others' is in part my gain."""

PIG_MAY_FALL = 0.2
"""Chance that the pig falls on a trick of spades that I win with a higher one; any other player may hold it."""

FLUSHES_PIG_OUT = 50.0  # leading a spade while the pig is out and nothing of mine can catch it
LEADS_PIG = -30.0  # leading the pig, for the chance that it wins
RID_OF_PIG, RID_OF_SHEEP, RID_OF_PIG_CATCHER, RID_OF_SHEEP_CATCHER = 60.0, -60.0, 35.0, -20.0
RID_OF_TRANSFORMER_ON_MINUS, RID_OF_TRANSFORMER_ON_PLUS = 25.0, -10.0
RID_OF_HEART, RID_OF_HEART_A_RANK, RID_A_RANK = 6.0, 1.0, 0.9
"""Worth of being rid of a card on somebody else's trick; the last two for each rank above the two."""

DANGER_A_HEART = 12  # of a sweep by another, for each heart that they have after the first; doubled if HA is exposed
HIGH_GOES_FIRST = 0.3  # playing a high card, for each rank above the two
UNCOVERS_PIG, COVERS_PIG_LESS, FEW_COVERS = -4.0, -1.0, 2
"""Playing a spade beside the pig: when so few are left, and otherwise."""

SPENDS_SHEEP_CATCHER = -6.0  # playing a diamond with which the sheep could still be caught
EMPTIES_SUIT = 2.0  # playing the last card of a suit, diamonds apart


class Reading(NamedTuple):
    """Everything that the mover reads off the table once, before weighing cards."""

    me: int
    hand: int
    out: int  # the cards in the other hands
    sweeping: bool  # I am collecting all hearts
    rival: int  # the other seat that may be about to have all hearts; −1 for nobody
    danger: float  # of that, in points
    stops: bool  # a heart of mine can take a trick from the rival
    score: int  # of what I have captured so far


@implements(verbs.advise, State)
def advise(state: State, rng: Rng) -> int:
    """The best-weighed card; equal ones by lot."""
    me = bits.wide(state.turn)
    if state.phase == Phase.EXPOSING:
        return exposure_action(worth_exposing(state, me))
    r = read(state, me)
    best = Pick(-1, 0.0, 0)
    cards = playable(state)
    while cards != bits.EMPTY:
        card = bits.lowest(cards)
        cards = bits.without_lowest(cards)
        worth = lead_worth(state, r, card) if state.trick_size == 0 else follow_worth(state, r, card)
        best = better(best, card, worth, rng)
    return best.action


@rule
def worth_exposing(s: State, me: int) -> int:
    """The cards to expose: those that bring more when the network plays the deal out, and by these rules as well."""
    hand = s.hands[me]
    chosen = bits.EMPTY
    clubs, diamonds = hand & suit_cards(CLUBS), hand & suit_cards(DIAMONDS)
    if bits.size(hand & suit_cards(SPADES)) >= LONG:  # it can wait until others have played theirs
        chosen |= bits.only(PIG)
    if bits.size(bits.above(diamonds, SHEEP)) >= (2 if s.partnership else 3):  # nothing less makes up for the risk
        chosen |= bits.only(SHEEP)
    if bits.size(clubs) >= LONG or bits.size(bits.below(clubs, TRANSFORMER)) >= LOW_CLUBS:  # it goes on a plus or away
        chosen |= bits.only(TRANSFORMER)
    if bits.size(hand & ALL_HEARTS) >= LONG:  # others have to take most of theirs, or I take all
        chosen |= bits.only(HEART_ACE)
    return chosen & may_expose(s, me)


@rule
def read(s: State, me: int) -> Reading:
    """Everything that does not depend on the card to be weighed."""
    hand, out = s.hands[me], bits.without(unplayed(s, deck_in_use(s)), s.hands[me])
    rival, danger, stops = sweeper(s), 0.0, False
    if rival == me or (s.partnership and rival == partner(me)):
        rival = NOBODY
    if rival != NOBODY:
        hearts = bits.size(s.won[rival] & ALL_HEARTS)
        danger = float(doubled(s, DANGER_A_HEART * (hearts - 1), HEART_ACE))
        stops = can_stop(hand, out)
    return Reading(me, hand, out, sweeping(s, me, out), rival, danger, stops, score(s, s.won[me]))


@rule
def sweeper(s: State) -> int:
    """The seat that has taken every heart taken so far, and enough of them to be taken seriously; −1 if none."""
    found, takers = NOBODY, 0
    for seat in range(s.seats):
        taken = bits.size(s.won[seat] & ALL_HEARTS)
        takers += 1 if taken > 0 else 0
        if taken >= COLLECTED:
            found = seat
    return found if takers == 1 else NOBODY


@rule
def sweeping(s: State, me: int, out: int) -> bool:
    """True if I am collecting all hearts: many are mine, nobody else has one, and few of my cards may lose a trick."""
    if bits.size((s.hands[me] | s.won[me]) & ALL_HEARTS) < HOPEFUL:
        return False
    for seat in range(s.seats):
        if seat != me and s.won[seat] & ALL_HEARTS != bits.EMPTY:
            return False
    losers, led = 0, suit_of(bits.wide(s.best_card)) if s.trick_size > 0 else NOBODY
    for suit in range(french.SUITS):
        mine, theirs = s.hands[me] & suit_cards(suit), out & suit_cards(suit)
        low = bits.below(mine, bits.highest(theirs)) if theirs != bits.EMPTY else bits.EMPTY
        leads = bits.size(mine) - bits.size(low) - (1 if suit == led else 0)
        if suit == HEARTS and bits.size(theirs) <= leads:  # one falls on each of the highest
            return True
        if low != bits.EMPTY and bits.size(theirs) > 2 * leads:  # most often two do
            losers += bits.size(low) + (LOST_HEART if suit == HEARTS else 0)
    return losers <= MOST_LOSERS


@rule
def can_stop(hand: int, out: int) -> bool:
    """True if a heart of this hand beats some that are out, and has as many below it as are out above it."""
    hearts, guards = hand & ALL_HEARTS, 0
    while hearts != bits.EMPTY:
        card = bits.lowest(hearts)
        hearts = bits.without_lowest(hearts)
        if higher(out, card) <= guards and bits.below(out & ALL_HEARTS, card) != bits.EMPTY:
            return True
        guards += 1
    return False


@rule
def card_points(s: State, r: Reading, card: int, taker: int) -> float:
    """Points that this card adds to the taker, in points; with the sign it has for them."""
    if card == PIG:
        points = doubled(s, scoring.pig_points(s), PIG)
        return float(-points if taker == r.me and r.sweeping else points)
    if card == SHEEP:
        return float(doubled(s, s.sheep, SHEEP))
    if card == TRANSFORMER:
        own = score(s, s.won[taker])
        if own == 0:
            return LIKELY_ALONE * s.lone_transformer + THREATENS
        if own > 0 and s.transformer_losses_only:
            return 0.0
        return float(own * (doubled(s, s.transformer, TRANSFORMER) - 1))
    if bits.has(ALL_HEARTS, card):
        points = doubled(s, scoring.heart_points(s, bits.only(card)), HEART_ACE)
        if taker == r.me and r.sweeping:
            return SWEPT_HEART - points
        return float(points)
    return 0.0


@rule
def trick_points(s: State, r: Reading, taker: int) -> float:
    """Worth of the cards lying in the trick to its taker."""
    total = 0.0
    for place in range(s.trick_size):
        total += card_points(s, r, bits.wide(s.trick[place]), taker)
    return total


@rule
def chance_to_win(s: State, r: Reading, card: int) -> float:
    """The chance that this card takes the trick."""
    return chance_unbeaten(s, r, card) if can_win(s, card) else 0.0


@rule
def chance_unbeaten(s: State, r: Reading, card: int) -> float:
    """The chance that nobody still to play beats this card: each higher card out may sit with any other player."""
    above = higher(r.out & may_fall(s, suit_of(card)), card)
    behind = s.seats - s.trick_size - 1
    if behind == 0 or above == 0:
        return 1.0
    share = behind / (s.seats - 1.0)
    of_suit = bits.size(r.out & suit_cards(suit_of(card)))
    used = HIGHER_USED if of_suit > above + 1 else HIGHER_ALONE
    chance = 1.0
    for _ in range(above):
        chance *= 1.0 - share * used
    return chance


@rule
def points_to_come(s: State, r: Reading, card: int, suit: int) -> float:
    """About the points that others will add to a trick of this suit that I win with this card.

    Each adds the card that they can spare most easily; in spades the pig may fall under a higher card."""
    points = DISCARD_TO_SWEEP if r.sweeping else DISCARD_WITH_PIG_OUT if bits.has(r.out, PIG) else DISCARD
    behind = s.seats - s.trick_size - 1
    total = points * behind
    if suit == SPADES and card > PIG and bits.has(r.out & may_fall(s, suit), PIG):
        total += card_points(s, r, PIG, r.me) * PIG_MAY_FALL * behind / (s.seats - 1.0)
    return total


@rule
def may_fall(s: State, suit: int) -> int:
    """GZ-8: the cards of a suit that others may play to it; in its first round an exposed one falls only if alone."""
    first = not bits.has(s.led, suit) if s.trick_size == 0 else bool(s.fresh)
    return bits.without(suit_cards(suit), s.exposed) if first else suit_cards(suit)


@rule
def gift_weight(s: State, r: Reading, taker: int) -> float:
    """Weight of what another player takes."""
    if s.partnership:
        return PARTNERS_SHARE if taker == partner(r.me) else OPPONENTS_SHARE
    return OTHERS_SHARE


@rule
def weight_behind(s: State, r: Reading) -> float:
    """Average weight over the players still to play to this trick; 0 if nobody is."""
    total, behind, seat = 0.0, s.seats - s.trick_size - 1, r.me
    for _ in range(behind):
        seat = next_seat(s, seat)
        total += gift_weight(s, r, seat)
    return total / max(1, behind)


@rule
def follow_worth(s: State, r: Reading, card: int) -> float:
    """Points expected from playing this card to the trick on the table."""
    win = chance_to_win(s, r, card)
    led = suit_of(bits.wide(s.best_card))
    mine = trick_points(s, r, r.me) + card_points(s, r, card, r.me) + points_to_come(s, r, card, led)
    taker = bits.wide(s.best_seat)
    theirs = trick_points(s, r, taker) + card_points(s, r, card, taker)
    stays = 0.0 if can_win(s, card) else chance_unbeaten(s, r, bits.wide(s.best_card))  # if I do not take it
    weight = stays * gift_weight(s, r, taker) + (1.0 - stays) * weight_behind(s, r)
    worth = win * mine + (1.0 - win) * theirs * weight
    if win < 1.0:
        worth += (1.0 - win) * relief(s, r, card)
    if r.rival != NOBODY:
        worth += defence(s, r, card, win, stays)
    return worth + hand_worth(s, r, card)


@rule
def lead_worth(s: State, r: Reading, card: int) -> float:
    """Points expected from leading this card."""
    suit = suit_of(card)
    win = chance_to_win(s, r, card)
    mine = card_points(s, r, card, r.me) + points_to_come(s, r, card, suit)
    theirs = card_points(s, r, card, next_seat(s, r.me))
    worth = win * mine + (1.0 - win) * (theirs * weight_behind(s, r) + relief(s, r, card))
    if suit == SPADES and bits.has(r.out, PIG) and bits.above(r.hand & suit_cards(SPADES), PIG) == bits.EMPTY:
        worth += FLUSHES_PIG_OUT
    if card == PIG and win < 1.0:
        worth += LEADS_PIG * win
    if r.rival != NOBODY:
        worth += defence(s, r, card, win, 0.0)
    return worth + hand_worth(s, r, card)


@rule
def relief(s: State, r: Reading, card: int) -> float:
    """Worth of being rid of this card without taking the trick."""
    if r.sweeping:
        return 0.0
    if card == PIG:
        return RID_OF_PIG
    if card == SHEEP:
        return RID_OF_SHEEP
    if card == TRANSFORMER:
        gains = r.score > 0 and not s.transformer_losses_only
        return RID_OF_TRANSFORMER_ON_PLUS if gains else RID_OF_TRANSFORMER_ON_MINUS
    suit, rank = suit_of(card), float(rank_of(card))
    if suit == SPADES and bits.has(r.out, PIG) and card > PIG:
        return RID_OF_PIG_CATCHER
    if suit == HEARTS:
        return RID_OF_HEART + RID_OF_HEART_A_RANK * rank
    if suit == DIAMONDS and bits.has(r.out, SHEEP) and card > SHEEP:
        return RID_OF_SHEEP_CATCHER
    return RID_A_RANK * rank


@rule
def defence(s: State, r: Reading, card: int, win: float, stays: float) -> float:
    """Worth of what this card does against the rival's sweep, which a single heart in another hand prevents.

    ``stays`` is the chance that the best card so far takes the trick if I do not."""
    heart = bits.has(ALL_HEARTS, card)
    if not heart and not hearts_lie(s):
        return 0.0
    others, behind, seat = 0.0, s.seats - s.trick_size - 1, r.me
    for _ in range(behind):
        seat = next_seat(s, seat)
        others += seat != r.rival or bits.has(s.voids[seat], suit_led(s, card))
    passed = (1.0 - stays) * others / max(1, behind) + (stays if s.best_seat != r.rival else 0.0)
    prevents = win + (1.0 - win) * passed
    worth = r.danger * prevents
    if heart:
        worth -= r.danger * (1.0 - prevents)
        if r.stops and not can_stop(bits.without(r.hand, bits.only(card)), r.out):
            worth -= r.danger * (1.0 - prevents)
    return worth


@rule
def hearts_lie(s: State) -> bool:
    """True if a heart lies in the trick."""
    found = False
    for place in range(s.trick_size):
        found |= bits.has(ALL_HEARTS, s.trick[place])
    return found


@rule
def hand_worth(s: State, r: Reading, card: int) -> float:
    """Worth of what playing this card does to the rest of the hand: high cards go first, short suits are emptied."""
    suit = suit_of(card)
    left = bits.size(r.hand & suit_cards(suit)) - 1
    worth = HIGH_GOES_FIRST * rank_of(card)
    if suit == SPADES and bits.has(r.hand, PIG) and card != PIG:
        worth += UNCOVERS_PIG if left <= FEW_COVERS else COVERS_PIG_LESS
    if suit == DIAMONDS and bits.has(r.out, SHEEP) and card > SHEEP:
        worth += SPENDS_SHEEP_CATCHER
    if left == 0 and suit != DIAMONDS:
        worth += EMPTIES_SUIT
    return worth
