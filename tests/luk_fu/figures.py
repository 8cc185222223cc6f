"""Luk Fu's figures as the rules have them, and the phrases of the printed page that say them."""

from tefuda import games
from tefuda.games.luk_fu.cards import HAND
from tefuda.games.luk_fu.scoring import PAR

FIGURES = {
    "par": PAR,
    "enough": PAR + 1,
    "more": PAR + 2,
    "all": HAND,
    "share_enough": (PAR + 1) - PAR,
    "share_more": (PAR + 2) - PAR,
    "share_all": HAND - PAR,
    "deals": next(int(o.default) for o in games.description("luk-fu").rules.options if o.name == "session_deals"),
}

PHRASES = {
    "en": [
        "every trick of the winner above {par:en}: {share_enough:en} chip for {enough:en} tricks, {share_more:en} for "
        "{more:en}, {share_all:en} for {all:en}",
        "A game has {deals:en} deals",
    ],
    "ja": [
        "トリック数から{par}を引いた数のチップです（{enough}トリックで{share_enough}、{more}トリックで{share_more}、"
        "{all}トリックで{share_all}）",
        "だれも{enough}トリックに届かなければ",
        "宣言者が2人分を払い、もう1人は",
        "敗者1人分の支払い",
        "敗者の1人が宣言者なら",
        "4人のときは",
        "1人分につき1チップ",
        "4枚組か4枚以上の続き札",
        "1と数えます",
        "1人分しか",
        "1回のゲームは{deals}ディール",
    ],
    "zh-Hant": [
        "贏家超過{par:zh-Hant}墩的墩數，每墩一個籌碼：{enough:zh-Hant}墩{share_enough:zh-Hant}個，"
        "{more:zh-Hant}墩{share_more:zh-Hant}個，{all:zh-Hant}墩{share_all:zh-Hant}個",
        "一場{deals:zh-Hant}局",
    ],
    "zh-Hans": [
        "赢家超过{par:zh-Hans}墩的墩数，每墩一个筹码：{enough:zh-Hans}墩{share_enough:zh-Hans}个，"
        "{more:zh-Hans}墩{share_more:zh-Hans}个，{all:zh-Hans}墩{share_all:zh-Hans}个",
        "一场{deals:zh-Hans}局",
    ],
}
