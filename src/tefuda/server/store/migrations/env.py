"""Run by Alembic: migrations go through the connection, and the transaction, of the caller of ``schema.prepare``."""

from alembic import context

from tefuda.server.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
