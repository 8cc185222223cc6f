"""Tables for agents that call tools, over the Model Context Protocol (``tefuda mcp``, ``tefuda serve --mcp``)."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from tefuda.bots.advice import usual_advice
from tefuda.engine.errors import TefudaError, needed_by
from tefuda.engine.option import Value
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.research.text import TextEnv
from tefuda.table.game import list_games, load
from tefuda.table.view_text import rules_text

with needed_by("a server of tools", "mcp"):
    from mcp.server.mcpserver import Context, MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

MOST_TABLES = 100  #: tables that are kept; the one that has not been used for longest makes room


class AgentTables:
    """The tables of one server. Its methods are tools; agents read what they say of themselves."""

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
        self._tables[name] = found = self._tables.pop(name)
        return found


def tool_server(tables: AgentTables, hints: bool, admit: Callable[..., Awaitable[None]] | None = None) -> MCPServer:
    """An MCP server with these tables. ``admit(tool, arguments, context)`` may refuse a call by a ``TefudaError``."""
    server = MCPServer("tefuda", instructions=f"Card games: {', '.join(list_games())}", log_level="WARNING")
    one_at_a_time = asyncio.Lock()

    def add(tool: Callable[..., str]) -> None:
        @wraps(tool)
        async def call(context: Context[Any, Any], **given: Any) -> str:
            try:
                if admit:
                    await admit(tool.__name__, given, context)
                async with one_at_a_time:
                    return await asyncio.to_thread(tool, **given)
            except TefudaError as error:
                raise ToolError(str(error)) from None

        call.__annotations__ = {**tool.__annotations__, "context": Context}  # the server looks here for what gets it
        server.add_tool(call)

    for name in ("new_table", "look", "play", "why_not", "rules", *["hint"] * hints):
        add(getattr(tables, name))
    return server
