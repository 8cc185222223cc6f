"""Luk Fu: how plays are written, named and explained (``T5``, ``~T5+K2+C3`` face down, ``tigers``)."""

from collections.abc import Mapping, Sequence

from tefuda.engine.bits import EMPTY, has, members_of, of, only, size
from tefuda.engine.kit import NOBODY, Incident, Ints, bits, implements, rule, verbs
from tefuda.engine.notation import NO_ACTION, NotationError, card_of, is_declaration, plain
from tefuda.engine.record import States
from tefuda.engine.sentence import Sentence, advised_declaration, likelihood
from tefuda.games.luk_fu import plays
from tefuda.games.luk_fu.cards import ALWAYS_OLD, CARD_WORDS, FIVE_TIGERS, RANKS, RED_CARDS, SPECIAL, SUITS
from tefuda.games.luk_fu.hints import chance_to_win, read_holding
from tefuda.games.luk_fu.plays import CARDS_OF, DOWN, SHOW_TIGERS, TABLE, THROW, is_run, is_throw, is_tigers
from tefuda.games.luk_fu.rules import next_active
from tefuda.games.luk_fu.scoring import shares_due
from tefuda.games.luk_fu.state import Phase, State

WORDS = tuple(TABLE.words)
SAID = WORDS[SHOW_TIGERS:]
EXAMPLE = "a card such as T5, a set or sequence such as T9+K9+S9 or K1+K2+K3, ~T5+K2+C3 for cards thrown face down"

_NUMBERS = {word: card for card, word in enumerate(CARD_WORDS)}


def joined(cards: int, between: str = "+") -> str:
    """The cards of a set in words: strongest suit first, in a suit from the lowest up; L last."""
    return TABLE.write(members_of(cards), between)


def card_list(cards: int) -> str:
    """The cards of a set, written with blanks."""
    return joined(cards, " ")


def split(word: str) -> tuple[bool, int]:
    """Tell if a word throws face down, and its cards; ``NotationError`` if it names none, or one twice."""
    cards, read = EMPTY, plain(word)
    down = read.startswith(DOWN)
    for code in read.removeprefix(DOWN).split("+"):
        number = _NUMBERS.get(card_of(code, _NUMBERS))
        if number is None:
            hint = f"name the cards, such as {DOWN}T5+K2" if down and code.isdecimal() else f"write {EXAMPLE}"
            raise NotationError(f"{word!r} is not a play: {hint}")
        if has(cards, number):
            raise NotationError(f"{word!r} is not a play: {CARD_WORDS[number]} stands twice")
        cards |= int(only(number))
    return down, cards


def cards_due(state: State) -> int:
    """Number of cards that the mover has to throw if nothing is beaten; 0 for a mover who does not follow."""
    return (int(state.to_throw) or int(state.led_count)) if state.phase == Phase.FOLLOWING else 0


SINGLE = {word: action for action, word in enumerate(WORDS) if not word.startswith(DOWN)}
"""The actions that are a whole play, by word."""


def actions_of(state: State, word: str) -> tuple[int, ...]:
    """The actions that make a play, legal or not; ``NO_ACTION`` alone for cards that make none."""
    said = plain(word).lower()
    if said in SAID:
        return (SINGLE[said],)
    down, cards = split(word)
    if not down:
        return (SINGLE.get(joined(cards), NO_ACTION),)
    if size(cards) != cards_due(state):
        return (NO_ACTION,)
    return tuple(THROW + card for card in members_of(cards))


class LukFuNotation:
    """Plays as words; a throw of several cards is one action a card, ascending."""

    words = WORDS
    single: Mapping[str, int] = SINGLE

    def plays(self, states: States, actions: Sequence[int]) -> list[str]:
        due = cards_due(states[0]) if actions and is_throw(actions[0]) else 1
        return [f"{DOWN}{due}"] if due > 1 else list(map(WORDS.__getitem__, actions))

    def actions(self, states: States, word: str) -> tuple[int, ...]:
        return actions_of(states[0], word)

    def word(self, states: States, actions: Sequence[int]) -> str | None:
        if not is_throw(actions[0]):
            return WORDS[actions[0]]
        return None if cards_due(states[0]) > 1 else DOWN + joined(of(action - THROW for action in actions))

    def normal(self, word: str) -> str:
        read = plain(word)
        if read.lower() in SAID:
            return read.lower()
        if read.startswith(DOWN) and read[1:].isdecimal():
            return DOWN + str(int(read[1:]))
        down, cards = split(word)
        return DOWN + joined(cards) if down else joined(cards)


NOTATION = LukFuNotation()


# Names of plays, and what a player should know of a card
SUIT_TEXTS = ("scene.cash", "scene.strings", "scene.kwan", "scene.tens")


def combination(word: str) -> str:
    """LF-14, LF-45: a triple, a quad, a sequence or the five tigers; what is thrown face down has no name."""
    if "+" not in word or is_declaration(word) or word.startswith(DOWN):
        return ""
    cards = split(word)[1]
    count = bits.size(cards)
    if is_tigers(cards, count):
        return "scene.tigers"
    if bits.has(cards, SPECIAL) or not is_run(cards):
        return "combinations.triple" if count < SUITS else "combinations.quad"
    return f"combinations.run_{count}"


def formed(state: State) -> list[str]:
    """LF-14, LF-15, LF-45: sets and sequences; with L, and the five tigers, where the table plays so."""
    with_special = {"scene.tigers": state.tigers_lead}
    named = ((word, combination(word)) for word in SINGLE)
    return [word for word, name in named if name and ("L" not in word or with_special.get(name, state.special_in_sets))]


def card_lines(state: State, word: str) -> list[Sentence]:
    """LF-18, LF-22, LF-33, LF-45, LF-49: where a card ranks, whether it is always old, a tiger, or red."""
    card = CARD_WORDS.index(word)
    lines = []
    if card != SPECIAL:
        place = {"place": str(RANKS - card % RANKS), "count": str(RANKS)}
        lines.append(Sentence("cards.rank", {"suit": f"@{SUIT_TEXTS[card // RANKS]}", **place}))
        lines.append(Sentence("cards.suit", {"place": str(SUITS - card // RANKS), "count": str(SUITS)}))
    if bits.has(ALWAYS_OLD, card):
        lines.append(Sentence("cards.always_old"))
    if bits.has(FIVE_TIGERS, card):
        lines.append(Sentence("cards.tiger"))
    if state.red_bonus and bits.has(RED_CARDS, card):
        lines.append(Sentence("cards.red"))
    return lines


def why_advised(view: State, action: int, word: str) -> Sentence:
    """LF-9, LF-18, LF-30 to LF-33, LF-41, LF-45; LF-51: an eldest who passes with a long combination is paid less."""
    hand = int(view.hands[view.turn])
    if view.phase == Phase.DECLARING:
        improper = word == "pass" and view.turn == view.eldest and view.pass_penalty
        improper = improper and plays.has_long_combination(view, hand)
        return Sentence("advice.pass_improper") if improper else _naming_unbeaten(view, word, hand)
    if action >= plays.SHOW_TIGERS:
        rivals = max(view.tricks[seat] for seat in range(view.seats) if seat != view.turn)
        return advised_declaration("on_lead" if word == "on" and rivals + view.held[view.turn] >= SIX else word)
    if word.startswith(DOWN):
        thrown = of(card for card in members_of(hand) if CARD_WORDS[card] in word)
        if thrown & ALWAYS_OLD and view.turn != view.declarer:
            return Sentence("advice.throws_old", {"cards": card_list(thrown & ALWAYS_OLD)})
        return _naming_unbeaten(view, "throws", bits.without(hand, thrown | ALWAYS_OLD))
    how, behind = "leads" if view.phase == Phase.LEADING else "beats", next_active(view, int(view.turn))
    return Sentence(f"advice.{how}_{likelihood(read_chance(view, action))}", {"seat": f"#{behind}"})


def _naming_unbeaten(view: State, code: str, cards: int) -> Sentence:
    """LF-32, LF-33: the text with those of these cards that nobody can beat; the one without, if there are none."""
    best = of(card for card in members_of(cards) if not plays.higher_singles(read_holding(view).out, int(only(card))))
    return Sentence(f"advice.{code}_with", {"cards": card_list(best)}) if best else Sentence(f"advice.{code}")


@rule
def read_chance(s: State, action: int) -> float:
    """The chance that nobody beats what the mover leads or beats with."""
    cards = CARDS_OF[action]
    return chance_to_win(s, read_holding(s), cards, bits.size(cards))


SIX, MANY = 6, 8  # LF-43: tricks that win; LF-46: tricks of a win that is worth three chips a share, or more

INCIDENTS = (
    Incident("wins", "LF-43", wanted=1),
    Incident("wins_many", "LF-46", wanted=1),
    Incident("pays_both", "LF-47", wanted=-1),
    Incident("pays", "LF-47", wanted=-1),
    Incident("overtaken", "LF-42", wanted=-1),
)


@implements(verbs.incidents, State)
def incidents(state: State, seat: int, out: Ints) -> None:
    """LF-42, LF-43, LF-46, LF-47; in a draw (LF-44) or a deal thrown in (LF-10) nothing."""
    winner, tricks = bits.wide(state.last_to_six), bits.wide(state.tricks[seat])
    if winner == NOBODY:
        return
    if winner == seat:
        out[0], out[1] = True, tricks >= MANY
        return
    shares = shares_due(state, winner, seat)
    out[2], out[3] = shares == 2, shares == 1
    out[4] = tricks >= SIX
