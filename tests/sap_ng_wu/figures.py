"""Sap Ng Wu's figures as the rules have them, and the phrases of the printed page that say them."""

import tefuda
from tefuda import games
from tefuda.games.sap_ng_wu.scoring import EIGHT_FU, FIRST_LEVEL_FU, MOST_LEVEL, level

STATE = tefuda.load("sap-ng-wu").deal(seed=0).state

LEAST = {step: next(fu for fu in range(100) if int(level(STATE, fu)) == step) for step in range(1, MOST_LEVEL + 1)}
"""The fewest fu of each level, found by the rule itself."""

OPTIONS = {option.name: option.default for option in games.description("sap-ng-wu").rules.options}

FIGURES = {f"least{step}": fu for step, fu in LEAST.items()}
FIGURES |= {f"most{step}": LEAST[step + 1] - 1 for step in range(1, MOST_LEVEL)}
FIGURES |= {f"pays{step}": int(level(STATE, fu)) for step, fu in LEAST.items()}
FIGURES |= {"first": FIRST_LEVEL_FU, "eight": EIGHT_FU, "deals": int(OPTIONS["session_deals"])}

PHRASES = {
    "en": [
        "With {first} fu you may stop",
        "with {first} fu or more",
        "pays you {pays1} counter for {least1} to {most1} fu, {pays2} for {least2} to {most2}, {pays3} for {least3} to "
        "{most3}, {pays4} for {least4} to {most4}, and {pays5} for {least5} or more",
        "All eight together score {eight}",
        "A game has {deals:en} deals",
    ],
    "ja": [
        "{first}符になれば食湖",
        "{first}符以上あれば",
        "{least1}〜{most1}符なら{pays1}個、{least2}〜{most2}符なら{pays2}個、{least3}〜{most3}符なら{pays3}個、"
        "{least4}〜{most4}符なら{pays4}個、{least5}符以上なら{pays5}個",
        "8枚全部なら{eight}符",
        "{deals}ディールで終わり",
    ],
    "zh-Hant": [
        "滿{first}湖可以食湖",
        "有{first}湖或以上",
        "{least1}至{most1}湖{pays1}個籌碼，{least2}至{most2}湖{pays2}個，{least3}至{most3}湖{pays3}個，"
        "{least4}至{most4}湖{pays4}個，{least5}湖或以上{pays5}個",
        "全部攤出得{eight}湖",
        "一場{deals:zh-Hant}局",
    ],
    "zh-Hans": [
        "满{first}湖可以食湖",
        "有{first}湖或以上",
        "{least1}至{most1}湖{pays1}个筹码，{least2}至{most2}湖{pays2}个，{least3}至{most3}湖{pays3}个，"
        "{least4}至{most4}湖{pays4}个，{least5}湖或以上{pays5}个",
        "全部摊出得{eight}湖",
        "一场{deals:zh-Hans}局",
    ],
}
