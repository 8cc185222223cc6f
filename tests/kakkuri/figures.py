"""Kakkuri's figures as the rules have them, and the phrases of the printed page that say them."""

from tefuda import games

RULES = games.description("kakkuri").rules
OPTIONS = {option.name: option.default for option in RULES.options}

FIGURES = {
    **{value.name: value.default for value in RULES.values},
    "counters": int(OPTIONS["start_counters"]),
    "deals": int(OPTIONS["session_deals"]),
}

PHRASES = {
    "en": [
        "pay 1 each",
        "pay {guri} each",
        "pay {utazu} each",
        "pays {utazu}",
        "begins with {counters} counters",
        "A game has {deals:en} deals",
    ],
    "ja": [
        "1個ずつ払う",
        "{guri}個ずつ払う",
        "グリは{guri}倍",
        "{utazu}個ずつ払う",
        "{utazu}個払う",
        "最後の1人",
        "6枚を1回の手番で",
        "全員が{counters}個ずつ",
        "{deals}ディールで終わり",
    ],
    "zh-Hant": [
        "各付1個",
        "各付{guri}個",
        "各付{utazu}個",
        "付{utazu}個",
        "開始有{counters}個",
        "一場{deals:zh-Hant}局",
    ],
    "zh-Hans": [
        "各付1个",
        "各付{guri}个",
        "各付{utazu}个",
        "付{utazu}个",
        "开始有{counters}个",
        "一场{deals:zh-Hans}局",
    ],
}
