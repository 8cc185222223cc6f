"""Kakkuri at random, against a second reading of the rules written here: ranks and words, not bits and numbers."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from tefuda.engine import bits, verbs
from tefuda.engine.kit.session import NOBODY
from tefuda.games.kakkuri.box import dealer_by_draws, draw_dealer, draw_luck
from tefuda.games.kakkuri.plays import ACTIONS, CARD_WORDS, CARDS_OF, RANK_LETTERS, RANK_OF, SIZE_OF, STEPS
from tefuda.games.kakkuri.state import Ending, Phase
from tefuda.table.deal import Deal
from tefuda.table.game import load
from tefuda.testing import Playout, playouts
from tests.kakkuri.replay import box_from, box_of

TABLES: tuple[dict[str, Any], ...] = (
    {},
    {"seats": 8, "fuwaru": False},
    {"seats": 7, "rebuild": "cut_only", "sanzoku_wild": False, "drop_until": "first_card"},
    {"seats": 3, "k_free": "anyone", "k_upcard": "dead", "last_survivor": "plays_on"},
    {"seats": 4, "k_free": "wrap_to_ace", "k_upcard": "anyone", "sanbon_wild": False, "ceded_may_continue": False},
    {"seats": 8, "utazu_before_c3": True, "forced_out_pays": 1, "return_consent": "active_others"},
    {"seats": 2, "guri_takes_pot": False, "early_drop": False, "return_consent": "never", "stalemate_turns": 9},
)
DEALS = 24

Step = tuple[str, int, bool, bool]
"""Rank, number of cards, whether CA and whether D2 is among them: what naturals they are makes no difference."""


@pytest.fixture(scope="module", params=TABLES, ids=lambda table: " ".join(f"{k}={v}" for k, v in table.items()))
def played(request: pytest.FixtureRequest) -> list[Playout]:
    """Deals of a table with these options."""
    return list(playouts(load("kakkuri", **request.param), DEALS, 11))


# Who deals (KK-3 to KK-5)


def ranks(letters: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([RANK_LETTERS.index(letter) for letter in letters.split()], np.int64)


def test_kk_e22_the_highest_card_drawn_deals_and_ties_go_to_the_lowest() -> None:
    """KK-3, KK-4, KK-5."""
    assert dealer_by_draws(ranks("K K 7 2 9")) == 3
    assert dealer_by_draws(ranks("K K 3 3 9")) == NOBODY
    assert dealer_by_draws(ranks("J Q 9 4 A")) == 0
    assert dealer_by_draws(ranks("5 5")) == NOBODY


@pytest.mark.parametrize("seats", range(2, 9))
def test_every_seat_is_as_likely_to_deal_first(seats: int) -> None:
    """KK-3: and with chance 0, as in a scenario that names no dealer, seat 0 deals."""
    state = load("kakkuri", seats).template
    dealers = Counter[int]()
    for chance in range(3000):
        state["chance"] = chance
        dealers[int(draw_dealer(state[0], draw_luck(state[0])))] += 1
        if chance == 0:
            assert dealers[0] == 1
    expected = 3000 / seats
    assert set(dealers) == set(range(seats))
    assert sum((count - expected) ** 2 / expected for count in dealers.values()) < 30  # seven degrees of freedom


# What may be laid, by ranks


def steps_by_ranks(deal: Deal) -> set[Step]:
    """KK-30 to KK-42: each kind of step, from the words of cards."""
    s = deal.state
    hand = [CARD_WORDS[card] for card in bits.members_of(s.hands[s.turn])]
    options, rank = deal.game.options, RANK_LETTERS[s.rank]
    if s.phase == Phase.RIGHT and s.turn != s.right_first and not options["ceded_may_continue"]:
        return set()
    paired = bool(s.sanzoku >> s.turn & 1)
    wild_fits = options["sanzoku_wild" if paired else "sanbon_wild"]
    found = set()
    for target in fitting(deal, rank):
        for size in (2,) if paired else (1, 3):
            for cards in combinations(hand, size):
                strangers = [card for card in cards if card[1] != target]
                if all(card in ("CA", "D2") for card in strangers) and (wild_fits or size == 1 or not strangers):
                    found.add((target, size, *wilds_in(cards)))
    return found


def wilds_in(cards: Sequence[str]) -> tuple[bool, bool]:
    return "CA" in cards, "D2" in cards


def fitting(deal: Deal, rank: str) -> str:
    """KK-31, KK-34, KK-36, KK-37."""
    s, options = deal.state, deal.game.options
    if rank in "A2":
        return rank + RANK_LETTERS[s.rank + 1]
    if rank != "K":
        return RANK_LETTERS[s.rank + 1]
    upcard = options["k_upcard"] if s.field_raised else "turner"
    own = s.field_by == s.turn or options["k_free"] == "anyone"
    if upcard == "anyone" or (upcard == "turner" and own):
        return RANK_LETTERS
    return "A" if options["k_free"] == "wrap_to_ace" else ""


def as_ranks(action: int) -> Step:
    cards = [CARD_WORDS[card] for card in bits.members_of(CARDS_OF[action])]
    return (RANK_LETTERS[RANK_OF[action]], len(cards), *wilds_in(cards))


def test_the_steps_are_those_of_the_second_reading(played: list[Playout]) -> None:
    """KK-30 to KK-42, KK-26, KK-43; one of each kind is listed."""
    for playout in played:
        deal = playout.again()
        for action in playout.actions:
            if deal.state.phase in (Phase.TURN, Phase.RIGHT):
                steps = [as_ranks(step) for step in deal.legal_actions() if step < STEPS]
                assert len(steps) == len(set(steps))
                assert set(steps) == steps_by_ranks(deal), f"{playout}: {deal.state.hands[deal.mover]}"
            deal.act(int(action))


def test_any_card_of_a_rank_may_be_laid_and_is_the_one_recorded() -> None:
    """KK-31: suits do not matter, but the record says which card lies on the table."""
    deal = load("kakkuri", 2).position({"hands": ["S5 H5 D5 C9", ""], "field": "S4"})
    assert deal.legal() == ["S5", "S5+D5+H5", "end"]
    deal.play("D5")
    assert deal.history == [(0, "D5")]
    assert deal.view(1).to_dict()["table"][:2] == ["S4", "D5"]


# Turns and laps


def test_the_right_is_held_after_a_lap_without_a_card(played: list[Playout]) -> None:
    """KK-29, KK-43: since the last play or raising everybody else in the deal has had a turn."""
    for playout in played:
        had_turn: set[int] = set()
        for state, after in zip(playout.states, playout.states[1:], strict=False):
            active = {seat for seat in range(playout.game.seats) if not out(state, seat)}
            if state["phase"] == Phase.RIGHT and state["ceded"] == 0 and state["begun"] == 0:
                assert active - {int(state["lap_by"])} <= had_turn | {int(state["turn"])}
                assert state["turn"] == state["right_first"]
                assert out(state, int(state["lap_by"])) or state["turn"] == state["lap_by"]
            if state["table_size"] != after["table_size"] or state["rebuilds"] != after["rebuilds"]:
                had_turn = set()
            elif state["phase"] == Phase.TURN and after["turn"] != state["turn"]:
                had_turn.add(int(state["turn"]))


def out(state: np.void, seat: int) -> bool:
    return bool(state["dropped"] >> seat & 1) or state["forced_out"] == seat


def test_nobody_out_of_the_deal_has_a_turn(played: list[Playout]) -> None:
    """KK-18, KK-21, KK-57: who has dropped is asked about returning; who is forced out nothing."""
    for playout in played:
        for state in playout.states[:-1]:
            if state["phase"] in (Phase.TURN, Phase.RIGHT, Phase.EARLY):
                assert not out(state, int(state["turn"]))
            if state["phase"] == Phase.RETURNING:
                assert state["dropped"] >> state["turn"] & 1
            if state["rebuilds"] + state["box_size"] > 0 and state["table_size"] > 0:
                assert state["turn"] != state["forced_out"]


def test_returning_is_asked_once_in_a_lap(played: list[Playout]) -> None:
    """KK-57."""
    for playout in played:
        asked: set[int] = set()
        for state, after in zip(playout.states, playout.states[1:], strict=False):
            if state["phase"] == Phase.RETURNING:
                assert int(state["turn"]) not in asked
                asked.add(int(state["turn"]))
            if state["table_size"] != after["table_size"] or state["rebuilds"] != after["rebuilds"]:
                asked = set()


# The box


def test_a_rebuilt_box_is_all_that_lies_face_up_and_the_hands_of_who_dropped(played: list[Playout]) -> None:
    """KK-44."""
    for playout in played:
        for state, after in zip(playout.states, playout.states[1:], strict=False):
            if after["rebuilds"] > state["rebuilds"]:
                gathered = set(state["table"][: state["table_size"]].tolist())
                for seat in bits.members_of(state["dropped"]):
                    gathered |= set(bits.members_of(state["hands"][seat]))
                assert state["box_size"] == 0
                assert sorted(gathered) == sorted([*box_of(after), int(after["table"][0])])


def test_a_cut_only_turns_the_pile_round() -> None:
    """KK-44, KK-58: face-up cards in their order, then the dropped hands by seat; every cut comes up."""
    game = load("kakkuri", 3, rebuild="cut_only", return_consent="never")
    cuts = Counter[int]()
    for chance in range(400):
        deal = game.position(
            {"hands": ["S9 SQ", "D2 H4 H6 H8 C4 C6", "C9"], "field": "C3", "dropped": [1], "box": 0, "right": 0}
        )
        deal._states["chance"] = chance
        deal.play("raise")
        s = deal.state
        pile = [int(s.table[0]), *box_of(s)]
        start = pile.index(CARD_WORDS.index("C3"))
        assert set(pile[start + 1 :] + pile[:start]) == set(bits.members_of(s.gave_up[1]))
        cuts[start] += 1
    assert set(cuts) == set(range(7))
    assert sum((count - 400 / 7) ** 2 / (400 / 7) for count in cuts.values()) < 25


def test_the_box_comes_up_in_its_order(played: list[Playout]) -> None:
    """KK-16, KK-43: what is raised next is what lay on top."""
    for playout in played:
        last = len(playout.states) - 1
        final = playout.states[last]
        for state in playout.states:
            if state["table_size"] > 0 and state["rebuilds"] == final["rebuilds"]:
                order = box_from(playout, last, playout.deal.state, int(final["rebuilds"]))
                assert order[len(order) - state["box_size"] :] == box_of(state)
                break


# The end and the payment


def test_payments_are_those_of_the_table(played: list[Playout]) -> None:
    """KK-50, KK-52, KK-54, from who is active, dropped and forced out."""
    for playout in played:
        s, n, options = playout.deal.state, playout.game.seats, playout.game.options
        payoff = playout.deal.payoff()
        assert sum(payoff) == 0
        if s.result == Ending.VOID:
            assert payoff == [0] * n
            continue
        dropped = {seat for seat in range(n) if s.dropped >> seat & 1}
        active = set(range(n)) - dropped - {int(s.forced_out)} - {int(s.winner)}
        each = {Ending.OUT: 1, Ending.GURI: 2, Ending.SURVIVOR: 0, Ending.UTAZU: 3}[Ending(s.result)]
        expected = dict.fromkeys(active, -each) | dict.fromkeys(dropped, -1)
        if s.result == Ending.GURI and not options["guri_takes_pot"]:
            expected |= dict.fromkeys(dropped, 0)
        if s.forced_out >= 0:
            expected[int(s.forced_out)] = -int(options["forced_out_pays"]) if s.result == Ending.OUT else 0
        if s.result == Ending.UTAZU:
            expected = dict.fromkeys(range(n), -3)
        expected.pop(int(s.winner), None)
        expected[int(s.winner)] = -sum(expected.values())
        assert payoff == [expected[seat] for seat in range(n)]


def test_every_ending_happens() -> None:
    results = Counter[int]()
    for table in TABLES:
        for playout in playouts(load("kakkuri", **table), 60, 3):
            results[int(playout.deal.state.result)] += 1
    assert {Ending.OUT, Ending.GURI, Ending.SURVIVOR, Ending.VOID} <= set(results)


def test_guri_is_six_cards_in_one_turn(played: list[Playout]) -> None:
    """KK-51."""
    for playout in played:
        s = playout.deal.state
        if s.result in (Ending.OUT, Ending.GURI):
            laid = 0
            for state, action in zip(playout.states[::-1][1:], playout.actions[::-1], strict=True):
                if state["phase"] == Phase.CLAIMING:
                    continue
                if state["turn"] != s.winner or state["phase"] not in (Phase.TURN, Phase.RIGHT):
                    break
                laid += int(SIZE_OF[action]) if action < STEPS else 0
                if state["begun"] == 0:
                    break
            assert (laid == 6) == (s.result == Ending.GURI)


def test_at_the_end_each_who_has_laid_no_card_is_asked_from_the_winners_right(played: list[Playout]) -> None:
    """KK-48, KK-49, KK-55."""
    for playout in played:
        asked = [int(state["turn"]) for state in playout.states if state["phase"] == Phase.CLAIMING]
        end = next((state for state in playout.states if state["phase"] == Phase.CLAIMING), None)
        if end is None or playout.deal.state.result == Ending.UTAZU:
            continue
        n, winner = playout.game.seats, int(end["winner"])
        due = [(winner + k) % n for k in range(1, n + 1)]
        assert asked == [seat for seat in due if not out(end, seat) and not end["played"] >> seat & 1]


# Eight players, fuwaru, and from deal to deal


def test_of_eight_the_holder_of_c3_leaves() -> None:
    """KK-14, KK-15, KK-21: the six cards of the leaver are the box; after a dealer, the next raises first."""
    game, dealt = load("kakkuri", 8, fuwaru=False), 0
    for seed in range(60):
        s = game.deal(seed).state
        assert s.held.tolist() == [0 if seat == s.forced_out else 6 for seat in range(8)]
        assert s.box_size == 5
        assert bits.has(s.gave_up[s.forced_out], CARD_WORDS.index("C3"))
        assert s.first == ((s.dealer + 1) % 8 if s.forced_out == s.dealer else s.dealer)
        dealt += int(s.forced_out == s.dealer)
    assert dealt > 0


def test_exchanging_hands_gives_each_what_the_dealer_held_by_then() -> None:
    """KK-11, KK-12: played through with all 16 answers of four players."""
    game = load("kakkuri", 5, early_drop=False)
    for answers in range(16):
        deal = game.deal(5)
        hands, dealer = deal.state.unseen[:5].tolist(), int(deal.state.dealer)
        for k in range(4):
            seat = (dealer + 1 + k) % 5
            assert deal.mover == seat
            assert all(not deal.view(viewer).to_dict().get("hands") for viewer in range(5))
            if answers >> k & 1:
                hands[seat], hands[dealer] = hands[dealer], hands[seat]
            deal.play("swap" if answers >> k & 1 else "keep")
        assert deal.state.hands[:5].tolist() == hands


def test_the_deal_may_be_ceded_all_round_and_then_must_be_dealt() -> None:
    """KK-6, KK-7."""
    deal = load("kakkuri", 3).deal(4, fields={"winner": 1})
    for seat in (1, 2, 0):
        assert deal.mover == seat
        assert deal.legal() == ["cede", "deal"]
        deal.play("cede")
    assert (deal.mover, deal.legal()) == (1, ["deal"])
    deal.play("deal")
    assert deal.state.dealer == 1
    assert deal.mover == 2


def test_a_void_deal_leaves_the_dealer_and_counts() -> None:
    """KK-53, KK-54."""
    game = load("kakkuri", 2, stalemate_turns=2, session_deals=1, fuwaru=False, early_drop=False)
    deal = game.deal(1)
    dealer = int(deal.state.dealer)
    deal.play("end")
    deal.play("end")
    assert deal.over
    assert deal.payoff() == [0, 0]
    assert deal.facts()["next_dealer"] == dealer
    assert deal.facts()["over"]


@pytest.mark.parametrize("deals", [5, pytest.param(20, marks=pytest.mark.deep)])
def test_random_plays_by_other_words_of_a_rank_change_nothing_but_the_card(deals: int) -> None:
    """Steps that differ only in which naturals they take: the same for ranks, hands' sizes and turns."""
    chance, game = random.Random(2), load("kakkuri", 4)
    for seed in range(deals):
        deal = game.deal(seed)
        while not deal.over:
            legal = deal.legal_actions()
            allowed = [a for a in range(ACTIONS) if int(verbs.listed(deal._states[0], a)) in legal]
            action = chance.choice(allowed)
            twin = deal.copy()
            word = game.description.notation.words[action]  # type: ignore[attr-defined]
            assert deal.why_not(word) is None
            twin.act(int(verbs.listed(deal._states[0], action)))
            deal.play(word)
            for name in ("rank", "turn", "phase", "held", "box_size", "table_size", "lap_by", "quiet"):
                assert np.array_equal(deal.state[name], twin.state[name])
