"""Clubs: seasons of duplicate rounds, their standings and ladder, and files of both."""

import csv
import io
import json
import random
import secrets
import time
import zipfile
from collections import Counter
from functools import partial
from itertools import combinations
from typing import Annotated, Any

from fastapi import Depends, Form, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tefuda.bots.players import level_spec
from tefuda.engine.texts import signed
from tefuda.server.http.context import Context, RequestContext, pay_for_log
from tefuda.server.http.create_table import about, identify
from tefuda.server.live.daily_games import LEVEL
from tefuda.server.pages.layout import Preview, Typed, page, router
from tefuda.server.pages.shown_game import ShownGame, shown_games
from tefuda.server.store.people import PlacedSides
from tefuda.server.store.port import Club, Draft, Member, Season
from tefuda.server.store.ratings import shown
from tefuda.server.table import commands, replays
from tefuda.server.table.callers import Caller, Refused, token_hash
from tefuda.server.table.commands import bot_seated
from tefuda.server.table.duplicate import LEAST_TABLES, SeatInDeal, pair, scores, standings
from tefuda.server.table.player_names import clean_name
from tefuda.server.table.request_types import Join
from tefuda.server.table.table_state import TableState
from tefuda.table.game import Game

MOST_MEMBERS, MOST_ROUNDS, MOST_DEALS = 64, 12, 8

CLOCK = 60  # seconds for an answer in a round
SPREADSHEET = ("=", "+", "-", "@")  # a name that begins so would be a formula there


class ShownClub:
    """A club with its members and one of its seasons, as the reader sees them; ``HTTPException`` if there is none.

    Attributes:
        there: the members who have not left; ``me`` is the number of the reader, who ``organises`` if it is the first.
        season: with its ``rounds`` that have begun, and its ``results``; ``counted`` are those of ended rounds.
        present: the tables of the round that is being played, by name; ``mine`` is the reader's, if they have one.
    """

    def __init__(self, context: RequestContext, club: Club, members: list[Member], seasons: list[Season]) -> None:
        self.context, self.club, self.members, self.seasons = context, club, members, seasons
        self.names = {each.number: each.name for each in members}
        self.there = [each for each in members if each.person]
        self.me = next((each.number for each in self.there if each.person == context.caller.lasting), 0)
        self.organises = self.me == 1
        self.season, self.results = Season(club.id, 0, "", 0, "{}", 0, 0), list[SeatInDeal]()

    async def choose(self, number: int) -> "ShownClub":
        """Look at a season, the latest by default."""
        if not 0 <= number <= len(self.seasons):
            raise HTTPException(404)
        if self.seasons:
            self.season = self.seasons[number - 1]
            self.results = await self.context.services.store.clubs.results(self.season)
            self.game = ShownGame(self.context, self.context.services.compiler.description(self.season.game))
            self.played = Game(self.game.served, self.season.seats, json.loads(self.season.options))
        self.rounds = self.season.begun
        is_played = self.rounds and not self.rounds[-1]["ended"]
        self.present: dict[str, list[int]] = self.rounds[-1]["tables"] if is_played else {}
        self.mine = next((table for table, seats in self.present.items() if self.me and self.me in seats), "")
        self.counted = [each for each in self.results if self.rounds[each.round - 1]["ended"]]
        return self

    @property
    def bot(self) -> str:
        """The bot on seats that are left over."""
        return level_spec(LEVEL, self.game.served, self.played.template[0])

    def finished(self, table: str) -> int:
        """The deals that are over at a table."""
        return max((each.deal for each in self.results if each.table == table), default=0)

    def standings(self) -> list[dict[str, Any]]:
        """The places of members after the rounds that have ended; of those who have left, who has played."""
        counted = self.counted
        members = {each.number for each in self.there} | {each.member for each in counted if each.member}
        told = standings(sorted(members), counted)
        score = {each.member: signed(round(10 * each.total), 10) for each in told}
        return [vars(each) | {"name": self.names[each.member], "score": score[each.member]} for each in told]

    async def ladder(self) -> list[dict[str, Any]]:
        """The ratings of the members in the season's game within this club, the best first."""
        names = {each.person: each.name for each in self.there}
        rated = await self.context.services.store.people.ratings([person for person in names if person])
        here = {who: each for (who, *of), each in rated.items() if of == [self.season.game, f"club {self.club.id}"]}
        best = sorted(here.items(), key=lambda entry: -entry[1].mu)
        return [{"name": names[who], "rating": shown(each), "rounds": each.games} for who, each in best]


async def shown_club(context: RequestContext, club: str, season: int = 0, *, organised: bool = False) -> ShownClub:
    """A club and a season. ``HTTPException`` if there is none (404), ``Refused`` if only its organiser may go on."""
    kept = context.services.store.clubs
    found = await kept.find(Club, id=club)
    if not found:
        raise HTTPException(404)
    whole = ShownClub(context, found[0], await kept.find(Member, club=club), await kept.find(Season, club=club))
    if organised and not whole.organises:
        raise Refused("not_organiser", 403)
    return await whole.choose(season)


@router.get("/clubs")
async def clubs_page(context: Context) -> HTMLResponse:
    """The reader's clubs, and a form for a new one."""
    person = context.caller.lasting
    found = await context.services.store.clubs.of(person) if person else []
    return page(context, "clubs.html", preview=Preview(context.text("clubs.lead")), clubs=found)


@router.post("/clubs")
async def found_club(context: Context, name: Typed = "") -> Response:
    """Found a club, as its first member."""
    context.must_be_heard()
    club = Club(secrets.token_hex(5), time.time_ns() // 1_000_000, clean_name(name))
    context.pay_for_table()
    await context.services.store.clubs.add(club)
    return await become_member(context, club.id)


@router.post("/clubs/{club}/member")
async def become_member(context: Context, club: str, leave: Typed = "") -> Response:
    """Join a club whose link one has, or leave it."""
    found, response = await shown_club(context, club), RedirectResponse(f"/clubs/{club}", 303)
    person, kept = identify(context, response)[0].lasting or "", context.services.store.clubs
    if leave:
        await kept.leave(club, person)
    elif not found.me:
        if len(found.there) >= MOST_MEMBERS:
            raise Refused("club_full", most=MOST_MEMBERS)
        name, face = clean_name(context.called), context.profile.face
        await kept.add(Member(club, len(found.members) + 1, person, name, face), person)
    return response


@router.get("/clubs/{club}")
async def club_page(context: Context, club: str, season: int = 0) -> HTMLResponse:
    """A club: its members, and a season of it, by default the latest."""
    found = await shown_club(context, club, season)
    saved = await context.services.store.people.all_rules(50, context.guest) if context.guest else []
    return page(
        context, "club-season.html", preview=Preview(context.text("clubs.lead")), of=found, games=shown_games(context),
        saved=saved, ladder=await found.ladder(), link=f"{context.origin}/clubs/{club}", most_rounds=MOST_ROUNDS,
        most_deals=MOST_DEALS, least=LEAST_TABLES,
    )  # fmt: skip


@router.post("/clubs/{club}/seasons")
async def begin_season(
    context: Context, club: str, game: Typed, rounds: Annotated[int, Form(ge=1, le=MOST_ROUNDS)] = 4,
    deals: Annotated[int, Form(ge=1, le=MOST_DEALS)] = 4,
) -> Response:  # fmt: skip
    """Begin a season of a game, by the usual options or by house rules (``rules:KEY``)."""
    found = await shown_club(context, club, organised=True)
    rules = await context.services.store.people.rules(game.removeprefix("rules:"))
    choices = (rules.seats, rules.options) if rules else ()
    of = Game(context.services.compiler.description(rules.game if rules else game), *choices)
    season = Season(club, len(found.seasons) + 1, of.name, of.seats, json.dumps(of.changed_options()), rounds, deals)
    await context.services.store.clubs.add(season)
    return RedirectResponse(f"/clubs/{club}", 303)


@router.post("/clubs/{club}/round")
async def arrange_round(context: Context, club: str, do: Typed) -> Response:
    """Begin the next round, let bots take the seats of those who have not come, or end the round."""
    found = await shown_club(context, club, organised=True)
    if do == "begin" and not found.present and len(found.rounds) < found.season.rounds:
        found.game.must_be_ready(form={"do": do}, action=f"/clubs/{club}/round")
        await _begin(found)
    elif do == "fill":
        for table in found.present:
            await context.services.tables.carry_out(table, partial(_fill, bot=found.bot))
    elif do == "end" and found.present:
        await _end(found)
    return RedirectResponse(f"/clubs/{club}", 303)


def _fill(table: TableState, bot: str) -> list[Draft]:
    return [] if table.closed else [bot_seated(seat, bot) for seat in table.free_seats()]


async def _begin(found: ShownClub) -> None:
    """Pair the members, and open their tables; bots have the seats that are left over."""
    context, season, there = found.context, found.season, {each.number for each in found.there}
    if len(there) < LEAST_TABLES:
        raise Refused("too_few_members", least=LEAST_TABLES)
    lines = [line for line in found.standings() if line["member"] in there]
    random.shuffle(lines)  # who is level meets anybody
    order = [line["member"] for line in sorted(lines, key=lambda line: line["place"])]
    before = [filter(None, seats) for each in found.rounds for seats in each["tables"].values()]
    met = Counter(frozenset(two) for seats in before for two in combinations(seats, 2))
    tables, given = dict[str, list[int]](), {"kind": "round", "deals": season.deals}
    given["day"] = f"{season.club}/{season.number}/{len(found.rounds) + 1}"
    for company in await context.services.background.in_thread(pair, order, season.seats, met):
        context.pay_for_table()
        table = context.new_table_name(Caller(), None)
        settings = {"public": False, "spectators": "none", "clock": CLOCK, "speed": "normal", "given": given}
        invite = token_hash(context.services.identity.invitation(table))
        await context.services.tables.create(table, {**about(found.played, Caller()), "invite": invite, **settings})
        tables[table] = [*company, *[0] * (season.seats - len(company))]
        bots = [bot_seated(seat, found.bot) for seat, member in enumerate(tables[table]) if not member]
        await context.services.tables.carry_out(table, lambda _, bots=bots: bots)  # type: ignore[misc]
    await context.services.store.clubs.go_on(season, [*found.rounds, {"tables": tables, "ended": False}])


async def _end(found: ShownClub) -> None:
    """Close the tables of a round, so that its cards may be shown, and rate its players by their scores."""
    tables, kept, season = found.context.services.tables, found.context.services.store.clubs, found.season
    for name in found.present:
        await (await tables.get(name)).until_kept()
        await tables.carry_out(name, lambda state: [] if state.closed else [Draft("closed", {})])
    here = [each for each in await kept.results(season) if each.table in found.present]
    persons = {each.number: each.person for each in found.there if each.person}
    ranked = standings({each.member for each in here} & {*persons}, here)
    sides, places = [[persons[each.member]] for each in ranked], [each.place for each in ranked]
    contest = PlacedSides(season.game, f"club {season.club}", sides, places) if len(sides) > 1 else None
    await kept.go_on(season, [*found.rounds[:-1], {**found.rounds[-1], "ended": True}], contest)


@router.post("/clubs/{club}/play")
async def play_round(context: Context, club: str) -> Response:
    """Go to one's table in the round that is played."""
    found = await shown_club(context, club)
    if not found.mine:
        raise Refused("not_in_round", 403)
    found.game.must_be_ready(form={}, action=f"/clubs/{club}/play")
    invite, face = context.services.identity.invitation(found.mine), context.profile.face
    taken = Join(name=found.names[found.me], seat=found.present[found.mine].index(found.me), invite=invite, face=face)
    await context.carry_out(found.mine, commands.join, taken, context.caller)
    return RedirectResponse(f"/t/{found.mine}", 303)


# Files


@router.get("/clubs/{club}/{season}/results.csv")
async def results_file(context: Context, club: str, season: int) -> Response:
    """The results of all rounds that have ended, as CSV: a line for each seat in each deal."""
    found, text = await shown_club(context, club, season), io.StringIO()
    lines = csv.writer(text)
    lines.writerow(["round", "table", "deal", "seat", "player", "bot", "points", "score"])
    for each, score in zip(found.counted, scores(found.counted), strict=True):
        name = found.names.get(each.member, each.name)
        who = ["'" * name.startswith(SPREADSHEET) + name, "" if each.member else "yes"]
        lines.writerow([each.round, each.table, each.deal, each.seat, *who, each.points, round(score, 3)])
    return _file(text.getvalue(), "text/csv", f"club-{club}-{season}.csv")


@router.get("/clubs/{club}/{season}/records.zip", dependencies=[Depends(pay_for_log)])
async def records_file(context: Context, club: str, season: int) -> Response:
    """The records (.tfd) of all deals of the rounds that have ended."""
    found, data = await shown_club(context, club, season), io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, table, deal in sorted({(each.round, each.table, each.deal) for each in found.counted}):
            log = await context.services.tables.log(table)
            record = await context.services.background.in_thread(replays.write_record, log, deal)
            archive.writestr(f"round-{number}-{table}-deal-{deal}.tfd", record)
    return _file(data.getvalue(), "application/zip", f"club-{club}-{season}.zip")


def _file(content: str | bytes, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
