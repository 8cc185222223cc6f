"""What the contract suite cannot know of our games by itself: how an imagined world was dealt and played."""

from typing import Any

from tefuda.engine.bits import members_of
from tefuda.games.gong_zhu.options import ExposeOrder
from tefuda.games.gong_zhu.rules import exposure_action
from tefuda.games.gong_zhu.state import Phase
from tefuda.games.luk_fu.state import THROW
from tefuda.games.ma_diao import plays as ma_diao
from tefuda.games.ma_diao.options import FaceCard
from tefuda.games.ma_diao.positions import deck_of
from tefuda.games.ma_diao.state import Answer
from tefuda.games.ma_diao.state import Phase as MaDiaoPhase
from tefuda.table.deal import Deal
from tefuda.testing import Hooks, Playout, public_history
from tests.kakkuri import replay


def gong_zhu_actions(played: Playout, moment: int, world: Any) -> list[int]:
    """GZ-7, simultaneous: what others have chosen is hidden until all have; in this world they chose otherwise."""
    actions = public_history(played, moment, world)
    if world.phase != Phase.EXPOSING or world.expose_order != ExposeOrder.SIMULTANEOUS:
        return actions
    return [int(exposure_action(int(world.pending[seat]))) for seat in played.movers[:moment]]


def luk_fu_deal(played: Playout, moment: int, world: Any) -> Deal:
    """LF-5, LF-6: the hands as they were dealt are in the world; so is who dealt them."""
    words = played.game.description.cards
    hands = [" ".join(words[card] for card in members_of(world.dealt[seat])) for seat in range(played.game.seats)]
    fields = {"dealer": int(world.dealer)}
    return played.game.deal(0, hands=hands, chance=int(world.chance), before=played.deal.before, fields=fields)


def luk_fu_actions(played: Playout, moment: int, world: Any) -> list[int]:
    """LF-31, LF-40: in this world other cards were thrown face down; each throw goes card by card, ascending."""
    actions = public_history(played, moment, world)
    left = {}
    for k, action in enumerate(actions):
        if THROW <= action < 2 * THROW:
            place = (int(played.movers[k]), int(played.states[k]["number"]))
            if place not in left:
                left[place] = members_of(world.thrown[place])
            actions[k] = THROW + left[place].pop(0)
    return actions


def ma_diao_deal(played: Playout, moment: int, world: Any) -> Deal:
    """MD-8, MD-9: the hands as they were dealt and the stock are in the world."""
    accuser = members_of(world.accuser_down) or [int(world.accuser_card)]
    hidden, face = members_of(world.stock), int(world.face)
    bottom_is_face = world.face_card == FaceCard.BOTTOM
    stock = [*hidden, *accuser, face] if bottom_is_face else [face, *accuser, *hidden, int(world.bottom)]
    deck = deck_of([int(cards) for cards in world.dealt], int(world.first_dealt), stock)
    return played.game.deal(0, deck=deck, chance=int(world.chance), before=played.deal.before)


def ma_diao_actions(played: Playout, moment: int, world: Any) -> list[int]:
    """MD-16, MD-24: in this world other cards were thrown face down, and answers not yet shown may be others."""
    actions = public_history(played, moment, world)
    for k, action in enumerate(actions):
        seat, number = int(played.movers[k]), int(played.states[k]["number"])
        if world.phase == MaDiaoPhase.DECLARING:
            actions[k] = ma_diao.DECLARE if world.pending[seat] == Answer.DECLARE else ma_diao.SILENT
        elif ma_diao.THROW <= action < ma_diao.SILENT:
            thrown = members_of(world.thrown[seat, number]) or [int(world.rows[seat, number])]
            actions[k] = ma_diao.THROW + thrown[0]
    return actions


HOOKS = {
    "gong-zhu": Hooks(actions_seen=gong_zhu_actions),
    "kakkuri": Hooks(
        where_cards_are=replay.WHERE_CARDS_ARE,
        redeal=replay.redeal,
        chance_in_play=replay.chance_in_play,
    ),
    "luk-fu": Hooks(
        where_cards_are=("hands", "played", "thrown", "sitter_card", "turned_up", "dead"),
        redeal=luk_fu_deal,
        actions_seen=luk_fu_actions,
    ),
    "ma-diao": Hooks(
        where_cards_are=("hands", "rows", "thrown", "face", "bottom", "accuser_card", "accuser_down", "stock"),
        redeal=ma_diao_deal,
        actions_seen=ma_diao_actions,
    ),
    "sap-ng-wu": Hooks(where_cards_are=("hands", "won", "laid", "table", "discards")),
}


def hooks(name: str) -> Hooks:
    return HOOKS.get(name, Hooks())
