"""What a game says of itself: one ``Description`` from which tables, bots, forms and adapters follow."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import verbs, views
from tefuda.engine.errors import TefudaError
from tefuda.engine.notation import Notation
from tefuda.engine.record import EVERYTHING, Field, Visible
from tefuda.engine.scene import Face, Scene
from tefuda.engine.texts import LANGUAGES, catalogue

_SEPARATORS = re.compile(r"\s*[+,]\s*")

_SWITCH = {"true": 1, "on": 1, "yes": 1, "1": 1, "false": 0, "off": 0, "no": 0, "0": 0}
"""How people write whether a switch is on."""

Value = bool | int | str
"""An option's value as people write it."""


class OptionError(TefudaError):
    """An option, a value or a number of seats that the game does not have; the message is one clear line.

    Attributes:
        line: where values exclude each other, the same from the game's catalogue; else None.
    """

    def __init__(self, text: str, line: "Sentence | None" = None) -> None:
        super().__init__(text)
        self.line = line


@dataclass(frozen=True)
class Option:
    """A gap or variant of the rules that a table may decide: a small integer in the record.

    Attributes:
        name: also the record's field.
        default: as people write it: ``True``/``False``, a word, or a number.
        rule: number of the rule it touches.
        values: the words of a choice, in the order of the integers that stand for them; empty for numbers and switches.
            A value of several parts (``declarer+only_old``) may be written with its parts in any order, or as a list.
        least, most: bounds of a number.
        most_at_table: the largest number with which people can play a game to its end; ``most`` by default. Larger ones
            are for simulations.
        was_switch: whether this choice was a switch in older versions: false still means its first value, true its
            second.
    """

    name: str
    default: Value
    rule: str
    values: tuple[str, ...] = ()
    least: int = 0
    most: int = 1
    was_switch: bool = False
    most_at_table: int = 0

    def __post_init__(self) -> None:
        if not self.most_at_table:
            object.__setattr__(self, "most_at_table", self.most)

    @property
    def _parts(self) -> list[list[str]]:
        return [value.split("+") for value in self.values]

    @property
    def _always(self) -> frozenset[str]:
        """The parts that no value of a choice lacks; they may be left unsaid."""
        return frozenset(self._parts[0]).intersection(*self._parts)

    def number(self, value: Value) -> int:
        """The integer that stands for a value.

        Raises:
            OptionError: it is not one of the option's values.
        """
        several = self.values and isinstance(value, list | tuple)
        text = "+".join(map(str, value)) if several else str(value).strip()  # type: ignore[arg-type]
        if self.values:
            if text in self.values:
                return self.values.index(text)
            if self.was_switch and text.lower() in _SWITCH:
                return _SWITCH[text.lower()]
            for number, parts in enumerate(map(frozenset, self._parts)):
                if parts == frozenset(_SEPARATORS.split(text)) | self._always:
                    return number
            raise OptionError(
                f"{self.name}: {text!r} is not one of {', '.join(self.values)}{nearest(text, self.values)}"
            )
        if isinstance(self.default, bool):
            if text.lower() in _SWITCH:
                return _SWITCH[text.lower()]
            raise OptionError(f"{self.name}: {text!r} is neither true nor false")
        try:
            number = int(text)
        except ValueError:
            raise OptionError(f"{self.name}: {text!r} is not a whole number") from None
        if not self.least <= number <= self.most:
            raise OptionError(f"{self.name}: {number} is not from {self.least} to {self.most}")
        return number

    def check_at_table(self, value: Value) -> None:
        """Let a value pass with which people can play a game to its end.

        Raises:
            OptionError: they cannot.
        """
        if not self.values and self.number(value) > self.most_at_table:
            raise OptionError(
                f"{self.name}: a table cannot play a game of {value} to its end; {self.most_at_table} is the most"
            )

    def word(self, number: int) -> Value:
        """The value that an integer stands for."""
        if self.values:
            return self.values[number]
        return bool(number) if isinstance(self.default, bool) else int(number)


@dataclass(frozen=True)
class Refusal:
    """Why a play is illegal: the rule's number, and a text of the catalogue (under ``why``) with its fields.

    Fields are written as in ``Sentence``. ``plays`` are legal plays, by their words, that the text names as what to do
    instead; where it has the field ``{plays}``, they are listed there.
    """

    rule: str
    code: str
    fields: Mapping[str, str] = field(default_factory=dict)
    plays: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sentence:
    """A sentence about a deal: a text of the catalogue, by its whole key, with its fields.

    A field's value may be ``@key`` for another text, ``#2`` for the name of seat 2.
    """

    code: str
    fields: Mapping[str, str] = field(default_factory=dict)


def advised_declaration(word: str) -> Sentence:
    """Why rules of thumb say something: the text ``advice.<word>``, of ``supreme:12+24`` that of ``supreme``."""
    return Sentence(f"advice.{word.partition(':')[0]}", {"cards": word.partition(":")[2]})


@dataclass(frozen=True)
class Bounds:
    """What no deal with some seats and options exceeds; upper bounds, not always reached.

    Attributes:
        least, most: payoff of a seat, in the smallest unit.
        actions: kernel actions in a deal, from the first to the last.
        zero_sum: payoffs of a deal always sum to 0.
    """

    least: int
    most: int
    actions: int
    zero_sum: bool


def without_exclusions(seats: int, options: Mapping[str, Value]) -> Sentence | None:
    """``exclusions`` of a game in which every value goes with every other."""
    return None


def without_name(word: str) -> str:
    """``combination`` of a game whose plays of several cards have no names."""
    return ""


def without_lines(state: Any, word: str) -> Sequence[Sentence]:
    """``card_lines`` of a game that has no more to say of a card than its name."""
    return ()


def without_settlement(state: Any) -> Sequence[tuple[int, int, int]]:
    """``settlement`` of a game in which nobody pays anybody in particular."""
    return ()


class Wish(NamedTuple):
    """What a seat may say before it is asked.

    Attributes:
        play: the word.
        otherwise: the answer of a seat that has not said it.
    """

    play: str
    otherwise: str


def without_wish(state: Any, seat: int) -> Wish | None:
    """``wish`` of a game in which seats are asked whatever they may say."""
    return None


@dataclass(frozen=True)
class RuleSet:
    """What may be decided and done, and why not.

    Attributes:
        prefix: of the rule numbers, such as ``GZ``.
        options: what a table may decide.
        exclusions: why seats and options (by name) do not go together, a text under ``excluded``; None if they do.
        pack: the card numbers of the pack that a state with these options uses.
        why_not: why a seat may not make a play (a word that can be read); None if it may.
        unit: how many of the smallest unit make one of what people count (2 where half stakes are paid). Payoffs,
            totals and records are in the smallest unit; scenarios, sheets and whatever people read are not.
        wish: what a seat may say at any moment, before it is asked; None if there is nothing. At a table nobody is then
            interrupted: it answers the question for a person who has said nothing.
        bounds: of the deals that a state with these seats and options begins; adapters to other libraries ask for them.
    """

    prefix: str
    options: tuple[Option, ...]
    pack: Callable[[Any], NDArray[np.int64]]
    why_not: Callable[[Any, int, str], Refusal | None]
    exclusions: Callable[[int, Mapping[str, Value]], Sentence | None] = without_exclusions
    unit: int = 1
    bounds: Callable[[Any], Bounds] | None = None
    wish: Callable[[Any, int], Wish | None] = without_wish

    @cached_property
    def option_by_name(self) -> dict[str, Option]:
        return {option.name: option for option in self.options}

    def counted(self, amount: int) -> int | float:
        """An amount in the smallest unit as people count it."""
        return amount / self.unit if amount % self.unit else amount // self.unit


@dataclass(frozen=True)
class Setup:
    """How deals and positions are set up from files, and what files may expect of them.

    Attributes:
        start_fault: what is wrong with a state before dealing (one that a file gave), in one line, or None.
        arrange: from the fields of a scenario's deal, sets what comes before the deal (a dealer) in a state and returns
            the deck that deals the hands given, or None if none are.
        position: fills a state from the fields of a scenario's position.
        facts: what else can be said of a state, by name; a scenario may expect it. Always ``totals`` (now) and ``over``
            (the session is); after a deal what the next one begins with: ``next_leader``, or ``next_dealer`` where the
            cards decide who leads.
        fact_names: every name that ``facts`` may give.
    """

    start_fault: Callable[[Any], str | None]
    arrange: Callable[[Any, Mapping[str, Any]], NDArray[np.int64] | None]
    position: Callable[[Any, Mapping[str, Any]], None]
    facts: Callable[[Any], Mapping[str, Any]]
    fact_names: tuple[str, ...]


@dataclass(frozen=True)
class Display:
    """What people are shown and told.

    Attributes:
        faces: how each card is shown in text, by word.
        scene: what a view shows, laid out as at a table.
        events: what a play brought about, from one viewer's views before and after it, the seat and the word. A
            finished trick comes last, with a code that begins with ``events.trick``.
        sheet: how a seat's payoff of a finished deal arose.
        settlement: of a finished deal's state who has paid whom how much, as (payer, receiver, amount), where a sheet
            should show that beside what each has in all.
        combination: what a play of several cards is called, by its word: a text's key, empty where it has no name.
        card_lines: what a player should know of a card, by its word, under the options of a state: where it ranks, what
            it counts; the most important first.
        why_advised: why the rules of thumb make a play, from the mover's view, the play's first action and its word;
            None where the game gives no reasons.
    """

    faces: Mapping[str, Face]
    scene: Callable[[Any], Scene]
    events: Callable[[Any, int, str, Any], list[Sentence]]
    sheet: Callable[[Any, int], list[Sentence]]
    settlement: Callable[[Any], Sequence[tuple[int, int, int]]] = without_settlement
    combination: Callable[[str], str] = without_name
    card_lines: Callable[[Any, str], Sequence[Sentence]] = without_lines
    why_advised: Callable[[Any, int, str], Sentence] | None = None

    @cached_property
    def word_by_text(self) -> dict[str, str]:
        """Each card's word, by that word and by how the card is shown in text."""
        return {face.text: word for word, face in self.faces.items()} | {word: word for word in self.faces}


@dataclass(frozen=True)
class GameFiles:
    """The data files of a game.

    Attributes:
        texts: folder of the catalogues, one TOML file a language, with ``title``, ``native``, ``about``, ``example``
            (of plays), ``[rules]``, ``[options]``, ``[why]``, and the keys that sheet, scene and events give.
        decks: the decks it can be played with (``tefuda.decks.data``), the one of its home first.
        tours: files that lead a newcomer through a deal (``tefuda.table.tour``), the one to begin with first.
        net: folder of the network that plays it (``tefuda.bots.net``), if it has one.
    """

    texts: Path
    decks: tuple[Path, ...] = ()
    tours: tuple[Path, ...] = ()
    net: Path | None = None


@dataclass(frozen=True, eq=False)
class Description:
    """A game; hashed by identity, so that what is derived from one can be cached.

    Attributes:
        name: as typed, such as ``gong-zhu``.
        rules_version: raised when a change makes an old record play differently.
        seats: numbers of players, the usual one first.
        fields, record: the state's fields and their dtype.
        cards: words of the cards, by number.
        actions: size of the action space; actions are 0 … actions − 1.
        notation: how plays are written.
        rules: options, pack, refusals.
        setup: deals and positions from files.
        display: what people are shown.
        files: texts, decks, tours.
        search: settings with which the search bot plays it best, where they differ from the usual ones
            (``tefuda.bots.tree.SearchSettings``; ``bench/search_parts.py`` measures them).
        earlier_options: of each older version of the rules, the options that it was the last to have in this form.
    """

    name: str
    rules_version: int
    seats: tuple[int, ...]
    fields: Sequence[Field]
    record: np.dtype[Any]
    cards: tuple[str, ...]
    actions: int
    notation: Notation
    rules: RuleSet
    setup: Setup
    display: Display
    files: GameFiles
    search: Mapping[str, float] = field(default_factory=dict)
    earlier_options: Mapping[int, Sequence[Option]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        views.declare(self.fields, self.record, max(self.seats))
        for verb, usual in (
            (verbs.listed, verbs.itself),
            (verbs.disguise, verbs.itself),
            (verbs.believe, verbs.imagine_any),
            (verbs.team, verbs.alone),
        ):
            if self.record not in verb.implementations:
                verbs.implements(verb, self.record)(usual)

    @cached_property
    def personal(self) -> frozenset[str]:
        """The names of the fields that not all views have in common."""
        return frozenset({"viewer"} | {each.name for each in self.fields if each.visible is not Visible.PUBLIC})

    def as_of(self, version: int) -> "Description":
        """The same game with the options of a version of its rules: records and tables go on under their own.

        An option's integers never change their meaning, so the present rules play an older version by its options.

        Raises:
            OptionError: there is no such version, or it is not known how it played.
        """
        if version == self.rules_version:
            return self
        later = range(version, self.rules_version)
        if not later or any(each not in self.earlier_options for each in later):
            raise OptionError(
                f"it follows version {version} of the rules of {self.name}; "
                f"this Tefuda plays version {self.rules_version}"
            )
        then = {option.name: option for each in reversed(later) for option in self.earlier_options[each]}
        options = tuple(then.get(option.name, option) for option in self.rules.options)
        return replace(self, rules_version=version, rules=replace(self.rules, options=options))

    def template(self, seats: int | None = None, options: Mapping[str, Value] | None = None) -> NDArray[Any]:
        """One record with these options and nothing dealt.

        Args:
            seats: number of players; the usual number by default.
            options: values by name; the others have their defaults.

        Returns:
            array of shape (1,).

        Raises:
            OptionError: unknown option, value or number of seats, or values that exclude each other.
        """
        seats = self.seats[0] if seats is None else seats
        if type(seats) is not int or seats not in self.seats:
            raise OptionError(f"{self.name} is played by {' or '.join(map(str, sorted(self.seats)))}, not by {seats!r}")
        given = dict(options or {})
        for name in given:
            if name not in self.rules.option_by_name:
                raise OptionError(f"{self.name} has no option {name!r}{nearest(name, self.rules.option_by_name)}")
        numbers = {option.name: option.number(given.get(option.name, option.default)) for option in self.rules.options}
        words = {option.name: option.word(numbers[option.name]) for option in self.rules.options}
        excluded = self.rules.exclusions(seats, words)
        if excluded:
            raise OptionError(catalogue(self.files.texts, LANGUAGES[0])(excluded.code, **excluded.fields), excluded)
        state = np.zeros(1, self.record)
        state["viewer"], state["seats"] = EVERYTHING, seats
        for name, number in numbers.items():
            state[name] = number
        for each in self.fields:
            if each.carried and each.start:
                state[each.name] = state[each.start] if isinstance(each.start, str) else each.start
        return state


def nearest(word: str, known: Sequence[str] | Mapping[str, Any]) -> str:
    """``"; did you mean …?"`` with the known word most like this one, or nothing."""
    found = get_close_matches(word, list(known), 1, cutoff=0.5)
    return f"; did you mean {found[0]!r}?" if found else ""
