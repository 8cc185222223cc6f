"""Leduc poker: how a view is laid out, and what is told of each play."""

from leduc_poker.scoring import winner
from leduc_poker.state import CARD_WORDS, Phase, State
from tefuda.engine.description import Sentence
from tefuda.engine.kit import french
from tefuda.engine.kit.session import NOBODY
from tefuda.engine.kit.words import words_of
from tefuda.engine.scene import Group, Scene, SeatScene

FACES = {word: french.face(word) for word in CARD_WORDS}
PHASE_TEXTS = ("phase.first_round", "phase.second_round", "phase.over")


def scene(view: State) -> Scene:
    """The table as the viewer sees it."""
    over = view.phase == Phase.OVER
    board = (("scene.board", {"card": FACES[CARD_WORDS[view.board]].text}),) if view.board != NOBODY else ()
    pot = ("scene.pot", {"chips": str(int(view.stakes.sum()))})
    return Scene(
        phase=PHASE_TEXTS[2 if over else view.round],
        number=0,
        tricks=0,
        hand=(Group("scene.hand", words_of(view.hands[view.viewer], CARD_WORDS)),) if view.viewer >= 0 else (),
        seats=tuple(_seat(view, seat) for seat in range(view.seats)),
        reference=(Group("scene.ranks", ("SK", "SQ", "SJ")),),
        middle=(*board, pot),
        lead=NOBODY if over else int(view.first),
    )


def _seat(view: State, seat: int) -> SeatScene:
    shown = words_of(view.shown[seat], CARD_WORDS)
    return SeatScene(
        held=int(view.held[seat]),
        played="fold" if view.folded == seat else "",
        piles=(Group("scene.shown", shown),) if shown else (),
        total=int(view.totals[seat]),
        side=seat,
        notes=(("scene.stake", {"chips": str(int(view.stakes[seat]))}),),
    )


def events(before: State, seat: int, word: str, after: State) -> list[Sentence]:
    """Every play, the card in the middle as it is turned up, and the end."""
    told = [Sentence(f"events.{word}", {"seat": f"#{seat}", "chips": str(int(after.stakes[seat]))})]
    if before.board == NOBODY and after.board != NOBODY:
        told.append(Sentence("events.board", {"card": CARD_WORDS[after.board]}))
    if after.phase != Phase.OVER:
        return told
    if after.folded != NOBODY:
        return [*told, Sentence("events.takes", {"seat": f"#{winner(after)}"})]
    hands = {f"card{player}": " ".join(words_of(after.shown[player], CARD_WORDS)) for player in range(after.seats)}
    return [*told, Sentence("events.showdown", hands)]
