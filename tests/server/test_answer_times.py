"""The time of an answer tells nothing of whether there was a choice."""

import asyncio
import random
from collections.abc import Callable, Sequence

import pytest

from tefuda.server.live.answer_times import JITTER, LEAST_KNOWN, LEAST_OWN, AnswerTimes, keep
from tefuda.server.store import identities, open_store, sql
from tefuda.server.store.database import Database
from tefuda.server.store.identities import KnownPerson
from tefuda.server.store.port import AnswerTime

DECLARATIONS = 500
HAD_CHOICE = 0.31

People = Callable[[random.Random, int], float]


def usual(chance: random.Random, player: int) -> float:
    """People as a median of 2.5 seconds has them."""
    return min(30.0, 2.5 * chance.lognormvariate(0, 0.8))


def quick(chance: random.Random, player: int) -> float:
    return chance.uniform(0.2, 0.9)


def unlike(chance: random.Random, player: int) -> float:
    """One takes his time, the others don't."""
    return chance.uniform(6, 12) if player == 0 else chance.uniform(0.5, 2)


def declarations(times: AnswerTimes, people: People, seed: int) -> list[tuple[float, bool]]:
    """The times of declarations by four players, and whether they had a choice."""
    chance, found = random.Random(seed), list[tuple[float, bool]]()
    for number in range(DECLARATIONS):
        player, has_choice = number % 4, chance.random() < HAD_CHOICE
        seconds = people(chance, player) if has_choice else times.draw("expose:none", player)
        if has_choice:
            times.note("expose:none", player, seconds)
        found.append((seconds, has_choice))
    return found


def guessed(shown: Sequence[tuple[float, bool]]) -> float:
    """How often whoever knows the best threshold, in either direction, guesses right."""
    cuts = sorted(seconds for seconds, _ in shown)
    right = [sum((seconds > cut) == has_choice for seconds, has_choice in shown) / len(shown) for cut in cuts]
    return max(max(right), 1 - min(right))


@pytest.mark.parametrize("people", [usual, quick, unlike])
def test_whoever_guesses_from_times_stays_at_the_base_rate(people: People) -> None:
    times = AnswerTimes()
    declarations(times, people, 1)  # until the server knows its players
    shown = declarations(times, people, 2)
    base = max(sum(has for _, has in shown), sum(not has for _, has in shown)) / DECLARATIONS
    assert guessed(shown) < base + 0.035


def test_the_first_people_at_a_new_server_are_taken_for_usual_ones() -> None:
    shown = declarations(AnswerTimes(), usual, 3)
    base = max(sum(has for _, has in shown), sum(not has for _, has in shown)) / DECLARATIONS
    assert guessed(shown) < base + 0.035


def test_a_threshold_finds_a_table_that_answers_after_a_pause() -> None:
    """The guess can guess: this is what the time told when the table answered after a bot's pause."""
    chance = random.Random(4)
    shown = [
        (usual(chance, 0), True) if chance.random() < HAD_CHOICE else (chance.uniform(0.5, 1.2), False)
        for _ in range(500)
    ]
    assert guessed(shown) > 0.9


def test_times_are_drawn_from_the_players_own_then_from_everybodys_then_from_usual_ones() -> None:
    times = AnswerTimes(scale=0)
    assert times.draw("pass", "ann") == 0
    for _ in range(LEAST_KNOWN):
        times.note("pass", "ben", 3.0)
    assert times.draw("pass", "ann") == pytest.approx(3.0, rel=JITTER)
    for _ in range(LEAST_OWN):
        times.note("pass", "ann", 9.0)
    assert times.draw("pass", "ann") == pytest.approx(9.0, rel=JITTER)
    assert times.draw("swap", "ann") == 0


def test_times_outlive_the_process_and_are_known_to_others(database: str) -> None:
    async def scenario() -> None:
        store, shared = open_store(database, shared=True), open_store(database, shared=True)
        for _ in range(LEAST_OWN):
            await keep(store, AnswerTime("gong-zhu", "expose:none", "ann", 9.0))
        times = AnswerTimes(scale=0)
        learning = asyncio.create_task(times.learn(shared))
        while not times.draw(("gong-zhu", "expose:none"), "ann"):
            await asyncio.sleep(0.01)
        assert times.draw(("gong-zhu", "expose:none"), "ann") == pytest.approx(9.0, rel=JITTER)
        learning.cancel()
        await store.close()
        await shared.close()

    asyncio.run(scenario())


def test_of_the_oldest_times_and_of_who_is_erased_nothing_is_kept(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql, "MOST_ANSWERS", 3)

    async def scenario() -> list[tuple[int, AnswerTime]]:
        store = open_store(database)
        for player in ("ann", "ben", "cho", "dai"):
            await store.keep_answer(AnswerTime("gong-zhu", "expose:none", player, 1.0))
        with Database(database) as administration:
            identities.erase(administration, KnownPerson(("cho",), ()), lambda *_: KnownPerson(("cho",), ()))
        await store.keep_answer(AnswerTime("gong-zhu", "expose:none", "cho", 2.0))
        found = await store.answers(2)
        await store.close()
        return found

    assert [answer.player for _, answer in asyncio.run(scenario())] == [None, "dai", None]
