"""Gong Zhu's figures as the rules have them, and the phrases of the printed page that say them."""

from tefuda import games

RULES = games.description("gong-zhu").rules
OPTIONS = {option.name: option.default for option in RULES.options}
POINTS = {value.name: int(value.default) for value in RULES.values}
HEARTS = [points for name, points in POINTS.items() if name.startswith("H")]
TWO, _, _, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = HEARTS

FIGURES = {
    "ace": ACE,
    "king": KING,
    "queen": QUEEN,
    "jack": JACK,
    "ten": TEN,
    "pig": POINTS["pig"],
    "sheep": POINTS["sheep"],
    "exposed_pig": 2 * POINTS["pig"],
    "exposed_sheep": 2 * POINTS["sheep"],
    "alone": POINTS["lone_transformer"],
    "exposed_alone": 2 * POINTS["lone_transformer"],
    "all_hearts": -sum(HEARTS),
    "exposed_all_hearts": -2 * sum(HEARTS),
    "flipped_pig": -POINTS["pig"],
    "exposed_flipped_pig": -2 * POINTS["pig"],
    "nothing": TWO,
    "end": -int(OPTIONS["target"]),
}
assert {FIVE, SIX, SEVEN, EIGHT, NINE, TEN} == {TEN}

PHRASES = {
    "en": [
        "♥A | {ace}\n♥K | {king}\n♥Q | {queen}\n♥J | {jack}\n",
        "| {ten} each",
        "♥2 | {nothing}\n♠Q the pig | {pig}\n♦J the sheep | {sheep:+}\n",
        "all the hearts | {all_hearts:+} | {exposed_all_hearts:+}",
        "the pig | {pig} | {exposed_pig}",
        "pig {flipped_pig:+} | pig {exposed_flipped_pig:+}",
        "the sheep | {sheep:+} | {exposed_sheep:+}",
        "all × 2 | all × 4",
        "worthless hearts | {nothing} | {nothing}",
        "transformer alone | {alone:+} | {exposed_alone:+}",
        "at {end} or lower",
    ],
    "ja": [
        "♥A | {ace}\n♥K | {king}\n♥Q | {queen}\n♥J | {jack}\n",
        "| 各{ten}",
        "♥2 | {nothing}\n♠Q（豚） | {pig}\n♦J（羊） | {sheep:+}\n",
        "| 2倍",
        "ハート全部 | {all_hearts:+}点 | {exposed_all_hearts:+}点",
        "豚 | {pig}点 | {exposed_pig}点",
        "豚は{flipped_pig:+}点 | 豚は{exposed_flipped_pig:+}点",
        "羊 | {sheep:+}点 | {exposed_sheep:+}点",
        "合計を2倍 | 合計を4倍",
        "0点のハートだけ | {nothing}点 | {nothing}点",
        "変圧器だけ | {alone:+}点 | {exposed_alone:+}点",
        "1枚残らず1人で取る",
        "4人のときは、向かい合う2人ずつ",
        "点数は1人ずつ",
        "2人のハート",
        "2人の点数",
        "{end}点以下",
    ],
    "zh-Hant": [
        "♥A | {ace}\n♥K | {king}\n♥Q | {queen}\n♥J | {jack}\n",
        "| 各{ten}",
        "♥2 | {nothing}\n♠Q（豬） | {pig}\n♦J（羊） | {sheep:+}\n",
        "全部紅心 | {all_hearts:+} | {exposed_all_hearts:+}",
        "豬 | {pig} | {exposed_pig}",
        "豬{flipped_pig:+} | 豬{exposed_flipped_pig:+}",
        "羊 | {sheep:+} | {exposed_sheep:+}",
        "總和×2 | 總和×4",
        "0分的紅心 | {nothing} | {nothing}",
        "分牌只有變壓器 | {alone:+} | {exposed_alone:+}",
        "到{end}或以下",
    ],
    "zh-Hans": [
        "♥A | {ace}\n♥K | {king}\n♥Q | {queen}\n♥J | {jack}\n",
        "| 各{ten}",
        "♥2 | {nothing}\n♠Q（猪） | {pig}\n♦J（羊） | {sheep:+}\n",
        "全部红桃 | {all_hearts:+} | {exposed_all_hearts:+}",
        "猪 | {pig} | {exposed_pig}",
        "猪{flipped_pig:+} | 猪{exposed_flipped_pig:+}",
        "羊 | {sheep:+} | {exposed_sheep:+}",
        "总和×2 | 总和×4",
        "0分的红桃 | {nothing} | {nothing}",
        "分牌只有变压器 | {alone:+} | {exposed_alone:+}",
        "到{end}或以下",
    ],
}
