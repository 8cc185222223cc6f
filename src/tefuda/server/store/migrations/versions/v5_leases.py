"""Processes that share the database, and which of them drives which table."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "5", "4"


def upgrade() -> None:
    op.create_table(
        "processes",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("family", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("beat", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("table", sa.Text, primary_key=True),
        sa.Column("process", sa.Text, sa.ForeignKey("processes.id", ondelete="CASCADE"), nullable=False),
    )
    op.create_index("leases_by_process", "leases", ["process"])
