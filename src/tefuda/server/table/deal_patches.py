"""JSON Patches (RFC 6902) of a message's ``deal``: what plays have changed of it.

Pages are told of most plays by them. What all views of a moment share is compared once for everybody."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tefuda.engine.scene import Group, SceneParts, SeatScene
from tefuda.server.table.message_types import Operation

_LAID_OUT = (SeatScene, Group)  # compared part by part


class SeenDeal(NamedTuple):
    """A deal as one viewer sees it: a message's ``deal``, with the scene in its parts; see ``View``."""

    figures: Mapping[str, Any]
    own: SceneParts
    shared: SceneParts


class DealComparison:
    """The deals of one moment, compared with those of an earlier one by those who watch."""

    def __init__(self) -> None:
        self._shared: dict[tuple[int, int], list[Operation]] = {}  # by identities of parts, which deals keep

    def patch(self, before: SeenDeal, now: SeenDeal) -> list[Operation]:
        """Replacements that turn a viewer's earlier deal into the present one."""
        key = (id(before.shared), id(now.shared))
        if key not in self._shared:
            self._shared[key] = list(_changes("/scene", before.shared, now.shared))
        own = _changes("/scene", before.own, now.own)
        return [*_changes("", before.figures, now.figures), *own, *self._shared[key]]


def whole(deal: object) -> list[Operation]:
    """The patch that puts this deal in place of another."""
    return [{"op": "replace", "path": "", "value": deal}]


def _changes(path: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[Operation]:
    for name, new in now.items():
        old = before[name]
        if old is not new and old != new:
            yield from _change(f"{path}/{name}", old, new)


def _change(path: str, old: Any, new: Any) -> Iterator[Operation]:
    """The change from one value to another."""
    if isinstance(new, _LAID_OUT):
        yield from _changes(path, vars(old), vars(new))
    elif isinstance(new, tuple) and len(old) == len(new) and isinstance(new[0], _LAID_OUT):
        for place, part in enumerate(new):
            if old[place] != part:
                yield from _change(f"{path}/{place}", old[place], part)
    else:
        yield {"op": "replace", "path": path, "value": new}
