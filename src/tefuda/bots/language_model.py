"""Language models as bots, behind the interface that most model servers share: ``POST URL/chat/completions``. At every
decision a model reads the rules and its seat's view; it is told why an answer is no legal play, and asked again."""

import os
import re
import time
from collections.abc import Sequence
from functools import cache

from tefuda.bots.search import read_settings
from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError, needed_by
from tefuda.engine.rng import Rng
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.table.play_reading import parse_play
from tefuda.table.view import View
from tefuda.table.view_text import rules_text, view_text

with needed_by("a bot llm:URL", "client"):
    import httpx

KEY = "TEFUDA_LLM_KEY"  #: environment variable with the key that the server asks for; only the URL of the spec gets it

PAUSES = (1.0, 4.0, 16.0)  #: seconds to wait before a busy server is asked again
BUSY = (429, 500, 502, 503, 504)  #: HTTP statuses that pass

_THOUGHT = re.compile(r"<think>.*?(</think>|$)", re.DOTALL)

_READERS = {"model": str, "language": str, "retries": int, "timeout": float, "temperature": float}

_certificates = cache(httpx.create_ssl_context)  # reading them takes longer than asking a server nearby


class ModelBot:
    """Plays what a language model answers; ``TefudaError`` where that is no legal play, or it cannot be asked.

    ``retries`` are the answers that it may give after one that is no legal play, ``timeout`` the seconds for each."""

    reads_told = True

    def __init__(
        self, url: str, model: str, language: str = LANGUAGES[0], retries: int = 2, timeout: float = 60.0,
        temperature: float | None = None,
    ) -> None:  # fmt: skip
        if not (url.startswith(("http://", "https://")) and model and retries >= 0 and timeout > 0):
            form = "llm:http://localhost:11434/v1,model=qwen3; retries are 0 or more, timeout is above 0"
            raise TefudaError(f"bot llm:{url}: write it like {form}")
        self.url, self.language, self.retries, self.timeout = url.rstrip("/"), language, retries, timeout
        self.name, self.time_limit = f"llm:{url},model={model}", (retries + 1) * (timeout + sum(PAUSES))
        self._settings = {"model": model, **({} if temperature is None else {"temperature": temperature})}
        self._texts, self._used = catalogue(TEXTS, language), [0, 0, 0]
        self._rest, self._moment = list[int](), (-1, -1)  # actions that complete a play; its seat, and lines told

    def take_use(self) -> list[int]:
        """Return the tokens read and written and the answers refused since this was last asked."""
        used, self._used = self._used, [0, 0, 0]
        return used

    def warm(self, view: View) -> None:
        """Find out before a match if the server can be reached."""
        self._request("GET", "models")

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """Ask the model until it names a legal play."""
        before, self._moment = self._moment, (view.seat, len(view.told))
        if not (self._rest and self._rest[0] in legal and self._moment == before):
            actions = view.game.notation.actions(view.array, self._play(view))
            self._rest = [each if each in legal else int(verbs.listed(view.record, each)) for each in actions]
        return self._rest.pop(0)

    def _play(self, view: View) -> str:
        now, reason = view_text(view, self.language), None
        told = [("system", rules_text(view.table_rules, self.language)), ("user", now)]
        for _ in range(self.retries + 1):
            answer = self._answer(told)
            play, reason = parse_play(view, answer, self.language)
            if play is not None:
                return play
            self._used[2] += 1
            told += [("assistant", answer), ("user", f"{self._texts('described.refused', why=reason)}\n\n{now}")]
        raise TefudaError(f"gave no legal play in {self.retries + 1} answers; of the last: {reason}")

    def _answer(self, told: Sequence[tuple[str, str]]) -> str:
        messages = [{"role": role, "content": text} for role, text in told]
        answer = self._request("POST", "chat/completions", {**self._settings, "messages": messages})
        if answer.is_error:
            said = " ".join(answer.text.split())[:200]
            raise TefudaError(f"{answer.url}: {answer.status_code} {answer.reason_phrase} {said}".rstrip())
        try:
            found = answer.json()
            content, used = found["choices"][0]["message"]["content"] or "", found.get("usage") or {}
            self._used[0] += int(used.get("prompt_tokens") or 0)
            self._used[1] += int(used.get("completion_tokens") or 0)
            return _THOUGHT.sub("", content).strip()
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            raise TefudaError(f"{answer.url}: the server sent no answer of a chat ({error!r})") from error

    def _request(self, method: str, path: str, body: object = None) -> httpx.Response:
        """Return what the server answers, asked again while it is busy."""
        url, key = f"{self.url}/{path}", os.environ.get(KEY)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        for pause in (*PAUSES, 0.0):
            try:
                answer = httpx.request(
                    method, url, json=body, headers=headers, timeout=self.timeout, verify=_certificates()
                )
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise TefudaError(f"{url}: {error}") from None
            if answer.status_code not in BUSY:
                break
            time.sleep(pause)
        return answer


def bot(text: str) -> ModelBot:
    """The bot of the spec ``llm:URL,model=NAME,retries=2``; ``TefudaError`` for what is none of its settings."""
    url, *rest = text.split(",")
    return ModelBot(url, **{"model": "", **read_settings("llm", rest, _READERS)})
