"""What people are shown and told: the same whether a view is laid out alone or together with the others."""

from tefuda.table.game import Game
from tefuda.testing.playouts import DEFAULTS, Hooks, playouts


def check_scenes(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """What is laid out once for all who look is what each would have been shown and told alone."""
    events = game.description.display.events
    for played in playouts(game, (deals + 1) // 2, seed):  # as slow as several other properties together
        deal = played.again()
        before = deal.views()
        for seat, word in played.deal.history:
            deal.play(word)
            after = deal.views()
            for earlier, later in zip(before, after, strict=True):
                alone = deal.view(later.seat)
                where = f"{played}, after {len(deal.history)} plays, view of {later.seat}"
                assert later.array.tobytes() == alone.array.tobytes(), f"{where}: views seen together differ"
                assert later.scene == alone.scene, f"{where}: the scene differs when several look"
                told = events(earlier.record, seat, word, alone.record)
                assert later.told_since(earlier, seat, word) == told, f"{where}: {word} is told otherwise"
            before = after
