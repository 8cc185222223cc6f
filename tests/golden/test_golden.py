"""Recorded deals end as they did when they were recorded; the readable playthrough says what it said."""

from difflib import unified_diff
from itertools import pairwise
from pathlib import Path

import pytest

from tefuda import games
from tefuda.table.record import Record
from tests.contract.particulars import TESTS, particulars
from tests.golden.regenerate import playthrough, records_of

RECORDS = sorted(TESTS.glob("*/golden/**/*.tfd"))
DEALS_PER_GAME = 50
SHOWN = 30


def _name(path: Path) -> str:
    return str(path.relative_to(TESTS).with_suffix(""))


@pytest.mark.parametrize("path", RECORDS, ids=_name)
def test_a_record_replays_to_the_recorded_payoffs(path: Path) -> None:
    recorded = Record.read(path)
    assert all(deal.payoff is not None for deal in recorded.deals)
    session = recorded.replay()
    assert [deal.payoff() for deal in session.deals] == [deal.payoff for deal in recorded.deals]
    assert session.record(recorded.players) == path.read_text("utf-8")


@pytest.mark.parametrize("path", RECORDS, ids=_name)
def test_each_deal_of_a_record_begins_with_what_the_one_before_handed_on(path: Path) -> None:
    deals = Record.read(path).replay().deals
    for deal, following in pairwise(deals):
        assert following.before is not None
        for field in deal.game.description.fields:
            if field.carried:
                assert following.before[field.name].tolist() == deal.following()[field.name].tolist()


@pytest.mark.parametrize("name", games.names())
def test_every_game_has_its_records(name: str) -> None:
    recorded = [Record.read(path) for path in RECORDS if path.parent == records_of(name)]
    assert sum(len(record.deals) for record in recorded) == DEALS_PER_GAME
    assert {record.game for record in recorded} == {name}
    names = {table.name for table in particulars(name).recordings}
    assert {path.stem for path in RECORDS if path.parent == records_of(name)} == names


@pytest.mark.parametrize("name", games.names())
def test_every_version_of_the_rules_has_its_records(name: str) -> None:
    """Those of an older version stand in a folder of their own, and replay under it."""
    present = games.description(name).rules_version
    for version in range(1, present + 1):
        folder = records_of(name) if version == present else records_of(name) / f"v{version}"
        found = [Record.read(path).rules for path in RECORDS if path.parent == folder]
        assert found
        assert set(found) == {version}


@pytest.mark.parametrize("name", games.names())
def test_the_playthrough_says_what_it_said(name: str) -> None:
    """If the change is meant: ``python -m tests.golden.regenerate``, and read the difference."""
    path = records_of(name) / "playthrough.txt"
    old, new = path.read_text("utf-8"), playthrough(name)
    difference = list(unified_diff(old.splitlines(), new.splitlines(), "recorded", "now", lineterm="", n=0))
    if difference:
        pytest.fail("\n".join(["the playthrough has changed:", *difference[:SHOWN]]), pytrace=False)


@pytest.mark.parametrize("name", games.names())
def test_a_version_of_the_rules_is_one_description(name: str) -> None:
    """However many tables follow it: what is derived from a description is cached by it."""
    game = games.description(name)
    for version in range(1, game.rules_version + 1):
        assert game.as_of(version) is game.as_of(version)
