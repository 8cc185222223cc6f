"""Names that look the same: what of a text nobody sees, and a form in which lookalikes are equal.

The form follows Unicode's TS 39 (skeletons), by a table of our own: of its ten thousand characters, names need those
of the scripts in which people here write.
"""

import re
import unicodedata

BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U0001d159\U00013441\U00013442")
"""Characters that count as letters, marks or symbols and show nothing."""

_SELECTORS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Characters that choose how the one before them is drawn, if it can be drawn in several ways."""

_ALIKE = str.maketrans(
    # Cyrillic, Greek, Latin of other phonetics, small capitals, and what Japanese and Chinese mix up.
    "АВЕЅІЈКМНОРСТУҮХԌԚԜЬаеѕіјорсухԁԛԝһӏгѵвкмнт"
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχγϲϳ"
    "ɑɡıɩᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ"
    "力夕口囗八卜二工へり一—–‐‑−’‘ʼ`′",
    "ABESIJKMHOPCTYYXGQWbaesijopcyxdqwhlrvbkmht"
    "ABEZHIKMNOPTYXaikvopuxycj"
    "agiiabcdeghijklmnoprstuvwyz"
    "カタロロハトニエヘリー-----'''''",
)  # fmt: skip

_ALIKE_IN_SMALL = str.maketrans("l1|0", "iiio")


def visible(text: str) -> str:
    """A text without the characters that show nothing; blanks stay, and what chooses between drawings that differ."""
    kept = list[str]()
    for character in text:
        if _SELECTORS.match(character):
            is_shown = bool(kept) and _has_variants(kept[-1], character)
        else:
            is_shown = character not in BLANKS and (unicodedata.category(character)[0] != "C" or character.isspace())
        if is_shown:
            kept.append(character)
    return "".join(kept)


def skeleton(name: str) -> str:
    """The same for all names that look like this one, whatever their letters: ``Ann``, ``ANN``, ``Ａｎｎ``, ``Аnn``."""
    plain = unicodedata.normalize("NFKD", _SELECTORS.sub("", visible(name)))
    folded = unicodedata.normalize("NFKD", plain.translate(_ALIKE).casefold())
    return folded.translate(_ALIKE_IN_SMALL).replace("rn", "m").replace("vv", "w")


def _has_variants(character: str, selector: str) -> bool:
    """Whether a character may be drawn otherwise with this selector after it."""
    if selector in "\ufe0e\ufe0f":
        return unicodedata.category(character) == "So"
    script = "MONGOLIAN" if selector < "\u1810" else "CJK"
    return script in unicodedata.name(character, "")
