"""The events of a table: how each changes it, and those that no order asks for: shuffles, deals, plays of bots, clocks
that run out. The functions that make the latter decide on a table as it stands, as commands do.

The same events give the same table, in every process and every version. The kinds of events, and their bodies:

======== ==================================================================================================
created  table, game, rules (version), seats, options, host, public, invite, spectators, chat, clock, speed; from 1 on;
         given: which deal it is opened for, if it does not shuffle as many as a game takes
paced    clock, speed: those that the host has changed
seated   seat, name, guest and token (hashes) and face of a person, or bot
left     seat; removed, if the host has sent that person away
muted    seat, muted: whether its player may say nothing here
hosted   seat: the person who sits there hosts the table from now on
absent   seat: its clock has run out, or its player is not connected and ``by`` does not wait; a bot plays for it,
         at a slow table once
returned seat
committed deal, commitment, secret: of the shuffle that is to come; protocol, missing in older logs
sealed   seat, seal: of the entropy that it will add
closed_seals attempt: no more seals are taken
entropy  seat, entropy: what it adds to the shuffle
unrevealed seats: they have not revealed their entropy in time, and the shuffle begins again without them
dealt    deal
given    deal, before, chance, deck, proof (perhaps): a deal that was dealt elsewhere, as a record has it; plays: those
         that were made there, as "seat:play"
wished   seat, play: what it says before it is asked, or the answer with which it takes that back
played   seat, play
asked_back seat, plays: it asks the others to take its last play back
answered_back seat, agreed: whether it may
taken_back seat, plays: the deal goes on from the moment at which so many had been made
said     seat, phrase; or text
reported seat, of: it reports that seat to whoever runs the server, by what it has said (that event's seq) or by its
         name; note. Nobody at the table is told
restarted a new game at the same table
closed   the table is done with; played_out, if that was in the middle of a game: the seed by which bots end it
======== ==================================================================================================

Any body may have ``key``: the table remembers it, and so knows an order that is repeated."""

from collections.abc import Callable, Sequence
from typing import Any

from tefuda import games
from tefuda.engine.errors import TefudaError
from tefuda.engine.option import OptionError
from tefuda.server.store.port import Draft, Event, JsonMapping, JsonObject
from tefuda.server.table.callers import Caller, SeatHolder
from tefuda.server.table.commands import bot_seated, closing
from tefuda.server.table.past_game import PastGame
from tefuda.server.table.table_state import PendingShuffle, TableState, TakeBackRequest
from tefuda.table import shuffle
from tefuda.table.game import Game
from tefuda.table.record import DealRecord
from tefuda.table.shuffle import Proof

MOST_KEYS = 64  # orders that a table remembers, so that repeating one does nothing
ABANDONED = 30 * 24 * 3600 * 1000  # milliseconds after which a game to which nobody has come back is closed
ABANDONED_COUNT = 1_795_996_800_000  # in tables opened since then (2026-11-30), milliseconds since 1970

MOST_SPOKEN = 200  # of what people have said, so much may still be reported


def apply(state: TableState, event: Event) -> None:
    """Apply the next event. ``TefudaError`` if it is not the next one, or this version does not know its kind."""
    if event.seq != state.seq + 1:
        raise TefudaError(f"table {state.name}: event {event.seq} after {state.seq}")
    if event.kind not in _APPLY:
        raise TefudaError(f"table {state.name}: event {event.seq} is a {event.kind!r}, of a newer Tefuda")
    body = dict(event.body)
    key = body.pop("key", None)
    state.seq, state.at = event.seq, event.at
    _APPLY[event.kind](state, **body)
    if key is not None:
        state.keys[key] = event.seq
        if len(state.keys) > MOST_KEYS:
            state.keys.popitem(last=False)


def _create(
    state: TableState, table: str, game: str, rules: int, seats: int, options: JsonObject, **settings: Any
) -> None:
    state.name, state.settings, state.created = table, settings, state.at
    try:
        state.game = Game(games.description(game).as_of(rules), seats, options)
    except OptionError:
        state.game = state.past = PastGame(game, rules, seats, options)
    state.chairs = [SeatHolder() for _ in range(state.game.seats)]


def _seat(
    state: TableState, seat: int, name: str, guest: str | None = None, token: str | None = None, bot: str | None = None,
    face: str = "",
) -> None:  # fmt: skip
    state.set_chair(seat, SeatHolder(name, guest, token, bot, face=face))
    if bot is None:
        state.knows.append((Caller(guest, token), seat))
        if state.begun:
            state.owners[seat] = state.chairs[seat]
    _wait_anew(state, seat)


def _leave(state: TableState, seat: int, removed: bool = False) -> None:
    if removed:
        state.removed |= state.chairs[seat].hashes
    state.set_chair(seat, SeatHolder())
    if state.shuffle:
        state.shuffle.leave(seat)
    _wait_anew(state, seat)


def _host(state: TableState, seat: int) -> None:
    chair = state.chairs[seat]
    state.settings = {**state.settings, "host": {"guest": chair.guest, "token": chair.token}}
    state.people = list(state.people)


def _mute(state: TableState, seat: int, muted: bool) -> None:
    theirs = state.chairs[seat].hashes
    state.muted = state.muted | theirs if muted else state.muted - theirs


def _miss(state: TableState, seat: int, by: int | None = None) -> None:
    state.chairs[seat].absent = True


def _return(state: TableState, seat: int) -> None:
    state.chairs[seat].absent = False
    _wait_anew(state, seat)


def _wait_anew(state: TableState, seat: int) -> None:
    """Give a player who comes to a seat all of its time."""
    if state.deal is not None and state.deal.mover == seat:
        state.acted = state.at
    if state.shuffle is not None and not state.begun and not state.shuffle.closed:
        state.shuffle.at = state.at


def _commit(state: TableState, deal: int, commitment: str, secret: str, protocol: int = 1) -> None:
    state.shuffle = PendingShuffle(deal, bytes.fromhex(commitment), bytes.fromhex(secret), state.at)
    state.chain.add("committed", table=state.proof_name, deal=deal, commitment=commitment)


def _seal(state: TableState, seat: int, seal: str) -> None:
    state.pending.seals[seat] = bytes.fromhex(seal)
    state.pending.entropy.pop(seat, None)  # shown to an older version, without a seal


def _close_seals(state: TableState, attempt: int) -> None:
    state.pending.close(state.at)
    seals = [part.hex() for part in state.pending.list_seals(state.game.seats)]
    state.chain.add("sealed", table=state.proof_name, deal=state.pending.number, attempt=attempt, seals=seals)


def _add(state: TableState, seat: int, entropy: str) -> None:
    state.pending.entropy[seat] = bytes.fromhex(entropy)


def _name_unrevealed(state: TableState, seats: list[int]) -> None:
    pending = state.pending
    state.chain.add("unrevealed", table=state.proof_name, deal=pending.number, attempt=pending.attempt, seats=[*seats])
    pending.begin_again(seats, state.at)
    for seat in seats:
        state.chairs[seat].absent = state.chairs[seat].person and not state.is_slow


def _begin(state: TableState) -> None:
    """Keep whose result each seat's will be, once the first deal is dealt."""
    state.owners = {seat: chair for seat, chair in enumerate(state.chairs) if chair.person}


def _deal(state: TableState, deal: int) -> None:
    if deal == 1:
        _begin(state)
    proof = state.pending.prove(state.proof_name, state.game.seats)
    state.deals, state.shuffle, state.acted, state.began, state.wishes = deal, None, state.at, state.seq, {}
    if state.past is not None:
        state.past.begin(proof)
        return
    bound_to = shuffle.context(state.game, state.proof_name, deal, proof.attempt)
    order, chance = shuffle.shuffle(state.game.pack, bound_to, proof.secret, proof.entropy)
    before = state.deal.following() if state.deal else None
    state.deal = state.game.deal(0, deck=order, chance=chance, before=before, proof=proof)
    state.proofs.append(proof)


def _give(state: TableState, plays: list[str], **row: Any) -> None:
    proof = Proof.from_json(row["proof"]) if "proof" in row else None
    _begin(state)
    state.deals, state.shuffle, state.acted, state.began, state.wishes = 1, None, state.at, state.seq, {}
    state.given_row, state.given_plays = {**row, "plays": plays}, len(plays)
    if proof is not None:
        state.proofs.append(proof)
        fixed = {"table": proof.table, "deal": proof.deal}
        state.chain.add("committed", **fixed, commitment=proof.commitment.hex())
        state.chain.add("sealed", **fixed, attempt=proof.attempt, seals=[part.hex() for part in proof.seals or ()])
    if state.past is None:
        state.deal = DealRecord(1, row["before"], row["chance"], row["deck"], plays, proof=proof).replay(state.game)
    elif proof is not None:
        state.past.begin(proof)


def _wish(state: TableState, seat: int, play: str) -> None:
    if state.past is not None:
        return
    wish = state.present.wish(seat)
    if wish is not None and play == wish.play:
        state.wishes[seat] = play
    else:
        state.wishes.pop(seat, None)


def _play(state: TableState, seat: int, play: str) -> None:
    if state.past is not None:
        state.past.add(seat, play)
        return
    state.present.play(play, seat)
    if state.wishes.get(seat) == play:
        del state.wishes[seat]
    state.acted = state.at
    if state.is_slow:
        state.chairs[seat].absent = False
    if state.present.over:
        state.results.append(state.present.payoff())
        state.totals = list(state.facts()["totals"])
        if state.present.is_all_public():
            state.open_deals.add(state.deals)


def _pace(state: TableState, **settings: Any) -> None:
    state.settings = {**state.settings, **settings}
    if "clock" in settings:
        state.acted = state.at
        if state.shuffle is not None and not state.shuffle.closed:
            state.shuffle.at = state.at


def _ask_back(state: TableState, seat: int, plays: int) -> None:
    state.asked_back = TakeBackRequest(seat, plays, state.began)


def _answer_back(state: TableState, seat: int, agreed: bool) -> None:
    if asked := state.asked_back:
        state.asked_back = asked._replace(agreed=asked.agreed | {seat}) if agreed else asked._replace(refused=True)


def _take_back(state: TableState, seat: int, plays: int) -> None:
    state.taken_back, state.asked_back = state.taken_back + 1, None
    if state.past is not None:
        state.past.take_back(plays)
        return
    state.deal, state.acted, state.wishes = state.present.at(plays), state.at, {}


def _say(state: TableState, seat: int, phrase: str = "", text: str = "") -> None:
    state.said[seat] = state.at
    state.spoken[state.seq] = seat
    if len(state.spoken) > MOST_SPOKEN:
        del state.spoken[min(state.spoken)]


def _report(state: TableState, seat: int, of: int, note: str, said: int | None = None) -> None:
    state.reported[seat] = state.at


def _restart(state: TableState) -> None:
    state.session, state.deals, state.results, state.deal, state.shuffle = state.session + 1, 0, [], None, None
    state.proofs, state.open_deals, state.totals, state.taken_back = [], set(), [], 0
    state.given_row, state.given_plays, state.owners = {}, 0, {}
    if state.past is not None:
        state.past.sessions.append([])
    state.knows = [(Caller(chair.guest, chair.token), seat) for seat, chair in enumerate(state.chairs) if chair.person]


def _close(state: TableState, played_out: int = 0) -> None:
    state.closed, state.unsealed, state.played_out = True, True, played_out
    if state.past is not None:
        state.past.closed = True


_APPLY: dict[str, Callable[..., None]] = {
    "created": _create, "seated": _seat, "left": _leave, "hosted": _host, "muted": _mute, "absent": _miss,
    "returned": _return, "committed": _commit, "sealed": _seal, "closed_seals": _close_seals, "entropy": _add,
    "unrevealed": _name_unrevealed, "dealt": _deal, "given": _give, "wished": _wish, "played": _play, "paced": _pace,
    "asked_back": _ask_back, "answered_back": _answer_back, "taken_back": _take_back, "said": _say,
    "reported": _report, "restarted": _restart, "closed": _close,
}  # fmt: skip

Decide = Callable[[TableState], list[Draft]]
"""Decides, on a table as it stands, which events follow; an empty list means that there is nothing to do."""


def first_bots(table: TableState, bots: Sequence[str]) -> list[Draft]:
    """Seat the bots that a table is opened with, on the first free seats; nothing if that was done before."""
    if any(chair.bot for chair in table.chairs):
        return []
    return [bot_seated(seat, bot) for seat, bot in zip(table.free_seats(), bots, strict=False)]


def commit(table: TableState, secret: bytes) -> list[Draft]:
    """Commit the server to its part in the shuffle of the next deal: ``shuffle.SECRET_BYTES`` random bytes, shown
    when the deal is over."""
    number = table.deals + 1
    commitment = shuffle.commit(shuffle.context(table.game, table.proof_name, number), secret)
    body = {"deal": number, "commitment": commitment.hex(), "secret": secret.hex(), "protocol": shuffle.PROTOCOL}
    return [Draft("committed", body)]


def close_seals(table: TableState) -> list[Draft]:
    """Take no more seals; deal if there is nothing to be revealed. The deal of the day is dealt in a step of its own,
    since another table may have been faster."""
    closed = Draft("closed_seals", {"attempt": table.pending.attempt})
    return [closed] if table.pending.unopened or table.day else [closed, *deal(table)]


def name_unrevealed(table: TableState) -> list[Draft]:
    """The time to reveal is over: shuffle again without those who have not."""
    return [Draft("unrevealed", {"seats": table.pending.unopened})]


def deal(table: TableState) -> list[Draft]:
    """Deal what has been committed to."""
    return [Draft("dealt", {"deal": table.pending.number})]


def give(table: TableState, row: JsonMapping) -> list[Draft]:
    """Give a table its deal, as the event ``given`` has it; nothing if it has one."""
    return [] if table.begun else [Draft("given", row)]


def play_for(seat: int, word: str) -> list[Draft]:
    """A play that a bot, or the table itself, makes for a seat."""
    return [Draft("played", {"seat": seat, "play": word})]


def give_up(table: TableState, now: int) -> list[Draft]:
    """Close a table in the middle of a game at which nothing has happened for ``ABANDONED``; ``now`` is in milliseconds
    since 1970. A game from before abandoned ones counted does not count."""
    goes_on = table.is_slow and not table.is_deserted
    if goes_on or table.phase not in ("playing", "shuffling") or not table.begun or table.at > now - ABANDONED:
        return []
    return closing(table) if table.created >= ABANDONED_COUNT else [Draft("closed", {})]


def miss(seat: int) -> list[Draft]:
    """The clock of a seat has run out."""
    return [Draft("absent", {"seat": seat})]
