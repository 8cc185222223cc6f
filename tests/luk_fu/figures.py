"""Luk Fu's figures as the rules have them, and the phrases of the printed page that say them."""

from tefuda import games
from tefuda.games.luk_fu.cards import HAND

PAR = next(int(value.default) for value in games.description("luk-fu").rules.values if value.name == "par")

WON = range(PAR + 1, HAND + 1)  # tricks with which a deal is won

FIGURES = {
    "par": PAR,
    **{f"tricks_{tricks}": tricks for tricks in WON},
    **{f"share_{tricks}": tricks - PAR for tricks in WON},
    "deals": next(int(o.default) for o in games.description("luk-fu").rules.options if o.name == "session_deals"),
}
TRICKS = " | ".join(f"{{tricks_{tricks}}}" for tricks in WON)
SHARES = " | ".join(f"{{share_{tricks}}}" for tricks in WON)

PHRASES = {
    "en": [
        f"Winner's tricks | {TRICKS}\nShare in chips | {SHARES}",
        "one chip for each trick of the winner above {par:en}",
        "A game has {deals:en} deals",
    ],
    "ja": [
        f"勝者のトリック | {TRICKS}\n1人分のチップ | {SHARES}",
        "負けた人の1人分",
        "トリック数から{par}を引いた数",
        "同じ数字の4枚や、4枚以上の続き札",
        "1人分しか",
        "ほかの2人が1人分ずつ",
        "宣言者が2人分",
        "宣言者が1人分",
        "4人のときは",
        "負けた2人が1チップずつ",
        "2チップとも",
        "1と数えます",
        "{deals}ディールです",
    ],
    "zh-Hant": [
        f"贏家的墩數 | {TRICKS}\n一份的籌碼 | {SHARES}",
        "贏家超過{par:zh-Hant}墩",
        "一場{deals:zh-Hant}局",
    ],
    "zh-Hans": [
        f"赢家的墩数 | {TRICKS}\n一份的筹码 | {SHARES}",
        "赢家超过{par:zh-Hans}墩",
        "一场{deals:zh-Hans}局",
    ],
}
