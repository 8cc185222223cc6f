"""Sap Ng Wu's figures as the rules have them, and the phrases of the printed page that say them."""

import tefuda
from tefuda import games
from tefuda.games.sap_ng_wu.scoring import level

STATE = tefuda.load("sap-ng-wu").deal(seed=0).state
VALUES = {value.name: int(value.default) for value in games.description("sap-ng-wu").rules.values}
MOST_LEVEL = VALUES["highest_level"]

LEAST = {step: next(fu for fu in range(100) if int(level(STATE, fu)) == step) for step in range(1, MOST_LEVEL + 1)}
"""The fewest fu of each level, found by the rule itself."""

OPTIONS = {option.name: option.default for option in games.description("sap-ng-wu").rules.options}

FIGURES = {f"least{step}": fu for step, fu in LEAST.items()}
FIGURES |= {f"most{step}": LEAST[step + 1] - 1 for step in range(1, MOST_LEVEL)}
FIGURES |= {f"pays{step}": int(level(STATE, fu)) for step, fu in LEAST.items()}
FIGURES |= {"first": VALUES["fu_to_stop"], "eight": VALUES["eight_laid"], "deals": int(OPTIONS["session_deals"])}


def table(fu: str, pays: str, to: str, more: str) -> str:
    """The table of payments: its heads, and the words between two numbers and after the last."""
    rows = [f"{{least{step}}}{to}{{most{step}}} | {{pays{step}}}" for step in range(1, MOST_LEVEL)]
    return "\n".join([f"{fu} | {pays}", *rows, f"{{least{MOST_LEVEL}}}{more} | {{pays{MOST_LEVEL}}}"])


PHRASES = {
    "en": [
        "With {first} fu you may stop",
        "you have {first} fu or more",
        table("Your fu", "Each pays", "–", " or more"),
        "played on with {eight} fu, you need {least2}",
        "played on with {least5} or more",
        "All eight score {eight} fu",
        "A game has {deals:en} deals",
    ],
    "ja": [
        "{first}符になれば「食湖」",
        "{first}符以上あれば",
        table("食湖した人の符", "1人が払う数", "〜", "以上"),
        "4枚そろい",
        "{eight}符で続けたなら、{least2}符が要ります",
        "{least5}符以上で続けると",
        "8枚全部並べると{eight}符",
        "{deals}ディールで終わり",
    ],
    "zh-Hant": [
        "滿{first}湖可以食湖",
        "有{first}湖或以上，就可以",
        table("食湖者的湖數", "各家各付", "至", "或以上"),
        "{eight}湖時續打，就要有{least2}湖",
        "有{least5}湖或以上仍續打",
        "全部攤出，得{eight}湖",
        "一場打{deals:zh-Hant}局",
    ],
    "zh-Hans": [
        "满{first}湖可以食湖",
        "有{first}湖或以上，就可以",
        table("食湖者的湖数", "各家各付", "至", "或以上"),
        "{eight}湖时续打，就要有{least2}湖",
        "有{least5}湖或以上仍续打",
        "全部摊出，得{eight}湖",
        "一场打{deals:zh-Hans}局",
    ],
}
