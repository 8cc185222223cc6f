"""What people and the house ask of a table: each order becomes events, or a refusal that says why.

Orders look at the table and change nothing. An empty list means that there is nothing to do.
"""

import secrets
import time
import unicodedata
from collections.abc import Sequence
from itertools import chain, groupby, islice
from typing import Any

from tefuda.engine.notation import SUMMARY, NotationError
from tefuda.engine.texts import catalogue
from tefuda.server.events.notation_text import wording
from tefuda.server.events.table_state import Caller, TableState
from tefuda.server.store.port import Draft
from tefuda.table import shuffle
from tefuda.table.reasons import TEXTS, Reason, seat_name

MOST_NAME = 24
"""Characters of a name."""

MOST_MARKS = 3
"""Accents on one letter of a name; more of them would grow over what stands above."""

BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""What counts as letters, marks or symbols and shows nothing."""

BOTS = ("random", "hints", "search:100it", "search:1000it", "search:100ms", "search:500ms")
"""The bots that anybody may seat; classes of people's own run where those people are, over the API."""

PHRASES = ("hello", "thanks", "well_played", "oops", "one_moment", "again", "goodbye")
"""What can be said at a table: keys of texts that every page has."""

BREATH = 2500
"""Milliseconds between two phrases of one person."""


class Refused(Exception):  # noqa: N818 - an answer, not a fault
    """An order that is not carried out.

    Args:
        code: of the text under ``server`` in the catalogues.
        status: of HTTP.
        reason: of the rules, where they forbid it; its text takes the place of the code's.
        fields: of the text.
    """

    def __init__(self, code: str, status: int = 409, reason: Reason | None = None, **fields: Any) -> None:
        super().__init__(code)
        self.code, self.status, self.reason, self.fields = code, status, reason, fields


def clean_name(text: str) -> str:
    """A name in one form: composed characters, no invisible ones, few accents on one letter, single blanks.

    Raises:
        Refused: nothing is left that can be seen, or it is too long.
    """
    composed = unicodedata.normalize("NFC", text)
    seen = [c for c in composed if c not in BLANKS and (unicodedata.category(c)[0] != "C" or c.isspace())]
    runs = (islice(run, MOST_MARKS if is_mark else None) for is_mark, run in groupby(seen, _is_mark))
    name = " ".join("".join(chain.from_iterable(runs)).split())
    if all(map(_is_mark, name)) or len(name) > MOST_NAME:
        raise Refused("name", 422, most=MOST_NAME)
    return name


def _is_mark(character: str) -> bool:
    """Whether this is an accent, or something else that is set over or around the letter before it."""
    return unicodedata.category(character) in ("Mn", "Me")


def join(table: TableState, who: Caller, name: str, seat: int | None, invite: str | None) -> list[Draft]:
    """Take a seat; ``invite`` is the hash of the token that a table by invitation asks for."""
    _not_closed(table)
    if table.seat_of(who) is not None:
        return []
    if table.settings["invite"] not in (None, invite) and not table.is_host(who):
        raise Refused("not_invited", 403)
    free = [number for number, chair in enumerate(table.chairs) if not chair.taken]
    seen = table.seen_by(who) if table.begun else None
    if seen is not None and seen in free and seat in (None, seen):
        seat = seen  # back to his own cards
    elif seen is not None:
        raise Refused("has_seen", 403, seat=seen)
    if not free:
        raise Refused("full")
    if seat is not None and not 0 <= seat < len(table.chairs):
        raise Refused("no_such_seat", 422, last=len(table.chairs) - 1)
    if seat is not None and seat not in free:
        raise Refused("seat_taken", seat=seat)
    body = {"seat": free[0] if seat is None else seat, "name": _free_name(table, name)}
    return [Draft("seated", {**body, "guest": who.guest, "token": who.token})]


def leave(table: TableState, who: Caller) -> list[Draft]:
    seat = table.seat_of(who)
    return [] if seat is None else [Draft("left", {"seat": seat})]


def seat_bots(table: TableState, who: Caller, bot: str, seat: int | None) -> list[Draft]:
    """Put a bot on a free seat, or on all of them."""
    _only_host(table, who)
    _not_closed(table)
    if bot not in BOTS:
        raise Refused("no_such_bot", 422, bots=", ".join(BOTS))
    free = [number for number, chair in enumerate(table.chairs) if not chair.taken]
    if seat is not None and seat not in free:
        raise Refused(
            "seat_taken" if 0 <= seat < len(table.chairs) else "no_such_seat", seat=seat, last=len(table.chairs) - 1
        )
    return [_bot(number, bot) for number in (free if seat is None else [seat])]


def first_bots(table: TableState, bots: Sequence[str]) -> list[Draft]:
    """Seat the bots that a table is opened with."""
    if any(chair.bot for chair in table.chairs):
        return []  # a repeated order
    free = (number for number, chair in enumerate(table.chairs) if not chair.taken)
    return [_bot(seat, bot) for seat, bot in zip(free, bots, strict=False)]


def _bot(seat: int, bot: str) -> Draft:
    return Draft("seated", {"seat": seat, "name": f"{bot.partition(':')[0]} {seat}", "bot": bot})


def remove_bot(table: TableState, who: Caller, seat: int) -> list[Draft]:
    """Free a bot's seat for somebody to join; while play goes on it is still played."""
    _only_host(table, who)
    if not 0 <= seat < len(table.chairs):
        raise Refused("no_such_seat", 422, last=len(table.chairs) - 1)
    if table.chairs[seat].person:
        raise Refused("seat_taken", seat=seat)
    return [Draft("left", {"seat": seat})] if table.chairs[seat].taken else []


def ready(table: TableState, who: Caller, deal: int | None, entropy: bytes) -> list[Draft]:
    """Say that the next deal may come, and add to its shuffle; only the first word counts."""
    seat = seated(table, who)
    _not_closed(table)
    if table.shuffle is None or (deal is not None and deal != table.shuffle.number):
        raise Refused("no_shuffle")
    if seat in table.shuffle.entropy:
        return []
    return [*_back(table, seat), Draft("entropy", {"seat": seat, "entropy": entropy.hex()})]


def play(table: TableState, who: Caller, word: str, language: str, seq: int | None = None) -> list[Draft]:
    """Make a play.

    Args:
        table: as it stands.
        who: plays.
        word: in the game's notation.
        language: of the reason if it is refused.
        seq: what the player saw; if given and the table has gone on, the play is refused.
    """
    seat = seated(table, who)
    _not_closed(table)
    if seq is not None and seq != table.seq:
        raise Refused("gone_on", seq=table.seq)
    reason = why_not(table, seat, word, language)
    if reason is not None:
        raise Refused("illegal", reason=reason)
    assert table.deal is not None
    return [*_back(table, seat), Draft("played", {"seat": seat, "play": table.game.description.notation.normal(word)})]


def why_not(table: TableState, seat: int, word: str, language: str) -> Reason | None:
    """Why a seat may not make a play now; None if it may.

    Raises:
        Refused: there is no deal, or the word is no play.
    """
    if table.deal is None:
        raise Refused("no_deal")
    try:
        if table.deal.mover == seat and word in table.deal.legal() and not SUMMARY.fullmatch(word):
            return None
        spell = wording(table.game.description, language)
        return table.deal.why_not(word, seat, language, names(table, language), spell)
    except NotationError as error:
        raise Refused("no_play", 422, error=str(error)) from None


def say(table: TableState, who: Caller, phrase: str) -> list[Draft]:
    """Say one of the stock phrases, which everybody reads in his own language."""
    seat = seated(table, who)
    _not_closed(table)
    if phrase not in PHRASES:
        raise Refused("no_such_phrase", 422, phrases=", ".join(PHRASES))
    if time.time() * 1000 - table.said.get(seat, 0) < BREATH:
        raise Refused("too_many", 429)
    return [Draft("said", {"seat": seat, "phrase": phrase})]


def here(table: TableState, who: Caller) -> list[Draft]:
    """Be back."""
    seat = table.seat_of(who)
    return [] if seat is None or table.closed else _back(table, seat)


def rematch(table: TableState, who: Caller) -> list[Draft]:
    """Begin another game at the same table."""
    if not table.is_host(who):
        seated(table, who)
    if table.phase != "over":
        raise Refused("not_over")
    return [Draft("restarted", {})]


def close(table: TableState, who: Caller) -> list[Draft]:
    """Be done with the table, whatever is being played; all secrets of its shuffles are then shown."""
    _only_host(table, who)
    return [] if table.closed else [Draft("closed", {})]


# The house


def commit(table: TableState) -> list[Draft]:
    """Bind the house to the shuffle of the next deal."""
    number, secret = table.deals + 1, secrets.token_bytes(shuffle.SECRET_BYTES)
    commitment = shuffle.commit(shuffle.context(table.game, table.proof_name, number), secret)
    return [Draft("committed", {"deal": number, "commitment": commitment.hex(), "secret": secret.hex()})]


def deal(table: TableState) -> list[Draft]:
    assert table.shuffle is not None
    return [Draft("dealt", {"deal": table.shuffle.number})]


def play_for(seat: int, word: str) -> list[Draft]:
    """A play that a bot, or the table itself, makes for a seat."""
    return [Draft("played", {"seat": seat, "play": word})]


def miss(seat: int) -> list[Draft]:
    return [Draft("absent", {"seat": seat})]


def names(table: TableState, language: str) -> list[str]:
    """What reasons and stories call the seats."""
    bot_name = catalogue(TEXTS, language)
    return [
        bot_name("bot", number=seat) if chair.bot else chair.name or seat_name(seat, language)
        for seat, chair in enumerate(table.chairs)
    ]


def _back(table: TableState, seat: int) -> list[Draft]:
    return [Draft("returned", {"seat": seat})] if table.chairs[seat].absent else []


def _free_name(table: TableState, text: str) -> str:
    """The name, with a number if somebody at the table has it."""
    name, taken = clean_name(text), {chair.name for chair in table.chairs}
    return next(each for each in (name, *(f"{name} {k}" for k in range(2, 99))) if each not in taken)


def seated(table: TableState, who: Caller) -> int:
    """The seat of this person.

    Raises:
        Refused: he has none.
    """
    seat = table.seat_of(who)
    if seat is None:
        raise Refused("not_seated", 403)
    return seat


def _only_host(table: TableState, who: Caller) -> None:
    if not table.is_host(who):
        raise Refused("not_host", 403)


def _not_closed(table: TableState) -> None:
    if table.closed:
        raise Refused("closed", 410)
