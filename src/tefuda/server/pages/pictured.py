"""Rules as a page shows them: cards drawn in the text, options by what they are called."""

import re
from collections.abc import Callable
from html import escape

from markupsafe import Markup

from tefuda.decks import data
from tefuda.engine.description import Description
from tefuda.engine.option import Option
from tefuda.engine.texts import Spell
from tefuda.server.pages import decks
from tefuda.server.pages.frame import linked, page_text
from tefuda.server.table.player_names import notation_text
from tefuda.table.reasons import say_all

BEGIN, BETWEEN, END = "\ue000", "\ue001", "\ue002"
"""Characters of no meaning, round what is drawn: BEGIN, the words of cards, BETWEEN, what they are called, END."""

_DRAWN = re.compile(f"{BEGIN}([^{BETWEEN}]*){BETWEEN}([^{END}]*){END}")

_APART = re.compile(r",? +|\+")


def pictured_text(game: Description, language: str) -> Spell:
    """A spelling by which notation of cards becomes pictures, and all other notation words; see ``pictured``."""
    in_words, words = notation_text(game, language), game.display.word_by_text
    if not game.files.decks:
        return in_words
    comma = page_text(language, "wording.comma")

    def spell(quoted: str) -> str:
        cards = [words.get(word, "") for word in _APART.split(quoted)]
        if not all(cards):
            return in_words(quoted)
        called = comma.join(data.name_and_reading(game, card, language)[0] for card in cards)
        return f"{BEGIN}{' '.join(cards)}{BETWEEN}{called}{END}"

    return spell


def pictured(game: Description, language: str, rules: str = "") -> Callable[[str], Markup]:
    """What makes a text, written by ``pictured_text``, a part of the page: with cards, and links to rules and options.

    Args:
        game: whose.
        language: of the reader.
        rules: address of the page with the rules; empty on that page itself.
    """
    deck = data.load(game) if game.files.decks else None
    sprite = decks.address(game, "cards", language)

    def draw(found: re.Match[str]) -> str:
        assert deck is not None
        view = f"0 0 {deck.size[0]:g} {deck.size[1]:g}"
        shape = "narrow" if deck.size[0] / deck.size[1] < 0.4 else "wide"
        cards = "".join(
            f'<svg viewBox="{view}" aria-hidden="true"><use href="{sprite}#{escape(word)}"/></svg>'
            for word in found[1].split()
        )
        called = found[2]  # escaped with the text that it stands in
        return f'<span class="drawn {shape}" role="img" aria-label="{called}" title="{called}">{cards}</span>'

    def show(text: str) -> Markup:
        told = linked(game, options_in_words(game, str(Markup.escape(text)), language, rules), rules)
        return Markup(_DRAWN.sub(draw, told))  # noqa: S704 - escaped above

    return show


def options_in_words(game: Description, text: str, language: str, rules: str = "") -> str:
    """A text, escaped before, with options and their values as forms call them, and links to the options.

    Args:
        game: whose options.
        text: ``name``, ``name = value`` or a value stand in it.
        language: of the reader.
        rules: address of the page with the rules; empty on that page itself.
    """
    by_name = game.rules.option_by_name
    # A word of one part, such as "fuwaru", may be the thing and not the option, unless a value follows.
    names = "|".join(name if "_" in name else rf"{name}(?= ?= ?\w)" for name in by_name)
    if not names:
        return text
    colon = page_text(language, "wording.colon")
    gap = "" if colon.endswith(" ") else " ?"  # Chinese and Japanese part codes by spaces, but no words
    values = {word: option for option in by_name.values() for word in option.values if "_" in word}

    def texts(option: Option) -> dict[str, str]:
        return say_all(game, f"options.{option.name}", language, notation_text(game, language))

    def named(found: re.Match[str]) -> str:
        option = by_name[found[1]]
        called = quoted(texts(option).get("label", option.name))
        label = f'<a href="{rules}#{option.name}">{called}</a>'
        return label if found[2] is None else f"{label}{colon}{value(option, found[2])}"

    def value(option: Option, word: str) -> str:
        if word in ("true", "false"):
            return page_text(language, "rules.on" if word == "true" else "rules.off")
        found = texts(option).get(f"values.{word}")
        return word if found is None else quoted(found)

    def quoted(label: str) -> str:
        return page_text(language, "wording.quoted", text=str(Markup.escape(label)))

    text = re.sub(rf"(?a:{gap}\b({names})\b(?: ?= ?([\w]+))?){gap}", named, text)
    alone = "|".join(values)
    if not alone:
        return text
    return re.sub(rf"(?a:{gap}\b({alone})\b){gap}", lambda found: value(values[found[1]], found[1]), text)
