"""Reports of events to each viewer of a table, made from views alone: no viewer is told what they may not see."""

import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

import orjson

from tefuda.engine.description import Description, without_name
from tefuda.engine.notation import is_declaration
from tefuda.engine.sentence import Sentence
from tefuda.engine.texts import TEXTS, catalogue, own_texts
from tefuda.server.store.port import Event, JsonMapping
from tefuda.server.table.events import apply
from tefuda.server.table.message_types import DecisiveMoment, EventReport, Trick
from tefuda.server.table.player_names import HIDDEN_PLAY, WITHIN_EVENT, notation_text, seat_names, with_names
from tefuda.server.table.table_state import OUTSIDER, TableState
from tefuda.table.reasons import unnamed_line
from tefuda.table.view import View

VERSION = 1  # the version of the messages
_AT_A_PLACE = re.compile(r"#(?P<seat>\d+)(?:: |：)(?P<said>.+)")  # a sentence that begins with whose it is

PUBLIC_FIELDS = {
    "seated": ("seat", "name", "bot"), "left": ("seat", "name", "bot"), "hosted": ("seat",),
    "muted": ("seat", "muted"), "absent": ("seat", "by"), "returned": ("seat",),
    "committed": ("deal", "commitment"), "sealed": ("seat", "seal"), "closed_seals": ("attempt",),
    "entropy": ("seat",), "unrevealed": ("seats",), "dealt": ("deal",), "given": ("deal",),
    "paced": ("clock", "speed"), "asked_back": ("seat",), "answered_back": ("seat", "agreed"),
    "taken_back": ("seat", "plays"), "said": ("seat", "phrase", "text"),
}  # fmt: skip
"""The fields of each kind of event, other than plays, that everybody may know."""


class Perspective(NamedTuple):
    """A viewer's way of seeing a table."""

    seat: int  # whose view they get; −1 for a spectator's, ``OUTSIDER`` for none
    language: str = "en"
    patch: bool = False  # True for pages, which are told what plays change of the table laid out
    brief: bool = False  # True for programs that keep the table themselves and are told of plays and shuffles in brief


def encoded(message: JsonMapping | Sequence[JsonMapping]) -> bytes:
    """A message as it is sent: JSON. Some numbers of games are NumPy's."""
    return orjson.dumps(message, option=orjson.OPT_SERIALIZE_NUMPY)


def apply_and_report(
    table: TableState, event: Event, perspectives: Collection[Perspective]
) -> dict[Perspective, EventReport]:
    """Apply an event to a table, and report it to each perspective; to none what is for whoever runs the server."""
    if event.kind == "reported":
        apply(table, event)
        return {}
    base: EventReport = {"seq": event.seq, "at": event.at, "kind": event.kind}
    if event.kind != "played" or table.past is not None:
        body = event.body
        if event.kind == "left":  # afterwards the seat has no name
            chair = table.chairs[body["seat"]]
            body = {**body, "name": chair.name, "bot": chair.bot}
        apply(table, event)
        public = {name: body[name] for name in PUBLIC_FIELDS.get(event.kind, ()) if name in body}
        report: EventReport = {**base, **public}  # type: ignore[typeddict-item]
        return dict.fromkeys(perspectives, report)
    seat, is_open = event.body["seat"], table.present.is_open(event.body["play"])
    watching = [each for each in perspectives if each.seat != OUTSIDER and not each.brief]
    before = table.views() if watching else []
    forced = any(each.seat == seat for each in watching) and table.present.sole_answer() is not None
    apply(table, event)
    word = table.present.history[-1][1]
    base["seat"] = seat
    known: EventReport = {**base, "play": word}
    told = {each: known if each.seat != OUTSIDER and (is_open or each.seat == seat) else base for each in perspectives}
    if forced:  # no other seat learns that there was no choice
        told.update({each: {**known, "forced": True} for each in watching if each.seat == seat})
    if watching:
        writer = _ReportWriter(table, before, seat, word)
        told.update({each: writer.write(told[each], each) for each in watching})
    return told


class _ReportWriter:
    """Writes the reports of one play, each sentence once for all who are told the same: of ``word`` by ``seat``, from
    the table after it and the views before it."""

    def __init__(self, table: TableState, before: Sequence[View], seat: int, word: str) -> None:
        self._table, self._seat, self._word = table, seat, word
        self._before, self._after = before, table.views()
        self._game = table.game.description
        self._said: dict[Hashable, str] = {}
        self._told: dict[Hashable, tuple[list[Sentence], list[str], list[tuple[int, str]]]] = {}
        self._names: dict[str, list[str]] = {}
        self._silent: dict[int, EventReport] = {}

    def write(self, told: EventReport, perspective: Perspective) -> EventReport:
        """The report to this perspective: the one in brief, and the play in words."""
        before, language = self._before[perspective.seat], perspective.language
        lines = self._after[perspective.seat].told_since(before, self._seat, self._word)
        said = [self._say_forced(before, language)] if told.get("forced") else []
        if not lines:  # most plays are in the middle of a trick
            # Without a sentence, one object for all who are told the same.
            return {**told, "lines": said} if said else self._silent.setdefault(id(told), {**told, "lines": []})
        report: EventReport = {**told}
        ending = next((line for line in lines if line.code.startswith("events.trick")), None)
        if ending is not None:
            report["trick"] = _finished_trick(self._game, before, ending, self._seat, told.get("play"))
        key = (id(lines), language)  # views that tell the same share the list, which is kept here
        if key not in self._told:
            texts = [self._say(line, language) for line in lines]
            self._told[key] = lines, texts, list(self._captions(lines, texts, language))
        if language not in self._names:
            self._names[language] = seat_names(self._table, language)
        _, texts, captions = self._told[key]
        if said and len(lines[0].fields) == 1 and texts[0].startswith(f"#{self._seat}"):
            texts = texts[1:]  # says no more than that this was the answer
        names = self._names[language]

        def told_to_reader(text: str) -> str:
            return with_names(text, names, language, perspective.seat, WITHIN_EVENT)

        report["lines"] = said + list(map(told_to_reader, texts))
        if moment := self._moment(lines):
            report["moment"] = moment
        if captions:
            report["captions"] = [(seat, told_to_reader(text)) for seat, text in captions]
        return report

    def _moment(self, lines: list[Sentence]) -> DecisiveMoment | None:
        """A moment that players wait for, such as that the pig falls; most events are none."""
        moments = own_texts(self._game.files.texts, "moments")
        for line in lines:
            code = line.code.removeprefix("events.")
            card, seat = moments.get(f"{code}.card", ""), line.fields.get("seat", "#-1")
            if f"{code}.tune" in moments and (not card or card in re.findall(r"\w+", " ".join(line.fields.values()))):
                tune, is_lucky = list(map(int, moments[f"{code}.tune"].split())), moments.get(f"{code}.luck") != "bad"
                return {"tune": tune, "seat": int(seat.removeprefix("#")), "lucky": is_lucky}
        return None

    def _captions(self, lines: list[Sentence], texts: list[str], language: str) -> Iterator[tuple[int, str]]:
        """Texts that stand at a place for a while, with its seat: one that the game has for it, or what its sentence
        says after the name; not the cards of a play, which lie there."""
        own = catalogue(self._game.files.texts, language)
        for line, text in zip(lines, texts, strict=True):
            caption = line.code.replace("events.", "captions.")
            found = _AT_A_PLACE.fullmatch(text)
            if caption in own:
                yield int(line.fields["seat"].removeprefix("#")), self._say(Sentence(caption, line.fields), language)
            elif found and (is_declaration(self._word) or "cards" not in line.fields):
                yield int(found["seat"]), found["said"]

    def _say_forced(self, before: View, language: str) -> str:
        """That the table has given the only answer, and why there was no other, where the game says that."""
        description, word = self._game, self._word
        texts = catalogue(description.files.texts, language)
        if f"forced.{word}" not in texts:
            play = texts(f"plays.{word}") if f"plays.{word}" in texts else word
            return catalogue(TEXTS, language)("page.table.forced", play=play)
        winning = before.scene.winning
        played = before.scene.seats[winning].played if winning >= 0 else ""
        name = description.display.combination(played) if played else ""
        cards = texts(name) if name else f"`{played.replace('+', ' ')}`"
        spell = notation_text(description, language)
        return unnamed_line(description, Sentence(f"forced.{word}", {"cards": cards}), language, spell)

    def _say(self, line: Sentence, language: str) -> str:
        key = (language, line.code, *line.fields.items())
        if key not in self._said:
            self._said[key] = unnamed_line(self._game, line, language, notation_text(self._game, language))
        return self._said[key]


def _finished_trick(description: Description, before: View, ending: Sentence, seat: int, word: str | None) -> Trick:
    """A finished trick, from the view before its last play; ``word`` is that play, None where only its back is seen."""
    plays = [place.played for place in before.scene.seats]
    if word is None:
        plays[seat] = HIDDEN_PLAY
    elif not is_declaration(word):
        plays[seat] = word
    return ended_trick(description, plays, ending)


def ended_trick(description: Description, plays: list[str], ending: Sentence) -> Trick:
    """A finished trick of these plays, by seat; ``ending`` is the sentence that says whose it is."""
    return {"plays": plays, "named": named(description, plays), "seat": int(ending.fields["seat"].removeprefix("#"))}


def named(description: Description, plays: Iterable[str]) -> dict[str, str]:
    """The names of those plays that have one: keys of texts, by word."""
    if description.display.combination is without_name:
        return {}
    texts = {word: description.display.combination(word) for word in plays if word}
    return {word: text for word, text in texts.items() if text}
