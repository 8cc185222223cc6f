"""The interface for programs, as the server describes it to them."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from tefuda.server.http.context import Context
from tefuda.server.pages.frame import page

router = APIRouter(include_in_schema=False)

Schema = dict[str, Any]


@router.get("/api")
async def interface(context: Context) -> HTMLResponse:
    """Every operation, with an example of what is sent and answered. In English, as programs are written."""
    described = context.connection.app.openapi()
    schemas = described["components"]["schemas"]
    operations = [
        _operation(method, path, what, schemas)
        for path, methods in described["paths"].items()
        for method, what in methods.items()
    ]
    about = described["info"]["description"].replace("*", "").replace("`", "").strip().split("\n\n")
    return page(context, "interface.html", about=about, operations=operations)


def _operation(method: str, path: str, what: dict[str, Any], schemas: dict[str, Schema]) -> dict[str, Any]:
    sent = what.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    good = what["responses"].get("200") or what["responses"].get("201") or {}
    got = good.get("content", {}).get("application/json", {}).get("schema", {})
    return {
        "method": method.upper(),
        "path": path,
        "summary": what.get("summary", ""),
        "description": what.get("description", ""),
        "query": [each["name"] for each in what.get("parameters", []) if each["in"] == "query"],
        "sent": sent and example(sent, schemas),
        "got": example(got, schemas) if "$ref" in got else None,
    }


def example(schema: Schema, schemas: dict[str, Schema]) -> Any:
    """Something that a schema describes."""
    if "$ref" in schema:
        return example(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    if "examples" in schema:
        return schema["examples"][0]
    if "default" in schema:
        return schema["default"]
    if "anyOf" in schema:
        return example(schema["anyOf"][0], schemas)
    if "properties" in schema:
        return {name: example(part, schemas) for name, part in schema["properties"].items()}
    return {"string": "…", "integer": 0, "boolean": True, "array": [], "object": {}}.get(schema.get("type", ""))
