"""``tefuda verify``: whether the cards of a record were shuffled fairly."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

import tefuda
from tefuda.cli.chosen import prepare
from tefuda.cli.parameters import AsJson, Commands, later
from tefuda.cli.standard_streams import print_json
from tefuda.engine import files
from tefuda.engine.errors import TefudaError
from tefuda.engine.files import read_text

with later():
    from tefuda.table import receipt as receipt_files
    from tefuda.table import shuffle
    from tefuda.table.receipt import Receipt
    from tefuda.table.shuffle import Proof

app = Commands()

Entries = Sequence[dict[str, Any]]  # entries of a chain of commitments, as JSON has them

Commitments = Annotated[
    list[str] | None,
    Option("--commitment", help="Commitment shown before a deal; may be repeated.", metavar="HEX", show_default=False),
]
ReceiptFile = Annotated[
    Path | None,
    Option(help="Receipts kept by your program or browser before the deals.", metavar="FILE", show_default=False),
]
ChainFile = Annotated[
    Path | None,
    Option(help="The table's chain of commitments (JSON), saved before the deals.", metavar="FILE", show_default=False),
]


@app.command(example="verify game.tfd --receipt receipt.json")
def verify(
    file: Annotated[Path, Argument(help="A record (.tfd) of deals that were shuffled fairly.", metavar="FILE")],
    commitments: Commitments = None,
    receipt: ReceiptFile = None,
    chain: ChainFile = None,
    as_json: AsJson = False,
) -> None:
    """Verify a recorded game: recompute its shuffle and replay its plays."""
    from rich.console import Console

    saved = tefuda.Record.read(file)
    own = [] if receipt is None else receipt_files.read_receipts(receipt)
    entries = None if chain is None else _read_chain_file(chain)
    prepare(saved.load_game().description)
    deals = saved.verify()
    known = {commitment.strip().lower() for commitment in commitments or ()}
    shown = {deal.proof.commitment.hex() for deal in deals if deal.proof}
    for commitment in sorted(known - shown):
        raise TefudaError(f"--commitment {commitment}: no deal of {file} was dealt from it")
    found = [_judge(deal, number, own, known, entries, chain) for number, deal in enumerate(deals, 1)]
    if as_json:
        is_fair, rows = all(result.fair for result in found), [result.to_json() for result in found]
        head = {"record": file, "consistent": True, "fair": is_fair}
        print_json({**head, "deals": rows, "compared": list(commitments or ())})
        return
    console = Console(highlight=False)
    for number, result in enumerate(found, 1):
        console.print(f"deal {number}: {'fair' if result.fair else 'consistent'}, {result.why}", soft_wrap=True)
        console.print(f"  commitment {result.proof.commitment.hex()}", soft_wrap=True)
    console.print("Every deck follows from its secret and the seats' entropy; every play is legal.")
    for line in _unknown(known, own, entries):
        console.print(line, soft_wrap=True)


def _unknown(commitments: Collection[str], receipts: "Sequence[Receipt]", entries: Entries | None) -> list[str]:
    """Say what nothing here can show."""
    lines = []
    if not (commitments or receipts or entries):
        lines.append(
            "Consistent is not fair: a server can write such a record afterwards. Compare it with what you kept from "
            "before the deals: --receipt FILE, --chain FILE or --commitment HEX."
        )
    if any(receipt.plays is None for receipt in receipts):
        lines.append(
            "A receipt without plays (a browser's, or of a program that was not there all the time) cannot show that "
            "no legal play stands in another's place; only the server can confirm that, if it kept them."
        )
    elif not receipts:
        lines.append("That no legal play stands in another's place, only the server can confirm that kept them.")
    return [
        *lines,
        "Nothing can show who the players were, whether a seat that did not reveal did so on purpose, and whether the "
        "server told anybody the cards.",
    ]


@dataclass(frozen=True)
class VerifyResult:
    """The finding about one deal: fair if something kept from before it agrees with its proof."""

    proof: "Proof"
    fair: bool
    why: str

    def to_json(self) -> dict[str, object]:
        """Return the finding for a program."""
        entropy, attempt = [part.hex() for part in self.proof.entropy], self.proof.attempt
        row = {"commitment": self.proof.commitment.hex(), "entropy": entropy, "attempts": attempt}
        return {**row, "fair": self.fair, "why": self.why}


def _judge(
    deal: "tefuda.Deal",
    number: int,
    receipts: "Sequence[Receipt]",
    commitments: Collection[str],
    entries: Entries | None,
    chain: Path | None,
) -> VerifyResult:
    """Compare a deal with everything that was kept."""
    proof = deal.proof
    assert proof is not None
    own = [each for each in receipts if (each.table, each.deal) == (proof.table, number)]
    faults = [fault for each in own for fault in each.check(deal)]
    faults += [fault for each in own if entries and (fault := shuffle.contradiction(entries, proof, each.link))]
    if faults:
        raise TefudaError(f"deal {number}: not fair: {'; '.join(faults)}")
    if entries is not None and (fault := shuffle.contradiction(entries, proof)):
        raise TefudaError(f"deal {proof.deal}: not fair, or not in {chain}: {fault}")
    is_known = bool(own) or entries is not None or proof.commitment.hex() in commitments
    fair, why = _verdict(proof, own, is_known, entries is not None)
    named = sorted({seat for each in own for seat in each.named} | set(shuffle.named_seats(entries or [], proof)))
    again = f"; shuffled again without seats {named}, which did not reveal" if named else ""
    added = sum(bool(part) for part in proof.entropy)
    attempts = "" if proof.attempt is None else f" in attempt {proof.attempt}"
    return VerifyResult(proof, fair, f"{added} of {len(proof.entropy)} seats added entropy{attempts}{why}{again}")


def _verdict(proof: "Proof", own: "Sequence[Receipt]", is_known: bool, has_chain: bool) -> tuple[bool, str]:
    """Tell if a deal was fair as far as can be known, and what shows it."""
    added = [seat for seat, part in enumerate(proof.entropy) if part]
    took_part = [each for each in own if each.seat in added and each.added is not False]
    if took_part and proof.seals is not None:
        mine = next((each for each in took_part if each.hand is not None), took_part[0])
        lacks = "" if mine.hand is not None else ", which does not know the cards that it was dealt"
        return True, f"; the receipt of seat {mine.seat} agrees{lacks}"
    if own and not took_part and proof.seals is not None:
        return False, f"; none by seat {own[0].seat}, whose receipt therefore cannot show who chose the cards"
    if not added:
        return False, ": the server alone made the deck"
    if not is_known:
        return False, "; whether the secret was fixed before the deal, the record cannot show"
    if has_chain and proof.seals is not None:
        return True, f", if one of seats {added} is not the server's own: the chain fixed their seals"
    when = "by protocol 1, without seals" if proof.seals is None else "when, only a receipt or a chain can show"
    return True, f", if one of seats {added} added it in time: the secret was fixed before the deal; {when}"


def _read_chain_file(path: Path) -> Entries:
    text = read_text(path, shuffle.ChainError)
    try:
        return shuffle.read_chain(files.load_json(text))
    except shuffle.ChainError as error:
        raise shuffle.ChainError(f"{path}: {error}") from error
    except (ValueError, RecursionError) as error:
        raise shuffle.ChainError(f"{path}: it is not JSON ({error})") from error
