"""Words of other languages in the texts of pages."""

import pytest
from markupsafe import Markup

from tefuda.games import description
from tefuda.server.pages.layout import home_of, marked


@pytest.mark.parametrize(
    ("text", "language", "shown"),
    [
        ("hangs 吊: +1", "en", 'hangs <span lang="zh">吊</span>: +1'),
        ("the box ハコ", "en", 'the box <span lang="ja">ハコ</span>'),
        ("名稱來自「勘ぐり」", "zh-Hant", '名稱來自「<span lang="ja">勘ぐり</span>」'),
        ("开箱（ハコを起こす）", "zh-Hans", '开箱（<span lang="ja">ハコを起こす</span>）'),
        ("宣告ウタズ的人", "zh-Hant", '宣告<span lang="ja">ウタズ</span>的人'),
        ("場札に続ける", "ja", "場札に続ける"),
        ("<b>", "en", "&lt;b&gt;"),
    ],
)
def test_words_of_another_language_say_which(text: str, language: str, shown: str) -> None:
    assert marked(text, language, "zh") == shown


@pytest.mark.parametrize(("game", "home"), [("kakkuri", "ja"), ("gong-zhu", "zh"), ("ma-diao", "zh")])
def test_a_games_own_terms_are_of_its_home(game: str, home: str) -> None:
    assert home_of(description(game)) == home


def test_marked_up_text_keeps_its_links() -> None:
    link = Markup('<a href="#KK-1">KK-1</a> ')
    assert marked(link + "場札", "en", "ja") == f'{link}<span lang="ja">場札</span>'
