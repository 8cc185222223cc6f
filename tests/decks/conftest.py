"""Decks by name. What draws needs the extra; without it one line says so."""

import pytest

from tefuda import games
from tefuda.decks.data import Deck, load
from tests.contract.particulars import particulars

DECKS = [(name, path.stem) for name in games.names() for path in games.description(name).files.decks]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for fixture in {"deck", "drawn"} & set(metafunc.fixturenames):
        cases = []
        for game, name in DECKS:
            deep = [pytest.mark.deep] if fixture == "drawn" and not particulars(game).draws_always else []
            cases.append(pytest.param((game, name), id=f"{game}-{name}", marks=deep))
        metafunc.parametrize(fixture, cases, indirect=True)


@pytest.fixture
def deck(request: pytest.FixtureRequest) -> Deck:
    """Every deck of every game in turn."""
    game, name = request.param
    return load(games.description(game), name)


@pytest.fixture
def drawn(request: pytest.FixtureRequest) -> Deck:
    """The same for tests that look at pictures, which takes longer."""
    game, name = request.param
    return load(games.description(game), name)
