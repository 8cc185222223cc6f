"""Passkeys, and the challenges that were answered with one."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "8", "7"


def upgrade() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("guest", sa.Text, nullable=False),
        sa.Column("public_key", sa.Text, nullable=False),
        sa.Column("counter", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("face", sa.Text, nullable=False),
    )
    op.create_index("passkeys_by_guest", "passkeys", ["guest"])
    op.create_table(
        "spent_challenges",
        sa.Column("challenge", sa.Text, primary_key=True),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
