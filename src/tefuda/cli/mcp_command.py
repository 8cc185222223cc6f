"""``tefuda mcp``: tables for agents, over the Model Context Protocol."""

from typing import Annotated

from typer import Option

import tefuda
from tefuda.cli.chosen import language_of
from tefuda.cli.parameters import Commands, Language
from tefuda.cli.play_command import OtherPlayers

app = Commands()


@app.command(example="mcp --http 8001")
def mcp(
    http: Annotated[int | None, Option(min=1, max=65535, help="Answer HTTP at /mcp on this port, not stdio.")] = None,
    bots: OtherPlayers = "hints",
    hints: Annotated[bool, Option("--hints/--no-hints", help="Let agents ask for hints.")] = True,
    language: Language = None,
) -> None:
    """Offer tables to agents, over the Model Context Protocol. They deal, look, play, and ask why not."""
    from tefuda.research.agent_tables import AgentTables, tool_server

    tefuda.bot(bots)
    server = tool_server(AgentTables(bots, language_of(language, printed=False)), hints)
    if http is None:
        server.run()
    else:
        server.run("streamable-http", port=http)
