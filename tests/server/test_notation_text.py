"""What people read on a page names cards and buttons; it has nothing of what is typed in a terminal."""

import random
import re
from itertools import chain

import pytest

import tefuda
from tefuda import games
from tefuda.engine.texts import LANGUAGES, catalogue
from tefuda.server.table import replays
from tefuda.server.table.player_names import notation_text
from tefuda.table.deal import Deal

NAMES = [chr(number) * 3 for number in range(ord("a"), ord("i"))]
"""Of the seats: nothing that could be a play."""

QUOTING = ("why", "sheet", "events", "scene", "cards")
"""Sections of a game's texts that quote its notation."""


def typed_words(game: str) -> re.Pattern[str]:
    """What would show that notation has been left as it is typed; numbers alone may be amounts."""
    cards = [word for word in games.description(game).display.faces if not word.isdigit() and len(word) > 1]
    return re.compile("|".join([r"[`~▮]", r"\b\w+:\w*\+", *(rf"(?<!\w){word}(?!\w)" for word in cards)]))


def any_play(deal: Deal, chance: random.Random) -> str:
    play = chance.choice(deal.legal())
    if not re.fullmatch(r"~\d+", play) or play[1:] in deal.game.description.display.faces:
        return play
    held = list(chain.from_iterable(group.cards for group in deal.view(deal.mover).scene.hand))
    return "~" + "+".join(chance.sample(held, int(play[1:])))


def finished(game: str, seed: int) -> Deal:
    chance = random.Random(seed)
    deal = tefuda.load(game).deal(seed=seed)
    while not deal.over:
        deal.play(any_play(deal, chance))
    return deal


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games.names())
def test_what_is_told_and_reckoned_is_in_words(game: str, language: str) -> None:
    told = list[str]()
    for deal in map(finished, [game] * 3, range(3)):
        told += [line for step in replays.replay_steps(deal, 1, NAMES, language) for line in step["lines"]]
        ended = replays.results(deal, NAMES[: deal.game.seats], language)
        told += [line for row in ended["sheet"] for line in row["lines"]]
    assert len(told) > 20
    assert [line for line in told if typed_words(game).search(line)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games.names())
def test_reasons_are_in_words(game: str, language: str) -> None:
    description, chance = games.description(game), random.Random(4)
    spell, cards = notation_text(description, language), list(description.display.faces)
    said = [word for word in description.notation.single if word[:1].islower()][:20]
    deal, reasons = tefuda.load(game).deal(seed=4), set()
    while not deal.over:
        groups = ["+".join(chance.sample(cards, number)) for number in (1, 1, 2, 3)]
        for word in (*groups, *chance.sample(said, min(4, len(said)))):
            why = deal.why_not(word, None, language, NAMES, spell)
            reasons |= {why.text} if why else set()
        deal.play(any_play(deal, chance))
    assert len(reasons) > 5
    assert [text for text in reasons if typed_words(game).search(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games.names())
def test_what_texts_quote_can_be_said_in_words(game: str, language: str) -> None:
    description = games.description(game)
    spell, texts = notation_text(description, language), catalogue(description.files.texts, language)
    quoted = [
        word
        for section in QUOTING
        for text in texts.under(section).values()
        for word in re.findall(r"`([^`]*)`", text)
        if "{" not in word
    ]
    assert [word for word in quoted if spell(word) == word] == []


def test_plays_are_spelled_as_people_call_them() -> None:
    spell = notation_text(games.description("luk-fu"), "en")
    assert spell("#0 T9+K9+S9, #1 ~3, #2 ~T5") == (
        "#0: nine of tens + nine kwan + nine of strings, #1: 3 cards face down, #2: five of tens (face down)"
    )
    assert spell("~1") == spell("▮") == "a card face down"
    assert spell("pass") == "“Pass”"
    assert notation_text(games.description("gong-zhu"), "zh-Hans")("expose:SQ+HA") == "“亮♠Q + ♥A”"
    assert notation_text(games.description("kakkuri"), "ja")("CA=8") == "アカチョロを8として"
