"""Sap Ng Wu at random, against a second reading of the rules written here: plays by their cards, not by numbers."""

import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from tefuda.engine import play, rng, verbs
from tefuda.engine.record import SPECTATOR
from tefuda.games.sap_ng_wu.plays import ACTIONS, CARD_WORDS, COMBINATION_WORDS, PASS, SIZE, SUIT_WORDS
from tefuda.games.sap_ng_wu.scoring import level
from tefuda.games.sap_ng_wu.state import Phase
from tefuda.games.sap_ng_wu.words import NOTATION
from tefuda.table.deal import Deal
from tefuda.table.game import Game, load, numbered_deals

CARDS = ("hands", "won", "laid", "table", "discards")
DEALS = 5_000


# A second reading: a play is a Counter of cards.


def suit(card: str) -> int:
    return next(number for number, cards in enumerate(SUIT_WORDS) if card in cards)


def shape(cards: Counter[str]) -> tuple[object, ...] | None:
    """What kind of play it is, with all that a follow must have in common with it; None if it is none (SN-11)."""
    if len(cards) == 1:
        ((card, copies),) = cards.items()
        return ("set", suit(card), copies)
    if set(cards) == {"12", "24"}:
        return ("supreme",)
    for words in COMBINATION_WORDS:
        if set(cards) <= set(words) and cards[words[0]]:
            return ("combination", *(cards[word] for word in words))
    return None


def strength(cards: Counter[str]) -> int:
    """SN-4, SN-15: higher beats lower, among plays of one shape."""
    if len(cards) == 1:
        card = next(iter(cards))
        return -SUIT_WORDS[suit(card)].index(card)
    return next(number for number, words in enumerate(COMBINATION_WORDS) if set(cards) <= set(words))


def may_follow(cards: Counter[str], best: Counter[str]) -> bool:
    """SN-12 to SN-16."""
    return shape(cards) == shape(best) != ("supreme",) and strength(cards) > strength(best)


def groups(hand: Counter[str]) -> set[tuple[str, ...]]:
    """All plays that a hand holds, by brute force over the words of the notation."""
    found = set()
    for word in NOTATION.words[: PASS - 17]:
        cards = Counter(word.split("+"))
        if cards <= hand and shape(cards) is not None:
            found.add(tuple(sorted(cards.elements())))
    return found


def hand_of(deal: Deal, seat: int) -> Counter[str]:
    return Counter({card: int(count) for card, count in zip(CARD_WORDS, deal.state.hands[seat], strict=True) if count})


def test_every_play_is_numbered_once() -> None:
    assert len(set(NOTATION.words)) == ACTIONS
    assert all(shape(Counter(word.split("+"))) is not None for word in NOTATION.words[: PASS - 17])
    assert sum(shape(Counter(word.split("+"))) == ("supreme",) for word in NOTATION.words[: PASS - 17]) == 16


@pytest.mark.parametrize("seed", range(8))
def test_leads_and_follows_are_those_of_the_second_reading(seed: int) -> None:
    """SN-11 to SN-16."""
    chance = random.Random(seed)
    deal = load("sap-ng-wu", seats=3 + seed % 2).deal(seed)
    best: Counter[str] = Counter()
    while not deal.over:
        legal = deal.legal()
        if "stop" not in legal and not legal[0].startswith("supreme:"):
            plays = groups(hand_of(deal, deal.mover))
            if deal.state.phase != Phase.LEADING:
                plays = {play for play in plays if may_follow(Counter(play), best)}
            assert plays == {tuple(sorted(word.split("+"))) for word in legal if word != "pass"}
            assert ("pass" in legal) == (deal.state.phase != Phase.LEADING)
        word = chance.choice(legal)
        if word[0].isdigit():
            best = Counter(word.split("+"))
        deal.play(word)


def test_level_is_the_ladder_of_sn_28() -> None:
    """SN-28."""
    ladder = {0: 0, 14: 0, 15: 1, 17: 1, 18: 2, 20: 2, 21: 3, 23: 3, 24: 4, 26: 4, 27: 5, 36: 5}
    state = load("sap-ng-wu").deal(seed=0).state
    assert {fu: int(level(state, fu)) for fu in ladder} == ladder


# Many deals


@pytest.mark.slow
def test_many_random_deals_conserve_cards_and_counters(table: Game) -> None:
    """SN-33."""
    states, rngs = numbered_deals(table, 3, range(DEALS))
    payoffs = play.play_batch(states, np.zeros((DEALS, table.seats), np.int8), rngs)
    assert (payoffs.sum(axis=1) == 0).all()
    total = sum(states[name].reshape(DEALS, -1, len(CARD_WORDS)).astype(int).sum(axis=1) for name in CARDS)
    assert (total == 4).all()
    assert (states["held"] == states["hands"].sum(axis=2)).all()
    stopped_in_contest = table.options["score_mode"] == "shed"  # the latest play then lies on the table
    assert stopped_in_contest or not states["table"].any()
    own = states["won"].sum(axis=2) + states["laid"].sum(axis=2)
    eight = (states["laid"].sum(axis=2) == 8) * 8
    if table.options["score_mode"] == "last_play":
        assert (states["fu"] == own + eight)[:, : table.seats].all()
    stopped = states["stopper"] >= 0
    fu = states["fu"][np.arange(DEALS), np.maximum(states["stopper"], 0)]
    assert (fu[stopped] >= 15).all()
    ended = table.options["last_holder"] == "ends"
    assert ended or not states["held"][~stopped].any()
    assert stopped.mean() > 0.1


def test_the_dealer_of_the_first_deal_is_anybody() -> None:
    """SN-2."""
    game = load("sap-ng-wu", seats=4)
    assert {game.deal(seed).mover for seed in range(40)} == {0, 1, 2, 3}


def test_a_session_rotates_the_deal_and_ends() -> None:
    """SN-3, SN-32, SN-34."""
    from tefuda.table.game import Session

    session = Session(load("sap-ng-wu", session_deals=5), seed=2)
    chance = random.Random(2)
    while not session.over:
        deal = session.next_deal()
        while not deal.over:
            deal.play(chance.choice(deal.legal()))
    assert len(session.deals) == 5
    assert sum(session.totals) == 300
    for earlier, later in pairwise(session.deals):
        stopper = int(earlier.state.stopper)
        assert later.state.dealer == (stopper if stopper >= 0 else earlier.state.dealer)
    with pytest.raises(ValueError, match="over"):
        session.next_deal()


# Views


def test_a_view_lists_copies_and_plays_as_words() -> None:
    deal = load("sap-ng-wu").position({"hands": ["12 66 66", "15", "15"], "contest": ["1:34"], "won": ["", "23", ""]})
    seen = deal.view(0).to_dict()
    assert seen["hands"] == ["66", "66", "12"]
    assert seen["won"] == [[], ["23"], []]
    assert seen["table"] == ["34"]
    assert seen["contest"][:2] == ["34", None]
    assert len(seen["contest"]) == 11
    assert "hands" not in deal.view(SPECTATOR).to_dict()


# Hints


@pytest.mark.slow
def test_hints_gain_on_random_players() -> None:
    from tefuda.lab.play.match import Match

    entry = Match(load("sap-ng-wu"), ["hints", "random", "random"], 300, 1).play().entries[0]
    assert entry.gain.margin is not None
    assert entry.gain.mean - entry.gain.margin > 0
    assert entry.illegal == 0


def test_a_hint_leads_what_nobody_can_beat_when_that_brings_a_payment() -> None:
    position = {"hands": ["66 45 36 15", "15", "16"], "won": ["11 11 11 44 44 44 13 13 13 55 55 55", "", ""]}
    deal = load("sap-ng-wu").position(position)
    action = int(verbs.advise(deal.state, rng.generator(1)))
    assert NOTATION.words[action] == "66+45+36"
    assert SIZE[action] == 3
