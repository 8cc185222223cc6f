"""The card of a dataset, as Hugging Face's hub and people read it."""

from collections.abc import Mapping
from typing import Any

_CARD = """---
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
import polars
table = polars.scan_parquet("decisions-*.parquet")

from datasets import load_dataset
data = load_dataset("parquet", data_files="decisions-*.parquet", split="train").with_format("torch")
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
        bots=", ".join(dict.fromkeys(identity["bots"])),
        options=options or "the usual options",
        size=planes[-1][1] + planes[-1][2],
        values=_VALUES if identity["values"] else "",
        records=", `record` (text of a .tfd file)" if identity["records"] else "",
        planes="\n".join(f"| {name} | {start} | {size} | {meaning} |" for name, start, size, meaning in planes),
    )
