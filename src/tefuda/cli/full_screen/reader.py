"""Something to read over the table: rules, score sheets; and the console whose prints become widgets."""

from collections.abc import Callable
from typing import Any, ClassVar

from rich.console import Console, RenderableType
from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static


class WidgetConsole(Console):
    """Hands over what is printed, instead of writing it."""

    def __init__(self, take: Callable[[RenderableType], object]) -> None:
        super().__init__(highlight=False)
        self._take = take

    def print(self, *objects: Any, **settings: Any) -> None:
        """Hand over each object; a string is no markup."""
        for each in objects:
            self._take(Text(each) if isinstance(each, str) else each)


class Reader(ModalScreen[None]):
    """Shows what was printed until it is closed; arrows and the wheel scroll."""

    BINDINGS: ClassVar = [("enter,escape,q", "dismiss"), ("f10,ctrl+c", "app.leave")]

    def __init__(self, parts: list[RenderableType], closing: str) -> None:
        super().__init__()
        self._parts, self._how_to_close = parts, closing

    def compose(self) -> ComposeResult:
        """Put the parts below each other, and how to close them at the bottom."""
        with VerticalScroll(id="page"):
            yield from map(Static, self._parts)
        yield Static(Text(f" {self._how_to_close} ", Style(bold=True, meta={"@click": "screen.dismiss"})), id="closing")

    async def action_dismiss(self, result: None = None) -> None:
        """Go back to the table."""
        self.dismiss(result)
