"""Random numbers: the sequence that is meant, the same everywhere, without favourites."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tefuda.engine import rng
from tefuda.engine.verbs import rule
from tests.engine.chance import looks_uniform

DRAWS = 100_000

GENERATOR_2026 = 3711135123108865784
BITS_2026 = [1440857923, 3820049973, 95154363, 1393431374, 4123088729, 3866086505]
BELOW_52 = [10, 37, 16, 32, 28, 45, 16, 35]
SHUFFLED_10 = [2, 6, 0, 1, 8, 4, 3, 7, 9, 5]


@rule
def many_below(generator: Any, n: int, out: Any) -> None:
    """Fill ``out``."""
    for k in range(len(out)):
        out[k] = rng.below(generator, n)


@rule
def many_shuffles(generator: Any, rows: Any) -> None:
    """Shuffle every row."""
    for k in range(len(rows)):
        rng.shuffle(generator, rows[k])


def draw(seed: int | tuple[int, ...], n: int, count: int = DRAWS) -> NDArray[np.int64]:
    out = np.zeros(count, np.int64)
    many_below(rng.generator(seed), n, out)
    return out


def test_known_sequence() -> None:
    """Records and experiments of earlier versions depend on it: it never changes."""
    generator = rng.generator(2026)
    assert generator.tolist() == [GENERATOR_2026]
    assert [int(rng.bits32(generator)) for _ in range(6)] == BITS_2026
    assert draw((7, 1), 52, 8).tolist() == BELOW_52
    cards = np.arange(10)
    rng.shuffle(rng.generator(0), cards)
    assert cards.tolist() == SHUFFLED_10


def test_it_is_mwc64x() -> None:
    """As David B. Thomas defines it, in whole numbers of Python."""
    generator = rng.generator(5)
    word = int(generator[0])
    for _ in range(1000):
        low, carry = word & 0xFFFFFFFF, word >> 32
        assert int(rng.bits32(generator)) == low ^ carry
        word = low * 4294883355 + carry
        assert int(generator[0]) == word


def test_plain_python_gives_the_same_sequence() -> None:
    compiled, plain = rng.generator(11), rng.generator(11)
    plain_bits32 = getattr(rng.bits32, "py_func", rng.bits32)
    assert [int(rng.bits32(compiled)) for _ in range(1000)] == [int(plain_bits32(plain)) for _ in range(1000)]


@pytest.mark.parametrize("n", [1, 2, 3, 7, 13, 52, 100, 1000])
def test_below_is_uniform(n: int) -> None:
    drawn = draw(n, n)
    assert drawn.min() >= 0
    assert drawn.max() < n
    if n > 1:
        assert looks_uniform(np.bincount(drawn, minlength=n))


def test_below_reaches_a_large_bound() -> None:
    """A deal's random number is below 2**30."""
    drawn = draw(3, 1 << 30)
    assert looks_uniform(np.bincount(drawn >> 24, minlength=64))
    assert looks_uniform(np.bincount(drawn & 63, minlength=64))


def test_successive_numbers_are_independent() -> None:
    drawn = draw(4, 8)
    assert looks_uniform(np.bincount(drawn[0::2] * 8 + drawn[1::2], minlength=64))


def test_every_order_of_four_is_as_likely() -> None:
    rows = np.tile(np.arange(4), (48_000, 1))
    many_shuffles(rng.generator(6), rows)
    orders = {order: k for k, order in enumerate(permutations(range(4)))}
    assert looks_uniform(np.bincount([orders[tuple(row)] for row in rows.tolist()], minlength=24))


def test_every_card_comes_to_every_place_of_a_pack() -> None:
    rows = np.tile(np.arange(52), (20_000, 1))
    many_shuffles(rng.generator(8), rows)
    assert (np.sort(rows, axis=1) == np.arange(52)).all()
    for place in range(52):
        assert looks_uniform(np.bincount(rows[:, place], minlength=52))


def test_generators_of_one_seed_are_unrelated() -> None:
    """The first numbers of 50,000 neighbours, alone and in pairs."""
    generators = rng.generators(9, 50_000)
    assert generators.shape == (50_000, 1)
    assert len(np.unique(generators)) == 50_000
    first = np.array([rng.below(generator, 16) for generator in generators])
    assert looks_uniform(np.bincount(first, minlength=16))
    assert looks_uniform(np.bincount(first[0::2] * 16 + first[1::2], minlength=256))


def test_sequences_of_neighbouring_seeds_are_unrelated() -> None:
    left, right = draw(100, 8), draw(101, 8)
    assert looks_uniform(np.bincount(left * 8 + right, minlength=64))


def test_seeds_in_another_order_are_another_seed() -> None:
    seeds: list[int | tuple[int, ...]] = [0, 1, (0, 1), (1, 2), (2, 1), (1, 1), (0, 0, 1), 2**70]
    assert len({rng.generator(seed).tolist()[0] for seed in seeds}) == len(seeds)


def test_chance_in_a_hundred() -> None:
    generator = rng.generator(12)
    hits = sum(bool(rng.chance(generator, 30)) for _ in range(20_000))
    assert abs(hits - 6000) < 4 * (20_000 * 0.3 * 0.7) ** 0.5
    assert not any(rng.chance(generator, 0) for _ in range(200))
    assert all(rng.chance(generator, 100) for _ in range(200))


def test_of_the_best_each_is_picked_as_often() -> None:
    generator, picked = rng.generator(1), [0] * 5
    for _ in range(3000):
        best = rng.Pick(-1, 0.0, 0)
        for action, worth in enumerate((-2.0, 1.0, -3.0, 1.0, 1.0)):
            best = rng.better(best, action, worth, generator)
        picked[best.action] += 1
    assert picked[0] == picked[2] == 0
    assert min(picked[1], picked[3], picked[4]) > 900
