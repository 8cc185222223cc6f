"""One address's many jobs do not hold up another's."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from tefuda.server.live.pools import FairPool, Payer

LONG = 0.05


def in_order(threads: int, given: list[tuple[Payer, str]]) -> list[str]:
    """The jobs in the order in which they begin, all given while the first of them run."""
    begun, gate = list[str](), threading.Event()

    def job(name: str) -> Callable[[], None]:
        def work() -> None:
            begun.append(name)
            gate.wait(5)

        return work

    async def run() -> None:
        pool = FairPool(threads, "test")
        running = [asyncio.ensure_future(pool.run(payer, job(name))) for payer, name in given]
        await asyncio.sleep(LONG)
        gate.set()
        await asyncio.gather(*running)
        pool.close()

    asyncio.run(run())
    return begun


def test_addresses_take_turns_however_many_tokens_they_have() -> None:
    flood = [(Payer("a", f"token {number}"), f"a{number}") for number in range(30)]
    order = in_order(1, [*flood, (Payer("b", "ben"), "b0"), (Payer("b", "ben"), "b1")])
    assert order[:5] == ["a0", "a1", "b0", "a2", "b1"]


def test_people_of_one_address_take_turns() -> None:
    jobs = [(Payer("a", "ann"), f"ann{number}") for number in range(3)] + [(Payer("a", "ben"), "ben0")]
    assert in_order(1, jobs) == ["ann0", "ann1", "ben0", "ann2"]


def test_one_address_never_has_all_threads() -> None:
    flood = [(Payer("a", None), f"a{number}") for number in range(10)]
    assert in_order(2, [*flood, (Payer("b", None), "b0")])[:2] == ["a0", "b0"]


@pytest.mark.parametrize("threads", [2, 4])
def test_a_flood_from_one_address_holds_no_job_of_another_back(threads: int) -> None:
    """Twenty jobs one after the other end while not one of another address's 600 does."""

    async def run() -> None:
        pool, gate = FairPool(threads, "test"), threading.Event()
        flood = [
            asyncio.ensure_future(pool.run(Payer("a", f"token {number}"), lambda: gate.wait(60)))
            for number in range(600)
        ]
        await asyncio.sleep(LONG)
        for _ in range(20):
            await asyncio.wait_for(pool.run(Payer("b", "ben"), threading.get_ident), 30)
        assert not any(job.done() for job in flood)
        for job in flood:
            job.cancel()
        gate.set()
        pool.close()

    asyncio.run(run())


def test_a_job_that_fails_gives_its_thread_back() -> None:
    async def run() -> int:
        pool = FairPool(1, "test")
        with pytest.raises(ZeroDivisionError):
            await pool.run(Payer("a", None), lambda: 1 // 0)
        return await pool.run(Payer("a", None), lambda: 7)

    assert asyncio.run(run()) == 7
