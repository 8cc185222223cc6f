"""The pages: every one is a function under ``router``, with a template in ``tefuda/web/templates``."""

from tefuda.server.pages import (
    drawings,
    games,
    home,
    problem_pages,
    replay_page,
    rules_page,
    site,
    table_page,
    tours,
)
from tefuda.server.pages.layout import error_page, install, router

__all__ = [
    "drawings", "error_page", "games", "home", "install", "problem_pages", "replay_page", "router",
    "rules_page", "site", "table_page", "tours",
]  # fmt: skip
