"""What a built package says of itself: a README whose pictures and links work on an index, and addresses."""

import re
from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="left out: uv sync --group lint")

from tools.metadata import addresses, published

HOST = "https://host.example/owner/tefuda"
README = (Path(__file__).parent.parent / "README.md").read_text("utf-8")


def test_pictures_and_files_lead_to_the_release() -> None:
    text = "![A table](docs/table.png) [Server](docs/server.md#limits) [other](https://example.org/) [here](#below)"
    assert published(text, HOST, "1.2") == (
        f"![A table]({HOST}/raw/v1.2/docs/table.png) [Server]({HOST}/blob/v1.2/docs/server.md#limits) "
        "[other](https://example.org/) [here](#below)"
    )


def test_without_an_address_there_are_no_pictures_and_no_dead_links() -> None:
    assert published("![A table](docs/table.png)[Server](docs/server.md).", "", "1.2") == "Server."


@pytest.mark.parametrize("repository", [HOST, ""])
def test_nothing_in_the_readme_is_relative(repository: str) -> None:
    places = re.findall(r"\]\(([^)]*)\)", published(README, repository, "1.2"))
    assert all(place.startswith(("https://", "http://", "#")) for place in places)
    assert any("/raw/v1.2/docs/" in place for place in places) == bool(repository)


def test_addresses() -> None:
    assert addresses(HOST, "1.2")["Source"] == HOST
    assert addresses("", "1.2") == {}
