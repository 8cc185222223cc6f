"""Drawing in the terminal: paragraphs in any language, and a table from a game's scene, for any number of seats."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.measure import Measurement
from rich.panel import Panel
from rich.style import Style
from rich.table import Table
from rich.text import Text

from tefuda.bots.advice import Advice
from tefuda.engine.description import Description
from tefuda.engine.notation import SUMMARY, is_declaration
from tefuda.engine.scene import Face, Scene, SeatScene
from tefuda.engine.sentence import Sentence
from tefuda.engine.texts import TEXTS, catalogue, signed, unbroken
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.reasons import say_line
from tefuda.table.record import Record
from tefuda.table.view_text import declaration_meaning

# Where the others sit, from the right hand round to the left, as (row, column) of a grid; the viewer is at the bottom.
_PLACES = {
    1: [(0, 1)],
    2: [(0, 2), (0, 0)],
    3: [(1, 2), (0, 1), (1, 0)],
    4: [(1, 2), (0, 2), (0, 0), (1, 0)],
    5: [(1, 2), (0, 2), (0, 1), (0, 0), (1, 0)],
}

MARK = "°"  # stands after a card of the hand that the game marks
_SHORT = 3  # cards of a group that need no row of their own


class Prose:
    """Text that fills its lines, broken where its language breaks them; Rich breaks at blanks only.

    Line ends in it are kept, and brackets in a plain string are no markup."""

    def __init__(self, text: Text | str, style: str = "") -> None:
        self._text = text if isinstance(text, Text) else Text(text, style)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        for paragraph in self._text.split(allow_blank=True):
            for line in paragraph.divide(_breaks(paragraph.plain, options.max_width)):
                line.rstrip()
                line.overflow = "fold"  # what is longer than a line, and has no place to break
                yield line

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        parts = unbroken(self._text.plain), self._text.plain.splitlines()
        return Measurement(*(max(map(cell_len, each), default=0) for each in parts))


def _breaks(text: str, width: int) -> Iterator[int]:
    """Find where lines of this many columns begin, but for the first."""
    column = offset = 0
    for piece in unbroken(text):
        if column and not piece.isspace() and column + cell_len(piece) > width:
            yield offset
            column = 0
        column += cell_len(piece)
        offset += len(piece)


def cards_in(play: str) -> list[str]:
    """List the cards that a play takes from the hand."""
    cards = play.rpartition(":")[2].removeprefix("~").split("+")
    return [card.partition("=")[0] for card in cards]  # a wild is written with what it stands for


class Artist:
    """Draws deals of one game in one language; ``names`` are those of the seats, by number."""

    def __init__(self, game: Description, language: str, names: Sequence[str], console: Console) -> None:
        self.game, self.names, self.console = game, names, console
        self.language = language
        self.words = catalogue(TEXTS, language)
        self.game_words = catalogue(game.files.texts, language)
        self._faces = {word: face.written(language) for word, face in game.display.faces.items()}
        # Bare numbers cannot be told from other numbers in a sentence: cards that are written so need their sign there.
        self._in_text = {face.text if word.isdecimal() else word: word for word, face in game.display.faces.items()}
        some = "|".join(map(re.escape, sorted(self._in_text, key=len, reverse=True))) or r"(?!)"
        self._card = re.compile(rf"(?<![A-Za-z0-9#:+])({some})(?![A-Za-z0-9])")

    @classmethod
    def seated(cls, game: Game, language: str, player: int | None, console: Console | None = None) -> "Artist":
        """Make one for the terminal of a player among bots; None for bots alone."""
        words = catalogue(TEXTS, language)
        names = [words("you") if seat == player else words("bot", number=seat) for seat in range(game.seats)]
        return cls(game.description, language, names, console or Console(highlight=False))

    @classmethod
    def of_record(cls, saved: Record, language: str) -> "Artist":
        """Make one for the deals of a record: seats by number, with the player if the record says so."""
        names = [catalogue(TEXTS, language)("seat", number=number) for number in range(saved.seats)]
        named = [f"{name} ({player})" for name, player in zip(names, saved.players, strict=False)]
        return cls(saved.load_game().description, language, named or names, Console(highlight=False))

    def card(self, word: str) -> Text:
        """Draw one card, its suit by symbol, letter and colour."""
        face = self._faces.get(word, Face(word, ""))  # cards that lie face down have a word and no face
        return Text(face.text, style=f"bold {face.colour}".strip())

    def cards(self, words: Sequence[str]) -> Text:
        """Draw cards; copies of one card that stand together once, with their number."""
        runs = [(word, len(list(copies))) for word, copies in groupby(words)]
        return Text(" ").join(self.card(word) + Text(f"×{copies}" if copies > 1 else "") for word, copies in runs)

    def paint(self, text: str, style: str = "") -> Text:
        """Draw the cards in a sentence."""
        painted, end = Text(style=style), 0
        for found in self._card.finditer(text):
            painted.append(text[end : found.start()])
            painted.append_text(self.card(self._in_text[found[0]]))
            end = found.end()
        painted.append(text[end:])
        return painted

    def say(self, text: str, style: str = "") -> None:
        """Print a sentence."""
        self.console.print(Prose(self.paint(text, style)))

    def note(self, text: str, style: str = "dim") -> None:
        """Print something about the program rather than the deal: plays are shown as they are typed."""
        self.console.print(Prose(text, style))

    def line(self, text: str) -> None:
        """Print a note that holds a path or a command, without breaking it: it can be copied."""
        self.console.print(Text(text, "dim"), soft_wrap=True)

    def tell(self, line: Sentence) -> None:
        """Print a line about the deal."""
        self.say(self.said(line))

    def said(self, line: Sentence) -> str:
        """Write a line about the deal."""
        return say_line(self.game, line, self.language, self.names)

    def named(self, play: str) -> str:
        """Name a play as it is typed; a declaration with what it does."""
        meaning = declaration_meaning(self.game_words, play) if is_declaration(play) else ""
        return self.words("play.declaration", play=play, meaning=meaning) if meaning else play

    def moment(self, scene: Scene) -> str:
        """Name the moment: the trick in progress, or else the phase."""
        if scene.number:
            return self.words("play.trick", number=scene.number, tricks=scene.tricks)
        return self.game_words(scene.phase)

    def table(self, scene: Scene, viewer: int, mover: int, title: str, *, rows: bool = False) -> Panel:
        """Draw the players round the table as seen from ``viewer``, with what each has played to the trick.

        With ``rows`` each player has a row: that takes fewer lines."""
        others = [(viewer + k) % len(scene.seats) for k in range(1, len(scene.seats))]
        if rows or len(others) > max(_PLACES):
            body: RenderableType = self._rows(scene, [*others, viewer], mover)
        else:
            grid = Table.grid(expand=True, padding=(0, 1))
            cells: list[list[RenderableType]] = [[Text()] * 3 for _ in range(3)]
            from_right = others[::-1] if scene.clockwise else others
            for seat, (row, column) in zip(from_right, _PLACES[len(others)], strict=True):
                cells[row][column] = Group(*self._seat(scene, seat, mover))
            cells[1][1] = Group(*self._middle(scene))
            cells[2][1] = Group(*self._seat(scene, viewer, mover))
            for _ in range(3):
                grid.add_column(justify="center", ratio=1)
            for line in cells:
                grid.add_row(*line)
            body = grid
        return Panel(body, title=title, title_align="left", border_style="dim")

    def _rows(self, scene: Scene, seats: Sequence[int], mover: int) -> RenderableType:
        """Draw a row for each player, below what lies in the middle."""
        grid = Table.grid(padding=(0, 2))
        for seat in seats:
            name, facts, *rest, played = self._seat(scene, seat, mover)
            grid.add_row(name, facts, played, Text("  ").join(rest))
        return Group(*self._middle(scene), grid)

    def _middle(self, scene: Scene) -> list[Text]:
        return [self.paint(self.said(Sentence(code, fields))) for code, fields in scene.middle]

    def _seat(self, scene: Scene, seat: int, mover: int) -> list[Text]:
        """Draw one player's place, line by line."""
        place = scene.seats[seat]
        name = Text(("▶ " if seat == mover else "") + self.names[seat] + self._side(scene, place), style="bold")
        facts = self.words("play.held", count=place.held)
        if place.total:
            facts += " · " + self.words("play.total", points=signed(place.total, self.game.rules.unit))
        lines = [name, Text(facts, style="dim")]
        if place.notes:
            lines.append(Text(" · ".join(self.said(Sentence(code, fields)) for code, fields in place.notes)))
        lines += [Text(f"{self.game_words(pile.label)} ") + self.cards(pile.cards) for pile in place.piles]
        played = place.played.split("+") if place.played else []
        lines.append(Text(" ").join([Text("["), self.cards(played), Text("]")]) if played else Text("·", "dim"))
        return lines

    def _side(self, scene: Scene, place: SeatScene) -> str:
        sides = [seat.side for seat in scene.seats]
        alone = len(set(sides)) == len(sides)
        return "" if alone else f" ({self.words('play.team', letter='AB'[place.side])})"

    def hand(self, scene: Scene, plays: Iterable[str], chosen: Sequence[str] = (), click: str = "") -> Table:
        """Draw the viewer's hand, a row a suit, and mark the cards that one of the legal plays takes.

        Cards that are ``chosen`` stand out; where Textual shows the hand, a click on a card calls the action ``click``
        with its word."""
        plays = list(plays)
        every = any(map(SUMMARY.fullmatch, plays))
        playable = {card for play in plays for card in cards_in(play)}
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for group in scene.hand:
            row = Text()
            for word, copies in groupby(group.cards):
                face, count = self._faces[word], len(list(copies))
                legal = every or word in playable
                row.append("▸" if legal else " ", "bold")
                shown = word + face.name + (f"×{count}" if count > 1 else "")
                style = Style.parse(f"bold {face.colour}" if legal else "dim") + Style(reverse=word in chosen)
                row.append(shown, style + Style(meta={"@click": f"{click}({word!r})"} if click else None))
                row.append(MARK + " " if word in group.marked else " ")
            grid.add_row(Text(self.game_words(group.label), self._faces[group.cards[0]].colour), row)
        if scene.mark and any(group.marked for group in scene.hand):
            grid.add_row(Text(), Text(f"{MARK} {self.game_words(scene.mark)}", "dim"))
        return grid

    def reference(self, scene: Scene) -> RenderableType:
        """Draw what the game puts beside the hand, such as ranks; short groups share rows."""
        rows, short = Table.grid(padding=(0, 2)), []
        for group in scene.reference:
            label, cards = Text(self.game_words(group.label), "dim"), self.cards(group.cards)
            if len(group.cards) > _SHORT:
                rows.add_row(label, cards)
            else:
                short.append(label + Text(" ") + cards)
        return Group(rows, Columns(short, padding=(0, 3)))

    def sheet(self, deal: Deal, number: int, totals: Sequence[int]) -> Group:
        """Draw the score sheet of a finished deal: how it was decided, points, totals, and how each arose."""
        decided = self.game.display.outcome
        table = Table(title=self.words("sheet.title", number=number), title_justify="left", show_lines=True)
        table.add_column(self.words("sheet.player"))
        table.add_column(self.words("sheet.deal"), justify="right")
        table.add_column(self.words("sheet.total"), justify="right")
        table.add_column(self.words("sheet.how"), ratio=1)
        for seat, points in enumerate(deal.payoff()):
            lines = [self.paint(self.said(line)) for line in self.game.display.sheet(deal.state, seat)]
            how = Prose(Text("\n").join(lines))
            deal_and_total = (signed(amount, self.game.rules.unit) for amount in (points, totals[seat]))
            table.add_row(self.names[seat], *deal_and_total, how)
        outcome = [Prose(self.paint(self.said(decided(deal.state))))] if decided else []
        return Group(*outcome, table)

    def advise(self, deal: Deal, verdict: Advice) -> None:
        """Print what to play and why."""
        self.say(verdict.sentence(deal, self.language, self.names, self.named))

    def figures(self, deal: Deal, verdict: Advice) -> None:
        """Print what the judges found of each play."""
        for sentence in verdict.figures(deal, self.language, self.names, self.named):
            self.say(sentence)
        if not verdict.plays:
            return
        table = Table(box=None, padding=(0, 2, 0, 2))
        table.add_column(self.words("hint.idea_play"))
        for heading in ("hint.idea_worth", "hint.idea_error"):
            table.add_column(self.words(heading), justify="right")
        for each in verdict.plays:
            table.add_row(each.play, _figure(each.worth), f"± {each.error:.1f}")
        self.console.print(table)


def _figure(mean: float) -> str:
    """Write a number with its sign and a real minus; what rounds to nothing has no sign."""
    text = f"{mean:+.1f}".replace("-", "−")
    return text if text.strip("+−0.") else "0.0"
