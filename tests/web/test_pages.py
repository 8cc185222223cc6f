"""Pages without scripts: languages, files, decks, opening tables, invitations."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from html import escape, unescape
from io import BytesIO

import httpx
import pytest

from tefuda import games
from tefuda.bots.players import levels
from tefuda.engine.rulebook import CODES, glossary, rulebook
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.table import tour
from tests.server.server_process import Served
from tests.web.people import links, shows, visitor

GAMES = games.names()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_speaks_the_readers_language(site: Served, language: str) -> None:
    with visitor(site, language) as reader:
        for path in ("/", *(f"/games/{game}{more}" for game in GAMES for more in ("", "/rules", "/about"))):
            page = reader.get(path)
            assert page.status_code == 200, path
            assert f'<html lang="{language}">' in page.text
        for game in GAMES:
            title = catalogue(games.description(game).files.texts, language)("title")
            assert title in reader.get("/").text


@pytest.mark.slow
def test_whatever_a_page_names_is_there(site: Served) -> None:
    with visitor(site) as reader:
        named = {
            link for path in ("/", "/games/luk-fu", "/games/luk-fu/rules") for link in links(reader.get(path).text)
        }
        for link in {link.partition("#")[0] for link in named if not link.startswith("#")}:
            assert reader.get(link).status_code == 200, link


def test_a_language_once_chosen_stays(site: Served) -> None:
    with visitor(site, "en") as reader:
        chosen = reader.get("/games/gong-zhu/rules?lang=zh-Hant")
        assert '<html lang="zh-Hant">' in chosen.text
        assert '<html lang="zh-Hant">' in reader.get("/").text
        assert '<html lang="ja">' in reader.get("/?lang=ja").text
        assert '<html lang="ja">' in reader.get("/").text


def test_the_menu_leads_to_the_same_page_in_each_language(site: Served) -> None:
    with visitor(site) as reader:
        found = links(reader.get("/games/gong-zhu/rules").text)
        assert {f"/games/gong-zhu/rules?lang={language}" for language in LANGUAGES} <= set(found)


@pytest.mark.parametrize("name", ["มาลี", "مريم", "한별", "𠮷田"])
def test_a_name_in_a_script_that_our_fonts_lack_needs_nothing_more(site: Served, name: str) -> None:
    with visitor(site) as ann:
        ann.post("/me", data={"name": "Ann"})
        asked = links(ann.get("/me").text)
        ann.post("/me", data={"name": name})
        page = ann.get("/me")
        assert (page.status_code, links(page.text)) == (200, asked)
        assert f'value="{name}"' in page.text
        opened = ann.post("/api/v1/tables", json={"game": "gong-zhu", "seats": 4, "name": name})
        assert opened.status_code == 201
        assert ann.get(f"/t/{opened.json()['table']}").status_code == 200


def test_what_is_not_there_is_said_on_a_page(site: Served) -> None:
    with visitor(site, "ja") as reader:
        for path in ("/games/go", "/games/go/rules", "/nowhere", "/t/nowhere/invite"):
            page = reader.get(path)
            assert page.status_code == 404, path
            assert '<html lang="ja">' in page.text
        assert reader.get("/api/v1/nowhere").headers["content-type"] == "application/json"


def test_files_are_kept_for_ever_under_their_hash_only(site: Served) -> None:
    with visitor(site) as reader:
        path = next(link for link in links(reader.get("/").text) if link.endswith("base.css"))
        assert "immutable" in reader.get(path).headers["cache-control"]
        old = reader.get(re.sub(r"/static/\w+/", "/static/0123456789abcdef/", path))
        assert (old.status_code, old.headers["cache-control"]) == (200, "no-cache")
        for outside in ("..%2f..%2ftemplates%2fbase.html", "../../templates/base.html"):
            assert reader.get(path.removesuffix("css/base.css") + outside).status_code == 404


def test_a_sprite_is_kept_for_ever_under_the_hash_of_what_it_is_made_from(site: Served) -> None:
    with visitor(site) as reader:
        page = reader.get("/games/ma-diao/rules").text
        path, word = next(link for link in links(page) if link.startswith("/decks/")).split("#")
        drawn = reader.get(path)
        assert f'id="{word}"' in drawn.text
        assert drawn.headers["content-encoding"] == "gzip"
        assert "immutable" in drawn.headers["cache-control"]
        plain = reader.get(path, headers={"accept-encoding": "identity"})
        assert plain.text == drawn.text
        old = reader.get(re.sub(r"/\w{16}/", "/0123456789abcdef/", path))
        assert (old.text, old.headers["cache-control"]) == (drawn.text, "no-cache")
        for nothing in ("cards/fr.svg", "backs/en.svg", "cards/en.png"):
            assert reader.get(f"/decks/ma-diao/0123456789abcdef/{nothing}").status_code == 404


def test_a_deck_is_printed_from_its_rules(site: Served) -> None:
    """Every deck of a game on both papers, in the reader's language; and nothing else."""
    pypdf = pytest.importorskip("pypdf")
    pytest.importorskip("reportlab")
    with visitor(site, "ja") as reader:
        prints = [link for link in links(reader.get("/games/kakkuri/rules").text) if link.endswith(".pdf")]
        assert [link.rpartition("/")[2] for link in prints] == [
            f"{deck}-{paper}-ja.pdf" for deck in ("komatsu", "western") for paper in ("a4", "letter")
        ]
        answer = reader.get(prints[0])
        assert answer.headers["content-type"] == "application/pdf"
        assert "カックリ" in pypdf.PdfReader(BytesIO(answer.content)).pages[-1].extract_text()
        for nothing in ("komatsu-a3-ja", "komatsu-a4-fr", "poker-a4-ja", "komatsu"):
            assert reader.get(f"/decks/kakkuri/{nothing}.pdf").status_code == 404


@pytest.mark.slow
def test_everything_may_be_drawn_at_once(site: Served) -> None:
    """As by a browser that asks for all pictures of a page."""
    with visitor(site) as reader, ThreadPoolExecutor(20) as several:
        version = {game: re.findall(rf"/decks/{game}/(\w+)/", reader.get("/").text)[0] for game in GAMES}
        paths = [f"/decks/{game}/{version[game]}/marked/{language}.svg" for game in GAMES for language in LANGUAGES]
        assert [found.status_code for found in several.map(reader.get, paths)] == [200] * len(paths)


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_an_anchor_and_every_option_leads_to_its_rule(site: Served, game: str) -> None:
    description = games.description(game)
    with visitor(site) as reader:
        rules = reader.get(f"/games/{game}/rules").text
        for number in catalogue(description.files.texts, "en").under("rules"):
            assert f'id="{number}"' in rules
        form = reader.get(f"/games/{game}").text
        for option in description.rules.options:
            assert f'name="set-{option.name}"' in form
            assert f'href="/games/{game}/rules#{option.rule}"' in form


def test_rules_and_options_name_cards_in_words(site: Served) -> None:
    with visitor(site) as reader, visitor(site, "ja") as japanese:
        for path in ("/games/ma-diao/rules", "/games/ma-diao", "/games/kakkuri/rules", "/games/luk-fu/rules"):
            assert "`" not in reader.get(path).text
        told = heard(reader.get("/games/ma-diao/rules").text)
        assert "you were dealt the Hundred myriads and have one trick or none" in told
        assert "two tens of myriads, one of myriads, one of strings, nine of cash" in reader.get("/games/ma-diao").text
        assert "百老（百万）を配られ" in heard(japanese.get("/games/ma-diao/rules").text)


def heard(text: str) -> str:
    """A page with what its pictures of cards are called in their places."""
    drawn = r'<span class="drawn[^"]*" role="img" aria-label="([^"]*)"[^>]*>(?:<svg[^>]*><use[^>]*/></svg>)+</span>'
    return re.sub(drawn, r"\1", text)


@pytest.mark.parametrize("game", GAMES)
def test_the_page_teaches_marks_its_rules_and_leads_to_where_the_game_comes_from(site: Served, game: str) -> None:
    description = games.description(game)
    with visitor(site) as reader:
        rules = reader.get(f"/games/{game}/rules").text
        for section in rulebook(description, "en").sections:
            assert (f'<section id="{section.key}">' in rules) == (section.key != CODES)
        assert all(word in rules for word in description.cards)
        assert f'title="{catalogue(TEXTS, "en")("rulebook.mark.chosen")}"' in rules
        assert '<details class="source small">' in rules
        assert f"/games/{game}/rules" in links(reader.get(f"/games/{game}").text)
        assert f"/games/{game}/about" in links(rules)
        shown = reader.get(f"/games/{game}/about").text
        for term in glossary(description, "en"):
            assert term.meaning in re.sub(r"</?span[^>]*>", "", unescape(shown))
        assert f'href="/games/{game}/rules"' in shown


def test_rules_and_options_that_a_rule_names_are_links_beside_characters_too(site: Served) -> None:
    with visitor(site, "zh-Hans") as reader:
        text = reader.get("/games/gong-zhu/rules").text
    assert '只有 <a href="#GZ-9">GZ-9</a> 能禁止' in text
    label = catalogue(games.description("gong-zhu").files.texts, "zh-Hans")("options.five_deck.label")
    assert f'<a href="#five_deck">“{label}”</a>：“' in text
    assert 'id="five_deck"' in text


@pytest.mark.parametrize(
    ("path", "said"), [("/nothing", "そのようなページはありません。"), ("/games/nothing", "「nothing」というゲーム")]
)
def test_addresses_that_lead_nowhere_are_told_in_the_readers_language(site: Served, path: str, said: str) -> None:
    with visitor(site, "ja") as reader:
        answer = reader.get(path)
    assert answer.status_code == 404
    assert said in answer.text


# Sitting down


def open_table(reader: httpx.Client, game: str, **form: str) -> str:
    """The address one is sent to from the game's page, which has left its cookie."""
    reader.get(f"/games/{game}")
    answer = reader.post(f"/games/{game}", data=form)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def state(reader: httpx.Client, table: str) -> dict[str, object]:
    return reader.get(f"/api/v1/tables/{table}").json()  # type: ignore[no-any-return]


def test_one_button_seats_you_among_bots(site: Served) -> None:
    with visitor(site) as ann, visitor(site) as ben:
        table = open_table(ann, "gong-zhu", **{"with": "bots"}).removeprefix("/t/")
        now = ann.get(f"/api/v1/tables/{table}").json()
        assert now["you"] == {"seat": 0, "host": True}
        easy = levels(games.description("gong-zhu"))["easy"].bots[0]
        assert [seat["bot"] for seat in now["seats"]] == [None, easy, easy, easy]
        assert shows(ann, "/", f"/t/{table}")
        assert table not in ben.get("/").text


def test_the_form_says_how_many_play_how_well_and_by_which_rules(site: Served) -> None:
    with visitor(site) as ann:
        form = {"with": "bots", "name": " Ann ", "seats": "5", "level": "strong", "set-five_deck": "pagat"}
        table = open_table(ann, "gong-zhu", **form, **{"set-end_on_plus": "true"}).removeprefix("/t/")
        now = ann.get(f"/api/v1/tables/{table}").json()
        assert now["options"] == {"five_deck": "pagat", "end_on_plus": True}
        assert [seat["bot"] for seat in now["seats"]] == [None, *["search:100it"] * 4]  # no net knows five players
        assert now["seats"][0]["name"] == "Ann"
        assert 'value="Ann"' in ann.get("/games/luk-fu").text


def test_what_does_not_go_together_is_said_and_what_was_typed_stays(site: Served) -> None:
    with visitor(site) as ann:
        typed = {"with": "bots", "name": "Ann", "seats": "5", "set-partnership": "true", "set-target": "500"}
        page = ann.post("/games/gong-zhu", data=typed)
        assert page.status_code == 422
        assert "partnership needs 4 seats" in page.text
        assert 'value="Ann"' in page.text
        assert 'name="set-target" value="500"' in page.text
        assert re.search(r'id="partnership"[^>]* checked', page.text)
        assert re.search(r'name="seats" value="5" checked', page.text)
        assert '<details class="options card" open>' in page.text


@pytest.mark.parametrize("number", ["0", "", "many", "10001", "1000001", "12.5"])
def test_a_number_that_will_not_do_is_named_beside_its_field(site: Served, number: str) -> None:
    with visitor(site) as ann:
        page = ann.post("/games/gong-zhu", data={"with": "bots", "set-target": number})
        assert page.status_code == 422
        assert "Write a whole number from 1 to 10,000." in page.text


@pytest.mark.parametrize("name", ["x" * 25, "\u200b"])
def test_a_name_that_will_not_do_is_said(site: Served, name: str) -> None:
    with visitor(site) as ann:
        page = ann.post("/games/gong-zhu", data={"with": "bots", "name": name})
        assert page.status_code == 422
        assert "A name needs 1–24 visible characters" in page.text


def test_names_cannot_be_markup(site: Served) -> None:
    with visitor(site) as ann:
        open_table(ann, "gong-zhu", **{"with": "anybody", "name": "<b>Ann</b>"})
        assert shows(ann, "/", "&lt;b&gt;Ann&lt;/b&gt;")
        assert "<b>Ann" not in ann.get("/").text


def test_other_sites_cannot_send_the_form(site: Served) -> None:
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        form = {"with": "bots"}
        assert httpx.post(f"{site.url}/games/gong-zhu", data=form, headers=headers, timeout=60).status_code == 403


def test_a_table_for_everybody_is_listed_until_it_is_closed(site: Served) -> None:
    with visitor(site) as ann, visitor(site) as ben:
        where = open_table(ann, "luk-fu", **{"with": "anybody", "name": "Ann of Luk Fu"})
        assert shows(ben, "/", "Ann of Luk Fu")
        ann.post(f"/api/v1/tables/{where.removeprefix('/t/')}/close")
        until = time.monotonic() + 10
        while "Ann of Luk Fu" in ben.get("/").text:
            assert time.monotonic() < until


def test_an_invitation_lets_friends_in_and_nobody_else(site: Served) -> None:
    with visitor(site) as ann, visitor(site) as ben, visitor(site) as eve:
        where = open_table(ann, "luk-fu", **{"with": "friends", "name": "Ann"})
        table = where.removeprefix("/t/").removesuffix("/invite")
        page = ann.get(where)
        assert "<svg" in page.text
        assert "tefuda serve --host 0.0.0.0" in page.text  # this server is at 127.0.0.1
        token = re.search(rf"/t/{table}\?invite=([\w-]+)", page.text)
        assert token
        stranger = eve.get(where)
        assert (stranger.status_code, stranger.headers["location"]) == (303, f"/t/{table}")
        ben.get(f"/t/{table}?invite={token[1]}")
        join = f"/api/v1/tables/{table}/join"
        assert eve.post(join, json={"name": "Eve"}).status_code == 403
        assert ben.post(join, json={"name": "Ben", "invite": token[1]}).json()["seat"] == 1
        assert token[1] in ann.get(f"/t/{table}").text  # it can be sent again
        assert token[1] not in ben.get(f"/t/{table}").text
        assert token[1] not in ben.get(f"/api/v1/tables/{table}").text


def test_friends_may_write_to_each_other_if_the_form_says_so_and_strangers_may_not(site: Served) -> None:
    with visitor(site) as ann:
        for company, chat, allowed in (
            ("friends", ["chat"], True),
            ("friends", [], False),
            ("anybody", ["chat"], False),
        ):
            where = open_table(ann, "luk-fu", **{"with": company, **dict.fromkeys(chat, "on")})
            assert state(ann, where.removeprefix("/t/").removesuffix("/invite"))["chat"] is allowed
        refused = ann.post("/api/v1/tables", json={"game": "luk-fu", "chat": True})
        assert (refused.status_code, refused.json()["error"]["code"]) == (422, "public_chat")
        for among_friends in ({"public": False}, {"by_invitation": True}):
            opened = ann.post("/api/v1/tables", json={"game": "luk-fu", "chat": True, **among_friends})
            assert opened.is_success


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tour_says_everything_in_the_readers_language(site: Served, game: str, language: str) -> None:
    found = tour.load(games.description(game).files.tours[0])
    with visitor(site, language) as reader:
        text = reader.get(f"/games/{game}/tour").text
    for step in found.steps:
        assert f"<h3>{escape(step.words[language].head, quote=False)}</h3>" in text
    assert "{" not in text[text.index('<section class="words"') : text.index("</section>")]


def test_the_lobby_leads_to_a_games_page_and_to_one_way_to_learn_it(site: Served) -> None:
    with visitor(site) as reader:
        path = reader.get("/").text.partition('<ol class="games">')[2].partition("</ol>")[0]
        for row, game in zip(path.split('</li>\n<li class="game'), sorted(GAMES, key=difficulty), strict=True):
            leads = [link for link in links(row) if link.startswith("/games/")]
            assert leads == [*[f"/games/{game}"] * 2, f"/games/{game}/players", f"/games/{game}/tour/first"]
        page = links(reader.get("/games/gong-zhu").text)
        for more in ("tour/first", "rules", "day", "problems"):
            assert f"/games/gong-zhu/{more}" in page


def difficulty(game: str) -> int:
    return games.description(game).difficulty


def test_tours_are_found_from_the_lobby_and_the_games_page(site: Served) -> None:
    with visitor(site) as reader:
        for game in GAMES:
            assert f"/games/{game}/tour/first" in reader.get("/").text
            assert f"/games/{game}/tour/first" in reader.get(f"/games/{game}").text
            assert reader.get(f"/games/{game}/tour/first").status_code == 200
        assert reader.get("/games/gong-zhu/tour/second").status_code == 404


def test_a_tours_steps_are_sent_compressed_and_small(site: Served) -> None:
    with visitor(site) as reader:
        for game in GAMES:
            answer = reader.get(f"/games/{game}/tour")
            assert answer.headers["content-encoding"] == "gzip"
            assert int(answer.headers["content-length"]) < 40_000
