"""Gong Zhu: how a view is laid out, what is told of each play, and how a payoff arose, line by line."""

from collections.abc import Callable
from functools import cache

import numpy as np

from tefuda.engine.kit import Sentence, bits, french, reads_public, sheet_line, signed
from tefuda.engine.kit.french import card_list, group, number
from tefuda.engine.kit.trick_game import own_cards, trick_in_progress
from tefuda.engine.kit.tricks import card_by, finished_trick
from tefuda.engine.scene import Group, SceneParts, SeatScene
from tefuda.games.gong_zhu import scoring
from tefuda.games.gong_zhu.cards import ALL_HEARTS, HEART_ACE, PIG, POINT_CARDS, SHEEP, TRANSFORMER
from tefuda.games.gong_zhu.state import ExposeOrder, Phase, State, TeamEnd

deck_in_use, standings = reads_public(scoring.deck_in_use), reads_public(scoring.standings)

FACES = french.FACES
PHASE_TEXTS = ("phase.exposing", "phase.playing", "phase.over")


own_scene = own_cards


def shared_scene(view: State) -> SceneParts:
    """All but the hand."""
    standing = np.zeros((view.seats, 2), np.int64)
    standings(view, standing)  # at once: calls of compiled code cost more than what they do
    lying = bits.of(map(int, view.trick[: view.trick_size])) & POINT_CARDS  # GZ-15
    trick = trick_in_progress(view, view.phase == Phase.OVER)
    return {
        **trick,
        "phase": PHASE_TEXTS[view.phase],
        "number": 0 if view.phase == Phase.EXPOSING else trick["number"],
        "tricks": int(view.tricks) + int(view.held[view.turn]),
        "seats": tuple(_seat(view, seat, *figures) for seat, figures in enumerate(standing.tolist())),
        "reference": _reference(int(deck_in_use(view))),
        "clockwise": bool(view.clockwise),
        "stake": (("scene.stake", {"cards": card_list(lying)}),) if lying else (),
    }


@cache
def _reference(deck: int) -> tuple[Group, ...]:
    """GZ-2, GZ-17: the ranks, and the cards that count."""
    return (
        group("scene.ranks", deck & french.SUIT_CARDS[french.SPADES]),
        group("scene.cost", deck & ALL_HEARTS | bits.only(PIG)),
        group("scene.gain", bits.only(SHEEP)),
        group("scene.multiplies", bits.only(TRANSFORMER)),
    )


def _seat(view: State, seat: int, score: int, side: int) -> SeatScene:
    """GZ-5, GZ-15, GZ-17: exposed cards stay known, also when played; captured point cards lie face up and count."""
    exposed, captured = int(view.exposed_by[seat]), int(view.won[seat] & POINT_CARDS)
    piles = [group("scene.exposed", exposed)] if exposed else []
    if captured:
        piles.append(Group("scene.captured", tuple(card_list(captured).split())))
    notes = (("scene.so_far", {"points": signed(score)}),) if captured else ()
    return SeatScene(int(view.held[seat]), card_by(view, seat), tuple(piles), int(view.totals[seat]), side, notes)


def events(before: State, seat: int, word: str, after: State) -> list[Sentence]:
    """Sentences worth telling of a play: an answer about exposing, a finished trick."""
    if before.phase == Phase.EXPOSING:
        return _exposing_events(before, seat, word, after)
    if before.trick_size + 1 < before.seats:
        return []
    taker, fields = after.turn, finished_trick(before, word, after)
    points = int((after.won[taker] & ~before.won[taker]) & POINT_CARDS)
    if not points:
        return [Sentence("events.trick", fields)]
    return [Sentence("events.trick_points", {**fields, "cards": card_list(points)})]


def _exposing_events(before: State, seat: int, word: str, after: State) -> list[Sentence]:
    """GZ-7: a choice made before others is told when all have chosen."""
    opened, who = int(after.exposed & ~before.exposed), {"seat": f"#{seat}"}
    if before.expose_order == ExposeOrder.SIMULTANEOUS:
        told = Sentence("events.has_decided", who)
        if after.phase == Phase.EXPOSING:
            return [told]
        return [told, _opened(after, opened) if opened else Sentence("events.all_decided")]
    mine = word.partition(":")[2].replace("+", " ")
    if mine == "none":
        told, forced = Sentence("events.exposes_nothing", who), opened
    else:
        told = Sentence("events.exposes", {**who, "cards": mine})
        forced = bits.without(opened, bits.of(map(number, mine.split())))
    return [told, _opened(after, forced)] if forced else [told]


def _opened(view: State, cards: int) -> Sentence:
    """Exposed cards with who holds them."""
    held = ((seat, card_list(view.shown[seat] & cards)) for seat in range(view.seats))
    return Sentence("events.opened", {"cards": ", ".join(f"#{seat} {words}" for seat, words in held if words)})


def outcome(state: State) -> Sentence:
    """The taker of all hearts (GZ-19), else those of the pig and the sheep (GZ-16); ``shown`` is the card of it."""
    holders = {seat: state.won[seat] for seat in range(state.seats)}
    for seat, won in holders.items():
        if scoring.has_all_hearts(state, won):
            return _outcome("all_hearts", bits.highest(ALL_HEARTS), seat)
    pig, sheep = (next((seat for seat, won in holders.items() if bits.has(won, card)), None) for card in (PIG, SHEEP))
    if pig is not None:
        return _outcome("pig" if sheep is None else "both" if pig == sheep else "apart", PIG, pig, sheep)
    if sheep is not None:
        return _outcome("sheep", SHEEP, sheep)
    return Sentence("outcome.neither")  # a position in which neither is in play


def _outcome(name: str, card: int, seat: int, other: int | None = None) -> Sentence:
    return Sentence(f"outcome.{name}", {"seat": f"#{seat}", "other": f"#{other}", "shown": card_list(bits.only(card))})


def sheet(state: State, seat: int) -> list[Sentence]:
    """GZ-17, in the order of GZ-18: hearts, pig, sheep, the transformer on their sum; then the team's sum (GZ-22).

    With all_cards_1000 one line tells of all the point cards (GZ-27)."""
    won = state.won[seat]
    total = int(scoring.score(state, won))
    if not won & POINT_CARDS:
        lines = [Sentence("sheet.nothing")]
    elif state.all_cards_1000 and scoring.has_all_cards(state, won):
        lines = [sheet_line("all_cards", total)]
    elif won & POINT_CARDS == bits.only(TRANSFORMER):
        name = "lone_transformer_doubled" if bits.has(state.exposed, TRANSFORMER) else "lone_transformer"
        lines = [sheet_line(name, total)]
    else:
        lines = [*_hearts(state, won), *_pig_and_sheep(state, won), *_transformer(state, won, total)]
        lines.append(sheet_line("total", total))
    if state.partnership:
        lines.append(sheet_line("team", total + scoring.score(state, state.won[scoring.partner(seat)])))
    if state.team_end == TeamEnd.ANY_INDIVIDUAL:
        lines.append(sheet_line("own_total", state.own_totals[seat] + total))
    return lines


def _hearts(state: State, won: int) -> list[Sentence]:
    hearts = int(won & ALL_HEARTS)
    if not hearts:
        return []
    points = int(scoring.heart_points(state, hearts))
    lines = [sheet_line("hearts", points, cards=card_list(hearts))]
    if scoring.has_all_hearts(state, won):
        if state.all_hearts_transformer_300 and bits.has(won, TRANSFORMER):
            exposed = scoring.doubled(state, state.all_hearts, HEART_ACE)
            return [*lines, sheet_line("hearts_300", scoring.doubled(state, exposed, TRANSFORMER))]
        lines.append(sheet_line("all_hearts", -points))
    if bits.has(state.exposed, HEART_ACE) and points:
        lines.append(sheet_line("hearts_doubled", scoring.hearts_part(state, won)))
    return lines


def _pig_and_sheep(state: State, won: int) -> list[Sentence]:
    """Each with its usual sign or the other (GZ-20), then doubled if it is exposed (GZ-6)."""
    lines = []
    parts: tuple[tuple[int, Callable[[State, int], int], str, str], ...] = (
        (PIG, scoring.pig_part, "pig", "pig_plus"),
        (SHEEP, scoring.sheep_part, "sheep_minus", "sheep"),
    )
    for card, part, minus, plus in parts:
        points, exposed = int(part(state, won)), bits.has(state.exposed, card)
        if points:
            lines.append(sheet_line(plus if points > 0 else minus, points // 2 if exposed else points))
        if points and exposed:
            lines.append(sheet_line("pig_doubled" if card == PIG else "sheep_doubled", points))
    return lines


def _transformer(state: State, won: int, total: int) -> list[Sentence]:
    if not bits.has(won, TRANSFORMER):
        return []
    factor = str(scoring.doubled(state, 2, TRANSFORMER))
    if state.all_hearts_transformer_300 and scoring.has_all_hearts(state, won):
        return [sheet_line("transformer_rest", total, factor=factor)] if won & bits.of((PIG, SHEEP)) else []
    if state.transformer_losses_only and total > 0:
        return [Sentence("sheet.transformer_idle")]
    return [sheet_line("transformer", total, factor=factor)] if total else [Sentence("sheet.transformer_nothing")]
