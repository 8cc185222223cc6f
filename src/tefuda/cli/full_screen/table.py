"""A course on the full screen: the places, the last trick, the log, the hand to click, a line for plays, and keys."""

import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from threading import Thread
from typing import Any, ClassVar

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.style import Style
from rich.text import Text
from textual import events, on, work
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.suggester import SuggestFromList
from textual.widgets import Footer, Input, Label, Static

from tefuda.bots.advice import Advice
from tefuda.cli.course import Course, Left, Moment
from tefuda.cli.decision import COMMANDS
from tefuda.cli.draw import Prose, cards_in
from tefuda.cli.full_screen.screens import Reader, WidgetConsole
from tefuda.cli.game_in_progress import GameInProgress
from tefuda.cli.printed_rules import RulesPage
from tefuda.cli.standard_streams import INTERRUPTED
from tefuda.cli.table_talk import TableTalk, TellingPace
from tefuda.engine.errors import TefudaError
from tefuda.engine.notation import SUMMARY, is_declaration, plain
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.table.deal import Deal
from tefuda.table.example_deal import full_rulebook

WIDE, ROUND = 100, 36  # columns from which the log lies beside the table, lines from which the table is round

KEYS = {
    "f1": ("play('help')", "full_screen.help"),
    "f10": ("leave", "full_screen.leave"),
    "f2": ("play('hint')", "page.tour.do"),
    "f3": ("why", "full_screen.why"),
    "f4": ("play('undo')", "page.tour.back"),
    "f5": ("rules", "page.table.panel_rules"),
    "f7": ("log", "page.table.panel_log"),
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
        self._typed, self._back, self.listens = list[str](), 0, False

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


class TableApp(App[int | TefudaError]):
    """A table as one player sees it; the app returns nothing at the end, else an exit status or the error."""

    CSS_PATH = "full_screen.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 - as Textual declares it
    BINDINGS: ClassVar = [Binding("ctrl+c", f"leave({INTERRUPTED})", show=False, priority=True)]
    keys: ClassVar = KEYS
    moment: Moment | None = None

    def __init__(self, begin: Callable[[Console], Course], language: str) -> None:
        super().__init__()
        self.language, self.words = language, catalogue(TEXTS, language)
        self.printer, self._told = WidgetConsole(self.add_line), list[RenderableType]()
        self._begin = begin
        self._asked: asyncio.Future[str] | None = None  # while the player is asked
        self._key = asyncio.Queue[str]()  # pressed while the others play
        for key, (action, text) in sorted(self.keys.items()):
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
        """Begin."""
        self._line = self.query_one(PlayLine)
        self._line.focus()
        self.query_one(Footer).compact = True
        self.query_one("#hand").auto_links = False  # cards keep their own colours
        self._course = self._begin(self.printer)
        self.go_on()

    def show(self) -> bool:
        """Show the table until it is left, and tell if that was at the end; TefudaError if something has ended it."""
        ended = self.run()
        if isinstance(ended, TefudaError):
            raise ended
        if status := ended or self.return_code:
            sys.exit(status)
        return ended is None

    def add_line(self, part: RenderableType) -> None:
        """Add to the log."""
        self._told.append(part)
        log = self.query_one("#log")
        log.mount(Static(part))
        log.scroll_end(animate=False)

    # The course goes on

    @work
    async def go_on(self) -> None:
        """Go through the course, until the player leaves or an error ends it."""
        answer: Any = None
        try:
            while True:
                step = self._course.send(answer)
                answer = await (self.meet(step) if isinstance(step, Moment) else asyncio.to_thread(step))
        except StopIteration:
            await self.end()
            self.exit()
        except Left:
            self.exit(0)
        except TefudaError as error:
            self.exit(error)

    async def meet(self, moment: Moment) -> str:
        """Show a moment; return what is answered, or nothing after a while: a key ends that, the space bar pauses."""
        self.moment, self._key, seconds = moment, asyncio.Queue(), moment.seconds
        if moment.question:
            return await self.ask(moment.question)
        self.redraw()
        with suppress(TimeoutError):
            if seconds != 0 and await asyncio.wait_for(self._key.get(), seconds) == "space" and seconds:
                moment.prompt.artist.note(self.words("play.paused"))
                await self._key.get()
        return ""

    async def ask(self, question: str) -> str:
        """Let the player answer a question."""
        self._asked = asyncio.get_running_loop().create_future()
        self._listen(f"{question} › ")
        answer = await self._asked
        self._asked = None
        self._listen("… ")
        return answer

    async def end(self) -> None:
        """Let the player read what was told last."""
        if self.moment is None or self.moment.for_play:
            self.moment = self.moment and replace(self.moment, for_play=False)
            await self.ask(self.words("full_screen.back"))

    def _listen(self, prompt: str) -> None:
        """Let the player type where they are asked."""
        line, line.listens = self._line, self._asked is not None
        legal = self.moment.deal.legal() if self.moment and self.moment.for_play else []
        line.placeholder = self.words(f"full_screen.{'type' if legal else 'others'}") * bool(legal or not line.listens)
        line.suggester = SuggestFromList([*legal, *COMMANDS], case_sensitive=False)
        click = None if legal or not line.listens else {"@click": "app.play('')"}
        self.query_one("#prompt", Label).update(Text(prompt, Style(meta=click)))
        self.redraw()

    def on_key(self, event: events.Key) -> None:
        """Go on where a play is told."""
        self._key.put_nowait(event.key)

    # What is seen

    def on_resize(self) -> None:
        """Draw the table anew, as it fits."""
        self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        """Draw the table, the last trick, the hand and the plays."""
        if (moment := self.moment) is None:
            return
        self.draw_hand()
        artist, last, scene = moment.prompt.artist, moment.last_trick, moment.deal.view(moment.seat).scene
        title = f"{moment.title} · {artist.moment(scene)}"
        drawn = artist.table(scene, moment.seat, moment.deal.mover, title, rows=self.size.height < ROUND)
        self.query_one("#scene", Static).update(drawn)
        said = [Prose(artist.paint(artist.said(last)))] if last else []
        ranks = [Text(), artist.reference(scene)] if self.size.width >= WIDE else []
        self.query_one("#last", Static).update(Group(*said, *ranks))

    @on(Input.Changed)
    def draw_hand(self) -> None:
        """Draw the hand with what is chosen, and what can be clicked: plays that take it, else those with a number."""
        if (moment := self.moment) is None:
            return
        asked, chosen, scene = self._asked and moment.for_play, self._chosen(), moment.deal.view(moment.seat).scene
        legal = moment.prompt.playable(moment.deal, scene) if asked else []
        hand = moment.prompt.artist.hand(scene, legal, chosen or moment.cards, "app.card")
        self.query_one("#hand", Static).update(hand)
        self.query_one("#listed", Static).update(self._plays(moment, chosen) if asked else "")

    def _plays(self, moment: Moment, chosen: Sequence[str]) -> Group:
        deal, prompt = moment.deal, moment.prompt
        numbers = {play: f"{number} " for number, play in prompt.numbered(deal).items()}
        links = []
        for play in plays_with(deal.legal(), chosen) if chosen else numbers:
            text = f"[{numbers.get(play, '')}{prompt.described(play)}]"
            links += [] if SUMMARY.fullmatch(play) else [Text(text, Style(meta={"@click": f"app.play({play!r})"}))]
        return Group(*prompt.throws(deal), *([Columns(links, padding=(0, 2))] if links else []))

    # What the player does

    def _chosen(self) -> list[str]:
        """List the cards of the hand that stand on the line."""
        moment, typed = self.moment, plain(self._line.value)
        if not (moment and typed and self._asked and moment.for_play):
            return []
        cards = cards_in(moment.prompt.word(moment.deal, typed))
        return cards if Counter(cards) <= Counter(moment.deal.view(moment.seat).hand()) else []

    def action_card(self, card: str) -> None:
        """Add a card to the play on the line, or take it off; one that can only be played alone is played."""
        if not ((moment := self.moment) and self._asked and moment.for_play):
            return
        deal, chosen = moment.deal, self._chosen()
        if chosen.count(card) == deal.view(moment.seat).hand().count(card):
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
        """Answer with what stands on the line."""
        if self._asked:
            text = self._line.take()
            if text:
                self.printer.print(Text(f"› {text}", "bold"))
            self.answer(text)

    def answer(self, text: str) -> None:
        """Take what the player has typed."""
        if self._asked and not self._asked.done():
            self._asked.set_result(text)

    def action_why(self) -> None:
        """Say why what stands on the line may not be played."""
        if self._asked and self._line.value.strip():
            self.action_play(f"? {self._line.value}")
        elif self.moment:
            self.moment.prompt.artist.note(self.words("full_screen.why_what"))

    def action_rules(self) -> None:
        """Show the rules."""
        if self.moment:
            game, language, rules = self.moment.deal.game.description, self.language, list[RenderableType]()
            RulesPage(game, full_rulebook(game, language), language, False, WidgetConsole(rules.append)).print_all([])
            self.push_screen(Reader(rules, self.words("full_screen.close")))

    def action_log(self) -> None:
        """Show the whole log, the latest first."""
        self.push_screen(Reader(self._told[::-1], self.words("full_screen.close")))

    def action_leave(self, status: int = 0) -> None:
        """Leave the table; all that was played is in the record."""
        self.exit(status)


class FullScreenTable(TableApp):
    """A table for one player among bots."""

    keys: ClassVar = KEYS | {
        "f2": ("play('hint')", "page.table.panel_hint"),
        "f4": ("play('undo')", "full_screen.undo"),
        "f6": ("sheets", "page.table.panel_score"),
        "f8": ("play('last')", "page.table.panel_last"),
    }

    def __init__(self, current: GameInProgress, language: str, pace: TellingPace) -> None:
        super().__init__(lambda _: self.talk.play_on(), language)
        self.current, self.title = current, current.session.game.name
        self.talk = TableTalk(current, language, pace, self.printer)

    def on_mount(self) -> None:
        """Say what is played, and compile what hints need."""
        self.talk.welcome()
        self.talk.tutor.search.start()

    def on_unmount(self) -> None:
        """Close the record, and compile no more."""
        self.current.close()
        self.talk.tutor.search.stop()

    async def meet(self, moment: Moment) -> str:
        """Show a moment; between deals the score sheets are read."""
        if not moment.deal.over or not moment.question:
            return await super().meet(moment)
        await self.push_screen_wait(self._sheets("next"))
        return ""

    async def end(self) -> None:
        """Let the score sheets be read."""
        await self.push_screen_wait(self._sheets())

    def answer(self, text: str) -> None:
        """Take what the player has typed; a hint is given at once."""
        deal = self.current.session.deal
        if COMMANDS.get(text.lower()) == "hint" and text not in deal.legal():
            self._hint(deal)
        elif text:
            super().answer(text)

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
            self.talk.artist.note(self.words("play.thinking" if tutor.search.is_ready(0) else "play.search_compiling"))
            Thread(target=look_ahead, daemon=True).start()

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
