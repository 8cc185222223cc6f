"""A game's ``Description``, from which tables, bots, forms and adapters follow."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tefuda.engine import toml, verbs, views
from tefuda.engine.errors import nearest
from tefuda.engine.notation import Notation
from tefuda.engine.option import Option, OptionError, UnknownOptionError, Value
from tefuda.engine.record import EVERYTHING, AnyState, Field, Ints, States, Visible, view_masks
from tefuda.engine.scene import Face, SceneParts
from tefuda.engine.sentence import Refusal, Sentence
from tefuda.engine.texts import LANGUAGES, catalogue

SMALL = MINIATURE, TINY = "-miniature", "-tiny"  #: the ends of the names of small games, after that of the whole one


Pack = Callable[[AnyState], Ints]  #: the card numbers of the pack that a state uses

Fields = Mapping[str, object]  #: the fields of a scenario's position or deal, by name


@dataclass(frozen=True)
class Bounds:
    """Bounds that no deal with some seats and options exceeds, and that are not always reached."""

    least: int  #: payoff of a seat at least, in the smallest unit
    most: int  #: and at most
    actions: int  #: kernel actions in a deal, from the first to the last
    zero_sum: bool  #: payoffs of a deal always sum to 0


def without_name(word: str) -> str:
    """``combination`` of a game whose plays of several cards have no names."""
    return ""


class Wish(NamedTuple):
    """Something that a seat may say before it is asked."""

    play: str  #: the word
    otherwise: str  #: the answer of a seat that has not said it


class Incident(NamedTuple):
    """Something that can become of a seat in a deal, as players would say it: they take the pig, they go out.

    What is left where none of a game's incidents happens should be a plain case, such as that nothing is paid: what
    each is worth is measured against it (``bots/explanations.py``)."""

    #: of its texts: ``incidents.<name>`` where the seat is the reader's, ``incidents_of.<name>`` where it is that of
    #: ``{name}``; clauses, which sentences are made of
    name: str
    rule: str  #: number of the rule by which it counts
    wanted: int = 0  #: 1 if players want it, −1 if they avoid it (no play is praised for that), 0 if that depends
    amount: bool = False  #: it does not happen or not, but is a number, in what people count


@dataclass(frozen=True)
class RuleSet:
    """The options, and the plays that the rules refuse."""

    prefix: str  #: of the rule numbers, such as ``GZ``
    options: tuple[Option, ...]  #: what a table may decide
    pack: Pack  #: the card numbers of the pack that a state with these options uses
    #: why a seat may not make a play (a word that can be read); None if it may
    why_not: Callable[[AnyState, int, str], Refusal | None]
    #: why seats and options (by name) do not go together, a text under ``excluded``; None if they do; absent where
    #: every value goes with every other
    exclusions: Callable[[int, Mapping[str, Value]], Sentence | None] | None = None
    #: how many of the smallest unit make one of what people count (2 where half stakes are paid). Payoffs, totals and
    #: records are in the smallest unit; scenarios, sheets and whatever people read are not.
    unit: int = 1
    #: of the deals that a state with these seats and options begins; adapters to other libraries ask for them
    bounds: Callable[[AnyState], Bounds] | None = None
    #: what a seat may say at any moment, before it is asked; None if there is nothing, and absent where there never is.
    #: At a table nobody is then interrupted: it answers the question for a person who has said nothing.
    wish: Callable[[AnyState, int], Wish | None] | None = None
    #: makes the play of ``wish`` at once, while it is another's turn; False, and nothing done, if it has to wait until
    #: the seat is asked
    interrupt: Callable[[AnyState, int], bool] = lambda state, seat: False
    values: tuple[Option, ...] = ()  #: numbers that the rules name, which experiments may change, and no table

    @cached_property
    def option_by_name(self) -> dict[str, Option]:
        return {each.name: each for each in self.options}

    @cached_property
    def settings(self) -> dict[str, Option]:
        """The options and values, by name."""
        return {each.name: each for each in (*self.options, *self.values)}

    def counted(self, amount: int) -> int | float:
        """An amount in the smallest unit as people count it."""
        return amount / self.unit if amount % self.unit else amount // self.unit


@dataclass(frozen=True)
class Setup:
    """Functions that set up deals and positions from files, and that files check them by."""

    start_fault: Callable[[AnyState], str | None]  #: what is wrong with a file's state before dealing, in one line
    #: from the fields of a scenario's deal, sets what comes before the deal (a dealer) in a state and returns the deck
    #: that deals the hands given, or None if none are
    arrange: Callable[[AnyState, Fields], Ints | None]
    position: Callable[[AnyState, Fields], None]  #: fills a state from the fields of a scenario's position
    #: what else can be said of a state, by name; a scenario may expect it. Always ``totals`` (now) and ``over`` (the
    #: session is). After a deal, where the game says it, who begins the next: ``next_leader``, or ``next_dealer`` where
    #: the cards decide who leads.
    facts: Callable[[AnyState], Mapping[str, Any]]
    fact_names: tuple[str, ...]  #: every name that ``facts`` may give


@dataclass(frozen=True)
class Display:
    """Functions for what people are shown and told."""

    faces: Mapping[str, Face]  #: how each card is shown in text, by word
    #: what a view shows, laid out as at a table: what follows from what the viewer alone sees, and the rest
    own_scene: Callable[[AnyState], SceneParts]
    shared_scene: Callable[[AnyState], SceneParts]
    #: what a play brought about, from one viewer's views before and after it, the seat and the word. A finished trick
    #: comes last, with a code that begins with ``events.trick``.
    events: Callable[[AnyState, int, str, AnyState], list[Sentence]]
    sheet: Callable[[AnyState, int], list[Sentence]]  #: how a seat's payoff of a finished deal arose
    outcome: Callable[[AnyState], Sentence] | None = None  #: how a finished deal was decided; None if nothing says it
    #: of a finished deal's state who has paid whom how much, as (payer, receiver, amount), where a sheet should show
    #: that beside what each has in all
    settlement: Callable[[AnyState], Sequence[tuple[int, int, int]]] = lambda state: ()
    #: what a play of several cards is called, by its word: a text's key, empty where it has no name
    combination: Callable[[str], str] = without_name
    #: the plays of several cards that a hand may be sorted by, under the options of a state; each has a name
    formed: Callable[[AnyState], Sequence[str]] = lambda state: ()
    #: what a player should know of a card, by its word, under the options of a state: where it ranks, what it counts;
    #: the most important first
    card_lines: Callable[[AnyState, str], Sequence[Sentence]] = lambda state, word: ()
    #: why the rules of thumb make a play, from the mover's view, the play's first action and its word; None where the
    #: game gives no reasons
    why_advised: Callable[[AnyState, int, str], Sentence] | None = None
    incidents: tuple[Incident, ...] = ()  #: what ``verbs.incidents`` writes, in this order; explanations use it

    @cached_property
    def word_by_text(self) -> dict[str, str]:
        """Each card's word, by that word and by how the card is shown in text."""
        return {face.text: word for word, face in self.faces.items()} | {word: word for word in self.faces}


@dataclass(frozen=True)
class GameFiles:
    """The data files of a game."""

    #: folder of the catalogues, one TOML file a language, with ``title``, ``native``, ``about``, ``example`` (of
    #: plays), ``[rules]``, ``[options]``, ``[why]``, and the keys that sheet, scene and events give
    texts: Path
    decks: tuple[Path, ...] = ()  #: the decks it can be played with (``tefuda.decks.data``), the one of its home first
    tours: tuple[Path, ...] = ()  #: lessons for newcomers (``tefuda.table.tour``), the one to begin with first
    net: Path | None = None  #: folder of the network that plays it (``tefuda.bots.net``), if it has one
    problems: Path | None = None  #: moments of deals to solve (``tefuda.bots.problem``), if it has any
    scenarios: tuple[Path, ...] = ()  #: rulings with their cards (``tefuda.table.scenario``): examples of the rules
    presets: Path | None = None  #: known ways to play it, sets of its options with their sources, if there are any
    tiny: Path | None = None  #: how its tiny game begins, if there is one


@dataclass(frozen=True, eq=False)
class Description:
    """A game; hashed by identity, so that what is derived from one can be cached."""

    name: str  #: as typed, such as ``gong-zhu``
    rules_version: int  #: raised when a change makes an old record play differently
    seats: tuple[int, ...]  #: numbers of players, the usual one first
    fields: Sequence[Field]  #: of the state
    record: np.dtype[np.void]  #: the dtype of these fields
    cards: tuple[str, ...]  #: words of the cards, by number
    actions: int  #: size of the action space; actions are 0 … actions − 1
    notation: Notation  #: how plays are written
    rules: RuleSet  #: options, pack, refusals
    setup: Setup  #: deals and positions from files
    display: Display  #: what people are shown
    files: GameFiles  #: texts, decks, tours
    minutes: int = 0  #: that a deal takes at a table with bots; 0 where nobody has said
    difficulty: int = 0  #: of learning it, 1 to 3; 0 where nobody has said
    miniature_seats: tuple[int, ...] = ()  #: numbers of players of its miniature, none of them of the whole game's
    miniature_of: str = ""  #: the name of the whole game, if this is a miniature or a tiny game; else empty
    #: how a tiny game begins, empty for others: ``dealt``, cards that are dealt in every way, so many to ``each`` seat;
    #: ``rest``, a field in which the others lie in every order; ``options``; the other fields of its ``position``
    begins: toml.Table = field(default_factory=lambda: toml.Table({}))
    #: settings with which the search bot plays it best, where they differ from the usual ones
    #: (``tefuda.bots.search_tree.SearchSettings``; ``bench/search_parts.py`` measures them)
    search: Mapping[str, float] = field(default_factory=dict)
    search_with_net: Mapping[str, float] = field(default_factory=dict)  #: the same where the game's net knows the table
    #: fields that tell a learner of single deals nothing, or too little for their size: networks trained by ``tefuda
    #: train`` do not read their planes (``table/planes.py``)
    unread: Sequence[str] = ()
    #: names and sizes of what its networks are told of a single play (``verbs.features``); empty: they read planes, and
    #: rate all plays at once
    features: Sequence[tuple[str, int]] = ()
    #: of each older version of the rules, the options that it was the last to have in this form
    earlier_options: Mapping[int, Sequence[Option]] = field(default_factory=dict)
    _earlier: dict[int, "Description"] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.miniature_of:  # it has the record of the whole game
            views.declare(self.record, view_masks(self.fields, self.record, max(self.seats)))
        for verb in verbs.OPTIONAL:
            if self.record not in verb.implementations and verb.usual is not None:
                verbs.implements(verb, self.record)(verb.usual)

    def small(self, ending: str) -> "Description | None":
        """The game so small that all that can happen fits in memory; None if there is none with such a name.

        A miniature has fewer players and a smaller pack; a tiny game begins where few cards are left. They are made for
        measuring, and are not offered to people: no network, no problems, no lessons go with them."""
        begins = toml.read(self.files.tiny) if ending == TINY and self.files.tiny else toml.Table({})
        seats = (len(begins.value("each", list)),) if begins else self.miniature_seats if ending == MINIATURE else ()
        if not seats:
            return None
        given = begins.table("options").only(self.rules.settings)
        options = tuple(replace(each, default=given.get(each.name, each.default)) for each in self.rules.options)
        return replace(
            self,
            name=f"{self.name}{ending}",
            seats=seats,
            miniature_seats=(),
            miniature_of=self.name,
            begins=begins,
            rules=replace(self.rules, options=options),
            files=GameFiles(self.files.texts, self.files.decks),
        )

    @cached_property
    def personal(self) -> frozenset[str]:
        """The names of the fields that not all views have in common."""
        return frozenset({"viewer"} | {each.name for each in self.fields if each.visible is not Visible.PUBLIC})

    def as_of(self, version: int) -> "Description":
        """The game with the options of a version of its rules: records and tables go on under their own.

        An option's integers never change their meaning, so the present rules play an older version by its options.
        ``OptionError`` if there is no such version, or it is not known how it played."""
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

    @cached_property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """The known ways to play it, by name: ``title`` and ``about`` by language, ``source`` and ``options``."""
        return toml.read(self.files.presets) if self.files.presets else {}

    def template(self, seats: int | None = None, options: Mapping[str, Value] | None = None) -> States:
        """One record, an array of shape (1,), with these options and values by name (the others have their
        defaults, or those of the preset that ``preset`` names) and nothing dealt.

        ``OptionError`` for an unknown option, value or number of seats (by default the usual one), or values that
        exclude each other."""
        seats = self.seats[0] if seats is None else seats
        if type(seats) is not int or seats not in self.seats:
            raise OptionError(f"{self.name} is played by {' or '.join(map(str, sorted(self.seats)))}, not by {seats!r}")
        given = dict(options or {})
        if (preset := given.pop("preset", None)) is not None:
            if preset not in self.presets:
                has = f"it has: {', '.join(self.presets)}" if self.presets else "it has none"
                raise OptionError(f"{self.name} has no preset {preset!r}; {has}{nearest(str(preset), self.presets)}")
            given = {**self.presets[str(preset)]["options"], **given}
        known = self.rules.settings
        for name in given:
            if name not in known:
                raise UnknownOptionError(f"{self.name} has no option {name!r}{nearest(name, known)}", name)
        numbers = {name: option.number(given.get(name, option.default)) for name, option in known.items()}
        words = {name: option.word(numbers[name]) for name, option in known.items()}
        excluded = self.rules.exclusions and self.rules.exclusions(seats, words)
        if excluded:
            raise OptionError(catalogue(self.files.texts, LANGUAGES[0])(excluded.code, **excluded.fields), excluded)
        state = np.zeros(1, self.record)
        state["viewer"], state["seats"] = EVERYTHING, seats
        for name, number in numbers.items():
            known[name].write(state, number)
        for each in self.fields:
            if each.carried and each.start:
                state[each.name] = state[each.start] if isinstance(each.start, str) else each.start
        return state
