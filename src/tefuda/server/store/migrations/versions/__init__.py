"""A file a version of the database."""
