"""Measures what each extra installs, and writes the table of docs/howto/install.md.

uv run python -m tools.sizes [EXTRA …]    # all but ``train``, whose PyTorch is some GB; some minutes, with a network

Each extra gets an environment of its own with the versions of ``constraints.txt``, without compiled modules. The first
row is the core alone, the others what an extra adds to it."""

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "howto" / "install.md"
CORE, UNMEASURED = "(none)", {"train"}
ROW = r"^\| `?{}`? \| (.+?) \| .+? \| .+? \|$"


def measured(extra: str) -> tuple[int, int]:
    """Bytes and packages of an environment with an extra."""
    wanted = "." if extra == CORE else f".[{extra}]"
    with tempfile.TemporaryDirectory() as folder:
        python = ["--python", f"{folder}/env"]
        subprocess.run(["uv", "venv", "--quiet", "--python", sys.executable, f"{folder}/env"], check=True)
        options = ["--quiet", "--constraints", "constraints.txt", "--no-compile-bytecode"]
        subprocess.run(["uv", "pip", "install", *options, *python, wanted], check=True, cwd=ROOT)
        listed = subprocess.run(["uv", "pip", "list", "--quiet", *python], check=True, capture_output=True, text=True)
        files = [path for path in Path(folder).rglob("*") if path.is_file() and not path.is_symlink()]
        return sum(path.stat().st_size for path in files), len(listed.stdout.splitlines()) - 2


def in_words(size: float, count: int) -> tuple[str, str]:
    """The two cells of a row, of what is added if ``count`` is that of an extra."""
    megabytes = size / 1e6
    return f"{megabytes:.0f} MB" if megabytes >= 1 else f"{megabytes:.1f} MB", str(count)


def main() -> None:
    """Measure, print each row, and write those rows into the page."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("extra", nargs="*", help="only these")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    wanted = words.parse_args().extra or [each for each in extras if each not in UNMEASURED]
    if unknown := set(wanted) - set(extras):
        words.error(f"there is no extra {', '.join(sorted(unknown))}; there are: {', '.join(extras)}")
    page = PAGE.read_text("utf-8")
    core = measured(CORE)
    for extra in [CORE, *wanted]:
        size, count = core if extra == CORE else measured(extra)
        more = "" if extra == CORE else "+ "
        cells = in_words(size, count) if extra == CORE else in_words(size - core[0], count - core[1])
        row = re.compile(ROW.format(re.escape(extra)), re.MULTILINE)
        found = row.search(page)
        if found is None:
            raise SystemExit(f"{PAGE.name} has no row for {extra}")
        name = extra if extra == CORE else f"`{extra}`"
        line = f"| {name} | {found[1]} | {more}{cells[0]} | {more}{cells[1]} |"
        print(line, flush=True)
        page = page[: found.start()] + line + page[found.end() :]
        PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
