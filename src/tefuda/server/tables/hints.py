"""What a bot would play, and what it found: for somebody who plays alone against bots."""

from tefuda.server.events import commands
from tefuda.server.events.commands import Refused
from tefuda.server.events.table_state import Caller
from tefuda.server.tables.bot_pool import PlayAdvice
from tefuda.server.tables.live_tables import LiveTables


async def hint(rooms: LiveTables, name: str, who: Caller) -> PlayAdvice:
    """What bots would play in somebody's place; the first search of a game may have to be compiled.

    Args:
        rooms: of this process.
        name: of the table.
        who: asks.

    Raises:
        Refused: he is not seated or not to play, or other people are at the table: against them it would be help.
    """
    table = (await rooms.room(name)).table
    seat = commands.seated(table, who)
    if any(chair.person for other, chair in enumerate(table.chairs) if other != seat):
        raise Refused("not_alone", 403)
    if table.deal is None or table.deal.mover != seat:
        raise Refused("not_to_play")
    await rooms.kitchen.search_ready(table.game.name)
    if table.deal.mover != seat:
        raise Refused("not_to_play")
    return await rooms.services.thinkers.hint(who.guest or who.token or name, table.deal.copy())
