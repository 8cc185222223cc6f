"""The README and the addresses that a built package carries; hatchling calls this.

On a package index a README stands alone: its pictures and links must name a host. Set ``TEFUDA_REPOSITORY`` to the
repository's address (``https://host.example/owner/tefuda``) when you build, and they lead to the files of that release
there. Without it the pictures are left out and links to files become plain words."""

import os
import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(?P<picture>!?)\[(?P<words>[^\]]*)\]\((?P<place>[^)#\s]*)(?P<part>#[^)\s]*)?\)")
"""A link or a picture of Markdown: its words, where it leads, and the part of that page."""


def published(readme: str, repository: str, version: str) -> str:
    """A README as it can stand on another host.

    Args:
        readme: Markdown with links relative to the repository.
        repository: its address; empty if it has none.
        version: whose tag the links name.
    """

    def absolute(link: re.Match[str]) -> str:
        place, words, picture = link["place"], link["words"], link["picture"]
        if "://" in place or not place:
            return link[0]
        if not repository:
            return "" if picture else words
        kind = "raw" if picture else "blob"
        return f"{picture}[{words}]({repository}/{kind}/v{version}/{place}{link['part'] or ''})"

    return LINK.sub(absolute, readme)


def addresses(repository: str, version: str) -> dict[str, str]:
    """The project's addresses, by what they are called on an index."""
    if not repository:
        return {}
    files = f"{repository}/blob/v{version}"
    return {
        "Source": repository,
        "Documentation": f"{files}/docs/index.md",
        "Changelog": f"{files}/CHANGELOG.md",
        "Security": f"{files}/SECURITY.md",
    }


class Metadata(MetadataHookInterface):
    """Fills in what ``pyproject.toml`` leaves to the build: ``readme`` and ``urls``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Hatchling hands over the metadata to change."""
        root, repository = Path(self.root), os.environ.get("TEFUDA_REPOSITORY", "").rstrip("/")
        version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
        text = published((root / "README.md").read_text("utf-8"), repository, version)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = addresses(repository, version)
