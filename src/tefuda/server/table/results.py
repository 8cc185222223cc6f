"""What a game has brought everybody, from a table that has finished a deal."""

from tefuda.server.store.people import GameResult, SeatResult
from tefuda.server.table.table_state import TableState


def game_result(table: TableState) -> GameResult:
    """The result of the table's present game so far; at least one deal of it is finished.

    Whoever leaves keeps the result of their seat, as long as nobody else takes it: a bot goes on for them.
    """
    counted, totals = table.game.description.rules.counted, table.totals
    sides = [place.side for place in table.view(-1).scene.seats]
    seats = []
    for seat, points in enumerate(totals):
        chair = table.sitter(seat)
        better = {sides[other] for other, theirs in enumerate(totals) if theirs > points}
        person = None if chair.bot else chair.guest or chair.token
        seats.append(
            SeatResult(seat, chair.name, person, chair.bot, sides[seat], counted(points), 1 + len(better))
        )  # fmt: skip
    return GameResult(
        table=table.name,
        session=table.session,
        at=table.at,
        game=table.game.name,
        deals=len(table.results),
        over=table.phase == "over",
        practice=table.taken_back > 0,
        seats=tuple(seats),
    )
