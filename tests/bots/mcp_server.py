"""A stand-in for an agent behind an MCP server: its tool answers as a test says, and keeps what it was asked."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError


class Agent:
    """Answers by ``answer``, of the rules and the view; ``asked`` has the views."""

    def __init__(self, answer: Callable[[str, str], str], tool: str) -> None:
        self.asked: list[str] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.spec = f"mcp:http://127.0.0.1:{self._listening.getsockname()[1]}/mcp"
        tools = MCPServer("stand-in", log_level="CRITICAL")

        def choose_play(rules: str, view: str) -> str:
            self.asked.append(view)
            try:
                return answer(rules, view)
            except LookupError as error:
                raise ToolError(str(error)) from None

        tools.add_tool(choose_play, name=tool)
        self._server = uvicorn.Server(uvicorn.Config(tools.streamable_http_app(), log_level="critical"))
        self._thread = threading.Thread(target=self._server.run, args=([self._listening],))
        self._thread.start()

    def stop(self) -> None:
        """Stop the server."""
        self._server.should_exit = True
        self._thread.join()
        self._listening.close()


@contextmanager
def agent(answer: Callable[[str, str], str], tool: str = "choose_play") -> Iterator[Agent]:
    """An agent that answers as long as the block runs."""
    standing_in = Agent(answer, tool)
    try:
        yield standing_in
    finally:
        standing_in.stop()
