"""Hints for somebody who plays alone against bots: what to play, and why."""

from tefuda.bots.advice import Advice
from tefuda.server.live.fair_pool import Payer
from tefuda.server.live.resources import Resources
from tefuda.server.table.chair import Caller
from tefuda.server.table.command import seat_of
from tefuda.server.table.commands import refuse_on_day
from tefuda.server.table.notation_text import notation_text
from tefuda.server.table.player_names import seat_names
from tefuda.server.table.refused import Refused
from tefuda.server.table.table_state import TableState


async def hint(
    resources: Resources, state: TableState, caller: Caller, address: str, language: str
) -> tuple[Advice, list[str]]:
    """What to play in somebody's place; the first search of a game may have to be compiled.

    Args:
        resources: of the process.
        state: of a live table.
        caller: who asks.
        address: from where.
        language: of the sentences.

    Returns:
        what to play, and the same in sentences.

    Raises:
        Refused: they have no seat, it is not their turn, or other people sit at the table: against them a hint would
            be help; or it is the deal of the day, which everybody plays without.
    """
    seat = seat_of(state, caller)
    if any(chair.person for other, chair in enumerate(state.chairs) if other != seat):
        raise Refused("not_alone", 403)
    refuse_on_day(state)
    if state.closed:
        raise Refused("closed", 410)
    if state.deal is None or state.deal.mover != seat:
        raise Refused("not_to_play")
    await resources.compiler.wait_for_search(state.game.name)
    if state.deal.mover != seat:
        raise Refused("not_to_play")
    deal = state.deal.copy()
    verdict = await resources.bots.advise(Payer(address, caller.lasting), deal)
    spell = notation_text(deal.game.description, language)
    return verdict, verdict.sentences(deal, language, seat_names(state, language), spell)
