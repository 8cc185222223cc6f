"""A decision at the terminal: the screen before it, the plays that have a number, and why another is refused."""

from collections.abc import Sequence
from itertools import count

from tefuda.cli.draw import Artist
from tefuda.cli.prose import Prose
from tefuda.cli.screen import Plays, Screen
from tefuda.engine.notation import SUMMARY, is_declaration
from tefuda.engine.scene import Scene
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.table.deal import Deal


class DecisionPrompt:
    """Shows decisions to one player, and understands what they type.

    Args:
        artist: who prints.
    """

    def __init__(self, artist: Artist) -> None:
        self._artist, self._words = artist, catalogue(TEXTS, artist.language)
        self._screen = Screen(artist, self._words)

    def show(self, deal: Deal, viewer: int, told: int = 0) -> None:
        """The table, the hand and the plays; ``told`` lines above them stay in sight."""
        scene = deal.view(viewer).scene
        title = self._artist.game_words(scene.phase)
        if scene.number:
            title = self._words("play.trick", number=scene.number, tricks=scene.tricks)
        legal = deal.legal()
        hand = self._artist.hand(scene, [*legal, *self._equals(deal, scene, legal)])
        self._screen.show(scene, viewer, deal.mover, title, hand, self._plays(deal), told)

    def show_plays(self, deal: Deal) -> None:
        """All plays that have a number."""
        self._screen.show_plays(self._plays(deal))

    def word(self, deal: Deal, answer: str) -> str:
        """What was typed, or the play that its number stands for."""
        return self._numbered(deal).get(answer, answer)

    def explain(self, deal: Deal, word: str) -> None:
        """Why a play may not be made now."""
        reason = deal.why_not(word, language=self._artist.language, names=self._artist.names)
        if reason is None:
            self._artist.say(self._words("play.legal"))
        elif not reason.rule:
            self._artist.note(reason.text, "yellow")
        else:
            self._artist.say(f"{reason.text} [{reason.rule}]", "yellow")

    def _numbered(self, deal: Deal) -> dict[str, str]:
        """The plays that are listed with a number, by number: declarations, several cards, a wild for another."""
        listed = (word for word in deal.legal() if is_declaration(word) or "+" in word or "=" in word)
        # Where cards are written as numbers, those stand for the cards: the list leaves them out.
        numbers = (number for number in map(str, count(1)) if number not in deal.game.description.display.faces)
        return dict(zip(numbers, listed, strict=False))

    def _plays(self, deal: Deal) -> Plays:
        """What is written below the hand: the plays that have a number, and what declarations do."""
        notes = [
            Prose("  " + self._words("play.throw", count=word[1:]), "dim")
            for word in filter(SUMMARY.fullmatch, deal.legal())
        ]
        groups, said = [], []
        for number, word in self._numbered(deal).items():
            if is_declaration(word):
                said.append(Prose(f"  {number}  {word}  {self._artist.meaning(word)}".rstrip()))
            else:
                groups.append(f"{number} {word}")
        return Plays(notes, groups, said)

    @staticmethod
    def _equals(deal: Deal, scene: Scene, legal: Sequence[str]) -> list[str]:
        """Cards of the hand that may be played although an equal one is listed in their place."""
        cards = {card for group in scene.hand for card in group.cards} - set(legal)
        if not cards or all(is_declaration(word) for word in legal):
            return []
        return [card for card in cards if deal.why_not(card) is None]
