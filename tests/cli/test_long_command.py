"""How far a long command is, where there is no terminal."""

from io import StringIO

from rich.console import Console

from tefuda.cli.progress import PaceLines, announce, duration


def test_lines_come_ever_more_seldom_and_say_how_long_the_rest_takes() -> None:
    now, said = [0.0], list[str]()
    lines = PaceLines(said.append, "deals", 1010, clock=lambda: now[0])
    now[0] += 20.0  # what is new is compiled: that is no pace
    lines.advance(10)  # kept by an earlier run: they took no time
    for _ in range(99):
        now[0] += 1.0
        lines.advance(10)
    assert said[0] == "60 of 1,010 deals after 5 s; 95 s more at this pace"
    assert [line.split(" after ")[1].split(";")[0] for line in said] == ["5 s", "10 s", "20 s", "40 s", "80 s"]


def test_what_begins_is_said_where_no_bar_shows_it() -> None:
    for is_terminal, said in (False, "Match.\n"), (True, ""):
        out = StringIO()
        announce(Console(file=out, force_terminal=is_terminal), "Match.")
        assert out.getvalue() == said


def test_times_are_as_people_say_them() -> None:
    assert [duration(each) for each in (40, 720, 12_600)] == ["40 s", "12 min", "3.5 h"]
