"""Tables for agents at ``/mcp``, as ``tefuda mcp`` has them: against rules of thumb, in this process's memory."""

from typing import Any

from starlette.applications import Starlette

from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import LANGUAGES
from tefuda.research.agent_tables import AgentTables, tool_server
from tefuda.server.http.context import RequestContext, Server
from tefuda.server.table.callers import Refused


def agents_app(services: Server) -> Starlette:
    """Answers ``/mcp``. Requests stand alone: they name their table, and limits on an address hold as elsewhere."""

    async def admit(tool: str, given: dict[str, Any], context: Any) -> None:
        if tool == "new_table":
            await services.compiler.wait_until_ready(given["game"])
            try:
                RequestContext(context.request_context.request, services).pay_for_table()
            except Refused:
                raise TefudaError("you have opened too many tables; wait some minutes") from None

    tools = tool_server(AgentTables("hints", LANGUAGES[0]), hints=True, admit=admit)
    # Without a host, what would protect one: ``SecurityMiddleware`` has looked at hosts and origins.
    return tools.streamable_http_app(stateless_http=True, json_response=True, host="")
