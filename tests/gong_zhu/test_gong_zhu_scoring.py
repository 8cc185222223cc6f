"""The score of a deal, beside a second scorer written from GZ-17 in plain Python (GZ-17 to GZ-22, GZ-27 a)."""

import itertools
import random
from typing import Any

import pytest

from tefuda.table.game import Game, load

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
STANDARD = {
    "HA": -50, "HK": -40, "HQ": -30, "HJ": -20, "H10": -10, "H9": -10, "H8": -10, "H7": -10, "H6": -10, "H5": -10,
    "H4": 0, "H3": 0, "H2": 0,
}  # fmt: skip
PIPS = {
    "HA": -50, "HK": -40, "HQ": -30, "HJ": -20, "H10": -10, "H9": -9, "H8": -8, "H7": -7, "H6": -6, "H5": -5,
    "H4": -10, "H3": -3, "H2": -2,
}  # fmt: skip
KEY_CARDS = ("HA", "SQ", "DJ", "C10")
SPLITS = 32
"""Random captures for each table."""

SWITCHES = list(itertools.product([False, True], [False, True], ["all_hearts", "all_scoring", "never"], [False, True]))
Switches = tuple[bool, bool, str, bool]
Table = tuple[int, dict[str, Any], Switches]
FOUR: list[Table] = [(4, {"partnership": pairs}, switches) for pairs in (False, True) for switches in SWITCHES]
FIVE: list[Table] = [(5, {"five_deck": deck}, switches) for deck in ("seed", "pagat") for switches in SWITCHES]
HOUSE: list[Table] = [
    (seats, house, switches)
    for seats in (4, 5)
    for house in (
        {"pig_doubled": True},
        {"transformer_losses_only": True},
        {"all_cards_1000": True, "pig_doubled": True},
    )
    for switches in SWITCHES
    if not (switches[0] and "transformer_losses_only" in house)  # the one excludes the other
]


def hearts_in_use(seats: int, options: dict[str, Any]) -> set[str]:
    without = {"H2"} if seats == 5 and options.get("five_deck", "seed") == "seed" else set()
    return set(STANDARD) - without


def own_score(captured: set[str], exposed: set[str], seats: int, options: dict[str, Any]) -> int:
    """GZ-17, line by line."""
    in_use = hearts_in_use(seats, options)
    if options.get("all_cards_1000") and in_use | {"SQ", "DJ", "C10"} <= captured:
        return 1000
    hearts = captured & set(STANDARD)
    all_hearts = hearts == in_use
    values = PIPS if options["heart_values"] == "pips" else STANDARD
    heart_sum = sum(values[card] for card in hearts)
    if all_hearts:
        heart_sum = -heart_sum
    if "HA" in exposed:
        heart_sum = 2 * heart_sum

    pig = 0
    if "SQ" in captured:
        every_point_card = in_use | {"SQ", "DJ", "C10"}
        turned = {
            "all_hearts": all_hearts,
            "all_scoring": every_point_card <= captured,
            "never": False,
        }[options["pig_flips"]]
        pig = (100 if turned else -100) * (2 if "SQ" in exposed else 1) * (2 if options.get("pig_doubled") else 1)

    sheep = 0
    if "DJ" in captured:
        sheep = (-100 if options["sheep_flips"] and all_hearts else 100) * (2 if "DJ" in exposed else 1)

    if "C10" not in captured:
        return heart_sum + pig + sheep
    if not hearts and "SQ" not in captured and "DJ" not in captured:
        return 100 if "C10" in exposed else 50
    times = 4 if "C10" in exposed else 2
    if options["all_hearts_transformer_300"] and all_hearts:  # 300, doubled by HA and by C10, the rest as usual
        return 300 * (2 if "HA" in exposed else 1) * (2 if "C10" in exposed else 1) + times * (pig + sheep)
    if options.get("transformer_losses_only") and heart_sum + pig + sheep > 0:
        return heart_sum + pig + sheep
    return times * (heart_sum + pig + sheep)


def deal_scores(captures: list[set[str]], exposed: set[str], seats: int, options: dict[str, Any]) -> list[int]:
    own = [own_score(captured, exposed, seats, options) for captured in captures]
    if options.get("partnership"):
        return [own[0] + own[2], own[1] + own[3], own[0] + own[2], own[1] + own[3]]
    return own


def random_captures(chance: random.Random, pack: list[str], seats: int) -> list[set[str]]:
    """A split of the pack; mostly one seat takes all or nearly all hearts, since that is where scorings differ."""
    captures: list[set[str]] = [set() for _ in range(seats)]
    greedy = chance.randrange(seats)
    appetite = chance.choice(("nothing special", "all hearts", "all hearts but one", "nearly everything"))
    for card in pack:
        wanted = appetite != "nothing special" and card[0] == "H"
        wanted = wanted or (appetite == "nearly everything" and card in KEY_CARDS and chance.random() < 0.85)
        captures[greedy if wanted else chance.randrange(seats)].add(card)
    if appetite == "all hearts but one":
        lost = chance.choice(sorted(card for card in captures[greedy] if card[0] == "H"))
        captures[greedy].remove(lost)
        captures[chance.randrange(seats)].add(lost)
    return captures


def finished(game: Game, captures: list[set[str]], exposed: set[str]) -> Any:
    return game.position(
        {
            "hands": [""] * game.seats,
            "captured": [" ".join(sorted(captured)) for captured in captures],
            "exposed": " ".join(sorted(exposed)),
        }
    )


@pytest.mark.parametrize(("seats", "table", "switches"), FOUR + FIVE + HOUSE)
def test_payoff_is_that_of_the_plain_scorer(seats: int, table: dict[str, Any], switches: Switches) -> None:
    three_hundred, pips, pig_flips, sheep_flips = switches
    options = {
        **table,
        "all_hearts_transformer_300": three_hundred,
        "heart_values": "pips" if pips else "standard",
        "pig_flips": pig_flips,
        "sheep_flips": sheep_flips,
    }
    game = load("gong-zhu", seats, **options)
    pack = [game.description.cards[card] for card in game.pack.tolist()]
    chance = random.Random(f"{seats} {options}")
    for _ in range(SPLITS):
        captures = random_captures(chance, pack, seats)
        exposed = {card for card in KEY_CARDS if chance.random() < 0.5}
        deal = finished(game, captures, exposed)
        assert deal.payoff() == deal_scores(captures, exposed, seats, options), (captures, exposed)


def test_the_plain_scorer_agrees_with_the_worked_examples() -> None:
    """GZ-17 to GZ-21: the second scorer is checked before it checks the first."""
    plain: dict[str, Any] = {
        "heart_values": "standard",
        "pig_flips": "all_hearts",
        "sheep_flips": False,
        "all_hearts_transformer_300": False,
    }
    everything = set(STANDARD) | set(KEY_CARDS)
    assert own_score({"HA", "HK", "SQ", "C10"}, set(), 4, plain) == -380
    assert own_score(everything, set(), 4, plain) == 800
    assert own_score(everything, set(KEY_CARDS), 4, plain) == 3200
    assert own_score({"C10", "H3"}, set(), 4, plain) == 0
    assert own_score({"HA", "SQ", "C10"}, {"HA", "SQ", "C10"}, 4, plain) == -1200
    assert own_score(set(STANDARD) - {"HA"}, {"HA"}, 4, plain) == -300


def test_the_random_captures_reach_every_branch() -> None:
    """All hearts with and without pig, sheep and transformer, a lone transformer, and everything in one hand."""
    chance = random.Random(1)
    pack = [suit + rank for suit in "SHDC" for rank in RANKS]
    seen: set[Any] = set()
    for _ in range(2000):
        for captured in random_captures(chance, pack, 4):
            hearts = sum(card[0] == "H" for card in captured)
            seen.add(("all" if hearts == 13 else "some" if hearts else "none", *sorted(captured & {"SQ", "DJ", "C10"})))
    assert len(seen) == 3 * 8
