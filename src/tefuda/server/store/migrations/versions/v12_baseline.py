"""All that a database of version 12 has: an empty one gets all of it, an older one what it lacks."""

from alembic import op

from tefuda.server.store.schema import add_missing

revision, down_revision = "12", None


def upgrade() -> None:
    add_missing(op.get_bind())
