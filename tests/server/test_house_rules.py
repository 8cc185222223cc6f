"""House rules: options under a name, with a page."""

import httpx

from tests.server.administration import told
from tests.server.server_process import Served
from tests.server.test_moderation import appointed
from tests.server.test_people import guest


def saved(client: httpx.Client, title: str = "Tuesdays", **options: str) -> httpx.Response:
    chosen = {f"set-{name}": value for name, value in options.items()}
    return client.post("/games/gong-zhu", data={"with": "save", "title": title, "seats": "5", **chosen})


def test_saved_options_get_a_page_in_words_and_a_form(server: Served) -> None:
    with guest(server) as ann, guest(server, "Ben") as ben:
        address = saved(ann, target="500", exposing="false", heart_values="standard").headers["location"]
        page = ben.get(address).text
        assert "<h1>Tuesdays</h1>" in page
        assert "Points that end the game" in page
        assert "500" in page
        assert "<dd>off</dd>" in page
        assert "What hearts are worth" not in page  # that is as usual
        assert f'href="/games/gong-zhu?rules={address.rpartition("/")[2]}"' in page
        form = ben.get(f"/games/gong-zhu?rules={address.rpartition('/')[2]}").text
        assert 'value="500"' in form
        assert 'value="5" checked' in form


def test_a_preset_fills_in_the_form_and_opens_a_table(server: Served) -> None:
    with guest(server) as ann:
        page = ann.get("/games/gong-zhu").text
        assert 'href="/games/gong-zhu?preset=taiwan#new"' in page
        assert "archive.esut.tp.edu.tw/~drpig" in page
        form = ann.get("/games/gong-zhu?preset=taiwan").text
        assert '<option value="S7" selected>' in form
        assert 'name="set-sheep_flips" value="true" aria-describedby="help-sheep_flips" checked' in form
        assert ann.get("/api/v1/games/gong-zhu").json()["presets"]["taiwan"]["first_leader"] == "S7"
        order = {"game": "gong-zhu", "options": {"preset": "taiwan", "target": 500}, "name": "Ann"}
        table = ann.post("/api/v1/tables", json=order).json()["table"]
        options = ann.get(f"/api/v1/tables/{table}").json()["options"]
        flags = dict.fromkeys(("sheep_flips", "transformer_losses_only", "all_cards_1000"), True)
        assert options == {"first_leader": "S7", "heart_values": "pips", "target": 500, **flags}
        refused = ann.post("/api/v1/tables", json={"game": "gong-zhu", "options": {"preset": "taiwn"}})
        assert (refused.status_code, "did you mean 'taiwan'?" in refused.text) == (422, True)


def test_only_who_saved_them_deletes_them(server: Served) -> None:
    with guest(server) as ann, guest(server, "Ben") as ben:
        address = saved(ann).headers["location"]
        assert "/remove" not in ben.get(address).text
        ben.post(f"{address}/remove", data={"sure": "yes"})
        assert ann.get(address).status_code == 200
        assert "/remove" in ann.get(address).text
        ann.post(f"{address}/remove", data={"sure": "yes"})
        assert ann.get(address).status_code == 404


def test_house_rules_need_a_name_and_options_that_fit(server: Served) -> None:
    with guest(server) as ann:
        assert saved(ann, " ").status_code == 422
        assert "A name needs 1–24" in saved(ann, "x" * 30).text
        assert saved(ann, partnership="true").status_code == 422  # of five players
        assert ann.get("/house-rules/nowhere").status_code == 404
        assert ann.get("/games/gong-zhu?rules=nowhere").status_code == 404


def test_a_moderator_removes_them(server: Served) -> None:
    with guest(server) as ann, guest(server, "Max") as moderator:
        appointed(server, moderator)
        rude, kept = (saved(ann, title, target="500").headers["location"] for title in ("Rude words", "Mondays"))
        key = rude.rpartition("/")[2]
        assert f'<a class="title" href="{rude}">Rude words</a>' in moderator.get("/moderation").text
        assert ann.post("/moderation", data={"do": f"remove_rules {key}"}).status_code == 403
        assert ann.get(rude).status_code == 200
        moderator.post("/moderation", data={"do": f"remove_rules {key}", "whom": "Rude words"})
        assert ann.get(rude).status_code == 404
        assert ann.get(kept).status_code == 200
        (deed,) = [each for each in told(server.db, "log") if each["deed"] == "remove_rules"]
        assert (deed["whom"], deed["name"]) == ("Rude words", "Max")
