"""The contract that every game keeps, checked on deals played at random. For games in this package and in others:

    import pytest, tefuda
    from tefuda.testing import check_contract, option_sets

    @pytest.mark.parametrize(("seats", "options"), option_sets(tefuda.load("my-game").description))
    def test_my_game_keeps_the_contract(seats, options):
        check_contract(tefuda.load("my-game", seats, **options), deals=5)

Each property has a function of its own (``PROPERTIES``): it plays deals of one game and raises an ``AssertionError``
that names game, options, deal and moment where the property does not hold. The same seed gives the same deals. What
the suite cannot know of a game by itself is told in ``Hooks``."""

from tefuda.engine.notation import SUMMARY
from tefuda.table.game import Game
from tefuda.testing.deal_checks import (
    check_plays_out_of_turn,
    check_purity,
    check_record,
    check_scenes,
    check_settlement,
    check_texts,
)
from tefuda.testing.play_checks import check_notation, check_reasons, play_words
from tefuda.testing.playouts import (
    DEFAULTS,
    Hooks,
    Playout,
    dealt_hands,
    option_sets,
    other_values,
    play_out,
    playouts,
    public_history,
)
from tefuda.testing.view_checks import (
    check_conservation,
    check_no_leak,
    check_round_trip,
    check_worlds_replay,
    counted_cards,
)

# fmt: off
__all__ = [
    "DEFAULTS", "PROPERTIES", "SUMMARY", "VIEW_PROPERTIES", "Hooks", "Playout", "check_conservation", "check_contract",
    "check_no_leak", "check_notation", "check_plays_out_of_turn", "check_purity", "check_reasons", "check_record",
    "check_round_trip", "check_scenes", "check_settlement", "check_texts", "check_worlds_replay", "counted_cards",
    "dealt_hands", "option_sets", "other_values", "play_out", "play_words", "playouts", "public_history",
]
# fmt: on

VIEW_PROPERTIES = (check_no_leak, check_round_trip, check_worlds_replay)
"""What must hold of views, so that nobody is shown what they may not see and every imagined world is possible."""

PROPERTIES = (
    *VIEW_PROPERTIES,
    check_conservation,
    check_notation,
    check_reasons,
    check_plays_out_of_turn,
    check_record,
    check_purity,
    check_scenes,
    check_texts,
    check_settlement,
)


def check_contract(game: Game, deals: int = 5, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """Check every property on these deals; ``AssertionError`` says which does not hold, of which deal and moment."""
    for check in PROPERTIES:
        check(game, deals, seed, hooks)
