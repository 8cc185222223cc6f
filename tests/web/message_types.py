"""The messages of the server as types for the page's scripts.

``python -m tests.web.message_types`` writes them anew; a test fails while they are stale."""

from pathlib import Path
from typing import Any, Literal, NotRequired

from pydantic import TypeAdapter
from typing_extensions import TypedDict

import tefuda
from tefuda.server.table import answer_types
from tefuda.server.table.message_types import ErrorMessage, ReasonMessage, StateMessage

PATH = Path(tefuda.__file__).parent / "web/static/js/messages.d.ts"

HEAD = "// Written by `python -m tests.web.message_types` from the server's own types; do not change it by hand.\n"


class SocketAnswer(TypedDict):
    """The answer over a socket to the message with this id."""

    type: Literal["done", "refused", "why", "pong"]
    id: str | int | None
    seq: NotRequired[int]
    error: NotRequired[ErrorMessage]
    play: NotRequired[str]
    reason: NotRequired[ReasonMessage | None]


_SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def written() -> str:
    """The text of the file."""
    found: dict[str, Any] = {}
    kinds = (StateMessage, SocketAnswer, answer_types.Hint, answer_types.Review, answer_types.ReviewProgress)
    for kind in (*kinds, answer_types.QueueMessage):
        schema = TypeAdapter(kind).json_schema(mode="serialization")
        found |= {**schema.pop("$defs", {}), kind.__name__: schema}
    return HEAD + "".join(_interface(name, schema) for name, schema in sorted(found.items()))


def _interface(name: str, schema: dict[str, Any]) -> str:
    required = schema.get("required", [])
    lines = [
        f"  {key}{'' if key in required or 'default' in part else '?'}: {_type(part)};\n"
        for key, part in schema["properties"].items()
    ]
    about = schema.get("description", "").split("\n")[0]
    return f"\n/** {about} */\nexport interface {name} {{\n{''.join(lines)}}}\n"


def _type(schema: dict[str, Any]) -> str:
    """The type that a part of a JSON schema describes."""
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[1])
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(_type, schema["anyOf"])))
    if "prefixItems" in schema:
        return f"[{', '.join(map(_type, schema['prefixItems']))}]"
    if schema.get("type") == "array":
        item = _type(schema["items"])
        return f"({item})[]" if " " in item else f"{item}[]"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties", True)
        return f"Record<string, {_type(values) if isinstance(values, dict) else 'unknown'}>"
    return _SIMPLE.get(schema.get("type", ""), "unknown")


if __name__ == "__main__":
    PATH.write_text(written(), "utf-8")
