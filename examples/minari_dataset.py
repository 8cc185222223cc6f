"""A dataset of ``tefuda data`` as a Minari dataset of episodes: what one seat saw and did in one deal.

    uv run --extra lab --extra gymnasium --with "minari[hdf5]" python examples/minari_dataset.py FOLDER ID

FOLDER was made by ``tefuda data make`` or ``tefuda data from``; ID is a name such as ``tefuda/gong-zhu/hints-v0``, by
which ``minari.load_dataset`` finds it. Observations are ``{"observation": …, "action_mask": …}``, int8 as in the files.
The reward is 0, and at the end what the deal brought the seat (``gain``). Minari asks for an observation after the last
action too; that is the last one again, since a seat that has decided for the last time is asked nothing more."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

try:
    import minari
    import numpy as np
    import polars as pl
    from gymnasium import spaces
    from minari.data_collector import EpisodeBuffer
except ModuleNotFoundError as error:
    sys.exit(f'{error.name} is not installed: uv run --extra lab --extra gymnasium --with "minari[hdf5]" …')


def episodes(folder: Path) -> Iterator[EpisodeBuffer]:
    """Yield an episode for each seat that decided anything in a game."""
    for part in sorted(folder.glob("decisions-*.parquet")):
        columns = ["deal", "rotation", "seat", "observation", "mask", "action", "gain"]
        for _, rows in pl.read_parquet(part, columns=columns).group_by(columns[:3], maintain_order=True):
            last, end = np.arange(len(rows)) == len(rows) - 1, np.append(np.arange(len(rows)), len(rows) - 1)
            yield EpisodeBuffer(
                observations={
                    "observation": rows["observation"].to_numpy()[end],
                    "action_mask": rows["mask"].to_numpy()[end].astype(np.int8),
                },
                actions=rows["action"].to_numpy().astype(np.int64),
                rewards=np.where(last, rows["gain"].to_numpy(), 0.0),
                terminations=last,
                truncations=np.zeros(len(rows), bool),
            )


def export(folder: Path, name: str) -> minari.MinariDataset:
    """Write the Minari dataset of this name."""
    head = json.loads((folder / "dataset.json").read_text("utf-8"))
    size = sum(plane[2] for plane in head["planes"])
    return minari.create_dataset_from_buffers(
        name,
        list(episodes(folder)),
        observation_space=spaces.Dict(
            observation=spaces.Box(-128, 127, (size,), np.int8), action_mask=spaces.MultiBinary(head["actions"])
        ),
        action_space=spaces.Discrete(head["actions"]),
        algorithm_name=", ".join(dict.fromkeys(head.get("bots", ["people"]))),
        description=f"Decisions in {head['game']}, an episode for each seat of each deal",
        requirements=[f"tefuda=={head['tefuda']}"],
    )


def main(words: Sequence[str]) -> None:
    """Export a dataset; one line says what is wrong."""
    if len(words) != 2:
        sys.exit("minari_dataset.py: name the folder of a dataset and an ID such as tefuda/gong-zhu/hints-v0")
    try:
        made = export(Path(words[0]), words[1])
    except (OSError, ValueError) as error:
        sys.exit(f"minari_dataset.py: {error}")
    print(f"{words[1]}: {made.total_episodes:,} episodes, {made.total_steps:,} decisions")


if __name__ == "__main__":
    main(sys.argv[1:])
