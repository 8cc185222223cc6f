"""Tours of a game, step by step at a table of the reader's own; and examples of its rules, shown in the same way."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any

from fastapi import HTTPException, Response
from markupsafe import Markup

from tefuda.decks import data
from tefuda.engine import toml
from tefuda.engine.description import Description
from tefuda.engine.notation import SUMMARY, seat_and_play
from tefuda.engine.option import Value, written
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue, signed, spelled
from tefuda.engine.toml import Table
from tefuda.server.http.assets import scripts_of
from tefuda.server.http.context import Context
from tefuda.server.pages.drawings import OptionWords, deck_address, options_in_words
from tefuda.server.pages.layout import Compressed, home_of, linked, marked, page, page_text, router
from tefuda.server.pages.shown_game import OfAddress, ShownGame
from tefuda.server.pages.table_page import game_data, texts_data
from tefuda.server.table import tour_steps
from tefuda.server.table.player_names import bot_name, notation_text
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.scenario import ScenarioError, begin, game_of
from tefuda.table.tour import MARK, Step, StepText, Tour, due


@router.get("/games/{game}/tour")
@router.get("/games/{game}/tour/{name}")
async def tour_page(context: Context, game: OfAddress, name: str = "") -> Response:
    """A tour of a game; the one to begin with by default."""
    known = context.services.tours.of(game.served)
    if not known or (name and name not in known):
        raise HTTPException(404, context.text("tour.none"))
    game.must_be_ready()
    return await steps_page(game, known[name or next(iter(known))], "tour.html")


async def steps_page(game: ShownGame, tour: Tour, template: str, **more: Any) -> Response:
    """The page of a tour, or of what is shown as one; ``more`` is for its template."""
    context, services = game.context, game.context.services
    language, reader = context.language, context.called
    table = await services.background.in_thread(tour_steps.TourTable, tour, language, reader)
    told = tour.language(language)
    made = page(
        context,
        template,
        **more,
        heading=tour.title[told],
        told=told,
        words=[_step_words(tour, step, told) for step in tour.steps],
        game=game_data(game, table.table),
        texts=texts_data(game, "table", "keys", "settings", "shuffle", "tour"),
        steps=await services.background.in_thread(_shown_steps, tour, language, reader),
        scripts=scripts_of("js/tour/main.js"),
    )
    return Compressed(made)


async def first_trick(game: ShownGame) -> dict[str, object] | None:
    """The step at which a game's first tour first waits for a card of the hand: where it is, what lies on the table and
    whose it is, the hand and what of it is legal. None if there is none, or the game is not compiled yet."""
    services, language, deck = game.context.services, game.context.language, game.in_own_deck
    tour = next(iter(services.tours.of(game.served).values()), None)
    if tour is None or not deck.files.decks or not game.is_ready:
        return None
    shown = await services.background.in_thread(_shown_steps, tour, language, "")
    for number, step in enumerate(shown, 1):
        state = step["states"][-1]
        scene, legal = state["deal"]["scene"], state["deal"]["legal"]
        hand = list(chain.from_iterable(group.cards for group in scene.hand))
        if not set(hand).isdisjoint(step["plays"]):
            names = {word: data.name_and_reading(deck, word, language)[0] for word in deck.display.faces}
            seats = [(scene.lead + place) % len(scene.seats) for place in range(len(scene.seats))]
            lies = [(scene.seats[seat].played, state["seats"][seat]["name"]) for seat in seats]
            return {
                "address": f"/games/{game.name}/tour/{tour.name}",
                "step": number,
                "sprite": deck_address(deck, "cards", language),
                "size": data.load(deck).size,
                "names": names,
                "lies": [each for each in lies if each[0] in names],
                "hand": [(card, card in legal) for card in hand],
            }
    return None


_shown_steps = lru_cache(64)(tour_steps.steps)  # the same for all who read in one language and have one name


def _step_words(tour: Tour, step: Step, language: str) -> dict[str, object]:
    """The words of a step: its heading, paragraphs with links to the rules, and those for another play."""
    words = step.words[language]
    return {
        "head": _plain(tour, words.head, language),
        "paragraphs": [_written(tour, part, language) for part in words.text.strip().split("\n\n")],
        "other": _plain(tour, words.other, language),
    }


def _plain(tour: Tour, text: str, language: str) -> str:
    """A text with cards and seats by name."""
    return MARK.sub(lambda found: _named(tour, found, language), text.strip())


def _written(tour: Tour, text: str, language: str) -> Markup:
    """A text with cards and seats by name, cards in bold, and rules as links."""

    def name(found: re.Match[str]) -> str:
        written = escape(_named(tour, found, language), quote=False)
        return f"<b>{written}</b>" if found[1] else written

    game = tour.game.description
    shown = linked(game, MARK.sub(name, escape(text, quote=False)), f"/games/{game.name}/rules")
    return marked(shown, language, home_of(game))


def _named(tour: Tour, found: re.Match[str], language: str) -> str:
    """The name of a card or a seat; the reader's own is "You", as everywhere at the table."""
    word, seat = found.groups()
    if seat:
        return tour.names[language][int(seat)] or catalogue(TEXTS, language)("you")
    game = tour.game.description
    return data.load(game).cards[word].names[language] if game.files.decks else game.display.faces[word].text


# Examples

MOST_EXAMPLES = 3  # examples of one rule
MOST_PLAYS = 12  # legal plays that are told one by one; more are counted


@dataclass(frozen=True, eq=False)
class Example:
    """A case of a scenario file, and what stands above the cases of the file; each that is read is one of its own."""

    file: Table
    case: Table

    def rank(self, rule: str) -> tuple[bool, bool, int]:
        """Rank among examples, the best first: a refusal, plays to choose from, few options that are not usual."""
        expected = self.case.table("expect")
        refused = expected.get("why", {}).values()
        return rule not in refused, "legal" not in expected, len(self.case.get("options", {}))


@router.get("/games/{game}/examples/{rule}")
@router.get("/games/{game}/examples/{rule}/{number}")
async def example_page(context: Context, game: OfAddress, rule: str, number: str = "1") -> Response:
    """An example of a rule, at the table of the game; they are counted from 1."""
    known = examples_of(game.served).get(rule, ())
    place = next((place for place in range(len(known)) if str(place + 1) == number), None)
    if place is None:
        raise HTTPException(404, context.text("examples.none"))
    game.must_be_ready()
    made = await context.services.background.in_thread(example_tour, known[place], rule)
    following = f"/games/{game.name}/examples/{rule}/{place + 2}" if place + 1 < len(known) else ""
    return await steps_page(game, made, "example.html", kind="example", rule=rule, following=following)


@lru_cache(16)
def examples_of(description: Description) -> Mapping[str, Sequence[Example]]:
    """The examples that a game ships, by the number of the rule; none of a rule that no play shows."""
    found: dict[str, list[Example]] = {}
    for path in description.files.scenarios:
        file = toml.read(path, ScenarioError)
        for example in (Example(file, case) for case in file.tables("case")):
            if example.case.words("moves") or {"legal", "has", "why"} & set(example.case.table("expect")):
                for rule in example.case.words("rules"):
                    found.setdefault(rule, []).append(example)
    return {rule: sorted(known, key=lambda each: each.rank(rule))[:MOST_EXAMPLES] for rule, known in found.items()}


@lru_cache(256)
def example_tour(example: Example, rule: str) -> Tour:
    """An example as a tour: the cards, each play, then what may be played and what may not, and why.

    The reader sits where the choice is, or where the last play was made. ``TefudaError`` if a play of the example is
    illegal."""
    game = game_of(example.file, example.case)
    deal, description = begin(game, example.case), game.description
    steps = [_example_step(partial(_beginning, game, rule))]
    for number, move in enumerate(example.case.words("moves"), 1):
        steps.append(_example_step(partial(_move, description, number, move), move))
        for play in due(deal, steps[-1]):
            deal.play(play.word, play.seat)
    seat = deal.history[-1][0] if deal.over else deal.mover
    steps += [_example_step(partial(_paid, deal))] if deal.over else _choices(deal, example.case.table("expect"))
    titles = {language: page_text(language, "examples.title", rule=rule) for language in LANGUAGES}
    start = {key: example.case[key] for key in ("deal", "position") if key in example.case}
    return Tour(Path(f"{rule}.toml"), game, seat, start, titles, seat_titles(game, seat), tuple(steps))


def seat_titles(game: Game, reader: int) -> dict[str, list[str]]:
    """The names of the seats by language, for a tour whose reader has none: the others are bots'."""
    return {
        language: ["" if seat == reader else bot_name(seat, language) for seat in range(game.seats)]
        for language in LANGUAGES
    }


def _example_step(words: Callable[[str], StepText], *moves: str, show: Sequence[str] = ()) -> Step:
    return Step((), moves, tuple(show), (), "", {language: words(language) for language in LANGUAGES}, example=True)


def _own_words(language: str, key: str, text: str) -> StepText:
    return _words(language, page_text(language, f"examples.{key}"), text)


def _words(language: str, head: str, text: str) -> StepText:
    """The words of a step; a play that the reader tries, and that is legal, may be played."""
    return StepText(head, text, page_text(language, "examples.may"))


def _beginning(game: Game, rule: str, language: str) -> StepText:
    """The rule, and the options that are not the usual ones."""
    description = game.description
    text = catalogue(description.files.texts, language)(f"rules.{rule}")
    options = [_option_in_words(description, *each, language) for each in game.changed_options().items()]
    written = Markup.escape(spelled(text, notation_text(description, language)))
    in_words = Markup(options_in_words(description, str(written), language)).striptags()  # noqa: S704 - escaped above
    paragraphs = [f"{rule}. {in_words}"]
    if options:
        listed = page_text(language, "wording.comma").join(options)
        paragraphs.append(page_text(language, "examples.options", options=listed))
    return _own_words(language, "beginning", "\n\n".join(paragraphs))


def _option_in_words(game: Description, name: str, value: Value, language: str) -> str:
    option = OptionWords(game, game.rules.option_by_name[name], language)
    label = page_text(language, "wording.quoted", text=option.label)
    return f"{label}{page_text(language, 'wording.colon')}{option.said(written(value))}"


def _move(game: Description, number: int, move: str, language: str) -> StepText:
    seat, word = seat_and_play(move)
    played = notation_text(game, language)(word)
    head = page_text(language, "examples.play", number=number)
    return _words(language, head, page_text(language, "table.said", name=f"#{seat}", text=played))


def _choices(deal: Deal, expected: Table) -> Iterator[Step]:
    """Steps with what may be played; then with each play that may not, and why."""
    legal = expected.words("legal") or expected.words("has") or deal.legal()
    yield _example_step(partial(_allowed, deal.game.description, legal), show=_cards_shown(deal, legal))
    for word in expected.get("why", {}):
        yield _example_step(partial(_refused, deal, word), show=_cards_shown(deal, [word]))


def _allowed(game: Description, legal: Sequence[str], language: str) -> StepText:
    """Legal plays, one by one or counted."""
    plays = list(map(notation_text(game, language), legal))
    text = "\n\n".join(plays)
    if len(plays) > MOST_PLAYS:
        text = page_text(language, "examples.count", count=len(plays))
    return _own_words(language, "allowed", text)


def _refused(deal: Deal, word: str, language: str) -> StepText:
    """A play that is not allowed, and why."""
    spell = notation_text(deal.game.description, language)
    seats = [f"#{seat}" for seat in range(deal.game.seats)]  # the tour knows what they are called
    reason = deal.why_not(word, deal.mover, language, seats, spell)
    if reason is None:
        raise ScenarioError(f"{word} is legal")
    return _words(language, page_text(language, "examples.refused", play=spell(word)), f"{reason.text} {reason.rule}")


def _cards_shown(deal: Deal, plays: Sequence[str]) -> tuple[str, ...]:
    """The cards of these plays."""
    cards = deal.game.description.display.faces
    parts = [part.partition("=")[0] for play in plays for part in play.rpartition(":")[2].removeprefix("~").split("+")]
    return tuple(dict.fromkeys(part for part in parts if part in cards and not SUMMARY.fullmatch(part)))


def _paid(deal: Deal, language: str) -> StepText:
    """The words with what the deal has brought."""
    unit = deal.game.description.rules.unit
    lines = [
        page_text(language, "table.said", name=f"#{seat}", text=signed(amount, unit))
        for seat, amount in enumerate(deal.payoff())
    ]
    return _own_words(language, "end", "\n\n".join(lines))


def linked_rules(description: Description) -> Mapping[str, str]:
    """The address of the first example of each rule that has one."""
    return {rule: f"/games/{description.name}/examples/{rule}" for rule in examples_of(description)}
