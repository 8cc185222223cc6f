"""Write what the engine tells of every game's example deal: ``python -m tests.example_deals``."""

import json
from dataclasses import asdict

from tefuda.games import description, names
from tefuda.table.example_deal import play, read


def main() -> None:
    """Write ``example.json`` beside every ``example.toml``."""
    for game in map(description, names()):
        example = read(game)
        if example is not None:
            told = json.dumps(asdict(play(game, example)), ensure_ascii=False, indent=1)
            example.path.with_suffix(".json").write_text(told + "\n", "utf-8")


if __name__ == "__main__":
    main()
