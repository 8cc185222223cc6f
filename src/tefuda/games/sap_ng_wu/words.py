"""Sap Ng Wu: how plays are written, named and explained (``34+34``, ``supreme:12+24``, ``pass``)."""

from functools import lru_cache

from tefuda.engine.kit import Incident, Ints, Sentence, advised_declaration, bits, implements, legal_words, rule, verbs
from tefuda.engine.notation import OneActionNotation, is_declaration
from tefuda.engine.sentence import likelihood
from tefuda.games.sap_ng_wu import plays
from tefuda.games.sap_ng_wu.hints import chance_to_win, discount_passed, read_odds
from tefuda.games.sap_ng_wu.plays import CARD_WORDS, COMBINATION_TEXTS, COMBINATION_WORDS, SUPREME_WORDS
from tefuda.games.sap_ng_wu.scoring import is_returned, level, play_fu, stop_payment, winning_fu
from tefuda.games.sap_ng_wu.state import State

NOTATION = OneActionNotation(
    plays.TABLE.words,
    example="cards such as 34, 34+34, 44+34+25 or 12+24; pass, stop or on; before play supreme:12+24 or supreme:none",
    cards=CARD_WORDS,
)


@lru_cache(1024)  # of each play that is legal, at each play
def combination(word: str) -> str:
    """SN-11: a set, a combination or a supreme lead."""
    if "+" not in word or is_declaration(word):
        return ""
    cards = word.split("+")
    if len(set(cards)) == 1:
        return f"combinations.set_{len(cards)}"
    if set(cards) == set(SUPREME_WORDS):
        return "scene.supreme"
    return next(
        (text for text, words in zip(COMBINATION_TEXTS, COMBINATION_WORDS, strict=True) if set(cards) <= set(words)), ""
    )


def formed(state: State) -> list[str]:
    """SN-11: sets, combinations and supreme leads."""
    return [word for word in NOTATION.words if combination(word)]


def card_lines(state: State, word: str) -> list[Sentence]:
    """SN-3 to SN-6, SN-11: where a card ranks, and the combination that it belongs to."""
    suit, words = next((suit, words) for suit, words in enumerate(plays.SUIT_WORDS) if word in words)
    place = {"place": str(words.index(word) + 1), "count": str(len(words))}
    lines = [Sentence("cards.rank", {"suit": f"@{plays.SUIT_TEXTS[suit]}", "copies": str(plays.COPIES), **place})]
    for text, cards in zip(COMBINATION_TEXTS, COMBINATION_WORDS, strict=True):
        if word in cards:
            lines.append(Sentence("cards.combination", {"combination": f"@{text}", "cards": " ".join(cards)}))
    if word in SUPREME_WORDS:
        lines.append(Sentence("cards.supreme", {"cards": " ".join(SUPREME_WORDS)}))
    return lines


def why_advised(view: State, action: int, word: str) -> Sentence:
    """SN-6, SN-10, SN-17, SN-19, SN-22, SN-27, SN-28, SN-30."""
    if word == "pass":  # why not the play that would most probably win
        others = (NOTATION.single[play] for play in legal_words(view, NOTATION.words) if play != word)
        action = max(others, key=lambda play: read_chance(view, play), default=action)
    elif is_declaration(word):
        return advised_declaration(word)
    chance, ahead = likelihood(read_chance(view, action)), int(view.contest_by[view.contest_size - 1])
    fields = {"play": NOTATION.words[action], "fu": str(play_fu(view, action)), "seat": f"#{ahead}"}
    fu = int(view.fu[ahead]) + int(winning_fu(view, view.contest[view.contest_size - 1]))
    kind = "_lead" if not view.contest_size else "_blocks" if level(view, fu) > view.declined[ahead] else ""
    return Sentence(f"advice.pass_{chance}" if word == "pass" else f"advice.{chance}{kind}", fields)


@rule
def read_chance(s: State, action: int) -> float:
    """The chance that nobody beats this play."""
    odds = read_odds(s, bits.wide(s.turn))
    discount_passed(s, odds)
    return chance_to_win(s, odds, action)


INCIDENTS = (
    Incident("stops", "SN-27", wanted=1),
    Incident("stops_high", "SN-28", wanted=1),
    Incident("other_stops", "SN-31", wanted=-1),
    Incident("other_stops_high", "SN-28", wanted=-1),
    Incident("quad", "SN-21", wanted=1),
    Incident("other_quad", "SN-21", wanted=-1),
)


@implements(verbs.incidents, State)
def incidents(state: State, seat: int, out: Ints) -> None:
    """SN-21, SN-27, SN-28, SN-31."""
    if state.stopper >= 0:
        own, high = state.stopper == seat, stop_payment(state, state.stopper) > 1
        out[0], out[1] = own, own and high
        out[2], out[3] = not own, not own and high
    if is_returned(state):
        return
    for other in range(state.seats):
        if state.quads[other] > 0:
            out[4 if other == seat else 5] = True
