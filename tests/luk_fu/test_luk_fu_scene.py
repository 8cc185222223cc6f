"""What the table shows of a deal of Luk Fu."""

import pytest

from tefuda import load


def test_tricks_are_counted_by_cards_not_by_leads() -> None:
    """LF-38: three cards each are three of the twelve tricks, in the heading and in what is told."""
    hands = [
        "T9 T8 T7 K9 K8 S9 S8 S7 C9 C8 C7 C6",
        "T6 T5 T4 T3 T2 K7 K6 K5 S6 S5 S4 C5",
        "T1 K4 K3 K2 K1 S3 S2 S1 C4 C3 C2 C1",
    ]
    deal = load("luk-fu").deal(hands=hands, fields={"dealer": 0})
    deal.play("play")
    assert (deal.view(0).scene.number, deal.view(0).scene.tricks) == (1, 12)
    deal.play("T7+T8+T9")
    deal.play("~T2+T3+T4")
    before = deal.view(0)
    deal.play("~K1+K2+K3")
    told = deal.game.description.display.events(before.record, 2, "~K1+K2+K3", deal.view(0).record)
    assert told[-1].fields["number"] == "1"
    assert deal.view(0).scene.number == 4


@pytest.mark.parametrize(
    ("led", "won", "stake"),
    [
        ("S4", "", []),
        ("S2+S3+S4", "", [("scene.stake_tricks", {"count": "3"})]),
        ("S4", "T3 T4 T5 T6 T7", [("scene.stake_six", {"seat": "#0"})]),
        ("S4", "T3 T4 T5 T6 T7 T8", []),
    ],
    ids=["one trick", "three", "the sixth", "the seventh"],
)
def test_a_trick_that_decides_something_says_so(led: str, won: str, stake: list[tuple[str, dict[str, str]]]) -> None:
    """LF-38, LF-41: a lead of three cards is three tricks; the sixth wins the deal."""
    hands = ["T2", "K5 K6 K7 C2", "S5 C4 C5 C6"]
    deal = load("luk-fu").position({"hands": hands, "trick": [f"0:{led}"], "won": [won, "", ""]})
    assert list(deal.view(1).scene.stake) == stake
