"""Payments of Ma Diao against a second reading of the page: sets of words, sums of fractions, nothing shared."""

import random
from fractions import Fraction
from typing import Any

import pytest

from tefuda.table.game import Game, load

PACK = list(load("ma-diao").description.cards)
SUITS = {suit: [card for card in PACK if card[0] == suit] for suit in "TWSC"}
TOP = {suit: cards[-1] for suit, cards in SUITS.items()}
SECOND = {suit: cards[-2] for suit, cards in SUITS.items()}
STRIKERS = {"W5", "W6", "W8"}

Cards = set[str]


def trick_scores(tricks: list[int]) -> list[Fraction]:
    """MD-29, MD-30"""
    shared = sum(t >= 3 for t in tricks) == 2 and sum(t <= 1 for t in tricks) == 1
    hung = Fraction(1, 2) if shared else Fraction(1)
    return [hung if t >= 3 else Fraction(0) if t == 2 else Fraction(-1) for t in tricks]


def bonuses(dealt: Cards, won: Cards, face: str, once: bool) -> int:
    """MD-31 to MD-40, MD-42"""

    def count(cards: Cards) -> int:
        return min(1, len(cards)) if once else len(cards)

    home, points = len(won) >= 2, 0
    if home:
        points += sum((SECOND[suit] if face == TOP[suit] else TOP[suit]) in won for suit in "TWSC")
    if "T9" in won:
        points += count(STRIKERS & won)
    if "TB" in dealt and not home:
        points += 1 + 2 * count(STRIKERS & (dealt if "TB" in won else won))
    elif "TB" in won:
        points += 3 + 6 * count(STRIKERS & won)
    elif "TB" in dealt:
        points += 2 + 4 * count(STRIKERS & won)
    return points + 3 * ({"TB", "TQ", "TM"} <= won) + 4 * ({"TB", "TQ", "TM", "C0"} <= won)


def settlement(values: list[Fraction], dealer: int) -> list[Fraction]:
    """MD-44"""
    net = [value - values[dealer] for value in values]
    net[dealer] = 3 * values[dealer] - (sum(values) - values[dealer])
    return net


def random_end(chance: random.Random) -> dict[str, Any]:
    """A finished deal, in which bonuses are frequent: hands are dealt from a pack sorted a little."""
    pack = sorted(PACK, key=lambda card: chance.random() - 0.6 * (card in {*TOP.values(), *SECOND.values(), *STRIKERS,
                                                                           "TB", "T9"}))  # fmt: skip
    stock = pack[32:]
    if chance.random() < 0.5:  # a top in the stock, where it promotes or accuses
        k = next(k for k, card in enumerate(pack) if card in TOP.values())
        pack[k], pack[32] = pack[32], pack[k]
        stock = chance.sample(pack[32:34], 2) if chance.random() < 0.8 else pack[32:]
    hands = [pack[seat:32:4] for seat in range(4)]
    cuts = sorted(chance.choices(range(9), k=3))
    tricks = [b - a for a, b in zip([0, *cuts], [*cuts, 8], strict=True)]
    chance.shuffle(tricks)
    won = [hand[:t] for hand, t in zip(hands, tricks, strict=True)]
    return {"dealer": chance.randrange(4), "face": stock[0], "accuser": stock[1],
            "dealt": [" ".join(hand) for hand in hands], "won": [" ".join(cards) for cards in won]}  # fmt: skip


@pytest.mark.parametrize("once", [False, True])
@pytest.mark.parametrize("knock", [False, True])
@pytest.mark.parametrize("accuser", [True, False])
def test_values_and_payments(once: bool, knock: bool, accuser: bool) -> None:
    """MD-29 to MD-46"""
    stacking = "once" if once else "per_card"
    game = load("ma-diao", strike_stacking=stacking, knock=knock, accuser=accuser)
    chance = random.Random(11)
    for _ in range(400):
        end = random_end(chance)
        dealt, won = ([set(text.split()) for text in end[name]] for name in ("dealt", "won"))
        values = trick_scores([len(cards) for cards in won])
        for seat in range(4):
            values[seat] += bonuses(dealt[seat], won[seat], end["face"], once) + 8 * (len(won[seat]) >= 7)
            if len(won[seat]) == 7:
                end["first_seven"] = seat
        net = settlement(values, end["dealer"])
        if knock:
            _knock(net, won, end["dealer"])
        if accuser:
            _accuse(net, won, end["accuser"])
        check(game, end, values, net)


def _knock(net: list[Fraction], won: list[Cards], dealer: int) -> None:
    for seat in range(4):
        if seat != dealer and "TB" in won[seat] and len(won[seat]) >= 2:
            for other in set(range(4)) - {seat, dealer}:
                net[seat] += 1
                net[other] -= 1


def _accuse(net: list[Fraction], won: list[Cards], card: str) -> None:
    """MD-45, MD-46"""
    for seat in range(4):
        if card in TOP.values() and SECOND[card[0]] in won[seat] and len(won[seat]) >= 2:
            net[seat] -= 4
            for other in range(4):
                net[other] += 1


def check(game: Game, end: dict[str, Any], values: list[Fraction], net: list[Fraction]) -> None:
    deal = game.position(end)
    assert deal.over
    assert deal.facts()["value"] == values, end
    assert [Fraction(half_stakes, 2) for half_stakes in deal.payoff()] == net, end
    great = "TB" in end["won"][end["dealer"]] and len(end["won"][end["dealer"]].split()) >= 2
    assert deal.facts()["next_dealer"] == (end["dealer"] + (not great)) % 4


def congratulations(hand: Cards, red: Cards) -> int:
    """MD-10, MD-11"""
    lines = [
        (set(TOP.values()) <= hand, 4),
        (set(TOP.values()) | {"TB"} <= hand, 5),
        (set(TOP.values()) | {"T2", "W1", "S1", "C9"} <= hand, 8),
        (hand <= red, 6),
        (hand <= red and "TB" in hand, 7),
        (len({card[0] for card in hand}) == 1, 4),
        ({card[0] for card in hand} == {"T"} and "TB" in hand, 5),
        ({"TB", "T9"} | STRIKERS <= hand, 5),
    ]
    return sum(stakes for applies, stakes in lines if applies)


RED = {
    "page": "TM TQ TB W9 W8 S9 S8 C9 C8 C0",
    "wikipedia": "TM TQ TB T2 W9 W1 S9 S1 C0 C9",
    "honours": "TM TQ TB W9 W8 S9 S8 C0 CH",
}


@pytest.mark.parametrize("red_set", RED)
@pytest.mark.parametrize("shares", ["full", "split"])
def test_declarations(red_set: str, shares: str) -> None:
    """MD-10 to MD-16: everybody declares who can, of hands in which that is frequent."""
    game, red, chance = (
        load("ma-diao", red_set=red_set, double_extraordinary=shares),
        set(RED[red_set].split()),
        random.Random(5),
    )
    several = 0
    for _ in range(300):
        hands = _frequent_hands(red, chance)
        deal = game.deal(hands=[" ".join(hand) for hand in hands], fields={"dealer": chance.randrange(4)})
        values = [congratulations(hand, red) for hand in hands]
        while not deal.over:
            assert (deal.legal() == ["silent"]) == (values[deal.mover] == 0)
            deal.play(deal.legal()[-1])
            if len(deal.history) == 4:
                break
        declarers = [seat for seat in range(4) if values[seat]]
        assert deal.over == bool(declarers)
        if not declarers:
            continue
        several += len(declarers) > 1
        stake = Fraction(1, 2) if shares == "split" and len(declarers) > 1 else Fraction(1)
        net = [Fraction(0)] * 4
        for declarer in declarers:
            for other in set(range(4)) - {declarer}:
                owed = stake + (0 if "TB" in hands[other] else values[declarer])
                net[declarer] += owed
                net[other] -= owed
        assert [Fraction(half_stakes, 2) for half_stakes in deal.payoff()] == net
    assert several > 10


def _frequent_hands(red: Cards, chance: random.Random) -> list[Cards]:
    """Four hands, of which each has a fair chance to be extraordinary."""
    kinds = [set(TOP.values()), {"TB", "T9"} | STRIKERS, set(chance.sample(sorted(red), 8)),
             set(chance.sample(SUITS[chance.choice("TWSC")], 8)), {*TOP.values(), "T2", "W1", "S1", "C9"}]  # fmt: skip
    left, hands = set(PACK), []
    for _ in range(4):
        wanted = chance.choice(kinds)
        hand = set(wanted) if wanted <= left else set()
        hand |= set(chance.sample(sorted(left - hand), 8 - len(hand)))
        hands.append(hand)
        left -= hand
    chance.shuffle(hands)
    return hands
