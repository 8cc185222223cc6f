"""Plays a table in a real browser as anybody would who taps what is lit: it knows no game."""

import random
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

_FOUND = """selector => [...document.querySelectorAll(selector)].filter(each => each.checkVisibility()).map(each => {
  const {card = "", play = "", slot = ""} = each.dataset;
  return {selector, text: each.textContent, card, play, slot};
})"""

_AIM = """wanted => {
  const same = each => ["card", "play", "slot"].every(name => (each.dataset[name] ?? "") === wanted[name]);
  const found = [...document.querySelectorAll(wanted.selector)].find(each => each.checkVisibility() && same(each));
  if (!found) return null;
  found.scrollIntoView({block: "nearest", inline: "nearest"});
  const {x, y, width, height} = found.getBoundingClientRect();
  const free = (dx, dy) => found.contains(document.elementFromPoint(x + dx, y + dy)) ? {x: x + dx, y: y + dy} : null;
  for (const dx of [Math.min(width / 2, 14), width / 2, width - 8])
    for (const dy of [Math.min(height / 2, 30), height / 2, 12, height - 8]) {
      const point = free(dx, dy);
      if (point) return point;
    }
  return null;
}"""
"""Where something can be pressed: in sight, and covered by nothing there."""

_TOLD = """() => {
  const text = selector => document.querySelector(selector)?.innerText.replace(/\\s+/g, " ").trim() ?? "";
  const {turn, line, phase, ready} = document.querySelector("#table").dataset;
  const hand = [...document.querySelectorAll(".hand .slot")].map(each => `${each.dataset.card} ${each.className}`);
  return `status: ${text(".status")}; bar: ${text(".bar")}; notice: ${text(".notice-place")}; turn "${turn}", `
    + `line "${line}", phase "${phase}", event ${ready}; hand: ${hand.join(", ")}`;
}"""

NEXT = "[data-act=ready]"
LEGAL = ".hand .slot.legal:not(.picked)"
PLAYS = ".bar [data-play]:not([aria-disabled])"
LONGEST = 600
"""Seconds that a deal may take: on a busy machine bots take their time."""


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
        self.pressed = "nothing"

    def points(self, selector: str) -> list[dict[str, Any]]:
        """The visible elements, and what they are for."""
        found: list[dict[str, Any]] = self.page.evaluate(_FOUND, selector)
        return found

    def press(self, wanted: dict[str, Any]) -> None:
        """Press one of the elements found, where it can be pressed; if it is gone by now, nothing."""
        point = self.page.evaluate(_AIM, wanted)
        self.pressed = (
            f"{wanted['card'] or wanted['play'] or wanted['text']}{'' if point else ', which is gone or covered'}"
        )
        if point is None:
            self.page.wait_for_timeout(30)
        elif self.touch:
            self.page.touchscreen.tap(point["x"], point["y"])
        else:
            self.page.mouse.click(point["x"], point["y"])

    @property
    def situation(self) -> str:
        """Where things stand, for whoever reads that a test has failed."""
        told = self.page.evaluate(_TOLD)
        return f"pressed last: {self.pressed}; {told}"

    @property
    def turn(self) -> bool:
        """Whether the page waits for this person."""
        return bool(self.page.evaluate("document.querySelector('#table').dataset.turn === 'mine'"))

    @property
    def over(self) -> bool:
        """Whether a score sheet is shown."""
        return bool(self.page.evaluate("document.querySelector('.results') !== null"))

    def next_deal(self) -> None:
        """Leave the score sheet for the next deal, or for another game."""
        self.page.locator(f"{NEXT}, [data-act=rematch]").first.click()
        self.page.locator(".results").wait_for(state="detached")

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


class Finger:
    """A finger on the glass, moved step by step."""

    def __init__(self, page: "Page") -> None:
        self.line = page.context.new_cdp_session(page)

    def _send(self, kind: str, points: list[tuple[float, float]]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self.line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def down(self, point: tuple[float, float]) -> None:
        self._send("touchStart", [point])

    def move(self, point: tuple[float, float]) -> None:
        self._send("touchMove", [point])

    def up(self) -> None:
        self._send("touchEnd", [])


def middle(place: "Locator") -> tuple[float, float]:
    """A point of a card that no other covers: at its left edge."""
    box = place.bounding_box()
    assert box
    return box["x"] + min(box["width"] / 2, 6), box["y"] + min(box["height"] / 2, 30)


def play(drivers: Sequence[Driver], between: Callable[[int], None] = lambda _: None, until: float = 60_000) -> None:
    """Let people play until a score sheet is shown to all.

    Args:
        drivers: of their pages.
        between: called after each step of anybody's with the number of them so far.
        until: milliseconds a quiet moment may last before it is an error.
    """
    quiet, steps, ends = 0.0, 0, time.monotonic() + LONGEST
    while not all(driver.over for driver in drivers):
        quiet += 30
        for driver in drivers:
            if driver.step():
                quiet, steps = 0, steps + 1
                between(steps)
        if quiet:
            drivers[0].page.wait_for_timeout(30)
        told = " | ".join(driver.situation for driver in drivers) if quiet >= until or time.monotonic() > ends else ""
        assert quiet < until, f"nothing happens: {told}"
        assert time.monotonic() < ends, f"the deal does not end: {told}"
