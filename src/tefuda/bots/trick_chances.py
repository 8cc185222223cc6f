"""How often a play takes the trick, in the deals that fit what its player knows: a reason that people understand."""

from collections.abc import Sequence

from tefuda.bots.players import HintsBot, choose_play
from tefuda.engine import verbs
from tefuda.engine.notation import is_declaration
from tefuda.engine.rng import generator
from tefuda.table.deal import Deal

WORLDS = 40
"""Deals that are drawn; a share is then known to some eight in a hundred."""

SURE_ENDS = 0.9
"""The least share of them in which the trick must end with this play or after it: else it is not about a trick."""

MOST_PLAYS = 12
"""Plays within which a trick ends, or is left."""


def trick_chances(deal: Deal, plays: Sequence[str], seed: int, worlds: int = WORLDS) -> dict[str, float] | None:
    """The share of deals in which each play takes the trick that is being played or that it leads.

    All plays are tried in the same deals, drawn from what the mover knows; the others then play by the rules of thumb.

    Args:
        deal: not over; only the mover's view is read.
        plays: legal ones of the mover, each of one action.
        seed: of the deals drawn.
        worlds: how many.

    Returns:
        Shares from 0 to 1 by play; None if a play is not about a trick.
    """
    if any(is_declaration(play) or play not in deal.game.description.notation.single for play in plays):
        return None
    seen, rng = deal.view(deal.mover), generator(seed)
    ends, taken = 0, dict.fromkeys(plays, 0)
    for _ in range(worlds):
        world = deal.game.template.copy()
        verbs.believe(seen.record, rng, world[0])
        for play in plays:
            winner = _winner(Deal(deal.game, world.copy(), None, None), play, seed)
            ends += winner is not None
            taken[play] += winner == deal.mover
    if ends < SURE_ENDS * worlds * len(plays):
        return None
    return {play: count / worlds for play, count in taken.items()}


def _winner(world: Deal, play: str, seed: int) -> int | None:
    """Who takes the trick after a play of the mover; None if it does not come to that."""
    viewer, player = world.mover, HintsBot()
    for count in range(MOST_PLAYS):
        if world.over:
            break
        seat, before = world.mover, world.view(viewer)
        if count == 0:
            world.play(play)
        else:
            play = choose_play(player, world, seed)
        for line in world.view(viewer).told_since(before, seat, play):
            if line.code.startswith("events.trick"):
                return int(line.fields["seat"].removeprefix("#"))
    return None
