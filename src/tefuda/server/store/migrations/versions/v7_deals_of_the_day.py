"""The deal of the day: its shuffle, and what everybody made of it."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "7", "6"


def upgrade() -> None:
    op.create_table(
        "daily_deals",
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("proof", sa.Text, nullable=False),
    )
    op.create_table(
        "daily_results",
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("points", sa.Float, nullable=False),
        sa.Column("table", sa.Text, nullable=False),
    )
    op.create_index("daily_results_by_player", "daily_results", ["player", "day"])
