"""The laboratory's pages: every run of its folder, and nothing else that lies on the disk."""

import json
from pathlib import Path

import pytest

from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.server.http.application import create_app
from tefuda.server.http.middleware import HEADERS
from tefuda.server.settings import ServerSettings
from tefuda.server.store import open_store
from tests.web.people import Reader

PAGE = "<!doctype html><html><title>A report</title><style>p { color: red }</style><p>Less.</html>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A laboratory's folder, not there yet."""
    return tmp_path / "lab"


@pytest.fixture
def reader(tmp_path: Path, folder: Path) -> Reader:
    return at(tmp_path, folder)


def at(tmp_path: Path, folder: Path | None) -> Reader:
    """Somebody at a server that shows this folder."""
    return Reader(create_app(open_store(f"sqlite:///{tmp_path / 'tables.db'}"), ServerSettings(lab=folder)))


def keep(folder: Path, name: str, *, reported: bool = True, **asked: object) -> Path:
    """A run, as the laboratory leaves it."""
    run = folder / name
    run.mkdir(parents=True)
    (run / "run.json").write_text(json.dumps({"game": "luk-fu", "question": "Does it matter?", **asked}), "utf-8")
    if reported:
        (run / "report.json").write_text(json.dumps({"answer": ["‘b’ against ‘a’: Less."], "deals": 12345}), "utf-8")
        (run / "report.html").write_text(PAGE, "utf-8")
    return run


def test_questions_stand_with_their_answers_under_their_game(reader: Reader, folder: Path) -> None:
    keep(folder, "old-card-0123456789")
    keep(folder, "compare 六?", question="Is <it> so?", reported=False)
    keep(folder, "another", game="whist", question="And here?")
    page = reader.get("/lab").text
    assert '<a href="/lab/old-card-0123456789">Does it matter?</a>' in page
    assert "‘b’ against ‘a’: Less." in page
    assert "deals: 12,345" in page
    assert "<h2>Luk Fu</h2>" in page
    assert "<h2>whist</h2>" in page  # a game that is no longer installed
    assert "Is &lt;it&gt; so?" in page
    assert "There is no report yet." in page
    assert reader.get("/lab/compare%20%E5%85%AD%3F").status_code == 404
    (folder / "compare 六?" / "report.html").write_text(PAGE, "utf-8")
    assert "/lab/compare%20%E5%85%AD%3F" in reader.get("/lab").text
    assert reader.get("/lab/compare%20%E5%85%AD%3F").text == PAGE


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_laboratory_speaks_the_readers_language(reader: Reader, folder: Path, language: str) -> None:
    keep(folder, "run")
    page = reader.get(f"/lab?lang={language}").text
    texts = catalogue(TEXTS, language)
    assert f'<html lang="{language}">' in page
    assert f"<h1>{texts('page.lab.title')}</h1>" in page
    assert texts("page.lab.deals", deals="12,345") in page
    assert f'<a href="/lab">{texts("page.lab.title")}</a>' in reader.get(f"/?lang={language}").text


def test_an_answer_stands_in_the_readers_language_and_leads_to_the_page_in_it(reader: Reader, folder: Path) -> None:
    said = {
        "answer": ["Larger."],
        "deals": 7,
        "words": {
            "en": [{"heading": "What was found", "sentences": ["Larger."]}],
            "ja": [{"heading": "分かったこと", "sentences": ["大きい。"]}],
        },
    }
    (keep(folder, "run") / "report.json").write_text(json.dumps(said), "utf-8")
    page = reader.get("/lab?lang=ja").text
    assert "大きい。" in page
    assert '<a href="/lab/run#in-ja">' in page
    assert '<a href="/lab/run#in-en">' in reader.get("/lab?lang=en").text
    assert "Larger." in reader.get("/lab?lang=zh-Hant").text
    damaged: object
    for damaged in ("x", {"ja": "x"}, {"ja": [3]}, {"ja": [{"sentences": "x"}]}, {"ja": []}):
        (folder / "run" / "report.json").write_text(json.dumps({**said, "words": damaged}), "utf-8")
        assert "Larger." in reader.get("/lab?lang=ja").text


def test_without_a_run_or_without_the_laboratory_that_is_said(reader: Reader, tmp_path: Path) -> None:
    page = reader.get("/lab")
    assert page.status_code == 200
    assert "Nobody has run an experiment on this server yet." in page.text
    assert "tefuda lab compare" in page.text
    page = at(tmp_path / "other", None).get("/lab")
    assert page.status_code == 200
    assert "The laboratory is not installed on this server." in page.text


@pytest.mark.parametrize(
    "name",
    ["%2e%2e", "..%2fsecret", "%2fetc%2fpasswd", "run%2freport.html", "run%5c..%5csecret", "run%00", "RUN"],
)
def test_only_names_of_the_list_lead_to_a_file(reader: Reader, folder: Path, tmp_path: Path, name: str) -> None:
    keep(folder, "run")
    (tmp_path / "report.html").write_text("not for you", "utf-8")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "report.html").write_text("not for you", "utf-8")
    answer = reader.get(f"/lab/{name}")
    assert answer.status_code == 404
    assert "not for you" not in answer.text


@pytest.mark.parametrize("broken", ["", "[]", "{", '{"game": 3, "question": "?"}', '{"game": "luk-fu"}'])
def test_a_run_that_cannot_be_read_is_left_out(reader: Reader, folder: Path, broken: str) -> None:
    keep(folder, "run")
    (keep(folder, "broken") / "run.json").write_text(broken, "utf-8")
    page = reader.get("/lab").text
    assert "/lab/run" in page
    assert "broken" not in page
    (folder / "run" / "report.json").write_text('{"answer": 3, "deals": "many"}', "utf-8")
    assert '<a href="/lab/run">' in reader.get("/lab").text


def test_a_report_may_have_styles_of_its_own_and_no_other_page_may(reader: Reader, folder: Path) -> None:
    keep(folder, "run")
    report = reader.get("/lab/run")
    assert report.text == PAGE
    policy = report.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "style-src 'unsafe-inline'", "sandbox"} <= set(policy)
    assert not any(each.startswith("script-src") for each in policy)
    for path in ("/lab", "/", "/lab/nowhere", "/lab/run/more"):
        assert reader.get(path).headers["content-security-policy"] == HEADERS["content-security-policy"]
