"""``tefuda verify``: whether the cards of a record were shuffled fairly."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from tefuda.cli.json_output import print_json
from tefuda.cli.progress import prepare
from tefuda.engine.errors import TefudaError
from tefuda.table.record import Record


def run(path: Path, commitments: Sequence[str], as_json: bool = False) -> None:
    """Say of every deal what has been computed again.

    Args:
        path: of the record.
        commitments: in hexadecimal, what somebody was shown before the deals; each must be in the record.
        as_json: for a program.

    Raises:
        TefudaError: a proof does not hold or is missing, a play contradicts the rules, a commitment is of no deal.
    """
    saved = Record.read(path)
    prepare(saved.load_game().description)
    deals = saved.verify()
    shown = {deal.proof.commitment.hex() for deal in deals if deal.proof}
    for commitment in commitments:
        if commitment.strip().lower() not in shown:
            raise TefudaError(f"--commitment {commitment}: no deal of {path} was dealt from it")
    if as_json:
        proofs = [deal.proof for deal in deals if deal.proof]
        found = [
            {"commitment": each.commitment.hex(), "entropy": [part.hex() for part in each.entropy]} for each in proofs
        ]
        print_json({"record": path, "fair": True, "deals": found, "compared": list(commitments)})
        return
    console = Console(highlight=False)
    for number, deal in enumerate(deals, 1):
        assert deal.proof is not None
        seats = sum(bool(part) for part in deal.proof.entropy)
        console.print(f"deal {number}: fair, {seats} of {len(deal.proof.entropy)} seats added entropy")
        console.print(f"  commitment {deal.proof.commitment.hex()}", soft_wrap=True)
    console.print("Every deck follows from its secret and the seats' entropy; every play is legal.")
    console.print("Names, and that no legal play stands in another's place, only the server can confirm that kept it.")
    if not commitments:
        console.print("Compare the commitments with what you were shown before the deals (--commitment HEX does it).")
