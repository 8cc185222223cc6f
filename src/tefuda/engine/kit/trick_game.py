"""Parts that a game of tricks need not write: worlds, a beginner's play, refusals, the table, most of its positions."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.description import Pack
from tefuda.engine.kit import french
from tefuda.engine.kit.play_table import constant
from tefuda.engine.kit.positions import CardReader, PositionError
from tefuda.engine.kit.session import NOBODY, begin_world, redrawn_chance
from tefuda.engine.kit.tricks import TrickState, card_by, finished_trick, imagine_hands, leader
from tefuda.engine.kit.words import legal_words, out_of_turn, words_of
from tefuda.engine.notation import OneActionNotation
from tefuda.engine.record import AnyState, Rng
from tefuda.engine.scene import SceneParts, SeatScene, places
from tefuda.engine.sentence import Refusal, Sentence

REFUSED = ("over", "turn", "held", "follow")  #: what ``refusals`` gives a rule for


def given(state: type[TrickState], notation: OneActionNotation, why: Mapping[str, str] | None) -> dict[str, object]:
    """Stand-ins for names that a game does not give; ``why``: see ``refusals``; None if the game has its own."""
    refused = {} if why is None else {"why_not": refusals(notation, why)}
    phases = next(each.names for each in state.FIELDS if each.name == "phase")
    scene = {"own_scene": own_cards, "shared_scene": shared_scene_by(phases or ("playing", "over"))}
    return {"FACES": french.FACES, **scene, "events": events, **refused}


def imagine_from(pack: Pack, record: np.dtype[np.void], most_seats: int) -> Callable[..., None]:
    """``imagine``: unseen cards lie anywhere that is possible; the pack depends on the number of players alone."""
    templates = np.zeros(most_seats + 1, record)
    templates["seats"] = np.arange(most_seats + 1)
    decks = constant([bits.of(pack(template).tolist()) for template in templates])

    def imagine(view: TrickState, rng: Rng, state: TrickState) -> None:
        begin_world(view, state)
        state.chance = redrawn_chance(view, rng, NOBODY)
        imagine_hands(view, rng, state, decks[view.seats])

    return imagine


def refusals(notation: OneActionNotation, rules: Mapping[str, str]) -> Callable[..., Refusal | None]:
    """``why_not`` of a game whose plays are single cards.

    ``rules`` are the numbers of those that refuse a play: ``over`` (the deal is), ``turn``, ``held`` (the card is
    not in the hand), ``follow`` (it may not be played now); texts ``why.deal_over``, ``not_your_turn``, ``not_held``,
    ``follow``."""

    words = notation.words

    def why_not(state: TrickState, seat: int, word: str) -> Refusal | None:
        card = notation.actions(state, word)[0]
        if verbs.mover(state) < 0:
            return Refusal(rules["over"], "deal_over")
        if refusal := out_of_turn(state, seat, rules["turn"]):
            return refusal
        legal = legal_words(state, words)
        if not bits.has(state.hands[seat], card):
            return Refusal(rules["held"], "not_held", {"card": words[card]}, legal)
        return None if words[card] in legal else Refusal(rules["follow"], "follow", {}, legal)

    return why_not


def own_cards(view: TrickState) -> SceneParts:
    """The hand, suit by suit, and for a player who follows the cards that are higher than the best of the trick."""
    held, higher = int(view.hands[view.viewer]) if view.viewer >= 0 else bits.EMPTY, bits.EMPTY
    if view.trick_size and view.turn == view.viewer:
        best = int(view.best_card)
        higher = bits.above(held & french.SUIT_CARDS[best // french.RANKS], best)
    return {"hand": french.by_suit(held), "beating": words_of(higher, french.CARD_WORDS)}


def trick_in_progress(view: TrickState, over: bool) -> SceneParts:
    """The number of the trick, the seat that leads, and the one that wins so far; ``over``: none is played now."""
    winning = int(view.best_seat) if view.trick_size else -1
    return {"number": int(view.tricks) + (not over), "lead": -1 if over else leader(view), "winning": winning}


def shared_scene_by(phases: Sequence[str | bool]) -> Callable[[TrickState], SceneParts]:
    """``shared_scene`` of a game with phases of these names; texts ``phase.<name>`` and those of the suits.

    Tricks are played in the phase ``playing``."""

    def shared_scene(view: TrickState) -> SceneParts:
        phase, in_all = phases[view.phase], int(view.tricks) + int(view.held[: view.seats].max())
        trick = trick_in_progress(view, phase != "playing")
        return {"phase": f"phase.{phase}", "tricks": in_all, "seats": places(view, _seat), **trick}

    return shared_scene


def _seat(view: TrickState, seat: int) -> SeatScene:
    return SeatScene(int(view.held[seat]), card_by(view, seat), (), int(view.totals[seat]), side=seat)


def events(before: TrickState, seat: int, word: str, after: TrickState) -> list[Sentence]:
    """A finished trick: the text ``events.trick``."""
    return [Sentence("events.trick", finished_trick(before, word, after))] if after.tricks > before.tricks else []


def set_tricks(state: TrickState, reader: CardReader) -> None:
    """Set ``hands``, ``captured`` cards, the suits ``led`` and ``totals`` from a file.

    ``PositionError`` for suits that are none."""
    reader.fill(state, "hands", "totals", captured="won")
    letters = reader.fields.get("led", "")
    if not isinstance(letters, str) or not set(letters) <= set(french.SUIT_LETTERS):
        raise PositionError(f"led: {letters!r} is not a word of the suits {french.SUIT_LETTERS}")
    state.led = bits.of(map(french.SUIT_LETTERS.index, letters))
    state.deals = 1 if state.totals.any() else 0
    taken = sum(map(bits.size, state.won))
    # Any number of tricks, if something was played before: then this is not the first lead of the game.
    state.tricks = max(taken // int(state.seats), 1) if taken or letters else 0


def play_trick(
    state: TrickState, reader: CardReader, plays: list[tuple[int, str]], play: Callable[[AnyState, int], None]
) -> None:
    """Play the cards of the ``trick`` in progress, which were held beside the hands that are given."""
    for seat, word in reader.in_turn("trick", plays, state, int(state.seats) - 1, "the cards as captured"):
        card = reader.card(word, f"trick, seat {seat}")
        state.hands[seat] |= bits.only(card)
        state.held[seat] += 1
        play(state, card)
        for suit in range(french.SUITS):  # a hand that is given outweighs what the trick would tell of it
            if state.hands[seat] & french.SUIT_CARDS[suit]:
                state.voids[seat] &= ~(1 << suit)
