"""A test set of positions, each with what nested play finds its plays to be worth, to judge players by.

Positions come from deals between nets, with seeds that nothing else uses. In each, some plays are played on in the same
worlds by nested play, in which every seat searches at each choice: those of the rules of thumb, of the net and of a
search, and one more. A player's choice that is not among them is played on in the same worlds when it comes up. Half of
the worlds say which play is best, the other half by how much a choice is worse, and the other way round: so a choice as
good as the best loses nothing on average.

    uv run python -m bench.test_set make gong-zhu                      # bench/test_set/gong-zhu.jsonl; goes on if there
    uv run python -m bench.test_set score --games gong-zhu --players hints net strong
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tefuda
from tefuda.bots.advice import THINKING, listed, weigh
from tefuda.bots.nested_search import roll_out_nested
from tefuda.bots.play_estimates import mean_and_error
from tefuda.bots.players import Bot, bot
from tefuda.bots.search import BY_HINTS, SearchBot
from tefuda.engine.rng import below, generator
from tefuda.games import names
from tefuda.table.deal import Deal
from tefuda.table.game import Game

FOLDER = Path(__file__).parent / "test_set"

FIRST_SEED = 90_000_000  # of the deals; training, problems and the other measurements use others
A_DEAL = 2  # positions of each deal
WORLDS, SIMULATIONS = 40, 30  # of nested play
LEAST_PLAYS = 3  # plays of a position that are tried, where so many are legal

PLAYERS = ("random", "hints", "net", "beginner", "easy", "strong", "strongest", "advice")
"""Players that are scored; ``advice`` is what hints and reviews hold to be best."""


@dataclass
class Position:
    """One position and the worth of some of its plays.

    Attributes:
        rules: version of the game's rules.
        seed, plays: the deal, with the usual options, and the plays before.
        worths: of each action that was tried, by its number: the means of what it brings the mover over the others in
            either half of the worlds, as people count it; and the standard error of their mean.
    """

    rules: int
    seed: int
    plays: tuple[str, ...]
    worths: dict[str, tuple[float, float, float]]

    def deal(self, game: Game) -> Deal:
        """Deal up to this position."""
        deal = game.deal(self.seed)
        for word in self.plays:
            deal.play(word)
        return deal

    def loss(self, action: int) -> float:
        """By how much an action that was tried is worse than the best: each half judges what the other finds best."""
        halves = np.array(list(self.worths.values()))[:, :2]
        own = np.array(self.worths[str(action)][:2])
        return float(np.mean([halves[halves[:, one].argmax(), 1 - one] - own[1 - one] for one in (0, 1)]))

    def try_also(self, deal: Deal, actions: Sequence[int]) -> None:
        """Let nested play try further actions, in the worlds in which it has tried the others."""
        fresh = [action for action in dict.fromkeys(actions) if str(action) not in self.worths]
        if fresh:
            game, seeds = deal.game.description, (self.seed, len(self.plays))
            found = roll_out_nested(game, deal.array, deal.mover, fresh, seeds, WORLDS, SIMULATIONS)
            for action, gains in zip(fresh, (found.gains / game.rules.unit).T, strict=True):
                halves = (float(gains[::2].mean()), float(gains[1::2].mean()))
                figures = (*halves, mean_and_error(gains)[1])
                self.worths[str(action)] = tuple(round(figure, 4) for figure in figures)  # type: ignore[assignment]


def main() -> None:
    """Make a set, or score players on those that there are."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--folder", type=Path, default=FOLDER, help="of the sets (default bench/test_set)")
    commands = asked.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="find positions")
    making.add_argument("game", choices=names(), metavar="GAME")
    making.add_argument("--positions", type=int, default=200)
    scoring = commands.add_parser("score", help="score players")
    scoring.add_argument("--games", nargs="+", default=names(), choices=names(), metavar="GAME")
    scoring.add_argument("--players", nargs="+", default=PLAYERS, metavar="BOT")
    scoring.add_argument("--positions", type=int, default=200, help="at most so many of each game (default 200)")
    given = asked.parse_args()
    if given.command == "make":
        make(tefuda.load(given.game), given.folder / f"{given.game}.jsonl", given.positions)
        return
    for game in given.games:
        found = read(given.folder / f"{game}.jsonl")[: given.positions]
        if len(found) < 2:
            print(f"{game}: no positions; make some: python -m bench.test_set make {game}")
            continue
        print(f"{game}: loss a choice, {len(found)} positions")
        for player, lost in losses(tefuda.load(game), found, given.players).items():
            print(f"  {player:16} {estimate(lost)}", flush=True)


def read(file: Path) -> list[Position]:
    """Read the positions of a file; those found under other rules are left out."""
    if not file.exists():
        return []
    found = [Position(**json.loads(line)) for line in file.read_text("utf-8").splitlines()]
    rules = tefuda.load(file.stem).description.rules_version
    return [each for each in found if each.rules == rules]


def make(game: Game, file: Path, count: int) -> None:
    """Find positions until there are so many; each is written at once."""
    file.parent.mkdir(parents=True, exist_ok=True)
    done, known = len(read(file)), {(each.seed, len(each.plays)) for each in read(file)}
    net, search = bot("net"), SearchBot(THINKING, settings=BY_HINTS)
    players = (bot("hints"), net, search)
    with file.open("a", encoding="utf-8") as lines:
        for seed, deal in positions(game, net, max((seed for seed, _ in known), default=FIRST_SEED)):
            if done >= count:
                break
            if (seed, len(deal.history)) in known:
                continue
            position = Position(game.description.rules_version, seed, tuple(word for _, word in deal.history), {})
            position.try_also(deal, tried(deal, players, seed))
            lines.write(json.dumps(asdict(position), separators=(",", ":"), ensure_ascii=False) + "\n")
            lines.flush()
            done += 1
            print(f"\r{file}: {done} of {count}", end="", flush=True)
    print()


def positions(game: Game, player: Bot, first: int) -> Iterator[tuple[int, Deal]]:
    """Yield moments of deals, from this seed on, at which somebody has a choice; with the seed of the deal."""
    seed = first
    while True:
        rng, deal, choices = generator((seed, 0)), game.deal(seed), list[Deal]()
        while not deal.over:
            legal = deal.legal_actions()
            if len(legal) > 1 and deal.own_answer() is None and not partly_played(deal):
                choices.append(deal.copy())
            deal.act(player.choose(deal.view(deal.mover), legal, rng))
        for _ in range(min(A_DEAL, len(choices))):
            yield seed, choices.pop(below(rng, len(choices)))
        seed += 1


def partly_played(deal: Deal) -> bool:
    """Tell if the mover has begun a play of several actions: its words alone do not lead there."""
    trial = deal.at(len(deal.history))
    return bool(trial.array.tobytes() != deal.array.tobytes())


def tried(deal: Deal, players: Sequence[Bot], seed: int) -> list[int]:
    """Actions that some players choose, and others until they are enough."""
    legal, rng = deal.legal_actions(), generator((seed, 1))
    chosen = [listed(deal, player.choose(deal.view(deal.mover), legal, rng)) for player in players]
    others = [action for action in legal if action not in chosen]
    found = list(dict.fromkeys(chosen))
    while len(found) < LEAST_PLAYS and others:
        found.append(others.pop(below(rng, len(others)) if len(others) > 1 else 0))
    return found


def losses(game: Game, found: Sequence[Position], players: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """Losses of each player's choices, of shape (positions,), as people count them: all that any of them chooses is
    tried before one is judged."""
    made = dict[str, list[int]]()
    for player in players:
        sys.stderr.write(f"{game.name}: {player} chooses\n")
        made[player] = choices(game, found, player)
    return {
        player: np.array([each.loss(action) for each, action in zip(found, actions, strict=True)])
        for player, actions in made.items()
    }


def choices(game: Game, found: Sequence[Position], player: str) -> list[int]:
    """What a player chooses in each position, tried there too."""
    chooser, made = None if player == "advice" else bot(player), list[int]()
    search = SearchBot(THINKING, settings=BY_HINTS)
    for number, position in enumerate(found):
        deal = position.deal(game)
        if chooser is None:
            weighed = weigh(deal, search, position.seed)
            action = weighed.actions[weighed.best]
        else:
            action = listed(deal, chooser.choose(deal.view(deal.mover), deal.legal_actions(), generator(number)))
        position.try_also(deal, [action])
        made.append(action)
    return made


def estimate(values: NDArray[np.float64]) -> str:
    """A mean with its 95% interval."""
    return f"{values.mean():+8.3f} ± {1.96 * values.std(ddof=1) / sqrt(len(values)):.3f}"


if __name__ == "__main__":
    main()
