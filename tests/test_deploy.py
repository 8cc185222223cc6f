"""The container files agree with the programs that they start; ``.ci/run`` reads them with linters too."""

import re
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from tefuda.cli.app import app

TOP = Path(__file__).parents[1]
yaml = pytest.importorskip("yaml", reason="compose.yaml left out: uv sync --group fuzz")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((TOP / "compose.yaml").read_text("utf-8"))["services"]
    return found


def test_the_server_takes_the_options_that_it_is_started_with(services: dict[str, Any]) -> None:
    group: Any = get_command(app)
    serve = group.get_command(None, "serve")
    words = [re.sub(r"\$\{DOMAIN.*\}", "cards.example", word) for word in services["server"]["command"]]
    context = serve.make_context("serve", ["--host", "0.0.0.0", *words])
    given = context.params
    assert given["origin"] == "https://cards.example"
    assert given["metrics_at"] == "0.0.0.0:9100"
    assert list(given["proxies"]) == [services["proxy"]["networks"]["inside"]["ipv4_address"]]


def test_the_proxy_sends_each_table_to_one_of_all_servers(services: dict[str, Any]) -> None:
    project = yaml.safe_load((TOP / "compose.yaml").read_text("utf-8"))["name"]
    count = services["server"]["deploy"]["replicas"]
    assert count > 1
    servers = [f"{project}-server-{number}:8000" for number in range(1, count + 1)]
    assert services["proxy"]["environment"]["TEFUDA"].split() == servers
    assert "lb_policy header X-Tefuda-Table" in (TOP / "deploy/Caddyfile").read_text("utf-8")


def test_no_password_stands_on_a_command_line(services: dict[str, Any]) -> None:
    for service in services.values():
        assert "PASSWORD" not in str(service.get("command")) + str(service.get("entrypoint"))
    assert "PASSWORD" not in services["server"]["environment"]["TEFUDA_DB"]


def test_every_service_has_limits_and_comes_back_by_itself(services: dict[str, Any]) -> None:
    for name, service in services.items():
        assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory"}, name
        assert service["restart"] == "unless-stopped", name


def test_files_that_containers_are_given_exist(services: dict[str, Any]) -> None:
    volumes = [volume for service in services.values() for volume in service.get("volumes", ())]
    files = [volume.split(":")[0] for volume in volumes if volume.startswith(".")]
    assert len(files) >= 5
    for file in files:
        assert (TOP / file).exists(), file
    for name in ("alerts.yml", "prometheus.yml"):
        assert yaml.safe_load((TOP / "deploy" / name).read_text("utf-8"))


def test_the_image_looks_after_itself() -> None:
    text = (TOP / "Dockerfile").read_text("utf-8")
    for word in ("USER 1000", "HEALTHCHECK", "readyz", "constraints.txt", "RUN tefuda admin compile"):
        assert word in text
