"""Luk Fu: how a view is laid out, what is told of each play, and how a payoff arose, line by line."""

from collections.abc import Iterator

from tefuda.engine.kit import NOBODY, Sentence, bits, reads_public, received_by, sheet_line, words_of
from tefuda.engine.scene import BLUE, GREEN, ORANGE, PURPLE, Face, Group, SceneParts, SeatScene, places
from tefuda.games.luk_fu import rules, scoring
from tefuda.games.luk_fu.cards import ALWAYS_OLD, CARD_WORDS, FIVE_TIGERS, HAND, RANKS, SPECIAL_CARD, SUIT_CARDS
from tefuda.games.luk_fu.plays import DOWN, WINNING_TRICKS, old_in_hand
from tefuda.games.luk_fu.state import Phase, State
from tefuda.games.luk_fu.words import SAID, SUIT_TEXTS, card_list, combination, joined

seats_in_turn = reads_public(rules.seats_in_turn)

PHASE_TEXTS = ("phase.declaring", "phase.playing", "phase.playing", "phase.deciding", "phase.over")

_SIGNS = ("錢", "索", "貫", "拾", "")  # nothing stands on L that could be read
_COLOURS = (BLUE, GREEN, ORANGE, "", PURPLE)
FACES = {
    word: Face(_SIGNS[card // RANKS] + word, _COLOURS[card // RANKS], rank=RANKS - card % RANKS)
    for card, word in enumerate(CARD_WORDS)
}


def own_scene(view: State) -> SceneParts:
    """The hand."""
    return {"hand": _hand(view) if view.viewer >= 0 else ()}


def shared_scene(view: State) -> SceneParts:
    """All but the hand."""
    in_trick = view.phase in (Phase.LEADING, Phase.FOLLOWING)
    return {
        "phase": PHASE_TEXTS[view.phase],
        "number": _taken(view) + in_trick if in_trick or view.phase == Phase.DECIDING else 0,
        "tricks": HAND,
        "seats": places(view, _seat),
        "mark": "scene.old",
        "reference": REFERENCE,
        "lead": int(view.leader) if in_trick else -1,
        "winning": int(view.best_seat) if view.phase == Phase.FOLLOWING else -1,
        "stake": tuple(_stake(view)) if view.phase == Phase.FOLLOWING else (),
    }


def _stake(view: State) -> Iterator[tuple[str, dict[str, str]]]:
    """LF-38, LF-41: a trick that counts as several, and the sixth of the player who is ahead."""
    count, has = int(view.led_count), int(view.tricks[view.best_seat])
    if count > 1:
        yield "scene.stake_tricks", {"count": str(count)}
    if has < WINNING_TRICKS <= has + count:
        yield "scene.stake_six", {"seat": f"#{view.best_seat}"}


def _taken(view: State) -> int:
    """LF-38: tricks that have been won; a lead of three cards is three of the twelve."""
    return sum(map(int, view.tricks))


def _hand(view: State) -> tuple[Group, ...]:
    """Strongest suit first, highest card first, old cards marked (LF-22)."""
    viewer = int(view.viewer)
    if viewer == view.sitter:
        return (_group("scene.sitter_card", int(view.sitter_card[viewer] | view.turned_up)),)
    cards, old = int(view.hands[viewer]), int(old_in_hand(view, viewer))
    suits = zip((*SUIT_TEXTS[::-1], "scene.special"), (*SUIT_CARDS[::-1], SPECIAL_CARD), strict=True)
    return tuple(_group(label, cards & suit, old & cards & suit) for label, suit in suits if cards & suit)


def _group(label: str, cards: int, marked: int = bits.EMPTY) -> Group:
    return Group(label, words_of(cards, CARD_WORDS)[::-1], words_of(marked, CARD_WORDS)[::-1])


REFERENCE = (
    *(_group(label, suit) for label, suit in zip(SUIT_TEXTS[::-1], SUIT_CARDS[::-1], strict=True)),
    Group("scene.always_old", words_of(ALWAYS_OLD, CARD_WORDS)),
    Group("scene.tigers", words_of(FIVE_TIGERS, CARD_WORDS)),
)
"""LF-18, LF-23, LF-45: suits and ranks from the strongest, the cards that are always old, the five tigers."""


def _seat(view: State, seat: int) -> SeatScene:
    """LF-39: own winning cards lie open; declarer, eldest and sitter are named by labels without cards."""
    piles = []
    if seat == view.declarer:
        piles.append(Group("scene.declarer", ()))
    if seat == view.sitter:
        piles.append(_group("scene.sitter", int(view.turned_up)))
    if view.won[seat]:
        piles.append(Group("scene.won", (f"{int(view.tricks[seat])}:", *card_list(int(view.won[seat])).split())))
    tally = (int(view.tricks[seat]), WINNING_TRICKS) if seat != view.sitter else (0, 0)
    total = int(view.totals[seat])
    return SeatScene(int(view.held[seat]), _played(view, seat), tuple(piles), total, side=seat, tally=tally)


def _played(view: State, seat: int) -> str:
    """The cards before a seat in the trick in progress: face up, or so many cards face down."""
    if view.phase != Phase.FOLLOWING:
        return ""
    cards = int(view.played[seat][view.number])
    if cards:
        return joined(cards)
    followed = seats_in_turn(view, view.leader)[1 : 1 + int(view.placed)]
    return f"{DOWN}{int(view.led_count)}" if seat in followed else ""


def events(before: State, seat: int, word: str, after: State) -> list[Sentence]:
    """Sentences worth telling of a play: declarations, combinations, finished tricks, decisions, the five tigers."""
    who = {"seat": f"#{seat}"}
    told = []
    if word in SAID:
        told.append(Sentence(f"events.{word}", who))
    elif name := combination(word):
        told.append(Sentence("events.combination", {**who, "name": f"@{name}", "cards": word.replace("+", " ")}))
    if before.phase == Phase.DECLARING and after.phase == Phase.OVER:
        told.append(Sentence("events.thrown_in"))
    elif after.number > before.number:
        told.append(_trick(before, after))
        if after.phase == Phase.OVER and after.last_to_six == NOBODY:
            told.append(Sentence("events.draw"))
    return told


def _trick(before: State, after: State) -> Sentence:
    """LF-38; what others have thrown is told by number only (LF-40)."""
    seats, number = seats_in_turn(before, before.leader), int(before.number)
    plays = ", ".join(f"#{seat} {_told(after, seat, number)}" for seat in seats)
    whose = {"seat": f"#{after.leader}", "tricks": str(after.tricks[after.leader])}
    return Sentence("events.trick", {"number": str(_taken(before) + 1), "plays": plays, **whose})


def _told(view: State, seat: int, number: int) -> str:
    """One player's cards in a finished trick, as the viewer knows them."""
    shown, own = int(view.played[seat][number]), int(view.thrown[seat][number])
    if shown:
        return joined(shown)
    if own and seat == view.viewer:
        return DOWN + joined(own)
    return f"{DOWN}{max(bits.size(int(tricks[number])) for tricks in view.played)}"


def outcome(state: State) -> Sentence:
    """LF-45, LF-46, LF-51: who has won, and with how many tricks; by the five tigers, or after an improper pass."""
    winner = int(state.last_to_six)
    if winner == NOBODY:
        return Sentence("outcome.thrown_in" if state.declarer == NOBODY else "outcome.draw")
    by_default = "improper" if scoring.passed_improperly(state, winner) else "won"
    code = "tigers" if _shows_tigers(state, winner) else by_default
    return Sentence(f"outcome.{code}", {"seat": f"#{winner}", "tricks": str(state.tricks[winner])})


def _shows_tigers(state: State, seat: int) -> bool:
    """LF-45: whether the last play of a seat was the five tigers."""
    return bool(state.number < HAND and state.played[seat][state.number] == FIVE_TIGERS)


def sheet(state: State, seat: int) -> list[Sentence]:
    """LF-46 to LF-52: what the deal brings this seat, and why."""
    winner = int(state.last_to_six)
    if winner == NOBODY:
        return [Sentence("sheet.thrown_in" if state.declarer == NOBODY else "sheet.draw")]
    chips = int(received_by(state)[seat])
    if seat == state.sitter:
        return [_sitters(state, winner, chips)]
    lines = _winners(state, winner) if seat == winner else _losers(state, seat, winner)
    return [*lines, sheet_line("total", chips)]


def _winners(state: State, winner: int) -> list[Sentence]:
    """LF-46, LF-48, LF-49, LF-51."""
    tricks = int(state.tricks[winner])
    base, factor = tricks - int(state.par), int(scoring.multiplier(state, tricks))
    red = int(scoring.red_cards(state, winner))
    lines = [Sentence("sheet.won", {"tricks": str(tricks), "chips": str(base)})]
    if _shows_tigers(state, winner):
        lines.insert(0, Sentence("sheet.tigers"))
    if factor > 1:
        lines.append(Sentence("sheet.multiplied", {"factor": str(factor), "chips": str(base * factor)}))
    if red:
        lines.append(Sentence("sheet.red", {"cards": card_list(red), "count": str(state.red_card * bits.size(red))}))
    if scoring.doubles(state, winner):
        lines.append(Sentence("sheet.all_reds"))
    code = "one_share" if scoring.passed_improperly(state, winner) else "shares"
    return [*lines, Sentence(f"sheet.{code}", {"chips": str(int(scoring.price(state, winner)))})]


def _losers(state: State, seat: int, winner: int) -> list[Sentence]:
    """LF-47, LF-50."""
    due, shares = int(scoring.shares_due(state, winner, seat)), int(scoring.shares_paid(state, winner, seat))
    if not due:
        return [Sentence("sheet.free", {"seat": f"#{state.declarer}"})]
    code = "pays_both" if shares > 1 else "pays_one" if due > 1 else "pays"
    lines = [sheet_line(code, -shares * scoring.price(state, winner), seat=f"#{winner}")]
    to_sitter = due * scoring.sitter_price(state, winner)
    return [*lines, sheet_line("pays_sitter", -to_sitter, seat=f"#{state.sitter}")] if to_sitter else lines


def _sitters(state: State, winner: int, chips: int) -> Sentence:
    """LF-50."""
    if not state.sitter_bonus:
        return Sentence("sheet.sat_out")
    card = card_list(scoring.sitters(state))
    if not chips:
        return Sentence("sheet.no_match", {"card": card, "seat": f"#{winner}"})
    cards = card_list(scoring.matching_cards(state, winner))
    return sheet_line("match", chips, card=card, cards=cards, seat=f"#{winner}")
