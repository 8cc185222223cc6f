"""Sap Ng Wu: why a play is refused, by the rules that say what may be played."""

from collections.abc import Sequence
from dataclasses import replace

from tefuda.engine.kit import NO_ACTION, Refusal, legal_words, out_of_turn
from tefuda.games.sap_ng_wu import plays, scoring
from tefuda.games.sap_ng_wu.plays import CARD_WORDS, COPIES, LAY_NONE, ON, PARTS, PASS, SHAPES, STOP, SUIT_OF
from tefuda.games.sap_ng_wu.rules import latest, may_lead_supreme
from tefuda.games.sap_ng_wu.state import Phase, ScoreMode, State
from tefuda.games.sap_ng_wu.words import NOTATION

_LAY_NOTHING = (NOTATION.words[LAY_NONE],)
SUIT_TEXTS = ("@suits.civil", "@suits.military_1", "@suits.military_2")
TURN_RULES = {Phase.SUPREMES: "SN-9", Phase.LEADING: "SN-22", Phase.FOLLOWING: "SN-12", Phase.DECIDING: "SN-23"}
"""From the first win on; before it the dealer leads, and those are asked who may lay supreme cards."""

FIRST_TURN_RULES = {**TURN_RULES, Phase.LEADING: "SN-10", Phase.DECIDING: "SN-9"}


def why_not(state: State, seat: int, word: str) -> Refusal | None:
    """The reason why this seat may not make this play, or None if it may; ``NotationError`` for what is no play."""
    action = NOTATION.actions(state, word)[0]
    phase = state.phase
    if phase == Phase.OVER:
        stopped = {"seat": f"#{state.stopper}"}
        return Refusal("SN-27", "deal_stopped", stopped) if state.stopper >= 0 else Refusal("SN-32", "deal_drawn")
    if refusal := out_of_turn(state, seat, TURN_RULES if state.contests or state.contest_size else FIRST_TURN_RULES):
        return refusal
    if action in (STOP, ON):
        return None if phase == Phase.DECIDING else _why_not_decide(state, action)
    legal = legal_words(state, NOTATION.words)
    if phase == Phase.SUPREMES:
        why = _why_not_lay(state, word, action)
    elif ":" in word:
        leads = tuple(play for play in legal if plays.is_supreme_lead(NOTATION.single[play]))  # SN-11
        why = Refusal("SN-5", "supreme_over_lead" if leads else "supreme_over", plays=leads or legal)
    elif phase == Phase.DECIDING:
        why = Refusal("SN-23", "decide_first", {"play": word})
    else:
        why = _why_not_lead(state, word, action) if phase == Phase.LEADING else _why_not_follow(state, word, action)
    return replace(why, plays=legal) if why and not why.plays else why


def _why_not_decide(state: State, action: int) -> Refusal:
    """SN-27, SN-29, SN-30: nobody is asked now about stopping."""
    if action == ON:
        return Refusal("SN-29", "on_not_now")
    fu, declined = int(state.fu[state.turn]), int(state.declined[state.turn])
    reached = int(scoring.level(state, fu))
    if reached == 0:
        return Refusal("SN-27", "stop_too_few", {"fu": str(fu)})
    if reached <= declined and (state.phase == Phase.LEADING or state.score_mode == ScoreMode.SHED):
        code = "stop_declined" if declined < state.highest_level else "stop_never"
        return Refusal("SN-30", code, {"fu": str(fu), "level": str(declined)})
    return Refusal("SN-27", "stop_not_now")


def _missing(state: State, action: int) -> str:
    """The cards of a play that the mover does not hold, each once; empty if none is missing."""
    hand = state.hands[state.turn]
    return " ".join(CARD_WORDS[face] for face, cards in PARTS[action] if hand[face] < cards)


def _why_not_lay(state: State, word: str, action: int) -> Refusal | None:
    """SN-5, SN-9."""
    if action == LAY_NONE:
        return None
    if ":" not in word:
        return Refusal("SN-9", "supreme_first", {"play": word})
    if action == NO_ACTION:
        return Refusal("SN-5", "supreme_cards", plays=_LAY_NOTHING)
    if missing := _missing(state, action):
        return Refusal("SN-5", "supreme_not_held", {"cards": missing}, _LAY_NOTHING)
    partial = state.supreme_partial or NOTATION.words[action] in legal_words(state, NOTATION.words)
    return None if partial else Refusal("SN-5", "supreme_all")


def _why_not_lead(state: State, word: str, action: int) -> Refusal | None:
    """SN-10, SN-11."""
    if action == PASS:
        singles = (word for word, copies in zip(CARD_WORDS, state.hands[state.turn], strict=True) if copies)
        return Refusal("SN-10", "leader_passes", plays=tuple(singles))
    if action == NO_ACTION:
        return Refusal("SN-11", "no_lead", {"play": word})
    if missing := _missing(state, action):
        return Refusal("SN-11", "not_held", {"cards": missing})
    if plays.is_supreme_lead(action) and not may_lead_supreme(state):
        return Refusal("SN-11", "supreme_laid")
    return None


def _why_not_follow(state: State, word: str, action: int) -> Refusal | None:
    """SN-12 to SN-16; first whether it is the kind of play that is asked for, then whether the cards are there."""
    if action == PASS:
        return None
    if action >= 0 and plays.is_supreme_lead(action):
        return Refusal("SN-16", "supreme_follows")
    best = int(latest(state))
    fields = {"play": word, "best": NOTATION.words[best]}
    why_not_kind = _why_not_set if plays.is_set(best) else _why_not_combination
    if why := why_not_kind(action, best, fields):
        return why
    missing = _missing(state, action)
    return Refusal("SN-12", "not_held_follow", {"cards": missing}) if missing else None


def _why_not_set(action: int, best: int, fields: dict[str, str]) -> Refusal | None:
    """SN-13, SN-14."""
    face, cards = divmod(best, COPIES)
    rule, name = ("SN-13", "single") if cards == 0 else ("SN-14", "set")
    fields = {**fields, "suit": SUIT_TEXTS[SUIT_OF[face]], "count": str(cards + 1)}
    if action < 0 or not plays.is_set(action) or action % COPIES != cards:
        return Refusal(rule, f"{name}_asked", fields)
    played = action // COPIES
    if SUIT_OF[played] != SUIT_OF[face]:
        return Refusal(rule, f"{name}_suit", fields)
    stronger = CARD_WORDS[plays.STRONGEST[face] : face]
    return None if CARD_WORDS[played] in stronger else _not_stronger(rule, f"{name}_not_stronger", stronger, fields)


def _not_stronger(rule: str, code: str, stronger: Sequence[str], fields: dict[str, str]) -> Refusal:
    """Refusal of the right kind of play, but too weak: what is stronger, weakest first."""
    words = {"stronger": " ".join(reversed(stronger))}
    return Refusal(rule, code, {**fields, **words}) if stronger else Refusal(rule, "nothing_stronger", fields)


def _why_not_combination(action: int, best: int, fields: dict[str, str]) -> Refusal | None:
    """SN-15."""
    if not plays.COMBINATIONS <= action < plays.SUPREME_LEADS:
        return Refusal("SN-15", "combination_asked", fields)
    if (action - best) % SHAPES:
        c, rest = divmod((best - plays.COMBINATIONS) % SHAPES, SHAPES // COPIES)
        m1, m2 = divmod(rest + 1, COPIES + 1)
        return Refusal("SN-15", "combination_numbers", {**fields, "c": str(c + 1), "m1": str(m1), "m2": str(m2)})
    if action > best:
        return None
    civil = [CARD_WORDS[face] for face in reversed(plays.COMBINATION_FACES[:, 0].tolist())]
    stronger = civil[: plays.STRENGTHS - 1 - (best - plays.COMBINATIONS) // SHAPES]
    return _not_stronger("SN-15", "combination_not_stronger", stronger, fields)
