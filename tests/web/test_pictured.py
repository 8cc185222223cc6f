"""Rules with pictures: cards are drawn in the text, options are called as in the form."""

import re
from html import unescape

import pytest

from tefuda import games
from tefuda.engine.texts import LANGUAGES, catalogue
from tefuda.server.pages.drawings import options_in_words, pictured, pictured_text
from tefuda.server.pages.layout import page_text
from tests.server.server_process import Served
from tests.web.people import visitor

GAMES = games.names()


def shown(game: str, text: str, language: str = "en") -> str:
    """A text with notation between backquotes, as the page has it."""
    description = games.description(game)
    spell = pictured_text(description, language)
    spelled = re.sub("`([^`]*)`", lambda found: spell(found[1]), text)
    return str(pictured(description, language)(spelled))


def test_cards_are_drawn_and_named_for_those_who_hear_them() -> None:
    told = shown("gong-zhu", "One trick is `D9 DJ`: whoever played `DJ` leads. [GZ-14]")
    assert re.findall(r"#(\w+)\"/></svg>", told) == ["D9", "DJ", "DJ"]
    assert 'role="img" aria-label="nine of diamonds, jack of diamonds, the sheep"' in told
    assert '<a href="#GZ-14">GZ-14</a>' in told
    assert not re.search("[\ue000-\ue002`]", told)


def test_what_is_no_card_alone_stays_in_words() -> None:
    assert "<svg" not in shown("luk-fu", "`~T5+K2` and `stop`")
    assert shown("gong-zhu", "<b> `expose:none`").startswith("&lt;b&gt; ")


def test_options_are_called_as_in_the_form() -> None:
    game = games.description("gong-zhu")
    texts = catalogue(game.files.texts, "en")
    told = options_in_words(
        game, "with first_leader = C2; team_end; until_quiet; exposing = false; exposing", "en", "/rules"
    )
    assert f'<a href="/rules#first_leader">“{texts("options.first_leader.label")}”</a>: ' in told
    assert texts("options.expose_order.values.until_quiet") in unescape(told)
    assert "_" not in re.sub("<[^>]*>", "", told)
    assert told.endswith(f": {page_text('en', 'rules.off')}; exposing")  # the option, then the thing


def test_only_languages_that_part_words_have_spaces_round_options() -> None:
    game = games.description("gong-zhu")
    assert "With <a" in options_in_words(game, "With first_leader = draw it is", "en")
    told = options_in_words(game, "用 first_leader = draw 時，until_quiet 時", "zh-Hant")
    assert " " not in re.sub("<[^>]*>", "", told)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_no_code_stands_in_the_rules(site: Served, game: str, language: str) -> None:
    """Neither names of options nor marks of ours; what a card is called stands in no picture's place."""
    with visitor(site, language) as reader:
        page = reader.get(f"/games/{game}/rules").text
    main = re.sub("<[^>]*>", " ", page.partition("<main")[2].partition("</main>")[0])
    options = games.description(game).rules.options
    codes = {word for option in options for word in (option.name, *option.values) if word[0].isalpha()}
    if language == "en":  # a code of one part may be a word of the language
        codes = {word for word in codes if "_" in word}
    assert re.findall(rf"(?a:\b(?:{'|'.join(codes)})\b|\b[a-z]\w* = \w+)", main) == []
    assert language == "en" or not re.search(r"[」”]\s*: ", main)
    assert not re.search("[\ue000-\ue002]|&lt;(span|a) ", page)
    assert page.count('class="drawn') > 3
    assert page.index('id="cards"') < page.index('id="aim"')
