"""``tefuda replay`` and ``review``: a record stepped through play by play, and where it was won and lost."""

import sys
from dataclasses import asdict
from typing import Annotated, NamedTuple

from typer import Option

import tefuda
from tefuda.cli.chosen import language_of, prepare
from tefuda.cli.parameters import AsJson, Commands, Language, RecordFile, later
from tefuda.cli.standard_streams import print_json
from tefuda.engine.errors import TefudaError
from tefuda.engine.notation import is_declaration
from tefuda.engine.texts import TEXTS, Catalogue, catalogue, signed

with later():
    from tefuda.bots import advice
    from tefuda.bots import review as reviewing
    from tefuda.cli import draw, progress

app = Commands()

ALL = -1

MOMENTS = 3  # moments shown with the table as it stood


@app.command(example="replay game.tfd --seat 0")
def replay(
    file: RecordFile,
    seat: Annotated[int, Option(help="Show only what this seat could see; -1 shows all.")] = ALL,
    language: Language = None,
    as_json: AsJson = False,
) -> None:
    """Step through a recorded game."""
    language = language_of(language, printed=not as_json)
    saved = tefuda.Record.read(file)
    if not ALL <= seat < saved.seats:
        raise TefudaError(f"--seat {seat}: seats are 0 to {saved.seats - 1}, or {ALL} for all hands")
    prepare(saved.load_game().description, language)
    if as_json:
        print_json(_data(saved, seat))
        return
    shown = ReplayPage(saved, seat, language)
    if sys.stdin.isatty() and sys.stdout.isatty():
        shown.step_through()
    else:
        shown.print_all()


def _data(saved: "tefuda.Record", seat: int) -> dict[str, object]:
    """Describe each deal as it began, play by play, and how it ended, as far as the seat may know."""
    deals = [_deal_data(deal, seat) for deal in saved.replay().deals]
    head = {"game": saved.game, "rules_version": saved.rules, "seats": saved.seats, "options": saved.options}
    return {**head, "players": saved.players, "deals": deals}


def _deal_data(deal: "tefuda.Deal", seat: int) -> dict[str, object]:
    shown = range(deal.game.seats) if seat == ALL else [seat]
    start = deal.at(0)
    plays = [{"seat": mover, "play": word if _is_shown(seat, mover, word) else None} for mover, word in deal.history]
    return {
        "hands": {each: start.view(each).hand() for each in shown},
        "plays": plays,
        "payoff": list(deal.payoff()) if deal.over else None,
    }


def _is_shown(seat: int, mover: int, word: str) -> bool:
    """Tell if a play may be named to a viewer who sees only what this seat saw."""
    return seat in (ALL, mover) or not is_declaration(word)


class ReplayPoint(NamedTuple):
    """A deal of the session (counted from 0) after some of its plays."""

    deal: int
    plays: int


class ReplayPage:
    """Shows a session from point to point, as seen from a seat; ALL shows every hand."""

    def __init__(self, saved: "tefuda.Record", seat: int, language: str) -> None:
        self.session, self.seat = saved.replay(), seat
        self.artist = draw.Artist.of_record(saved, language)
        self.words = self.artist.words
        lengths = enumerate(len(deal.history) for deal in self.session.deals)
        self.points = [ReplayPoint(number, plays) for number, length in lengths for plays in range(length + 1)]

    def step_through(self) -> None:
        """Go forward and back by key."""
        self._title()
        at = 0
        while at < len(self.points):
            self.artist.console.clear()
            self._show(self.points[at])
            try:
                key = input(self.words("replay.keys") + " › ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                return
            if key == "q":
                return
            at = self._go(at, key)

    def _go(self, at: int, key: str) -> int:
        """Return the index of the point that a key leads to."""
        starts = [index for index, point in enumerate(self.points) if point.plays == 0]
        if key == "b":
            return max(0, at - 1)
        if key == "n":
            return next((start for start in starts if start > at), len(self.points))
        if key == "p":
            return max((start for start in starts if start < at), default=0)
        return at + 1

    def print_all(self) -> None:
        """Print everything from start to end: the hands, the news of each play, the score sheets."""
        self._title()
        for number, deal in enumerate(self.session.deals):
            self._show(ReplayPoint(number, 0))
            for plays in range(1, len(deal.history) + 1):
                self._tell(ReplayPoint(number, plays))
            self._end(ReplayPoint(number, len(deal.history)))

    def _title(self) -> None:
        game_words, deals = self.artist.game_words, self.words("replay.deals", count=len(self.session.deals))
        title = self.words("replay.title", title=game_words("title"), seats=self.session.game.seats, deals=deals)
        self.artist.say(title, "bold")

    def _at(self, point: ReplayPoint) -> "tefuda.Deal":
        """Return the deal as it stood at a point, played again."""
        return self.session.deals[point.deal].at(point.plays)

    def _show(self, point: ReplayPoint) -> None:
        deal = self._at(point)
        if point.plays:
            self._tell(point)
        self.artist.console.rule(self.words("play.deal", number=point.deal + 1))
        shown = max(self.seat, 0)
        scene = deal.view(self.seat).scene
        self.artist.console.print(self.artist.table(scene, shown, deal.mover, self.artist.game_words(scene.phase)))
        for seat in range(self.session.game.seats) if self.seat == ALL else [self.seat]:
            hand = deal.view(seat).scene
            self.artist.say(self.artist.names[seat], "bold")
            self.artist.console.print(self.artist.hand(hand, deal.legal() if seat == deal.mover else []))
        self._end(point)

    def _tell(self, point: ReplayPoint) -> None:
        seat, word = self.session.deals[point.deal].history[point.plays - 1]
        before = self._at(ReplayPoint(point.deal, point.plays - 1)).view(self.seat)
        lines = self._at(point).view(self.seat).told_since(before, seat, word)
        if _is_shown(self.seat, seat, word):
            self.artist.say(self.words("replay.step", number=point.plays, seat=self.artist.names[seat], play=word))
            lines = [line for line in lines if line.code.startswith("events.trick")]
        # A declaration of another seat may not be open yet: what is told of it comes from the views alone.
        for line in lines:
            self.artist.tell(line)

    def _end(self, point: ReplayPoint) -> None:
        deal = self.session.deals[point.deal]
        if point.plays < len(deal.history):
            return
        if deal.over:
            self.artist.console.print(self.artist.sheet(deal, point.deal + 1, deal.facts()["totals"]))
        else:
            self.artist.say(self.words("replay.unfinished"), "yellow")


@app.command(example="review game.tfd --lang ja")
def review(
    file: RecordFile,
    seat: Annotated[int, Option(min=0, help="The seat whose decisions are judged.")] = 0,
    deal: Annotated[int | None, Option(min=1, help="Review this deal only.", show_default="all")] = None,
    language: Language = None,
    as_json: AsJson = False,
) -> None:
    """Say where a recorded game was won and lost. It tells luck from plays that gave something away."""
    language = language_of(language, printed=not as_json)
    saved = tefuda.Record.read(file)
    if not 0 <= seat < saved.seats:
        raise TefudaError(f"--seat {seat}: seats are 0 to {saved.seats - 1}")
    prepare(saved.load_game().description, language)
    finished = {k: each for k, each in enumerate(saved.replay().deals, 1) if each.over}
    if deal is not None and deal not in finished:
        raise TefudaError(f"--deal {deal}: the finished deals are {', '.join(map(str, finished)) or 'none'}")
    if not finished:
        raise TefudaError(f"{file}: no deal was played to its end")
    chosen = finished if deal is None else {deal: finished[deal]}
    reviews = _review(chosen, seat, catalogue(TEXTS, language))
    if as_json:
        print_json([_review_data(k, reviews[k]) for k in chosen])
        return
    artist = draw.Artist.of_record(saved, language)
    for k, each in chosen.items():
        _show_review(artist, k, each, reviews[k])


def _review(deals: "dict[int, tefuda.Deal]", seat: int, words: Catalogue) -> "dict[int, reviewing.DealReview]":
    from rich.console import Console

    reviewer, kept = reviewing.Reviewer(), reviewing.KeptReviews()
    reviews = {k: found for k, deal in deals.items() if (found := kept.read(deal, seat)) is not None}
    missing = {k: deal for k, deal in deals.items() if k not in reviews}
    total = sum(1 for deal in missing.values() for _ in reviewing.choices(deal, seat))
    with progress.bar(Console(stderr=True), words("review.progress"), total=total) as update:
        for k, deal in missing.items():
            reviews[k] = reviewer.review(deal, seat, lambda: update(advance=1))
            kept.keep(deal, reviews[k])
    return reviews


def _review_data(number: int, review: "reviewing.DealReview") -> dict[str, object]:
    told = {"deal": number, **asdict(review)}
    told["decisions"] = [{**asdict(each), "doubt": each.doubt} for each in review.decisions]
    return told


def _show_review(artist: "draw.Artist", number: int, deal: "tefuda.Deal", review: "reviewing.DealReview") -> None:
    """Print the parts of what the deal brought, then the dearest moments."""
    from rich.table import Table

    words = artist.words
    artist.console.rule(words("play.deal", number=number))
    parts = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for part, amount in review.rounded_parts().items():
        parts.add_row(words(f"review.{part}"), signed(round(amount * 100), 100))
    artist.say(artist.names[review.seat], "bold")
    artist.console.print(parts)
    if not review.moments:
        artist.say(words("review.nothing", count=len(review.decisions)))
    for decision in review.moments[:MOMENTS]:
        _show_moment(artist, deal.at(decision.plays), decision, review.decimals)


def _show_moment(artist: "draw.Artist", moment: "tefuda.Deal", decision: "reviewing.Decision", decimals: int) -> None:
    scene, language = moment.view(decision.seat).scene, artist.language
    artist.console.print()
    artist.say(reviewing.say_moment(decision, decimals, language, artist.named))
    if decision.contrast is not None:
        artist.say(decision.contrast.say(artist.game, language, spell=artist.named, frame="review"))
    if decision.holding is not None:
        artist.say(decision.holding.say(artist.game, language, artist.names, artist.named, frame="review"))
    if tefuda.advice(moment) == decision.best:
        artist.note(advice.advice_reason(moment, decision.best, language, artist.names))
    artist.console.print(artist.table(scene, decision.seat, moment.mover, artist.game_words(scene.phase)))
    artist.console.print(artist.hand(scene, moment.legal()))
