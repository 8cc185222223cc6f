"""The public tables are found by time."""

from alembic import op

revision, down_revision = "2", "1"


def upgrade() -> None:
    op.create_index("listings_by_time", "listings", ["public", "at"])
