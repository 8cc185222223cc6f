"""The log of all tables."""

from alembic import op

from tefuda.server.store.schema import add_missing

revision, down_revision = "12", "11"


def upgrade() -> None:
    add_missing(op.get_bind())
