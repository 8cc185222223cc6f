"""Numbers in the addresses of pages."""

from typing import Annotated

from pydantic import Field

from tefuda.server.table.request_types import EXACT

From1 = Annotated[int, Field(ge=1, le=EXACT)]
"""The number of a deal or of a session."""

Anywhere = Annotated[int, Field(ge=-EXACT, le=EXACT)]
"""A place among deals or plays; what comes of one before the first or after the last, the page decides."""
