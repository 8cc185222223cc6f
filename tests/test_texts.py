"""The catalogues of texts: every language has every text, with the same fields and the same rule numbers."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tefuda.engine.errors import TefudaError
from tefuda.engine.sentence import Refusal
from tefuda.engine.texts import LANGUAGES, TEXTS, MissingTextError, catalogue, closest, own_texts, spelled
from tefuda.games import description, names
from tefuda.table.reasons import say
from tefuda.testing.play_checks import in_every_language

FOLDERS = [TEXTS, TEXTS.parent / "lab" / "report" / "texts", *(description(game).files.texts for game in names())]
BESIDE = {"sources", "glossary", "example", "moments", "sheet"}
"""Files beside the catalogues that are none: each is in no language, or in all."""

CATALOGUES = [path for folder in FOLDERS for path in sorted(folder.glob("*.toml")) if path.stem not in BESIDE]

RULE = r"[A-Z]{2}-[0-9]+[a-z]?"
"""The number of a rule."""


def named(path: Path) -> str:
    return "/".join(path.parts[-3:])


def texts(path: Path) -> dict[str, str]:
    return dict(leaves(tomllib.loads(path.read_text("utf-8"))))


def leaves(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def found(pattern: str, path: Path) -> dict[str, set[str]]:
    """What the pattern finds in each text; a language may say it more often than another."""
    return {key: set(re.findall(pattern, text)) for key, text in texts(path).items()}


def english(path: Path) -> Path:
    return path.with_name("en.toml")


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_every_language_has_the_same_texts_in_the_same_order(path: Path) -> None:
    assert list(texts(path)) == list(texts(english(path)))


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_every_text_has_the_fields_of_the_english_one(path: Path) -> None:
    assert found(r"\{.*?\}", path) == found(r"\{.*?\}", english(path))


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_every_text_names_the_rules_of_the_english_one(path: Path) -> None:
    assert found(RULE, path) == found(RULE, english(path))


@pytest.mark.parametrize("path", CATALOGUES, ids=named)
def test_every_text_says_something(path: Path) -> None:
    assert all(text.strip() for text in texts(path).values())


@pytest.mark.parametrize("game", names())
def test_every_line_of_a_sheet_names_a_rule_and_every_moment_is_an_event(game: str) -> None:
    texts = description(game).files.texts
    english, rules, moments = (catalogue(texts, "en"), own_texts(texts, "sheet"), own_texts(texts, "moments"))
    assert set(rules) == set(english.under("sheet")) - {"total"}, "a sum needs none"
    assert {number for number in rules.values() if f"rules.{number}" not in english} == set()
    events = {key.rpartition(".")[0]: tune for key, tune in moments.items() if key.endswith(".tune")}
    assert {f"{key}.{kind}" for key in events for kind in ("tune", "card", "luck")} >= set(moments)
    assert set(events) <= set(english.under("events"))
    assert all(100 < int(pitch) < 5000 for tune in events.values() for pitch in tune.split())


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_every_catalogue_is_there(folder: Path) -> None:
    assert {path.stem for path in folder.glob("*.toml")} - BESIDE == set(LANGUAGES)


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("en", "en"),
        ("en-GB", "en"),
        ("ja-JP", "ja"),
        ("zh-Hant", "zh-Hant"),
        ("zh-hant-HK", "zh-Hant"),
        ("zh-Hant-CN", "zh-Hant"),
        ("zh-TW", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("zh-MO", "zh-Hant"),
        ("zh_TW", "zh-Hant"),
        ("yue-HK", "zh-Hant"),
        ("zh-Hans", "zh-Hans"),
        ("zh-Hans-HK", "zh-Hans"),
        ("zh-CN", "zh-Hans"),
        ("zh-SG", "zh-Hans"),
        (" zh", "zh-Hans"),
        ("de", None),
        ("jam", None),
        ("*", None),
        ("", None),
    ],
)
def test_the_tags_that_browsers_send_find_their_language(tag: str, language: str | None) -> None:
    assert closest(tag) == language


def test_the_contract_asks_for_english_and_holds_what_else_there_is_to_it(tmp_path: Path) -> None:
    alone, with_another = tmp_path / "alone", tmp_path / "with_another"
    for folder in (alone, with_another):
        folder.mkdir()
        (folder / "en.toml").write_text('[why]\nnot_held = "You do not hold it."\n', "utf-8")
    (with_another / "ja.toml").write_text("", "utf-8")
    assert in_every_language(alone, "why.not_held")
    assert not in_every_language(alone, "why.other")
    assert not in_every_language(with_another, "why.not_held")


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("why.other", r"en\.toml: there is no text why\.other"),
        ("why.held", r"en\.toml: why\.held: there is no field 'card'"),
    ],
)
def test_a_text_that_cannot_be_said_is_named_with_its_file(tmp_path: Path, key: str, told: str) -> None:
    (tmp_path / "en.toml").write_text('[why]\nheld = "You do not hold {card}."\n', "utf-8")
    with pytest.raises(MissingTextError, match=told):
        catalogue(tmp_path, "en")(key, seat="0")


def test_a_catalogue_that_is_no_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / "en.toml").write_text("title = Hearts\n", "utf-8")
    with pytest.raises(TefudaError, match=r"en\.toml: not TOML"):
        catalogue(tmp_path, "en")


SCRIPTS = {"ja": "shift_jis", "zh-Hant": "big5", "zh-Hans": "gb2312"}
"""An encoding that has the characters which a language writes, and not those of the others."""

STRANGERS = {"ja": "凳么鬭樁俱", "zh-Hant": "読鬭猪彦", "zh-Hans": "読馬弔"}
"""Characters of another script, in names and quotations from there."""

FOREIGN_MARKS = {"ja": "“”‘’", "zh-Hant": "“”‘’", "zh-Hans": "「」『』"}
"""Quotation marks of other languages."""

HALF_WIDTH = re.compile(r"[\u3040-\u30fa\u4e00-\u9fff][,;:!?()]|[,;:!()][\u3040-\u30fa\u4e00-\u9fff]")
"""A Latin mark beside a character; a question mark may be a key that is named."""

WRITTEN = [
    *(path for path in CATALOGUES if path.stem in SCRIPTS),
    *(path for game in names() for deck in description(game).files.decks for path in deck.parent.glob("*.toml")),
    *(path for game in names() for path in description(game).files.tours),
    *(path for game in names() for path in description(game).files.texts.glob("glossary.toml")),
    *(path for game in names() for path in description(game).files.texts.glob("example.toml")),
    *(path for game in names() for path in sorted(description(game).files.texts.glob("about/*.md"))),
]
"""Everything that is written in these languages, each text under the language's name or in its catalogue."""


def in_language(path: Path, language: str) -> Iterator[tuple[str, str]]:
    """The texts of a file that are in this language, by their keys."""
    alone = path.stem == language
    if path.suffix == ".md":
        yield from [("", path.read_text("utf-8"))] if alone else []
        return
    for key, text in all_texts(tomllib.loads(path.read_text("utf-8"))):
        if alone or language in key.split("."):
            yield key, text


def all_texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """The texts of a file, those in lists too."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, Mapping | list):
        for name, each in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from all_texts(each, f"{key}.{name}".lstrip("."))


def is_written(character: str, language: str) -> bool:
    """Whether a character is one that this language writes; what is no Chinese character always is."""
    if not "\u3400" <= character <= "\u9fff" or character in STRANGERS[language]:
        return True
    try:
        character.encode(SCRIPTS[language])
    except UnicodeEncodeError:
        return False
    return True


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize("path", WRITTEN, ids=named)
def test_every_language_has_its_own_characters_and_marks(path: Path, language: str) -> None:
    for key, text in in_language(path, language):
        foreign = {character for character in text if not is_written(character, language)}
        assert not foreign, f"{key}: {foreign}"
        assert not set(text) & set(FOREIGN_MARKS[language]), key
        assert not HALF_WIDTH.search(text), f"{key}: {HALF_WIDTH.findall(text)}"


CODE = re.compile(r"(`[^`]*`|\{[A-Z0-9]{2,3}\})")
"""Notation in a text, and a card in a tour."""

COUNTED = re.compile("[0-9０-９]|[一二三四五六七八九十兩两]?[枚張张個个]")
"""A number, or what counts cards."""


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize("path", WRITTEN, ids=named)
def test_no_number_touches_a_code(path: Path, language: str) -> None:
    """Three of the card 26 must not be read as 263 where codes are printed plainly."""
    for key, text in in_language(path, language):
        parts = CODE.split(text)
        touching = [
            code
            for left, code, right in zip(parts[:-1:2], parts[1::2], parts[2::2], strict=True)
            if COUNTED.match(right) or left[-1:].isdigit()
        ]
        assert not touching, f"{key}: {touching}"


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize("game", names())
def test_cards_are_written_with_the_characters_of_the_language(game: str, language: str) -> None:
    faces = [face.written(language) for face in description(game).display.faces.values()]
    foreign = {each for face in faces for each in face.text + face.name if not is_written(each, language)}
    assert not foreign


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("supreme cards `24+24` laid", "supreme cards 24六 24六 laid"),
        ("手中 `24` 太少", "手中 24六太少"),
        ("手札の`24`が足りません", "手札の24六が足りません"),
        ("请说 `stop` 结束", "请说 stop 结束"),
    ],
)
def test_between_two_characters_there_is_no_space_and_in_english_there_is(text: str, said: str) -> None:
    def with_name(quoted: str) -> str:
        return " ".join("24六" if word == "24" else word for word in quoted.split("+"))

    assert spelled(text, with_name) == said


@pytest.mark.parametrize(("language", "text"), [("en", "You can say stop"), ("ja", "stopは")])
def test_what_is_typed_keeps_its_small_letter_where_a_sentence_begins(language: str, text: str) -> None:
    reason = say(description("luk-fu"), Refusal("LF-41", "no_decision", {"play": "stop"}), language)
    assert reason.text.startswith(text)
