"""Names of players, cards and plays in sentences; names cleaned when a player brings one."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain, groupby, islice

from tefuda.bots.players import BOTS, LEVELS
from tefuda.decks import data
from tefuda.engine.description import Description
from tefuda.engine.notation import SUMMARY
from tefuda.engine.scene import UNSEEN
from tefuda.engine.texts import LANGUAGES, TEXTS, Spell, catalogue
from tefuda.server.table.callers import Refused
from tefuda.server.table.player_faces import FLOWERS
from tefuda.server.table.table_state import TableState

BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U0001d159\U00013441\U00013442")
"""Characters that count as letters, marks or symbols and show nothing."""

_SELECTORS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Characters that choose how the one before them is drawn, if it can be drawn in several ways."""

_ALIKE = str.maketrans(
    # As in Unicode's TS 39 (skeletons), for the scripts in which people here write.
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

HIDDEN_PLAY = "~1"  # stands in messages for a play of which others see only the back

_BETWEEN = re.compile(r",? +")

MOST_NAME = 24  # characters of a name
MOST_TEXT = 120  # characters of what somebody writes to the others
MOST_NOTE = 300  # characters of what somebody writes about another person to the host of the server
MOST_MARKS = 3  # accents on one letter of a name; more of them would grow over the line above

_SEAT = re.compile(r"#(\d+)")

WITHIN_EVENT, WITHIN_SENTENCE = re.compile(r"\w \Z"), re.compile(r"(?:[\w,;] |\()\Z")
"""The text before a word within a sentence; in the sentence of an event, names after a comma begin a play."""


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
    """A form that is equal for all names that look alike: ``Ann``, ``ANN``, ``Ａｎｎ``, ``Аnn``."""
    plain = unicodedata.normalize("NFKD", _SELECTORS.sub("", visible(name)))
    folded = unicodedata.normalize("NFKD", plain.translate(_ALIKE).casefold())
    return folded.translate(_ALIKE_IN_SMALL).replace("rn", "m").replace("vv", "w")


def _has_variants(character: str, selector: str) -> bool:
    """Tell if a character may be drawn otherwise with this selector after it."""
    if selector in "\ufe0e\ufe0f":
        return unicodedata.category(character) == "So"
    script = "MONGOLIAN" if selector < "\u1810" else "CJK"
    return script in unicodedata.name(character, "")


@lru_cache(64)
def notation_text(game: Description, language: str) -> Spell:
    """The function that writes a game's notation in words of this language."""
    texts, own, words = catalogue(TEXTS, language), catalogue(game.files.texts, language), game.display.word_by_text

    comma, colon = texts("page.wording.comma"), texts("page.wording.colon")
    after_seat = re.compile(rf"(#\d+){re.escape(comma)}")

    def in_words(quoted: str) -> str:
        return after_seat.sub(rf"\1{colon}", comma.join(map(one, _BETWEEN.split(quoted))))

    @lru_cache(1024)  # plays, of which there are few; what a text quotes may be any four of them
    def one(word: str) -> str:
        """A play or a card; anything else stays as it is."""
        if word in (UNSEEN, HIDDEN_PLAY):
            return texts("page.table.face_down")
        if SUMMARY.fullmatch(word) and word[1:] not in words:
            return texts("page.wording.face_down_many", count=word[1:])
        said, _, cards = word.rpartition(":")
        parts = [part.partition("=") for part in cards.removeprefix("~").split("+")]
        named = " + ".join(card(part, rank) for part, _, rank in parts) if all(p[0] in words for p in parts) else ""
        if said or f"plays.{word}" in own:
            return declared(f"plays.{word}" if not named and cards else f"plays.{said}:", named) or word
        if named and cards.startswith("~"):
            return texts("page.wording.face_down", cards=named)
        return named or word

    def declared(key: str, cards: str) -> str:
        """A declaration, as its button says it."""
        label = own(key).replace("{cards}", cards).strip() if key in own else ""
        return label and texts("page.wording.quoted", text=label)

    def card(word: str, stands_for: str) -> str:
        name = data.name_in_sentence(game, words[word], language)
        return texts("page.table.stands_for", card=name, rank=stands_for) if stands_for else name

    return in_words


def clean_name(text: str) -> str:
    """A name in one form. ``Refused`` if nothing visible is left, or it is too long."""
    return clean_text(text, MOST_NAME, "name")


def clean_text(text: str, most: int = MOST_TEXT, code: str = "text") -> str:
    """A text in one form: composed characters, no invisible ones, few accents on one letter, single blanks. ``Refused``
    with this code if nothing visible is left, or it is longer than ``most`` characters."""
    seen = visible(unicodedata.normalize("NFC", text))
    runs = (islice(run, MOST_MARKS if is_mark else None) for is_mark, run in groupby(seen, _is_mark))
    name = " ".join("".join(chain.from_iterable(runs)).split())
    if all(map(_is_mark, name)) or len(name) > most:
        raise Refused(code, 422, most=most)
    return name


def free_name(table: TableState, text: str) -> str:
    """The cleaned name, with a number after it if a player at the table, or a bot that may come, has one that looks the
    same. ``Refused`` as by ``clean_name``."""
    name, taken = clean_name(text), {skeleton(chair.name) for chair in table.chairs} | _of_bots(len(table.chairs))
    return next(each for each in (name, *(f"{name} {k}" for k in range(2, 99))) if skeleton(each) not in taken)


@cache
def _of_bots(seats: int) -> frozenset[str]:
    """The skeletons of what bots are called on these seats, in messages and by the pages in any language."""
    told = {seated_bot_name(bot, seat) for bot in (*BOTS, *LEVELS) for seat in range(seats)}
    shown = {bot_name(seat, language) for seat in range(seats) for language in LANGUAGES}
    return frozenset(map(skeleton, told | shown))


def seated_bot_name(bot: str, seat: int) -> str:
    """The name of a bot on a seat in messages."""
    return f"{bot.partition(':')[0]} {seat}"


def seat_names(table: TableState, language: str) -> list[str]:
    """The names of the seats in sentences of this language: on a free one, a bot plays."""
    return [chair.name if chair.person else bot_name(seat, language) for seat, chair in enumerate(table.chairs)]


def with_names(
    text: str, names: Sequence[str], language: str, reader: int, within: re.Pattern[str] = WITHIN_SENTENCE
) -> str:
    """A sentence in this language, with the names of the seats for ``#0``, ``#1`` …; the reader, whose seat is −1 if
    they have none, is "you", or "You" unless the text before matches ``within``."""
    if f"#{reader}" not in text:
        return _SEAT.sub(lambda found: names[int(found[1])], text)
    texts = catalogue(TEXTS, language)

    def name(found: re.Match[str]) -> str:
        if int(found[1]) != reader:
            return names[int(found[1])]
        return texts("page.table.you" if within.search(text, 0, found.start()) else "you")

    return _SEAT.sub(name, text)


def bot_name(seat: int, language: str) -> str:
    """The name of a bot on pages: its flower, with a number where there are more seats than flowers."""
    again, flower = divmod(seat, len(FLOWERS))
    name = catalogue(TEXTS, language)(f"page.table.flower_{flower}")
    return f"{name} {again + 1}" if again else name


def _is_mark(character: str) -> bool:
    """Tell if this is an accent, or something else that is set over or around the letter before it."""
    return unicodedata.category(character) in ("Mn", "Me")
