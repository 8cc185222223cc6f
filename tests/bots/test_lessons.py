"""The lessons on judgement: where a step waits for a play, no two judges find another one clearly better."""

from pathlib import Path

import pytest

from tefuda import games
from tefuda.bots.advice import find_advice
from tefuda.bots.search import BY_HINTS, Budget, SearchBot
from tefuda.engine.notation import seat_and_play
from tefuda.table import tour

LESSONS = [path for name in games.names() for path in games.description(name).files.tours[1:]]


@pytest.mark.deep
@pytest.mark.parametrize("path", LESSONS, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_no_judges_contradict_the_plays_of_a_lesson(path: Path) -> None:
    lesson = tour.load(path)
    search = SearchBot(Budget(iterations=20_000), settings=BY_HINTS)
    deal, decisions = lesson.deal(), 0
    for number, step in enumerate(lesson.steps, 1):
        for move in (*step.skip, *step.moves):
            seat, word = seat_and_play(move)
            deal.play(word, seat)
        if step.play:
            assert deal.mover == lesson.seat
            verdict = find_advice(deal, search, seed=number)
            undecided = verdict.code in ("close", "may_be_better") and verdict.fields["other"] in step.play
            assert undecided or verdict.play in step.play, f"step {number}"
            deal.play(step.play[0])
            decisions += 1
    assert decisions
