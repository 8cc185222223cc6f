"""Runs ``tefuda`` as where no extra is installed: ``python -m tests.without_extras games``.

Whatever the core's own requirements do not bring cannot be imported. With ``-`` for the command,
the program on standard input is run."""

import re
import sys
from importlib.machinery import ModuleSpec
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from typing import Any


def canonical(name: str) -> str:
    """A distribution's name as all spellings of it are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def core() -> set[str]:
    """The distributions that come with Tefuda without any extra."""
    found, waiting = set[str](), ["tefuda"]
    while waiting:
        name = canonical(waiting.pop())
        if name in found:
            continue
        found.add(name)
        try:
            lines = requires(name) or []
        except PackageNotFoundError:  # for another system
            continue
        waiting += [re.split(r"[^\w.-]", line)[0] for line in lines if "extra ==" not in line]
    return found


class CoreFinder:
    """Finds what another finder finds, but not the modules of other distributions."""

    def __init__(self, finder: Any, hidden: set[str]) -> None:
        self._finder, self._hidden = finder, hidden

    def __getattr__(self, name: str) -> Any:
        return getattr(self._finder, name)

    def find_spec(self, name: str, *more: Any) -> ModuleSpec | None:
        """As ``importlib.abc.MetaPathFinder`` says."""
        found: ModuleSpec | None = self._finder.find_spec(name, *more)
        return None if name.partition(".")[0] in self._hidden else found


def hide_extras() -> None:
    """From now on no module of another distribution can be imported."""
    there = core()
    owners = packages_distributions().items()
    hidden = {module for module, names in owners if not there & {canonical(name) for name in names}}
    sys.meta_path[:] = [CoreFinder(finder, hidden) for finder in sys.meta_path]


def main() -> None:
    """Hide what the extras bring, and run."""
    hide_extras()
    if sys.argv[1:] == ["-"]:
        exec(compile(sys.stdin.read(), "<standard input>", "exec"), {})
        return
    from tefuda.cli.app import main as command

    sys.argv[0] = "tefuda"
    command()


if __name__ == "__main__":
    main()
