"""Where compiled code is kept: any change of a source starts a new folder; old folders and damaged files go."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from numba import config

import tefuda
from tefuda import games
from tefuda.engine import cache, compilation, verbs
from tefuda.engine.files import whole

SOURCES = Path(tefuda.__file__).parent


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package's sources, which the key is made from while the test runs."""
    folder = tmp_path / "tefuda"
    shutil.copytree(SOURCES, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache, "source_folders", lambda: [folder])
    return folder


def key() -> str:
    """The key of the sources as they are now; ``cache.key`` remembers the first."""
    return cache.key.__wrapped__()


def test_the_same_sources_have_the_same_key(tree: Path) -> None:
    first = key()
    for path in tree.rglob("*.py"):
        os.utime(path, (0, 0))
    assert key() == first


@pytest.mark.parametrize("changed", ["engine/bits.py", "engine/worlds.py", "games/gong_zhu/rules.py"])
def test_a_changed_source_changes_the_key(tree: Path, changed: str) -> None:
    first = key()
    text = (tree / changed).read_text("utf-8")
    (tree / changed).write_text(text + "\n# changed\n", "utf-8")
    assert key() != first
    (tree / changed).write_text(text, "utf-8")
    assert key() == first


def test_an_added_and_a_renamed_source_change_the_key(tree: Path) -> None:
    first = key()
    (tree / "games" / "extra.py").write_text("", "utf-8")
    second = key()
    (tree / "games" / "extra.py").rename(tree / "games" / "other.py")
    assert len({first, second, key()}) == 3


def test_texts_do_not_change_the_key(tree: Path) -> None:
    first = key()
    (tree / "games" / "note.toml").write_text("title = 'x'", "utf-8")
    assert key() == first


@pytest.mark.parametrize("room", cache.UNCOMPILED)
def test_a_room_where_nothing_is_compiled_does_not_change_the_key(tree: Path, room: str) -> None:
    first = key()
    (tree / room / "extra.py").write_text("", "utf-8")
    assert key() == first
    compiles = re.compile(r"^ *@(rule|implements|verb|njit|jit|overload)|^ *(import|from) numba", re.M)
    assert [path for path in (SOURCES / room).rglob("*.py") if compiles.search(path.read_text("utf-8"))] == []


def test_the_sources_of_this_package_count() -> None:
    assert SOURCES in cache.source_folders()


def test_numba_keeps_compiled_code_under_the_key() -> None:
    assert Path(config.CACHE_DIR).name == cache.key()


def test_old_folders_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "root", lambda: tmp_path)
    for age in range(8):
        folder = tmp_path / "compiled" / f"old{age}"
        folder.mkdir(parents=True)
        (folder / "code").write_bytes(b"x")
        os.utime(folder, (1000 - age, 1000 - age))
    cache.folder().mkdir()
    os.utime(cache.folder(), (0, 0))
    cache.forget_old()
    kept = {path.name for path in (tmp_path / "compiled").iterdir()}
    assert kept == {cache.key(), *(f"old{age}" for age in range(cache.KEEP))}


def test_there_is_nothing_to_forget_before_anything_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "root", lambda: tmp_path / "nowhere")
    cache.forget_old()
    assert not list(tmp_path.iterdir())


def test_the_folder_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEFUDA_CACHE_DIR", str(tmp_path))
    cache.root.cache_clear()
    assert cache.folder() == tmp_path / "compiled" / cache.key()
    monkeypatch.undo()
    cache.root.cache_clear()


ONE_GAME = """
import sys
from tefuda.engine import rng, verbs
from tefuda.engine.record import duplicate
from tefuda.table.game import load

deal = load({name!r}).deal(1)
view = deal.view(deal.mover)
verbs.imagine(view.record, rng.generator(1), duplicate(view.array)[0])
print(*sorted(module for module in sys.modules if module.startswith("tefuda.games.")))
"""


@pytest.mark.slow
@pytest.mark.skipif(verbs.UNCOMPILED, reason="compiled code only")
def test_compiled_code_of_one_game_does_not_load_another() -> None:
    """Loading a game while another is being compiled changes the verbs under the compiler's hands, which it refuses.

    All games share kernels; what is kept of one must not name the types of another."""
    warm = all(compilation.is_warm(games.description(name)) for name in games.names())
    for name in games.names() * (1 if warm else 2):  # the second time all of them have been compiled
        ran = subprocess.run([sys.executable, "-c", ONE_GAME.format(name=name)], capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        own = "tefuda.games." + name.replace("-", "_")
        assert all(module.startswith(own) for module in ran.stdout.split())


TWO_RECORDS = """
import sys
import numpy as np
from tefuda.engine.verbs import rule

RECORDS = {
    "late": np.dtype([("before", np.int64, 9), ("x", np.int64)]),
    "early": np.dtype([("x", np.int64), ("after", np.int64, 9)]),
}


@rule
def walk(state, n):  # too long for Numba to make it a part of its callers
    total = 0
    for i in range(n):
        for j in range(i):
            if (i ^ j) % 3 == 0:
                for k in range(j):
                    total += state.x * ((i * j + k) % 5 == 2)
            elif (i | j) % 7 == 1:
                for k in range(i - j):
                    total -= state.x * ((i + j * k) % 4 == 1)
            else:
                for k in range(i + j):
                    total += state.x * ((i + j + k) % 9 == 4)
    return total


@rule
def read(states):
    return walk(states[0], 3) + walk(states[0], 9) + walk(states[0], 12)


for name in sys.argv[1:]:
    states = np.zeros(1, RECORDS[name])
    states["x"] = 7
    print(read(states))
"""


@pytest.mark.slow
@pytest.mark.skipif(verbs.UNCOMPILED, reason="compiled code only")
def test_code_that_two_processes_keep_of_two_records_is_not_mixed_up(tmp_path: Path) -> None:
    """Both give their record the same number; Numba names functions by it, and loads one function of a name. It also
    loads whatever stands in the file that the index names."""
    program = tmp_path / "two_records.py"
    program.write_text(TWO_RECORDS, "utf-8")

    def run(*names: str) -> list[str]:
        environment = {**os.environ, "TEFUDA_CACHE_DIR": str(tmp_path / "cache")}
        command = [sys.executable, str(program), *names]
        return subprocess.check_output(command, env=environment, text=True).split()

    (told,) = run("late")
    assert run("early") == [told]
    assert run("late", "early") == run("early", "late") == [told, told]
    assert int(told) > 0

    # And if both gave their files the same names at the same time, or wrote over each other's:
    for index in (tmp_path / "cache").rglob("two_records.*.nbi"):
        one, other = sorted(index.parent.glob(f"{index.stem}.*.nbc"))
        kept = one.read_bytes()
        one.write_bytes(other.read_bytes())
        other.write_bytes(kept)
    assert run("late", "early") == run("early", "late") == [told, told]


WITHIN_ITSELF = """
import sys
from typing import NamedTuple
from tefuda.engine.verbs import Verb, generic, implements, rule


@Verb
def step(player, number):
    ...


class Leaf(NamedTuple):
    more: int


class Branch(NamedTuple):
    leaf: Leaf


@generic
def run(player, number):
    total = 0
    for k in range(number):
        total += step(player, k)
    return total


@implements(step, Leaf)
def step_leaf(player, number):
    return number + player.more


@generic
def between(leaf, number):
    return run(leaf, number)


@rule
def inner(leaf, number):
    return between(leaf, number)


@implements(step, Branch)
def step_branch(player, number):
    return between(player.leaf, number)


@rule
def outer(branch, number):
    return run(branch, number)


for name in sys.argv[1:]:
    print(outer(Branch(Leaf(1)), 4) if name == "outer" else inner(Leaf(1), 4))
"""


@pytest.mark.skipif(verbs.UNCOMPILED, reason="compiled code only")
def test_code_in_which_numba_has_left_a_function_open_is_not_kept(tmp_path: Path) -> None:
    """``between`` is compiled while ``run`` is, for another player: what is kept with it might call nothing, and crash.

    inner(4) = 1 + 2 + 3 + 4; outer(4) adds up inner(0) to inner(3): 0 + 1 + 3 + 6."""
    program = tmp_path / "within_itself.py"
    program.write_text(WITHIN_ITSELF, "utf-8")
    environment = {**os.environ, "TEFUDA_CACHE_DIR": str(tmp_path / "cache")}
    for names, told in ((["outer", "inner"], "10 10"), (["inner"], "10"), (["outer"], "10")):
        found = subprocess.check_output([sys.executable, str(program), *names], env=environment, text=True)
        assert found.split() == told.split()
    kept = list((tmp_path / "cache").rglob("*.nbc"))
    assert not [path.name for path in kept if b".numba.unresolved$" in path.read_bytes()]


def double(number: int) -> int:
    """A rule to compile."""
    return 2 * number


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "a flipped byte": lambda content: content[:200] + bytes([content[200] ^ 255]) + content[201:],
    "cut, ending as a whole one": lambda content: content[: len(content) // 2] + b".",
    "zeros": lambda content: content[: len(content) // 2] + bytes(len(content) - len(content) // 2),
    "a line too many": lambda content: content + b"\n",
}


@pytest.mark.skipif(verbs.UNCOMPILED, reason="compiled code only")
@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_code_is_told_deleted_and_compiled_again(
    damage: str, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    assert verbs.rule(double)(3) == 6
    (file,) = tmp_path.glob(f"*/*.{suffix}")
    file.write_bytes(DAMAGE[damage](file.read_bytes()))
    marker = tmp_path / "gong-zhu.table.compiled"
    marker.touch()
    cache._names.cache_clear()
    cache._tell_damage.cache_clear()
    with pytest.warns(cache.DamagedWarning, match=f"{tmp_path} was damaged"):
        assert verbs.rule(double)(4) == 8
    assert not marker.exists()
    again = verbs.rule(double)
    assert again(5) == 10
    assert sum(again.stats.cache_hits.values()) == 1  # type: ignore[attr-defined]
    assert {path.suffix for path in tmp_path.glob("*/*")} == {".nbi", ".nbc"}


@pytest.mark.skipif(verbs.UNCOMPILED, reason="compiled code only")
def test_code_that_a_stopped_process_has_not_sealed_is_compiled_again_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    verbs.rule(double)(3)
    (file,) = tmp_path.glob("*/*.nbc")
    file.write_bytes(file.read_bytes()[: -cache.SEAL().digest_size])
    cache._names.cache_clear()
    again = verbs.rule(double)
    assert again(5) == 10
    assert sum(again.stats.cache_misses.values()) == 1  # type: ignore[attr-defined]


def test_a_file_of_which_writing_fails_leaves_nothing_and_keeps_the_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "game.tfd"
    path.write_text("earlier", "utf-8")
    with pytest.raises(FileNotFoundError), whole(path) as file:
        (file.write_text("hal", "utf-8"), (tmp_path / "nowhere" / "file").write_text("", "utf-8"))
    assert [(each.name, each.read_text("utf-8")) for each in tmp_path.iterdir()] == [("game.tfd", "earlier")]
