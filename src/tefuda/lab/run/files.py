"""Writing a run's files so that each is there wholly or not at all, and saying which of them is damaged."""

import os
from io import BytesIO
from pathlib import Path

import polars as pl

from tefuda.engine.errors import TefudaError
from tefuda.engine.whole_file import whole

RESULTS, DECISIONS = "results.parquet", "decisions.parquet"

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
    """Whether a Parquet file can be read."""
    try:
        pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError):
        return False
    return True


def damage(path: Path) -> TefudaError:
    """What to say of a file that cannot be read: it names the file by whose presence the deals count."""
    counts = RESULTS if path.name == DECISIONS else path.name.replace(".decisions.", ".deals.")
    return TefudaError(f"{path}: it is damaged; delete {counts} there, and tefuda lab run plays its deals again")
