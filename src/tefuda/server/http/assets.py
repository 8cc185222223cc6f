"""The files that pages load: styles and scripts in ``tefuda/web/static``.

There is no build step: a file is served as it is written, under a path that names a hash of all of them, so that
browsers may keep it for ever.
"""

from hashlib import sha256
from pathlib import Path

from fastapi.staticfiles import StaticFiles
from starlette.responses import Response
from starlette.types import Scope

import tefuda

WEB = Path(tefuda.__file__).parent / "web"

FOR_EVER = "public, max-age=31536000, immutable"
"""The cache control of what lies under a name with a hash."""


class StaticAssets(StaticFiles):
    """Files under ``/static/HASH/…``; under another hash (of a page from before an update) browsers must ask again."""

    def __init__(self) -> None:
        super().__init__(directory=WEB / "static")
        self.hash = _hash_of_all(WEB / "static")

    def path(self, name: str) -> str:
        """The address of a file."""
        return f"/static/{self.hash}/{name}"

    async def get_response(self, path: str, scope: Scope) -> Response:
        found, _, name = path.partition("/")
        response = await super().get_response(name, scope)
        response.headers["cache-control"] = FOR_EVER if found == self.hash else "no-cache"
        return response


def _hash_of_all(folder: Path) -> str:
    digest = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return digest.hexdigest()[:16]
