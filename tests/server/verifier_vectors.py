"""Writes ``verify/vectors``: what honest and lying houses show, for all who check them; ``python -m
tests.server.verifier_vectors``.

Each file is a bundle for the programs in ``verify``, with what they must find: the ``verdict``, a ``code`` that is
among the faults, and the seats ``named`` as those that did not reveal."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tefuda.engine.errors import TefudaError
from tefuda.server.store import Draft
from tefuda.server.table import events
from tefuda.table import head_log, shuffle
from tefuda.table.receipt_book import Heard, ReceiptBook
from tests.server import test_trust
from tests.server.cheating_house import ANN, House, ground, honest, late, older, replaced

FOLDER = Path(__file__).parent.parent.parent / "verify" / "vectors"

Bundle = dict[str, Any]
Lie = Callable[[Any], None]

STEPS: dict[str, Callable[[Any], bool]] = {
    "sealed": lambda shown: shown["ready"][0] and shown["seals"] is None,
    "closed": lambda shown: shown["seals"] is not None and not shown["revealed"][0],
    "revealed": lambda shown: shown["revealed"][0],
    "both": lambda shown: shown["revealed"][0] and shown["revealed"][1],
}
"""What a message shows of Ann's part in a shuffle."""

LEFT_OUT = object()

MESSAGES: list[tuple[str, str, Any, str]] = [
    *[("deal", "closed", value, "malformed") for value in (0, -1, "1", 1.5, None, LEFT_OUT)],
    ("deal", "closed", 2, "rules"),
    *[("commitment", "closed", value, "malformed") for value in ("", None, 7, LEFT_OUT)],
    ("commitment", "sealed", "00" * 32, "commitment"),
    *[("ready", "sealed", value, "malformed") for value in ([], "yes", None, LEFT_OUT)],
    *[("attempt", "sealed", value, "malformed") for value in (0, "1", True, 2**64, None, LEFT_OUT)],
    ("attempt", "sealed", 2, "steps"),
    *[("seals", "closed", value, "malformed") for value in ([], "", {}, [None] * 4, LEFT_OUT)],
    ("seals", "closed", ["11" * 32] * 4, "left_out"),
    ("seals", "closed", [""] * 4, "left_out"),
    ("seals", "revealed", ["11" * 32] * 4, "seals"),
    ("seals", "revealed", None, "seals"),
    *[("revealed", "closed", value, "malformed") for value in ([], [0] * 4, None, LEFT_OUT)],
    ("revealed", "closed", [False, False, False, True], "steps"),
    ("revealed", "both", [False] * 4, "steps"),
    *[("unrevealed", "closed", value, "malformed") for value in ([0, 0], [9], [-1], ["0"], None, LEFT_OUT)],
    ("unrevealed", "closed", [0], "steps"),
    ("unrevealed", "both", [0], "named"),
    ("unrevealed", "revealed", [3], "wrongly"),
    *[("link", "closed", value, "malformed") for value in ("", "xx" * 32, None, LEFT_OUT)],
]
"""Fields of what a message shows of a shuffle: when the house changes it, to what, and which lie that is."""

STORIES: list[tuple[Lie, str]] = [
    (test_trust.exchanged, "commitment"),
    (test_trust.swapped, "left_out"),
    (test_trust.closed_again, "seals"),
    (test_trust.reopened, "seals"),
    (test_trust.begun_again, "steps"),
    (test_trust.named_without_a_seal, "wrongly"),
    (test_trust.named_too_early, "wrongly"),
    (test_trust.named_in_the_same_attempt, "steps"),
    (test_trust.jumped, "steps"),
    (test_trust.downgraded, "malformed"),
]
"""What the house changes in several fields at once."""

PROOF: dict[str, tuple[Any, str]] = {
    "table": ("other/1", "secret"),
    "deal": (2, "rules"),
    "commitment": ("00" * 32, "secret"),
    "secret": ("11" * 32, "secret"),
    "entropy": (["11" * 32, "", "", ""], "opened"),
    "seals": (["11" * 32, "11" * 32, "", ""], "opened"),
    "attempt": (4, "steps"),
}
"""Fields of a proof: another value, and which lie that is."""


class Recording(ReceiptBook):
    """The receipts of a program, and all messages that it got and sent since the shuffle began."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[Bundle] = []

    def hear(self, state: Any, *, resumed: bool = False) -> Heard:
        if state["shuffle"] or self.messages:
            self.messages.append(brief(state, is_first=not self.messages))
        return super().hear(state, resumed=resumed)

    def answer(self, state: Any) -> Bundle | None:
        sent = super().answer(state)
        self.messages += [dict(sent)] if sent else []
        return sent


def brief(state: Any, *, is_first: bool) -> Bundle:
    """As much of a message as a receipt is made from."""
    told = [{name: event[name] for name in ("seq", "kind", "seat") if name in event} for event in state["events"]]
    deal = state["deal"] and {"number": state["deal"]["number"], "over": state["deal"]["over"]}
    if deal and told and told[-1]["kind"] == "dealt":
        deal["scene"] = {"hand": [{"cards": group["cards"]} for group in state["deal"]["scene"]["hand"]]}
    row = {"type": "shuffle", "seq": state["seq"], "shuffle": state["shuffle"], "deal": deal, "events": told}
    if not is_first:
        return row
    whole = {name: state[name] for name in ("table", "session", "game", "rules", "options", "phase")}
    return {**row, **whole, "type": "state", "seats": [""] * len(state["seats"]), "you": {"seat": state["you"]["seat"]}}


class Recorded(House):
    """A house of which Ann keeps everything."""

    def __init__(self, game: str = "gong-zhu") -> None:
        super().__init__(game=game)
        self.books[ANN] = self.ann = Recording()

    def play(self, plays: int) -> None:
        """Make so many plays, or all that there are."""
        for _ in range(plays):
            deal = self.table.deal
            if deal is None or deal.over:
                return
            self.do(events.play_for(deal.mover, deal.legal()[0]))

    def bundle(self, record: str | None = None) -> Bundle:
        """Everything that Ann has at the end."""
        shown = {"record": record if record is not None else self.rewritten(honest)}
        receipts = "".join(json.dumps(asdict(each)) + "\n" for each in self.ann.receipts.values())
        chain = json.loads(json.dumps(self.table.chain.entries))
        return {**shown, "receipts": receipts, "messages": told(self.ann.messages), "chain": chain}


def told(messages: list[Bundle]) -> list[Bundle]:
    """The messages without those after the deals began, which show nothing of shuffles."""
    return [
        each
        for each in messages
        if each["type"] in ("ready", "reveal") or each["shuffle"] or "scene" in (each["deal"] or {})
    ]


def dealt(game: str = "gong-zhu", plays: int = 6) -> Recorded:
    """An honest house, closed after some plays."""
    house = Recorded(game)
    house.deal()
    house.play(plays)
    house.close()
    return house


def withheld() -> Recorded:
    """A house in which Ben does not reveal."""
    house = Recorded()
    house.seal()
    house.answer(ANN)
    house.do(events.name_unrevealed(house.table))
    house.answer(ANN)
    house.do(events.close_seals(house.table))
    house.answer(ANN)
    house.do(events.deal(house.table))
    house.close()
    return house


Vector = tuple[str, Bundle, str, str]  # its name, the bundle, the verdict, and the code of the lie


def honest_houses() -> Iterator[Vector]:
    for game in ("gong-zhu", "kakkuri", "luk-fu", "ma-diao", "sap-ng-wu"):
        yield f"honest-{game}", dealt(game).bundle(), "fair", ""
    two = Recorded("sap-ng-wu")
    for plays in (1000, 3):
        two.deal()
        two.play(plays)
    two.close()
    yield "honest-two-deals", two.bundle(), "fair", ""
    whole = dealt().bundle()
    for kept in ("receipts", "messages", "chain"):
        yield f"honest-{kept}-alone", {"record": whole["record"], kept: whole[kept]}, "fair", ""
    yield "nothing-kept", {"record": whole["record"]}, "unknown", ""
    yield "no-record", {name: whole[name] for name in ("receipts", "messages", "chain")}, "unknown", ""
    yield "withheld", {**withheld().bundle(), "named": [[1, 1]]}, "fair", ""
    alone = Recorded()
    alone.books.clear()
    alone.deal()
    alone.close()
    yield "nobody-added", {"record": alone.rewritten(honest), "chain": alone.table.chain.entries}, "unknown", ""
    old = dealt(plays=0)
    yield "protocol-1", {"record": old.rewritten(older)}, "unknown", ""


def rewritten_logs() -> Iterator[Vector]:
    """The house changes its log when the deal is over."""
    for cheat, code in ((ground, "commitment"), (late, "seals"), (replaced, "entropy"), (older, "seals")):
        house = dealt(plays=0)
        yield f"log-{cheat.__name__}", {**house.bundle(house.rewritten(cheat)), "messages": []}, "unfair", code
    for cheat in (ground, late, replaced):
        house = dealt(plays=0)
        shown = {"record": house.rewritten(cheat), "chain": house.table.chain.entries}
        yield f"log-{cheat.__name__}-chain-alone", shown, "unfair", "chain"
    house = Recorded()
    house.seal()
    for _ in range(5):
        house.do([Draft("unrevealed", {"seats": []}), *events.close_seals(house.table)[:1]])
    house.do(events.deal(house.table))
    house.close()
    yield "log-begun-again-and-again", house.bundle(), "unfair", "steps"


def changed_records() -> Iterator[Vector]:
    """The house shows a record that it has changed."""
    whole = dealt().bundle()
    whole["messages"] = []
    head, deal, *plays = [json.loads(line) for line in whole["record"].splitlines()]

    def record(head: Bundle = head, deal: Bundle = deal, plays: list[Bundle] = plays) -> Bundle:
        rows = [head, deal, *plays]
        return {**whole, "record": "".join(json.dumps(row) + "\n" for row in rows)}

    for field, (value, code) in PROOF.items():
        yield f"proof-{field}", record(deal={**deal, "proof": {**deal["proof"], field: value}}), "unfair", code
    cards = deal["deck"].split()
    swapped, doubled = [cards[1], cards[0], *cards[2:]], [cards[1], *cards[1:]]
    yield "record-deck", record(deal={**deal, "deck": " ".join(swapped)}), "unfair", "deck"
    yield "record-pack", record(deal={**deal, "deck": " ".join(doubled)}), "unfair", "pack"
    yield "record-chance", record(deal={**deal, "chance": deal["chance"] ^ 1}), "unfair", "deck"
    yield "record-rules", record({**head, "rules": 2}), "unfair", "secret"
    yield "record-options", record({**head, "options": {"target": 500}}), "unfair", "secret"
    other = {"play": plays[-1]["play"][:2] + ("SQ" if "SQ" not in plays[-1]["play"] else "DJ")}
    yield "record-play", record(plays=[*plays[:-1], other]), "unfair", "plays"
    yield "record-play-left-out", record(plays=plays[:-1]), "unfair", "plays"
    yield "record-cut", {**whole, "record": whole["record"][:40]}, "unknown", ""


def changed_chains() -> Iterator[Vector]:
    """The house shows another chain of the table's commitments, each link right."""
    whole = withheld().bundle()
    entries = [{name: value for name, value in entry.items() if name != "link"} for entry in whole["chain"]]
    _, first, stopped, second = entries
    changes: dict[str, list[Bundle]] = {
        "commitment": [{**entries[0], "commitment": "00" * 32}, *entries[1:]],
        "kind": [entries[0], {**first, "kind": "committed"}, stopped, second],
        "table": [entries[0], {**first, "table": "u/1"}, stopped, second],
        "deal": [{**entries[0], "deal": 2}, *entries[1:]],
        "attempt": [*entries[:3], {**second, "attempt": 1}],
        "seals": [*entries[:3], {**second, "seals": ["11" * 32, "", "", ""]}],
        "seats": [entries[0], first, {**stopped, "seats": [2]}, second],
        "seats-none": [entries[0], first, {**stopped, "seats": []}, second],
        "left-out": [entries[0], second],
        "order": [entries[0], second, stopped, first],
        "two-commitments": [entries[0], *entries],
        "nothing": [],
    }
    for name, changed in changes.items():
        yield f"chain-{name}", {**whole, "chain": linked(changed), "messages": [], "named": None}, "unfair", "chain"
    broken = [{**whole["chain"][0], "link": "00" * 32}, *whole["chain"][1:]]
    yield "chain-link", {**whole, "chain": broken, "messages": []}, "unfair", "chain"


def linked(entries: list[Bundle]) -> list[Bundle]:
    """A chain of these entries."""
    chain = shuffle.CommitmentChain()
    for entry in entries:
        chain.add(entry["kind"], **{name: value for name, value in entry.items() if name != "kind"})
    return chain.entries


def changed_messages() -> Iterator[Vector]:
    """The house lies to Ann in one message, and to her alone."""
    numbers = count(1)
    for field, at, value, code in MESSAGES:

        def lie(shown: Any, field: str = field, at: str = at, value: Any = value) -> bool:
            if not STEPS[at](shown):
                return False
            if value is LEFT_OUT:
                del shown[field]
            else:
                shown[field] = value
            return True

        yield f"message-{next(numbers):02}-{field}", {"messages": lied(lie)}, "unfair", code
    for story, code in STORIES:
        yield f"message-{story.__name__.replace('_', '-')}", {"messages": lied(story)}, "unfair", code


def lied(lie: Callable[[Any], object]) -> list[Bundle]:
    """The messages of a house that lies once, or as long as it can."""
    house, done = Recorded(), list[bool]()

    def shown(state: Any) -> Any:
        if state["shuffle"] and state["you"]["seat"] == 0 and not done:
            done.extend([True] if lie(state["shuffle"]) is True else [])
        return state

    house.lie = shown
    with suppress(TefudaError, KeyError):  # what Ann's program makes of it is not asked here
        house.deal()
    return told(house.ann.messages)


def other_deals() -> Iterator[Vector]:
    """The house lies about the cards."""
    house = Recorded()
    house.lie = lambda state: {**state, "deal": other_hand(house, state)}
    house.deal()
    house.close()
    yield "deal-hand", house.bundle(), "unfair", "hand"
    house = Recorded()
    house.seal()
    house.do(events.deal(house.table))
    house.close()
    yield "deal-unasked", house.bundle(), "unfair", "unasked"
    house = Recorded()
    house.lie = lambda state: {**state, "events": []} if state["deal"] else state
    house.deal()
    house.close()
    yield "deal-unseen", {"messages": house.ann.messages}, "unknown", ""
    house = Recorded()
    house.lie = lambda state: {**state, "shuffle": None} if state["you"]["seat"] == 0 else state
    house.deal()
    house.close()
    yield "deal-silent", {**house.bundle(), "chain": None}, "unknown", ""
    house = Recorded()
    house.seal()
    house.answer(ANN)
    house.lie = lambda state: state
    house.do([Draft("unrevealed", {"seats": [0]})])
    yield "deal-named-though-revealed", {"messages": told(house.ann.messages)}, "unfair", "named"


def other_hand(house: House, state: Any) -> Any:
    """The deal with Ben's hand in place of Ann's."""
    if state["deal"] is None or state["you"]["seat"] != 0:
        return state["deal"]
    hand = [{"cards": group.cards} for group in house.table.view(1).scene.hand]
    return {**state["deal"], "scene": {**state["deal"]["scene"], "hand": json.loads(json.dumps(hand))}}


SERVER, OTHER = bytes(32), b"\1" * 32  # the secrets of two servers


def log_of(*chain_heads: str, secret: bytes = SERVER) -> Bundle:
    """The log of all tables of a server, an entry a second; an empty head stands for a table that was pruned."""
    told = [{"kind": "dealt", "head": head} if head else PRUNED for head in chain_heads]
    return relinked([{"number": k, "at": 1000 * k, **each} for k, each in enumerate(told, 1)], secret)


PRUNED = {"kind": "pruned", "head": "01" * 32}


def relinked(rows: list[Bundle], secret: bytes = SERVER) -> Bundle:
    """The log of these entries, with links and a head that hold."""
    before, entries = head_log.FIRST, []
    for row in rows:
        before = head_log.link(before, {name: value for name, value in row.items() if name != "link"})
        entries.append({**row, "link": before})
    return {"entries": entries, "head": asdict(head_log.Head.sign(secret, len(rows), before))}


def logs_of_all_tables() -> Iterator[Vector]:
    """Ann has seen two entries of the log before her deal, which is the fourth, and comes again to find it."""
    whole = dealt().bundle()
    receipt = json.loads(whole["receipts"])
    noise = [f"{k:02x}" * 32 for k in range(1, 5)]
    log = log_of(*noise[:3], receipt["link"], "", noise[3])
    kept = log_of(*noise[:2])["head"]
    whole |= {"receipts": json.dumps({**receipt, "log": 2}) + "\n", "messages": [], "kept": [kept]}
    rows, head = log["entries"], log["head"]
    yield "heads-honest", {**whole, "heads": log}, "fair", ""
    yield "heads-honest-part", {**whole, "heads": {**log, "entries": rows[2:]}}, "fair", ""
    older = {**whole, "receipts": json.dumps(receipt) + "\n"}
    yield "heads-not-seen-before", {**older, "heads": log_of(*noise)}, "fair", ""
    shortest = log_of(*noise[:1])
    others: dict[str, tuple[Bundle, str]] = {
        "vanished": (relinked(renumbered(rows[:3] + rows[4:])), "vanished"),
        "rewritten": (log_of(noise[0], noise[3], noise[2], receipt["link"]), "cut"),
        "left-out": (relinked(renumbered(rows[1:])), "cut"),
        "truncated": (shortest, "cut"),
        "other-key": (relinked(rows, OTHER), "cut"),
        "link": ({**log, "entries": [*rows[:4], {**rows[4], "link": "00" * 32}, rows[5]]}, "heads"),
        "head": ({**log, "entries": [*rows[:3], {**rows[3], "head": noise[3]}, *rows[4:]]}, "heads"),
        "at": ({**log, "entries": [*rows[:3], {**rows[3], "at": 7}, *rows[4:]]}, "heads"),
        "kind": ({**log, "entries": [*rows[:4], {**rows[4], "kind": "dealt"}, *rows[5:]]}, "heads"),
        "number": ({**log, "entries": [*rows[:4], {**rows[4], "number": 4}, *rows[5:]]}, "heads"),
        "order": ({**log, "entries": [rows[0], rows[2], rows[1], *rows[3:]]}, "heads"),
        "signature": ({**log, "head": {**head, "signature": kept["signature"]}}, "heads"),
        "signed-by-nobody": ({**log, "head": {**head, "key": "00" * 32}}, "heads"),
        "newer-head": ({**log, "head": asdict(head_log.Head.sign(SERVER, 7, head["link"]))}, "heads"),
    }
    for name, (shown, code) in others.items():
        yield f"heads-{name}", {**whole, "heads": shown}, "unfair", code
    yield "heads-part-rewritten", {**whole, "heads": {**log, "entries": rewritten(rows[2:])}}, "unfair", "cut"


def renumbered(rows: list[Bundle]) -> list[Bundle]:
    return [{**row, "number": number} for number, row in enumerate(rows, 1)]


def rewritten(rows: list[Bundle]) -> list[Bundle]:
    """Entries that follow each other, and not what was before them."""
    return [{**row, "link": each["link"]} for row, each in zip(rows, relinked(rows)["entries"], strict=True)]


def vectors() -> dict[str, Bundle]:
    """All vectors by name; the same in every run."""
    found = {}
    makers = (
        honest_houses,
        rewritten_logs,
        changed_records,
        changed_chains,
        changed_messages,
        other_deals,
        logs_of_all_tables,
    )
    drawn = (sha256(b"entropy %d" % number).digest() for number in count())
    with patch("tefuda.table.receipt_book.secrets.token_bytes", lambda size: next(drawn)[:size]):
        for maker in makers:
            for name, bundle, verdict, code in maker():
                kept = {
                    key: value
                    for key, value in bundle.items()
                    if value is not None and (key, value) != ("messages", [])
                }
                found[name] = {"verdict": verdict, **({"code": code} if code else {}), **kept}
    return found


def text(bundle: Bundle) -> str:
    """The file of a vector: a line for each part, and for each message."""
    lines = [f"{json.dumps(key)}: {written(value)}" for key, value in bundle.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def written(value: Any) -> str:
    rows = isinstance(value, list) and value and isinstance(value[0], dict)
    return "[\n" + ",\n".join(map(json.dumps, value)) + "\n]" if rows else json.dumps(value)


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, bundle in vectors().items():
        (FOLDER / f"{name}.json").write_text(text(bundle), "utf-8")


if __name__ == "__main__":
    write()
