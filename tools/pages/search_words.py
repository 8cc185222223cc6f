"""Lets readers of the documentation site search for Chinese and Japanese words, which no blanks part.

Of a run of their characters the index keeps every character and every pair; a query is looked up by its pairs."""

import re
from typing import Any

from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

CHARACTERS = "々〇぀-ヿ㐀-䶿一-鿿豈-﫿"
RUNS = re.compile(f"[{CHARACTERS}]+|[^{CHARACTERS}]+")


class SearchWords(SearchEnglish):
    """English words, and pairs of Chinese or Japanese characters."""

    js_splitter_code = f"""
function splitQuery(query) {{
  const words = query.split(/[^\\p{{Letter}}\\p{{Number}}_\\p{{Emoji_Presentation}}]+/gu);
  const runs = words.flatMap((word) => word.match(/[{CHARACTERS}]+|[^{CHARACTERS}]+/gu) || []);
  const pairs = (run) => Array.from({{ length: run.length - 1 }}, (_, k) => run.slice(k, k + 2));
  return runs.flatMap((run) => (/[{CHARACTERS}]/u.test(run) && run.length > 2 ? pairs(run) : [run]));
}}
"""

    def split(self, input: str) -> list[str]:  # noqa: A002 - Sphinx names it
        """The words of a text, as the index keeps them."""
        return [part for word in super().split(input) for run in RUNS.findall(word) for part in parts(run)]


def parts(run: str) -> list[str]:
    """The characters and pairs of a run of Chinese or Japanese characters; another run as it is."""
    if not re.match(f"[{CHARACTERS}]", run):
        return [run]
    return [*run, *(run[k : k + 2] for k in range(len(run) - 1))]


def setup(app: Sphinx) -> dict[str, Any]:
    """Sphinx calls this."""
    app.add_search_language(SearchWords)
    return {"parallel_read_safe": True}
