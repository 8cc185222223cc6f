"""``tefuda verify``: whether the cards of a record were shuffled fairly."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from tefuda.cli.progress import prepare
from tefuda.engine.errors import TefudaError
from tefuda.table import shuffle
from tefuda.table.commitment_chain import ChainError, contradiction, named_seats, read_chain
from tefuda.table.deal import Deal
from tefuda.table.receipt import Receipt, read_receipts
from tefuda.table.record import Record
from tefuda.table.shuffle import Proof


def run(path: Path, commitments: Sequence[str], receipts: Path | None = None, chain: Path | None = None) -> None:
    """Say of every deal what has been computed again.

    Args:
        path: of the record.
        commitments: in hexadecimal, what somebody was shown before the deals; each must be in the record.
        receipts: a file of what a player's program kept from before the deals.
        chain: a file of the table's chain of commitments, kept from before the deals.

    Raises:
        TefudaError: a proof does not hold or is missing, a play contradicts the rules, a commitment is of no deal, a
            receipt or the chain contradicts a proof.
    """
    saved = Record.read(path)
    own = [] if receipts is None else read_receipts(receipts)
    entries = None if chain is None else _read_chain_file(chain)
    prepare(saved.load_game().description)
    deals = saved.verify()
    known = {commitment.strip().lower() for commitment in commitments}
    shown = {deal.proof.commitment.hex() for deal in deals if deal.proof}
    for commitment in sorted(known - shown):
        raise TefudaError(f"--commitment {commitment}: no deal of {path} was dealt from it")
    console = Console(highlight=False)
    for number, deal in enumerate(deals, 1):
        assert deal.proof is not None
        mine = [each for each in own if (each.table, each.deal) == (deal.proof.table, number)]
        for receipt in mine:
            _check_receipt(receipt, deal, number)
        if entries is not None:
            _check_chain(entries, deal.proof, chain)
        is_known = deal.proof.commitment.hex() in known
        console.print(f"deal {number}: {_verdict(deal.proof, mine, is_known, entries)}", soft_wrap=True)
        console.print(f"  commitment {deal.proof.commitment.hex()}", soft_wrap=True)
    console.print("Every deck follows from its secret and the seats' entropy; every play is legal.")
    console.print("Names, and that no legal play stands in another's place, only the server can confirm that kept it.")
    if not (known or own or entries):
        console.print(
            "Consistent is not fair: a server can write such a record afterwards. Compare it with what you kept from "
            "before the deals: --receipt FILE, --chain FILE or --commitment HEX."
        )


def _verdict(proof: Proof, own: Sequence[Receipt], is_known: bool, entries: Sequence[dict[str, Any]] | None) -> str:
    """What is shown of one deal, and by what."""
    added = [seat for seat, part in enumerate(proof.entropy) if part]
    told = f"{len(added)} of {len(proof.entropy)} seats added entropy"
    named = sorted({seat for each in own for seat in each.named} | set(named_seats(entries or [], proof)))
    again = f"; shuffled again without seats {named}, which did not reveal" if named else ""
    took_part = [each.seat for each in own if each.seat in added]
    if took_part and proof.seals is not None:
        return f"fair, {told}; the receipt of seat {took_part[0]} agrees{again}"
    if not added:
        return f"consistent, {told}: the server alone made the deck{again}"
    if is_known or own or entries is not None:
        if entries is not None and proof.seals is not None:
            return f"fair, {told}, if one of seats {added} is not the server's own: the chain fixed their seals{again}"
        when = "when they did so, only a receipt or a chain can show" if proof.seals else "by protocol 1, without seals"
        return f"fair, {told}, if one of seats {added} added it in time: the secret was fixed before; {when}{again}"
    return f"consistent, {told}; whether the secret was fixed before the deal, the record cannot show{again}"


def _check_receipt(receipt: Receipt, deal: Deal, number: int) -> None:
    assert deal.proof is not None
    hand = [card for group in deal.at(0).view(receipt.seat).scene.hand for card in group.cards]
    bound_to = shuffle.context(deal.game, deal.proof.table, number).decode("ascii")
    faults = receipt.check(deal.proof, bound_to, hand)
    if faults:
        raise TefudaError(f"deal {number}: not fair: {'; '.join(faults)}")


def _check_chain(entries: Sequence[dict[str, Any]], proof: Proof, path: Path | None) -> None:
    fault = contradiction(entries, proof)
    if fault:
        raise TefudaError(f"deal {proof.deal}: not fair, or not in {path}: {fault}")


def _read_chain_file(path: Path) -> list[dict[str, Any]]:
    try:
        return read_chain(json.loads(path.read_text("utf-8")))
    except OSError as error:
        raise ChainError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ChainError(f"{path}: it is not JSON") from error
    except ChainError as error:
        raise ChainError(f"{path}: {error}") from error
