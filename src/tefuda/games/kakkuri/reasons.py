"""Kakkuri: why a play is refused, by the rules that say what may be played."""

import numpy as np

from tefuda.engine.kit import NO_ACTION, Refusal, bits, out_of_turn
from tefuda.games.kakkuri import plays, turns
from tefuda.games.kakkuri.box import is_to_gather
from tefuda.games.kakkuri.plays import KING, RANK_LETTERS, TWO, UTAZU_CARDS, card_list
from tefuda.games.kakkuri.rules import legal, listed, must_deal
from tefuda.games.kakkuri.state import Ending, KingFreedom, Phase, RaisedKing, ReturnConsent, State
from tefuda.games.kakkuri.turns import active_players, has_played, in_turn, may_cede_right, may_continue
from tefuda.games.kakkuri.words import NOTATION

_TURN_RULES = {
    Phase.CEDING: "KK-7", Phase.SWAPPING: "KK-12", Phase.LEAVING: "KK-14", Phase.EARLY: "KK-56", Phase.TURN: "KK-29",
    Phase.RIGHT: "KK-43", Phase.RETURNING: "KK-57", Phase.CONSENT: "KK-57", Phase.CLAIMING: "KK-55",
}  # fmt: skip
_QUESTIONS = {
    Phase.CEDING: Refusal("KK-7", "choose_dealer"),
    Phase.SWAPPING: Refusal("KK-11", "fuwaru_first"),
    Phase.LEAVING: Refusal("KK-14", "answer_leaving"),
    Phase.EARLY: Refusal("KK-56", "early_round"),
    Phase.RETURNING: Refusal("KK-18", "return_question"),
    Phase.CLAIMING: Refusal("KK-55", "answer_utazu"),
}
"""Questions that come first."""

_NOT_ASKED = {
    plays.PASS: Refusal("KK-55", "no_pass"),
    plays.DEAL: Refusal("KK-7", "no_dealing"),
    plays.STAY: Refusal("KK-56", "no_stay"),
    plays.RETURN: Refusal("KK-57", "no_return"),
    plays.AGREE: Refusal("KK-57", "no_consent"),
    plays.REFUSE: Refusal("KK-57", "no_consent"),
    plays.SWAP: Refusal("KK-11", "fuwaru_over"),
    plays.KEEP: Refusal("KK-11", "fuwaru_over"),
}
_ASKED_ALONE = (plays.DEAL, plays.RETURN, plays.AGREE, plays.REFUSE, plays.SWAP, plays.KEEP)
"""Answers to one question only; to any other they are refused by the rule of their own."""

_STANDING_FOR = bits.of((plays.AS_CLUB_ACE, plays.AS_DIAMOND_TWO))
_WILDS = ("CA", "D2")
_NUMBERED = {"Q": "Q (10)", "J": "J (11)"}
"""KK-30: the court cards that stand in another order than in other games, with their numbers."""

_RANK_REASONS = (("KK-31", "wrong_rank"), ("KK-26", "pair_rank"), ("KK-32", "group_rank"))  # by the number of cards


def why_not(state: State, seat: int, word: str) -> Refusal | None:
    """The reason why this seat may not make this play, or None if it may; ``NotationError`` for what is no play."""
    action = NOTATION.actions(state, word)[0]
    if state.phase == Phase.OVER:
        return Refusal("KK-54", "deal_void") if state.result == Ending.VOID else Refusal("KK-48", "deal_over")
    if seat != state.turn:
        return _why_not_turn(state, seat, action)
    if action == plays.UTAZU:
        return _why_not_utazu(state)
    if not in_turn(state):
        return _why_not_answer(state, action)
    if action < plays.STEPS:
        return _why_not_step(state, action, NOTATION.normal(word))
    return _why_not_said(state, action)


def _why_not_turn(state: State, seat: int, action: int) -> Refusal | None:
    """KK-18, KK-21, KK-29: another seat acts now; KK-23, KK-55: a seat that may have utazu will be asked for it."""
    if seat == state.forced_out:
        return Refusal("KK-14", "forced_out")
    if bits.has(state.dropped, seat):
        if action == plays.RETURN:
            return _why_not_return(state, seat)
        if in_turn(state):
            return Refusal("KK-18", "dropped")
    if action == plays.DROP and turns.may_drop_unasked(state, seat):
        return None
    if action == plays.DROP and in_turn(state) and bits.has(state.fresh, seat):
        return Refusal("KK-56", "drop_at_first_turn")
    if action == plays.UTAZU and state.phase != Phase.CLAIMING:
        return Refusal("KK-24", "utazu_lost") if has_played(state, seat) else Refusal("KK-55", "utazu_later")
    return out_of_turn(state, seat, _TURN_RULES)


def _why_not_return(state: State, seat: int) -> Refusal:
    """KK-20, KK-57: when a dropped seat will be asked whether it returns, if at all."""
    if state.return_consent == ReturnConsent.NEVER:
        return Refusal("KK-20", "never_return")
    if not is_to_gather(state, seat):
        return Refusal("KK-20", "hand_in_box")
    return Refusal("KK-57", "return_next_lap" if bits.has(state.asked, seat) else "return_later")


def _why_not_answer(state: State, action: int) -> Refusal | None:
    """KK-7, KK-11, KK-14, KK-55 to KK-57: only what is asked may be answered."""
    answers = np.empty(2, np.int64)
    if listed(state, action) in answers[: legal(state, answers)]:
        return None
    if state.phase == Phase.CEDING and must_deal(state):
        return Refusal("KK-7", "must_deal")
    if action in _ASKED_ALONE:
        return _why_not_asked(state, action)
    if state.phase == Phase.CONSENT:
        return Refusal("KK-57", "consent_question", {"seat": f"#{state.asker}"})
    return _QUESTIONS[state.phase]


def _why_not_utazu(state: State) -> Refusal | None:
    """KK-22 to KK-24, KK-55: utazu is claimed on one's own turn or when one is asked at the end."""
    if not in_turn(state) and state.phase not in (Phase.LEAVING, Phase.CLAIMING):
        dropped = bits.has(state.dropped, state.turn) and not state.utazu_by_dropped
        return Refusal("KK-22", "utazu_dropped") if dropped else Refusal("KK-55", "utazu_later")
    if has_played(state, state.turn):
        return Refusal("KK-24", "utazu_lost")
    if not turns.has_utazu(state, state.turn):
        missing = bits.without(UTAZU_CARDS, state.hands[state.turn])
        return Refusal("KK-22", "no_utazu", {"cards": card_list(missing)})
    return None


def _why_not_said(state: State, action: int) -> Refusal | None:
    """KK-17, KK-20, KK-27, KK-39, KK-43, KK-55 to KK-57."""
    if action == plays.SANZOKU:
        if has_played(state, state.turn):
            return Refusal("KK-27", "sanzoku_late")
        return Refusal("KK-27", "sanzoku_again") if bits.has(state.sanzoku, state.turn) else None
    if action == plays.DROP:
        return _why_not_drop(state)
    if action in (plays.END, plays.RAISE, plays.CEDE):
        return _why_not_right(state, action)
    if action == plays.PASS and state.phase == Phase.RIGHT:
        return _what_to_choose(state)
    return _why_not_asked(state, action)


def _why_not_asked(state: State, action: int) -> Refusal:
    """KK-7, KK-11, KK-20, KK-55 to KK-57: the answer to a question that nobody has put now."""
    if action == plays.RETURN and state.return_consent == ReturnConsent.NEVER:
        return Refusal("KK-20", "never_return")
    return _NOT_ASKED[action]


def _why_not_drop(state: State) -> Refusal | None:
    """KK-17, KK-49."""
    if turns.may_drop(state):
        return None
    if active_players(state) == 1:
        return Refusal("KK-49", "last_one")
    after_card = state.begun or has_played(state, state.turn)
    return Refusal("KK-17", "too_late_after_card" if after_card else "too_late_to_drop")


def _why_not_right(state: State, action: int) -> Refusal | None:
    """KK-43, KK-46."""
    if state.phase == Phase.TURN:
        return None if action == plays.END else Refusal("KK-43", "no_right")
    if action == plays.END:
        return _what_to_choose(state)
    if action == plays.RAISE or may_cede_right(state):
        return None
    return Refusal("KK-43", "cede_to_nobody") if active_players(state) == 1 else Refusal("KK-46", "cannot_cede")


def _what_to_choose(state: State) -> Refusal:
    """KK-43: the holder of the right must choose, of what is possible now."""
    if active_players(state) == 1:
        return Refusal("KK-43", "cede_to_nobody")
    if not may_cede_right(state):
        return Refusal("KK-43", "cannot_cede")
    return Refusal("KK-43", "choose_first" if may_continue(state) else "raise_or_cede")


def _why_not_step(state: State, action: int, word: str) -> Refusal | None:
    """KK-26, KK-30 to KK-43; whether the cards are there, then whether they go together, then whether they fit."""
    hand = int(state.hands[state.turn])
    cards = [card.partition("=") for card in word.split("+")]
    if action == NO_ACTION:
        if why := _why_not_together(hand, cards):
            return why
    elif missing := bits.without(int(plays.CARDS_OF[action]), hand):
        return Refusal("KK-30", "not_held", {"cards": card_list(missing)})
    if not may_continue(state):
        return Refusal("KK-43", "raise_or_cede")
    ranks = {rank or card[1] for card, _, rank in cards}
    return _why_not_size(state, action, ranks, len(cards)) or _why_not_rank(state, action)


def _why_not_together(hand: int, cards: list[tuple[str, str, str]]) -> Refusal | None:
    """KK-30, KK-40: of cards that are no step, whether they are held, each once, and the wilds wild."""
    for card, stands_for, _ in cards:
        if stands_for and card not in _WILDS:
            return Refusal("KK-40", "not_wild", {"card": card})
    held, names = card_list(hand).split(), [card for card, _, _ in cards]
    missing = [card for card in names if card not in held or names.count(card) > 1]
    return Refusal("KK-30", "not_held", {"cards": " ".join(dict.fromkeys(missing))}) if missing else None


def _why_not_size(state: State, action: int, ranks: set[str], size: int) -> Refusal | None:
    """KK-26, KK-32, KK-35, KK-41: what goes together in one step."""
    if bits.has(state.sanzoku, state.turn):
        if size != plays.PAIR:
            return Refusal("KK-26", "only_pairs")
        if len(ranks) > 1:
            return Refusal("KK-26", "mixed_pair")
        return Refusal("KK-41", "wild_in_pair") if _has_wild(action) and not state.sanzoku_wild else None
    if len(ranks) > 1:
        return Refusal("KK-32", "mixed_group")
    if size not in (plays.SINGLE, plays.SANBON):
        return Refusal("KK-35", "two_aces") if ranks <= set(RANK_LETTERS[: TWO + 1]) else Refusal("KK-32", "group_size")
    barred = size == plays.SANBON and _has_wild(action) and not state.sanbon_wild
    return Refusal("KK-41", "wild_in_group") if barred else None


def _has_wild(action: int) -> bool:
    """True if CA or D2 stands for another rank in this step."""
    return bool(plays.SLOTS_OF[action] & _STANDING_FOR)


def _why_not_rank(state: State, action: int) -> Refusal | None:
    """KK-31, KK-34, KK-36, KK-37: whether the rank fits the field."""
    rank, size = int(plays.RANK_OF[action]), int(plays.SIZE_OF[action])
    allowed = turns.ranks_after(state, state.turn)
    if bits.has(allowed, rank):
        return None
    if state.rank == KING:
        return _why_not_on_king(state)
    letters = [RANK_LETTERS[rank] for rank in bits.members_of(allowed)]
    word = NOTATION.words[action]
    needed = " / ".join(_NUMBERED.get(letter, letter) for letter in letters)
    fields = {"card": word, "rank": RANK_LETTERS[rank], "needed": needed}
    if word[:2] in _WILDS and size == plays.SINGLE:
        fits = next(letter for letter in letters if letter != word[1])
        return Refusal("KK-31", "wrong_wild", {**fields, "wild": f"{word[:2]}={fits}"})
    return Refusal(*_RANK_REASONS[size - 1], fields)


def _why_not_on_king(state: State) -> Refusal:
    """KK-37: the K is free for its player only, or for nobody."""
    is_dead = state.field_raised and state.k_upcard == RaisedKing.DEAD
    if state.k_free == KingFreedom.WRAP_TO_ACE:
        key = "ace_on_dead_king" if is_dead else "ace_on_king"
    else:
        key = "dead_king" if is_dead else "anothers_king"
    return Refusal("KK-37", key, {} if is_dead else {"seat": f"#{state.field_by}"})
