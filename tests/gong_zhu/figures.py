"""Gong Zhu's figures as the rules have them, and the phrases of the printed page that say them."""

from tefuda import games
from tefuda.games.gong_zhu import scoring

*_, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = scoring.STANDARD_HEARTS
OPTIONS = {option.name: option.default for option in games.description("gong-zhu").rules.options}

FIGURES = {
    "ace": ACE,
    "king": KING,
    "queen": QUEEN,
    "jack": JACK,
    "ten": TEN,
    "pig": scoring.PIG_POINTS,
    "sheep": scoring.SHEEP_POINTS,
    "exposed_pig": 2 * scoring.PIG_POINTS,
    "exposed_sheep": 2 * scoring.SHEEP_POINTS,
    "alone": scoring.LONE_TRANSFORMER_POINTS,
    "exposed_alone": 2 * scoring.LONE_TRANSFORMER_POINTS,
    "hearts": sum(scoring.STANDARD_HEARTS),
    "all_hearts": -sum(scoring.STANDARD_HEARTS),
    "flipped_pig": -scoring.PIG_POINTS,
    "end": -int(OPTIONS["target"]),
}
assert {FIVE, SIX, SEVEN, EIGHT, NINE, TEN} == {TEN}

PHRASES = {
    "en": [
        "♥A {ace}, ♥K {king}, ♥Q {queen}, ♥J {jack}, the 10 to the 5 of hearts {ten} each",
        "the pig, ♠Q, {pig}",
        "the sheep, ♦J, {sheep:+}",
        "the pig {exposed_pig}, the sheep {exposed_sheep:+}",
        "it is worth {alone:+}, or {exposed_alone:+} if it was exposed",
        "worth 0, you score 0",
        "the 4, 3 and 2 too, counts {all_hearts:+} for them instead of {hearts}",
        "the pig counts {flipped_pig:+}",
        "fallen to {end} or lower",
    ],
    "ja": [
        "♥Aが{ace}点、♥Kが{king}点、♥Qが{queen}点、♥Jが{jack}点、10から5が各{ten}点",
        "豚（♠Q）は{pig}点、羊（♦J）は{sheep:+}点",
        "豚は{exposed_pig}点、羊は{exposed_sheep:+}点",
        "{alone:+}点（公開されていれば{exposed_alone:+}点）です",
        "合計を2倍",
        "0点のハートだけなら、0点",
        "4、3、2も含めて1人で全部取ると、{hearts}点が{all_hearts:+}点",
        "豚も{flipped_pig:+}点",
        "公開による2倍",
        "向かい合う2人が組です。1人ずつ",
        "{end}点以下",
    ],
    "zh-Hant": [
        "♥A {ace}，♥K {king}，♥Q {queen}，♥J {jack}，10至5各{ten}",
        "豬（♠Q）{pig}；羊（♦J）{sheep:+}",
        "豬{exposed_pig}，羊{exposed_sheep:+}",
        "得{alone:+}（已亮則{exposed_alone:+}）",
        "總和乘以2",
        "0分的紅心，得0分",
        "連4、3、2在內，{hearts}變為{all_hearts:+}",
        "豬也算{flipped_pig:+}",
        "跌到{end}或以下",
    ],
    "zh-Hans": [
        "♥A {ace}，♥K {king}，♥Q {queen}，♥J {jack}，10至5各{ten}",
        "猪（♠Q）{pig}；羊（♦J）{sheep:+}",
        "猪{exposed_pig}，羊{exposed_sheep:+}",
        "得{alone:+}（已亮则{exposed_alone:+}）",
        "总和乘以2",
        "0分的红桃，得0分",
        "连4、3、2在内，{hearts}变为{all_hearts:+}",
        "猪也算{flipped_pig:+}",
        "跌到{end}或以下",
    ],
}
