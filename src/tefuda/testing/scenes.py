"""What people are shown and told: the same whether a view is laid out alone or together with the others."""

from tefuda.table.game import Game
from tefuda.testing.playouts import DEFAULTS, Hooks, playouts

MOMENTS = 40
"""About so many of each deal are looked at, one after the other at equal distances: every view of each is laid out."""


def check_scenes(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """What is laid out once for all who look is what each would have been shown and told alone."""
    events = game.description.display.events
    for played in playouts(game, deals, seed):
        deal, every = played.again(), max(1, len(played.deal.history) // MOMENTS)
        for number, (seat, word) in enumerate(played.deal.history):
            if number % every:
                deal.play(word)
                continue
            before = deal.views()
            deal.play(word)
            for earlier, later in zip(before, deal.views(), strict=True):
                alone = deal.view(later.seat)
                where = f"{played}, after {len(deal.history)} plays, view of {later.seat}"
                assert later.array.tobytes() == alone.array.tobytes(), f"{where}: views seen together differ"
                assert later.scene == alone.scene, f"{where}: the scene differs when several look"
                told = events(earlier.record, seat, word, alone.record)
                assert later.told_since(earlier, seat, word) == told, f"{where}: {word} is told otherwise"
