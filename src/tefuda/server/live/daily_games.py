"""The deal of the day: one shuffle for everybody, their results, and those of bots."""

import asyncio
import secrets
from contextlib import suppress
from functools import partial
from logging import getLogger
from time import time_ns

from tefuda.bots.net import is_learned
from tefuda.bots.players import level_spec
from tefuda.engine.description import Description
from tefuda.server.live.pools import Payer, Resources
from tefuda.server.store.port import DailyResult, DealOfDay, Draft, JsonObject, Unavailable
from tefuda.server.table import events
from tefuda.server.table.events import Decide
from tefuda.server.table.table_state import TableState
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.record_lines import deal_head
from tefuda.table.shuffle import SECRET_BYTES, Proof, context, shuffle

LEVEL = "strong"  # the level of the bots on the other seats
SEAT = 0  # the seat from which everybody plays
COMPARED = ("hints", "net", "search:1000it")  # the bots that play the deal from the same seat, for comparison
HOUSE = Payer("", None)  # the account on which they do

log = getLogger("tefuda.server")


class DailyGames:
    """The deals of the day of one process; ``row`` and ``deal`` raise ``Unavailable`` if the store does not answer."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._playing: dict[DealOfDay, asyncio.Task[None]] = {}  # of bots that play a deal, or have played it

    async def row(self, deal: DealOfDay, game: Game) -> JsonObject | None:
        """The event that gives a table the deal of a day or a round; None before it was first shuffled."""
        kept = await self._resources.store.daily.proof(deal)
        return None if kept is None else given_row(game, Proof.from_json(kept))

    async def begin(self, table: TableState) -> Decide:
        """Commit to the shuffle of a day or a round, or give a table what others have been dealt already."""
        row = await self.row(DealOfDay(table.day, table.game.name), table.game)
        return new_shuffle if row is None else partial(events.give, row=row)

    async def deal(self, table: TableState) -> Decide:
        """Deal what a table has shuffled, unless another has been faster: then what that has dealt."""
        own = table.pending.prove(table.proof_name, table.game.seats).to_json()
        kept = await self._resources.store.daily.settle(DealOfDay(table.day, table.game.name), own)
        row = given_row(table.game, Proof.from_json(kept))
        return events.deal if kept == own else partial(events.give, row=row)

    async def record(self, table: TableState) -> None:
        """Keep the result of a table's host in the deal, which is over; bots play it then too."""
        chair, host = table.sitter(SEAT), table.settings["host"]
        player = chair.guest or chair.token
        if player is None or player not in (host["guest"], host["token"]):
            return
        deal = DealOfDay(table.day, table.game.name)
        points = table.game.description.rules.counted(table.results[0][SEAT])
        result = DailyResult(player, table.at, chair.name, points, table.name)
        with suppress(Unavailable):  # the next who opens the table tries again
            await self._resources.store.daily.record(deal, result)
            self.let_bots_play(deal, table.present)

    def let_bots_play(self, deal: DealOfDay, dealt: Deal) -> None:
        """Let the bots play a deal with which the others are compared, in the background, once."""
        if deal not in self._playing:
            self._playing[deal] = self._resources.background.spawn(self._play(deal, dealt))

    async def wait_for_bots(self, deal: DealOfDay, seconds: float) -> bool:
        """Wait until they have played it, but no longer than this, and tell if they have."""
        done, _ = await asyncio.wait([self._playing[deal]], timeout=seconds)
        return bool(done)

    def is_played_by_bots(self, deal: DealOfDay) -> bool:
        """Tell if they play it, or have played it, since this process was started."""
        return deal in self._playing

    async def _play(self, deal: DealOfDay, dealt: Deal) -> None:
        try:
            kept = {result.bot for result in await self._resources.store.daily.results(deal)}
            for spec in compared(dealt.game.description):
                if spec not in kept:
                    await self._keep_bot(deal, dealt, spec)
        except Exception:  # the next who looks at the results has it tried again
            log.exception("bots could not play a deal of the day", extra={"table": "", "seq": 0})
            del self._playing[deal]

    async def _keep_bot(self, deal: DealOfDay, dealt: Deal, spec: str) -> None:
        game = dealt.game
        await self._resources.compiler.wait_for_search(game.name)
        level = level_spec(LEVEL, game.description, game.template[0])
        specs = [spec if seat == SEAT else level for seat in range(game.seats)]
        payoff = await self._resources.bots.play_out(HOUSE, dealt.at(0), specs, bots_seed(dealt))
        points = game.description.rules.counted(payoff[SEAT])
        result = DailyResult(f"bot {spec}", time_ns() // 1_000_000, spec, points, "")
        await self._resources.store.daily.record(deal, result)


def new_shuffle(table: TableState) -> list[Draft]:
    """Commit to a shuffle that nobody knows yet."""
    return events.commit(table, secrets.token_bytes(SECRET_BYTES))


def compared(game: Description) -> list[str]:
    """The bots that play a game's deal of the day for comparison."""
    return [spec for spec in COMPARED if spec != "net" or is_learned(game, Game(game).template[0])]


def deal_of(game: Game, proof: Proof) -> Deal:
    """The deal that a shuffle has brought, before its first play."""
    bound_to = context(game, proof.table, proof.deal, proof.attempt)
    deck, chance = shuffle(game.pack, bound_to, proof.secret, proof.entropy)
    return game.deal(0, deck=deck, chance=chance, proof=proof)


def given_row(game: Game, proof: Proof) -> JsonObject:
    """The event that gives a table the deal of a shuffle, to be played from the first play on."""
    return {**deal_head(deal_of(game, proof), 1), "plays": []}


def bots_seed(deal: Deal) -> int:
    """The seed of bots in a deal of the day: all who play the same meet the same answers. No one can foresee it: it is
    a part of the shuffle's secret."""
    assert deal.proof is not None
    return int.from_bytes(deal.proof.secret[:8])
