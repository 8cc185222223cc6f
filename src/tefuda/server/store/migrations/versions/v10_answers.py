"""How long people took for their answers."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "10", "9"


def upgrade() -> None:
    op.create_table(
        "answers",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("word", sa.Text, nullable=False),
        sa.Column("player", sa.Text),
        sa.Column("seconds", sa.Float, nullable=False),
    )
    op.create_index("answers_by_player", "answers", ["player"])
