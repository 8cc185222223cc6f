"""A game of another package, which leaves to the kit what it may, at the terminal."""

import subprocess
import sys
from pathlib import Path

from tests.own_game import with_leduc_poker


def test_a_game_without_positions_sheet_and_notation_is_played_from_deal_to_deal(
    home: dict[str, str], tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tefuda", "play", "leduc-poker", "--seed", "1"],
        input="1\n" * 30,  # the first play of the list, and on to the next deal
        env={**home, **with_leduc_poker(tmp_path)},
        capture_output=True,
        encoding="utf-8",
    )
    assert "Score sheet, deal 3" in done.stdout
    assert "Saved in" in done.stdout
    assert done.stderr == ""
