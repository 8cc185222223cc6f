"""The views of a moment, made together."""

import gc
from weakref import ref

import pytest

import tefuda


@pytest.mark.parametrize("name", tefuda.list_games())
def test_views_are_gone_as_soon_as_nobody_holds_them(name: str) -> None:
    """A server makes some for every play, and had to collect them as garbage while they held each other."""
    deal = tefuda.load(name).deal(seed=1)
    gc.disable()
    try:
        before = deal.views()
        deal.act(deal.legal_actions()[0])
        after = deal.views()
        assert all(view.scene for view in [*before, *after])
        shared = [ref(views[0].record.common) for views in (before, after)]
        assert all(each() is not None for each in shared)
        del before, after
        assert [each() for each in shared] == [None, None]
    finally:
        gc.enable()
