"""Plays a table in a real browser as anybody would who taps what is lit: it knows no game."""

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

_POINTS = """selector => [...document.querySelectorAll(selector)].filter(each => each.checkVisibility()).map(each => {
  const box = each.getBoundingClientRect();
  return {x: box.x + Math.min(box.width / 2, 14), y: box.y + Math.min(box.height / 2, 30), text: each.textContent,
          card: each.dataset.card ?? "", play: each.dataset.play ?? ""};
})"""

NEXT = "[data-act=ready]"
LEGAL = ".hand .slot.legal:not(.picked)"
PLAYS = ".bar [data-play]:not([aria-disabled])"
MOST_STEPS = 4000


class Driver:
    """One person at one page.

    Args:
        page: of a table.
        seed: of the choices.
        touch: taps by finger instead of by mouse.
    """

    def __init__(self, page: "Page", seed: int = 0, touch: bool = False) -> None:
        self.page, self.random, self.touch = page, random.Random(seed), touch
        self.plays = 0

    def points(self, selector: str) -> list[dict[str, Any]]:
        """Where the visible elements are, and what they are for."""
        found: list[dict[str, Any]] = self.page.evaluate(_POINTS, selector)
        return found

    def press(self, point: dict[str, Any]) -> None:
        if self.touch:
            self.page.touchscreen.tap(point["x"], point["y"])
        else:
            self.page.mouse.click(point["x"], point["y"])

    @property
    def turn(self) -> bool:
        """Whether the page waits for this person."""
        return bool(self.page.evaluate("document.querySelector('#table').dataset.turn === 'mine'"))

    @property
    def over(self) -> bool:
        """Whether a score sheet is shown."""
        return bool(self.page.evaluate("document.querySelector('.results') !== null"))

    def step(self) -> bool:
        """Do one thing, if there is something to do; whether there was."""
        if not self.turn:
            return False
        plays, legal = self.points(PLAYS), self.points(LEGAL)
        picked = self.points(".hand .slot.picked")
        if plays and (picked or not legal or self.random.random() < 0.3):
            self.make(plays)
            self.plays += 1
        elif legal:
            self.pick(self.random.choice(legal))
        return bool(plays or legal)

    def make(self, plays: list[dict[str, Any]]) -> None:
        """One of these plays."""
        self.press(self.random.choice(plays))

    def pick(self, card: dict[str, Any]) -> None:
        self.press(card)


class Typist(Driver):
    """Plays by keyboard alone."""

    def make(self, plays: list[dict[str, Any]]) -> None:
        self.page.keyboard.press("a")  # to the first of what may be done
        self.page.keyboard.press("Enter")

    def pick(self, card: dict[str, Any]) -> None:
        self.page.keyboard.type(card["card"])
        self.page.keyboard.press("Enter")


def play(drivers: Sequence[Driver], between: Callable[[int], None] = lambda _: None, until: float = 60_000) -> None:
    """Let people play until a score sheet is shown to all.

    Args:
        drivers: of their pages.
        between: called after each step of anybody's with the number of them so far.
        until: milliseconds a quiet moment may last before it is an error.
    """
    quiet, steps = 0.0, 0
    for _ in range(MOST_STEPS):
        if all(driver.over for driver in drivers):
            return
        quiet += 30
        for driver in drivers:
            if driver.step():
                quiet, steps = 0, steps + 1
                between(steps)
        if quiet:
            drivers[0].page.wait_for_timeout(30)
        assert quiet < until, f"nothing happens: {drivers[0].page.locator('.status').text_content()}"
    raise AssertionError("the deal does not end")
