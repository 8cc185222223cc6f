"""Logs as lines of JSON, with the table and seq, or the request, that they are about. Nothing secret is ever logged.

A formatter of our own: those of packages write every extra field of a record, and only ``FIELDS`` may be written."""

import json
import logging
import sys
import time
from collections import Counter
from datetime import UTC, datetime

FIELDS = ("table", "seq", "game", "action", "subject", "method", "path", "status", "ms", "untold")
"""The extra fields of records that are logged."""


TOLD_AGAIN = 60.0  # seconds after which the log tells the same again: what clients bring about must not fill the disk

log = logging.getLogger("tefuda.server")

_told: dict[str, float] = {}  # when something was last told
_untold = Counter[str]()  # how often it has happened since


def tell_seldom(what: str, level: int, message: str, error: Exception | None = None, **fields: object) -> None:
    """Log something unless the log has just told of ``what``; ``untold`` says how often it happened between."""
    now = time.monotonic()
    if now - _told.get(what, -TOLD_AGAIN) < TOLD_AGAIN:
        _untold[what] += 1
        return
    _told[what] = now
    log.log(level, message, exc_info=error, extra={**fields, "untold": _untold.pop(what, 0)})


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
