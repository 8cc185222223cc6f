"""A table as its log tells it: who sits where, how the cards were shuffled, what has been played."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence, Set
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from tefuda.server.store.port import Belonging, JsonMapping, JsonObject
from tefuda.server.table.callers import Caller, SeatHolder
from tefuda.server.table.message_types import GivenDeal, Phase, Speed
from tefuda.server.table.past_game import PastGame
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.shuffle import CommitmentChain, Proof
from tefuda.table.view import View


@dataclass
class PendingShuffle:
    """A shuffle, after the events applied so far; ``tefuda.table.shuffle`` describes the protocol."""

    number: int  # of the deal
    commitment: bytes
    secret: bytes
    at: int  # when the time of those who are waited for began, milliseconds
    attempt: int = 1  # from 1
    seals: dict[int, bytes] = field(default_factory=dict)  # by seat, of this attempt, like ``entropy``
    entropy: dict[int, bytes] = field(default_factory=dict)
    closed: bool = False  # the list of seals is closed
    unrevealed: list[int] = field(default_factory=list)  # the seats that did not reveal in an earlier attempt

    def copy(self) -> "PendingShuffle":
        """Copy the shuffle at this moment."""
        return replace(self, seals=dict(self.seals), entropy=dict(self.entropy), unrevealed=list(self.unrevealed))

    def is_ready(self, seat: int) -> bool:
        """Tell if a seat has said that the deal may come, or may not take part any more."""
        return self.closed or seat in self.seals or seat in self.unrevealed

    @property
    def unopened(self) -> list[int]:
        """The seats that have sealed entropy and not revealed it."""
        return [seat for seat in sorted(self.seals) if self.seals[seat] and seat not in self.entropy]

    def list_seals(self, seats: int) -> tuple[bytes, ...]:
        """The seals by seat, empty for those that take no part."""
        return tuple(self.seals.get(seat, b"") for seat in range(seats))

    def leave(self, seat: int) -> None:
        """Let a player leave. A list that is closed stays as it is: no one may choose what counts by leaving."""
        if not self.closed:
            self.seals.pop(seat, None)
            self.entropy.pop(seat, None)

    def close(self, at: int) -> None:
        """Take no more seals; what was shown without one, to an older version, does not count."""
        self.closed, self.at = True, at
        self.entropy = {seat: part for seat, part in self.entropy.items() if self.seals.get(seat)}

    def begin_again(self, seats: Sequence[int], at: int) -> None:
        """Shuffle again without these seats."""
        self.unrevealed = sorted({*self.unrevealed, *seats})
        self.attempt, self.at, self.closed = self.attempt + 1, at, False
        self.seals, self.entropy = {}, {}

    def prove(self, table: str, seats: int) -> Proof:
        """The proof of the deal that follows; of a list that was never closed, as in older logs, by protocol 1."""
        entropy = tuple(self.entropy.get(seat, b"") for seat in range(seats))
        proof = Proof(table, self.number, self.commitment, self.secret, entropy)
        return replace(proof, seals=self.list_seals(seats), attempt=self.attempt) if self.closed else proof


class TakeBackRequest(NamedTuple):
    """A seat's wish to take its last play back, in the deal that ``began`` with that event, so that it goes on after so
    many ``plays``; the seats that have ``agreed``, and True if one has ``refused``."""

    seat: int
    plays: int
    began: int
    agreed: frozenset[int] = frozenset()
    refused: bool = False


Derived = TypeVar("Derived")

SLOW = 12 * 3600  # seconds: at a table with such a clock, or a longer one, people come and go between their plays
OUTSIDER = -2  # stands in place of a seat number for a viewer who may not see the cards at all


class TableState:
    """One table, after the events applied so far.

    Attributes:
        seq, at: of the latest event.
        game: with its options; ``past`` is the same where its rules are not known, and there is no deal then.
        chairs: by seat.
        session: number of the game played at this table, from 1; ``deals`` dealt in it, what each paid in ``results``,
            the ``totals`` after the last that is over.
        deal: the present one, or the last until the next is dealt.
        shuffle: of the next deal, once committed to.
        proofs: of the deals of this session; ``revealed`` says which may be shown.
        chain: of all commitments, seals and seats that did not reveal, over all sessions.
        began: seq with which the present deal was dealt.
        acted: since when the present mover has been asked, milliseconds.
        keys: of orders carried out, with the seq of their last event.
        said: when each seat last said something, milliseconds; ``reported`` when it last reported somebody.
        spoken: the latest events by which somebody said something, with their seats.
        taken_back: how many plays of this session were taken back: it is practice then.
        asked_back: the last request to the others to take a play back; ``request`` while it is open.
        given_row: at a table that does not shuffle, the event that gives it its deal; ``given_plays`` of it were made
            before the players came.
        wishes: what seats have said before they are asked; only they may know it.
        people: the hashes of those who sit there, with their seats; another list whenever one comes or goes, or another
            of them becomes the host.
        gone: the seats of people without a socket, as far as that has been shown; no log tells it.
        unsealed: the round is over in which it plays, since then the table is closed.
        knows: the people who have held a seat in this session, and which: they have seen its cards.
        owners: by seat, the person whose result it is: dealt the first cards there, or the last to take it since.
        muted: the hashes of those who may say nothing here; ``removed`` of those whom the host has sent away.
        played_out: the seed by which bots play the game to its end in whose middle it was closed; 0 in no game's.
    """

    def __init__(self) -> None:
        self.seq = self.at = self.created = self.acted = self.began = 0
        self.name = ""
        self.game: Game
        self.past: PastGame | None = None
        self.settings: JsonObject = {}
        self.chairs: list[SeatHolder] = []
        self.session, self.deals, self.results, self.totals = 1, 0, list[list[int]](), list[int]()
        self.deal: Deal | None = None
        self.shuffle: PendingShuffle | None = None
        self.proofs: list[Proof] = []
        self.open_deals: set[int] = set()
        self.chain = CommitmentChain()
        self.closed = self.unsealed = False
        self.taken_back = self.given_plays = 0
        self.given_row: JsonMapping = {}
        self.keys: OrderedDict[str, int] = OrderedDict()
        self.knows: list[tuple[Caller, int]] = []
        self.owners: dict[int, SeatHolder] = {}
        self.played_out = 0
        self.muted = self.removed = frozenset[str]()
        self.said: dict[int, int] = {}
        self.reported: dict[int, int] = {}
        self.spoken: dict[int, int] = {}
        self.wishes: dict[int, str] = {}
        self.asked_back: TakeBackRequest | None = None
        self.people: list[tuple[int, str | None, str | None]] = []
        self.gone: frozenset[int] = frozenset()
        self._seat_of_guest: dict[str | None, int] = {}
        self._seat_of_token: dict[str | None, int] = {}
        self._cache: dict[Hashable, Any] = {}
        self._cached_at: tuple[Deal | None, int] = (None, 0)

    def copy(self) -> "TableState":
        """Copy the table at this moment, to apply events to."""
        twin = copy(self)
        twin.chairs = [copy(chair) for chair in self.chairs]
        twin.results, twin.proofs, twin.open_deals = list(self.results), list(self.proofs), set(self.open_deals)
        twin.deal = None if self.deal is None else self.deal.copy()
        twin.shuffle = None if self.shuffle is None else self.shuffle.copy()
        twin.chain, twin.keys, twin.knows = self.chain.copy(), self.keys.copy(), list(self.knows)
        twin.said, twin.wishes = dict(self.said), dict(self.wishes)
        twin.reported, twin.spoken, twin.owners = dict(self.reported), dict(self.spoken), dict(self.owners)
        if self.past is not None:
            twin.game = twin.past = self.past.copy()
        twin._cache, twin._cached_at = {}, (None, 0)
        return twin

    @property
    def phase(self) -> Phase:
        """``waiting`` for people, ``shuffling``, ``playing``, ``over`` (the session) or ``closed``."""
        if self.closed or self.past is not None:
            return "closed"
        if self.deal is not None and not self.deal.over:
            return "playing"
        if self.deal is not None and (self.given or self.facts()["over"]):
            return "over"  # a table that is given a deal plays no second one
        return "shuffling" if self.begun or all(chair.taken for chair in self.chairs) else "waiting"

    @property
    def is_underway(self) -> bool:
        """True in the middle of a game that counts: it has begun, and a person has played."""
        if self.given is not None or self.deal is None or self.phase not in ("playing", "shuffling"):
            return False
        return bool(self.results) or any(seat in self.owners for seat, _ in self.deal.history)

    @property
    def present(self) -> Deal:
        """The present deal, or the last until the next; there must be one."""
        assert self.deal is not None
        return self.deal

    @property
    def pending(self) -> PendingShuffle:
        """The shuffle of the next deal; it must have been committed to."""
        assert self.shuffle is not None
        return self.shuffle

    @property
    def begun(self) -> bool:
        """True if a deal of this session has been dealt."""
        return self.deals > 0

    @property
    def given(self) -> GivenDeal | None:
        """The deal that the table was opened for; None where it shuffles as many as a game takes."""
        found: GivenDeal | None = self.settings.get("given")
        return found

    @property
    def day(self) -> str:
        """The day whose deal it plays, as ``2026-11-23``, or in the same way the deal of a round; empty if it plays
        another."""
        day = "" if self.given is None else self.given.get("day", "")
        return f"{day}/{self.session}" if self.round_deals else day

    @property
    def round_deals(self) -> int:
        """The number of deals that it plays in a club's round; 0 where it plays none."""
        return 0 if self.given is None else self.given.get("deals", 0)

    @property
    def is_alone(self) -> bool:
        """True if one person sits here, with bots: no one waits for them, and the table does nothing for them."""
        return len(self.people) == 1

    @property
    def is_among_friends(self) -> bool:
        """True if only those come who were told of the table: by invitation, or since it is not listed."""
        return self.settings.get("invite") is not None or not self.settings["public"]

    @property
    def request(self) -> TakeBackRequest | None:
        """The request to take a play back that the others are being asked for; None if there is none."""
        asked = self.asked_back
        if asked is None or asked.refused or asked.began != self.began or self.phase != "playing":
            return None
        return asked if self.awaited(asked.seat, asked.agreed) else None  # who was asked may have left

    def awaited(self, seat: int, agreed: Set[int] = frozenset()) -> list[int]:
        """The seats of the people who are there to answer a request of this seat, and have not agreed."""
        is_there = (chair.person and not chair.absent for chair in self.chairs)
        return [other for other, there in enumerate(is_there) if there and other not in {seat, *self.gone, *agreed}]

    @property
    def is_deserted(self) -> bool:
        """True if all people of this session have left: nothing goes on before one of them comes back."""
        return bool(self.knows) and not self.people

    @property
    def clock(self) -> int | None:
        """Seconds after which a bot plays for a person who does not answer; None if no time is counted."""
        seconds: int | None = self.settings["clock"]
        return None if self.is_alone else seconds

    @property
    def is_slow(self) -> bool:
        """True if nobody need be there between their plays: it goes on without viewers, and nobody is missed."""
        return (self.clock or 0) >= SLOW

    @property
    def speed(self) -> Speed:
        """The speed of bots; tables from before this could be chosen play at the usual one."""
        found: Speed = self.settings.get("speed", "normal")
        return found

    def bot_at(self, seat: int) -> str | None:
        """The bot that plays at a seat now; None if its person does, who is always waited for if they are alone."""
        player = self.chairs[seat].player
        return None if player is not None and self.is_alone and self.chairs[seat].person else player

    @property
    def proof_name(self) -> str:
        """The name of this session in proofs."""
        return f"{self.name}/{self.session}"

    def dealt_heads(self) -> list[str]:
        """List the heads that the chain had when each deal was dealt, over all sessions."""
        closed = [each for each in self.chain.entries if each["kind"] == "sealed"]
        heads = {(each["table"], each["deal"]): str(each["link"]) for each in closed}
        if self.shuffle is not None:
            heads.pop((self.proof_name, self.shuffle.number), None)
        return list(heads.values())

    @property
    def revealed(self) -> list[Proof]:
        """The proofs whose secret may be shown: of the deals that may be."""
        if self.past is not None:
            return [deal.proof for deal in self.past.shown()]
        shown = self.shown
        return [proof for proof in self.proofs if proof.deal in shown]

    @property
    def shown(self) -> set[int]:
        """The numbers of this session's deals whose every hand may be shown: those that left no card unseen, or all
        once the session is over. Other tables may still play the deals of a round that is not."""
        if self.round_deals and not self.unsealed:
            return set()
        return set(range(1, self.deals + 1)) if self.phase in ("over", "closed") else self.open_deals

    def free_seats(self) -> list[int]:
        """The free seats."""
        return [seat for seat, chair in enumerate(self.chairs) if not chair.taken]

    def seat_of(self, caller: Caller) -> int | None:
        """The seat of this person; None if they have none."""
        guest, token = self._seat_of_guest.get(caller.guest), self._seat_of_token.get(caller.token)
        if guest is None or token is None:
            return token if guest is None else guest
        return min(guest, token)

    def belongings(self) -> tuple[Belonging, ...]:
        """The shares of the guests who sit here, and of the host."""
        host, seats = self.settings["host"]["guest"], {chair.guest: seat for seat, chair in enumerate(self.chairs)}
        guests = sorted({guest for guest in (*seats, host) if guest is not None})
        return tuple(Belonging(guest, seats.get(guest), guest == host) for guest in guests)

    def hashes(self) -> frozenset[str]:
        """The hashes of those who sit here, and of the host."""
        host = self.settings["host"]
        return frozenset({host["guest"], host["token"], *chain(*(each[1:] for each in self.people))} - {None})

    def set_chair(self, seat: int, chair: SeatHolder) -> None:
        """Give a seat to another player, or free it; what was wished there is forgotten."""
        self.chairs[seat] = chair
        self.wishes.pop(seat, None)
        self.gone -= {seat}
        self.people = [(number, each.guest, each.token) for number, each in enumerate(self.chairs) if each.person]
        first = self.people[::-1]  # should a person have two seats, it is the first that counts
        self._seat_of_guest = {guest: number for number, guest, _ in first if guest is not None}
        self._seat_of_token = {token: number for number, _, token in first if token is not None}

    def sitter(self, seat: int) -> SeatHolder:
        """The holder of a seat; in place of a bot, or of nobody, the person who has left it in this game, nameless."""
        chair, owner = self.chairs[seat], self.owners.get(seat)
        return chair if chair.person or owner is None else SeatHolder("", owner.guest, owner.token)

    def is_host(self, caller: Caller) -> bool:
        """Tell if this person opened the table, or hosts it since the host has left."""
        host = self.settings["host"]
        return caller.is_one(host["guest"], host["token"])

    def may_see(self, caller: Caller) -> int:
        """The seat whose view this person gets now; −1 for a spectator's view, ``OUTSIDER`` for none."""
        seat = self.seat_of(caller)
        if seat is not None:
            return seat
        return -1 if self.settings["spectators"] == "public" else OUTSIDER

    def own_answer(self) -> str | None:
        """The answer that the table gives for the mover by itself, if it does: what the mover has said before it was
        asked, the usual answer to such a question, a declaration to which there is no other answer. The scheduler makes
        this play after a time from which no other can tell if there was a choice."""
        if self.deal is None or self.deal.over:
            return None
        return self.deal.own_answer(self.wishes.get(self.deal.mover))

    def last_choice(self, seat: int) -> int | None:
        """The number of plays before the last that this seat chose in this deal; None if it has chosen none."""
        own = [k for k, (mover, _) in enumerate(self.present.history) if mover == seat and k >= self.given_plays]
        return next((place for place in reversed(own) if self.present.at(place).own_answer() is None), None)

    def seen_by(self, caller: Caller) -> int | None:
        """The seat whose cards this person has seen in this session."""
        return next((seat for known, seat in self.knows if known.is_one(caller.guest, caller.token)), None)

    def cached(self, key: Hashable, derive: Callable[[Deal], Derived]) -> Derived:
        """A value that ``derive`` computes from the present deal and from ``key``, once after each play."""
        present, (deal, plays) = self.present, self._cached_at
        if deal is not present or plays != len(present.history):
            self._cache, self._cached_at = {}, (present, len(present.history))
        if key not in self._cache:
            self._cache[key] = derive(present)
        derived: Derived = self._cache[key]
        return derived

    def views(self) -> list[View]:
        """The views of the present deal by seat; the last, −1, is a spectator's."""
        return self.cached("views", Deal.views)

    def view(self, seat: int) -> View:
        """The view of one seat."""
        return self.views()[seat]

    def facts(self) -> JsonMapping:
        """The other facts about the present deal; see ``Deal.facts``."""
        return self.cached("facts", Deal.facts)

    def asked(self) -> list[int]:
        """The seats of people whom the table waits for."""
        if self.closed or self.past is not None:
            return []
        if self.deal is not None and not self.deal.over:
            waited_for = [self.deal.mover]
        else:
            waited_for = [] if self.shuffle is None else self.waited_for()
        return [seat for seat in waited_for if self.chairs[seat].player is None]

    @property
    def asks_to_go_on(self) -> bool:
        """True if the shuffle waits for the people's word, who go on when they like; else programs answer by
        themselves."""
        return self.begun and self.pending.attempt == 1

    @property
    def moment(self) -> tuple[int, ...]:
        """Numbers that differ whenever others are asked: session, deal, and the plays made or the shuffle's step."""
        if self.deal is not None and not self.deal.over:
            return self.session, self.deals, len(self.deal.history)
        shuffle = self.shuffle
        return self.session, self.deals, *((-shuffle.attempt, int(shuffle.closed)) if shuffle else ())

    def waited_for(self) -> list[int]:
        """The seats whose entropy the next deal still waits for."""
        pending = self.pending
        if pending.closed:
            return pending.unopened
        return [seat for seat in range(len(self.chairs)) if self.bot_at(seat) is None and not pending.is_ready(seat)]
