"""A bot behind an MCP server: ``uv run --extra mcp tefuda match gong-zhu "mcp:python examples/mcp_agent.py" hints hints
hints`` starts it and asks its tool at every decision. This one makes the first play that the view lists; yours may ask
a model. ``server.run("streamable-http", port=9000)`` instead makes it ``mcp:http://127.0.0.1:9000/mcp``."""

from mcp.server.mcpserver import MCPServer

server = MCPServer("first-play")


@server.tool()
def choose_play(rules: str, view: str) -> str:
    """Choose a play; ``view`` begins with the reason if the last answer was none."""
    plays = view.split("\nYou may play\n")[1].splitlines()
    return "PLAY: " + plays[0].removeprefix("- ").partition(" (")[0]


server.run()
