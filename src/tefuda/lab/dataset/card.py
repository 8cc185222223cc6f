"""The card of a dataset, as Hugging Face's hub and people read it."""

from collections.abc import Mapping
from typing import Any

_CARD = """---
license: mit
pretty_name: Decisions in {game}
task_categories:
- reinforcement-learning
tags:
- card-game
- imperfect-information
- offline-rl
- {game}
size_categories:
- {size_category}
configs:
- config_name: decisions
  data_files: decisions-*.parquet
  default: true
- config_name: deals
  data_files: deals-*.parquet
---
# Decisions in {game}

{decisions:,} decisions in {games:,} games of {deals:,} deals, played by {bots}.
Made by Tefuda {tefuda}, rules version {rules_version}, {seats} seats, {options}, seed {seed}.

## decisions-*.parquet

A row for each decision among several actions, in the order in which they were made. Forced actions are left out.
Amounts are in the game's smallest unit.

| column | type | what it is |
|---|---|---|
| deal | int64 | number of the deal; deck k is that of `tefuda.load("{game}").deal(({seed}, k))` |
| rotation | int8 | the same deck with the bots moved on by so many seats |
| decision | int16 | number of the decision in this game |
| seat | int8 | who decides |
| bot | categorical | the bot that sits there |
| observation | int8[{size}] | what that seat sees, in the planes below |
| mask | bool[{actions}] | the legal actions |
| action | int16 | the one that was chosen |
| gain | float32 | what the deal brought this seat in the end: its team's payoff less the mean of the others' |
{values}
## deals-*.parquet

A row for each game: `deal`, `rotation`, `bots` (by seat), `payoffs` (by seat, in the smallest unit){records}.

## How to load it

```python
import polars, torch
table = polars.read_parquet("decisions-*.parquet")
observations = torch.from_numpy(table["observation"].to_numpy(writable=True))  # int8, as in the files

import torch
from datasets import load_dataset
data = load_dataset("parquet", data_files="decisions-*.parquet", split="train")
data = data.select_columns("observation").with_format("torch", dtype=torch.int8)  # else int64, eight times as much
```

## Planes of an observation

Seats are counted from the one that decides.

| plane | first number | numbers | what they are |
|---|---:|---:|---|
{planes}
"""

_VALUES = """| estimated | list[int16] | where the bot searched: the actions it tried, the one it made first |
| worths | list[float32] | what each of them was worth on average to this seat, in the smallest unit |
| visits | list[int32] | in how many simulations |
"""


_SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B", "n>1B")
"""What the hub calls numbers of rows: each ten times as many as the one before."""


def size_category(rows: int) -> str:
    """What the hub calls so many rows."""
    return _SIZES[min(max(len(str(rows)) - 3, 0), len(_SIZES) - 1)]


def card_of(identity: Mapping[str, Any], deals: int, games: int, decisions: int) -> str:
    """The card as Markdown.

    Args:
        identity: ``Dataset.identity``.
        deals, games, decisions: how many there are.
    """
    planes = identity["planes"]
    options = ", ".join(f"{name}={value}" for name, value in identity["options"].items())
    return _CARD.format(
        **{name: identity[name] for name in ("game", "tefuda", "rules_version", "seats", "seed", "actions")},
        deals=deals,
        games=games,
        decisions=decisions,
        size_category=size_category(decisions),
        bots=", ".join(dict.fromkeys(identity["bots"])),
        options=options or "the usual options",
        size=planes[-1][1] + planes[-1][2],
        values=_VALUES if identity["values"] else "",
        records=", `record` (text of a .tfd file)" if identity["records"] else "",
        planes="\n".join(f"| {name} | {start} | {size} | {meaning} |" for name, start, size, meaning in planes),
    )
