"""Problems: what ships is well-formed and solvable, answers are kept, a file that will not do is named."""

import json
import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from tools.problems import MOST_A_DEAL, ProblemMaker, estimate_plays, sort, theme, write

from tefuda import load
from tefuda.bots.advice import figure, first_actions
from tefuda.bots.play_estimates import try_actions
from tefuda.bots.players import HintsBot, choose_play
from tefuda.bots.problem import GRADES, of_day, problems_of, read
from tefuda.bots.search import Budget, SearchBot
from tefuda.cli.lesson import SolvedProblems
from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import LANGUAGES, catalogue
from tefuda.games import description, names
from tests.cli.command import run
from tests.searched import every_game, solved

FEWEST = 30


@pytest.mark.parametrize("name", names())
def test_every_game_has_problems_and_each_can_be_played(name: str) -> None:
    game, problems = load(name), problems_of(description(name))
    assert len(problems) >= FEWEST
    assert len({each.name for each in problems}) == len(problems)
    assert problems == sort(problems)
    assert {each.grade for each in problems} <= set(range(1, GRADES + 1))
    for problem in problems:
        deal = problem.deal(game)
        assert deal.mover == problem.seat
        assert problem.best in deal.legal()
        assert problem.is_solved_by(deal, problem.best) or problem.best.startswith("~")


@pytest.mark.parametrize("name", names())
def test_a_theme_names_what_the_best_play_does(name: str) -> None:
    game = load(name)
    for problem in problems_of(description(name)):
        assert problem.theme == theme(problem.deal(game), problem.best)
        for language in LANGUAGES:
            assert problem.theme in catalogue(game.description.files.texts, language)


def test_problems_can_be_kept_by_what_remembers_answers() -> None:
    """Pages are made once for each problem."""
    assert len(set(problems_of(description("gong-zhu")))) == len(problems_of(description("gong-zhu")))


def test_a_theme_is_in_terms_of_the_game() -> None:
    """Gong Zhu: to lead a low spade draws out the pig; a card below another ducks."""
    deal = load("gong-zhu").position({"hands": ["S2 H3", "SK SA", "SQ S3", "SJ H6"]})
    assert theme(deal, "S2") == "themes.flushes"
    deal.play("S2")
    deal.play("SK")
    assert theme(deal, "S3") == "themes.ducks"


@pytest.mark.slow
@pytest.mark.parametrize("name", every_game())
def test_every_solution_says_why(name: str) -> None:
    assert [problem for problem, _, _ in solved(name)] == problems_of(description(name))
    for _, deal, verdict in solved(name):
        assert verdict.code
        for language in LANGUAGES:
            assert verdict.sentence(deal, language)
            assert verdict.figures(deal, language)


@pytest.mark.parametrize("name", every_game())
def test_the_solution_of_a_hard_problem_says_by_how_much_it_is_better_and_in_what_unit(name: str) -> None:
    game = load(name)
    problem = next(each for each in problems_of(description(name)) if each.is_hard)
    deal = problem.deal(game)
    verdict = problem.solution(deal)
    assert verdict == problem.solution(deal)
    for language in LANGUAGES:
        unit = catalogue(game.description.files.texts, language)("currency")
        said = verdict.figures(deal, language)
        search = said[verdict.contrast is not None]
        assert problem.usual in search
        assert re.search(rf"{re.escape(figure(problem.gain))} ?{unit}", search)
        assert len(said) == 1 + sum(map(bool, (verdict.contrast, verdict.worlds, verdict.holding)))


@pytest.mark.parametrize("name", names())
def test_no_two_problems_show_the_same(name: str) -> None:
    game = load(name)
    shown = {problem.deal(game).view(problem.seat).record.tobytes() for problem in problems_of(description(name))}
    assert len(shown) == len(problems_of(description(name)))


@pytest.mark.deep
@pytest.mark.parametrize("name", names())
def test_no_judge_contradicts_a_solution(name: str) -> None:
    """Each finds the best play better than the usual one, or, where that is the best, no other clearly better."""
    game = load(name)
    for problem in problems_of(description(name)):
        deal = problem.deal(game)
        best, *others = list(
            dict.fromkeys([*first_actions(deal, [problem.best, problem.usual]), *deal.legal_actions()])
        )
        tried = try_actions(game.description, deal.array, deal.mover, [best, *others], (78, problem.seed), 1000)
        for place in range(1, len(others) + 1):
            for each in tried.rollouts:
                mean, error = each.of(0, place).more
                assert mean >= -4 * error, problem.name
                assert mean > 0 or place > 1 or not problem.is_hard, problem.name


def test_the_maker_finds_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of gong-zhu: from the same seed. Its long searches and its judges are short ones here."""
    for name, short in {"LONG": Budget(iterations=3_000), "MAKER_WORLDS": 200, "NESTED_WORLDS": 12}.items():
        monkeypatch.setattr(f"tools.problems.{name}", short)
    first, again = (next(ProblemMaker(load("gong-zhu"), 9).problems()) for _ in range(2))
    assert len(first) == MOST_A_DEAL
    assert first == again


def test_what_a_search_finds_is_of_plays() -> None:
    """Small steps that begin alike are one play's; amounts are as people count them."""
    deal, few = load("gong-zhu").deal(0), Budget(iterations=60)
    while len(deal.history) < 20:
        choose_play(HintsBot(), deal, 0)
    best, *others = estimate_plays(deal, SearchBot(few))
    assert {each.play for each in (best, *others)} <= set(deal.legal())
    assert sum(each.visits for each in (best, *others)) == few.iterations
    assert [each.visits for each in others] == sorted((each.visits for each in others), reverse=True)


def test_a_file_keeps_problems(tmp_path: Path) -> None:
    problems = problems_of(description("gong-zhu"))
    write(tmp_path / "some.jsonl", problems[::-1])
    assert read(tmp_path / "some.jsonl") == problems


@pytest.mark.parametrize("line", ["{", "[]", '{"seed": 1}', '{"found": [{"play": "SA"}]}', "7"])
def test_a_line_that_is_no_problem_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(f"{line}\n", "utf-8")
    with pytest.raises(TefudaError, match="line 1: not a problem"):
        read(path)


def test_a_problem_of_other_rules_is_refused() -> None:
    problem = replace(problems_of(description("gong-zhu"))[0], rules=99)
    with pytest.raises(TefudaError, match="other rules"):
        problem.deal(load("gong-zhu"))


def test_what_was_missed_comes_back_before_what_is_new(tmp_path: Path) -> None:
    problems, progress = problems_of(description("gong-zhu")), SolvedProblems(tmp_path / "p.json")
    assert progress.next_of(problems) == problems[0]
    progress.answered(problems[0], solved=False)
    progress.answered(problems[1], solved=True)
    kept = SolvedProblems(tmp_path / "p.json")
    assert [kept.due(each) is None for each in problems[:3]] == [False, False, True]
    again, later = kept.due(problems[0]), kept.due(problems[1])
    assert again is not None
    assert later is not None
    assert again < later
    assert kept.next_of(problems) == problems[2]
    assert again - datetime.now(UTC) < timedelta(hours=1)


def test_what_is_kept_of_a_problem_that_ships_no_more_does_no_harm(tmp_path: Path) -> None:
    """The others are asked as ever, and the answer to the old one stays in the file."""
    problems, progress = problems_of(description("gong-zhu")), SolvedProblems(tmp_path / "p.json")
    gone, *left = problems
    for each in (gone, left[0]):
        progress.answered(each, solved=False)
    kept = SolvedProblems(tmp_path / "p.json")
    assert kept.next_of(left) == left[1], "what was just missed comes back later"
    kept.answered(left[1], solved=True)
    assert kept.due(gone) is not None
    assert of_day(left, date(2026, 11, 23)) in left


def test_the_day_has_one_problem() -> None:
    problems = problems_of(description("gong-zhu"))
    day = date(2026, 11, 23)
    assert of_day(problems, day) == of_day(problems, day)
    assert of_day(problems, day) != of_day(problems, day + timedelta(days=1))


def test_a_problem_is_solved_and_missed_at_the_terminal(home: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of gong-zhu."""
    problem = problems_of(description("gong-zhu"))[-1]
    deal = problem.deal(load("gong-zhu"))
    other = next(word for word in deal.legal() if word != problem.best)
    ask = ["problems", "solve", "gong-zhu", "--name", problem.name]
    assert "Right." in run(home, *ask, typed=f"XX\n{problem.best}\n").stdout
    missed = run(home, *ask, typed=f"{other}\n").stdout
    assert "Not the best play." in missed
    assert re.search(rf"{problem.best}[^:]*: ", missed) or f"{problem.best} rather than" in missed
    kept = json.loads(Path(home["XDG_DATA_HOME"], "tefuda", "gong-zhu-problems.json").read_text("utf-8"))
    assert kept[problem.name]["solved"] is False


def test_wrong_names_and_files_are_told(home: dict[str, str]) -> None:
    assert "gong-zhu has no problem '0-0'" in run(home, "problems", "solve", "gong-zhu", "--name", "0-0").stderr
    path = Path(home["XDG_DATA_HOME"]) / "tefuda" / "gong-zhu-problems.json"
    path.parent.mkdir(parents=True)
    path.write_text("[1]", "utf-8")
    assert "not a list of solved problems" in run(home, "problems", "solve", "gong-zhu", typed="q\n").stderr
    assert path.read_text("utf-8") == "[1]"
