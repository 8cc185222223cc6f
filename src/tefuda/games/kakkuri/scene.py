"""Kakkuri: how a view is laid out, what is told of each play, and how a payoff arose, line by line."""

from collections.abc import Mapping

from tefuda.engine.kit import NOBODY, Ints, Sentence, bits, french, is_declaration, reads_public, received_by
from tefuda.engine.kit.words import sheet_line, words_of
from tefuda.engine.scene import Group, SceneParts, SeatScene, places
from tefuda.games.kakkuri import box
from tefuda.games.kakkuri.plays import CARD_WORDS, NO_CARD, RANK_LETTERS, SUIT_LETTERS, rank_of
from tefuda.games.kakkuri.state import Ending, Phase, State
from tefuda.games.kakkuri.words import combination

has_left = reads_public(box.has_left)

PHASE_TEXTS = {phase: f"phase.{phase.name.lower()}" for phase in Phase} | {
    Phase.EARLY: "phase.dropping",
    Phase.TURN: "phase.playing",
    Phase.CONSENT: "phase.returning",
}

_NAMES = {"CA": "(アカチョロ)", "D2": "(タイコ)", "C3": "(ながひばし)"}
"""The cards that do something have names of their own in the game's home."""

FACES = {
    word: french.face(word, _NAMES.get(word, ""))
    for word in (suit + rank for suit in SUIT_LETTERS for rank in RANK_LETTERS)
}

REFERENCE = (
    Group("scene.order", tuple(f"C{rank}" for rank in RANK_LETTERS)),
    Group("scene.wild", ("CA", "D2")),
    Group("scene.tongs", ("C3",)),
    Group("scene.utazu", ("SA", "HA", "DA")),
)
"""KK-14, KK-40, KK-55: the order in which cards are laid, the wild cards, and those that do something."""

_UNTOLD = ("stay", "keep", "pass", "raise", "utazu")
"""Answers that change nothing, and what is told by what comes of it."""


def own_scene(view: State) -> SceneParts:
    """The hand."""
    return {"hand": _hand(view) if view.viewer >= 0 else ()}


def shared_scene(view: State) -> SceneParts:
    """All but the hand."""
    return {
        "phase": PHASE_TEXTS[view.phase],
        "number": 0,
        "tricks": 0,
        "seats": places(view, _seat),
        "middle": _middle(view),
        "reference": REFERENCE,
    }


def _hand(view: State) -> tuple[Group, ...]:
    """In the order in which the cards are laid, A to 9, then Q J K."""
    words = words_of(view.hands[view.viewer], CARD_WORDS)
    return (Group("scene.hand", words),) if words else ()


def _middle(view: State) -> tuple[tuple[str, Mapping[str, str]], ...]:
    """The field card with its rank and whose it is, the box and the pot; who holds the right, or asks to return."""
    lines: list[tuple[str, Mapping[str, str]]] = []
    if view.rank != NO_CARD:
        how = "scene.raised" if view.field_raised else "scene.laid"
        lines.append((how, {"card": field_word(view), "seat": f"#{view.field_by}"}))
    lines.append(("scene.box", {"count": str(view.box_size), "pot": str(bits.size(view.dropped))}))
    if view.phase == Phase.RIGHT:
        lines.append(("scene.right", {"seat": f"#{view.turn}"}))
    if view.phase == Phase.CONSENT:
        lines.append(("scene.asks", {"seat": f"#{view.asker}"}))
    return tuple(lines)


def field_word(view: State) -> str:
    """The card on the field, a wild with the rank that it was declared (KK-40); a position may name the rank alone."""
    if not view.table_size:
        return RANK_LETTERS[view.rank]
    card = int(view.table[view.table_size - 1])
    return CARD_WORDS[card] + ("" if view.rank == rank_of(card) else f"={RANK_LETTERS[view.rank]}")


def _seat(view: State, seat: int) -> SeatScene:
    """Everything public of a player: cards in hand, what the player has laid, and whether they are in the deal."""
    notes = {
        "scene.dealer": seat == view.dealer,
        "scene.forced_out": seat == view.forced_out and has_left(view),
        "scene.dropped": bits.has(view.dropped, seat),
        "scene.sanzoku": bits.has(view.sanzoku, seat),
    }
    laid, total = "+".join(laid_by(view, seat)), int(view.totals[seat])
    return SeatScene(int(view.held[seat]), laid, (), total, seat, tuple((note, {}) for note in notes if notes[note]))


def laid_by(view: State, seat: int) -> list[str]:
    """The cards that a player has laid and that still lie face up, in order."""
    cards = (int(view.table[place]) for place in range(view.table_size) if view.table_by[place] == seat)
    return [CARD_WORDS[card] for card in cards if not bits.has(view.turned, card)]


def events(before: State, seat: int, word: str, after: State) -> list[Sentence]:
    """Sentences worth telling of a play, and what came of it."""
    who = {"seat": f"#{seat}"}
    told = [Sentence("events.rebuilt", who)] if after.rebuilds > before.rebuilds else []
    told += _told(before, seat, word, who)
    if has_left(after) and not has_left(before):
        told.append(Sentence("events.forced_out", {"seat": f"#{after.forced_out}"}))
    if word == "raise" or (after.table_size and not before.table_size):
        raised = {"seat": f"#{after.field_by}", "card": field_word(after), "count": str(after.box_size)}
        told.append(Sentence("events.raised", raised))
    return [*told, *_came_of_it(before, after)]


def _told(before: State, seat: int, word: str, who: Mapping[str, str]) -> list[Sentence]:
    """The play itself, if it is told."""
    if not is_declaration(word):
        name, cards = combination(word), word.replace("+", " ")
        if name:
            return [Sentence("events.combination", {**who, "name": f"@{name}", "cards": cards})]
        return [Sentence("events.step", {**who, "cards": cards})]
    if word == "end":
        return [] if before.turn_cards or before.phase == Phase.CLAIMING else [Sentence("events.nothing", who)]
    if word == "cede" and before.phase == Phase.CEDING:
        return [Sentence("events.cede_deal", {**who, "next": f"#{(seat + 1) % before.seats}"})]
    return [] if word in _UNTOLD else [Sentence(f"events.{word}", who)]


def _came_of_it(before: State, after: State) -> list[Sentence]:
    """A return that all have agreed to, a winner, a closed lap."""
    told = []
    if before.phase == Phase.CONSENT and after.phase != Phase.CONSENT and not bits.has(after.dropped, before.asker):
        told.append(Sentence("events.returned", {"seat": f"#{before.asker}"}))
    if after.result == Ending.VOID:
        told.append(Sentence("events.void"))
    elif after.result != before.result:
        told.append(Sentence(f"events.{_ending(after)}", {"seat": f"#{after.winner}"}))
    if after.phase == Phase.RIGHT and before.right_first == NOBODY:
        told.append(Sentence("events.trick", {"seat": f"#{after.turn}", "card": field_word(after)}))
    return told


def _ending(state: State) -> str:
    return Ending(state.result).name.lower()


def outcome(state: State) -> Sentence:
    """KK-50: who has won, and how."""
    name = "void" if state.winner == NOBODY else _ending(state)
    return Sentence(f"outcome.{name}", {"seat": f"#{state.winner}"})


def sheet(state: State, seat: int) -> list[Sentence]:
    """KK-50: how the deal ended, and what this seat pays or receives for it."""
    counters = received_by(state)
    if state.winner == NOBODY:
        return [Sentence("sheet.void")]
    if seat == state.winner:
        return _winner_lines(state, counters)
    return [_payer_line(state, seat, int(counters[seat]))]


def _winner_lines(state: State, counters: Ints) -> list[Sentence]:
    """From whom the winner has how much."""
    won_by = Sentence(f"sheet.{_ending(state)}")
    if state.result == Ending.UTAZU:
        return [won_by, sheet_line("from_all", counters[state.winner])]
    others = [seat for seat in range(state.seats) if seat != state.winner]
    pot = -sum(counters[seat] for seat in others if bits.has(state.dropped, seat))
    amounts = {"from_others": -sum(counters[others]) - pot, "pot": pot}
    return [won_by, *(sheet_line(code, points) for code, points in amounts.items() if points)]


def _payer_line(state: State, seat: int, counters: int) -> Sentence:
    """The line of a player who pays, and why."""
    if seat == state.forced_out:
        code = "forced_out_pays" if counters else "forced_out"
    elif not bits.has(state.dropped, seat):
        code = "pays"
    elif state.result == Ending.UTAZU:
        code = "dropped_utazu"
    else:
        code = "dropped" if counters else "dropped_free"
    return sheet_line(code, counters, seat=f"#{state.winner}", count=str(bits.size(state.hands[seat])))
