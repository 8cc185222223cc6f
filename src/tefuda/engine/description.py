"""A game's ``Description``, from which tables, bots, forms and adapters follow."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tefuda.engine import verbs, views
from tefuda.engine.errors import nearest
from tefuda.engine.notation import Notation
from tefuda.engine.option import Option, OptionError, UnknownOptionError, Value
from tefuda.engine.record import EVERYTHING, AnyState, Field, Ints, States, Visible
from tefuda.engine.scene import Face, Scene
from tefuda.engine.sentence import Refusal, Sentence
from tefuda.engine.texts import LANGUAGES, catalogue

MINIATURE = "-miniature"  #: the end of a miniature's name, after that of its game


Pack = Callable[[AnyState], Ints]  #: the card numbers of the pack that a state uses

Fields = Mapping[str, object]  #: the fields of a scenario's position or deal, by name


@dataclass(frozen=True)
class Bounds:
    """Bounds that no deal with some seats and options exceeds, and that are not always reached.

    Attributes:
        least, most: payoff of a seat, in the smallest unit.
        actions: kernel actions in a deal, from the first to the last.
        zero_sum: payoffs of a deal always sum to 0.
    """

    least: int
    most: int
    actions: int
    zero_sum: bool


def without_name(word: str) -> str:
    """``combination`` of a game whose plays of several cards have no names."""
    return ""


def nothing(*given: object) -> tuple[()]:
    """``card_lines`` or ``settlement`` of a game that has no more to say."""
    return ()


class Wish(NamedTuple):
    """Something that a seat may say before it is asked.

    Attributes:
        play: the word.
        otherwise: the answer of a seat that has not said it.
    """

    play: str
    otherwise: str


def never_at_once(state: AnyState, seat: int) -> bool:
    """``interrupt`` of a game in which nobody acts out of turn."""
    return False


class Incident(NamedTuple):
    """Something that can become of a seat in a deal, as players would say it: they take the pig, they go out.

    What is left where none of a game's incidents happens should be a plain case, such as that nothing is paid: what
    each is worth is measured against it (``bots/explanations.py``).

    Attributes:
        name: of its texts: ``incidents.<name>`` where the seat is the reader's, ``incidents_of.<name>`` where it is
            that of ``{name}``; clauses, which sentences are made of.
        rule: number of the rule by which it counts.
        wanted: 1 if players want it, −1 if they avoid it, 0 if that depends: a play is not praised for what they avoid.
        amount: it does not happen or not, but is a number, in what people count.
    """

    name: str
    rule: str
    wanted: int = 0
    amount: bool = False


@dataclass(frozen=True)
class RuleSet:
    """The options, and the plays that the rules refuse.

    Attributes:
        prefix: of the rule numbers, such as ``GZ``.
        options: what a table may decide.
        exclusions: why seats and options (by name) do not go together, a text under ``excluded``; None if they do;
            absent where every value goes with every other.
        pack: the card numbers of the pack that a state with these options uses.
        why_not: why a seat may not make a play (a word that can be read); None if it may.
        unit: how many of the smallest unit make one of what people count (2 where half stakes are paid). Payoffs,
            totals and records are in the smallest unit; scenarios, sheets and whatever people read are not.
        wish: what a seat may say at any moment, before it is asked; None if there is nothing, and absent where there
            never is. At a table nobody is then interrupted: it answers the question for a person who has said nothing.
        interrupt: makes the play of ``wish`` at once, while it is another's turn; False, and nothing done, if it has to
            wait until the seat is asked.
        bounds: of the deals that a state with these seats and options begins; adapters to other libraries ask for them.
    """

    prefix: str
    options: tuple[Option, ...]
    pack: Pack
    why_not: Callable[[AnyState, int, str], Refusal | None]
    exclusions: Callable[[int, Mapping[str, Value]], Sentence | None] | None = None
    unit: int = 1
    bounds: Callable[[AnyState], Bounds] | None = None
    wish: Callable[[AnyState, int], Wish | None] | None = None
    interrupt: Callable[[AnyState, int], bool] = never_at_once

    @cached_property
    def option_by_name(self) -> dict[str, Option]:
        return {option.name: option for option in self.options}

    def counted(self, amount: int) -> int | float:
        """An amount in the smallest unit as people count it."""
        return amount / self.unit if amount % self.unit else amount // self.unit


@dataclass(frozen=True)
class Setup:
    """Functions that set up deals and positions from files, and that files check them by.

    Attributes:
        start_fault: what is wrong with a state before dealing (one that a file gave), in one line, or None.
        arrange: from the fields of a scenario's deal, sets what comes before the deal (a dealer) in a state and returns
            the deck that deals the hands given, or None if none are.
        position: fills a state from the fields of a scenario's position.
        facts: what else can be said of a state, by name; a scenario may expect it. Always ``totals`` (now) and ``over``
            (the session is). After a deal, where the game says it, who begins the next: ``next_leader``, or
            ``next_dealer`` where the cards decide who leads.
        fact_names: every name that ``facts`` may give.
    """

    start_fault: Callable[[AnyState], str | None]
    arrange: Callable[[AnyState, Fields], Ints | None]
    position: Callable[[AnyState, Fields], None]
    facts: Callable[[AnyState], Mapping[str, Any]]
    fact_names: tuple[str, ...]


@dataclass(frozen=True)
class Display:
    """Functions for what people are shown and told.

    Attributes:
        faces: how each card is shown in text, by word.
        scene: what a view shows, laid out as at a table.
        events: what a play brought about, from one viewer's views before and after it, the seat and the word. A
            finished trick comes last, with a code that begins with ``events.trick``.
        sheet: how a seat's payoff of a finished deal arose.
        outcome: how a finished deal was decided, in a sentence; None where the game has none.
        settlement: of a finished deal's state who has paid whom how much, as (payer, receiver, amount), where a sheet
            should show that beside what each has in all.
        combination: what a play of several cards is called, by its word: a text's key, empty where it has no name.
        card_lines: what a player should know of a card, by its word, under the options of a state: where it ranks, what
            it counts; the most important first.
        why_advised: why the rules of thumb make a play, from the mover's view, the play's first action and its word;
            None where the game gives no reasons.
        incidents: what ``verbs.incidents`` writes, in this order; explanations of plays speak of it.
    """

    faces: Mapping[str, Face]
    scene: Callable[[AnyState], Scene]
    events: Callable[[AnyState, int, str, AnyState], list[Sentence]]
    sheet: Callable[[AnyState, int], list[Sentence]]
    outcome: Callable[[AnyState], Sentence] | None = None
    settlement: Callable[[AnyState], Sequence[tuple[int, int, int]]] = nothing
    combination: Callable[[str], str] = without_name
    card_lines: Callable[[AnyState, str], Sequence[Sentence]] = nothing
    why_advised: Callable[[AnyState, int, str], Sentence] | None = None
    incidents: tuple[Incident, ...] = ()

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
        problems: moments of deals to solve (``tefuda.bots.problem``), if it has any.
        scenarios: rulings with the cards to them (``tefuda.table.scenario``): examples of the rules.
    """

    texts: Path
    decks: tuple[Path, ...] = ()
    tours: tuple[Path, ...] = ()
    net: Path | None = None
    problems: Path | None = None
    scenarios: tuple[Path, ...] = ()


@dataclass(frozen=True, eq=False)
class Description:
    """A game; hashed by identity, so that what is derived from one can be cached.

    Attributes:
        name: as typed, such as ``gong-zhu``.
        rules_version: raised when a change makes an old record play differently.
        seats: numbers of players, the usual one first.
        minutes: that a deal takes at a table with bots; 0 where nobody has said.
        difficulty: of learning it, 1 to 3; 0 where nobody has said.
        fields, record: the state's fields and their dtype.
        cards: words of the cards, by number.
        actions: size of the action space; actions are 0 … actions − 1.
        notation: how plays are written.
        rules: options, pack, refusals.
        setup: deals and positions from files.
        display: what people are shown.
        files: texts, decks, tours.
        miniature_seats: numbers of players of its miniature, none of them of the whole game's; empty if it has none.
        miniature_of: the name of the whole game, if this is a miniature; else empty.
        search: settings with which the search bot plays it best, where they differ from the usual ones
            (``tefuda.bots.search_tree.SearchSettings``; ``bench/search_parts.py`` measures them).
        search_with_net: the same at tables that the game's network knows.
        unread: fields that tell a learner of single deals nothing, or too little for their size: networks trained by
            ``tefuda train`` do not read their planes (``table/planes.py``).
        features: names and sizes of what its networks are told of a single play (``verbs.features``); empty: they read
            planes, and rate all plays at once.
        earlier_options: of each older version of the rules, the options that it was the last to have in this form.
    """

    name: str
    rules_version: int
    seats: tuple[int, ...]
    fields: Sequence[Field]
    record: np.dtype[np.void]
    cards: tuple[str, ...]
    actions: int
    notation: Notation
    rules: RuleSet
    setup: Setup
    display: Display
    files: GameFiles
    minutes: int = 0
    difficulty: int = 0
    miniature_seats: tuple[int, ...] = ()
    miniature_of: str = ""
    search: Mapping[str, float] = field(default_factory=dict)
    search_with_net: Mapping[str, float] = field(default_factory=dict)
    unread: Sequence[str] = ()
    features: Sequence[tuple[str, int]] = ()
    earlier_options: Mapping[int, Sequence[Option]] = field(default_factory=dict)
    _earlier: dict[int, "Description"] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.miniature_of:  # it has the record of the whole game
            views.declare(self.fields, self.record, max(self.seats))
        for verb in verbs.OPTIONAL:
            if self.record not in verb.implementations and verb.usual is not None:
                verbs.implements(verb, self.record)(verb.usual)

    @cached_property
    def miniature(self) -> "Description | None":
        """The game with fewer players and a smaller pack, so that all that can happen fits in memory.

        It is made for measuring, and is not offered to people: no network, no problems, no lessons go with it.
        """
        if not self.miniature_seats:
            return None
        return replace(
            self,
            name=f"{self.name}{MINIATURE}",
            seats=self.miniature_seats,
            miniature_seats=(),
            miniature_of=self.name,
            files=GameFiles(self.files.texts, self.files.decks),
        )

    @cached_property
    def personal(self) -> frozenset[str]:
        """The names of the fields that not all views have in common."""
        return frozenset({"viewer"} | {each.name for each in self.fields if each.visible is not Visible.PUBLIC})

    def as_of(self, version: int) -> "Description":
        """The game with the options of a version of its rules: records and tables go on under their own.

        An option's integers never change their meaning, so the present rules play an older version by its options.
        ``OptionError`` if there is no such version, or it is not known how it played.
        """
        if version == self.rules_version:
            return self
        if version not in self._earlier:
            self._earlier[version] = self._before(version)
        return self._earlier[version]

    def _before(self, version: int) -> "Description":
        later = range(version, self.rules_version)
        if not later or any(each not in self.earlier_options for each in later):
            raise OptionError(
                f"it follows version {version} of the rules of {self.name}; "
                f"this Tefuda plays version {self.rules_version}"
            )
        then = {option.name: option for each in reversed(later) for option in self.earlier_options[each]}
        options = tuple(then.get(option.name, option) for option in self.rules.options)
        return replace(self, rules_version=version, rules=replace(self.rules, options=options))

    def template(self, seats: int | None = None, options: Mapping[str, Value] | None = None) -> States:
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
                known = self.rules.option_by_name
                raise UnknownOptionError(f"{self.name} has no option {name!r}{nearest(name, known)}", name)
        numbers = {option.name: option.number(given.get(option.name, option.default)) for option in self.rules.options}
        words = {option.name: option.word(numbers[option.name]) for option in self.rules.options}
        excluded = self.rules.exclusions and self.rules.exclusions(seats, words)
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
