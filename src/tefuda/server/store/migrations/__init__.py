"""Alembic's scripts, which lead a database from each version to the next (``store/schema`` runs them).

To change the schema, change the tables in ``store/schema``, add a file to ``versions`` and raise ``schema.VERSION``.
The script of a version that only adds tables, columns and indexes calls ``schema.add_missing``: the baseline may have
added them already. A file that was released is never changed; a later baseline may take the place of several."""
