"""Addresses for notices, when something is due at a slow table; clubs, their seasons and rounds."""

from alembic import op

from tefuda.server.store.schema import add_missing

revision, down_revision = "11", "10"


def upgrade() -> None:
    add_missing(op.get_bind())
