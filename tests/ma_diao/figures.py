"""Ma Diao's figures as the rules have them, and the phrases of the printed page that say them."""

from tefuda.games.ma_diao.cards import CONGRATULATIONS
from tefuda.games.ma_diao.scoring import ALL_TRICKS_STAKES, HANGING_TRICKS, HOME_TRICKS, STAKES

FIGURES = {**STAKES._asdict(), **CONGRATULATIONS._asdict(), "home": HOME_TRICKS, "hanging": HANGING_TRICKS}
FIGURES["all_tricks"] = ALL_TRICKS_STAKES
FIGURES["both_tops"] = CONGRATULATIONS.four_tops + CONGRATULATIONS.four_tops_hundred
FIGURES["one_trick"] = HOME_TRICKS - 1

PHRASES = {
    "en": [
        "{hanging:en} tricks or more +1, {home:en} 0, {one_trick:en} or none −1",
        "3-3-2-0, the two players with {hanging:en}",
        "if you are home, {tops} for each top",
        "tricks of yours: {small_strike} for each such striker",
        "it is dead: {dead_hundred}; and {dead_hundred_strike} more for each female striker",
        ": {small_live}; and {small_live_strike} more for each female striker that has won",
        "has won a trick: it is great live, {great_live}; "
        "and {great_live_strike} more for each female striker that has won",
        "tricks of yours: {three_opened}.",
        "too: {four_reds} more",
        "first seven tricks: {whole_table}.",
        "four tops ({four_tops} stakes; with the Hundred myriads {four_tops_hundred}; "
        "with the four lowest {four_tops_lowest})",
        "eight red cards ({eight_reds}; with the Hundred myriads {eight_reds_hundred})",
        "eight cards of one suit ({one_suit}; eight tens with the Hundred myriads {tens_hundred})",
        "eight of myriads ({all_strike_alive})",
        "four tops with the Hundred myriads bring {four_tops} + {four_tops_hundred} = {both_tops}",
        "pays that sum and {all_tricks:en} stake more; a player who was dealt the Hundred myriads "
        "pays the {all_tricks:en} stake only",
    ],
    "ja": [
        "{hanging}トリック以上で+1注、{home}トリックで0、{one_trick}トリック以下で−1注",
        "3-3-2-0に分かれたときは、{hanging}トリックの2人",
        "正賞1枚につき{tops}注",
        "雌突1枚につき{small_strike}注。",
        "{one_trick}トリック以下なら死百で{dead_hundred}注",
        "{one_trick}トリックを取っていれば{dead_hundred_strike}注を足します（死百突）。{one_trick}トリックも取らなければ",
        "配られた雌突1枚につき",
        "小活百で{small_live}注、トリックを取った雌突1枚につき{small_live_strike}注",
        "大活百で{great_live}注、トリックを取った雌突1枚につき{great_live_strike}注",
        "3枚ともでトリックを取れば{three_opened}注",
        "さらに{four_reds}注",
        "最初の7トリックを全部取れば{whole_table}注",
        "ほかの3人はそれぞれ",
        "ほかの3人に1注ずつ",
        "四尊は{four_tops}注（百万もあれば{four_tops_hundred}注、四極もあれば{four_tops_lowest}注）",
        "八紅は{eight_reds}注（百万入りは{eight_reds_hundred}注）",
        "{one_suit}注（百万入りの十字なら{tens_hundred}注）",
        "）は{all_strike_alive}注。当てはまる",
        "四尊に百万が入れば{four_tops}+{four_tops_hundred}で{both_tops}注",
        "その数に{all_tricks}注を加えて払います。百万を配られた人が払うのは、その{all_tricks}注だけ",
    ],
    "zh-Hant": [
        "{hanging:zh-Hant}墩或以上+1，{home:zh-Hant}墩0，{one_trick:zh-Hant}墩或無−1",
        "若分成3-3-2-0，得{hanging:zh-Hant}墩的兩人",
        "每有一張賞牌贏墩得{tops:zh-Hant}注",
        "每張這樣的雌突得{small_strike:zh-Hant}注",
        "是死百，得{dead_hundred:zh-Hant}注",
        "再加{dead_hundred_strike:zh-Hant}注（死百突）",
        "是小活百，得{small_live:zh-Hant}注，每張贏墩的雌突再加{small_live_strike:zh-Hant}注",
        "是大活百，得{great_live:zh-Hant}注，每張贏墩的雌突再加{great_live_strike:zh-Hant}注",
        "都贏墩，得{three_opened:zh-Hant}注",
        "也贏墩，再得{four_reds:zh-Hant}注",
        "贏得前七墩，得{whole_table:zh-Hant}注",
        "四尊（{four_tops:zh-Hant}注；帶百萬{four_tops_hundred:zh-Hant}注；帶四極{four_tops_lowest:zh-Hant}注）",
        "八紅（{eight_reds:zh-Hant}注；帶百萬{eight_reds_hundred:zh-Hant}注）",
        "（{one_suit:zh-Hant}注；十字帶百萬{tens_hundred:zh-Hant}注）",
        "（{all_strike_alive:zh-Hant}注）。合於",
        "四尊帶百萬是{four_tops}+{four_tops_hundred}，共{both_tops:zh-Hant}注",
        "付這個數，再加{all_tricks:zh-Hant}注；發到百萬的人只付那{all_tricks:zh-Hant}注",
    ],
    "zh-Hans": [
        "{hanging:zh-Hans}墩或以上+1，{home:zh-Hans}墩0，{one_trick:zh-Hans}墩或无−1",
        "若分成3-3-2-0，得{hanging:zh-Hans}墩的两人",
        "每有一张赏牌赢墩得{tops:zh-Hans}注",
        "每张这样的雌突得{small_strike:zh-Hans}注",
        "是死百，得{dead_hundred:zh-Hans}注",
        "再加{dead_hundred_strike:zh-Hans}注（死百突）",
        "是小活百，得{small_live:zh-Hans}注，每张赢墩的雌突再加{small_live_strike:zh-Hans}注",
        "是大活百，得{great_live:zh-Hans}注，每张赢墩的雌突再加{great_live_strike:zh-Hans}注",
        "都赢墩，得{three_opened:zh-Hans}注",
        "也赢墩，再得{four_reds:zh-Hans}注",
        "赢得前七墩，得{whole_table:zh-Hans}注",
        "四尊（{four_tops:zh-Hans}注；带百万{four_tops_hundred:zh-Hans}注；带四极{four_tops_lowest:zh-Hans}注）",
        "八红（{eight_reds:zh-Hans}注；带百万{eight_reds_hundred:zh-Hans}注）",
        "（{one_suit:zh-Hans}注；十字带百万{tens_hundred:zh-Hans}注）",
        "（{all_strike_alive:zh-Hans}注）。合于",
        "四尊带百万是{four_tops}+{four_tops_hundred}，共{both_tops:zh-Hans}注",
        "付这个数，再加{all_tricks:zh-Hans}注；发到百万的人只付那{all_tricks:zh-Hans}注",
    ],
}
