"""The refusal of an order or of a question."""

from typing import Any

from tefuda.table.reasons import Reason


class Refused(Exception):  # noqa: N818 - an answer, not a fault
    """The server does not do what somebody asked for.

    Args:
        code: of the text under ``server`` in the catalogues.
        status: the HTTP status.
        reason: of the rules, where they forbid a play; its text takes the place of the code's.
        fields: of the text.
    """

    def __init__(self, code: str, status: int = 409, reason: Reason | None = None, **fields: Any) -> None:
        super().__init__(code)
        self.code, self.status, self.reason, self.fields = code, status, reason, fields
