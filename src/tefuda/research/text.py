"""Deals and whole games in words, with TextArena's interface: agents read what their seats know, and answer."""

from collections.abc import Sequence
from typing import Any

from tefuda.bots.players import Bot, bot, choose_play
from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue, signed
from tefuda.research.arguments import as_bots, as_game, check_seat, check_whole
from tefuda.table.deal import Deal
from tefuda.table.game import Game, Session
from tefuda.table.play_reading import PlayReading, parse_play
from tefuda.table.reasons import seat_name
from tefuda.table.view_text import rules_text, view_text


class TextEnv:
    """One deal or game at a time. ``TefudaError`` for a game, bot, seat or language that there is not.

    Args:
        game: by name, or as ``tefuda.load`` makes it.
        opponents: bots, or their names, after the agent's seat, or one for all; by default agents play every seat.
        seat: of the agent, where there are opponents.
        language: of the texts.
        retries: answers in a row that may be wrong; after one more ``fallback``, a bot, plays in the agent's stead.
        cost: what each wrong answer takes from the reward, in points.
        rules: have the rules stand before the first view of each seat.
        whole_game: go on with the next deal until the game is over.

    Attributes:
        deal: the one in progress or finished; ``turn``: plays that agents have made.
        current_player_id: the seat that is to answer; −1 when all is over, and ``done`` is true.
        game_info: by seat its ``turn_count``, and how many of its answers were ``refused`` and ``replaced``.
    """

    def __init__(
        self, game: Game | str, opponents: str | Bot | Sequence[str | Bot] | None = None, *, seat: int = 0,
        language: str = LANGUAGES[0], retries: int = 2, fallback: str = "hints", cost: float = 0.0, rules: bool = True,
        whole_game: bool = False,
    ) -> None:  # fmt: skip
        self.game, self.language, self.retries = as_game(game), language, check_whole("retries", retries, 0)
        self.cost, self._whole, self._fallback = cost, whole_game, bot(fallback)
        self._texts, self._rules = catalogue(TEXTS, language), rules_text(self.game, language) if rules else ""
        check_seat(seat, self.game.seats, "none")
        made = [] if opponents is None else as_bots(opponents, self.game.seats - 1)
        self._bots = {(seat + place) % self.game.seats: each for place, each in enumerate(made, 1)}
        self.seat, self.done, self.state = seat, True, self  # TextArena's wrappers look into ``state``

    def reset(self, num_players: int | None = None, seed: int | None = None) -> None:
        """Deal; ``TefudaError`` if the table has another number of players. The same seed deals the same cards."""
        seats = self.game.seats
        if num_players not in (None, seats):
            raise TefudaError(f"num_players: {num_players!r}; this table has {seats}, others tefuda.load makes")
        self._session, self.turn, self._wrong, self._refusal = Session(self.game, seed), 0, 0, ""
        self.game_info = {seat: {"turn_count": 0, "refused": 0, "replaced": 0} for seat in range(seats)}
        self._go_on(self._session.next_deal())

    def _go_on(self, deal: Deal) -> None:
        """Deal and let bots play until an agent is asked, or all is over."""
        while deal.mover in self._bots or (deal.over and self._whole and not self._session.over):
            if deal.over:
                deal = self._session.next_deal()
            else:
                choose_play(self._bots[deal.mover], deal, self._session.seed)
        self.deal, self.done, self.current_player_id = deal, deal.over, deal.mover

    def get_observation(self) -> tuple[int, str]:
        """The seat that is to answer, and its text: why its last answer was wrong, if it was, and its view."""
        seat = self.deal.mover
        is_new = seat >= 0 and self.game_info[seat]["turn_count"] + self._wrong == 0
        return seat, "\n\n".join(filter(None, [self._rules if is_new else "", self._refusal, self.text(seat)]))

    def text(self, seat: int) -> str:
        """A seat's view with the play so far, and the payoffs of a deal that is over."""
        said = [view_text(self.deal.view(seat, told=True), self.language), ""]
        for each, points in enumerate(self.deal.payoff() if self.deal.over else ()):
            paid = {"name": seat_name(each, self.language), "points": signed(points, self.game.description.rules.unit)}
            said.append(self._texts("rulebook.payoff", **paid))
        return "\n".join(said).strip()

    def read(self, answer: str) -> PlayReading:
        """An answer of the seat that is to play, read without being played."""
        return parse_play(self.deal.view(self.deal.mover), answer, self.language)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Take an answer in words; tell if all is over, the ``play`` that was made (None: it is asked again), why the
        answer was ``refused``, and if the play was ``replaced``. ``TefudaError`` if all is over."""
        if self.done:
            raise TefudaError("nothing is dealt, or all is over: call reset() before step()")
        found, deal, counts = self.read(action), self.deal, self.game_info[self.deal.mover]
        play, replaced = found.play, found.play is None and self._wrong == self.retries
        counts["refused"] += play is None
        counts["replaced"] += replaced
        if play is not None:
            deal.play(play)
        elif replaced:
            play = choose_play(self._fallback, deal, self._session.seed)
        self.turn += play is not None
        counts["turn_count"] += play is not None
        self._wrong = self._wrong + 1 if play is None else 0
        self._refusal = self._texts("described.refused", why=found.reason) if play is None else ""
        self._go_on(deal)
        return self.done, {"play": play, "refused": found.reason and str(found.reason), "replaced": replaced}

    def close(self) -> tuple[dict[int, float], dict[int, dict[str, int]]]:
        """The reward of every seat, its payoffs in points less the cost of its wrong answers; and ``game_info``."""
        deals, unit = [deal.payoff() for deal in self._session.deals], self.game.description.rules.unit
        costs = {seat: self.cost * counts["refused"] for seat, counts in self.game_info.items()}
        return {seat: sum(each[seat] for each in deals) / unit - cost for seat, cost in costs.items()}, self.game_info
