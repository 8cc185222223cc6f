"""What a server needs to start: ``uv run python -m bench.start --rounds 7``.

Told are seconds of a core and of the clock from its start until it answers, and until every game can be played. The
first start compiles the games and is not counted."""

import argparse
import os
import time

import httpx
import numpy as np
from bench.server_process import cpu_seconds, memory, serving


def until(url: str, path: str, done: str) -> None:
    """Ask again and again until the answer has no more of what it has before it is done."""
    while True:
        try:
            answer = httpx.get(url + path)
        except httpx.TransportError:
            continue
        if answer.is_success and done not in answer.text:
            return
        time.sleep(0.02)


def start() -> list[float]:
    """One start: core and clock until it answers, the same until all games are ready, MiB then."""
    began, told = time.perf_counter(), list[float]()
    with serving() as (url, process):
        for path, waits in (("/readyz", "does not"), ("/api/v1/games", '"ready":false')):
            until(url, path, waits)
            told += [cpu_seconds(process), time.perf_counter() - began]
        return [*told, memory(process)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    start()
    rounds = np.array([start() for _ in range(arguments.rounds)])
    names = ("answers: core s", "answers: clock s", "all games: core s", "all games: clock s", "MiB")
    for name, values in zip(names, rounds.T, strict=True):
        print(f"{name:20} {np.median(values):7.2f} ({values.min():.2f} … {values.max():.2f})")
    print(f"load {os.getloadavg()[0]:.0f}")


if __name__ == "__main__":
    main()
