"""What the printed page says of points is what the rules compute, in every language.

``tests/<game>/figures.py`` holds the figures, taken from the game's rules, and phrases of the page with places for
them."""

import re
from importlib import import_module
from types import ModuleType

import pytest

from tests.decks.pictures import needed

needed("reportlab")

from tefuda import games  # noqa: E402
from tefuda.decks.data import load  # noqa: E402
from tefuda.decks.faces import Style  # noqa: E402
from tefuda.decks.print.sheets import Job  # noqa: E402
from tefuda.engine.rulebook import CODES  # noqa: E402
from tefuda.engine.texts import LANGUAGES  # noqa: E402
from tests.decks.figures import Figure  # noqa: E402


def figures(game: str) -> ModuleType:
    return import_module(f"tests.{game.replace('-', '_')}.figures")


def printed(game: str, language: str) -> dict[str, str]:
    """The sections of the page."""
    description = games.description(game)
    job = Job(description, load(description), Style(language=language))
    return {
        section.key: "\n".join(each.text for each in section.paragraphs)
        for section in job.rules.sections
        if section.key != CODES
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games.names())
def test_the_page_says_the_figures_of_the_rules(game: str, language: str) -> None:
    own = figures(game)
    values = {name: Figure(value) for name, value in own.FIGURES.items()}
    said = "\n".join(printed(game, language).values())
    for phrase in own.PHRASES[language]:
        assert phrase.format(**values) in said, phrase


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games.names())
def test_every_figure_of_the_payments_is_held_to_the_rules(game: str, language: str) -> None:
    """Without the phrases no figure is left in the section on counting and paying; a new one needs a phrase."""
    own = figures(game)
    values = {name: Figure(value) for name, value in own.FIGURES.items()}
    left = printed(game, language)["pay"]
    for phrase in own.PHRASES[language]:
        left = left.replace(phrase.format(**values), "…")
    assert not re.findall(r"\d+", left), left


@pytest.mark.parametrize("game", games.names())
def test_every_figure_is_said_in_every_language(game: str) -> None:
    own = figures(game)
    for language in LANGUAGES:
        named = {name for phrase in own.PHRASES[language] for name in re.findall(r"\{(\w+)", phrase)}
        assert named == set(own.FIGURES), language
