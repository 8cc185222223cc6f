"""``tefuda review``: where a recorded game was won and lost."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table

from tefuda.bots.advice import advice_reason
from tefuda.bots.players import advice
from tefuda.bots.review import DealReview, Decision, KeptReviews, Reviewer, choices, say_moment
from tefuda.cli.draw import Artist
from tefuda.cli.json_output import print_json
from tefuda.cli.progress import prepare
from tefuda.cli.replay import seats_named
from tefuda.cli.settings import language_of
from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import TEXTS, Catalogue, catalogue, signed
from tefuda.table.deal import Deal
from tefuda.table.record import Record

MOMENTS = 3
"""Shown with the table as it stood."""


def run(path: Path, seat: int, number: int | None, language: str | None, as_json: bool) -> None:
    """Review the deals of a record, for one seat.

    Args:
        path: of the record.
        seat: whose decisions are judged.
        number: of the only deal to review, from 1; None for all that were finished.
        language: of the texts.
        as_json: print the reviews for programs.

    Raises:
        TefudaError: the file is no record, or there is no such seat or deal, or none was finished.
    """
    language = language_of(language, printed=not as_json)
    saved = Record.read(path)
    if not 0 <= seat < saved.seats:
        raise TefudaError(f"--seat {seat}: seats are 0 to {saved.seats - 1}")
    prepare(saved.load_game().description, language)
    finished = {k: deal for k, deal in enumerate(saved.replay().deals, 1) if deal.over}
    if number is not None and number not in finished:
        raise TefudaError(f"--deal {number}: the finished deals are {', '.join(map(str, finished)) or 'none'}")
    if not finished:
        raise TefudaError(f"{path}: no deal was played to its end")
    chosen = finished if number is None else {number: finished[number]}
    reviews = _review(chosen, seat, catalogue(TEXTS, language))
    if as_json:
        print_json([_data(k, reviews[k]) for k in chosen])
        return
    page = _Page(saved, language)
    for k, deal in chosen.items():
        page.show(k, deal, reviews[k])


def _review(deals: dict[int, Deal], seat: int, words: Catalogue) -> dict[int, DealReview]:
    console, reviewer, kept = Console(file=sys.stderr), Reviewer(), KeptReviews()
    reviews = {k: found for k, deal in deals.items() if (found := kept.read(deal, seat)) is not None}
    missing = {k: deal for k, deal in deals.items() if k not in reviews}
    columns = (TextColumn(words("review.progress")), BarColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=sum(1 for deal in missing.values() for _ in choices(deal, seat)))
        for k, deal in missing.items():
            reviews[k] = reviewer.review(deal, seat, lambda: bar.advance(task))
            kept.keep(deal, reviews[k])
    return reviews


def _data(number: int, review: DealReview) -> dict[str, Any]:
    told = {"deal": number, **asdict(review)}
    told["decisions"] = [{**asdict(each), "doubt": each.doubt} for each in review.decisions]
    return told


class _Page:
    """Reviews on the terminal."""

    def __init__(self, saved: Record, language: str) -> None:
        self._words, self._language = catalogue(TEXTS, language), language
        names = seats_named(saved.players, saved.seats, language)
        self._artist = Artist(saved.load_game().description, language, names, Console(highlight=False))

    def show(self, number: int, deal: Deal, review: DealReview) -> None:
        """The parts of what the deal brought, then the dearest moments."""
        artist, words = self._artist, self._words
        artist.console.rule(words("play.deal", number=number))
        parts = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
        for part, amount in review.rounded_parts().items():
            parts.add_row(words(f"review.{part}"), signed(round(amount * 100), 100))
        artist.say(artist.names[review.seat], "bold")
        artist.console.print(parts)
        if not review.moments:
            artist.say(words("review.nothing", count=len(review.decisions)))
        for decision in review.moments[:MOMENTS]:
            self._show_moment(deal.at(decision.plays), decision, review.decimals)

    def _show_moment(self, moment: Deal, decision: Decision, decimals: int) -> None:
        artist, scene = self._artist, moment.view(decision.seat).scene
        artist.console.print()
        artist.say(say_moment(decision, decimals, self._language, artist.named))
        game, spell = artist.game, artist.named
        if decision.contrast is not None:
            artist.say(decision.contrast.say(game, self._language, spell=spell, frame="review"))
        if decision.holding is not None:
            artist.say(decision.holding.say(game, self._language, artist.names, spell, frame="review"))
        if advice(moment) == decision.best:
            artist.note(advice_reason(moment, decision.best, self._language, artist.names))
        artist.console.print(artist.table(scene, decision.seat, moment.mover, artist.game_words(scene.phase)))
        artist.console.print(artist.hand(scene, moment.legal()))
