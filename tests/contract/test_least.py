"""A game with nothing but what the tutorial tells its writer to write keeps the contract; the kit gives the rest."""

from dataclasses import replace
from pathlib import Path

import pytest

from tefuda.engine.kit import trick_game
from tefuda.engine.kit.kept import Small
from tefuda.engine.kit.positions import PositionError
from tefuda.engine.kit.session import SessionState
from tefuda.engine.kit.state import field
from tefuda.games import UnknownGameError, description
from tefuda.table.game import Game
from tefuda.testing import check_contract, check_texts
from tests.contract.least import GAME
from tests.own_game import announce

LEAST = Game(GAME)
HANDS = ["SA SK SQ SJ S10", "HA HK HQ HJ H10", "DA DK DQ DJ D10", "CA CK CQ CJ C10"]


@pytest.mark.slow
def test_it_keeps_the_contract_without_hooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    announce(tmp_path, "least", "tests.contract.least")
    monkeypatch.syspath_prepend(tmp_path)
    check_contract(LEAST, deals=6, seed=1)


def test_a_game_is_announced_by_its_own_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    announce(tmp_path, "fewest", "tests.contract.least")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UnknownGameError, match="the entry point 'fewest' leads to the game 'least': call it so"):
        description("fewest")


@pytest.mark.slow
def test_it_deals_the_hands_that_are_given_in_packets_from_the_last_seat() -> None:
    deal = LEAST.deal(hands=HANDS)
    assert [deal.view(seat).to_dict()["hands"] for seat in range(4)] == [hand.split()[::-1] for hand in HANDS]
    assert deal.deck is not None
    assert [GAME.cards[card] for card in deal.deck[:6]] == ["C10", "CJ", "CQ", "CK", "CA", "S10"]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["spades", "playing", "trick"])
def test_the_contract_asks_for_what_views_and_events_say(tmp_path: Path, key: str) -> None:
    lines = (GAME.files.texts / "en.toml").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "en.toml").write_text("".join(line for line in lines if not line.startswith(f"{key} = ")), "utf-8")
    with pytest.raises(AssertionError, match=f"a language lacks [a-z]*.{key}"):
        check_texts(Game(replace(GAME, files=replace(GAME.files, texts=tmp_path))), deals=1)


@pytest.mark.slow
def test_the_table_says_which_phase_it_is_and_counts_no_trick_before_play() -> None:
    shared_scene = trick_game.shared_scene_by(("passing", "playing", "over"))
    views = [LEAST.deal(1).view(0).record for _ in range(2)]
    views[1].phase = 1
    assert [(laid["phase"], laid["number"], laid["lead"]) for laid in map(shared_scene, views)] == [
        ("phase.passing", 0, -1),
        ("phase.playing", 1, 0),
    ]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"hands": ["SA SK SQ SJ", *HANDS[1:]]}, "hands, seat 0: 4 cards instead of 5"),
        ({"hands": ["SA SK SQ SJ HA", *HANDS[1:]]}, "HA is already somewhere else"),
        ({"hands": ["SA SK SQ SJ S9", *HANDS[1:]]}, "'S9' is not a card of this pack"),
        ({"dealer": 1}, "no field 'dealer'"),
    ],
)
def test_hands_that_cannot_be_dealt_are_refused(fields: dict[str, object], told: str) -> None:
    with pytest.raises(PositionError, match=told):
        LEAST.deal(fields=fields)


def test_a_field_that_uncompiled_rules_would_not_find_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Wrong.round: NumPy's records have a round of their own"):

        class Wrong(SessionState, most_seats=2):
            round: Small = field("0, 1")
