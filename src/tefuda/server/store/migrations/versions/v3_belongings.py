"""Which tables are whose."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "3", "2"


def upgrade() -> None:
    op.create_table(
        "belongings", sa.Column("guest", sa.Text, primary_key=True), sa.Column("table", sa.Text, primary_key=True)
    )
