"""Leduc poker: how a view is laid out, and what is told of each play."""

from leduc_poker.scoring import winner
from leduc_poker.state import CARD_WORDS, Phase, State
from tefuda.engine.kit import french
from tefuda.engine.kit.session import NOBODY
from tefuda.engine.kit.words import words_of
from tefuda.engine.scene import Group, SceneParts, SeatScene, places
from tefuda.engine.sentence import Sentence

FACES = {word: french.face(word) for word in CARD_WORDS}
PHASE_TEXTS = ("phase.first_round", "phase.second_round")


def own_scene(view: State) -> SceneParts:
    """The card held."""
    return {"hand": (Group("scene.hand", words_of(view.hands[view.viewer], CARD_WORDS)),) if view.viewer >= 0 else ()}


def shared_scene(view: State) -> SceneParts:
    """The rest of the table."""
    board = (("scene.board", {"card": FACES[CARD_WORDS[view.board]].text}),) if view.board != NOBODY else ()
    return {
        "phase": "phase.over" if view.phase == Phase.OVER else PHASE_TEXTS[view.street],
        "number": 0,
        "tricks": 0,
        "seats": places(view, _seat),
        "reference": (Group("scene.ranks", ("SK", "SQ", "SJ")),),
        "middle": (*board, ("scene.pot", {"chips": str(view.stakes.sum())})),
    }


def _seat(view: State, seat: int) -> SeatScene:
    shown = (Group("scene.shown", words_of(view.shown[seat], CARD_WORDS)),) if view.shown[seat] else ()
    stake = ("scene.stake", {"chips": str(view.stakes[seat])})
    return SeatScene(int(view.held[seat]), "", shown, int(view.totals[seat]), side=seat, notes=(stake,))


def events(before: State, seat: int, word: str, after: State) -> list[Sentence]:
    """Every play, the card in the middle as it is turned up, and who takes the pot."""
    told = [Sentence(f"events.{word}", {"seat": f"#{seat}", "chips": str(after.stakes[seat])})]
    if before.board == NOBODY and after.board != NOBODY:
        told.append(Sentence("events.board", {"card": CARD_WORDS[after.board]}))
    if after.phase == Phase.OVER:
        taker = winner(after)
        told.append(Sentence("events.takes", {"seat": f"#{taker}"}) if taker != NOBODY else Sentence("events.shared"))
    return told
