"""``believes``: a bot that thinks the table plays by other options, to find out what it is worth to know a rule.

``believes:accuser=false:search:200it`` plays as the search would at a table without the accuser, whatever the table's
rules are. Seated against the same search that knows the rule, on the same cards and with the same random numbers, it
loses what the rule is worth to those who heed it: nothing where the rule is no reason to play otherwise.
"""

from collections.abc import Mapping, Sequence

from tefuda.bots.players import Bot, bot
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.rng import Rng
from tefuda.table.view import View


class BelievingBot:
    """Asks another bot what it would play if options had other values.

    What may be played stays the table's to say: if the answer is not legal there, the other bot is asked again under
    the table's own options.

    Args:
        options: their values as people write them.
        player: who is asked.
    """

    def __init__(self, options: Mapping[str, str], player: Bot) -> None:
        self.options, self.player = options, player

    def warm(self, view: View) -> None:
        """Check that the game has such options, and let the other bot load what it needs.

        Raises:
            TefudaError: it does not.
        """
        believed, warm = self.believed(view), getattr(self.player, "warm", None)
        if warm is not None:
            warm(believed)

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """One of ``legal``."""
        drawn = rng.copy()
        action = self.player.choose(self.believed(view), legal, rng)
        return action if action in legal else self.player.choose(view, legal, drawn)

    def believed(self, view: View) -> View:
        """The same view under the options that this bot believes in.

        Raises:
            TefudaError: the game has no such option or value.
        """
        states = view.array.copy()
        known = view.game.rules.option_by_name
        for name, value in self.options.items():
            if name not in known:
                raise TefudaError(f"{view.game.name} has no option {name!r}{nearest(name, known)}")
            states[name] = known[name].number(value)
        return View(view.game, states, view.seat)


def believes(text: str) -> BelievingBot:
    """The bot of the spec ``believes:OPTION=VALUE,…:BOT``.

    Raises:
        TefudaError: it is not written like this.
    """
    given, colon, spec = text.partition(":")
    pairs = [each.partition("=") for each in given.split(",")]
    if not colon or not all(name and value for name, _, value in pairs):
        raise TefudaError(f"bot 'believes:{text}' is not written like believes:accuser=false:search:200it")
    return BelievingBot({name: value for name, _, value in pairs}, bot(spec))
