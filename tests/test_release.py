"""Version, changelog and citation agree; what does not belong into a release is found in it."""

import zipfile
from pathlib import Path

from tools import release

import tefuda

CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [{version}] - {date}\n\n### Added\n- all\n"
CITATION = "version: {version}\ndate-released: {date}\n"


def written(folder: Path, version: str, changelog: str, citation: str) -> Path:
    (folder / "pyproject.toml").write_text(f'[project]\nversion = "{version}"\n')
    (folder / "CHANGELOG.md").write_text(changelog)
    (folder / "CITATION.cff").write_text(citation)
    return folder


def wheel(folder: Path, *more: str) -> Path:
    path = folder / "tefuda-1.0-py3-none-any.whl"
    names = [*release.IN_WHEEL[:-1], "tefuda/web/static/a.js", "tefuda-1.0.dist-info/licenses/LICENSE", *more]
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return path


def test_version_changelog_and_citation_agree() -> None:
    assert release.disagreements() == []
    assert release.version() == tefuda.__version__


def test_what_disagrees_is_named(tmp_path: Path) -> None:
    changelog = CHANGELOG.format(version="1.0", date="soon")
    root = written(tmp_path, "1.1", changelog, CITATION.format(version="1.0", date="2026-01-02"))
    assert release.disagreements(root) == [
        "CHANGELOG.md: the newest release is 1.0, pyproject.toml has 1.1",
        "CHANGELOG.md: [1.0] has no date such as 2026-11-22",
        "CITATION.cff: version is 1.0 instead of 1.1",
        "CITATION.cff: date-released is 2026-01-02 instead of soon",
    ]


def test_a_changelog_begins_with_what_is_unreleased(tmp_path: Path) -> None:
    changelog = CHANGELOG.format(version="1.0", date="2026-01-02").replace("## [Unreleased]\n\n", "")
    root = written(tmp_path, "1.0", changelog, CITATION.format(version="1.0", date="2026-01-02"))
    assert "CHANGELOG.md: the first heading is not [Unreleased]" in release.disagreements(root)


def test_a_wheel_with_what_it_needs_has_no_faults(tmp_path: Path) -> None:
    assert release.faults(wheel(tmp_path)) == []


def test_caches_tests_and_fonts_without_licence_are_found(tmp_path: Path) -> None:
    path = wheel(tmp_path, "tefuda/__pycache__/x.pyc", "tests/test_x.py", "tefuda/decks/font/x.ttc")
    assert release.faults(path) == [
        f"{path.name} holds tefuda/__pycache__/x.pyc",
        f"{path.name} holds tests/test_x.py",
        f"{path.name} holds a font without its licence",
    ]
