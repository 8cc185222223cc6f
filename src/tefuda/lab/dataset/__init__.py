"""Datasets of decisions: what bots saw, could do and did, as Parquet files that any library reads."""
