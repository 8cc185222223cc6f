"""Kakkuri's figures as the rules have them, and the phrases of the printed page that say them."""

from tefuda import games
from tefuda.games.kakkuri.scoring import GURI_PAYMENT, UTAZU_PAYMENT

OPTIONS = {option.name: option.default for option in games.description("kakkuri").rules.options}

FIGURES = {
    "guri": GURI_PAYMENT,
    "utazu": UTAZU_PAYMENT,
    "counters": int(OPTIONS["start_counters"]),
    "deals": int(OPTIONS["session_deals"]),
}

PHRASES = {
    "en": [
        "pays the winner 1 counter",
        "Guri: {guri} counters each",
        "then everybody pays {utazu}",
        "begins with {counters} counters",
        "A game has {deals:en} deals",
    ],
    "ja": [
        "ほかの人が1個ずつ払い",
        "グリ：{guri}個ずつ",
        "グリは{guri}倍",
        "払った1個を取り返し、そのうえで全員が{utazu}個ずつ",
        "残った1人",
        "全員が{counters}個ずつ",
        "{deals}回で終わり",
    ],
    "zh-Hant": [
        "各付贏家1個籌碼",
        "一氣出完：各付{guri}個",
        "每人付{utazu}個",
        "開始有{counters}個",
        "一場{deals:zh-Hant}局",
    ],
    "zh-Hans": [
        "各付赢家1个筹码",
        "一气出完：各付{guri}个",
        "每人付{utazu}个",
        "开始有{counters}个",
        "一场{deals:zh-Hans}局",
    ],
}
