"""The terminal, used as a person or a script would: typed input, files, signals; real processes where these matter."""

import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest
from rich.console import Console
from tests.cli.command import heed_interrupts, run
from tests.table.fair import fair_deal

import tefuda
from tefuda import Session, View, load
from tefuda.bots.play_estimates import ActionEstimate
from tefuda.bots.players import HintsBot, choose_play
from tefuda.bots.search import SearchBot
from tefuda.cli.decision import Tutor
from tefuda.cli.draw import Artist
from tefuda.decks.data import spoken_name
from tefuda.engine.rng import Rng
from tefuda.games import description
from tefuda.table.record import Record

PATIENCE = 300
"""Seconds that something may take to be shown: rules may have to be compiled first."""

TEFUDA = [sys.executable, "-m", "tefuda"]


class Opening(NamedTuple):
    """A seeded game up to the player's first card, to which they must follow suit; they had nothing to expose."""

    seed: str
    legal: str
    illegal: str
    foreign: str


@pytest.fixture(scope="module")
def opening() -> Opening:
    for seed in range(200):
        deal = Session(load("gong-zhu"), seed).next_deal()
        while deal.mover != 0 or deal.sole_answer():
            answer = deal.sole_answer() if deal.mover == 0 else None
            if answer:
                deal.play(answer)
            else:
                choose_play(HintsBot(), deal, seed)
        hand = deal.view(0).to_dict()["hands"]
        legal = deal.legal()
        if (0, "expose:none") in deal.history and len(legal) < len(hand) and legal[0] in hand:
            illegal = next(card for card in hand if card not in legal)
            foreign = next(card for card in deal.game.description.cards if card not in hand)
            return Opening(str(seed), legal[0], illegal, foreign)
    raise AssertionError("no such deal")


def started(home: dict[str, str], *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, as a person or a script starts it."""
    return subprocess.run([*TEFUDA, *words], env=home, input=typed, capture_output=True, text=True, timeout=300)


def save_of(home: dict[str, str]) -> Path:
    return Path(home["XDG_DATA_HOME"]) / "tefuda" / "gong-zhu.tfd"


def test_without_a_command_it_says_what_there_is(home: dict[str, str]) -> None:
    done = started(home)
    assert done.returncode == 0
    assert "  play " in done.stdout


def test_version_and_help_are_where_people_look_for_them(home: dict[str, str]) -> None:
    assert run(home, "--version").stdout == f"tefuda {tefuda.__version__}\n"
    assert run(home, "-h").stdout == run(home, "--help").stdout
    assert "--seats" in run(home, "play", "-h").stdout
    assert "compare" in run(home, "lab", "-h").stdout


@pytest.mark.slow
def test_auto_prints_a_readable_deal_without_a_terminal(home: dict[str, str]) -> None:
    done = started(home, "play", "gong-zhu", "--auto", "--seed", "5", "--seats", "5")
    assert done.returncode == 0
    assert "Trick 10:" in done.stdout
    assert "Score sheet, deal 1" in done.stdout
    assert not save_of(home).exists()


def test_the_same_seed_deals_the_same_cards(home: dict[str, str]) -> None:
    first, second = (run(home, "play", "gong-zhu", "--auto", "--seed", "5").stdout for _ in range(2))
    assert first == second
    assert first != run(home, "play", "gong-zhu", "--auto", "--seed", "6").stdout


@pytest.mark.slow
def test_questions_refusals_and_a_hint_at_the_prompt(home: dict[str, str], opening: Opening) -> None:
    asked = [f"? {opening.foreign}", opening.illegal, "XX", "?", "? GZ-8", "? gz-80", "h", "l", "u", "s"]
    typed = "\n".join([*asked, opening.legal, "l", "q", ""])
    done = started(home, "play", "gong-zhu", "--seed", opening.seed, typed=typed)
    assert done.returncode == 0
    said = " ".join(done.stdout.split())
    assert "You: nothing exposed" in said  # GZ-7: asked like everybody; with one answer the table gives it
    assert f"{opening.foreign} {spoken_name(description('gong-zhu'), opening.foreign, 'en')}" in said
    assert said.count("[GZ-12]") == 2
    assert "XX is not a play" in said
    assert "GZ-8 The first time a suit is led" in said
    assert "There is no rule GZ-80" in said
    assert re.search(r"[♠♥♦♣]\w+: ", said)
    assert "No trick has been finished yet" in said
    assert "You have chosen no play in this deal yet." in said
    assert said.count("Trick 1:") == 2
    assert "tefuda play gong-zhu --resume" in said


@pytest.mark.parametrize("word", ["q", "quit", "Exit"])
def test_words_leave_the_game(home: dict[str, str], word: str) -> None:
    """Of gong-zhu."""
    done = run(home, "play", "gong-zhu", "--seed", "3", typed=f"help\nscores\n{word}\n")
    assert done.returncode == 0
    assert "marks what you may play" in done.stdout
    assert "You: 0 · Bot 1: 0" in done.stdout
    assert "is not a play" not in done.stdout


@pytest.mark.slow
def test_without_input_the_game_ends_with_an_error(home: dict[str, str]) -> None:
    done = started(home, "play", "gong-zhu", "--seed", "3")
    assert done.returncode == 2
    assert "No input" in done.stdout


def test_declarations_say_what_they_do(home: dict[str, str]) -> None:
    done = run(home, "play", "kakkuri", "--seed", "1", typed="q\n")
    assert re.search(r"\d  (swap|keep|drop|stay|cede|deal)  [A-Z]", done.stdout)


def test_the_hint_heads_the_table_of_what_the_search_found(home: dict[str, str], opening: Opening) -> None:
    """Asked once it says what to play and why, asked again with what figures."""
    said = run(home, "play", "gong-zhu", "--seed", opening.seed, typed="h\nh\nq\n").stdout
    *_, hint = re.finditer(r"(\S+)(?:: | rather than )(?=[A-Z♠♥♦♣])", said)
    table = said[hint.end() :].splitlines()
    shown = [line.split()[0] for line in table if re.search(r"[\d,]+ *$", line)]
    assert hint[1].lstrip("♠♥♦♣") == shown[0]


@pytest.mark.parametrize("command", ["r", "ranks"])
def test_ranks_are_a_command_away(home: dict[str, str], command: str) -> None:
    """Of gong-zhu."""
    said = run(home, "play", "gong-zhu", "--seed", "3", typed=f"{command}\nq\n").stdout
    assert said.count("ranks, from the top") == 2


def test_the_pace_is_changed_at_the_prompt_and_on_the_command_line(home: dict[str, str]) -> None:
    """Of gong-zhu."""
    typed = "pace\npace 0.2\npace key\npace quick\nq\n"
    said = run(home, "play", "gong-zhu", "--seed", "3", "--pace", "1.5", typed=typed).stdout
    assert re.findall(r"Pace: (\S+)", said) == ["1.5", "0.2", "key"]
    assert "pace: 'quick' is neither a number of seconds from 0 to 60 nor 'key'" in " ".join(said.split())


def test_commands_to_be_copied_stand_on_lines_of_their_own(
    home: dict[str, str], opening: Opening, tmp_path: Path
) -> None:
    """In a narrow window too; as the program was started, and with what a shell would take apart in quotes."""
    file = tmp_path / "my game.tfd"
    typed, narrow = f"{opening.legal}\nq\n", {**home, "COLUMNS": "40"}
    said = run(narrow, "play", "gong-zhu", "--seed", opening.seed, "--record", str(file), typed=typed).stdout
    command = said.splitlines()[-1]
    assert re.fullmatch(rf"(uv run )?tefuda play gong-zhu --resume --record '{file}'", command)
    words = shlex.split(command.partition("tefuda ")[2])
    assert run(narrow, *words, typed="q\n").stdout.splitlines()[-1] == command


def test_ctrl_c_stops_a_hint_and_not_the_game() -> None:
    """Of gong-zhu."""
    session, shown = Session(load("gong-zhu"), 3), StringIO()
    artist = Artist(session.game.description, "en", ["You", "1", "2", "3"], Console(file=shown))
    tutor = Tutor(session.game, artist)
    tutor.thinker = InterruptedBot()
    tutor.hint(session.next_deal())
    assert "Stopped." in shown.getvalue()


class InterruptedBot(SearchBot):
    """Whose search somebody stops by Ctrl-C."""

    def warm(self, view: View) -> None:
        pass

    def think(self, view: View, rng: Rng) -> list[ActionEstimate]:
        raise KeyboardInterrupt


def test_the_game_speaks_japanese(home: dict[str, str], opening: Opening) -> None:
    done = run(home, "play", "gong-zhu", "--seed", opening.seed, "--lang", "ja", typed=f"{opening.illegal}\nq\n")
    assert "出せません" in done.stdout
    assert "[GZ-12]" in done.stdout


def test_an_interrupted_game_is_saved_and_resumed(home: dict[str, str], opening: Opening) -> None:
    run(home, "play", "gong-zhu", "--seed", opening.seed, typed=f"{opening.legal}\nq\n")
    saved = Record.read(save_of(home)).replay()
    assert (0, opening.legal) in saved.deal.history
    resumed = run(home, "play", "gong-zhu", "--resume", typed="l\nq\n")
    assert resumed.returncode == 0
    after = Record.read(save_of(home)).replay()
    assert after.deal.history[: len(saved.deal.history)] == saved.deal.history


@pytest.mark.slow
def test_ctrl_c_at_the_prompt_loses_nothing(home: dict[str, str], opening: Opening) -> None:
    parent, child = pty.openpty()
    command = [*TEFUDA, "play", "gong-zhu", "--seed", opening.seed, "--plain"]
    game = subprocess.Popen(command, env=home, stdin=child, stdout=child, stderr=child, preexec_fn=heed_interrupts)
    os.close(child)
    shown = _read_until(parent, "Your play")
    os.write(parent, f"{opening.legal}\n".encode())
    shown += _read_until(parent, "trick 2.*Your play")
    while Path(f"/proc/{game.pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "S":
        time.sleep(0.02)  # Python overlooks an interruption just before it begins to wait for a key
    game.send_signal(signal.SIGINT)
    shown += _read_until(parent, "--resume")
    assert game.wait(timeout=PATIENCE) == 130
    os.close(parent)
    assert "Traceback" not in shown
    assert (0, opening.legal) in Record.read(save_of(home)).replay().deal.history


@pytest.mark.slow
def test_at_a_terminal_the_table_fills_the_screen_and_is_saved_when_it_is_left(
    home: dict[str, str], opening: Opening
) -> None:
    parent, child = pty.openpty()
    command = [*TEFUDA, "play", "gong-zhu", "--seed", opening.seed, "--pace", "0"]
    environment = {**home, "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    game = subprocess.Popen(command, env=environment, stdin=child, stdout=child, stderr=child)
    os.close(child)
    _read_until(parent, "Your play")
    os.write(parent, f"{opening.legal}\r".encode())
    _read_until(parent, "Trick 1: ")
    os.write(parent, b"\x03")
    assert "--resume" in _read_until(parent, "--resume")
    assert game.wait(timeout=PATIENCE) == 130
    os.close(parent)
    assert (0, opening.legal) in Record.read(save_of(home)).replay().deal.history


@pytest.mark.slow
def test_without_a_command_a_terminal_shows_the_games(home: dict[str, str]) -> None:
    parent, child = pty.openpty()
    environment = {**home, "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    screen = subprocess.Popen(TEFUDA, env=environment, stdin=child, stdout=child, stderr=child)
    os.close(child)
    _read_until(parent, "Sap Ng Wu")
    os.write(parent, b"q")
    assert screen.wait(timeout=PATIENCE) == 0
    os.close(parent)


@pytest.mark.parametrize("dumb", [{"TERM": "dumb"}, {"TERM": "xterm", "COLUMNS": "40"}])
@pytest.mark.slow
def test_dumb_and_small_terminals_get_lines(home: dict[str, str], dumb: dict[str, str]) -> None:
    parent, child = pty.openpty()
    environment = {**home, "COLUMNS": "80", "LINES": "24", **dumb}
    command = [*TEFUDA, "play", "kakkuri", "--seed", "1", "--pace", "0"]
    game = subprocess.Popen(command, env=environment, stdin=child, stdout=child, stderr=child)
    os.close(child)
    shown = _read_until(parent, "Your play")
    os.write(parent, b"q\n")
    assert game.wait(timeout=PATIENCE) == 0
    os.close(parent)
    assert "\x1b[?1049h" not in shown  # the other screen of a terminal, which Textual takes


def _read_until(terminal: int, pattern: str) -> str:
    shown = ""
    while not re.search(pattern, shown, re.DOTALL):
        if not select.select([terminal], [], [], PATIENCE)[0]:
            raise AssertionError(f"{pattern!r} is not shown after {PATIENCE} seconds, only: {shown}")
        shown += os.read(terminal, 65536).decode("utf-8", "replace")
    return shown


@pytest.mark.parametrize("typed", ["", "q\n", "LEGAL\nq\n"])
def test_a_script_does_not_touch_the_game_in_progress(home: dict[str, str], opening: Opening, typed: str) -> None:
    play = ("play", "gong-zhu", "--seed", opening.seed)
    run(home, *play, typed=f"{opening.legal}\nq\n")
    saved = save_of(home).read_text("utf-8")
    done = run(home, *play, typed=typed.replace("LEGAL", opening.legal))
    assert save_of(home).read_text("utf-8") == saved
    others = [path for path in save_of(home).parent.iterdir() if path != save_of(home)]
    assert len(others) == ("LEGAL" in typed)  # a game in which the player has played nothing is not kept
    for path in others:
        command = done.stdout.splitlines()[-1]
        assert command.endswith(f"tefuda play gong-zhu --resume --record {path}")


@pytest.mark.parametrize(("answer", "resumed"), [("", True), ("Y", True), ("n", False)])
def test_at_a_terminal_the_game_in_progress_is_offered(
    home: dict[str, str], opening: Opening, monkeypatch: pytest.MonkeyPatch, answer: str, resumed: bool
) -> None:
    run(home, "play", "gong-zhu", "--seed", opening.seed, typed=f"{opening.legal}\nq\n")
    saved = save_of(home).read_text("utf-8")
    asked: list[str] = []

    def ask(console: Console, prompt: str, words: Sequence[str]) -> str:
        asked.append(prompt)
        return answer if len(asked) == 1 else "q"

    monkeypatch.setattr("tefuda.cli.play_command.at_terminal", lambda: True)
    for module in ("decision", "course"):
        monkeypatch.setattr(f"tefuda.cli.{module}.ask", ask)
    done = run(home, "play", "gong-zhu")
    assert re.match(r"You have not finished the game of \d{4}-\d\d-\d\d \d\d:\d\d\. Resume it\? \[Y/n\]", asked[0])
    assert ("Resuming the game" in done.stdout) == resumed
    assert save_of(home).read_text("utf-8") == saved


def test_of_several_interrupted_games_the_player_chooses(
    home: dict[str, str], opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(home, "play", "gong-zhu", "--seed", opening.seed, typed=f"{opening.legal}\nq\n")
    path = save_of(home)
    earlier = path.with_name("gong-zhu-20261127-180508.tfd")
    earlier.write_text(path.read_text("utf-8"), "utf-8")
    path.with_name("gong-zhu-20261126-180508.tfd").write_text('{"play"', "utf-8")  # no game: it is not listed
    monkeypatch.setattr("tefuda.cli.play_command.at_terminal", lambda: True)
    chosen = run(home, "play", "gong-zhu", "--resume", typed="2\nq\n").stdout
    assert len(re.findall(r"^  \d  \d{4}-\d\d-\d\d \d\d:\d\d$", chosen, re.MULTILINE)) == 2
    assert str(earlier) in chosen.replace("\n", "")
    assert str(earlier) not in run(home, "play", "gong-zhu", "--resume", typed="\nq\n").stdout.replace("\n", "")
    refused = run(home, "play", "gong-zhu", "--resume", typed="3\n")
    assert (refused.returncode, "'3' is not a number from 1 to 2" in refused.stderr) == (2, True)


def test_a_game_is_asked_for_where_none_is_named(home: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "name a game" in run(home, "play").stderr
    monkeypatch.setattr("tefuda.cli.play_command.at_terminal", lambda: True)
    assert "Ma Diao" in run(home, "play", "--plain", typed="馬吊\nq\n").stdout
    assert run(home, "play", typed="").returncode == 0


def test_a_play_is_taken_back_with_all_that_followed_and_the_record_forgets_it(
    home: dict[str, str], opening: Opening
) -> None:
    done = run(home, "play", "gong-zhu", "--seed", opening.seed, typed=f"u\n{opening.legal}\nu\nu\nq\n")
    assert done.stdout.count("You have chosen no play in this deal yet.") == 2
    assert done.stdout.count("trick 1 of 13") == 2  # as it stood before the play
    history = Record.read(save_of(home)).replay().deal.history
    assert (0, opening.legal) not in history
    assert history[-1][0] != 0 or history[-1][1] == "expose:none"
    again = run(home, "play", "gong-zhu", "--resume", typed=f"{opening.legal}\nq\n")
    assert again.returncode == 0
    assert (0, opening.legal) in Record.read(save_of(home)).replay().deal.history


def test_a_new_game_of_ones_own_puts_the_earlier_one_aside_and_says_how_to_resume_it(
    home: dict[str, str], opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = ("play", "gong-zhu", "--seed", opening.seed)
    run(home, *play, typed=f"{opening.legal}\nq\n")
    saved = save_of(home).read_text("utf-8")
    monkeypatch.setattr("tefuda.cli.play_command.at_terminal", lambda: True)
    said = run(home, *play, typed=f"{opening.legal}\nq\n").stdout.splitlines()
    (kept,) = save_of(home).parent.glob("gong-zhu-*.tfd")
    assert kept.read_text("utf-8") == saved
    assert any(line.endswith(f"tefuda play gong-zhu --resume --record {kept}") for line in said)


def test_resume_takes_what_was_put_aside_if_the_game_in_progress_is_empty(
    home: dict[str, str], opening: Opening
) -> None:
    run(home, "play", "gong-zhu", "--seed", opening.seed, typed=f"{opening.legal}\nq\n")
    path = save_of(home)
    path.rename(path.with_name("gong-zhu-20261127-180508.tfd"))
    assert "Resuming the game" in run(home, "play", "gong-zhu", "--resume", typed="q\n").stdout
    path.write_text('{"tefuda": 1}\n', "utf-8")
    assert "Resuming the game" in run(home, "play", "gong-zhu", "--resume", typed="q\n").stdout


@pytest.mark.parametrize(
    "name", ["拱猪", "拱豬", "ゴンジュー", "GONG-ZHU", "gong_zhu", "Gong Zhu", "gongzhu", "gǒng zhū"]
)
def test_a_game_is_found_by_any_of_its_names(home: dict[str, str], name: str) -> None:
    assert run(home, "rules", name, "GZ-8").stdout == run(home, "rules", "gong-zhu", "GZ-8").stdout


@pytest.mark.parametrize("name", ["gong-zu", "拱朱", "豬"])
def test_a_name_like_that_of_a_game_is_answered_with_the_game(home: dict[str, str], name: str) -> None:
    assert run(home, "rules", name).stderr.endswith("; did you mean 'gong-zhu'?\n")


def test_a_record_replays_and_an_existing_file_is_not_overwritten(home: dict[str, str], tmp_path: Path) -> None:
    path = str(tmp_path / "game.tfd")
    assert run(home, "play", "gong-zhu", "--auto", "--seed", "5", "--record", path).returncode == 0
    replayed = run(home, "replay", path)
    assert replayed.returncode == 0
    assert "Trick 13:" in replayed.stdout
    again = run(home, "play", "gong-zhu", "--auto", "--record", path)
    assert again.returncode == 2
    assert "exists" in again.stderr


def test_replay_for_one_seat_shows_no_other_hand(home: dict[str, str], tmp_path: Path) -> None:
    path = str(tmp_path / "game.tfd")
    run(home, "play", "gong-zhu", "--auto", "--seed", "5", "--record", path)
    lines = Record.read(Path(path)).replay().deal
    before_play = run(home, "replay", path, "--seat", "1").stdout.split("Trick 1:")[0].split("1. ")[0]
    hidden = {card for seat in (0, 2, 3) for card in lines.at(0).view(seat).to_dict()["hands"]}
    assert not hidden & set(before_play.replace("▸", " ").split())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty, not a record"),
        ("hello\n", "line 1: not a line of a record"),
        ('{"tefuda": 99}\n', "format 99; this version reads 1"),
        ('{"tefuda": 1, "game": "gong-zhu"}\n', "lacks 'seats'"),
    ],
)
def test_a_file_that_is_no_record_is_named_with_its_line(
    home: dict[str, str], tmp_path: Path, text: str, told: str
) -> None:
    path = tmp_path / "bad.tfd"
    path.write_text(text, "utf-8")
    done = run(home, "replay", str(path))
    assert done.returncode == 2
    assert told in done.stderr
    assert "bad.tfd" in done.stderr


def test_a_tampered_record_is_refused_by_the_rules(home: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "game.tfd"
    run(home, "play", "gong-zhu", "--auto", "--seed", "5", "--record", str(path))
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    plays = [row for row in rows if "play" in row]
    plays[4]["play"], plays[5]["play"] = plays[5]["play"], plays[4]["play"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    done = run(home, "replay", str(path))
    assert done.returncode == 2
    assert "deal 1: play 5" in done.stderr


@pytest.mark.slow
def test_check_counts_and_names_what_failed(home: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "ruling.toml"
    path.write_text(
        'game = "gong-zhu"\n'
        '[[case]]\nname = "right"\n[case.position]\nhands = ["", "", "", ""]\ncaptured = ["SQ", "", "", ""]\n'
        "[case.expect]\npayoff = [-100, 0, 0, 0]\n"
        '[[case]]\nname = "wrong"\n[case.position]\nhands = ["", "", "", ""]\ncaptured = ["SQ", "", "", ""]\n'
        "[case.expect]\npayoff = [100, 0, 0, 0]\n",
        "utf-8",
    )
    done = started(home, "check", str(path))
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "1 passed, 1 failed"
    assert "wrong: payoff: expected [100, 0, 0, 0], found [-100, 0, 0, 0]" in done.stdout


def test_help_answers_without_the_engine(home: dict[str, str]) -> None:
    slow = ("numba", "numpy", "rich.table", "textual")
    code = f"import sys, tefuda.cli.app; print([name for name in {slow} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], env=home, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
def test_verify_computes_the_shuffle_again(tmp_path: Path, home: dict[str, str]) -> None:
    deal = fair_deal()
    assert deal.proof is not None
    file = tmp_path / "fair.tfd"
    file.write_text(deal.record(), "utf-8")
    commitment = deal.proof.commitment.hex()

    def verify(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*TEFUDA, "verify", str(file), *more], env=home, capture_output=True, text=True)

    assert "deal 1: fair, 4 of 4 seats added entropy" in verify("--commitment", commitment).stdout
    foreign = verify("--commitment", "00" * 32)
    assert (foreign.returncode, foreign.stderr.count("\n")) == (2, 1)
    file.write_text(deal.record().replace(commitment, "00" * 32), "utf-8")
    tampered = verify()
    assert tampered.returncode == 2
    assert "deal 1: the secret is not what the commitment" in tampered.stderr
