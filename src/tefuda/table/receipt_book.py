"""A player's receipts, and their program's part in the shuffles: what it answers, and when it believes no more."""

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tefuda.engine.files import JsonObject
from tefuda.table import shuffle
from tefuda.table.receipt import Receipt, ShownShuffle, read_receipts, write_receipts
from tefuda.table.shuffle import ProofError

State = Mapping[str, Any]  #: the ``state`` of a server's message, from JSON


class Heard(NamedTuple):
    """A message's consequences for the player."""

    deal: int = 0  #: the number of the deal that it is about
    faults: tuple[str, ...] = ()  #: what may not be in an honest shuffle, in words
    unproven: str = ""  #: why nothing of the player's is in a deal that has begun, in words; empty if something is


class ReceiptBook:
    """One player's receipts by table and deal, and what their program sends for the shuffles that they are about.

    A file keeps them (JSON lines; ``ReceiptError`` if it cannot be read), or without a path memory alone."""

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = None if path is None else Path(path)
        known = read_receipts(self.path) if self.path is not None and self.path.exists() else []
        self.receipts = {(each.table, each.deal): each for each in known}
        self.log: int | None = None  # number of the head of the server's log of all tables
        self._begun = {key for key, each in self.receipts.items() if each.added is not None}
        self._seq: dict[str, int] = {}  # by table, of the last event that was told

    def hear(self, state: State, *, resumed: bool = False) -> Heard:
        """Note what a state of the table, as the server has sent it, shows of a shuffle or of the cards dealt.

        ``resumed`` is true for the first of a connection: messages before it may have been missed."""
        if state["you"]["seat"] is None:
            self._leave(state)
            return Heard()
        if state["events"] and state["events"][-1]["kind"] == "given":
            self.receipts.pop((name_of(state), 1), None)  # another table was faster to shuffle the deal of the day
        shuffled = self._hear_shuffle(state, resumed=resumed)
        dealt = self._hear_deal(state, resumed=resumed)
        self._seq[state["table"]] = state["seq"]
        return shuffled if shuffled.faults or shuffled.unproven else dealt

    def answer(self, state: State) -> JsonObject | None:
        """Return the order by which the player's seat takes part in the shuffle now: ``ready``, ``reveal`` or none."""
        pending, seat = state["shuffle"], state["you"]["seat"]
        if pending is None or seat is None:
            return None
        if "attempt" not in pending:  # protocol 1: the deal may come, but nothing is added to it
            return None if pending["ready"][seat] else {"type": "ready", "deal": pending["deal"]}
        receipt = self.receipts.get((name_of(state), pending["deal"]))
        if receipt is None:
            receipt = self._begin(state, ShownShuffle.read(pending, len(state["seats"])))
        if receipt.faults or seat in receipt.named:
            return None
        if receipt.seals is None:
            return None if receipt.sealed else self._seal(receipt)
        if not receipt.is_in or receipt.revealed:
            return None
        receipt.sent = True
        self.keep()
        return {"type": "reveal", "deal": receipt.deal, "entropy": receipt.entropy}

    def taken(self, state: State, answer: Mapping[str, Any]) -> None:
        """Note that the server has said it took an answer: what it has taken it must use."""
        receipt = self.receipts.get((name_of(state), answer["deal"]))
        if receipt is not None:
            receipt.take(answer["type"])
            self.keep()

    def keep(self) -> None:
        """Write the file, if there is one."""
        if self.path is not None:
            write_receipts(self.path, list(self.receipts.values()))

    # Before the deal

    def _leave(self, state: State) -> None:
        """Forget what was sealed by a player who has no seat any more, while the list is still open."""
        receipt = self.receipts.get((name_of(state), state["shuffle"]["deal"])) if state["shuffle"] else None
        if receipt is not None and receipt.seals is None:
            receipt.begin_anew(receipt.seat)

    def _hear_shuffle(self, state: State, *, resumed: bool) -> Heard:
        pending, seat = state["shuffle"], state["you"]["seat"]
        if pending is None:
            return Heard()
        number = pending["deal"]
        receipt = self.receipts.get((name_of(state), number))
        try:
            shown = ShownShuffle.read(pending, len(state["seats"]))
        except ProofError as error:
            if receipt is None and "attempt" not in pending:
                why = "the server shuffles by the old protocol, in which it can choose the cards"
                return Heard(number, unproven=why)
            return Heard(number, (f"what the server showed of the shuffle cannot be read: {error}",))
        if receipt is None:
            most = len(shown.unrevealed) + 1
            return Heard(number, ("it was begun again without seats being named",) if shown.attempt > most else ())
        receipt.seq = state["seq"]
        if context_of(state, number) != receipt.context:
            receipt.note("rules")
        has_left = any(event["kind"] == "left" and event.get("seat") == seat for event in state["events"])
        is_forgotten = resumed and receipt.sealed and shown.seals is None and not pending["ready"][seat]
        if receipt.seat != seat or has_left or is_forgotten:
            receipt.begin_anew(seat)
        receipt.follow(shown, resumed=resumed)
        self.keep()
        return Heard(number, tuple(receipt.told(receipt.faults)))

    def _begin(self, state: State, shown: ShownShuffle) -> Receipt:
        context, seat = context_of(state, shown.deal), state["you"]["seat"]
        receipt = Receipt(name_of(state), shown.deal, context, shown.commitment, seat, shown.attempt)
        receipt.named, receipt.log = sorted(shown.unrevealed), self.log
        receipt.follow(shown, resumed=True)
        self.receipts[receipt.table, receipt.deal] = receipt
        self.keep()
        return receipt

    def _seal(self, receipt: Receipt) -> JsonObject:
        """Draw entropy, keep it, and seal it; what was sealed and perhaps not taken is sent again."""
        if not receipt.seal:
            entropy, commitment = secrets.token_bytes(shuffle.MOST_ENTROPY), bytes.fromhex(receipt.commitment)
            this_round = shuffle.round_of(receipt.context.encode("ascii"), receipt.attempt)
            receipt.entropy = entropy.hex()
            receipt.seal = shuffle.seal(this_round, commitment, receipt.seat, entropy).hex()
            self.keep()
        return {"type": "ready", "deal": receipt.deal, "seal": receipt.seal}

    # The cards

    def _hear_deal(self, state: State, *, resumed: bool) -> Heard:
        deal, events = state["deal"], state["events"]
        if deal is None:
            return Heard()
        key = name_of(state), deal["number"]
        receipt, is_new = self.receipts.get(key), key not in self._begun
        self._begun.add(key)
        is_dealt = bool(events) and events[-1]["kind"] == "dealt"
        if receipt is None:
            is_own = is_new and not deal["over"]
            return Heard(deal["number"], unproven="the server showed no shuffle to take part in" if is_own else "")
        if is_new and receipt.added is None:
            receipt.settle(resumed=resumed)
            if not is_dealt and not resumed:
                receipt.note("unseen")
        self._hear_cards(receipt, state, is_dealt=is_dealt)
        if is_new or deal["over"]:
            self.keep()
        unproven = "nothing that this program sealed is in it" if is_new and not receipt.added else ""
        return Heard(deal["number"], tuple(receipt.told(receipt.faults)), unproven)

    def _hear_cards(self, receipt: Receipt, state: State, *, is_dealt: bool) -> None:
        deal, events = state["deal"], state["events"]
        hand = [card for group in deal["scene"]["hand"] for card in group["cards"]] if "scene" in deal else None
        if is_dealt and receipt.hand is None and hand is not None:
            receipt.hand, receipt.plays = hand, []
        elif receipt.plays is not None:
            told = [event["seq"] for event in events]
            is_whole = told == list(range(self._seq.get(state["table"], 0) + 1, state["seq"] + 1))
            is_taken_back = any(event["kind"] == "taken_back" for event in events)
            played = [each for each in events if each["kind"] == "played"]
            is_whole = is_whole and not is_taken_back and all("seat" in each for each in played)
            heard = [f"{each['seat']}:{each.get('play') or ''}" for each in played if is_whole]
            receipt.plays = [*receipt.plays, *heard] if is_whole else None
            if is_taken_back:
                receipt.seen = []
        held = " ".join(sorted(hand)) if hand is not None else None
        if held is not None and receipt.plays is not None and held not in receipt.seen[-1:]:
            receipt.seen.append(held)


def name_of(state: State) -> str:
    """The name of the session in proofs."""
    return f"{state['table']}/{state['session']}"


def context_of(state: State, deal: int) -> str:
    """The context of a deal's commitment, from what a state says of its table."""
    facts = state["game"], state["rules"], len(state["seats"]), state["options"]
    return shuffle.write_context(name_of(state), deal, *facts).decode("ascii")
