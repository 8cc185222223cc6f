"""``tefuda mcp``: tables for agents, over the Model Context Protocol."""

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Annotated, Any

from typer import Option

import tefuda
from tefuda.cli.chosen import language_of
from tefuda.cli.parameters import Commands, Language
from tefuda.cli.play_command import OtherPlayers
from tefuda.engine.errors import TefudaError, needed_by

app = Commands()


@app.command(example="mcp --http 8001")
def mcp(
    http: Annotated[
        int | None, Option(min=1, max=65535, help="Answer HTTP at /mcp on this port, not standard input.")
    ] = None,
    bots: OtherPlayers = "hints",
    hints: Annotated[bool, Option("--hints/--no-hints", help="Let agents ask for hints.")] = True,
    language: Language = None,
) -> None:
    """Offer tables to agents, over the Model Context Protocol. They deal, look, play, and ask why not."""
    with needed_by("tefuda mcp", "mcp"):
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    from tefuda.research.agent_tables import AgentTables

    tefuda.bot(bots)
    tables = AgentTables(bots, language_of(language, printed=False))
    games, one_at_a_time = f"Card games: {', '.join(tefuda.list_games())}", Lock()
    server = MCPServer("tefuda", instructions=games, log_level="WARNING")

    def told(tool: Callable[..., str]) -> Callable[..., str]:
        @wraps(tool)
        def call(**given: Any) -> str:
            try:
                with one_at_a_time:
                    return tool(**given)
            except TefudaError as error:
                raise ToolError(str(error)) from None

        return call

    for name in ("new_table", "look", "play", "why_not", "rules", *["hint"] * hints):
        server.add_tool(told(getattr(tables, name)))
    if http is None:
        server.run()
    else:
        server.run("streamable-http", port=http)
