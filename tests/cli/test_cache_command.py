"""``tefuda cache``: what it lists, and that it clears nothing that is somebody's own."""

import json
import os
import subprocess
import sys
from pathlib import Path


def run(home: Path, *words: str) -> str:
    """What the command writes, in a process of its own: the place of the caches is settled once in each."""
    places = {"TEFUDA_CACHE_DIR": str(home / "cache"), "XDG_DATA_HOME": str(home / "data")}
    own = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"} | places
    command = [sys.executable, "-m", "tefuda", "cache", *words]
    return subprocess.run(command, env=own, capture_output=True, check=True, text=True).stdout


def kept(home: Path) -> list[Path]:
    """A file of compiled rules, of a review, and of a game."""
    names = ("cache/compiled/key/rules", "cache/reviews/one.json", "data/tefuda/gong-zhu.tfd")
    files = [home / name for name in names]
    for number, file in enumerate(files, 1):
        file.parent.mkdir(parents=True)
        file.write_bytes(bytes(number * 1_000_000))
    return files


def test_what_is_kept_is_listed_with_its_size_and_place(tmp_path: Path) -> None:
    files = kept(tmp_path)
    assert run(tmp_path).splitlines() == [
        f"     1.0 MB  compiled rules: {tmp_path}/cache/compiled",
        f"     2.0 MB  reviews: {tmp_path}/cache/reviews",
        f"     3.0 MB  games, tables, runs of the laboratory: {tmp_path}/data/tefuda",
    ]
    assert all(file.exists() for file in files)


def test_only_what_can_be_made_again_is_cleared(tmp_path: Path) -> None:
    compiled, review, game = kept(tmp_path)
    told = json.loads(run(tmp_path, "--clear", "--json"))
    assert [(each["bytes"], each["cleared"]) for each in told] == [
        (1_000_000, True), (2_000_000, True), (3_000_000, False)
    ]  # fmt: skip
    assert not compiled.exists()
    assert not review.exists()
    assert game.exists()
    assert "     0.0 MB  reviews" in run(tmp_path)
