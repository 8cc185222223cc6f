"""Files of runs, reports and datasets, each there wholly or not at all."""

import os
from io import BytesIO
from pathlib import Path

import polars as pl

from tefuda.engine.whole_file import whole

ROW_GROUP = 1 << 17
"""Rows of a group of a Parquet file."""


def write_table(table: pl.LazyFrame | pl.DataFrame, path: Path, metadata: dict[str, str] | None = None) -> None:
    """Write a Parquet file; its bytes depend on the rows and the metadata alone."""
    with whole(path) as unfinished:
        table.lazy().sink_parquet(unfinished, compression="zstd", row_group_size=ROW_GROUP, metadata=metadata)
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())  # else a power cut could leave the new name without the content


def parquet_bytes(table: pl.DataFrame) -> bytes:
    """A table as a Parquet file; its bytes depend on the rows alone."""
    file = BytesIO()
    table.write_parquet(file, compression="zstd", row_group_size=ROW_GROUP)
    return file.getvalue()


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file."""
    with whole(path) as unfinished, unfinished.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def is_readable(path: Path) -> bool:
    """True if a Parquet file can be read."""
    try:
        pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError):
        return False
    return True
