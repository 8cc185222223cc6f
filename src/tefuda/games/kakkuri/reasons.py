"""Kakkuri: why a play is refused, by the rules that say what may be played."""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.description import Refusal
from tefuda.engine.notation import NO_ACTION
from tefuda.games.kakkuri.notation import NOTATION, card_list, word_of
from tefuda.games.kakkuri.plays import (
    AGREE,
    AS_CLUB_ACE,
    AS_DIAMOND_TWO,
    CARDS_OF,
    CEDE,
    DEAL,
    DROP,
    END,
    KEEP,
    PAIR,
    PASS,
    RAISE,
    RANK_OF,
    REFUSE,
    RETURN,
    SANBON,
    SANZOKU,
    SINGLE,
    SIZE_OF,
    SLOTS_OF,
    STAY,
    STEPS,
    SWAP,
    UTAZU,
)
from tefuda.games.kakkuri.rules import must_deal
from tefuda.games.kakkuri.sequences import may_continue, ranks_after
from tefuda.games.kakkuri.state import (
    CEDING,
    CLAIMING,
    CONSENT,
    EARLY,
    FREE_WRAP,
    KING,
    LEAVING,
    NEVER,
    OVER,
    RANK_LETTERS,
    RETURNING,
    RIGHT,
    SWAPPING,
    TURN,
    TWO,
    UPCARD_DEAD,
    UTAZU_CARDS,
    VOID,
)
from tefuda.games.kakkuri.turns import active_players, has_played, has_utazu, may_cede_right, may_drop

_TURN_RULES = {
    CEDING: "KK-7", SWAPPING: "KK-12", LEAVING: "KK-14", EARLY: "KK-56", TURN: "KK-29", RIGHT: "KK-43",
    RETURNING: "KK-57", CONSENT: "KK-57", CLAIMING: "KK-55",
}  # fmt: skip

# What is asked first, and the answers to it.
_QUESTIONS = {
    CEDING: (Refusal("KK-7", "choose_dealer"), (CEDE, DEAL)),
    SWAPPING: (Refusal("KK-11", "fuwaru_first"), (SWAP, KEEP)),
    LEAVING: (Refusal("KK-14", "answer_leaving"), (UTAZU, PASS, STAY, END)),
    EARLY: (Refusal("KK-56", "early_round"), (DROP, STAY)),
    RETURNING: (Refusal("KK-18", "return_question"), (RETURN, STAY)),
    CONSENT: (Refusal("KK-57", "consent_question"), (AGREE, REFUSE)),
    CLAIMING: (Refusal("KK-55", "answer_utazu"), (UTAZU, PASS, STAY, END)),
}
_NOT_ASKED = {
    PASS: Refusal("KK-55", "no_pass"),
    DEAL: Refusal("KK-7", "no_dealing"),
    STAY: Refusal("KK-56", "no_stay"),
    RETURN: Refusal("KK-57", "no_return"),
    AGREE: Refusal("KK-57", "no_consent"),
    REFUSE: Refusal("KK-57", "no_consent"),
    SWAP: Refusal("KK-11", "fuwaru_over"),
    KEEP: Refusal("KK-11", "fuwaru_over"),
}
_ASKED_ALONE = (DEAL, RETURN, AGREE, REFUSE, SWAP, KEEP)
"""Answers to one question only; to any other they are refused by the rule of their own."""

_STANDING_FOR = bits.of((AS_CLUB_ACE, AS_DIAMOND_TWO))
_WILDS = ("CA", "D2")
_CARDS = tuple(CARDS_OF.tolist())
_RANK_REASONS = {SINGLE: ("KK-31", "wrong_rank"), PAIR: ("KK-26", "pair_rank"), SANBON: ("KK-32", "group_rank")}


def why_not(state: Any, seat: int, word: str) -> Refusal | None:
    """The reason why this seat may not make this play, or None if it may.

    Raises:
        NotationError: the word is no play of this game.
    """
    action = NOTATION.actions(state, word)[0]
    phase = int(state.phase)
    if phase == OVER:
        return Refusal("KK-54", "deal_void") if state.result == VOID else Refusal("KK-48", "deal_over")
    if seat != state.turn:
        return _why_not_turn(state, seat, action)
    if phase not in (TURN, RIGHT):
        return _why_not_answer(state, action)
    if 0 <= action < STEPS or action == NO_ACTION:
        return _why_not_step(state, action, NOTATION.normal(word))
    return _why_not_said(state, action)


def _why_not_turn(state: Any, seat: int, action: int) -> Refusal:
    """KK-18, KK-21, KK-29: somebody else acts now; KK-23, KK-55: whose utazu is not lost will be asked for it."""
    if seat == state.forced_out:
        return Refusal("KK-14", "forced_out")
    if bits.has(int(state.dropped), seat) and state.phase in (TURN, RIGHT):
        return Refusal("KK-18", "dropped")
    if action == UTAZU and state.phase != CLAIMING:
        return Refusal("KK-24", "utazu_lost") if has_played(state, seat) else Refusal("KK-55", "utazu_later")
    return Refusal(_TURN_RULES[int(state.phase)], "not_your_turn", {"seat": f"#{state.turn}"})


def _why_not_answer(state: Any, action: int) -> Refusal | None:
    """KK-7, KK-11, KK-14, KK-55 to KK-57: only what is asked may be answered."""
    question, answers = _QUESTIONS[int(state.phase)]
    if action == UTAZU:
        return _why_not_utazu(state)
    if action == CEDE and state.phase == CEDING and must_deal(state):
        return Refusal("KK-7", "must_deal")
    if action in answers:
        return None
    if action in _ASKED_ALONE:
        return _why_not_asked(state, action)
    if state.phase == CONSENT:
        return Refusal("KK-57", "consent_question", {"seat": f"#{state.asker}"})
    return question


def _why_not_utazu(state: Any) -> Refusal | None:
    """KK-22 to KK-24, KK-55: utazu is claimed on one's own turn or when one is asked at the end."""
    if state.phase in (EARLY, CONSENT, SWAPPING, CEDING, RETURNING):
        dropped = bits.has(int(state.dropped), int(state.turn)) and not state.utazu_by_dropped
        return Refusal("KK-22", "utazu_dropped") if dropped else Refusal("KK-55", "utazu_later")
    if has_played(state, state.turn):
        return Refusal("KK-24", "utazu_lost")
    if not has_utazu(state, state.turn):
        missing = bits.without(UTAZU_CARDS, int(state.hands[state.turn]))
        return Refusal("KK-22", "no_utazu", {"cards": card_list(missing)})
    return None


# In a turn: what is said


def _why_not_said(state: Any, action: int) -> Refusal | None:
    """KK-17, KK-20, KK-22, KK-27, KK-39, KK-43, KK-55 to KK-57."""
    if action == UTAZU:
        return _why_not_utazu(state)
    if action == SANZOKU:
        return _why_not_sanzoku(state)
    if action == DROP:
        return _why_not_drop(state)
    if action in (END, RAISE, CEDE):
        return _why_not_right(state, action)
    if action == PASS and state.phase == RIGHT:
        return Refusal("KK-43", "choose_first")
    return _why_not_asked(state, action)


def _why_not_asked(state: Any, action: int) -> Refusal:
    """KK-7, KK-11, KK-20, KK-55 to KK-57: the answer to a question that nobody has put now."""
    if action == RETURN and state.return_consent == NEVER:
        return Refusal("KK-20", "never_return")
    return _NOT_ASKED[action]


def _why_not_sanzoku(state: Any) -> Refusal | None:
    """KK-27."""
    if has_played(state, state.turn):
        return Refusal("KK-27", "sanzoku_late")
    return Refusal("KK-27", "sanzoku_again") if bits.has(int(state.sanzoku), int(state.turn)) else None


def _why_not_drop(state: Any) -> Refusal | None:
    """KK-17, KK-49."""
    if may_drop(state):
        return None
    if active_players(state) == 1:
        return Refusal("KK-49", "last_one")
    after_card = state.begun or has_played(state, state.turn)
    return Refusal("KK-17", "too_late_after_card" if after_card else "too_late_to_drop")


def _why_not_right(state: Any, action: int) -> Refusal | None:
    """KK-43, KK-46."""
    if state.phase == TURN:
        return None if action == END else Refusal("KK-43", "no_right")
    if action == END:
        return Refusal("KK-43", "choose_first")
    if action == RAISE or may_cede_right(state):
        return None
    if active_players(state) == 1:
        return Refusal("KK-43", "cede_to_nobody")
    return Refusal("KK-46", "cannot_cede")


# In a turn: cards


def _why_not_step(state: Any, action: int, word: str) -> Refusal | None:
    """KK-26, KK-30 to KK-43; whether the cards are there, then whether they go together, then whether they fit."""
    hand = int(state.hands[state.turn])
    if action != NO_ACTION and not bits.inside(_CARDS[action], hand):
        return Refusal("KK-30", "not_held", {"cards": card_list(bits.without(_CARDS[action], hand))})
    cards = [card.partition("=") for card in word.split("+")]
    why = _why_not_together(hand, cards) if action == NO_ACTION else None
    if why is not None:
        return why
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


def _why_not_size(state: Any, action: int, ranks: set[str], size: int) -> Refusal | None:
    """KK-26, KK-32, KK-35, KK-41: what goes together in one step."""
    if bits.has(int(state.sanzoku), int(state.turn)):
        if size != PAIR:
            return Refusal("KK-26", "only_pairs")
        if len(ranks) > 1:
            return Refusal("KK-26", "mixed_pair")
        return Refusal("KK-41", "wild_in_pair") if _has_wild(action) and not state.sanzoku_wild else None
    if len(ranks) > 1:
        return Refusal("KK-32", "mixed_group")
    if size not in (SINGLE, SANBON):
        return Refusal("KK-35", "two_aces") if ranks <= set(RANK_LETTERS[: TWO + 1]) else Refusal("KK-32", "group_size")
    return Refusal("KK-41", "wild_in_group") if size == SANBON and _has_wild(action) and not state.sanbon_wild else None


def _has_wild(action: int) -> bool:
    return bool(int(SLOTS_OF[action]) & _STANDING_FOR)


def _why_not_rank(state: Any, action: int) -> Refusal | None:
    """KK-31, KK-34, KK-36, KK-37: whether the rank fits the field."""
    allowed = int(ranks_after(state, state.turn))
    if bits.has(allowed, int(RANK_OF[action])):
        return None
    if state.rank == KING:
        return _why_not_on_king(state)
    needed = [RANK_LETTERS[rank] for rank in bits.members_of(allowed)]
    word, rank = word_of(action), RANK_LETTERS[int(RANK_OF[action])]
    fields = {"card": word, "rank": rank, "needed": " / ".join(needed)}
    if word[:2] in _WILDS and SIZE_OF[action] == SINGLE:
        fits = next(rank for rank in needed if rank != word[1])
        return Refusal("KK-31", "wrong_wild", {**fields, "wild": f"{word[:2]}={fits}"})
    return Refusal(*_RANK_REASONS[int(SIZE_OF[action])], fields)


def _why_not_on_king(state: Any) -> Refusal:
    """KK-37: the K is free for its player only, or for nobody."""
    is_dead = state.field_raised and state.k_upcard == UPCARD_DEAD
    if state.k_free == FREE_WRAP:
        key = "ace_on_dead_king" if is_dead else "ace_on_king"
    else:
        key = "dead_king" if is_dead else "anothers_king"
    return Refusal("KK-37", key, {} if is_dead else {"seat": f"#{state.field_by}"})
