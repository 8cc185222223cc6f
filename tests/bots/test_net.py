"""The net bot: it plays what its arrays rate highest, one table or many, and says plainly what it cannot play."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tefuda
from tefuda.bots.net import CARD, ModelCard, Network, Weights, learned_tables, load_network, save_network
from tefuda.bots.net_player import choose_by_net, new_net_player
from tefuda.bots.players import bot
from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import generator
from tefuda.games import description, names
from tefuda.research.vector import VectorEnv
from tefuda.table.planes import Observation

OPTIONS: dict[str, list[Any]] = {"partnership": [False, True], "pig_flips": ["all_hearts", "all_scoring"]}
GONG_ZHU, KAKKURI = description("gong-zhu"), description("kakkuri")


def card(**changes: Any) -> ModelCard:
    planes = Observation(tefuda.load("gong-zhu"), list(OPTIONS)).planes
    made = ModelCard("gong-zhu", GONG_ZHU.rules_version, 4, OPTIONS, ["target"], [(p.name, p.size) for p in planes])
    return replace(made, **changes)


def weights() -> Weights:
    """Of a network that has learned nothing, in half precision as files hold them."""
    numbers = np.random.default_rng(5)
    sizes = [sum(size for _, size in card().planes), 24, 16, GONG_ZHU.actions]
    matrices = [numbers.normal(size=pair).astype(np.float16) for pair in pairwise(sizes)]
    return Weights(matrices, [numbers.normal(size=size).astype(np.float16) for size in sizes[1:]])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_network(tmp_path, card(), weights())
    return tmp_path


def ratings(made: Weights, inputs: Any) -> Any:
    """What the layers amount to, in NumPy."""
    for k, (matrix, bias) in enumerate(zip(made.matrices, made.biases, strict=True)):
        inputs = (np.maximum(inputs, 0) if k else inputs.astype(np.float32)) @ matrix + bias
    return inputs


def test_it_plays_the_legal_action_rated_highest(folder: Path) -> None:
    """One table at a time, many at once, and by NumPy: the same."""
    network = load_network(GONG_ZHU, folder)
    env = VectorEnv("gong-zhu", tables=50, skip_forced=True, options=list(OPTIONS))
    batch, player = env.reset(seed=1), bot(f"net:{folder}")
    for _ in range(20):
        chosen = network.choose_all(batch.observations, batch.masks)
        rated = np.where(batch.masks, ratings(network.weights, batch.observations), -np.inf)
        best = rated.max(1)
        np.testing.assert_allclose(rated[np.arange(50), chosen], best, rtol=1e-3)
        deal = env.table(7)
        assert player.choose(deal.view(deal.mover), deal.legal_actions(), generator(0)) == chosen[7]
        batch = env.step(chosen)


def test_with_trust_the_advised_action_is_made_unless_another_is_rated_higher_by_more(folder: Path) -> None:
    """One table at a time and many at once: the same."""
    save_network(folder, card(trust=2.0), weights())
    network = load_network(GONG_ZHU, folder)
    env = VectorEnv("gong-zhu", tables=50, skip_forced=True, options=list(OPTIONS))
    batch, player, followed = env.reset(seed=1), bot(f"net:{folder}"), []
    for _ in range(20):
        advised = env.advise()
        chosen = network.choose_all(batch.observations, batch.masks, advised)
        rated = np.where(batch.masks, ratings(network.weights, batch.observations), -np.inf)
        ahead = rated.max(1) - rated[np.arange(50), advised]
        clear = np.abs(ahead - 2) > 1e-2  # of rounding
        np.testing.assert_array_equal((chosen == advised)[clear], ((ahead <= 2) | (rated.argmax(1) == advised))[clear])
        followed += ((chosen == advised) & (rated.argmax(1) != advised)).tolist()
        deal = env.table(7)
        if tefuda.bot("hints").choose(deal.view(deal.mover), deal.legal_actions(), generator(0)) == advised[7]:
            assert player.choose(deal.view(deal.mover), deal.legal_actions(), generator(0)) == chosen[7]
        batch = env.step(chosen)
    assert any(followed)


def test_a_network_may_read_what_the_rules_of_thumb_advise(folder: Path) -> None:
    """More rows of the first matrix stand for the advised action; one table at a time and many at once: the same."""
    made = weights()
    rows = np.random.default_rng(6).normal(size=(GONG_ZHU.actions, 24)).astype(np.float16)
    first = np.concatenate([made.matrices[0], rows])
    save_network(folder, card(), Weights([first, *made.matrices[1:]], made.biases))
    network = load_network(GONG_ZHU, folder)
    assert network.asks
    env = VectorEnv("gong-zhu", tables=50, skip_forced=True, options=list(OPTIONS))
    batch, player = env.reset(seed=1), bot(f"net:{folder}")
    for _ in range(20):
        advised = env.advise()
        chosen = network.choose_all(batch.observations, batch.masks, advised)
        told = np.concatenate([batch.observations, np.eye(GONG_ZHU.actions, dtype=np.int8)[advised]], 1)
        rated = np.where(batch.masks, ratings(network.weights, told), -np.inf)
        np.testing.assert_allclose(rated[np.arange(50), chosen], rated.max(1), rtol=1e-3)
        deal = env.table(7)
        if tefuda.bot("hints").choose(deal.view(deal.mover), deal.legal_actions(), generator(0)) == advised[7]:
            assert player.choose(deal.view(deal.mover), deal.legal_actions(), generator(0)) == chosen[7]
        batch = env.step(chosen)


def play_weights() -> Weights:
    """Of a network that rates single plays, and has learned nothing."""
    numbers = np.random.default_rng(7)
    sizes = [sum(size for _, size in KAKKURI.features), 24, 16, 1]
    matrices = [numbers.normal(size=pair).astype(np.float16) for pair in pairwise(sizes)]
    return Weights(matrices, [numbers.normal(size=size).astype(np.float16) for size in sizes[1:]])


def play_card(**changes: Any) -> ModelCard:
    return replace(ModelCard("kakkuri", KAKKURI.rules_version, 5, {}, [], KAKKURI.features, trust=0.5), **changes)


@pytest.mark.slow
def test_a_network_may_rate_single_plays(tmp_path: Path) -> None:
    """Where a game names features. By NumPy, one table at a time, many at once, and in playouts: the same."""
    save_network(tmp_path, play_card(), play_weights())
    network, player, rng = load_network(KAKKURI, tmp_path), bot(f"net:{tmp_path}"), generator(3)
    compiled = new_net_player(KAKKURI.record, network)
    departed, untold = 0, 0
    for number in range(4):
        deal = tefuda.load("kakkuri").deal(number)
        while not deal.over:
            legal, view = deal.legal_actions(), deal.view(deal.mover)
            advised = int(verbs.advise(view.record, rng))
            inputs = np.zeros((len(legal), network.weights.inputs), np.int8)
            told = [
                verbs.features(view.record, advised, action, row) for action, row in zip(legal, inputs, strict=True)
            ]
            rated = ratings(network.weights, inputs)[:, 0] if told[0] else np.zeros(len(legal))
            best = legal[int(rated.argmax())]
            wanted = best if rated.max() - rated[legal.index(advised)] > 0.5 else advised
            mask = np.zeros((1, KAKKURI.actions), np.bool_)
            mask[0, legal] = True
            found = network.ratings(view, rng)[legal] - 0.5 * (np.array(legal) == advised)
            np.testing.assert_allclose(found, rated, rtol=1e-3, atol=1e-3)
            assert player.choose(view, legal, rng) == wanted
            assert network.answer_all(view.array, mask, np.array([advised])) == [wanted]
            assert choose_by_net(compiled, deal.state, deal.mover, np.array(legal), rng) == wanted
            departed, untold = departed + (wanted != advised), untold + (not told[0])
            deal.act(wanted)
    assert departed > 10
    assert untold > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_the_highest_rating_is_that_of_the_choice(name: str) -> None:
    """Also where ratings are alike: of most plays of Kakkuri nothing can be told, and the advised one is made."""
    network = load_network(description(name))
    deal = tefuda.load(name, network.card.seats).deal(5)
    while not deal.over:
        legal, view = deal.legal_actions(), deal.view(deal.mover)
        chosen = network.choose(view, legal, generator(5))
        assert legal[int(network.ratings(view, generator(5))[legal].argmax())] == chosen
        deal.act(chosen)


@pytest.mark.parametrize("features", [[("hands", 48)], list(KAKKURI.features[:-1])])
def test_a_network_for_other_features_is_refused(features: list[tuple[str, int]], tmp_path: Path) -> None:
    save_network(tmp_path, play_card(planes=features), play_weights())
    with pytest.raises(TefudaError, match="does not fit the game as it is now: train it again"):
        load_network(KAKKURI, tmp_path)


def test_the_files_hold_what_was_saved(folder: Path) -> None:
    network = load_network(GONG_ZHU, folder)
    for now, then in zip(network.weights.matrices, weights().matrices, strict=True):
        np.testing.assert_array_equal(now, then)
    assert json.loads((folder / CARD).read_text("utf-8"))["game"] == "gong-zhu"


def test_it_knows_the_tables_it_has_learned(folder: Path) -> None:
    network = load_network(GONG_ZHU, folder)

    def unknown(seats: int = 4, **options: Any) -> str:
        return network.tables.unknown(tefuda.load("gong-zhu", seats, **options).template[0])

    assert unknown() == unknown(partnership=True, pig_flips="all_scoring") == unknown(target=500) == ""
    assert unknown(exposing=False) == "exposing=False"
    assert unknown(5) == "5 seats"


def test_the_network_of_gong_zhu_plays_clockwise_too() -> None:
    learned = learned_tables(GONG_ZHU)
    assert learned is not None
    assert not learned.unknown(tefuda.load("gong-zhu", preset="chinese-hearts").template[0])


def test_at_another_table_it_says_so(folder: Path) -> None:
    deal = tefuda.load("gong-zhu", exposing=False).deal(1)
    with pytest.raises(TefudaError, match="the net for gong-zhu has not learned to play with exposing=False"):
        tefuda.choose_play(bot(f"net:{folder}"), deal, 0)


def spoil(folder: Path, file: str, content: bytes) -> None:
    (folder / file).write_bytes(content)


@pytest.mark.parametrize(
    ("file", "content", "complaint"),
    [
        ("net.json", b"{", "net.json is damaged: it is not JSON"),
        ("net.json", b"[]", "net.json is damaged or from another version"),
        ("net.json", b'{"game": "gong-zhu"}', "net.json is damaged or from another version"),
        ("net.npz", b"PK", "net.npz is damaged: it is not the file that net.json describes"),
    ],
)
def test_damaged_files_are_named(folder: Path, file: str, content: bytes, complaint: str) -> None:
    spoil(folder, file, content)
    with pytest.raises(TefudaError, match=complaint):
        load_network(GONG_ZHU, folder)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"game": "luk-fu"}, "is a net for luk-fu, not for gong-zhu"),
        ({"rules_version": 99}, "the net for gong-zhu learned rules version 99; the game has"),
        ({"planes": [("hands", 52)]}, "does not fit the game as it is now: train it again"),
        ({"planes": [("cards", 52)]}, "does not fit the game as it is now: gong-zhu has no plane 'cards' of 52"),
        (
            {"options": {"partners": [True, False]}},
            "does not fit the game as it is now: gong-zhu has no option 'partners'",
        ),
        ({"format": 2}, "from another version of Tefuda"),
    ],
)
def test_a_net_for_something_else_is_refused(folder: Path, changes: dict[str, Any], complaint: str) -> None:
    save_network(folder, card(**changes), weights())
    with pytest.raises(TefudaError, match=complaint):
        load_network(GONG_ZHU, folder)


def test_an_option_may_have_got_another_value_since(tmp_path: Path) -> None:
    """A network that learned under two of three values plays as it did, and refuses the third."""
    knows = {"expose_order": ["single_round", "until_quiet"]}
    planes = [(p.name, p.size) for p in Observation(tefuda.load("gong-zhu"), list(knows)).planes]
    then = [*planes[:-1], ("expose_order", 2)]
    made = weights()
    matrix = np.zeros((sum(size for _, size in then), 24), np.float32)
    save_network(tmp_path, card(options=knows, planes=then), Weights([matrix, *made.matrices[1:]], made.biases))
    network = load_network(GONG_ZHU, tmp_path)
    assert network.tables.unknown(tefuda.load("gong-zhu", expose_order="until_quiet").template[0]) == ""
    third = tefuda.load("gong-zhu", expose_order="simultaneous")
    assert network.tables.unknown(third.template[0]) == "expose_order=simultaneous"


def test_an_array_too_few_is_told(folder: Path) -> None:
    made = weights()
    save_network(folder, card(), Weights(made.matrices[1:], made.biases[1:]))
    with pytest.raises(TefudaError, match="does not fit the game as it is now: train it again"):
        load_network(GONG_ZHU, folder)


def test_no_folder_and_no_net() -> None:
    with pytest.raises(TefudaError, match=r"/nowhere holds no net: No such file or directory \(net.json\)"):
        load_network(GONG_ZHU, Path("/nowhere"))
    without = replace(GONG_ZHU, files=replace(GONG_ZHU.files, net=None))
    with pytest.raises(TefudaError, match="gong-zhu has no net yet; play against hints or search, or train one"):
        load_network(without)


def test_networks_that_ship_fit_their_games() -> None:
    """Each was trained under the rules, options and planes that the game has now, and gains against hints."""
    for name in tefuda.list_games():
        game = description(name)
        if game.files.net is not None:
            network = load_network(game)
            assert isinstance(network, Network)
            usual = network.card.results[0]
            assert usual["against"] == "hints"
            assert usual["gain"] > usual["margin"]
