"""Screens beside the table: the home screen, and what is printed meanwhile."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from rich.console import Console, RenderableType
from rich.style import Style
from rich.text import Text
from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from tefuda.engine.texts import TEXTS, catalogue

Choice = Callable[[], None]  #: does what somebody chose
Offer = tuple[str, str, Choice]  #: what it is called, what is said of it


class Home(App[Choice]):
    """A list to choose from by arrows, Enter or the mouse; the app returns the choice, or None."""

    CSS_PATH = "full_screen.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = [Binding("escape,q,ctrl+c", "quit", priority=True, show=False)]

    def __init__(self, language: str, offers: Sequence[Offer]) -> None:
        super().__init__()
        self.title, self._words, self._offers = "Tefuda", catalogue(TEXTS, language), offers
        self.bind("f10", "quit", description=self._words("full_screen.leave"))

    def compose(self) -> ComposeResult:
        """Lay out the list below its question."""
        yield Static(self._words("full_screen.choose"), id="question")
        texts = (Text.assemble((name, "bold"), (about and f"\n{about}", "dim")) for name, about, _ in self._offers)
        yield OptionList(*map(Option, texts), id="home")
        yield Footer()

    @on(OptionList.OptionSelected)
    def choose(self, event: OptionList.OptionSelected) -> None:
        """Leave with the choice."""
        self.exit(self._offers[event.option_index][2])


class WidgetConsole(Console):
    """A console that hands over what is printed, instead of writing it."""

    def __init__(self, take: Callable[[RenderableType], object]) -> None:
        super().__init__(highlight=False)
        self._take = take

    def print(self, *objects: Any, **settings: Any) -> None:
        """Hand over each object; a string is no markup."""
        for each in objects:
            self._take(Text(each) if isinstance(each, str) else each)


class Reader(ModalScreen[None]):
    """Something to read over the table, such as rules, until it is closed; arrows and the wheel scroll."""

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
