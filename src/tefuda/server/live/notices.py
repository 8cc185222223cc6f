"""Notices to people whose turn it is at a slow table, and who are not there: to their browsers (``web_push``) and by
e-mail (``mail``), in the background. They say which table it is and who has played, nothing that is on the table."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, TypedDict

from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.server.live.pools import Background
from tefuda.server.store import Store, Unavailable
from tefuda.server.store.port import NoticeAddress
from tefuda.server.table.player_names import seat_names
from tefuda.server.table.table_state import TableState

if TYPE_CHECKING:
    from tefuda.server.live.mail import Mail
    from tefuda.server.live.web_push import WebPush

WAITS = (0.0, 30.0, 600.0)  # seconds before each try, where whoever takes notices does not answer, or is busy

Outcome = Literal["sent", "gone", "busy", "failed"]
"""What has become of a notice: nobody is ``gone`` to be told again, and to whoever is ``busy`` it is sent again."""


class TurnNotice(TypedDict):
    """The words of a notice, in the language of whoever is asked, and the table that it is about."""

    title: str
    body: str
    table: str


class Notices:
    """Tells people where they have asked for it, by the ways that the host offers.

    ``on_sent`` is called with what has become of each notice: ``sent``, ``gone`` or ``failed``."""

    def __init__(self, store: Store, background: Background, push: "WebPush | None", mail: "Mail | None") -> None:
        self._addresses, self._background = store.notice_addresses, background
        self.push, self.mail = push, mail
        self.on_sent: Callable[[str], object] = lambda _: None

    def close(self) -> None:
        """Begin to send nothing more."""
        if self.mail is not None:
            self.mail.close()

    def tell(self, table: TableState, seats: Sequence[int]) -> None:
        """Tell the people on these seats, in the background, that they are asked."""
        for seat in seats:
            guest = table.chairs[seat].guest
            if guest is not None:
                self._background.spawn(self._tell(table, seat, guest))

    async def _tell(self, table: TableState, seat: int, guest: str) -> None:
        told = {language: message(table, seat, language) for language in LANGUAGES}  # the table goes on
        with suppress(Unavailable):  # the lobby tells them
            found = await self._addresses.of(guest)
            await asyncio.gather(*(self._send(each, told[each.language]) for each in found))

    async def _send(self, to: NoticeAddress, notice: TurnNotice) -> None:
        """Send a notice, again where that is of use; an address that is no more is deleted."""
        way = self.mail if to.is_mailbox else self.push
        if way is None:
            return  # the host has offered it before
        for wait in WAITS:
            await asyncio.sleep(wait)
            outcome = await way.send(to, notice)
            if outcome != "busy":
                break
        if outcome == "gone":
            await self._addresses.remove(to.address)
        self.on_sent("failed" if outcome == "busy" else outcome)


def message(table: TableState, seat: int, language: str) -> TurnNotice:
    """The words of a notice to the player of a seat, who is asked: the game, with whom, and who has played last."""
    texts, names = catalogue(TEXTS, language), seat_names(table, language)
    others = texts("page.wording.comma").join(name for other, name in enumerate(names) if other != seat)
    title = texts("page.notice.title", title=catalogue(table.game.description.files.texts, language)("title"))
    if table.phase == "playing" and table.present.history:
        news = texts("page.notice.played", name=names[table.present.history[-1][0]])
    else:
        news = texts("page.notice.dealt" if table.phase == "playing" else "page.notice.shuffling")
    body = texts("page.wording.sentences", told=texts("page.notice.with", names=others), next=news)
    return {"title": title, "body": body, "table": table.name}
