"""Sap Ng Wu: how a view is laid out, what is told of each play, and how a payoff arose, line by line."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from tefuda.engine.kit import Sentence, bits, reads_public, sheet_line
from tefuda.engine.scene import BLUE, GREEN, ORANGE, Face, Group, SceneParts, SeatScene, places
from tefuda.games.sap_ng_wu import plays, rules, scoring
from tefuda.games.sap_ng_wu.plays import CARD_WORDS, SUIT_OF, SUIT_TEXTS, SUIT_WORDS, card_list
from tefuda.games.sap_ng_wu.state import Phase, State
from tefuda.games.sap_ng_wu.words import NOTATION, combination

latest, winning_fu = reads_public(rules.latest), reads_public(scoring.winning_fu)
level_of, fu_of_level = reads_public(scoring.level), reads_public(scoring.fu_of_level)

PHASE_TEXTS = ("phase.supremes", "phase.leading", "phase.following", "phase.deciding", "phase.over")

# The first character of each name: for military cards the sum of the pips, which shows the combination.
_CHARACTERS = "天地人鵝梅長板斧紅高六" + "九八七六五么" + "九八七五"

_COLOURS = (ORANGE, BLUE, GREEN)
FACES = {
    word: Face(word + name, _COLOURS[SUIT_OF[face]], name)
    for face, (word, name) in enumerate(zip(CARD_WORDS, _CHARACTERS, strict=True))
}

COMBINATIONS = (
    *map(Group, plays.COMBINATION_TEXTS[::-1], plays.COMBINATION_WORDS[::-1]),
    Group("scene.supreme", plays.SUPREME_WORDS),
)
"""SN-11, SN-15: from the strongest; then the one that nothing beats."""

REFERENCE = (*map(Group, SUIT_TEXTS, SUIT_WORDS), *COMBINATIONS)


def own_scene(view: State) -> SceneParts:
    """The hand, and the combinations."""
    hand, beside = _held(view.hands[view.viewer].tobytes()) if view.viewer >= 0 else ((), ())
    return {"hand": hand, "beside": beside}


def shared_scene(view: State) -> SceneParts:
    """All but what the viewer holds."""
    return {
        "phase": PHASE_TEXTS[view.phase],
        "number": 0,
        "tricks": 0,
        "seats": places(view, _seat),
        "reference": REFERENCE,
        "winning": int(view.contest_by[view.contest_size - 1]) if view.contest_size else -1,
        "stake": tuple(_stake(view, int(view.contest_by[view.contest_size - 1]))) if view.contest_size else (),
    }


def _stake(view: State, ahead: int) -> Iterator[tuple[str, dict[str, str]]]:
    """SN-19, SN-27: what the latest play wins, and whether its player may stop then."""
    won = int(winning_fu(view, int(latest(view))))
    if won:
        yield "scene.stake_fu", {"fu": str(won)}
    level = level_of(view, int(view.fu[ahead]) + won)
    if level > view.declined[ahead]:
        yield "scene.stake_stop", {"seat": f"#{ahead}", "level": str(level)}


@lru_cache(1024)
def _words(counts: bytes) -> tuple[str, ...]:
    return tuple(card_list(counts).split())


@lru_cache(1024)  # a hand stays as it is while the others play
def _held(counts: bytes) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
    """A hand suit by suit, the strongest card first; and the combinations, with those of their cards marked."""
    held = _words(counts)
    suits = (
        (label, tuple(card for card in held if card in words))
        for label, words in zip(SUIT_TEXTS, SUIT_WORDS, strict=True)
    )
    marked = (replace(group, marked=tuple(card for card in group.cards if card in held)) for group in COMBINATIONS)
    return tuple(Group(label, words) for label, words in suits if words), tuple(marked)


def _seat(view: State, seat: int) -> SeatScene:
    """SN-6, SN-20, SN-27, SN-30: supreme cards laid and cards won lie face up; fu count up to the next stop."""
    piles = (("scene.laid", _words(view.laid[seat].tobytes())), ("scene.won", _words(view.won[seat].tobytes())))
    fu, declined = int(view.fu[seat]), int(view.declined[seat])
    notes: list[tuple[str, dict[str, str]]] = [("scene.fu", {"fu": str(fu)})]
    if declined:
        notes.append(("scene.declined", {"level": str(declined)}))
    if bits.has(view.passed, seat):
        notes.append(("scene.passed", {}))
    # SN-27, SN-30: nothing more counts for a player who has declined at the highest level
    tally = (0, 0) if declined == view.highest_level else (fu, int(fu_of_level(view, declined + 1)))
    groups = tuple(Group(label, words) for label, words in piles if words)
    total = int(view.totals[seat])
    return SeatScene(int(view.held[seat]), _played(view, seat), groups, total, seat, tuple(notes), tally)


def _played(view: State, seat: int) -> str:
    for place in reversed(range(view.contest_size)):
        if view.contest_by[place] == seat:
            return NOTATION.words[view.contest[place]]
    return ""


def shown(word: str) -> str:
    """The cards of a play with their names."""
    return " ".join(FACES[card].text for card in word.split("+"))


def events(before: State, seat: int, word: str, after: State) -> list[Sentence]:
    """Sentences worth telling of a play: cards laid or put down, a pass, a contest won, money, a stop, the end."""
    who = {"seat": f"#{seat}"}
    told = []
    if word in ("stop", "on"):
        fu = int(after.fu[seat])
        told.append(Sentence(f"events.{word}", {**who, "fu": str(fu), "level": str(level_of(after, fu))}))
    elif word == "supreme:none":
        told.append(Sentence("events.lays_nothing", who))
    elif word.startswith("supreme:"):
        laid = shown(word.partition(":")[2])
        told.append(Sentence("events.lays", {**who, "cards": laid, "fu": str(after.fu[seat])}))
    elif word == "pass":
        told.append(Sentence("events.pass", who))
    else:
        name = combination(word)
        how = ("events.combination", {"name": f"@{name}"}) if name else ("events.plays", {})
        told.append(Sentence(how[0], {**who, **how[1], "cards": shown(word)}))
    if after.contests > before.contests:
        told.append(_contest_won(before, seat, word, after))
    told += [
        Sentence("events.quad", {"seat": f"#{owner}", "count": str(after.quads[owner] - before.quads[owner])})
        for owner in range(after.seats)
        if after.quads[owner] > before.quads[owner]
    ]
    return [*told, Sentence("events.drawn")] if after.phase == Phase.OVER and after.stopper < 0 else told


def _contest_won(before: State, seat: int, word: str, after: State) -> Sentence:
    """SN-19: the latest play has won; its player's fu are told as they are now."""
    winner, best = seat, word
    if word == "pass":
        winner, best = int(before.contest_by[before.contest_size - 1]), NOTATION.words[latest(before)]
    fields = {"number": str(after.contests), "cards": shown(best), "fu": str(after.fu[winner])}
    return Sentence("events.trick", {"seat": f"#{winner}", **fields})


def outcome(state: State) -> Sentence:
    """SN-28, SN-31: who stopped, at which level."""
    if state.stopper < 0:
        return Sentence("outcome.drawn")
    level, fu = scoring.stop_payment(state, state.stopper), state.fu[state.stopper]
    return Sentence("outcome.stopped", {"seat": f"#{state.stopper}", "level": str(int(level)), "fu": str(fu)})


def sheet(state: State, seat: int) -> list[Sentence]:
    """SN-28, SN-31, SN-32 and SN-21: fu, then who stopped, then fours of a kind."""
    lines = [Sentence("sheet.fu", {"fu": str(state.fu[seat]), "count": str(state.won[seat].sum())})]
    if state.laid[seat].any():
        lines.append(Sentence("sheet.laid", {"cards": card_list(state.laid[seat])}))
    return [*lines, _end(state, seat), *_quads(state, seat)]


def _end(state: State, seat: int) -> Sentence:
    if state.stopper < 0:
        return Sentence("sheet.drawn")
    level, stops = int(scoring.stop_payment(state, state.stopper)), seat == state.stopper
    points = level * (int(state.seats) - 1) if stops else -level
    return sheet_line("stopped" if stops else "pays", points, seat=f"#{state.stopper}", level=str(level))


def _quads(state: State, seat: int) -> list[Sentence]:
    own, others, price = int(state.quads[seat]), int(state.quads.sum() - state.quads[seat]), int(state.quad)
    if scoring.is_returned(state):
        return [Sentence("sheet.quads_returned")] if own + others else []
    lines = [sheet_line("quads", own * price * (int(state.seats) - 1), count=str(own))] if own else []
    return [*lines, sheet_line("quads_paid", -others * price, count=str(others))] if others else lines
