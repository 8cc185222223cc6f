"""Paragraphs in the terminal: filled lines in every language, nothing cut off."""

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tefuda.cli.draw import Prose

CHINESE = "八人玩：這時持 C3（黑火箸）的人必須離開這一局。選項 return_consent = never 時，誰也不能回來。"


def printed(text: Text | str, width: int) -> list[str]:
    console = Console(width=width, record=True, color_system=None)
    with console.capture() as shown:
        console.print(Prose(text))
    return shown.get().rstrip("\n").split("\n")


@pytest.mark.parametrize("width", range(16, 60))
def test_chinese_fills_lines_and_keeps_words_and_stops_in_place(width: int) -> None:
    lines = printed(CHINESE, width)
    assert all(cell_len(line) <= width for line in lines)
    assert all(line[0] not in "，。）：" and line[-1] not in "（ " for line in lines)
    assert "".join(lines).replace(" ", "") == CHINESE.replace(" ", "")
    assert all(any(word in line for line in lines) for word in ("C3", "return_consent", "never"))
    assert all(cell_len(line) >= width - cell_len("return_consent") for line in lines[:-1])


def test_english_is_broken_at_blanks_only() -> None:
    assert printed("The queen of spades, the pig (-100).", 14) == ["The queen of", "spades, the", "pig (-100)."]


def test_line_ends_and_brackets_are_kept() -> None:
    assert printed("[GZ-8]\n\n[bold]", 20) == ["[GZ-8]", "", "[bold]"]


def test_what_cannot_be_broken_is_folded_and_not_cut_off() -> None:
    assert printed("declarer+only_old+sixth_trick", 12) == ["declarer+onl", "y_old+sixth_", "trick"]


def test_a_column_is_as_wide_as_its_longest_word() -> None:
    table = Table.grid()
    table.add_row(Prose("--set old_reading=private"), Prose("所屬之牌" * 20))
    console = Console(width=40, color_system=None)
    with console.capture() as shown:
        console.print(table)
    assert "old_reading=private" in shown.get()
    assert "…" not in shown.get()
