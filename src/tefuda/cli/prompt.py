"""The prompt of the terminal: a line with editing, history and completion where the terminal has them."""

import sys
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from tefuda.engine.notation import plain

try:
    import readline
except ImportError:  # Windows, whose console edits lines by itself
    readline = None  # type: ignore[assignment]

COMMANDS = {
    "h": "hint", "hint": "hint",
    "help": "help",
    "l": "last", "last": "last",
    "r": "ranks", "ranks": "ranks",
    "p": "plays", "plays": "plays",
    "pace": "pace",
    "s": "scores", "scores": "scores",
    "u": "undo", "undo": "undo",
    "q": "quit", "quit": "quit", "exit": "quit",
}  # fmt: skip
"""What may be typed instead of a play, with what it asks for."""


def ask(console: Console, prompt: str, words: Iterable[str]) -> str:
    """One line that somebody types, in half width and without blanks at its ends.

    Args:
        console: on which the prompt stands.
        prompt: without a mark at its end.
        words: that the Tab key completes, beside ``COMMANDS``.

    Raises:
        EOFError: there is no more input.
        KeyboardInterrupt: Ctrl-C.
    """
    if readline is None or not (sys.stdin.isatty() and console.is_terminal):
        return plain(console.input(Text.assemble((prompt, "bold"), " › ")))
    known = sorted({*words, *COMMANDS})

    def complete(begun: str, number: int) -> str | None:
        found = [word for word in known if word.lower().startswith(begun.lower())]
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    bold, normal = ("\1\33[1m\2", "\1\33[0m\2") if console.color_system else ("", "")
    return plain(input(f"{bold}{prompt}{normal} › "))
