"""Make a release's files and check them: ``uv run python -m tools.release [--out FOLDER]`` (``dist``).

1. The version of ``pyproject.toml``, the newest dated heading of ``CHANGELOG.md`` and ``CITATION.cff`` agree.
2. uv builds the source distribution and the wheel; twine checks their metadata.
3. Nothing is in them that does not belong there, nothing is missing, and neither is too large.
4. The wheel is installed into an empty environment with the tested versions. Without extras it says its version, plays
   a deal and shows a rule, and says of a server and of printing what to install. With them it prints a deck and serves.
5. ``SHA256SUMS`` is written beside the files.

Every fault ends it with a line that says what is wrong. Nothing is uploaded."""

import argparse
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).parent.parent

MOST_BYTES = {".whl": 10_000_000, ".gz": 14_000_000}
"""How large a wheel and a source distribution may be: the five nets alone are 3.3 MB, and may be 2 MB each."""

PATIENCE = 60
"""Seconds that the server may take to answer."""

FONTS = (".otf", ".ttc", ".ttf", ".woff", ".woff2")
NEVER = re.compile(
    r"(^|/)(__pycache__|\.venv|\.git|\.hypothesis|\.(pytest|mypy|ruff)_cache|build|uv\.lock)(/|$)|\.pyc$"
)
"""Caches, environments and built things; in neither file."""

IN_WHEEL = ("tefuda/py.typed", "tefuda/texts/en.toml", "tefuda/games/gong_zhu/rules.py", "tefuda/web/static")
IN_SOURCE = (
    "LICENSE",
    "README.md",
    "README.ja.md",
    "README.zh-Hant.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "CODE_OF_CONDUCT.md",
    "SECURITY.md",
    "constraints.txt",
    "Dockerfile",
    "src",
    "tests",
    "docs",
)


class ReleaseError(Exception):
    """Something is wrong with the release; the message says what."""


def version(root: Path = ROOT) -> str:
    """What ``pyproject.toml`` says."""
    return str(tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def disagreements(root: Path = ROOT) -> list[str]:
    """What version, changelog and citation say differently, a line each."""
    ours = version(root)
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    citation = (root / "CITATION.cff").read_text("utf-8")
    headings = re.findall(r"^## \[(.+?)\](?: - (\S+))?$", changelog, re.MULTILINE)
    found = []
    if not headings or headings[0] != ("Unreleased", ""):
        found.append("CHANGELOG.md: the first heading is not [Unreleased]")
    newest, date = headings[1] if len(headings) > 1 else ("", "")
    if newest != ours:
        found.append(f"CHANGELOG.md: the newest release is {newest or 'missing'}, pyproject.toml has {ours}")
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", date):
        found.append(f"CHANGELOG.md: [{newest}] has no date such as 2026-11-22")
    for key, expected in (("version", ours), ("date-released", date)):
        stated = re.findall(rf"^{key}: (\S+)$", citation, re.MULTILINE)
        if stated != [expected]:
            found.append(f"CITATION.cff: {key} is {' '.join(stated) or 'missing'} instead of {expected}")
    return found


def run(*command: str | Path, folder: Path = ROOT) -> str:
    """What a command prints.

    Raises:
        ReleaseError: it fails.
    """
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, capture_output=True, encoding="utf-8")
    if done.returncode:
        raise ReleaseError(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def build(folder: Path) -> list[Path]:
    """The source distribution and the wheel."""
    run("uv", "build", "--quiet", "--out-dir", folder)
    files = sorted(path for path in folder.iterdir() if path.suffix in MOST_BYTES)
    if [path.suffix for path in files] != [".whl", ".gz"]:
        raise ReleaseError(
            f"{folder} holds {', '.join(path.name for path in files)} instead of one wheel and one source"
        )
    return files


def contents(path: Path) -> list[str]:
    """The names in a wheel, or those in a source distribution without its folder."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            return wheel.namelist()
    with tarfile.open(path) as source:
        return [name.partition("/")[2] for name in source.getnames()]


def faults(path: Path) -> list[str]:
    """What is wrong with a file's size or contents, a line each."""
    names = contents(path)
    found = [f"{path.name} holds {name}" for name in names if NEVER.search(name)]
    if path.stat().st_size > MOST_BYTES[path.suffix]:
        found.append(f"{path.name} has {path.stat().st_size:,} bytes, more than {MOST_BYTES[path.suffix]:,}")
    needed = IN_WHEEL if path.suffix == ".whl" else IN_SOURCE
    found += [f"{path.name} lacks {each}" for each in needed if not any(name.startswith(each) for name in names)]
    if path.suffix == ".whl":
        found += [f"{path.name}: its README leads to {place}, which an index does not have" for place in relative(path)]
        outside = re.compile(r"tefuda(/|-[^/]+\.dist-info/)")
        found += [f"{path.name} holds {name}" for name in names if not outside.match(name)]
        notices = [name.rpartition("/")[2] for name in names if ".dist-info/licenses/" in name]
        if "LICENSE" not in notices:
            found.append(f"{path.name} lacks its LICENSE")
        if any(name.endswith(FONTS) for name in names) and not any("OFL" in name for name in notices):
            found.append(f"{path.name} holds a font without its licence")
    return found


def relative(wheel: Path) -> list[str]:
    """Where the README of a wheel leads without naming a host."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        text = "".join(archive.read(name).decode() for name in names)
    places = re.findall(r"\]\(([^)]*)\)", text)
    return [place for place in places if not place.startswith(("https://", "http://", "#"))]


def try_out(wheel: Path, expected: str) -> None:
    """Install the wheel into an empty environment and use it, first alone, then with extras.

    Raises:
        ReleaseError: something fails, or it is another version.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run("uv", "venv", "--quiet", folder / "clean")
        tefuda = folder / "clean" / ("Scripts" if sys.platform == "win32" else "bin") / "tefuda"
        install(folder / "clean", str(wheel))
        said = run(tefuda, "--version", folder=folder).split()
        if said[-1:] != [expected]:
            raise ReleaseError(f"the installed wheel says it is {' '.join(said)} instead of {expected}")
        run(tefuda, "play", "gong-zhu", "--auto", "--seed", "1", "--seats", "5", folder=folder)
        run(tefuda, "rules", "gong-zhu", "GZ-8", folder=folder)
        refuses(tefuda, "serve", lacking="server")
        refuses(tefuda, "deck", "luk-fu", "-o", "luk-fu.pdf", lacking="decks")
        install(folder / "clean", f"{wheel}[decks,server]")
        run(tefuda, "deck", "luk-fu", "-o", "luk-fu.pdf", "--lang", "ja", "--backs", folder=folder)
        if not (folder / "luk-fu.pdf").read_bytes().startswith(b"%PDF"):
            raise ReleaseError("the deck that was printed is no PDF")
        serves(tefuda, folder)


def install(environment: Path, package: str) -> None:
    """Install a package with the tested versions."""
    constraints = ROOT / "constraints.txt"
    run("uv", "pip", "install", "--quiet", "--python", environment, "--constraint", constraints, package)


def refuses(tefuda: Path, *words: str, lacking: str) -> None:
    """Check that a command says how to install the extra that it lacks.

    Raises:
        ReleaseError: it does not.
    """
    done = subprocess.run([tefuda, *words], capture_output=True, encoding="utf-8", timeout=60)
    if done.returncode != 2 or not done.stderr.endswith(f": pip install 'tefuda[{lacking}]'\n"):
        raise ReleaseError(f"tefuda {' '.join(words)} without its extra says: {done.stderr}")


def serves(tefuda: Path, folder: Path) -> None:
    """Start the server and ask it for its first page.

    Raises:
        ReleaseError: it does not answer.
    """
    words = [str(tefuda), "serve", "--port", "0", "--no-browser", "--db", f"sqlite:///{folder / 'tables.db'}"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, encoding="utf-8") as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        try:
            address = re.findall(r"http://\S+", line)
            if not address:
                raise ReleaseError(f"the server does not start: {line}")
            first_page(address[0])
        finally:
            server.terminate()


def first_page(address: str) -> None:
    """Get the first page of a server that is starting.

    Raises:
        ReleaseError: it does not answer within ``PATIENCE`` seconds, or not with a page.
    """
    until = time.monotonic() + PATIENCE
    while True:
        try:
            with urlopen(address, timeout=PATIENCE) as answer:
                if not answer.headers["content-type"].startswith("text/html"):
                    raise ReleaseError(f"{address} answers with {answer.headers['content-type']}")
                return
        except OSError as error:  # it says where it is just before it listens
            if time.monotonic() > until:
                raise ReleaseError(f"{address}: {error}") from error
            time.sleep(0.1)


def release(folder: Path) -> list[Path]:
    """Build, check and sum up.

    Raises:
        ReleaseError: something is wrong.
    """
    wrong = disagreements()
    if wrong:
        raise ReleaseError("\n".join(wrong))
    files = build(folder)
    run("uv", "tool", "run", "--from", "twine>=6,<8", "twine", "check", "--strict", *files)
    wrong = [fault for path in files for fault in faults(path)]
    if wrong:
        raise ReleaseError("\n".join(wrong))
    try_out(files[0].resolve(), version())
    sums = "".join(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (folder / "SHA256SUMS").write_text(sums)
    return files


def main(arguments: Sequence[str] | None = None) -> None:
    words = argparse.ArgumentParser(description="Make a release's files and check them; nothing is uploaded.")
    words.add_argument("--out", type=Path, default=ROOT / "dist", metavar="FOLDER", help="for the files (dist)")
    folder = words.parse_args(arguments).out
    if folder.exists() and any(path.suffix in MOST_BYTES for path in folder.iterdir()):
        sys.exit(f"{folder} holds an earlier release; move it away, or name another folder by --out")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        files = release(folder)
    except ReleaseError as error:
        sys.exit(f"release: {error}")
    for path in files:
        print(f"{path}  {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
