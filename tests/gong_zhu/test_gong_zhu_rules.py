"""What scenario files cannot say of one deal of Gong Zhu: dealing, exposing, secrecy, play."""

import random
from typing import Any

import pytest

from tefuda.table.deal import Deal
from tefuda.table.game import Game, Session, load
from tests.gong_zhu.deals import KEY_CARDS, POINT_CARDS, RANKS, Walk, captures_of, exposed_in, finish, hands_of

STRENGTH = {suit + rank: strength for suit in "SHDC" for strength, rank in enumerate(RANKS)}


# Dealing and the first lead


@pytest.mark.parametrize("dealer", range(4))
def test_gz_1_the_dealer_has_no_role(dealer: int) -> None:
    """GZ-1"""
    game = load("gong-zhu")
    usual, other = game.deal(11), game.deal(11, fields={"dealer": dealer})
    assert (other.mover, hands_of(other)) == (usual.mover, hands_of(usual))


@pytest.mark.parametrize(
    ("options", "each", "without"),
    [
        ({"seats": 4}, 13, set()),
        ({"seats": 5}, 10, {"C2", "H2"}),
        ({"seats": 5, "five_deck": "pagat"}, 10, {"C2", "D2"}),
        ({"seats": 4, "five_deck": "pagat"}, 13, set()),
    ],
)
def test_gz_2_cards_are_dealt_singly_from_seat_0(options: dict[str, Any], each: int, without: set[str]) -> None:
    """GZ-2: the k-th card goes to seat k modulo the players, the whole pack."""
    game = load("gong-zhu", **options)
    pack = [card for card in STRENGTH if card not in without]
    random.Random(3).shuffle(pack)
    hands = hands_of(game.deal(deck=" ".join(pack)))
    assert hands == [set(pack[seat :: game.seats]) for seat in range(game.seats)]
    assert {len(hand) for hand in hands} == {each}


def test_gz_2_hands_that_are_given_are_dealt() -> None:
    """GZ-2"""
    hands = [" ".join(suit + rank for rank in RANKS) for suit in "HSCD"]
    deal = load("gong-zhu").deal(hands=hands)
    assert hands_of(deal) == [set(hand.split()) for hand in hands]
    assert deal.mover == 1


@pytest.mark.parametrize(("first_leader", "card"), [("S2", "S2"), ("S7", "S7"), ("C2", "C2"), ("S2_led", "S2")])
def test_gz_3_the_holder_of_the_card_leads(first_leader: str, card: str) -> None:
    """GZ-3"""
    game = load("gong-zhu", first_leader=first_leader, exposing=False)
    for seed in range(40):
        deal = game.deal(seed)
        hand = hands_of(deal)[deal.mover]
        assert card in hand
        assert set(deal.legal()) == ({card} if first_leader in ("C2", "S2_led") else hand)


def test_gz_3_the_lot_falls_on_everybody_and_forces_no_card() -> None:
    """GZ-3, first_leader=draw"""
    game = load("gong-zhu", first_leader="draw", exposing=False)
    deals = [game.deal(seed) for seed in range(80)]
    assert {deal.mover for deal in deals} == {0, 1, 2, 3}
    assert {"S2" in hands_of(deal)[deal.mover] for deal in deals} == {True, False}
    assert all(set(deal.legal()) == hands_of(deal)[deal.mover] for deal in deals)


@pytest.mark.parametrize(("first_leader", "two"), [("C2", "C2"), ("S2_led", "S2")])
def test_gz_3_only_the_first_deal_of_a_game_asks_for_the_two(first_leader: str, two: str, walk: Walk) -> None:
    """GZ-3, GZ-4, first_leader=C2 or S2_led: in later deals nobody must lead the two, even if the leader holds it."""
    session = Session(load("gong-zhu", first_leader=first_leader, exposing=False, target=1_000_000), seed=1)
    chance = random.Random(1)
    held_it = 0
    for number in range(30):
        deal = session.next_deal()
        hand = hands_of(deal)[deal.mover]
        if number:
            assert set(deal.legal()) == hand
            held_it += two in hand
        finish(deal, chance, walk)
    assert held_it > 0


def test_gz_4_the_pig_taker_leads_the_next_deal_and_answers_first(table: Game, walk: Walk) -> None:
    """GZ-4, GZ-7, GZ-1: deal after deal of a session."""
    game = load("gong-zhu", table.seats, **{**table.options, "target": 1_000_000})
    session, chance = Session(game, seed=4), random.Random(4)
    for _ in range(12):
        deal = finish(session.next_deal(), chance, walk)
        taker = next(seat for seat, cards in enumerate(captures_of(deal)) if "SQ" in cards)
        assert deal.facts()["next_leader"] == deal.facts()["next_dealer"] == taker
        following = game.deal(0, before=deal.following())
        assert following.mover == taker
        in_turn = [(taker + k) % game.seats for k in range(game.seats)]
        answered = [seat for seat, _ in _answers(following, chance, walk)]
        assert answered[: game.seats] == (in_turn if chooses(game) else [])


def chooses(game: Game) -> bool:
    """GZ-5: players choose what to expose."""
    return bool(game.options["exposing"]) and game.options["always_open"] == "none"


def _answers(deal: Deal, chance: random.Random, walk: Walk) -> list[tuple[int, str]]:
    for _ in walk(deal, chance):
        if not deal.legal()[0].startswith("expose:"):
            break
    return [play for play in deal.history if play[1].startswith("expose:")]


# Exposing


def test_gz_5_every_set_of_the_key_cards_held_may_be_exposed_and_none(table: Game) -> None:
    """GZ-5"""
    for seed in range(20):
        deal = table.deal(seed)
        if not chooses(table):
            assert not any(word.startswith("expose:") for word in deal.legal())
            continue
        held = hands_of(deal)[deal.mover] & set(KEY_CARDS)
        answers = {frozenset(word.removeprefix("expose:").split("+")) - {"none"} for word in deal.legal()}
        assert len(deal.legal()) == len(answers) == 2 ** len(held)
        assert all(answer <= held for answer in answers)


def test_gz_5_an_exposed_card_stays_in_the_hand_and_everybody_sees_it() -> None:
    """GZ-5"""
    game = load("gong-zhu")
    deal = game.position({"phase": "expose", "hands": ["SQ S3", "D2 D3", "C4 C5", "H4 H5"]})
    deal.play("expose:SQ")
    assert hands_of(deal)[0] == {"SQ", "S3"}
    for seat in (-1, 0, 1, 2, 3):
        view = deal.view(seat).to_dict()
        assert view["exposed"] == ["SQ"]
        assert view["shown"][0] == ["SQ"]


@pytest.mark.parametrize("seats", [4, 5])
@pytest.mark.parametrize(
    ("value", "cards"), [("all", {"SQ", "HA", "DJ", "C10"}), ("all_but_sheep", {"SQ", "HA", "C10"})]
)
def test_gz_5_everybody_sees_who_holds_the_cards_that_are_always_open(
    seats: int, value: str, cards: set[str], walk: Walk
) -> None:
    """GZ-5: in the first deal and in later ones."""
    game = load("gong-zhu", seats, always_open=value)
    first = finish(game.deal(seed=5), random.Random(5), walk)
    for deal in (game.deal(seed=5), game.deal(seed=6, before=first.following())):
        for seat in (-1, *range(seats)):
            view = deal.view(seat).to_dict()
            assert set(view["exposed"]) == cards
            assert [set(held) & cards for held in view["shown"]] == [held & cards for held in hands_of(deal)]


def test_gz_5_a_position_need_not_name_the_cards_that_are_always_open() -> None:
    """GZ-5"""
    game = load("gong-zhu", always_open="all_but_sheep")
    view = game.position({"hands": ["SQ S3", "DJ HA", "C10 C5", "H4 H5"]}).view(3).to_dict()
    assert [set(held) for held in view["shown"]] == [{"SQ"}, {"HA"}, {"C10"}, set()]


def test_gz_7_one_round_from_the_leader_whatever_is_held(walk: Walk) -> None:
    """GZ-7, single_round and simultaneous: exactly one answer each, in turn, from the leader."""
    for order in ("single_round", "simultaneous"):
        for seats in (4, 5):
            game = load("gong-zhu", seats, expose_order=order)
            for seed in range(30):
                deal = game.deal(seed)
                first = deal.mover
                answers = _answers(deal, random.Random(seed), walk)
                assert [seat for seat, _ in answers] == [(first + k) % seats for k in range(seats)]
                assert deal.mover == first


def test_gz_7_until_quiet_goes_on_until_a_whole_round_exposes_nothing(walk: Walk) -> None:
    """GZ-7, until_quiet: whole rounds in the same order, each but the last with an exposure, the last with none."""
    rounds_seen = set()
    for seats in (4, 5):
        game = load("gong-zhu", seats, expose_order="until_quiet")
        for seed in range(60):
            deal = game.deal(seed)
            first = deal.mover
            answers = _answers(deal, random.Random(seed), lambda d, c: walk(d, c, 0.4))
            assert [seat for seat, _ in answers] == [(first + k) % seats for k in range(len(answers))]
            assert len(answers) % seats == 0
            rounds = [[word for _, word in answers[k : k + seats]] for k in range(0, len(answers), seats)]
            assert all(set(words) != {"expose:none"} for words in rounds[:-1])
            assert set(rounds[-1]) == {"expose:none"}
            assert deal.mover == first
            rounds_seen.add(len(rounds))
    assert {1, 2, 3} <= rounds_seen


def test_gz_7_simultaneous_answers_are_secret_until_all_have_answered() -> None:
    """GZ-7, simultaneous: until the last answer nobody else's view depends on what was answered."""
    game = load("gong-zhu", expose_order="simultaneous", forced_fourth_exposure=True)
    hands = ["SQ HA", "D2 DJ", "C10 C2", "H4 H5"]
    plans = [("expose:none", "expose:none", "expose:none"), ("expose:SQ+HA", "expose:DJ", "expose:C10")]
    views = []
    for plan in plans:
        deal = game.position({"phase": "expose", "hands": hands})
        seen: list[bytes] = []
        for answered, word in enumerate(plan):
            deal.play(word)
            assert exposed_in(deal) == set()
            seen += [deal.view(seat).array.tobytes() for seat in (-1, *range(answered + 1, 4))]
        views.append(seen)
        assert set(deal.view(0).to_dict()["pending"]) == (set() if plan[0] == "expose:none" else {"SQ", "HA"})
    assert views[0] == views[1]
    deal.play("expose:none")
    assert exposed_in(deal) == set(KEY_CARDS)


def test_gz_7_single_round_answers_are_seen_at_once() -> None:
    """GZ-7, single_round: each decides in full view of the earlier decisions; that is where simultaneous differs."""
    deal = load("gong-zhu").position({"phase": "expose", "hands": ["SQ HA", "D2 DJ", "C10 C2", "H4 H5"]})
    deal.play("expose:SQ")
    assert deal.view(1).to_dict()["exposed"] == ["SQ"]
    deal.play("expose:DJ")
    assert set(deal.view(2).to_dict()["exposed"]) == {"SQ", "DJ"}


def test_gz_7_exactly_three_open_cards_force_the_fourth(walk: Walk) -> None:
    """GZ-7, forced_fourth_exposure: never three, and otherwise what was answered."""
    for order in ("single_round", "until_quiet", "simultaneous"):
        game = load("gong-zhu", expose_order=order, forced_fourth_exposure=True)
        forced = 0
        for seed in range(120):
            deal = game.deal(seed)
            answers = _answers(deal, random.Random(seed), walk)
            told = {card for _, word in answers for card in word.removeprefix("expose:").split("+")} - {"none"}
            assert exposed_in(deal) == (set(KEY_CARDS) if len(told) == 3 else told)
            forced += len(told) == 3
        assert forced > 0


# Play


def may_play(
    hand: set[str], trick: list[str], led_before: set[str], exposed: set[str], singleton: bool, closed: bool
) -> set[str]:
    """GZ-8 to GZ-13 once more, as the rules page has them; ``closed``: hearts have to be broken and are not."""
    if not trick:
        free = set()
        for card in hand:
            lone = sum(other[0] == card[0] for other in hand) == 1
            if card not in exposed or card[0] in led_before or (singleton and lone):
                free.add(card)
        free = free or hand
        return ({card for card in free if card[0] != "H"} if closed else free) or free
    suit = trick[0][0]
    of_suit = {card for card in hand if card[0] == suit}
    if not of_suit:
        return hand
    if suit not in led_before and len(of_suit) > 1:
        return of_suit - exposed
    return of_suit


def test_gz_8_to_gz_16_whole_deals_beside_a_second_reading(table: Game, walk: Walk) -> None:
    """GZ-8, GZ-9, GZ-10, GZ-11, GZ-12, GZ-13, GZ-14, GZ-15, GZ-16: legal cards, winners, captures, the end."""
    chance = random.Random(8)
    for seed in range(12):
        deal = table.deal(seed)
        hands, captures = hands_of(deal), [set[str]() for _ in range(table.seats)]
        leader, led, trick = deal.mover, set[str](), list[str]()
        for _ in walk(deal, chance):
            if not deal.history or deal.history[-1][1].startswith("expose:"):
                continue
            seat, card = deal.history[-1]
            assert seat == (leader + len(trick)) % table.seats
            trick.append(card)
            hands[seat].remove(card)
            if len(trick) == table.seats:
                best = max((c for c in trick if c[0] == trick[0][0]), key=lambda c: STRENGTH[c])
                leader = (leader + trick.index(best)) % table.seats
                captures[leader] |= set(trick)
                led.add(trick[0][0])
                trick = []
                assert captures_of(deal) == captures  # GZ-15: for all to see
            if not deal.over:
                assert deal.mover == (leader + len(trick)) % table.seats
                hearts = {card for won in captures for card in won if card[0] == "H"}
                closed = bool(table.options["hearts_broken"]) and not hearts
                singleton = bool(table.options["exposed_singleton_lead"])
                expected = may_play(hands[deal.mover], trick, led, exposed_in(deal), singleton, closed)
                assert set(deal.legal()) == expected
        assert hands == [set()] * table.seats
        assert sum(deal.facts()["tricks"]) == (13 if table.seats == 4 else 10)  # GZ-16


def test_gz_15_point_cards_lie_open_for_a_spectator() -> None:
    """GZ-15"""
    deal = load("gong-zhu").position({"hands": ["S2", "S3", "S4", "S5"], "captured": ["H2 C10", "", "DJ", ""]})
    won = deal.view(-1).to_dict()["won"]
    assert [set(cards) & POINT_CARDS for cards in won] == [{"H2", "C10"}, set(), {"DJ"}, set()]
