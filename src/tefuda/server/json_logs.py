"""Logs as lines of JSON, with the table and seq, or the request, that they are about. Nothing secret is ever logged.

A formatter of our own: those of packages write every extra field of a record, and only ``FIELDS`` may be written."""

import json
import logging
import sys
from datetime import UTC, datetime

FIELDS = ("table", "seq", "game", "action", "subject", "method", "path", "status", "ms", "untold")
"""The extra fields of records that are logged."""


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"at": at, "level": record.levelname.lower(), "logger": record.name, "message": record.getMessage()}
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up(level: str) -> None:
    """Log to standard error from this level on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("tefuda", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level.upper())
    # Below warnings uvicorn logs addresses, and the headers of sockets, where tokens and cookies stand.
    uvicorn = logging.getLogger("uvicorn")
    uvicorn.setLevel(max(uvicorn.level, logging.WARNING))
