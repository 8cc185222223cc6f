"""The home screen: a list of what can be played."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding
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
