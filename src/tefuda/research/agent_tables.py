"""Tables for agents that call tools (``tefuda mcp``): each method of ``AgentTables`` but the first is a tool."""

import secrets

from tefuda.bots.advice import usual_advice
from tefuda.engine.errors import TefudaError
from tefuda.engine.option import Value
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.research.text import TextEnv
from tefuda.table.game import load
from tefuda.table.view_text import rules_text

MOST_TABLES = 100  #: tables that are kept; the oldest makes room


class AgentTables:
    """The tables of one server. Agents read what the methods say of themselves."""

    def __init__(self, bots: str, language: str) -> None:
        self._bots, self._language = bots, language
        self._tables: dict[str, TextEnv] = {}

    def new_table(
        self, game: str, seat: int = 0, seed: int | None = None, seats: int | None = None,
        options: dict[str, Value] | None = None, whole_game: bool = False,
    ) -> str:  # fmt: skip
        """Deal a game against bots, and show what your seat knows. The answer begins with the name of the table, which
        other tools take. The same seed deals the same cards; whole_game goes on with deals until the game is over."""
        found = load(game, seats, **(options or {}))
        env = TextEnv(found, self._bots, seat=seat, language=self._language, rules=False, whole_game=whole_game)
        env.reset(seed=seed)
        name = secrets.token_hex(4)
        self._tables[name] = env
        for oldest in list(self._tables)[:-MOST_TABLES]:
            del self._tables[oldest]
        return f"table: {name}\n\n{self.look(name)}"

    def look(self, table: str) -> str:
        """Show what your seat knows: your hand, the table, the play so far, and what you may play."""
        env = self._table(table)
        return env.text(env.seat)

    def play(self, table: str, play: str) -> str:
        """Make a play, such as SQ, expose:none or pass; the others go on to your next turn. If it is refused, the
        answer says by which rule, and you choose again."""
        env = self._table(table)
        _, info = env.step(play)
        return f"{info['refused'] or ''}\n\n{env.text(env.seat)}".strip()

    def why_not(self, table: str, play: str) -> str:
        """Say by which rule a play is not allowed now, without making it."""
        return str(self._table(table).read(play).reason or catalogue(TEXTS, self._language)("play.legal"))

    def rules(self, game: str) -> str:
        """Return the whole rules of a game."""
        return rules_text(game, self._language)

    def hint(self, table: str) -> str:
        """Say what rules of thumb advise you to play, and why."""
        deal = self._table(table).deal
        return usual_advice(deal).sentence(deal, self._language)

    def _table(self, name: str) -> TextEnv:
        if name not in self._tables:
            raise TefudaError(f"there is no table {name!r}; open one with new_table")
        return self._tables[name]
