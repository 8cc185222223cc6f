"""Notices by e-mail: nobody is told who has not confirmed it, each message has its end, mail servers that refuse."""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trustme

from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import LANGUAGES
from tefuda.server.live import notices
from tefuda.server.live.mail import Mail, clean_mailbox, read_mail_server
from tefuda.server.settings import ServerSettings
from tefuda.server.store.port import MAILBOX, NoticeAddress
from tefuda.server.table import commands
from tefuda.server.table.callers import Caller
from tests.server.guests import DAY, ORIGIN, Guest, serving
from tests.server.mail_server import Mailed, MailServer, mail_server
from tests.server.test_table import Played, order

ANN = "ann@cards.example"
FROM = "from=tables@cards.example"


@pytest.fixture
def mails() -> Iterator[MailServer]:
    with mail_server() as found:
        yield found


@asynccontextmanager
async def mailing(folder: Path, mails: MailServer, *names: str, **settings: Any) -> AsyncIterator[list[Guest]]:
    """A server that sends its e-mails there, and guests of these names."""
    usual = {"mail": f"smtp://127.0.0.1:{mails.port}?{FROM}", "origin": ORIGIN, **settings}
    async with serving(folder, *names, **usual) as guests:
        yield guests


async def press(guest: Guest, path: str, status: int = 200, **fields: str) -> str:
    """Send a form of a page; the page that answers."""
    answer = await guest.client.post(path, data=fields, headers={"origin": ORIGIN}, follow_redirects=True)
    assert answer.status_code == status, answer.text
    return answer.text


async def confirm(guest: Guest, mails: MailServer, mailbox: str = ANN) -> None:
    await press(guest, "/me/mail", mailbox=mailbox)
    await press(guest, (await asyncio.to_thread(mails.next)).link("/mail/confirm"))


async def tell(guest: Guest, mails: MailServer) -> Mailed:
    """Tell a guest that it is their turn; the e-mail that comes."""
    played = Played(clock=DAY)
    played.do(order(commands.join, played.table, Caller(guest.hash), name="Ann"))
    guest.services.notices.tell(played.table, [0])
    return await asyncio.to_thread(mails.next)


def test_a_mailbox_is_told_once_it_is_confirmed_until_its_end(tmp_path: Path, mails: MailServer) -> None:
    async def scenario() -> None:
        async with mailing(tmp_path, mails, "ann") as (ann,):
            assert f"on its way to {ANN}" in await press(ann, "/me/mail", mailbox=f" {ANN} ")
            question = await asyncio.to_thread(mails.next)
            assert (question.to, question.message["from"]) == (ANN, "Tefuda <tables@cards.example>")
            assert await ann.addresses() == [], "nobody has confirmed it"
            link = question.link("/mail/confirm")
            assert "Send me e-mails" in (await ann.client.get(link)).text
            assert await ann.addresses() == [], "programs look at links too"
            await press(ann, link)
            assert [each.address for each in await ann.addresses()] == [MAILBOX + ANN]
            assert ANN in (await ann.client.get("/me")).text

            told = await tell(ann, mails)
            assert (told.to, told.message["subject"]) == (ANN, "Your turn: Gong Zhu")
            assert told.message["auto-submitted"] == "auto-generated"
            assert re.search(r"With .*\n\nhttp://localhost/t/\w+\n", told.text)
            end = told.link("/mail/end")
            assert told.message["list-unsubscribe"] == f"<{ORIGIN}{end}>"
            await ann.client.get(end)
            assert len(await ann.addresses()) == 1
            ann.client.cookies.clear()  # a mail program has none
            await ann.client.post(end, data={"List-Unsubscribe": "One-Click"})
            assert await ann.addresses() == []

    asyncio.run(scenario())


def test_a_guest_has_one_mailbox_which_they_end_on_their_page(tmp_path: Path, mails: MailServer) -> None:
    async def scenario() -> None:
        async with mailing(tmp_path, mails, "ann", "ben") as (ann, ben):
            for mailbox in (ANN, "ann@other.example"):
                await confirm(ann, mails, mailbox)
            assert [each.address for each in await ann.addresses()] == ["mailto:ann@other.example"]
            await press(ben, "/me/mail/end")
            error = await ben.post("notices/end", {"endpoint": "mailto:ann@other.example"}, 404)
            assert error["error"]["code"] == "no_notices"
            assert len(await ann.addresses()) == 1, "it is not theirs to end"
            await press(ann, "/me/mail/end")
            assert await ann.addresses() == []
            await confirm(ann, mails)
            await press(ann, "/me/forget", sure="yes")
            assert await ann.addresses() == []

    asyncio.run(scenario())


@pytest.mark.parametrize("language", LANGUAGES)
def test_e_mails_are_in_the_language_of_whoever_asked(tmp_path: Path, mails: MailServer, language: str) -> None:
    async def scenario() -> None:
        async with mailing(tmp_path, mails, "ann") as (ann,):
            await press(ann, f"/me/mail?lang={language}", mailbox=ANN)
            question = await asyncio.to_thread(mails.next)
            await press(ann, question.link("/mail/confirm"))
            told = await tell(ann, mails)
            for text, words in ((question.text, TO_CONFIRM), (told.message["subject"], YOUR_TURN)):
                assert words[language] in text

    asyncio.run(scenario())


TO_CONFIRM = {"en": "within a day", "ja": "一日以内", "zh-Hans": "在一天内", "zh-Hant": "在一天內"}
YOUR_TURN = {"en": "Your turn", "ja": "あなたの番です", "zh-Hans": "轮到你了", "zh-Hant": "輪到你了"}


# Bad input


@pytest.mark.parametrize(
    "typed",
    [
        "", "ann", "ann@", "@cards.example", "ann@localhost", "ann@127.0.0.1@", "ann@[127.0.0.1]", "a b@cards.example",
        "ann@cards.example\nBcc: all@cards.example", "ann@cards.example, ben@cards.example", "Ann <ann@cards.example>",
        "a" * 250 + "@cards.example", '"ann"@cards.example', "ann@cards..example", "\x00@cards.example",
    ],
)  # fmt: skip
def test_what_is_no_mailbox_gets_nothing(tmp_path: Path, mails: MailServer, typed: str) -> None:
    assert clean_mailbox(typed) is None

    async def scenario() -> None:
        async with mailing(tmp_path, mails, "ann") as (ann,):
            assert "name@example.com" in await press(ann, "/me/mail", mailbox=typed)
            assert mails.tries == 0

    asyncio.run(scenario())


def test_nobody_can_be_flooded_with_questions(tmp_path: Path, mails: MailServer) -> None:
    async def scenario() -> None:
        async with mailing(tmp_path, mails, "ann") as (ann,):
            answers = [
                (await ann.client.post("/me/mail", data={"mailbox": ANN}, headers={"origin": ORIGIN})).status_code
                for _ in range(7)
            ]
            assert answers == [200] * 5 + [429] * 2

    asyncio.run(scenario())


def test_links_of_others_do_nothing(tmp_path: Path, mails: MailServer) -> None:
    async def scenario() -> None:
        async with mailing(tmp_path, mails, "ann") as (ann,):
            await press(ann, "/me/mail", mailbox=ANN)
            link = (await asyncio.to_thread(mails.next)).link("/mail/confirm")
            for path in (link[:-1], f"{link}x", "/mail/confirm?as=", link.replace("confirm", "end"), "/mail/end"):
                assert "no longer valid" in await press(ann, path, 410)
            assert await ann.addresses() == []

    asyncio.run(scenario())


def test_where_the_host_wants_none_there_are_none(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path, "ann", push=None) as (ann,):
            assert "sends no e-mails" in await press(ann, "/me/mail", 404, mailbox=ANN)
            assert "/me/mail" not in (await ann.client.get("/me")).text

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "server",
    [
        "", "mail.cards.example", f"http://mail.cards.example?{FROM}", "smtp://mail.cards.example", f"smtp://?{FROM}",
        "smtp://mail.cards.example?from=nobody", f"smtp://ann:secret@mail.cards.example:port?{FROM}",
    ],
)  # fmt: skip
def test_a_mail_server_that_is_named_wrongly_is_refused_without_the_password(server: str) -> None:
    with pytest.raises(TefudaError, match="--mail: write smtp://USER:PASSWORD@HOST:587") as refused:
        read_mail_server(server)
    assert "secret" not in str(refused.value)


def test_e_mails_need_to_know_where_their_links_lead() -> None:
    with pytest.raises(TefudaError, match="--origin"):
        ServerSettings(mail=f"smtp://mail.cards.example?{FROM}")


# Mail servers


def sent(server: str) -> str:
    """What becomes of a notice to Ann by a mail server."""
    mail, to = Mail(bytes(32), read_mail_server(server), ORIGIN), NoticeAddress(MAILBOX + ANN, "", "", "", "en", 0)
    try:
        return asyncio.run(mail.send(to, {"title": "Your turn", "body": "With Ben.", "table": "abc"}))
    finally:
        mail.close()


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("550 5.1.1 no such mailbox", "gone"),
        ("550 5.7.1 relaying denied", "failed"),
        ("451 4.3.0 try again later", "busy"),
        ("421 closing", "busy"),
    ],
)
def test_what_a_mail_server_answers(mails: MailServer, answer: str, outcome: str) -> None:
    mails.answer = answer
    assert sent(f"smtp://127.0.0.1:{mails.port}?{FROM}") == outcome


def test_a_mailbox_that_is_no_more_is_told_no_more(
    tmp_path: Path, mails: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "WAITS", (0.0, 0.0, 0.0))

    async def scenario() -> None:
        async with mailing(tmp_path, mails, "ann") as (ann,):
            await confirm(ann, mails)
            outcomes = asyncio.Queue[str]()
            ann.services.notices.on_sent = outcomes.put_nowait
            mails.answer, mails.tries = "550 5.1.1 no such mailbox", 0
            played = Played(clock=DAY)
            played.do(order(commands.join, played.table, Caller(ann.hash), name="Ann"))
            ann.services.notices.tell(played.table, [0])
            assert await asyncio.wait_for(outcomes.get(), 120) == "gone"
            assert (mails.tries, await ann.addresses()) == (1, [])

    asyncio.run(scenario())


def test_where_the_mail_server_does_not_answer_the_page_says_so(tmp_path: Path) -> None:
    async def scenario() -> None:
        with mail_server() as gone:
            pass
        async with mailing(tmp_path, gone, "ann") as (ann,):
            assert "could not be sent" in await press(ann, "/me/mail", 503, mailbox=ANN)

    asyncio.run(scenario())


def test_a_password_is_told_over_an_encrypted_connection_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    trusted, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trusted.issue_cert("localhost").configure_cert(context)
    server = f"smtp://tables:geheim@localhost:{{}}?{FROM}"
    with mail_server() as plain:
        assert sent(server.format(plain.port)) == "failed"
        assert plain.tries == 0
    with mail_server(tls_context=context) as encrypted:
        assert sent(server.format(encrypted.port)) == "failed", "anybody can have made this certificate"
        trusted.cert_pem.write_to_path(tmp_path / "trusted.pem")
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "trusted.pem"))
        assert sent(server.format(encrypted.port)) == "sent"
        assert encrypted.next().signed_in == ("tables", "geheim")
        for password in ("falsch", "%C3%A4"):
            assert sent(f"smtp://tables:{password}@localhost:{encrypted.port}?{FROM}") == "failed"
