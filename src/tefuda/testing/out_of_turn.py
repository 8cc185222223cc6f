"""Plays of seats that are not asked: made at once where the rules let them, refused elsewhere."""

from tefuda.engine import rng
from tefuda.engine.description import without_wish
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.record import Record
from tefuda.testing.playouts import DEFAULTS, Hooks, Playout, States, playouts, stacked
from tefuda.testing.plays import is_made_at_once
from tefuda.testing.views import cards_are_the_pack

SELDOM = 8
"""One of so many plays that could be made out of turn is made, so that deals do not end with the first questions."""


def check_plays_out_of_turn(game: Game, deals: int = 10, seed: int = 0, hooks: Hooks = DEFAULTS) -> None:
    """A wish is made at once just where no reason forbids it; then the cards are the pack and the record replays."""
    if game.description.rules.wish is without_wish:
        return
    for played in playouts(game, deals, seed):
        deal, states = _play_with_interruptions(played)
        cards_are_the_pack(played, states, hooks, lambda row: f"played again with plays out of turn, moment {row}")
        replayed = Record.parse(deal.record()).replay().deals[0]
        assert replayed.history == deal.history, f"{played}: plays out of turn are recorded otherwise: {deal.history}"
        assert replayed.state.tobytes() == deal.state.tobytes(), (
            f"{played}: the record with plays out of turn replays to another state: {deal.history}"
        )
        assert replayed.following().tobytes() == deal.following().tobytes(), (
            f"{played}: after plays out of turn another deal would follow: {deal.history}"
        )


def _play_with_interruptions(played: Playout) -> tuple[Deal, States]:
    """The same deal played at random, now and then out of turn; all its states."""
    deal, generator = played.again(), rng.generator((*played.seed, 4))
    states, is_between_plays = [deal.state], True
    while not deal.over:
        for seat in range(deal.game.seats) if is_between_plays else ():
            wish = deal.wish(seat)
            if wish is not None and _may(deal, seat, wish.play, str(played)) and not rng.below(generator, SELDOM):
                deal.play(wish.play, seat)
                states.append(deal.state)
        if deal.over:
            break
        legal, made = deal.legal_actions(), len(deal.history)
        deal.act(legal[rng.below(generator, len(legal))])
        states.append(deal.state)
        is_between_plays = len(deal.history) > made
    return deal, stacked(states)


def _may(deal: Deal, seat: int, word: str, where: str) -> bool:
    """Whether a seat may make its wish now, out of turn; state and view give no reason then, and else they do."""
    if seat == deal.mover:
        return False
    may = is_made_at_once(deal, seat, word)
    for kind, state in (("the state", deal.state), ("its view", deal.view(seat).record)):
        why = deal.game.description.rules.why_not(state, seat, word)
        assert may == (why is None), (
            f"{where}, after {deal.history}: {word} of seat {seat} can{'' if may else 'not'} be made, {kind} says {why}"
        )
    return may
