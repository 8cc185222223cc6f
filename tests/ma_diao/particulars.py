"""Ma Diao: what the tests of every game have to be told of this one."""

from typing import Any

from tefuda.engine.bits import members_of
from tefuda.engine.kit.session import deck_of
from tefuda.games.ma_diao.cards import DECLARE, SILENT, THROW
from tefuda.games.ma_diao.rules import PACKET
from tefuda.games.ma_diao.state import Answer, FaceCard, Phase
from tefuda.table.deal import Deal
from tefuda.testing import Hooks, Playout, public_history
from tests.contract.particulars import Note, Particulars, Recording


def redeal(played: Playout, moment: int, world: Any) -> Deal:
    """MD-8, MD-9: the hands as they were dealt and the stock are in the world."""
    accuser = members_of(world.accuser_down) or [int(world.accuser_card)]
    hidden, face = members_of(world.stock), int(world.face)
    bottom_is_face = world.face_card == FaceCard.BOTTOM
    stock = [*hidden, *accuser, face] if bottom_is_face else [face, *accuser, *hidden, int(world.bottom)]
    first, hands = int(world.first_dealt), [members_of(int(cards)) for cards in world.dealt]
    deck = deck_of(hands[first:] + hands[:first], PACKET, stock)
    return played.game.deal(0, deck=deck, chance=int(world.chance), before=played.deal.before)


def actions_seen(played: Playout, moment: int, world: Any) -> list[int]:
    """MD-16, MD-24: in this world other cards were thrown face down, and answers not yet shown may be others."""
    actions = public_history(played, moment, world)
    for k, action in enumerate(actions):
        seat, number = int(played.movers[k]), int(played.states[k]["number"])
        if world.phase == Phase.DECLARING:
            actions[k] = DECLARE if world.pending[seat] == Answer.DECLARE else SILENT
        elif THROW <= action < SILENT:
            thrown = members_of(world.thrown[seat, number]) or [int(world.rows[seat, number])]
            actions[k] = THROW + thrown[0]
    return actions


PARTICULARS = Particulars(
    hooks=Hooks(
        where_cards_are=("hands", "rows", "thrown", "face", "bottom", "accuser_card", "accuser_down", "stock"),
        redeal=redeal,
        actions_seen=actions_seen,
    ),
    scoring_only=frozenset(
        {
            "strike_stacking",
            "refusal_redeal",
            "double_extraordinary",
            "knock",
            "dealer_stays_on_great_live",
            "session_deals",
        }
    ),
    beside_play=frozenset({("reveal_after", False)}),
    without_name=("~S8",),
    notes=(Note("TQ", "counts as a top in its place if TM is the face card"),),
    recordings=(
        Recording("default", 1),
        Recording("extraordinary", 107, None, {"extraordinary_mandatory": True, "double_extraordinary": "split"}),
        Recording("refusal", 20),
        Recording(
            "other-refusals", 3, None, {"refusal_hands": "tens_heavy+no_honours", "refusal_redeal": "same_dealer"}
        ),
        Recording("must-follow", 5, None, {"must_follow": True}),
        Recording("top-of-rest", 6, None, {"face_card": "top_of_rest", "first_leader": "dealer"}),
        Recording("once", 77, None, {"strike_stacking": "once", "red_set": "wikipedia", "must_follow": True}),
        Recording("knock", 8, None, {"knock": True, "accuser": False, "dealer_stays_on_great_live": False}),
        Recording("stop-after-seven", 9, None, {"stop_after_seven": True, "reveal_after": False}),
        Recording("short", 10, None, {"session_deals": 5, "red_set": "honours", "reveal_after": False}),
    ),
)
