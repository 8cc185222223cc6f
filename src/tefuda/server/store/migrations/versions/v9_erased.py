"""Who has been erased."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "9", "8"


def upgrade() -> None:
    op.create_table(
        "erased",
        sa.Column("mark", sa.Text, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
