"""The commands: orders that people give at a table. Each becomes events, or a refusal that says why.

HTTP routes and messages over a socket (``http/orders``) and the table of commands in ``docs/server.md`` follow from
what is declared here. The docstrings are the descriptions of the HTTP interface."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any, Generic, NamedTuple, TypeVar, get_args, get_type_hints

from tefuda.bots.net import learned_tables
from tefuda.bots.players import LEVELS, level_spec
from tefuda.engine.description import Description
from tefuda.engine.notation import SUMMARY
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.server.store.port import Draft
from tefuda.server.table import request_types
from tefuda.server.table.callers import Caller, Refused, token_hash
from tefuda.server.table.permission import Role, must_be_open, refuse_on_day, seat_of
from tefuda.server.table.player_faces import animal_of
from tefuda.server.table.player_names import (
    MOST_NOTE,
    clean_text,
    free_name,
    notation_text,
    seat_names,
    seated_bot_name,
)
from tefuda.server.table.table_state import PendingShuffle, TableState
from tefuda.table import shuffle
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.reasons import Reason

Arguments = TypeVar("Arguments", bound=request_types.StrictBody)

PHRASE_INTERVAL = 2500  # milliseconds between two phrases of one person
REPORT_INTERVAL = 20_000  # milliseconds between two reports by one person


class Order(NamedTuple, Generic[Arguments]):
    """A command as a client has sent it, ``at`` this time (milliseconds since 1970); the language is that of a
    refusal."""

    caller: Caller
    arguments: Arguments
    at: int
    language: str = "en"


Handler = Callable[[TableState, Order[Arguments]], list[Draft]]
"""Turns an order into events, none if there is nothing to do; ``Refused`` if the table does not allow it."""


@dataclass(frozen=True)
class Command(Generic[Arguments]):
    """An order that people may give at a table."""

    name: str  # of its messages over a socket
    path: str  # of its HTTP route, below ``/tables/{table}/``
    summary: str
    about: str  # with the summary: what it does, for the API's documentation
    arguments: type[Arguments]  # the model of what it takes
    role: Role  # of those who may give it
    while_open: bool  # a closed table refuses it
    by_socket: bool  # the socket takes it too
    refusals: tuple[str, ...]  # the codes with which it is refused beside those of its role and of a closed table
    decide: Handler[Arguments]

    def __call__(self, table: TableState, order: Order[Arguments]) -> list[Draft]:
        """The events that an order brings about; the table stays as it is. ``Refused`` if the caller may not give this
        command, or the table does not allow it."""
        self.role.check(table, order.caller)
        if self.while_open:
            must_be_open(table)
        return self.decide(table, order)


COMMANDS: dict[str, Command[Any]] = {}  # all commands by name, in the order of their declarations


def command(
    summary: str, role: Role, *refusals: str, path: str = "", while_open: bool = False, by_socket: bool = False
) -> Callable[[Handler[Arguments]], Command[Arguments]]:
    """Declare the command that a function decides, with the function's name as its path by default; its docstring
    becomes the description in the API's documentation, and the order that it takes says which arguments there are. See
    ``Command`` for the others."""

    def declare(decide: Handler[Arguments]) -> Command[Arguments]:
        name: str = decide.__name__
        about, (arguments,) = cleandoc(decide.__doc__ or ""), get_args(get_type_hints(decide)["order"])
        given = name, path or name, summary, about, arguments, role, while_open, by_socket, refusals, decide
        COMMANDS[name] = declared = Command(*given)
        return declared

    return declare


@command(
    "Take a seat",
    Role.ANYBODY,
    *("bad_token", "no_cookies", "not_invited", "removed", "has_seen", "full", "no_such_seat", "seat_taken", "name"),
    while_open=True,
)
def join(table: TableState, order: Order[request_types.Join]) -> list[Draft]:
    """A person who is seated already keeps their seat. The answer has a token unless you have brought one."""
    caller, seat = order.caller, order.arguments.seat
    invite = None if order.arguments.invite is None else token_hash(order.arguments.invite)
    if table.seat_of(caller) is not None:
        return []
    if table.settings["invite"] not in (None, invite) and not table.is_host(caller):
        raise Refused("not_invited", 403)
    if {caller.guest, caller.token} & table.removed:
        raise Refused("removed", 403)
    free, seen = table.free_seats(), table.seen_by(caller) if table.begun else None
    if seen is not None and seen in free and seat in (None, seen):
        seat = seen  # back to their own cards
    elif seen is not None:
        raise Refused("has_seen", 403)
    if not free:
        raise Refused("full")
    if seat is None:
        seat = free[0]
    if seat not in free:
        raise _no_seat(table, seat, 422)
    name, face = free_name(table, order.arguments.name), order.arguments.face
    seated = {"seat": seat, "name": name, "guest": caller.guest, "token": caller.token}
    return [Draft("seated", {**seated, "face": face} if animal_of(face) else seated)]


@command("Leave your seat", Role.ANYBODY)
def leave(table: TableState, order: Order[request_types.NoArguments]) -> list[Draft]:
    """In the middle of a game a bot goes on for you; you may come back to the same seat. If you are the host, the first
    person who still sits there hosts the table from then on, one who is connected before one who is not."""
    seat = table.seat_of(order.caller)
    if seat is None:
        return []
    others = [other for other, *_ in table.people if other != seat]
    heir = min(others, key=lambda other: (other in table.gone, table.chairs[other].absent, other), default=None)
    passes = heir is not None and table.is_host(order.caller) and not table.closed
    return [Draft("left", {"seat": seat}), *([Draft("hosted", {"seat": heir})] if passes else [])]


def wanted_bot(game: Game, bot: str) -> str:
    """The spec of a bot that is asked for by its name or its level. ``Refused`` if there is no such bot, or it does not
    know this table."""
    record = game.template[0]
    if bot not in request_types.BOTS:
        raise Refused("no_such_bot", 422, bots=", ".join(request_types.BOTS))
    if bot in LEVELS:
        return level_spec(bot, game.description, record)
    if bot == "net":
        learned = learned_tables(game.description)
        if learned is None:
            raise Refused("no_net", 422)
        if learned.unknown(record):
            raise Refused("net_unknown", 422, setting=learned.unknown(record))
    return bot


@command(
    "Seat bots (host)",
    Role.HOST,
    *("no_such_bot", "no_net", "net_unknown", "seat_taken", "no_such_seat", "day_once"),
    path="bots",
    while_open=True,
)
def seat_bots(table: TableState, order: Order[request_types.SeatBots]) -> list[Draft]:
    """On one free seat, or on all of them."""
    refuse_on_day(table)
    bot, seat, free = order.arguments.bot, order.arguments.seat, table.free_seats()
    spec = wanted_bot(table.game, bot)
    if seat is not None and seat not in free:
        raise _no_seat(table, seat, 409)
    return [bot_seated(number, spec) for number in (free if seat is None else [seat])]


@command("Free a seat (host)", Role.HOST, "no_such_seat", "seat_taken", "day_once", path="bots/remove")
def remove_bot(table: TableState, order: Order[request_types.TheSeat]) -> list[Draft]:
    """A bot's, or before the first deal a person's, who cannot come back to this table."""
    seat = order.arguments.seat
    refuse_on_day(table)
    if not 0 <= seat < len(table.chairs):
        raise _no_seat(table, seat, 422)
    if table.chairs[seat].person and (table.begun or seat == table.seat_of(order.caller)):
        raise Refused("seat_taken")
    removed = {"seat": seat, "removed": True} if table.chairs[seat].person else {"seat": seat}
    return [Draft("left", removed)] if table.chairs[seat].taken else []


@command("Mute somebody at this table (host)", Role.HOST, "nobody_there", while_open=True)
def mute(table: TableState, order: Order[request_types.Mute]) -> list[Draft]:
    """Their words are refused, until the host lets them speak again."""
    seat, muted = order.arguments.seat, order.arguments.muted
    if not any(other == seat for other, *_ in table.people):
        raise Refused("nobody_there", 422)
    is_muted = bool(table.muted & table.chairs[seat].hashes)
    return [] if is_muted is muted else [Draft("muted", {"seat": seat, "muted": muted})]


@command("Change the clock and the speed of the bots (host)", Role.HOST, while_open=True)
def pace(table: TableState, order: Order[request_types.Pace]) -> list[Draft]:
    """At any time. Whoever is to play has all of the new time."""
    now = {"clock": table.settings["clock"], "speed": table.speed}
    wanted = order.arguments.model_dump(exclude_unset=True)
    changed = {name: value for name, value in wanted.items() if value != now[name]}
    return [Draft("paced", changed)] if changed else []


@command(
    "Seal your part of the shuffle; the next deal may come", Role.SEATED, "no_shuffle", while_open=True, by_socket=True
)
def ready(table: TableState, order: Order[request_types.Ready]) -> list[Draft]:
    """After the commitment to a deal (``shuffle`` in the table's state). When all have answered, or after some time,
    the list of seals is closed: then reveal what you have sealed."""
    given, pending, seat = order.arguments, table.shuffle, seat_of(table, order.caller)
    if pending is None or (given.deal is not None and given.deal != pending.number):
        raise Refused("no_shuffle")
    if pending.is_ready(seat):
        if given.seal and bytes.fromhex(given.seal) != pending.seals.get(seat):
            raise Refused("no_shuffle")  # the player must not believe that this seal counts
        return []  # only the first counts
    back = _returned(table, seat)
    if given.seal:
        return [*back, Draft("sealed", {"seat": seat, "seal": given.seal})]
    if given.entropy:
        return [*back, *_shown_at_once(table, pending, seat, bytes.fromhex(given.entropy))]
    return [*back, Draft("sealed", {"seat": seat, "seal": ""})]


@command("Reveal your part of the shuffle", Role.SEATED, "no_shuffle", "not_sealed", while_open=True, by_socket=True)
def reveal(table: TableState, order: Order[request_types.Reveal]) -> list[Draft]:
    """After the list of seals is closed (``shuffle.seals``). Whoever does not reveal in time is named, and the deal is
    shuffled again without them."""
    given, pending, seat = order.arguments, table.shuffle, seat_of(table, order.caller)
    if pending is None or not pending.closed or (given.deal is not None and given.deal != pending.number):
        raise Refused("no_shuffle")
    if seat in pending.entropy:
        return []
    this_round = shuffle.context(table.game, table.proof_name, pending.number, pending.attempt)
    entropy, sealed = bytes.fromhex(given.entropy), pending.seals.get(seat, b"")
    if not shuffle.fits_seal(this_round, pending.commitment, seat, entropy, sealed):
        raise Refused("not_sealed", 422)
    return [*_returned(table, seat), Draft("entropy", {"seat": seat, "entropy": given.entropy})]


@command("Make a play", Role.SEATED, "gone_on", "no_deal", "no_play", "illegal", while_open=True, by_socket=True)
def play(table: TableState, order: Order[request_types.MakePlay]) -> list[Draft]:
    """An illegal play is refused with the number of the rule and its text. The words of ``wish`` (in the deal's state)
    may be said before you are asked: the table then answers with the last of them."""
    seat, word, seq = seat_of(table, order.caller), order.arguments.play, order.arguments.seq
    if seq is not None and seq != table.seq:
        raise Refused("gone_on", seq=table.seq)
    reason = why_not(table, seat, word, order.language)
    word = table.game.description.notation.normal(word)
    if reason is not None:
        if seat == table.present.mover or word not in (table.present.wish(seat) or ()):
            raise Refused("illegal", reason=reason)
        return [*_returned(table, seat), Draft("wished", {"seat": seat, "play": word})]
    return [*_returned(table, seat), Draft("played", {"seat": seat, "play": word})]


@command(
    "Take back your last play (alone with bots), or ask your friends for it",
    Role.SEATED,
    *("no_deal", "not_among_friends", "nothing_to_take_back", "asked_already", "day_once"),
    while_open=True,
)
def take_back(table: TableState, order: Order[request_types.NoArguments]) -> list[Draft]:
    """For practice: the deal goes on from the last choice of yours, and what was played since is undone. At a table by
    invitation, or one that is not public, all people who are there must agree; they are asked once for each play."""
    seat = seat_of(table, order.caller)
    if table.deal is None or table.deal.over:
        raise Refused("no_deal")
    if not table.is_alone and not (table.is_among_friends and table.awaited(seat)):
        raise Refused("not_among_friends", 403)
    refuse_on_day(table)
    plays = table.last_choice(seat)
    if plays is None:
        raise Refused("nothing_to_take_back")
    wanted = {"seat": seat, "plays": plays}
    if table.is_alone:
        return [*_returned(table, seat), Draft("taken_back", wanted)]
    asked = table.asked_back
    if table.request or (asked and asked.refused and asked[:3] == (seat, plays, table.began)):
        raise Refused("asked_already")
    return [*_returned(table, seat), Draft("asked_back", wanted)]


@command("Say whether somebody may take a play back", Role.SEATED, "not_asked", while_open=True)
def answer_back(table: TableState, order: Order[request_types.Agreement]) -> list[Draft]:
    """Once all people who are there have agreed, the play is taken back; if one does not, it stands."""
    seat, agreed, asked = seat_of(table, order.caller), order.arguments.agreed, table.request
    if asked is None or seat not in table.awaited(asked.seat, asked.agreed):
        raise Refused("not_asked")
    answer = [*_returned(table, seat), Draft("answered_back", {"seat": seat, "agreed": agreed})]
    if agreed and not table.awaited(asked.seat, asked.agreed | {seat}):
        answer.append(Draft("taken_back", {"seat": asked.seat, "plays": asked.plays}))
    return answer


@command("Be back", Role.ANYBODY, by_socket=True)
def here(table: TableState, order: Order[request_types.NoArguments]) -> list[Draft]:
    """After your clock has run out: no bot plays for you any more. Any other order of yours does it too."""
    seat = table.seat_of(order.caller)
    return [] if seat is None or table.closed else _returned(table, seat)


@command("Let a bot play for somebody who is not connected", Role.SEATED, "still_here", while_open=True)
def stand_in(table: TableState, order: Order[request_types.TheSeat]) -> list[Draft]:
    """Until they come back, as after their clock has run out."""
    seat = order.arguments.seat
    if seat not in table.gone:
        raise Refused("still_here")
    return [] if table.chairs[seat].absent else [Draft("absent", {"seat": seat, "by": seat_of(table, order.caller)})]


def phrases(game: Description) -> tuple[str, ...]:
    """The names of the stock phrases at tables of a game: keys of the game's own texts, and of those of all tables."""
    return (*catalogue(game.files.texts, "en").under("phrases"), *catalogue(TEXTS, "en").under("page.phrases"))


@command("Say something", Role.SEATED, "no_such_phrase", "no_chat", "text", "too_many", "hushed", while_open=True)
def say(table: TableState, order: Order[request_types.Say]) -> list[Draft]:
    """One of the stock phrases, which every page shows in its reader's language; or a text, where the host has allowed
    that."""
    seat, phrase, text = seat_of(table, order.caller), order.arguments.phrase, order.arguments.text
    known = phrases(table.game.description)
    if table.muted & table.chairs[seat].hashes:
        raise Refused("hushed", 403)
    if text and not table.settings.get("chat"):
        raise Refused("no_chat", 403)
    said = {"text": clean_text(text)} if text else {"phrase": phrase}
    if not text and phrase not in known:
        raise Refused("no_such_phrase", 422, phrases=", ".join(known))
    if 0 <= order.at - table.said.get(seat, 0) < PHRASE_INTERVAL:  # less than 0: the machine's time was set back
        raise Refused("too_many", 429)
    return [Draft("said", {"seat": seat, **said})]


@command("Report somebody to the host of this server", Role.SEATED, "nobody_there", "not_said", "text", "too_many")
def report(table: TableState, order: Order[request_types.Report]) -> list[Draft]:
    """By what they have said, whether or not they still sit there, or by their name. Nobody at the table is told:
    moderators and whoever runs the server read it."""
    by, given = seat_of(table, order.caller), order.arguments
    seat, said, note = given.seat, given.said, given.note.strip()
    if said is not None and table.spoken.get(said) != seat:
        raise Refused("not_said", 422)
    if seat == by or (said is None and not any(other == seat for other, *_ in table.people)):
        raise Refused("nobody_there", 422)
    if 0 <= order.at - table.reported.get(by, 0) < REPORT_INTERVAL:
        raise Refused("too_many", 429)
    about = {"of": seat} if said is None else {"of": seat, "said": said}
    return [Draft("reported", {"seat": by, **about, "note": note and clean_text(note, MOST_NOTE)})]


@command("Play again", Role.SEATED_OR_HOST, "not_over", "day_once")
def rematch(table: TableState, order: Order[request_types.NoArguments]) -> list[Draft]:
    """Once the session is over, by anybody seated. A deal that is tried again begins where it began before; in a club's
    round the next deal follows."""
    if table.phase != "over":
        raise Refused("not_over")
    if table.session >= table.round_deals:
        refuse_on_day(table)
    again = table.given_row and not table.round_deals
    return [Draft("restarted", {}), *([Draft("given", table.given_row)] if again else [])]


@command("Close the table (host)", Role.HOST)
def close(table: TableState, order: Order[request_types.NoArguments]) -> list[Draft]:
    """Ends whatever is being played; the secrets of all its shuffles are then shown. In the middle of a game, bots play
    for everybody to its end, and the result counts."""
    return [] if table.closed else closing(table)


def why_not(table: TableState, seat: int, word: str, language: str) -> Reason | None:
    """The reason why a seat may not make a play now; None if it may. ``Refused`` if there is no deal, or the word is
    not a play."""
    if table.closed:
        raise Refused("closed", 410)
    if table.deal is None:
        raise Refused("no_deal")
    if table.deal.mover == seat and _is_listed(table.deal, word):
        return None
    spell = notation_text(table.game.description, language)
    reason = table.deal.why_not(word, seat, language, seat_names(table, language), spell)
    if reason is not None and not reason.rule:
        raise Refused("no_play", 422, error=reason.text)
    return reason


def _is_listed(deal: Deal, word: str) -> bool:
    """Tell if a word is a legal play of the mover as it stands; most are one action, and need no list of words."""
    action = deal.game.description.notation.single.get(word)
    return action in deal.legal_actions() or (word in deal.legal() and not SUMMARY.fullmatch(word))


def closing(table: TableState) -> list[Draft]:
    """The event that closes a table: nobody undoes a game by it."""
    return [Draft("closed", {"played_out": 1 + secrets.randbelow(request_types.EXACT)} if table.is_underway else {})]


def bot_seated(seat: int, bot: str) -> Draft:
    """The event that a bot takes a seat."""
    return Draft("seated", {"seat": seat, "name": seated_bot_name(bot, seat), "bot": bot})


def _shown_at_once(table: TableState, pending: PendingShuffle, seat: int, entropy: bytes) -> list[Draft]:
    """Entropy from a program that knows no seals: the server seals it, and that program has to trust it with that."""
    this_round = shuffle.context(table.game, table.proof_name, pending.number, pending.attempt)
    sealed = shuffle.seal(this_round, pending.commitment, seat, entropy)
    shown = Draft("entropy", {"seat": seat, "entropy": entropy.hex()})
    return [Draft("sealed", {"seat": seat, "seal": sealed.hex()}), shown]


def _returned(table: TableState, seat: int) -> list[Draft]:
    """The return of a player who orders something."""
    return [Draft("returned", {"seat": seat})] if table.chairs[seat].absent else []


def _no_seat(table: TableState, seat: int, status: int) -> Refused:
    """The refusal of a seat that is taken, or that the table does not have, which is answered with this status."""
    if 0 <= seat < len(table.chairs):
        return Refused("seat_taken")
    return Refused("no_such_seat", status, last=len(table.chairs) - 1)
