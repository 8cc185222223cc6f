"""The pages: every one is a function under ``router``, with a template in ``tefuda/web/templates``."""

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from tefuda.server.http.assets import StaticAssets
from tefuda.server.pages import (
    club_pages,
    drawings,
    games,
    home,
    mail_pages,
    moderation_page,
    problem_pages,
    replay_page,
    rules_page,
    site,
    table_page,
    tours,
)  # fmt: skip
from tefuda.server.pages.layout import LEAST_COMPRESSED, error_page, router
from tefuda.server.pages.shown_game import NotCompiled, wait_for_rules

__all__ = [
    "club_pages", "drawings", "error_page", "games", "home", "install", "mail_pages", "moderation_page",
    "problem_pages", "replay_page", "router", "rules_page", "site", "table_page", "tours",
]  # fmt: skip


def install(app: FastAPI, assets: StaticAssets) -> None:
    """Serve the pages, and the files that they load."""
    app.include_router(router)
    app.mount("/static", GZipMiddleware(assets, minimum_size=LEAST_COMPRESSED))
    app.add_exception_handler(NotCompiled, wait_for_rules)
