"""Language models as bots, behind the interface that most model servers share: ``POST URL/chat/completions``."""

import os
import time
from collections.abc import Sequence
from functools import cache
from typing import Any

from tefuda.bots.text_bot import TextBot
from tefuda.engine.errors import TefudaError, needed_by
from tefuda.table.view import View

with needed_by("a bot llm:URL", "client"):
    import httpx

KEY = "TEFUDA_LLM_KEY"  #: environment variable with the key that the server asks for; only the URL of the spec gets it

PAUSES = (1.0, 4.0, 16.0)  #: seconds to wait before a busy server is asked again
BUSY = (429, 500, 502, 503, 504)  #: HTTP statuses that pass

_certificates = cache(httpx.create_ssl_context)  # reading them takes longer than asking a server nearby


class ModelBot(TextBot):
    """Plays what a language model answers."""

    example = "llm:http://localhost:11434/v1,model=qwen3"
    readers = {"model": str} | TextBot.readers | {"temperature": float}

    def __init__(self, url: str, model: str = "", temperature: float | None = None, **asking: Any) -> None:
        is_complete = url.startswith(("http://", "https://")) and bool(model)
        super().__init__(f"llm:{url},model={model}", is_complete, **asking)
        self.url, self.time_limit = url.rstrip("/"), self.time_limit + (self.retries + 1) * sum(PAUSES)
        self._settings = {"model": model, **({} if temperature is None else {"temperature": temperature})}

    def warm(self, view: View) -> None:
        """Find out before a match if the server can be reached."""
        self._request("GET", "models")

    def answer(self, told: Sequence[tuple[str, str]]) -> str:
        """Ask the model; what it reads and writes is counted."""
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
            return str(content)
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


bot = ModelBot.read
