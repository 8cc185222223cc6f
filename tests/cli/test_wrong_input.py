"""Wrong command lines and wrong files: one clear line that names what is wrong, and exit status 2.

Each command runs in a folder with ``folder``, ``file`` (empty), ``binary``, ``loop`` (a link to itself), ``long`` (more
than any record), ``odd.toml`` (a key that nothing knows), ``deep.toml`` and ``deep.tfd`` (brackets in brackets)."""

import os
import shlex
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from tests.cli.command import run

from tefuda.cli.app import Interrupts
from tefuda.engine.files import MOST_BYTES

MATCH = "match gong-zhu hints random random random"
COMPARE = "lab compare gong-zhu exposing=true exposing=false"

LINES = [
    ("nonsense", "No such command 'nonsense'"),
    ("--nonsense", "No such option: --nonsense"),
    ("games extra", "unexpected extra argument(s) (extra)"),
    ("games --lang xx", "--lang: there are no texts in 'xx'"),
    ("rules", "Missing argument 'GAME'"),
    ("rules nogame", "there is no game 'nogame'; there are: gong-zhu"),
    ("rules gong-zhu GZ-0", "no rule 'GZ-0'; its rules are GZ-1 to GZ-27"),
    ("rules gong-zhu GZ-99", "its rules are GZ-1 to GZ-27"),
    ("rules gong-zhu GZ-99999999999999", "no rule 'GZ-99999999999999'"),
    ("rules gong-zhu ''", "no rule ''"),
    ("rules gong-zhu --lang xx", "--lang: there are no texts in 'xx'"),
    ("rules gong-zhu --lang ''", "--lang: there are no texts in ''"),
    ("rules gong-zhu GZ-1 GZ-2", "(GZ-2)"),
    ("rules gong-zhu GZ-1 --about", "leave out 'GZ-1'"),
    ("play", "name a game, as in "),
    ("play gong-zu", "did you mean 'gong-zhu'?"),
    ("play 拱竹", "there is no game '拱竹'; there are: gong-zhu"),
    ("play GONG-ZU", "ma-diao, sap-ng-wu; did you mean 'gong-zhu'?"),
    ("play ''", "there is no game ''"),
    ("play gong-zhu luk-fu", "(luk-fu)"),
    ("play gong-zhu --seats 3", "played by 4 or 5, not by 3"),
    ("play gong-zhu --seats many", "'--seats'"),
    ("play gong-zhu --seats -1", "not by -1"),
    ("play gong-zhu --seats 99999999999999999999", "played by 4 or 5"),
    ("play gong-zhu --seed -1", "'--seed'"),
    ("play gong-zhu --seed 1.5", "'--seed'"),
    ("play gong-zhu --sed 1", "--sed"),
    ("play gong-zhu --set target", "option=value"),
    ("play gong-zhu --set target=", "target: '' is not a whole number"),
    ("play gong-zhu --set target=many", "target: 'many' is not a whole number"),
    ("play gong-zhu --set target=-5", "target"),
    ("play gong-zhu --set target=99999999999999999999", "target"),
    ("play gong-zhu --set =1", "no option ''"),
    ("play gong-zhu --set target=500 --set target=1000", "target has been set to 500 before it"),
    ("play gong-zhu --set partnershp=true", "did you mean 'partnership'?"),
    ("play gong-zhu --set expose_order=simultan", "did you mean 'simultaneous'?"),
    ("play gong-zhu --seats 5 --set partnership=true", "partnership needs 4 seats"),
    ("play gong-zhu --seats 5 --set first_leader=C2", "no two of clubs"),
    ("play gong-zhu --lang xx", "no texts in 'xx'"),
    ("play gong-zhu --bots nobody", "there is no bot 'nobody'"),
    ("play gong-zhu --bots search:0ms", "0ms"),
    ("play gong-zhu --bots search:-1it", "-1it"),
    ("play gong-zhu --bots search:99999999999999999999ms", "'99999999999999999999ms' is more than 1,000,000,000"),
    ("play gong-zhu --bots search:9999999999it", "is more than 1,000,000,000"),
    ("play gong-zhu --bots os:getcwd", "no method choose"),
    ("play gong-zhu --resume", "no unfinished game of gong-zhu"),
    ("play gong-zhu --resume --record missing.tfd", "no unfinished game of gong-zhu"),
    ("play gong-zhu --resume --record file", "file: empty, not a record"),
    ("play gong-zhu --resume --record binary", "binary: not a text file"),
    ("play gong-zhu --resume --record folder", "--record folder: it is a folder"),
    ("replay", "Missing argument 'FILE'"),
    ("replay missing.tfd", "missing.tfd: No such file"),
    ("replay folder", "folder: Is a directory"),
    ("replay file", "file: empty, not a record"),
    ("replay binary", "binary: not a text file"),
    ("replay odd.toml", "odd.toml, line 1: not a line of a record"),
    ("replay deep.tfd", "deep.tfd, line 1: not a line of a record"),
    ("replay loop", "loop: Too many levels of symbolic links"),
    ("replay long", "long: longer than 64 MiB"),
    ("replay unreadable", "unreadable: "),
    ("verify missing.tfd", "missing.tfd: No such file"),
    ("verify folder", "folder: Is a directory"),
    ("verify binary", "binary: not a text file"),
    ("verify long", "long: longer than 64 MiB"),
    ("verify file --commitment zz", "file: empty"),
    ("check", "Missing argument 'FILE…'"),
    ("check missing.toml", "missing.toml: No such file"),
    ("check folder", "folder: no .toml files in this folder"),
    ("check file", "file: it has no [[case]]"),
    ("check binary", "binary: not a text file"),
    ("check odd.toml", "odd.toml: there is no key 'x'"),
    ("check deep.toml", "deep.toml: not TOML"),
    ("check loop", "loop: Too many levels of symbolic links"),
    ("check long", "long: longer than 64 MiB"),
    ("check unreadable", "unreadable: "),
    ("match", "Missing argument 'GAME'"),
    ("match gong-zhu", "Missing argument 'BOT…'"),
    ("match gong-zhu hints", "gong-zhu is played by 4 or 5, not by 1"),
    ("match gong-zhu hints hints hints hints hints hints", "not by 6"),
    ("match gong-zhu hint random random random", "did you mean 'hints'?"),
    ("match gong-zhu hints random random a:b", "bot 'a:b': ModuleNotFoundError"),
    (f"{MATCH} --deals 0", "'--deals'"),
    (f"{MATCH} --threads 2 --ray auto", "--threads 2: with --ray auto the cluster's cores decide how many play"),
    ("exploit gong-zhu", "Missing argument 'BOT'"),
    ("data make gong-zhu --threads 2 --ray here:1", "--threads 2: with --ray here:1 the cluster's cores"),
    ("lab compare gong-zhu exposing=false --processes 2 --ray here:1", "--processes 2: with --ray here:1"),
    (f"{MATCH} --deals -3", "'--deals'"),
    (f"{MATCH} --deals 1e3", "'--deals'"),
    (f"{MATCH} --threads 0", "'--threads'"),
    (f"{MATCH} --seed -1", "'--seed'"),
    (f"{MATCH} --set nothing=1", "no option 'nothing'"),
    ("deck", "Missing argument 'GAME'"),
    ("deck nogame", "there is no game 'nogame'"),
    ("deck gong-zhu --deck none", "none"),
    ("deck gong-zhu --layers none --svg x", "there is no layer 'none'"),
    ("deck gong-zhu --layers '' --svg x", "a card needs a layer"),
    ("deck gong-zhu --lang xx --svg x", "no texts in 'xx'"),
    ("deck gong-zhu --output x.txt", "x.txt does not end in .pdf"),
    ("deck gong-zhu --output", "--output"),
    ("deck gong-zhu --svg file", "file: not a folder"),
    ("serve extra", "(extra)"),
    ("serve --port 70000", "'--port'"),
    ("serve --port -1", "'--port'"),
    ("serve --port x", "'--port'"),
    ("serve --host 300.1.1.1", "--host 300.1.1.1: this machine has no such address"),
    ("serve --port 0 --db nonsense", "--db: write it like sqlite:///"),
    ("serve --port 0 --db mysql://x", "no store 'mysql'"),
    ("serve --port 0 --db sqlite:///folder", "folder: unable to open database file"),
    ("serve --port 0 --db sqlite:///binary", "binary: file is not a database"),
    ("serve --port 0 --db sqlite:///file/x.db", "file: not a folder; name another file by --db"),
    ("serve --port 0 --game nogame", "there is no game 'nogame'"),
    ("serve --origin cards.example", "--origin: 'cards.example' is not written like https://"),
    ("serve --origin ftp://x", "--origin"),
    ("serve --passkeys", "--passkeys: say where people find the server"),
    ("serve --passkeys --origin http://cards.example", "--passkeys: browsers allow them over https"),
    ("serve --passkeys --origin https://192.0.2.1", "--passkeys: a passkey belongs to a name"),
    ("serve --port 0 --tours missing", "--tours: missing is not a folder"),
    ("serve --port 0 --tours file", "--tours: file is not a folder"),
    ("serve --lab missing", "--lab: missing is not a folder"),
    ("serve --lab file", "--lab: file is not a folder"),
    ("serve --pace -1", "--pace: -1.0 is not a number from 0 up"),
    ("serve --pace nan", "--pace: nan"),
    ("serve --pace inf", "--pace: inf"),
    ("serve --thinkers 0", "'--thinkers'"),
    ("serve --thinkers 999999", "'--thinkers'"),
    ("serve --rate -5", "--rate: -5.0"),
    ("serve --rate nan", "--rate: nan"),
    ("serve --log loud", "--log loud: write debug, info, warning or error"),
    ("lab nonsense", "No such command 'nonsense'"),
    ("lab run", "Missing argument 'FILE'"),
    ("lab run missing.toml", "missing.toml: No such file"),
    ("lab run folder", "folder: Is a directory"),
    ("lab run file", "file: game is missing"),
    ("lab run binary", "binary: not a text file"),
    ("lab run odd.toml", "odd.toml: there is no key 'x'"),
    ("lab run deep.toml", "deep.toml: not TOML"),
    ("lab run long", "long: longer than 64 MiB"),
    ("lab compare gong-zhu", "Missing argument 'ARM…'"),
    ("lab compare gong-zhu default", "say what to compare the plain rules with"),
    ("lab compare gong-zhu nothing=1 default", "no option 'nothing'"),
    (f"{COMPARE} --answer none", "answer: there is no figure 'none'"),
    (f"{COMPARE} --deals 0", "'--deals'"),
    (f"{COMPARE} --bot nobody", "there is no bot 'nobody'"),
    (f"{COMPARE} --measure none", "measures: there is no 'none'"),
    (f"{COMPARE} --deals 10 -o file", "file"),
    (f"{COMPARE} --measure play", "--measure play: it must be told which play, so write an experiment file"),
    (f"{COMPARE} --players nobody", "there is no bot 'nobody'"),
    (f"{COMPARE} --players hints@x", "--players hints@x: write a bot, or a bot and its number of deals"),
    (f"{COMPARE} --players hints --json", "--json: it goes with one kind of players"),
    (f"{COMPARE} --smallest 0", "smallest: 0.0 is not a number above 0"),
    (f"{COMPARE} --smallest much", "'--smallest'"),
    (f"{COMPARE} --stop --answer binds", "stop: 'binds' is measured in the sample only"),
    (f"{COMPARE} --lang xx", "--lang: there are no texts in 'xx'"),
    ("lab compare luk-fu old_reading=private", "is the same game as 'default', so there is nothing to compare"),
    ("lab run odd.toml --plan --lang xx", "--lang: there are no texts in 'xx'"),
    ("lab report missing", "missing: this is not the folder of a run"),
    ("lab report folder", "folder: this is not the folder of a run"),
    ("lab report binary", "binary: this is not the folder of a run"),
    ("lab report a extra", "(extra)"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the wrong files."""
    place = tmp_path_factory.mktemp("wrong")
    (place / "folder").mkdir()
    (place / "file").touch()
    (place / "binary").write_bytes(bytes(range(256)) * 8)
    (place / "loop").symlink_to(place / "loop")
    (place / "odd.toml").write_text("x = 1\n", "utf-8")
    (place / "deep.toml").write_text("x = " + "[" * 100_000, "utf-8")
    (place / "deep.tfd").write_text("[" * 100_000 + "\n\n", "utf-8")
    with (place / "long").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    return place


def unreadable(folder: Path) -> None:
    """A file that this user may not read: for the administrator, whom nothing stops, one that cannot be read at all."""
    path = folder / "unreadable"
    if path.is_symlink() or path.exists():
        return
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        if not Path("/proc/self/mem").exists():
            pytest.skip("the administrator can read every file here")
        path.symlink_to("/proc/self/mem")
    else:
        path.touch(0)


@pytest.mark.parametrize(("line", "told"), LINES)
def test_a_wrong_line_is_answered_with_one_line_that_names_the_fault(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, told: str
) -> None:
    if line.startswith(("lab ", "data make ")):
        pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
    if line.startswith("serve "):
        pytest.importorskip("fastapi", reason="the server is left out: uv sync --extra server")
    if "unreadable" in line:
        unreadable(folder)
    monkeypatch.chdir(folder)
    home = {"XDG_DATA_HOME": str(tmp_path / "data"), "COLUMNS": "100", "NO_COLOR": "1"}
    done = run(home, *shlex.split(line))
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stderr.startswith("tefuda: ")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    assert done.stdout == ("0 passed, 1 failed\n" if line.startswith("check ") and done.stdout else "")


def test_a_line_too_many_changes_nothing_on_disk(folder: Path) -> None:
    """What was refused has left no file behind."""
    assert not {"x.svg", "x.pdf", "x.txt", "x.png", "out"} & {path.name for path in folder.iterdir()}


def test_what_fails_because_of_ctrl_c_ends_like_ctrl_c(
    home: dict[str, str], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """As while rules are compiled: Numba calls again what it has not compiled to its end."""

    def interrupted(*_: object) -> None:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise RuntimeError("no compiled object yet")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored in the background of a script
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    monkeypatch.setattr(Interrupts, "seen", False)
    monkeypatch.setattr("tefuda.games.names", interrupted)
    assert (done := run(home, "games")).returncode == 130
    assert done.stderr == ""
