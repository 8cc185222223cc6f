"""The page on a weak phone: seconds until a hand is in sight on a slow line, and the longest tasks of a whole deal.

uv run --group browser python -m bench.page [--slower 4] [--waterfall] [GAME …]

The line has 1.6 Mbit/s and 150 ms; nothing is in the browser's cache. While a deal is played, the processor is four
times slower than this machine's, or as ``--slower`` says. Tasks are given by the clock, as their reader has them, and
in processor time, which other programs on the machine lengthen less."""

import argparse
import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from tests.server.server_process import Served, serving
from tests.web.driver import Driver, play
from tests.web.tables import PATIENCE, TALL, until_compiled

from tefuda.games import names

LINE = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
BAR = 100
"""Milliseconds above which a task is too long."""

OBSERVE = """() => {
  window.tasks = [];
  const note = list => window.tasks.push(...list.getEntries().map(each => each.duration));
  new PerformanceObserver(note).observe({type: "longtask"});
}"""
"""Tasks above 50 ms, in milliseconds."""

IN_SIGHT = """() => new Promise(seen => {
  const look = () => document.querySelector(".hand .slot") || document.querySelector("#table[data-turn=mine]")
    ? seen(performance.now()) : requestAnimationFrame(look);
  look();
})"""
"""Milliseconds from the order to open the page until there are cards, or a question before they may be seen."""


LOADED = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map(
  each => `${each.startTime.toFixed(0).padStart(6)} ${each.responseEnd.toFixed(0).padStart(6)} ms `
    + `${(each.transferSize / 1000).toFixed(1).padStart(6)} kB  ${each.name.replace(/^.*[/](?=.)/, "")}`
)"""
"""What was asked for, when, when it was there, and what it weighed."""


def measure(browser: Browser, site: Served, game: str, *, slower: float, waterfall: bool) -> str:
    """A line of the table: seconds on the slow line, and the longest tasks on the slow processor."""
    context = browser.new_context(base_url=site.url, viewport=TALL, service_workers="block", locale="en")  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"/games/{game}")
    page.locator("button[value=bots]").click()
    page.wait_for_selector("#table[data-ready]")
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.clearBrowserCache")
    line.send("Network.emulateNetworkConditions", LINE)
    page.reload(wait_until="commit")
    seconds = page.evaluate(IN_SIGHT) / 1000
    if waterfall:
        print("\n".join(page.evaluate(LOADED)))
    line.send(
        "Network.emulateNetworkConditions", {**LINE, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    )
    page.wait_for_load_state("networkidle")
    page.evaluate(OBSERVE)
    browser.start_tracing(page=page, categories=["toplevel"])
    line.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    play([Driver(page)])
    tasks = page.evaluate("window.tasks")
    used = processor_times(browser.stop_tracing())
    context.close()
    long = f"{len(tasks)} above 50 ms take {sum(tasks):.0f} ms"
    return f"{game:12} {seconds:5.1f} s   longest tasks: {told(tasks)}, {long}; in processor time: {told(used)}"


def told(tasks: Sequence[float]) -> str:
    """The longest tasks, and how many are above the bar."""
    longest = ", ".join(f"{task:.0f}" for task in sorted(tasks, reverse=True)[:3]) or "none"
    return f"{longest} ms, {sum(task > BAR for task in tasks)} above {BAR} ms"


def processor_times(trace: bytes) -> list[float]:
    """Milliseconds of each task of the page's main thread: the busiest of the threads of that name."""
    events = json.loads(trace)["traceEvents"]
    mains = {(e["pid"], e["tid"]) for e in events if e.get("args", {}).get("name") == "CrRendererMain"}
    found: dict[tuple[int, int], list[float]] = {main: [] for main in mains}
    for event in events:
        thread = event.get("pid"), event.get("tid")
        if event["name"] == "ThreadControllerImpl::RunTask" and thread in found and "tdur" in event:
            found[thread].append(event["tdur"] / 1000)
    return max(found.values(), key=sum, default=[])


def game_name(text: str) -> str:
    """The name of a game, for the command line."""
    if text not in names():
        raise argparse.ArgumentTypeError(f"there is no game {text!r}; there are: {', '.join(names())}")
    return text


def main() -> None:
    """Measure the games that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", type=game_name, default=names(), metavar="GAME", help=", ".join(names()))
    parser.add_argument("--slower", type=float, default=4, metavar="TIMES", help="the processor in a deal")
    parser.add_argument("--waterfall", action="store_true", help="list what was loaded until the hand was in sight")
    chosen = parser.parse_args()
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        with serving(f"sqlite:///{Path(folder) / 'tables.db'}", Path(folder) / "log") as site:
            until_compiled(site)
            for game in chosen.games:
                print(measure(browser, site, game, slower=chosen.slower, waterfall=chosen.waterfall), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
