"""The full-screen table: the places, the last trick, the log, the hand to click, a line for plays, and keys."""

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from typing import Any, ClassVar

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.style import Style
from rich.text import Text
from textual import events, on, work
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.suggester import SuggestFromList
from textual.widgets import Footer, Input, Label, Static

from tefuda.bots.advice import Advice
from tefuda.cli.decision import COMMANDS
from tefuda.cli.draw import Prose, cards_in
from tefuda.cli.full_screen.reader import Reader, WidgetConsole
from tefuda.cli.game_in_progress import YOU, GameInProgress
from tefuda.cli.printed_rules import RulesPage
from tefuda.cli.standard_streams import INTERRUPTED
from tefuda.cli.table_talk import Left, TableTalk, TellingPace
from tefuda.engine.errors import TefudaError
from tefuda.engine.notation import SUMMARY, is_declaration, plain
from tefuda.engine.sentence import Sentence
from tefuda.table.deal import Deal
from tefuda.table.example_deal import full_rulebook

WIDE, ROUND = 100, 36  # columns from which the log lies beside the table, lines from which the table is round

KEYS = {
    "f1": ("play('help')", "full_screen.help"),
    "f10": ("leave", "full_screen.leave"),
    "f2": ("play('hint')", "page.table.panel_hint"),
    "f3": ("why", "full_screen.why"),
    "f4": ("play('undo')", "full_screen.undo"),
    "f5": ("rules", "page.table.panel_rules"),
    "f6": ("sheets", "page.table.panel_score"),
    "f7": ("log", "page.table.panel_log"),
    "f8": ("play('last')", "page.table.panel_last"),
}
"""What each key does, and the text that says so at the bottom of the screen."""


def plays_with(legal: Sequence[str], cards: Sequence[str]) -> list[str]:
    """List the legal plays that take all these cards of the hand."""
    thrown = {play for play in legal if SUMMARY.fullmatch(play) and int(play[1:]) >= len(cards)}
    return [play for play in legal if play in thrown or Counter(cards) <= Counter(cards_in(play))]


class PlayLine(Input):
    """A line on which plays and questions are typed: Tab completes, the arrows up and down bring back earlier ones."""

    BINDINGS: ClassVar = [
        Binding("tab", "cursor_right", show=False),
        Binding("up", "older(1)", show=False),
        Binding("down", "older(-1)", show=False),
    ]

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._typed: list[str] = []
        self._back = 0
        self.listens = False

    def on_key(self, event: events.Key) -> None:
        """Leave keys to the table while nothing may be typed."""
        if not self.listens:
            event.prevent_default()

    def take(self) -> str:
        """Return what stands there, remember it, and clear the line."""
        text, self._back = plain(self.value), 0
        self._typed += [text] if text and self._typed[-1:] != [text] else []
        self.value = ""
        return text

    def write(self, text: str) -> None:
        """Put a text there, ready to be added to."""
        self.value = text
        self.cursor_position = len(text)

    def action_older(self, steps: int) -> None:
        """Go so many lines back."""
        self._back = min(max(self._back + steps, 0), len(self._typed))
        self.write(self._typed[-self._back] if self._back else "")


class FullScreenTable(App[int | TefudaError]):
    """A table for one player; the app returns an exit status, or the error that has ended it."""

    CSS_PATH = "full_screen.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 - as Textual declares it
    BINDINGS: ClassVar = [
        Binding("ctrl+c", f"leave({INTERRUPTED})", show=False, priority=True),
    ]

    def __init__(self, current: GameInProgress, language: str, pace: TellingPace) -> None:
        super().__init__()
        self.current, self.title, self._told = current, current.session.game.name, list[RenderableType]()
        self._printer = WidgetConsole(self.add_line)
        self.talk = TableTalk(current, language, pace, self._printer)
        self.artist, self.prompt, self.words = self.talk.artist, self.talk.prompt, self.talk.words
        self._decided: asyncio.Future[list[Sentence]] | None = None  # while the player is to choose
        self._key = asyncio.Queue[str]()  # pressed while the others play
        for key, (action, text) in KEYS.items():
            self.bind(key, action, description=self.words(text))

    def compose(self) -> ComposeResult:
        """Lay out the screen."""
        with Container(id="middle"):
            with Vertical(id="seen"):
                yield Static(id="scene")
                yield Static(id="last")
            yield VerticalScroll(id="log", can_focus=False)
        yield Static(id="hand")
        with VerticalScroll(id="plays", can_focus=False):
            yield Static(id="listed")
        with Horizontal(id="ask"):
            yield Label(id="prompt")
            yield PlayLine()
        yield Footer()

    def on_mount(self) -> None:
        """Say what is played, and begin."""
        self._line = self.query_one(PlayLine)
        self._line.focus()
        self.query_one(Footer).compact = True
        self.query_one("#hand").auto_links = False  # cards keep their own colours
        self.talk.welcome()
        self.talk.tutor.search.start()
        self.play_deals()

    def on_unmount(self) -> None:
        """Close the record, and compile no more."""
        self.current.close()
        self.talk.tutor.search.stop()

    def add_line(self, part: RenderableType) -> None:
        """Add to the log."""
        self._told.append(part)
        log = self.query_one("#log")
        log.mount(Static(part))
        log.scroll_end(animate=False)

    # The game goes on

    @work
    async def play_deals(self) -> None:
        """Play to the end of the game, or until an error ends it."""
        session = self.current.session
        try:
            while not session.over:
                self.current.present_deal()
                self._printer.rule(self.words("play.deal", number=len(session.deals)))
                while not session.deal.over:
                    await self._tell(await self._next_play(session.deal))
                self.redraw()
                self.talk.score_sheet(session.deal, len(session.deals))
                await self.push_screen_wait(self._sheets("close" if session.over else "next"))
        except TefudaError as error:
            self.exit(error)
        else:
            self.exit(0)

    async def _next_play(self, deal: Deal) -> list[Sentence]:
        """Let the mover play, and return what is told of it."""
        if not self.current.awaits_player:
            before = deal.view(YOU)
            deal.play(await asyncio.to_thread(self.current.others_play))
            return self.current.told(before)
        self._decided = asyncio.get_running_loop().create_future()
        self._listen()
        lines = await self._decided
        self._decided = None
        self._listen()
        return lines

    def _listen(self) -> None:
        """Let the player type where they are to choose."""
        line, asked = self._line, self._decided is not None
        line.listens = asked
        line.placeholder = self.words(f"full_screen.{'type' if asked else 'others'}")
        line.suggester = SuggestFromList([*self.current.session.deal.legal(), *COMMANDS], case_sensitive=False)
        self.query_one("#prompt", Label).update(f"{self.words('play.your_turn')} › " if asked else "… ")
        self.redraw()

    async def _tell(self, lines: Sequence[Sentence]) -> None:
        """Tell lines, and let each stand for a while; any key goes on at once, the space bar pauses."""
        for line in lines:
            self.artist.tell(line)
            self.redraw()
            seconds, self._key = self.talk.pace.seconds, asyncio.Queue()
            with suppress(TimeoutError):
                if seconds != 0 and await asyncio.wait_for(self._key.get(), seconds) == "space" and seconds:
                    self.artist.note(self.words("play.paused"))
                    await self._key.get()

    def on_key(self, event: events.Key) -> None:
        """Go on where a play is told."""
        self._key.put_nowait(event.key)

    # What is seen

    def on_resize(self) -> None:
        """Draw the table anew, as it fits."""
        if self.current.session.deals:
            self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        """Draw the table, the last trick, the hand and the plays."""
        self.draw_hand()
        deal, last = self.current.session.deal, self.current.last_trick
        scene, number = deal.view(YOU).scene, self.words("play.deal", number=len(self.current.session.deals))
        title = " · ".join((self.talk.title(), number, self.artist.moment(scene)))
        drawn = self.artist.table(scene, YOU, deal.mover, title, rows=self.size.height < ROUND)
        self.query_one("#scene", Static).update(drawn)
        said = [Prose(self.artist.paint(self.artist.said(last)))] if last else []
        ranks = [Text(), self.artist.reference(scene)] if self.size.width >= WIDE else []
        self.query_one("#last", Static).update(Group(*said, *ranks))

    @on(Input.Changed)
    def draw_hand(self) -> None:
        """Draw the hand with what is chosen, and plays to click: those that take it, else those with a number."""
        deal, chosen, asked = self.current.session.deal, self._chosen(), self._decided is not None
        scene = deal.view(YOU).scene
        hand = self.artist.hand(scene, self.prompt.playable(deal, scene) if asked else [], chosen, "app.card")
        self.query_one("#hand", Static).update(hand)
        self.query_one("#listed", Static).update(self._listed(deal, chosen) if asked else "")

    def _listed(self, deal: Deal, chosen: Sequence[str]) -> RenderableType:
        numbers = {play: f"{number} " for number, play in self.prompt.numbered(deal).items()}
        links = []
        for play in plays_with(deal.legal(), chosen) if chosen else numbers:
            text = f"[{numbers.get(play, '')}{self.prompt.described(play)}]"
            links += [] if SUMMARY.fullmatch(play) else [Text(text, Style(meta={"@click": f"app.play({play!r})"}))]
        return Group(*self.prompt.throws(deal), *([Columns(links, padding=(0, 2))] if links else []))

    # What the player does

    def _chosen(self) -> list[str]:
        """List the cards of the hand that stand on the line."""
        deal, typed = self.current.session.deal, plain(self._line.value)
        cards = cards_in(self.prompt.word(deal, typed)) if typed and self._decided else []
        return cards if Counter(cards) <= Counter(deal.view(YOU).hand()) else []

    def action_card(self, card: str) -> None:
        """Add a card to the play on the line, or take it off; one that can only be played alone is played."""
        if not self._decided:
            return
        deal, chosen = self.current.session.deal, self._chosen()
        if chosen.count(card) == deal.view(YOU).hand().count(card):
            wanted = [each for each in chosen if each != card]
        else:
            wanted = [*chosen, card] if plays_with(deal.legal(), [*chosen, card]) else [card]
        fits = plays_with(deal.legal(), wanted)
        exact = [play for play in fits if Counter(cards_in(play)) == Counter(wanted)]
        if wanted == [card] and (not fits or (fits == exact[:1] and not is_declaration(fits[0]))):
            self.action_play(fits[0] if fits else card)
            return
        thrown = "~" if wanted and not exact and any(map(SUMMARY.fullmatch, fits)) else ""
        self._line.write(exact[0] if len(exact) == 1 else thrown + "+".join(wanted))

    def action_play(self, play: str) -> None:
        """Make a play, or answer a question."""
        self._line.value = play
        self.take_line()

    @on(Input.Submitted)
    def take_line(self) -> None:
        """Make the play that stands on the line, or answer the question."""
        deal, answer = self.current.session.deal, self._line.take()
        if not (answer and self._decided):
            return
        self._printer.print(Text(f"› {answer}", "bold"))
        try:
            if COMMANDS.get(answer.lower()) == "hint" and answer not in deal.legal():
                self._hint(deal)
            elif self.talk.command(deal, answer):
                if self.current.session.deal is not deal:  # it was taken back
                    self._decided.set_result([])
            elif (lines := self.talk.play(deal, answer)) is not None:
                self._decided.set_result(lines)
        except Left:
            self.exit(0)
        except TefudaError as error:
            self.exit(error)

    def _hint(self, deal: Deal) -> None:
        """Say at once what the heuristics advise; a thread that nobody waits for looks ahead."""
        tutor, usual = self.talk.tutor, self.talk.tutor.usual(deal)

        def refine(found: Advice) -> None:
            if usual and self.current.session.deal.history == moment.history:  # the player has not played meanwhile
                tutor.refine(deal, usual, found)

        def look_ahead() -> None:
            with suppress(RuntimeError):  # the table has been left
                self.call_from_thread(refine, tutor.look_ahead(moment))

        if usual:
            moment = deal.copy()
            self.artist.note(self.words("play.thinking" if tutor.search.is_ready(0) else "play.search_compiling"))
            Thread(target=look_ahead, daemon=True).start()

    def action_why(self) -> None:
        """Say why what stands on the line may not be played."""
        if self._decided and self._line.value.strip():
            self.action_play(f"? {self._line.value}")
        else:
            self.artist.note(self.words("full_screen.why_what"))

    def action_rules(self) -> None:
        """Show the rules."""
        game, language, rules = self.talk.game.description, self.talk.language, list[RenderableType]()
        RulesPage(game, full_rulebook(game, language), language, False, WidgetConsole(rules.append)).print_all([])
        self.push_screen(Reader(rules, self.words("full_screen.close")))

    def _sheets(self, closing: str = "close") -> Reader:
        """Print the totals, and the sheets of the deals that are over, the latest first."""
        parts, deals = list[RenderableType](), self.current.session.deals
        talk = TableTalk(self.current, self.talk.language, self.talk.pace, WidgetConsole(parts.append))
        for number in range(len(deals), 0, -1):
            if deals[number - 1].over:
                talk.score_sheet(deals[number - 1], number)
        talk.scores()
        return Reader(parts, self.words(f"full_screen.{closing}"))

    def action_sheets(self) -> None:
        """Show the score sheets."""
        self.push_screen(self._sheets())

    def action_log(self) -> None:
        """Show the whole log, the latest first."""
        self.push_screen(Reader(self._told[::-1], self.words("full_screen.close")))

    def action_leave(self, status: int = 0) -> None:
        """Leave the table; all that was played is in the record."""
        self.exit(status)


def play_full_screen(current: GameInProgress, language: str, pace: TellingPace) -> None:
    """Show a table until it is left, then say where the game is kept; TefudaError if something has ended it."""
    table = FullScreenTable(current, language, pace)
    ended = table.run()
    TableTalk(current, language, pace).tell_saved()
    if isinstance(ended, TefudaError):
        raise ended
    if status := ended or table.return_code:
        sys.exit(status)
