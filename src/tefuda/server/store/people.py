"""People's belongings in a store, beside the logs: results, ratings, house rules; deals of the day; passkeys; where
they are told of their turn."""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import fmean

from sqlalchemy import Connection, and_, delete, select, update

from tefuda.server.store import port
from tefuda.server.store.access import StorePart
from tefuda.server.store.erasures import erased_among
from tefuda.server.store.schema import (
    daily_deals,
    daily_results,
    house_rules,
    listings,
    notice_addresses,
    passkeys,
    ratings,
    results,
    spent_challenges,
)

ERASED = "—"  # stands in place of a name that was erased


# Results, ratings, house rules


@dataclass(frozen=True)
class GameResult:
    """The results of a game, from its first deal, so far."""

    table: str
    session: int  # the number of the game at this table, from 1
    at: int  # when its latest deal ended, milliseconds since 1970
    game: str
    deals: int  # that are finished
    over: bool
    practice: bool  # a play was taken back: it counts for nothing
    seats: tuple[port.SeatResult, ...]  # in order
    shown: bool = True  # the table is still there, to be looked at

    @property
    def counts(self) -> bool:
        """True if figures and ratings count it: it is over, no practice, and people have played."""
        return self.over and not self.practice and any(seat.person for seat in self.seats)


@dataclass(frozen=True)
class PlacedSides:
    """A finished game, as ratings see it: the people and bots on each side, where one bot may stand several times, and
    the places of the sides, 1 for the best. The ratings of ``game`` in ``pool`` change: those among people, or those
    against bots."""

    game: str
    pool: str
    sides: Sequence[Sequence[str]]
    places: Sequence[int]

    @property
    def rated(self) -> Sequence[str]:
        """All who take part, each once."""
        return sorted({each for side in self.sides for each in side})

    def rate(self, before: Mapping[str, port.PlayerRating]) -> dict[str, port.PlayerRating]:
        """Everybody's rating afterwards."""
        from openskill.models import PlackettLuce  # not at the start of the server, which should not wait for it

        model = PlackettLuce()
        teams = [[model.rating(before[each].mu, before[each].sigma) for each in side] for side in self.sides]
        after = defaultdict(list)
        for side, rated in zip(self.sides, model.rate(teams, ranks=list(map(float, self.places))), strict=True):
            for each, rating in zip(side, rated, strict=True):
                after[each].append(rating)
        return {
            each: port.PlayerRating(fmean(r.mu for r in found), fmean(r.sigma for r in found), before[each].games + 1)
            for each, found in after.items()
        }


Contests = Callable[[GameResult], Sequence[PlacedSides]]  # tells what changes ratings by a result


class People(StorePart):
    """Results, ratings and house rules."""

    async def record(self, result: GameResult, contests: Contests) -> None:
        """Keep a result in place of an earlier one of the same game; when the game is over, once, ratings change.

        A person who has been erased has no name in it, and no part in what changes ratings."""
        same = and_(results.c.table == result.table, results.c.session == result.session)

        def work(connection: Connection) -> None:
            gone = erased_among(connection, (seat.person for seat in result.seats))
            seats = (replace(s, person=None, name=ERASED) if s.person in gone else s for s in result.seats)
            known = replace(result, seats=tuple(seats))
            kept = connection.execute(select(results.c.over, results.c.deals).where(same).limit(1)).first()
            if kept is not None and (kept.over or kept.deals > result.deals):
                return  # rated already, or later news
            connection.execute(delete(results).where(same))
            connection.execute(results.insert(), _rows(known))
            if result.over:
                for contest in contests(known):
                    self.rate(connection, contest)

        await self._access.write(work)

    def rate(self, connection: Connection, contest: PlacedSides) -> None:
        """Change ratings by a contest, in the caller's transaction."""
        rated, here = contest.rated, {"game": contest.game, "pool": contest.pool}
        new = [{"rated": each, **here, **vars(port.PlayerRating())} for each in rated]
        connection.execute(self._access.insert(ratings).on_conflict_do_nothing(), new)
        theirs = and_(ratings.c.game == contest.game, ratings.c.pool == contest.pool, ratings.c.rated.in_(rated))
        # In one order, so that no two processes wait for each other.
        rows = connection.execute(select(ratings).where(theirs).order_by(ratings.c.rated).with_for_update())
        before = {row.rated: _rating_of(row) for row in rows}
        for each, rating in contest.rate(before).items():
            connection.execute(update(ratings).where(theirs, ratings.c.rated == each).values(**vars(rating)))

    async def results(self, person: str, limit: int) -> list[GameResult]:
        """A person's latest games, the latest first."""
        theirs = select(results.c.table, results.c.session).where(results.c.person == person)
        latest = theirs.distinct().order_by(results.c.at.desc()).add_columns(results.c.at).limit(limit).subquery()
        games = results.join(
            latest, and_(results.c.table == latest.c.table, results.c.session == latest.c.session)
        ).outerjoin(listings, listings.c.table == results.c.table)
        query = select(results, listings.c.table.label("listed")).select_from(games)
        ordered = query.order_by(results.c.at.desc(), results.c.table, results.c.session, results.c.seat)
        return _results(await self._access.fetch(ordered, lambda row: row))

    async def ratings(self, rated: Sequence[str]) -> dict[tuple[str, str, str], port.PlayerRating]:
        """The ratings of these people and bots, by (who, game, pool)."""
        query = select(ratings).where(ratings.c.rated.in_(rated))
        return dict(await self._access.fetch(query, lambda row: ((row.rated, row.game, row.pool), _rating_of(row))))

    async def save_rules(self, rules: port.HouseRules) -> None:
        """Keep house rules under their id; without the person, if they have been erased."""
        row = {**vars(rules), "options": json.dumps(rules.options, ensure_ascii=False)}

        def work(connection: Connection) -> None:
            person = None if erased_among(connection, [rules.person]) else rules.person
            connection.execute(house_rules.insert().values({**row, "person": person}))

        await self._access.write(work)

    async def rules(self, key: str) -> port.HouseRules | None:
        """The house rules with this id."""
        found = await self._access.fetch(select(house_rules).where(house_rules.c.id == key), house_rules_of)
        return found[0] if found else None

    async def all_rules(self, limit: int, person: str | None = None) -> list[port.HouseRules]:
        """The latest house rules, the latest first; only those of a person, if one is named."""
        query = select(house_rules).order_by(house_rules.c.at.desc()).limit(limit)
        theirs = query if person is None else query.where(house_rules.c.person == person)
        return await self._access.fetch(theirs, house_rules_of)

    async def remove_rules(self, key: str, person: str) -> bool:
        """Delete house rules of this person; False if there are none."""
        theirs = house_rules.c.id == key, house_rules.c.person == person
        return await self._access.change(delete(house_rules).where(*theirs))


def _rating_of(row: port.StoredRow) -> port.PlayerRating:
    return port.PlayerRating(row.mu, row.sigma, row.games)


def _rows(result: GameResult) -> list[port.JsonObject]:
    common = {name: getattr(result, name) for name in ("table", "session", "at", "game", "deals", "over", "practice")}
    return [{**common, **vars(seat)} for seat in result.seats]


def _results(rows: Iterable[port.StoredRow]) -> list[GameResult]:
    found = []
    for (table, session), group in groupby(rows, key=lambda row: (row.table, row.session)):
        seats = list(group)
        first = seats[0]
        found.append(
            GameResult(
                table, session, first.at, first.game, first.deals, first.over, first.practice,
                tuple(port.SeatResult(r.seat, r.name, r.person, r.bot, r.side, r.points, r.place) for r in seats),
                shown=first.listed is not None,
            )
        )  # fmt: skip
    return found


def house_rules_of(row: port.StoredRow) -> port.HouseRules:
    """The house rules that a row keeps."""
    return port.HouseRules(row.id, row.at, row.person, row.title, row.game, row.seats, json.loads(row.options))


# Deals of the day


class DailyDeals(StorePart):
    """The deals of the day: their shuffles, and everybody's results."""

    async def proof(self, deal: port.DealOfDay) -> port.JsonMapping | None:
        """The shuffle of a day, as ``Proof.to_json`` writes it; None before it was first dealt."""
        query = select(daily_deals.c.proof).where(daily_deals.c.day == deal.day, daily_deals.c.game == deal.game)
        kept = await self._access.fetch(query, lambda row: json.loads(row.proof))
        return kept[0] if kept else None

    async def settle(self, deal: port.DealOfDay, proof: port.JsonMapping) -> port.JsonMapping:
        """Make this the shuffle of a day, unless there is one; the one that counts."""
        row = {**deal._asdict(), "proof": json.dumps(proof)}
        await self._access.change(self._access.insert(daily_deals).values(row).on_conflict_do_nothing())
        kept = await self.proof(deal)
        assert kept is not None
        return kept

    async def record(self, deal: port.DealOfDay, result: port.DailyResult) -> None:
        """Keep a result, unless this player has one, for the first counts, or has been erased."""
        new = self._access.insert(daily_results).values(**deal._asdict(), **vars(result)).on_conflict_do_nothing()
        await self._access.change(new, person=result.player)

    async def results(self, deal: port.DealOfDay) -> list[port.DailyResult]:
        """Everybody's results, the best first, earlier ones before later ones."""
        found = daily_results.c
        query = select(found.player, found.at, found.name, found.points, found.table)
        here = query.where(found.day == deal.day, found.game == deal.game).order_by(found.points.desc(), found.at)
        return await self._access.fetch(here, lambda row: port.DailyResult(**row._mapping))


# Passkeys


class Passkeys(StorePart):
    """Passkeys: public keys, and whose they are."""

    async def add(self, passkey: port.Passkey) -> bool:
        """Keep a passkey; False if there is one with this id, or the guest has been erased."""
        new = self._access.insert(passkeys).values(**vars(passkey)).on_conflict_do_nothing()
        return await self._access.change(new, person=passkey.guest)

    async def find(self, key: str) -> port.Passkey | None:
        """The passkey with this id."""
        found = await self._access.fetch(select(passkeys).where(passkeys.c.id == key), _passkey_of)
        return found[0] if found else None

    async def of(self, guest: str) -> list[port.Passkey]:
        """A guest's passkeys, the oldest first."""
        theirs = select(passkeys).where(passkeys.c.guest == guest)
        return await self._access.fetch(theirs.order_by(passkeys.c.at, passkeys.c.id), _passkey_of)

    async def use(self, key: str, counter: int, at: int) -> bool:
        """Note that its owner has signed in; False if the passkey is gone, or its counter was as high before."""
        is_next = passkeys.c.counter < counter if counter else passkeys.c.counter == 0
        found = update(passkeys).where(passkeys.c.id == key, is_next)
        return await self._access.change(found.values(counter=counter, used=at))

    async def rename(self, guest: str, name: str, face: str) -> None:
        """Keep another name and face of a guest with their passkeys."""
        await self._access.change(update(passkeys).where(passkeys.c.guest == guest).values(name=name, face=face))

    async def remove(self, key: str, guest: str) -> None:
        """Delete a passkey, if it is this guest's."""
        await self._access.change(delete(passkeys).where(passkeys.c.id == key, passkeys.c.guest == guest))

    async def spend(self, challenge: str, until: int) -> bool:
        """Use up a challenge; False if it was used before. It may be forgotten ``until``, milliseconds since 1970, when
        it is not accepted any more."""
        late = delete(spent_challenges).where(spent_challenges.c.until < time.time_ns() // 1_000_000)
        new = self._access.insert(spent_challenges).values(challenge=challenge, until=until).on_conflict_do_nothing()
        return await self._access.change(late, new)


def _passkey_of(row: port.StoredRow) -> port.Passkey:
    return port.Passkey(**row._mapping)


# Where people are told of their turn

MOST_ADDRESSES = 8  # of one guest, the latest, of which one is a mailbox


class NoticeAddresses(StorePart):
    """The addresses at which people want to be told of their turn."""

    async def add(self, wanted: port.NoticeAddress) -> None:
        """Keep an address, whosever it was before; a mailbox in place of the guest's other one. The latest
        ``MOST_ADDRESSES`` of a guest are kept; none of a guest who has been erased."""
        row, kept = vars(wanted), notice_addresses.c
        anew = self._access.insert(notice_addresses).values(**row)
        theirs = kept.guest == wanted.guest
        latest = select(kept.address).where(theirs).order_by(kept.at.desc()).limit(MOST_ADDRESSES)
        others = kept.address.startswith(port.MAILBOX) & (kept.address != wanted.address) & wanted.is_mailbox
        await self._access.change(
            anew.on_conflict_do_update(index_elements=[kept.address], set_=row),
            delete(notice_addresses).where(theirs, kept.address.not_in(latest) | others),
            person=wanted.guest,
        )

    async def of(self, guest: str) -> list[port.NoticeAddress]:
        """A guest's addresses."""
        theirs = select(notice_addresses).where(notice_addresses.c.guest == guest)
        return await self._access.fetch(theirs, lambda row: port.NoticeAddress(**row._mapping))

    async def remove(self, address: str) -> None:
        """Tell nobody at this address any more: whoever knows it may ask for that."""
        await self._access.change(delete(notice_addresses).where(notice_addresses.c.address == address))
