"""A Sphinx extension: the rules of every game in every language, from the catalogues that ``tefuda rules`` reads.

Pages are written into ``docs/games/`` when a build begins; git ignores them. A game that another package brings has its
pages too where that package is installed.
"""

from pathlib import Path
from typing import Any

from tefuda import games
from tefuda.engine.description import Description, Option
from tefuda.engine.texts import LANGUAGES, catalogue
from tefuda.table.reasons import TEXTS

HERE = Path(__file__).parent
FOLDER = HERE / "games"


HEAD = """# The games

After this page you know which of the games suits your evening. Each game has a page with its cards, its rules by number
and its options; `tefuda rules GAME` prints the same at the terminal, and a table in the browser shows them too.
"""


def write_pages(_app: Any) -> None:
    """Write what has changed; Sphinx then reads only that again."""
    FOLDER.mkdir(exist_ok=True)
    every = {name: games.description(name) for name in games.names()}
    write("index", index(every))
    for name, game in every.items():
        for language in languages(game):
            write(stem(name, language), page(name, game, language))


def write(name: str, text: str) -> None:
    """Write a page, unless it stands there already."""
    path = FOLDER / f"{name}.md"
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


def index(every: dict[str, Description]) -> str:
    """The page that lists the games, in the words of their catalogues."""
    parts = [HEAD]
    for name, game in every.items():
        texts = catalogue(game.files.texts, "en")
        fewest, most = min(game.seats), max(game.seats)
        players = str(most) if fewest == most else f"{fewest} {'or' if most - fewest == 1 else 'to'} {most}"
        linked = f"[{texts('title')} {texts('native')}]({name}.md)"
        parts.append(f"## {linked}\n\n{players} players, {len(game.cards)} different cards. {texts('about')}\n")
    return "\n".join([*parts, "```{toctree}", ":hidden:", "", *every, "```", ""])


def languages(game: Description) -> list[str]:
    """The languages in which the game has texts."""
    return [each for each in LANGUAGES if (game.files.texts / f"{each}.toml").exists()]


def stem(name: str, language: str) -> str:
    """The file of a game's page, without its ending."""
    return name if language == "en" else f"{name}-{language}"


def page(name: str, game: Description, language: str) -> str:
    """One game's rules and options in a language, as Markdown."""
    own, common = catalogue(game.files.texts, language), catalogue(TEXTS, language)
    parts = [
        f"# {own('title')} {own('native')}" if own("title") != own("native") else f"# {own('title')}",
        others(name, game, language),
        own("about"),
        pictures(name) if language == "en" else "",
        background(game, language),
        f"## {common('page.rules.all')}",
        *rules(game, language),
        f"## {common('page.rules.options')}",
        common("page.rules.options_help"),
        *(option(game, each, language) for each in game.rules.options),
    ]
    body = "\n\n".join(part for part in parts if part)
    head = "" if language == "en" else f"---\norphan: true\nlanguage: {language}\n---\n\n"
    return f"{head}{body}\n"


def others(name: str, game: Description, language: str) -> str:
    """Links to the same page in the other languages."""
    named = {each: catalogue(TEXTS, each)("language") for each in languages(game)}
    links = (f"[{label}]({stem(name, each)}.md)" for each, label in named.items() if each != language)
    return " · ".join(links) + f" · `tefuda play {name}`"


def pictures(name: str) -> str:
    """The contact sheets of the game's decks."""
    found = sorted((HERE / "decks").glob(f"{name}-*.png"))
    return "\n\n".join(f"![The cards: {path.stem.removeprefix(name + '-')}](../decks/{path.name})" for path in found)


def background(game: Description, language: str) -> str:
    """What else there is to tell of the game, where its texts bring a page ``about/<language>.md``."""
    path = game.files.texts / "about" / f"{language}.md"
    return path.read_text("utf-8").partition("\n")[2].strip() if path.exists() else ""


def rules(game: Description, language: str) -> list[str]:
    """Every rule with an anchor of its own, such as ``gz-8``."""
    texts = catalogue(game.files.texts, language)
    suffix = "" if language == "en" else f"-{language.lower()}"
    return [f"({number.lower()}{suffix})=\n**{number}** {texts(f'rules.{number}')}" for number in texts.under("rules")]


def option(game: Description, each: Option, language: str) -> str:
    """An option: what it is called, how it is set, what it does and what its values mean."""
    texts = catalogue(game.files.texts, language)
    key = f"options.{each.name}"
    default = str(each.default).lower() if isinstance(each.default, bool) else str(each.default)
    said = {word.removeprefix("values."): text for word, text in texts.under(key).items() if word.startswith("values.")}
    lines = [f"**{texts(f'{key}.label')}** `{each.name}={default}` ({each.rule})", "", texts(f"{key}.help")]
    lines += ["", *(f"* `{word}`: {text}" for word, text in said.items())] if said else []
    return "\n".join(lines)


def say_language(_app: Any, _page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """Tell browsers in which language a page is written."""
    context["language"] = (context.get("meta") or {}).get("language", context.get("language"))


def setup(app: Any) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("builder-inited", write_pages)
    app.connect("html-page-context", say_language)
    return {"parallel_read_safe": True}
