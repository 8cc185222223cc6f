"""An environment for verifiers: a language model plays one seat of a deal, rewarded for what it gains over ``hints``.

The gain is the payoff of the model's seat without the luck of the cards (as ``tefuda match`` estimates it), less what
``hints`` gets in the same seat of the same deal, from the same opponents with the same random numbers. A model that
plays like ``hints`` gains exactly 0.

The reward is 0.5 + gain / (2 × scale), cut off at 0 and 1. By default, ``scale`` is the widest span between two payoffs
in one of the environment's deals, as ``hints`` plays it. A deal that is not played to its end, or in which ``retries``
+ 1 answers in a row are no legal play, is rewarded by 0; matches call it lost."""

import asyncio
from typing import Any

import numpy as np
import verifiers as vf

import tefuda
from datasets import Dataset
from tefuda.engine import verbs
from tefuda.engine.rng import generator
from tefuda.lab.play.python_game import LUCK, CardLuck, PythonGame
from tefuda.research.text import TextEnv


class CardTable(vf.MultiTurnEnv):
    """One deal a rollout. The rules are the system's message, every user's message is the view of the model's seat."""

    def __init__(
        self, game: tefuda.Game, opponents: str, deals: range, language: str, retries: int, scale: float | None,
        **settings: Any,
    ) -> None:  # fmt: skip
        self.game, self.opponents, self.language, self.retries = game, opponents, language, retries
        self.unit, self.scale, self.widest = game.description.rules.unit, scale, 0
        dataset = Dataset.from_list([row for seed in deals if (row := self.row(seed))])
        parser = vf.MaybeThinkParser()
        rubric = vf.Rubric(funcs=[self.reward, self.gain, self.refused], weights=[1.0, 0.0, 0.0], parser=parser)
        rules = tefuda.rules_text(game, language)
        super().__init__(dataset=dataset, rubric=rubric, parser=parser, system_prompt=rules, **settings)

    def table(self, seed: int, seat: int) -> TextEnv:
        """A table at which it is this seat's turn, or all is over."""
        table = TextEnv(self.game, self.opponents, seat=seat, language=self.language, retries=self.retries, rules=False)
        table.reset(seed=seed)
        return table

    def row(self, seed: int) -> dict[str, Any] | None:
        """The first question of a deal, and what hints get there; None if others end it before. Widens the scale."""
        played = self.table(seed, seed % self.game.seats)
        question = played.get_observation()[1]
        if played.done:
            return None
        while not played.done:
            played.step("")  # no answer: after so many, hints play
        payoffs = played.deal.payoff()
        self.widest = max(self.widest, max(payoffs) - min(payoffs))
        info = {"seed": seed, "seat": played.seat, "hints": payoffs[played.seat]}
        return {"prompt": [{"role": "user", "content": question}], "info": info}

    async def setup_state(self, state: vf.State) -> None:
        """Deal."""
        info = state["info"]
        state["table"] = await asyncio.to_thread(self.table, info["seed"], info["seat"])

    async def env_response(self, messages: vf.Messages, state: vf.State, **kwargs: Any) -> vf.Messages:
        """Take the model's answer, and let the others play on to its next turn."""
        table, answer = state["table"], self.parser.parse_answer(messages) or ""
        done, _ = await asyncio.to_thread(table.step, answer)
        told = [vf.UserMessage(content=table.text(table.seat) if done else table.get_observation()[1])]
        if done:
            state["final_env_response"] = told
        return told

    async def reward(self, state: vf.State) -> float:
        """From 0 to 1; 0.5 for a model as good as hints."""
        table = state["table"]
        if not table.done or table.game_info[table.seat]["replaced"]:
            return 0.0
        scale = self.scale or self.widest / self.unit or 1.0
        return min(1.0, max(0.0, 0.5 + await self.gain(state) / (2 * scale)))

    async def gain(self, state: vf.State) -> float:
        """Points over hints, without luck; 0 of a deal that is not over."""
        table, info = state["table"], state["info"]
        if not table.done:
            return 0.0
        lucky = await asyncio.to_thread(self.luck, table, info["seed"])
        return float(table.deal.payoff()[table.seat] - lucky - info["hints"]) / self.unit

    async def refused(self, state: vf.State) -> float:
        """How many answers were no legal play."""
        return float(state["table"].game_info[state["table"].seat]["refused"])

    def luck(self, table: TextEnv, seed: int) -> float:
        """The part of the payoff of the model's seat that was luck, 0 on average, in the smallest unit."""
        seats = self.game.seats
        played = PythonGame(self.game, seed, 0, [tefuda.bot("hints")] * seats, np.arange(seats))
        played.deal, played.choices = table.deal, choices(table, seed)
        specs = ["model" if seat == table.seat else self.opponents for seat in range(seats)]
        return float(CardLuck(self.game, specs).measure(played, (seed, 0, LUCK))[table.seat])


def choices(table: TextEnv, seed: int) -> list[tuple[int, int, int, int]]:
    """Of each action of a deal its seat, its number, and the random numbers with which a bot chose it: the generator
    before, and after the rules of thumb have drawn from it."""
    deal, made = table.game.deal((seed, 0)), list[tuple[int, int, int, int]]()
    for number, (seat, play) in enumerate(table.deal.history):
        for action in table.game.description.notation.actions(deal.array, play):
            rng = generator((seed, number))  # as ``choose_play`` makes it
            before = int(rng[0])
            verbs.advise(deal.state, rng)
            listed = action if action in deal.legal_actions() else int(verbs.listed(deal.state, action))
            made.append((seat, listed, before, int(rng[0])))
            deal.act(listed)
    return made


def load_environment(
    game: str = "gong-zhu", opponents: str = "hints", deals: int = 100, language: str = "en", *, seed: int = 0,
    retries: int = 2, scale: float | None = None, options: dict[str, Any] | None = None, **settings: Any,
) -> vf.Environment:  # fmt: skip
    """Deal so many deals, the model in each seat in turn. ``TefudaError`` for what is no game, bot, option or language.

    Deals are numbered from ``seed`` on: begin elsewhere to evaluate on deals that were not trained on. ``options`` are
    the game's, ``scale`` is in points, and ``settings`` are those of ``verifiers.MultiTurnEnv``."""
    if deals < 1:
        raise tefuda.TefudaError(f"deals: {deals} is not a whole number from 1 up")
    found = tefuda.load(game, **(options or {}))
    return CardTable(found, opponents, range(seed, seed + deals), language, retries, scale, **settings)
