"""Gong Zhu: positions as scenario files write them, and what such files may expect of a state."""

from tefuda.engine.kit import NOBODY, bits, clear_deal, defaults, session_facts, session_fault
from tefuda.engine.kit.french import CARD_WORDS
from tefuda.engine.kit.positions import CardReader, Fields, PositionError
from tefuda.engine.kit.trick_game import play_trick, set_tricks
from tefuda.games.gong_zhu.cards import EXPOSABLE_CARDS
from tefuda.games.gong_zhu.rules import asks_exposing, play_card
from tefuda.games.gong_zhu.scoring import deck_in_use, pack
from tefuda.games.gong_zhu.state import ALWAYS_OPEN, ExposeOrder, Phase, State

FIELDS = ("hands", "dealer", "to_move", "captured", "exposed", "led", "trick", "totals", "phase")
FACTS = ("totals", "tricks", "next_leader", "next_dealer", "over")

arrange = defaults.arrange(CARD_WORDS, pack, ("hands", "dealer"))  # GZ-2: the deck that deals these hands


def position(state: State, fields: Fields) -> None:
    """Set a moment of a deal in a state that has its options; ``PositionError`` for one that cannot be."""
    reader = CardReader(fields, FIELDS, CARD_WORDS, int(deck_in_use(state)), int(state.seats))
    clear_deal(state)
    reader.seat_of("dealer", 0)  # GZ-1: nobody, but a file may name one
    set_tricks(state, reader)
    state.own_totals[:] = state.totals
    plays = reader.seated_plays("trick")
    _set_phase(state, reader, plays)
    _set_exposed(state, reader)
    play_trick(state, reader, plays, _lay)


def _set_phase(state: State, reader: CardReader, plays: list[tuple[int, str]]) -> None:
    state.phase = reader.word("phase", {"play": Phase.PLAYING, "expose": Phase.EXPOSING})
    if state.phase == Phase.EXPOSING:
        if plays or state.won.any() or reader.fields.get("led"):
            raise PositionError("phase: no card has been played while exposing goes on")
        if not asks_exposing(state):
            raise PositionError("phase: nobody is asked to expose at a table with exposing=false or always_open")
    elif not plays and not state.held.any():
        state.phase = Phase.OVER
    state.turn = state.leads_first = reader.first_to_act(plays, 0)


def _set_exposed(state: State, reader: CardReader) -> None:
    """GZ-5: cards held, played to the trick or captured; those always open need not be named."""
    opened = ALWAYS_OPEN[state.always_open]
    cards = reader.named(reader.fields.get("exposed", ""), "exposed")
    wrong = bits.without(cards, opened or EXPOSABLE_CARDS)
    if wrong:
        raise PositionError(f"exposed: {CARD_WORDS[bits.lowest(wrong)]} cannot be exposed (GZ-5)")
    if cards and not state.exposing:
        raise PositionError("exposed: nobody exposes at a table with exposing=false")
    state.exposed = cards | opened
    for seat in range(state.seats):
        state.shown[seat] = state.exposed_by[seat] = state.hands[seat] & state.exposed
    if state.phase == Phase.EXPOSING and state.expose_order == ExposeOrder.SINGLE_ROUND:
        _count_answers(state)


def _count_answers(state: State) -> None:
    """GZ-7, one round: who has a card exposed has answered, and so have all from the first of them up to the mover."""
    for answers in range(int(state.seats) - 1, 0, -1):
        leader = (state.turn - answers) % state.seats
        if state.shown[leader]:
            state.leads_first, state.answers = leader, answers
            return


def _lay(state: State, card: int) -> None:
    state.exposed_by[state.turn] |= state.exposed & bits.only(card)
    play_card(state, card)


def start_fault(state: State) -> str | None:
    """The fault of a state before dealing, in one line; None if a deal can begin from it."""
    fault = session_fault(state, "leads_first", "GZ-3, GZ-4", end_rule="GZ-24")
    if fault is None and state.leads_first != NOBODY and state.deals == 0:
        return "leads_first: the pig's taker leads in every deal but the first (GZ-3, GZ-4)"
    return fault


def facts(state: State) -> dict[str, object]:
    """Facts that a scenario may expect; tricks are counted from the cards taken, so a position has to name all."""
    tricks = [bits.size(state.won[seat]) // int(state.seats) for seat in range(state.seats)]
    return {**session_facts(state, "leads_first"), "tricks": tricks}
