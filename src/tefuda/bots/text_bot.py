"""Bots that ask somebody for words: they show the rules and a view, and say why an answer is no legal play."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Self

from tefuda.bots.search import read_settings
from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import Rng
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.table.play_reading import parse_play
from tefuda.table.view import View
from tefuda.table.view_text import rules_text, view_text


class TextBot(ABC):
    """Plays what an answer says; ``TefudaError`` where ``retries`` more have no legal play, or none comes in time."""

    reads_told = True
    example = ""  #: of a spec
    readers: ClassVar[dict[str, type]] = {"language": str, "retries": int, "timeout": float}  #: of settings

    def __init__(
        self, name: str, is_complete: bool, language: str = LANGUAGES[0], retries: int = 2, timeout: float = 60.0
    ) -> None:
        if not (is_complete and retries >= 0 and timeout > 0):
            raise TefudaError(f"bot {name}: write it like {self.example}; retries are 0 or more, timeout is above 0")
        self.name, self.language, self.retries, self.timeout = name, language, retries, timeout
        self.time_limit = (retries + 1) * timeout
        self._texts, self._used = catalogue(TEXTS, language), [0, 0, 0]
        self._rest, self._moment = list[int](), (-1, -1)  # actions that complete a play; its seat, and lines told

    @classmethod
    def read(cls, text: str) -> Self:
        """The bot of a spec, of which ``text`` follows the first colon; ``TefudaError`` for what is no setting."""
        server, *rest = text.split(",")
        return cls(server, **read_settings(cls.example.partition(":")[0], rest, cls.readers))

    @abstractmethod
    def answer(self, told: Sequence[tuple[str, str]]) -> str:
        """Ask, and return the answer; ``told`` has roles and texts, as chats with models have them."""

    def take_use(self) -> list[int]:
        """Return the tokens read and written and the answers refused since this was last asked."""
        used, self._used = self._used, [0, 0, 0]
        return used

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """Ask until an answer names a legal play."""
        before, self._moment = self._moment, (view.seat, len(view.told))
        if not (self._rest and self._rest[0] in legal and self._moment == before):
            actions = view.game.notation.actions(view.array, self._play(view))
            self._rest = [each if each in legal else int(verbs.listed(view.record, each)) for each in actions]
        return self._rest.pop(0)

    def _play(self, view: View) -> str:
        now, reason = view_text(view, self.language), None
        told = [("system", rules_text(view.table_rules, self.language)), ("user", now)]
        for _ in range(self.retries + 1):
            answer = re.sub(r"(?s)<think>.*?(</think>|$)", "", self.answer(told)).strip()
            play, reason = parse_play(view, answer, self.language)
            if play is not None:
                return play
            self._used[2] += 1
            told += [("assistant", answer), ("user", f"{self._texts('described.refused', why=reason)}\n\n{now}")]
        raise TefudaError(f"gave no legal play in {self.retries + 1} answers; of the last: {reason}")
