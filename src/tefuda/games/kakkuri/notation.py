"""Kakkuri: how plays are written: ``H9``, ``CA=8``, ``C5+H5+D5``, ``S5+H5+CA=5``, ``end``, ``raise``, ``utazu``."""

from tefuda.engine import bits
from tefuda.engine.notation import OneActionNotation, plain
from tefuda.games.kakkuri import plays
from tefuda.games.kakkuri.cards import CARD_WORDS, RANK_LETTERS, SUITS

STANDING_FOR = tuple(f"{card}={rank}" for card in CARD_WORDS for rank in RANK_LETTERS if rank != card[1])
"""A card with the rank it stands for, if not its own; of every card, so that the rules can say which are wild."""

PRINTED = {f"{card}={card[1]}": card for card in CARD_WORDS}
"""KK-58: a wild used as printed is written plainly; this means the same."""


def card_word(rank: int, slot: int) -> str:
    """A card of a step as it is written there."""
    word = CARD_WORDS[plays.card_in(rank, slot)]
    return word if slot < SUITS else f"{word}={RANK_LETTERS[rank]}"


def word_of(action: int) -> str:
    """The word of a play."""
    if action >= plays.STEPS:
        return plays.SAID[action - plays.STEPS]
    rank, slots = plays.STEP_PARTS[action]
    return "+".join(card_word(rank, slot) for slot in bits.members_of(slots))


class KakkuriNotation(OneActionNotation):
    """Plays as words; ``CA=A`` is ``CA``."""

    def normal(self, word: str) -> str:
        if isinstance(word, str) and word not in self.single and "=" in plain(word):
            cards = (card.strip() for card in plain(word).upper().split("+"))
            word = "+".join(PRINTED.get(card, card) for card in cards)
        return super().normal(word)


NOTATION = KakkuriNotation(
    tuple(word_of(action) for action in range(plays.ACTIONS)),
    example="a card such as H9, CA=8 for a wild, three of a rank such as C5+H5+D5; or end, raise, cede, drop, utazu",
    cards=(*CARD_WORDS, *STANDING_FOR),
)
