"""Many tables at once: each is a table like any other, whatever their number and that of the threads."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tefuda
from tefuda import games
from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError
from tefuda.research.buffers import CACHE_LINE
from tefuda.research.vector import Batch, VectorEnv

FAST = ("gong-zhu",)
DEEP = tuple(name for name in games.names() if name not in FAST)


class FollowedTable:
    """One table of an environment, followed by hand."""

    def __init__(self, env: VectorEnv, number: int) -> None:
        self.env, self.number, self.deal = env, number, env.table(number)
        self.past: list[tuple[int, int, int]] = []

    def agrees(self, batch: Batch) -> None:
        """The batch tells of this table what the deal does."""
        seat = self.deal.mover
        assert batch.seats[self.number] == seat
        assert np.flatnonzero(batch.masks[self.number]).tolist() == self.deal.legal_actions()
        seen = self.env.observation.encode(self.deal.view(seat).array)[0]
        np.testing.assert_array_equal(batch.observations[self.number], seen)
        room = batch.history.shape[1]
        told = [[(by - seat) % self.env.seats, action if by == seat else shown] for by, action, shown in self.past]
        latest = told[max(len(told) - room, 0) :]
        assert batch.history[self.number].tolist() == latest + [[-1, -1]] * (room - len(latest))

    def act(self, action: int) -> None:
        shown = int(verbs.disguise(self.deal.state, action))
        self.past.append((self.deal.mover, action, shown))
        self.deal.act(action)
        if self.env.skip_forced:
            while len(self.deal.legal_actions()) == 1:
                self.deal.act(self.deal.legal_actions()[0])


def check_tables(env: VectorEnv, steps: int) -> None:
    """Random play at every table, beside a deal that is followed by hand."""
    batch = env.reset(seed=4)
    tables = [FollowedTable(env, number) for number in range(env.tables)]
    ended = 0
    for _ in range(steps):
        actions = env.sample()
        for table in tables:
            table.agrees(batch)
            table.act(int(actions[table.number]))
        batch = env.step(actions)
        for number, table in enumerate(tables):
            over = table.deal.over
            assert batch.ends[number] == over
            assert batch.rewards[number].tolist() == (table.deal.payoff() if over else [0] * env.seats)
            if over:
                ended += 1
                tables[number] = FollowedTable(env, number)
            else:
                assert table.deal.state.tobytes() == env.table(number).state.tobytes()
    assert ended >= 3


@pytest.mark.slow
@pytest.mark.parametrize("name", FAST)
def test_every_table_is_a_table_like_any_other(name: str) -> None:
    check_tables(VectorEnv(name, tables=5, history=12, threads=2), 260)


@pytest.mark.deep
@pytest.mark.parametrize("name", DEEP)
def test_tables_of_other_games(name: str) -> None:
    check_tables(VectorEnv(name, tables=5, history=30), 600)


@pytest.mark.slow
def test_hidden_actions_of_others_are_told_as_everybody_is_shown_them() -> None:
    game = tefuda.load("gong-zhu", expose_order="simultaneous")
    check_tables(VectorEnv(game, tables=5, history=80), 180)


def check_packed(game: tefuda.Game, tables: int, options: list[str], **settings: Any) -> None:
    """Packed observations are those of float32, through ends of deals, waiting tables and new deals."""
    packed, whole = (
        VectorEnv(game, tables, options=options, **kind, **settings)
        for kind in ({"packed": True}, {"dtype": np.float32})
    )
    with packed, whole:
        batch, beside = packed.reset(seed=2), whole.reset(seed=2)
        bits = 7 * packed.observation.whole_bytes + packed.observation.size
        assert batch.observations.shape == (tables, 8 * -(-bits // 64))
        assert batch.observations.dtype == np.uint8
        some = np.arange(tables) % 3 == 0
        for k in range(120):
            told = packed.observation.unpack(batch.observations)
            for plane in packed.observation.planes:
                wanted = np.clip(np.rint(beside.observations[:, whole.observation[plane.name]]), -127, 127)
                np.testing.assert_array_equal(told[:, plane.place], wanted, plane.name)
            actions = packed.sample()
            batch, beside = (env.step(actions, some if k % 7 == 0 else None) for env in (packed, whole))
            if k % 50 == 49:
                batch, beside = packed.deal_again(some, 5), whole.deal_again(some, 5)


@pytest.mark.parametrize("name", [*FAST, *(pytest.param(name, marks=pytest.mark.deep) for name in DEEP)])
def test_packed_observations_tell_the_same_in_bits(name: str) -> None:
    check_packed(tefuda.load(name), 9, [])


def test_packed_observations_tell_the_same_with_options_threads_and_bots() -> None:
    game = tefuda.load("gong-zhu", expose_order="simultaneous", target=500)
    check_packed(game, 301, ["expose_order", "target"], threads=2, skip_forced=True)
    check_packed(game, 4, ["partnership"], bots={1: "random"}, rotate=True, fresh=False)


UNPACKED = """
import sys
from importlib import import_module
import numpy as np
from tefuda.research.vector import VectorEnv

xp = import_module(sys.argv[1])
with VectorEnv("gong-zhu", 5, packed=True) as env:
    rows, ahead, size = env.reset(seed=3).observations, env.observation.whole_bytes, env.observation.size
    wanted = env.observation.unpack(rows)
given = xp.asarray(rows.copy())
bits = (given[:, ahead:, None] >> xp.arange(8, dtype=xp.uint8) & 1).reshape(len(rows), -1)[:, : size - ahead]
told = xp.concatenate([given[:, :ahead], bits], 1)
print("the same" if (np.asarray(told).astype(np.int8) == wanted).all() else "another", flush=True)
"""


@pytest.mark.parametrize("library", ["numpy", "torch", "jax.numpy"])
def test_other_libraries_unpack_in_two_lines(library: str) -> None:
    """In a process of its own: where JAX has begun threads, no test may fork."""
    if find_spec(library.partition(".")[0]) is None:
        pytest.skip(f"{library} is left out: install it")
    ran = subprocess.run([sys.executable, "-c", UNPACKED, library], capture_output=True, text=True)
    assert ran.stdout == "the same\n", ran.stderr


def test_packed_floats_are_refused() -> None:
    with pytest.raises(TefudaError, match="packed: observations of float32 have no packed form; take int8"):
        VectorEnv("gong-zhu", packed=True, dtype=np.float32)


def test_forced_actions_are_made_at_once() -> None:
    env = VectorEnv("gong-zhu", tables=5, skip_forced=True)
    check_tables(env, 180)
    env.reset(seed=1)
    for _ in range(100):
        assert (env.step(env.sample()).masks.sum(axis=1) > 1).all()


def test_every_table_may_have_a_seed_of_its_own() -> None:
    env, game = VectorEnv("gong-zhu", tables=3, bots={1: "random"}), tefuda.load("gong-zhu")
    batch = env.reset(np.array([7, 8, 7]))
    dealt = [env.table(table).at(0).state.tobytes() for table in range(3)]
    assert dealt == [game.deal(seed=seed).state.tobytes() for seed in (7, 8, 7)]
    assert (batch.observations[0] == batch.observations[2]).all()
    for _ in range(3):
        batch = env.step(batch.masks.argmax(1))
    assert (batch.observations[0] == batch.observations[2]).all()
    env.deal_again(np.array([True, False, False]), np.array([8, 0, 0]))
    assert env.table(0).at(0).state.tobytes() == dealt[1]


@pytest.mark.parametrize(
    "seeds", [np.array([1, 2]), np.array([1.5, 2, 3]), np.array([[1], [2], [3]]), np.array([-1, 0, 1])]
)
def test_seeds_of_tables_that_are_none_are_refused(seeds: NDArray[Any]) -> None:
    with pytest.raises(TefudaError, match="seed: "):
        VectorEnv("gong-zhu", tables=3).reset(seeds)


def rollout(env: VectorEnv, seed: int, steps: int = 60) -> Iterator[tuple[NDArray[Any], ...]]:
    """What happens when every table takes its lowest and its highest action in turn."""
    batch = env.reset(seed)
    for step in range(steps):
        masks = batch.masks
        highest = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        batch = env.step(masks.argmax(axis=1) if step % 2 else highest)
        yield tuple(array[:6].copy() for array in batch)


def same(left: VectorEnv, right: VectorEnv, seeds: tuple[int, int] = (1, 1)) -> bool:
    return all(
        all(np.array_equal(a, b) for a, b in zip(here, there, strict=True))
        for here, there in zip(rollout(left, seeds[0]), rollout(right, seeds[1]), strict=True)
    )


def test_neither_threads_nor_the_number_of_tables_change_a_table() -> None:
    alone, again = VectorEnv("gong-zhu", tables=6), VectorEnv("gong-zhu", tables=6)
    assert same(alone, VectorEnv("gong-zhu", tables=200, threads=3))
    assert same(alone, again)
    assert not same(alone, again, (1, 2))


def test_a_table_begins_with_the_deal_of_its_generator() -> None:
    env = VectorEnv("gong-zhu", tables=2)
    env.reset(seed=7)
    assert env.table(0).state.tobytes() == tefuda.load("gong-zhu").deal(seed=7).state.tobytes()


def test_samples_are_legal_and_differ() -> None:
    env = VectorEnv("gong-zhu", tables=50)
    env.step(env.reset(seed=1).masks.argmax(axis=1))
    for _ in range(30):
        chosen = env.sample()
        batch = env.step(chosen)
    masks, chosen = batch.masks.copy(), env.sample()
    assert masks[np.arange(50), chosen].all()
    assert len(set(chosen.tolist())) > 1


def test_what_is_not_wanted_takes_no_room() -> None:
    batch = VectorEnv("gong-zhu", tables=3, observations=False).reset(seed=1)
    assert batch.observations.shape == (3, 0)
    assert batch.history.shape == (3, 0, 2)


def test_an_illegal_action_is_named_and_nothing_has_changed() -> None:
    env = VectorEnv("gong-zhu", tables=3)
    batch = env.reset(seed=1)
    before = [env.table(number).state.tobytes() for number in range(3)]
    actions = batch.masks.argmax(axis=1)
    actions[1] = 3
    with pytest.raises(TefudaError, match=r"table 1: action 3 is not legal for seat \d; legal: 52"):
        env.step(actions)
    assert [env.table(number).state.tobytes() for number in range(3)] == before


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([1, 2], r"int64 of shape \(2,\); whole numbers of shape \(3,\) are wanted"),
        ([1.0, 2.0, 3.0], "float64 of shape"),
        ([70000, 70000, 70000], "action 70000 is not legal"),
        ([-1, -1, -1], "action -1 is not legal"),
    ],
)
def test_other_actions_are_refused(actions: list[Any], message: str) -> None:
    env = VectorEnv("gong-zhu", tables=3)
    env.reset(seed=1)
    with pytest.raises(TefudaError, match=message):
        env.step(actions)


def test_arguments_out_of_range_are_named() -> None:
    with pytest.raises(TefudaError, match="tables: 0 is not a whole number from 1"):
        VectorEnv("gong-zhu", tables=0)
    with pytest.raises(TefudaError, match="history: -1"):
        VectorEnv("gong-zhu", history=-1)
    with pytest.raises(TefudaError, match=r"neither np\.int8 nor np\.float32"):
        VectorEnv("gong-zhu", dtype=np.float64)  # type: ignore[arg-type]
    with pytest.raises(TefudaError, match=r"neither np\.int8 nor np\.float32"):
        VectorEnv("gong-zhu", dtype="x")  # type: ignore[arg-type]
    with pytest.raises(TefudaError, match="tables: '3' is not a whole number"):
        VectorEnv("gong-zhu", tables="3")  # type: ignore[arg-type]
    with pytest.raises(TefudaError, match="bots: 7 is neither the name of a bot nor a Network"):
        VectorEnv("gong-zhu", bots={1: 7})  # type: ignore[dict-item]
    with pytest.raises(TefudaError, match="there is no game"):
        VectorEnv("whist")
    with pytest.raises(TefudaError, match="game: 5 is neither a name nor a game"):
        VectorEnv(5)  # type: ignore[arg-type]
    with pytest.raises(TefudaError, match=r"call reset\(\) before step"):
        VectorEnv("gong-zhu", tables=3).step([1, 2, 3])
    with pytest.raises(TefudaError, match="there is no table 3"):
        VectorEnv("gong-zhu", tables=3).table(3)
    with pytest.raises(TefudaError, match=r"there is no table 1\.5"):
        VectorEnv("gong-zhu", tables=3).table(1.5)  # type: ignore[arg-type]
    with pytest.raises(TefudaError, match=r"call reset\(\) before table"):
        VectorEnv("gong-zhu", tables=3).table(0)
    with pytest.raises(TefudaError, match=r"options: 'partnership'; write a list of names, \['partnership'\]"):
        VectorEnv("gong-zhu", options="partnership")
    with pytest.raises(TefudaError, match="tables: 1,000,000,000,000 do not fit into memory"):
        VectorEnv("gong-zhu", tables=10**12)


@pytest.mark.parametrize("flags", [[True], [1, 0, 1], [[True, False, True]], None])
def test_tables_are_named_by_one_flag_each(flags: Any) -> None:
    """Compiled code would read beyond a shorter array."""
    env = VectorEnv("gong-zhu", tables=3)
    actions = env.reset(seed=1).masks.argmax(axis=1)
    with pytest.raises(TefudaError, match=r"where: .*; bool of shape \(3,\) is wanted"):
        env.deal_again(flags)
    if flags is not None:
        with pytest.raises(TefudaError, match=r"waiting: .*; bool of shape \(3,\) is wanted"):
            env.step(actions, waiting=flags)


@pytest.mark.parametrize("fresh", [True, False])
@pytest.mark.parametrize("name", Batch._fields)
def test_arrays_are_lent_to_other_libraries_without_a_copy(name: str, fresh: bool) -> None:
    """By DLPack, from the beginning of a cache line: JAX copies what begins elsewhere."""
    env = VectorEnv("gong-zhu", tables=3, history=4, made_by=True, fresh=fresh)
    batch = env.reset(seed=1)
    array = getattr(batch, name)
    lent = np.from_dlpack(array)
    assert np.shares_memory(lent, array)
    assert array.ctypes.data % CACHE_LINE == 0
    assert np.shares_memory(lent, getattr(env.step(env.sample()), name)) == (not fresh)


def test_tables_that_wait_stay_as_they_are_whatever_their_action() -> None:
    env = VectorEnv("gong-zhu", tables=3)
    actions = env.reset(seed=1).masks.argmax(axis=1)
    actions[1] = 3
    before = env.table(1).state.tobytes()
    env.step(actions, waiting=np.array([False, True, False]))
    assert env.table(1).state.tobytes() == before


def test_rewards_may_be_gains() -> None:
    """The same deals: the team's payoff less the mean of the others'."""
    payoffs, gains = (VectorEnv("gong-zhu", tables=16, reward=reward) for reward in ("payoff", "gain"))
    for env in (payoffs, gains):
        env.reset(seed=3)
    ended = 0
    while ended < 5:
        chosen = payoffs.sample()
        told, relative = payoffs.step(chosen), gains.step(chosen)
        expected = told.rewards - (told.rewards.sum(1, keepdims=True) - told.rewards) / 3
        np.testing.assert_allclose(relative.rewards, expected, rtol=1e-5)
        ended += int(told.ends.sum())
    with pytest.raises(TefudaError, match="reward: 'points' is not one of payoff, gain"):
        VectorEnv("gong-zhu", reward="points")  # type: ignore[arg-type]


@pytest.mark.slow
def test_advice_is_that_of_the_hints_for_every_table() -> None:
    """Every game's rules of thumb leave something to chance, so all that can be asked of each table is its worth."""
    env = VectorEnv("gong-zhu", tables=200)
    with pytest.raises(TefudaError, match="call reset"):
        env.advise()
    batch = env.reset(seed=3)
    total = np.zeros(2)
    for _ in range(300):
        advised = env.advise()
        assert batch.masks[np.arange(200), advised].all()
        chosen = np.where(batch.seats % 2 == 0, advised, env.sample())
        batch = env.step(chosen)
        total += batch.rewards.reshape(200, 2, 2).sum((0, 1))
    assert total[0] > total[1] + 1000


@pytest.mark.parametrize("fresh", [True, False])
@pytest.mark.parametrize("part", Batch._fields)
def test_a_batch_may_be_kept_unless_that_is_given_up(part: str, fresh: bool) -> None:
    env = VectorEnv("gong-zhu", tables=40, history=5, made_by=True, fresh=fresh)
    batch, kept, told = env.reset(seed=1), list[Any](), list[Any]()
    for _ in range(60):  # the first deals end
        kept.append(getattr(batch, part))
        told.append(kept[-1].copy())
        batch = env.step(batch.masks.argmax(axis=1))
    assert all(map(np.array_equal, kept, told)) == fresh


def test_memory_is_used_again_once_nobody_holds_any_part_of_it() -> None:
    env = VectorEnv("gong-zhu", tables=4)
    env.reset(seed=1)
    held = env.batch().masks[1:3]  # a view of one of the arrays
    first = env.batch().masks.ctypes.data

    def places() -> set[int]:
        return {env.step(env.sample()).masks.ctypes.data for _ in range(9)}

    assert first not in places()
    assert len(places()) <= 3
    del held
    assert first in places()


JAX = """
import jax
import numpy as np
from tefuda.research.vector import VectorEnv

env = VectorEnv("gong-zhu", tables=2048)
batch = env.reset(seed=1)

@jax.jit
def slow_sums(seen):
    busy = jax.numpy.tanh(seen.astype(jax.numpy.float32) @ jax.numpy.ones((seen.shape[1], 512))).sum()
    return seen.astype(jax.numpy.int32).sum(axis=1) + (busy * 0).astype(jax.numpy.int32)

for _ in range(6):
    arrays = (batch.observations, batch.masks)
    wanted = [array.astype(np.int64).sum(axis=1) for array in arrays]
    sums = [slow_sums(jax.dlpack.from_dlpack(array)) for array in arrays]
    batch = env.step(batch.masks.argmax(axis=1))
    assert all(map(np.array_equal, sums, wanted))
print("as given", flush=True)
"""
"""In a process of its own: after JAX has been imported, Python warns of every fork."""


def test_jax_reads_a_batch_as_it_was_given() -> None:
    """JAX computes later than it is asked, and takes arrays for constant."""
    if find_spec("jax") is None:
        pytest.skip("JAX is left out: uv run --group bench-research")
    ran = subprocess.run([sys.executable, "-c", JAX], capture_output=True, text=True)
    # Its status is not asked: threads of JAX's may still run as the process ends, which then aborts.
    assert ran.stdout == "as given\n", ran.stderr
