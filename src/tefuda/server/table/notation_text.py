"""Notation in words, for people who see cards and buttons and type nothing: cards and plays by their names."""

import re
from functools import lru_cache

from tefuda.decks import data
from tefuda.engine.description import Description
from tefuda.engine.notation import SUMMARY
from tefuda.engine.scene import UNSEEN
from tefuda.engine.texts import TEXTS, Spell, catalogue

HIDDEN_PLAY = "~1"
"""How messages write a play of which others see only the back."""

_BETWEEN = re.compile(r",? +")


@lru_cache(64)
def notation_text(game: Description, language: str) -> Spell:
    """The function that writes a game's notation in words of this language."""
    texts, own, words = catalogue(TEXTS, language), catalogue(game.files.texts, language), game.display.word_by_text

    comma, colon = texts("page.wording.comma"), texts("page.wording.colon")
    after_seat = re.compile(rf"(#\d+){re.escape(comma)}")

    def in_words(quoted: str) -> str:
        return after_seat.sub(rf"\1{colon}", comma.join(map(one, _BETWEEN.split(quoted))))

    @lru_cache(1024)  # plays, of which there are few; what a text quotes may be any four of them
    def one(word: str) -> str:
        """A play or a card; anything else stays as it is."""
        if word in (UNSEEN, HIDDEN_PLAY):
            return texts("page.table.face_down")
        if SUMMARY.fullmatch(word) and word[1:] not in words:
            return texts("page.wording.face_down_many", count=word[1:])
        said, _, cards = word.rpartition(":")
        parts = [part.partition("=") for part in cards.removeprefix("~").split("+")]
        named = " + ".join(card(part, rank) for part, _, rank in parts) if all(p[0] in words for p in parts) else ""
        if said or f"plays.{word}" in own:
            return declared(f"plays.{word}" if not named and cards else f"plays.{said}:", named) or word
        if named and cards.startswith("~"):
            return texts("page.wording.face_down", cards=named)
        return named or word

    def declared(key: str, cards: str) -> str:
        """A declaration, as its button says it."""
        label = own(key).replace("{cards}", cards).strip() if key in own else ""
        return label and texts("page.wording.quoted", text=label)

    def card(word: str, stands_for: str) -> str:
        name = data.name_in_sentence(game, words[word], language)
        return texts("page.table.stands_for", card=name, rank=stands_for) if stands_for else name

    return in_words
