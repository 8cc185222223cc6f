"""Kakkuri: how plays are written, named and explained (``H9``, ``CA=8``, ``end``, ``utazu``)."""

import numpy as np

from tefuda.engine.kit import NOBODY, Incident, Ints, Sentence, Wish, advised_declaration, bits, implements, verbs
from tefuda.engine.notation import OneActionNotation, is_declaration, plain
from tefuda.games.kakkuri import plays, turns
from tefuda.games.kakkuri.hints import MOST_STEPS, count_goes, hopes_for_guri, ranks_on_own, search_runs
from tefuda.games.kakkuri.plays import CARD_WORDS, IN_TWOS, PAIR, RANK_LETTERS, SANBON, card_list
from tefuda.games.kakkuri.scoring import payment
from tefuda.games.kakkuri.state import HAND, MOST_SEATS, EarlyDrop, Ending, Phase, State
from tefuda.games.kakkuri.turns import in_turn, is_active, list_next_steps, may_drop, way_to_play

STANDING_FOR = tuple(f"{card}={rank}" for card in CARD_WORDS for rank in RANK_LETTERS if rank != card[1])
"""A card with the rank it stands for, if not its own; of every card, so that the rules can say which are wild."""

PRINTED = {f"{card}={card[1]}": card for card in CARD_WORDS}
"""KK-58: a wild used as printed is written plainly; this means the same."""


class KakkuriNotation(OneActionNotation):
    """Plays as words; ``CA=A`` is ``CA``."""

    def normal(self, word: str) -> str:
        if isinstance(word, str) and word not in self.single and "=" in plain(word):
            cards = (card.strip() for card in plain(word).upper().split("+"))
            word = "+".join(PRINTED.get(card, card) for card in cards)
        return super().normal(word)


NOTATION = KakkuriNotation(
    plays.TABLE.words,
    example="a card such as H9, CA=8 for a wild, three of a rank such as C5+H5+D5; or end, raise, cede, drop, utazu",
    cards=(*CARD_WORDS, *STANDING_FOR),
)


# Names of plays, and what a player should know of a card
_GROUPS = {PAIR: "combinations.pair", SANBON: "combinations.sanbon"}


def combination(word: str) -> str:
    """KK-26, KK-32, KK-40: two or three cards of a rank, their own or one that they stand for."""
    parts = word.split("+")
    return _GROUPS.get(len(parts), "") if len({part[-1:] for part in parts}) == 1 else ""


def card_lines(state: State, word: str) -> list[Sentence]:
    """KK-14, KK-22, KK-30, KK-34, KK-40: where a card stands in the order, and what else it can do."""
    card = plays.CARD_WORDS.index(word)
    rank = plays.rank_of(card)
    lines = [Sentence("cards.order", {"place": str(rank + 1), "count": str(plays.RANKS)})]
    if rank == plays.KING:
        lines.append(Sentence("cards.king"))
    else:
        following = plays.RANK_LETTERS[rank : rank + 2] if rank <= plays.TWO else plays.RANK_LETTERS[rank + 1]
        lines.append(Sentence("cards.follows", {"ranks": " ".join(following)}))
    if bits.has(plays.WILDS, card):
        lines.append(Sentence("cards.wild"))
    if bits.has(plays.UTAZU_CARDS, card):
        lines.append(Sentence("cards.utazu"))
    if card == plays.CLUB_THREE and state.seats == MOST_SEATS:
        lines.append(Sentence("scene.tongs"))
    return lines


def why_advised(view: State, action: int, word: str) -> Sentence:
    """KK-6, KK-18, KK-20, KK-22, KK-26, KK-38, KK-43, KK-48, KK-50."""
    if not is_declaration(word):
        return _laying(view, action)
    if word == "stay" and view.phase == Phase.RETURNING:
        return Sentence("advice.stay_out")
    if word == "end":
        if not list_next_steps(view, np.empty(MOST_STEPS, np.int64)):
            return Sentence("advice.nothing_fits")
        if hopes_for_guri(view, count_goes(view.hands[view.turn], way_to_play(view, view.turn) >= IN_TWOS)):
            return Sentence("advice.wait")
    return advised_declaration(word)


def _laying(view: State, step: int) -> Sentence:
    """KK-48, KK-51: all that the rules of thumb lay in this turn, from a step on, and what is left then."""
    run, hand, way = "", int(view.hands[view.turn]), way_to_play(view, view.turn)
    while step >= 0:
        run, hand = f"{run} {NOTATION.words[step]}", bits.without(hand, int(plays.CARDS_OF[step]))
        step = search_runs(hand, ranks_on_own(plays.RANK_OF[step]), way, count_goes(hand, way >= IN_TWOS))[0]
    code = "step" if hand else "step_guri" if view.turn_cards + view.held[view.turn] == HAND else "step_out"
    return Sentence(f"advice.{code}", {"run": run.strip(), "rest": card_list(hand)})


INCIDENTS = (
    Incident("wins", "KK-50", wanted=1),
    Incident("guri", "KK-51", wanted=1),
    Incident("caught", "KK-50", wanted=-1),
    Incident("caught_by_guri", "KK-51", wanted=-1),
    Incident("caught_by_utazu", "KK-25", wanted=-1),
)


@implements(verbs.incidents, State)
def incidents(state: State, seat: int, out: Ints) -> None:
    """KK-25, KK-50, KK-51; of a void deal (KK-54), or of who has dropped and pays no more than that, nothing."""
    if state.winner == NOBODY:
        return
    if state.winner == seat:
        out[0], out[1] = True, state.result == Ending.GURI
        return
    if state.result == Ending.UTAZU:
        out[4] = True
    elif payment(state, seat) > 0 and not bits.has(state.dropped, seat):
        out[2], out[3] = state.result == Ending.OUT, state.result == Ending.GURI


# What a seat may say before it is asked
DROP_OUT = Wish("drop", "stay")

_IN_PLAY = (Phase.EARLY, Phase.TURN, Phase.RIGHT, Phase.RETURNING, Phase.CONSENT)


def wish(state: State, seat: int) -> Wish | None:
    """KK-17, KK-56: with any_time a seat may drop until its first turn begins, and at its very start; else it stays."""
    if state.early_drop < EarlyDrop.AFTER_TURNS or state.phase not in _IN_PLAY:
        return None
    is_to_come = bits.has(state.fresh, seat) and is_active(state, seat)
    begins = seat == state.turn and in_turn(state) and state.first_turn and may_drop(state)
    return DROP_OUT if is_to_come or begins else None


def interrupt(state: State, seat: int) -> bool:
    """KK-17, KK-56: a seat that says drop has dropped, in the middle of another's turn too."""
    if not turns.may_drop_unasked(state, seat):
        return False
    if not turns.leave_deal(state, seat) and state.phase == Phase.EARLY and turns.active_players(state) == 1:
        turns.ask_next_early(state)  # a last one is not asked about dropping
    return True
