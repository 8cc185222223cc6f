"""House rules that people have saved: what the club's page lists, and what a host removes from it."""

from collections.abc import Sequence

from sqlalchemy import Connection, delete, select

from tefuda.server.store import schema
from tefuda.server.store.database import Database, notify
from tefuda.server.store.people import HouseRules
from tefuda.server.store.sql_people import house_rules_of


def house_rules(database: Database, *, game: str | None = None) -> list[HouseRules]:
    """All of them, or those of one game, the latest first."""
    query = select(schema.house_rules).order_by(schema.house_rules.c.at.desc())
    query = query if game is None else query.where(schema.house_rules.c.game == game)
    with database.engine.connect() as connection:
        return [house_rules_of(row) for row in connection.execute(query)]


def remove(database: Database, keys: Sequence[str]) -> int:
    """Remove house rules, whoever saved them; how many there were. Tables opened by them go on."""

    def work(connection: Connection) -> int:
        notify(connection, "house-rules", " ".join(keys))
        return connection.execute(delete(schema.house_rules).where(schema.house_rules.c.id.in_(keys))).rowcount

    return database.change(work)
