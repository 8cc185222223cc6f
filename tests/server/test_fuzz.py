"""The HTTP interface under everything that its description allows, and much that it does not."""

import subprocess
import sys

import pytest

from tests.server.serving import Served

CHECKS = "not_a_server_error,content_type_conformance,response_schema_conformance"


@pytest.mark.deep
def test_nothing_that_is_sent_makes_the_server_fail(server: Served) -> None:
    pytest.importorskip("schemathesis", reason="API fuzzing left out: it needs schemathesis (uv sync --group fuzz)")
    address = f"{server.url}/api/v1/openapi.json"
    endless = "/api/v1/tables/{table}/events"
    command = [sys.executable, "-m", "schemathesis.cli", "run", address, "--url", server.url, "--checks", CHECKS]
    options = ["--exclude-path", endless, "--max-examples", "50", "--request-timeout", "120", "--no-color"]
    done = subprocess.run([*command, *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
