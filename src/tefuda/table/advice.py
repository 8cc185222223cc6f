"""Why the rules of thumb advise a play, in the reader's language."""

from collections.abc import Sequence

from tefuda.engine.texts import TEXTS, Spell, catalogue, typed
from tefuda.table.deal import Deal
from tefuda.table.reasons import say_line


def advice_reason(deal: Deal, play: str, language: str = "en", names: Sequence[str] = (), spell: Spell = typed) -> str:
    """Why the rules of thumb advise this play to the mover, from what they read off the mover's view.

    Args:
        deal: not over.
        play: what they advise (``tefuda.advice``).
        language: of the texts.
        names: of the seats.
        spell: how notation is written.

    Returns:
        A sentence or two, with the numbers of rules where they decide; empty where the game gives no reasons.
    """
    game = deal.game.description
    if len(deal.legal_actions()) == 1:
        return catalogue(TEXTS, language)("only_play")
    if game.display.why_advised is None:
        return ""
    action = game.notation.actions(deal.array, play)[0]
    line = game.display.why_advised(deal.view(deal.mover).record, action, play)
    return say_line(game, line, language, names, spell)
