"""Link previews: what other sites show of a link to a page here."""

import re
from io import BytesIO

import httpx
import pytest

from tefuda.client import Client
from tefuda.decks.preview import ACROSS, LIT
from tests.server.server_process import Served
from tests.web.people import visitor
from tests.web.tables import PATIENCE, get


def opened(site: Served, **how: object) -> tuple[str, httpx.Client]:
    """A table at which somebody plays, with their client; a card has been played, if there was one to play."""
    seat = Client(site.url).open("gong-zhu", name="Aiko", bots=["hints"] * 3, **how)
    for moment in seat:
        if moment.choices[0].startswith("expose"):
            seat.play("expose:none")
            continue
        break
    return seat.table, httpx.Client(base_url=site.url, timeout=PATIENCE / 1000)


def described(text: str) -> dict[str, str]:
    """The properties of a page that previews are made from."""
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">', text))


@pytest.mark.slow
def test_every_page_says_what_a_preview_shows(site: Served) -> None:
    table, client = opened(site)
    with client, visitor(site) as reader:
        for path in ("/", "/games/luk-fu", "/games/luk-fu/rules", f"/t/{table}", f"/r/{table}", "/lab", "/me"):
            found = described(reader.get(path).text)
            assert found["og:title"], path
            assert found["og:description"], path
            assert found["twitter:card"] == "summary_large_image"
            assert found["og:url"] == site.url + path
            address = found["og:image"].replace("&amp;", "&")
            picture = get(address)  # a stranger asks, without a cookie
            assert picture.status_code == 200, path
            assert "set-cookie" not in picture.headers
        assert "Aiko" in described(reader.get(f"/t/{table}").text)["og:description"]


def test_pictures_are_of_the_size_that_sites_show(site: Served) -> None:
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    drawn = image.open(BytesIO(get(f"{site.url}/games/ma-diao/preview.png").content))
    assert (drawn.format, drawn.width, drawn.height) == ("PNG", 1200, 630)
    for nothing in ("/preview.gif", "/games/go/preview.png", "/t/nowhere/preview.png", "/r/nowhere/preview.svg"):
        assert get(site.url + nothing).status_code == 404, nothing


def test_a_picture_shows_what_spectators_see(site: Served) -> None:
    table, client = opened(site)
    with client:
        scene = client.get(f"/api/v1/tables/{table}").json()["deal"]["scene"]
        played = {seat["played"] for seat in scene["seats"] if seat["played"] and ":" not in seat["played"]}
        drawing = client.get(f"/t/{table}/preview.svg").text
        assert set(re.findall(r'<g id="(\w+)">', drawing)) - {"back"} == played
        assert drawing.count('href="#back"') > 20  # hands, from the back


@pytest.mark.parametrize("spectators", ["none", "delayed"])
def test_a_picture_of_a_table_that_not_everybody_may_watch_shows_who_sits_there(site: Served, spectators: str) -> None:
    table, client = opened(site, spectators=spectators)
    with client:
        drawing = client.get(f"/t/{table}/preview.svg").text
        assert set(re.findall(r'<g id="(\w+)">', drawing)) == {"back"}
        assert 'href="#back"' not in drawing
        if spectators == "none":
            assert client.get(f"/r/{table}/preview.svg?at=5").text == drawing


def test_a_replays_picture_is_of_its_moment(site: Served) -> None:
    seat = Client(site.url).open("gong-zhu", name="Aiko", bots=["hints"] * 3, options={"target": 1})
    for moment in seat:
        seat.play(moment.choices[0])
    drawings = {at: get(f"{site.url}/r/{seat.table}/preview.svg?at={at}").text for at in (0, 30, 31, 99999, -3)}
    assert drawings[30] != drawings[31]  # by then every move is a card that is seen, whatever was exposed
    assert drawings[0] == drawings[-3]
    with visitor(site) as reader:
        picture = described(reader.get(f"/r/{seat.table}?at=30").text)["og:image"]
        assert picture.replace("&amp;", "&").endswith("preview.png?deal=1&session=1&at=30")


@pytest.mark.parametrize("clockwise", [False, True])
def test_the_next_player_sits_at_the_right_or_where_play_goes_clockwise_at_the_left(
    site: Served, clockwise: bool
) -> None:
    """While cards are exposed the four are asked one after another: so at four moments another face is lit."""
    options = {"target": 1, "clockwise": clockwise}
    seat = Client(site.url).open("gong-zhu", name="Aiko", bots=["hints"] * 3, options=options)
    for moment in seat:
        seat.play(moment.choices[0])
    asked = list[tuple[float, float]]()
    for at in range(4):
        drawing = get(f"{site.url}/r/{seat.table}/preview.svg?at={at}").text
        (lit,) = re.findall(rf'<circle cx="([\d.]+)" cy="([\d.]+)" r="[\d.]+" fill="{LIT}"', drawing)
        asked.append((float(lit[0]), float(lit[1])))
    lowest = max(range(4), key=lambda place: asked[place][1])  # seat 0
    following = asked[(lowest + 1) % 4]
    assert following[0] < ACROSS / 2 if clockwise else following[0] > ACROSS / 2
