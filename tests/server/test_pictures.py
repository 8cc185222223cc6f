"""Link previews and icons: made once, one at a time, beside the event loop; others wait for none of it."""

import asyncio
import sys
import threading

import pytest

from tefuda.server.http.pictures import MOST_KEPT, MOST_WAITING, Pictures, png
from tefuda.server.live.pools import Background
from tefuda.server.table.callers import Refused

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8"/></svg>'


def nothing(_seconds: float) -> None: ...


def test_a_picture_is_made_once_and_paid_by_whoever_asks_first() -> None:
    drawn, paid = list[str](), list[float]()

    def draw() -> str:
        drawn.append(threading.current_thread().name)
        return SQUARE

    async def scenario() -> list[bytes]:
        pictures = Pictures(Background())
        at_once = await asyncio.gather(*(pictures.get("table 5", draw, paid.append) for _ in range(20)))
        return [*at_once, await pictures.get("table 5", draw, paid.append)]

    assert set(asyncio.run(scenario())) == {SQUARE.encode()}
    assert (len(drawn), len(paid)) == (1, 1)
    assert drawn[0].startswith("background"), "not on the event loop"


def test_pictures_are_made_one_at_a_time_and_too_many_are_refused() -> None:
    may_go_on, running = threading.Event(), list[int]()

    def draw() -> str:
        running.append(threading.active_count())
        may_go_on.wait()
        return SQUARE

    async def scenario() -> None:
        pictures = Pictures(Background())
        asked = [asyncio.ensure_future(pictures.get(k, draw, nothing)) for k in range(MOST_WAITING)]
        while not running:
            await asyncio.sleep(0.01)
        assert len(running) == 1
        with pytest.raises(Refused) as caught:
            await pictures.get("one more", draw, nothing)
        assert (caught.value.code, caught.value.status) == ("drawing", 503)
        may_go_on.set()
        await asyncio.gather(*asked)
        await pictures.get("one more", draw, nothing)

    asyncio.run(scenario())


def test_the_latest_pictures_are_kept() -> None:
    async def scenario() -> int:
        pictures = Pictures(Background())
        for k in range(MOST_KEPT + 5):
            await pictures.get(k, lambda: SQUARE, nothing)
        return len(pictures._kept)

    assert asyncio.run(scenario()) == MOST_KEPT


def test_resvg_draws_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "resvg_py", raising=False)  # other tests import it
    first, seconds = png(SQUARE, 8)
    assert first.startswith(b"\x89PNG")
    assert 0 < seconds < 10
    assert "resvg_py" not in sys.modules, "it would hold the interpreter's lock"
    with pytest.raises(OSError, match="nothing"):
        png("no drawing", 8)
    assert png(SQUARE, 8)[0] == first
