"""The log of all tables; moderators, mutes beside bans, and who did what to whom, and why."""

from alembic import op

from tefuda.server.store.schema import add_missing

revision, down_revision = "12", "11"


def upgrade() -> None:
    add_missing(op.get_bind())
