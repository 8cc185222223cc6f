"""The search bot: what it finds is right, it uses nothing hidden, and it plays every game."""

import os
import resource
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

import tefuda
from tefuda import games
from tefuda.bots import search_tree
from tefuda.bots.play_estimates import ActionEstimate, prefer_advised
from tefuda.bots.players import bot
from tefuda.bots.search import ENOUGH, IN_HASTE, Budget, SearchBot
from tefuda.bots.search_tree import DEFAULT
from tefuda.bots.tree_search import new_search
from tefuda.engine.errors import TefudaError
from tefuda.engine.kit.folder import BY_NET
from tefuda.engine.rng import Rng, below, generator
from tefuda.table.deal import Deal
from tefuda.table.game import Game, load
from tefuda.table.view import View
from tefuda.testing.view_checks import imagine_each

FEW = Budget(iterations=60)


def at_random(deal: Deal, rng: Rng, moves: int) -> Deal:
    """The deal after so many random moves, and until somebody has a choice; over, perhaps."""
    while not deal.over and (moves > 0 or len(deal.legal_actions()) == 1):
        legal = deal.legal_actions()
        deal.act(legal[below(rng, len(legal))])
        moves -= 1
    return deal


def moments(game: Game, count: int, steps: int, seed: int = 0) -> list[Deal]:
    """Moments of random deals at which somebody has a choice."""
    found = []
    rng = generator((seed, 9))
    for number in range(count):
        deal = at_random(game.deal((seed, number)), rng, below(rng, steps))
        if not deal.over:
            found.append(deal)
    return found


def worlds_of(view: View, count: int) -> NDArray[Any]:
    """Worlds that agree with a view, drawn at random."""
    drawn = np.zeros(count, view.game.record)
    imagine_each(np.repeat(view.array, count), generator(1), drawn)
    return drawn


def check_uses_nothing_hidden(game: Game, count: int) -> None:
    """Other cards behind the same view, the same seed: the same thoughts."""
    thinker = SearchBot(FEW)
    differed = 0
    for deal in moments(game, count, 30):
        seat = deal.mover
        view = deal.view(seat)
        there = worlds_of(view, 1)
        differed += there[0].tobytes() != deal.state.tobytes()
        other = View(game.description, there, seat)
        assert other.array.tobytes() == view.array.tobytes()
        assert thinker.think(view, generator(3)) == SearchBot(FEW).think(other, generator(3))
    assert differed > 0


def test_it_uses_nothing_hidden() -> None:
    check_uses_nothing_hidden(load("gong-zhu"), 10)


@pytest.mark.deep
@pytest.mark.parametrize("name", games.names())
def test_it_uses_nothing_hidden_in_any_game(name: str) -> None:
    check_uses_nothing_hidden(load(name), 60)


def last_choices(game: Game, count: int) -> list[Deal]:
    """Gong Zhu, last to play to the last trick but one: everything after that is forced."""
    found: list[Deal] = []
    number = 0
    rng = generator(2)
    while len(found) < count:
        deal = game.deal((2, number))
        while deal.state.tricks < 11 or deal.state.trick_size < 3:
            legal = deal.legal_actions()
            deal.act(legal[below(rng, len(legal))])
        if len(deal.legal_actions()) > 1:
            found.append(deal)
        number += 1
    return found


def test_its_figures_are_those_of_the_worlds() -> None:
    """Where all that follows is forced, the mean is that over all worlds, and the best card is chosen; by the search
    itself, which would else count such an ending out."""
    game = load("gong-zhu")
    thinker = SearchBot(Budget(iterations=3000), settings={"endings": 0})
    for deal in last_choices(game, 5):
        seat, found = deal.mover, thinker.think(deal.view(deal.mover), generator(4))
        worlds = worlds_of(deal.view(seat), 3000)
        assert {thought.action for thought in found} == set(deal.legal_actions())
        expected = {action: mean_payoff(game, worlds, action, seat) for action in deal.legal_actions()}
        for thought in found:
            error = 5 * (thought.spread / thought.visits**0.5 + 60 / len(worlds) ** 0.5) + 1e-9
            assert thought.mean == pytest.approx(expected[thought.action], abs=error)
        best = max(expected.values())
        assert expected[found[0].action] >= best - 10


def mean_payoff(game: Game, worlds: NDArray[Any], action: int, seat: int) -> float:
    """On average over worlds after which everything is forced."""
    payoffs = []
    for world in worlds[:300]:
        there = Deal(game, np.array([world]), None, None)
        there.act(action)
        while not there.over:
            (only,) = there.legal_actions()
            there.act(only)
        payoffs.append(there.payoff()[seat])
    return float(np.mean(payoffs))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"net": 0},
        {"widening": 0, "prior": 1.0, "advised": 0},
        {"hints": 0, "worlds": 4},
        {"race": 0.1},
        {"race": 2, "prior": 0.1},
        {"depth": 1},
        {"depth": 1_000_000},
    ],
)
def test_every_way_of_searching_counts_every_simulation(settings: dict[str, float]) -> None:
    for deal in moments(load("gong-zhu"), 4, 40):
        found = SearchBot(FEW, settings=settings).think(deal.view(deal.mover), generator(1))
        assert sum(thought.visits for thought in found) == FEW.iterations
        assert {thought.action for thought in found} <= set(deal.legal_actions())


def plays_whole_deals(name: str, seats: int, settings: dict[str, float]) -> None:
    players = [SearchBot(Budget(iterations=12), settings=settings) for _ in range(seats)]
    deal = load(name, seats).deal(seats)
    while not deal.over:
        legal = deal.legal_actions()
        action = players[deal.mover].choose(deal.view(deal.mover), legal, generator(len(deal.history)))
        assert action in legal
        deal.act(action)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("name", "seats"), [(name, n) for name in games.names() for n in games.description(name).seats]
)
def test_it_plays_every_game_with_any_seats(name: str, seats: int) -> None:
    plays_whole_deals(name, seats, {})


def test_one_compiled_search_serves_every_number_of_seats() -> None:
    game = games.description("kakkuri")
    few, many = (new_search(game.record, game.actions, seats, 64) for seats in (min(game.seats), max(game.seats)))
    assert [numba.typeof(part) for part in few] == [numba.typeof(part) for part in many]


def test_threads_share_the_simulations() -> None:
    deal = moments(load("gong-zhu"), 1, 10)[0]
    found = SearchBot(Budget(iterations=100), threads=3).think(deal.view(deal.mover), generator(1))
    assert sum(thought.visits for thought in found) == 3 * 34


def thought(action: int, mean: float, *, visits: int = 100, advised: bool = False) -> ActionEstimate:
    return ActionEstimate(action, visits, mean, 10.0**2 / visits, mean, 10.0, advised)


def test_advice_is_heeded_unless_something_is_clearly_better() -> None:
    """A hundred simulations with a spread of 10 have a standard error of 1, the difference of two one of 1.41."""
    better, advice = thought(1, 3.0), thought(2, 1.0, advised=True)
    assert prefer_advised([better, advice], 1.4) == [better, advice]
    assert prefer_advised([better, advice], 1.5) == [advice, better]
    assert prefer_advised([better, thought(2, 1.0)], 1.5) == [better, thought(2, 1.0)]
    assert prefer_advised([advice, better], 0.0) == [advice, better]


def test_advice_is_compared_world_by_world_where_both_were_tried_in_the_same_worlds() -> None:
    """Each scatters by 10, but one was better by 1 in nearly all worlds."""
    better = replace(thought(1, 3.0), rounds=100, lead=1.0, lead_doubt=0.01)
    advice = replace(thought(2, 2.0, advised=True), rounds=100)
    assert prefer_advised([better, advice], 2.0) == [better, advice]
    assert prefer_advised([replace(better, lead_doubt=0.5), advice], 2.0)[0].action == 2
    assert prefer_advised([better, replace(advice, bonus=0.9)], 2.0)[0].action == 2


def test_advice_that_fell_out_of_the_race_is_not_made_however_it_fared_in_the_first_worlds() -> None:
    best, advice = replace(thought(1, 3.0), rounds=100), thought(2, 30.0, visits=8, advised=True)
    assert prefer_advised([best, advice], 0.0) == [best, advice]


def test_what_is_advised_is_known_at_the_root() -> None:
    deal = moments(load("gong-zhu"), 1, 20)[0]
    for settings in ({"net": 0}, {"net": 0, "race": 2}):
        found = SearchBot(FEW, settings=settings).think(deal.view(deal.mover), generator(1))
        assert [each.action for each in found if each.advised] == [advised_action(deal)]


def advised_action(deal: Deal) -> int:
    return bot("hints").choose(deal.view(deal.mover), deal.legal_actions(), generator(1))


def test_what_the_network_rates_highest_is_advised_and_made_if_the_prior_weighs_all() -> None:
    for deal in moments(load("gong-zhu"), 6, 40):
        view, legal = deal.view(deal.mover), deal.legal_actions()
        learned = bot("net").choose(view, legal, generator(1))
        found = SearchBot(FEW, settings={"prior": 1000.0}).think(view, generator(1))
        assert found[0].action == learned
        assert [each.action for each in found if each.advised] == [learned]


def test_a_prior_asks_the_rules_of_thumb_where_no_network_knows_the_table() -> None:
    for deal in moments(load("gong-zhu", 5), 3, 40):
        found = SearchBot(FEW, settings={"prior": 1000.0}).think(deal.view(deal.mover), generator(1))
        assert found[0].action == advised_action(deal)


def test_the_net_plays_out_where_it_knows_the_table() -> None:
    """With four players the search goes on as without a network, and so it does if told."""
    known, unknown = load("luk-fu"), load("luk-fu", 4)
    enough = Budget(iterations=ENOUGH)
    usual, told = SearchBot(enough), SearchBot(enough, settings={"net": 0})
    game = known.description
    assert usual.settings_for(game, known.template[0]).net == 1
    assert told.settings_for(game, known.template[0]) == usual.settings_for(game, unknown.template[0])
    assert usual.settings_for(game, unknown.template[0])._asdict() == {**DEFAULT._asdict(), **game.search}
    for deal in moments(known, 4, 40):
        view = deal.view(deal.mover)
        found = usual.think(view, generator(1))
        assert [each.action for each in found if each.advised] == [
            bot("net").choose(view, deal.legal_actions(), generator(1))
        ]
        assert found == SearchBot(enough).think(view, generator(1)) != told.think(view, generator(1))


@pytest.mark.parametrize(("budget", "net"), [("99it", 0), ("100it", 1), ("29ms", 0), ("30ms", 1)])
def test_in_a_short_time_the_net_only_says_what_comes_first(budget: str, net: int) -> None:
    known, unknown = load("luk-fu"), load("luk-fu", 4)
    game, short = known.description, SearchBot(Budget.read(budget))
    settings = short.settings_for(game, known.template[0])
    assert (settings.net, settings.prior > 0) == (net, True)
    if not net:
        assert settings._asdict() == {**DEFAULT._asdict(), **game.search, **IN_HASTE}
        assert SearchBot.read(f"{budget},net=1").settings_for(game, known.template[0]).net == 1
    assert short.settings_for(game, unknown.template[0])._asdict() == {**DEFAULT._asdict(), **game.search}


def test_every_racer_that_is_left_was_tried_in_the_same_worlds() -> None:
    """The others were tried less often, and the first is the best of those that are left."""
    for deal in moments(load("gong-zhu"), 4, 40):
        found = SearchBot(Budget(iterations=600), settings={"net": 0, "race": 2}).think(
            deal.view(deal.mover), generator(1)
        )
        left = [each for each in found if each.rounds]
        assert found[: len(left)] == left
        assert all(each.rounds <= each.visits <= each.rounds + 1 for each in left)
        assert all(each.visits <= left[0].rounds for each in found[len(left) :])
        assert left[0].worth + left[0].bonus == max(each.worth + each.bonus for each in left)
        for each in left:
            against = next((other for other in left if other.advised), None)
            assert against is None or each.lead == pytest.approx(each.worth - against.worth, abs=60.0)


@pytest.mark.deep
def test_memory_does_not_grow() -> None:
    """Ten thousand moves by the same bots, none of them much more than the first thousand needed."""
    game, thinker, rng = load("gong-zhu"), SearchBot(Budget(iterations=20)), generator(0)
    made, before, number = 0, 0, 0
    while made < 10_000:
        deal = game.deal(number)
        number += 1
        while not deal.over:
            deal.act(thinker.choose(deal.view(deal.mover), deal.legal_actions(), rng))
            made += 1
        if not before and made > 1000:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096  # kilobytes


def test_settings_are_read_from_a_bot_s_name() -> None:
    made = bot("search:50it,net=0,hints=30,exploration=1.5,threads=2")
    assert isinstance(made, SearchBot)
    assert made.budget == Budget(iterations=50)
    assert made.threads == 2
    assert made.settings == {"net": 0, "hints": 30, "exploration": 1.5}
    games_own = load("kakkuri")
    assert made.settings_for(games_own.description, games_own.template[0]) == DEFAULT._replace(
        hints=30, exploration=1.5, depth=1, trust=3.0
    )


def test_in_gong_zhu_the_nets_ratings_last() -> None:
    """In any budget; with five players, which no net knows, there are none."""
    known, unknown = load("gong-zhu"), load("gong-zhu", 5)
    game = known.description
    for budget in (FEW, Budget(iterations=ENOUGH)):
        thinker = SearchBot(budget)
        told = thinker.settings_for(game, known.template[0])
        assert told == DEFAULT._replace(hints=80, widening=0.0, relative=1, prior=0.5, fading=0)
        assert thinker.settings_for(game, unknown.template[0]) == told._replace(prior=0.0, fading=100)


@pytest.mark.parametrize("name", games.names())
def test_the_net_plays_deals_out_alike_in_all_games_where_it_is_told_to(name: str) -> None:
    """Also where it only advises if nothing is said, and in a short time."""
    told = SearchBot.read("20it,net=1").settings_for(games.description(name), load(name).template[0])
    assert {setting: getattr(told, setting) for setting in BY_NET} == BY_NET
    assert told.fading == DEFAULT.fading


def test_a_rating_fades_by_half_in_so_many_worlds_or_never() -> None:
    assert [search_tree.faded(2.0, tries, 100) for tries in (0, 100, 300)] == [2.0, 1.0, 0.5]
    assert search_tree.faded(2.0, 300, 0) == 2.0


def test_in_kakkuri_the_net_advises_at_tables_that_it_knows() -> None:
    known, unknown = load("kakkuri", 5), load("kakkuri", 4)
    game, thinker = known.description, SearchBot(FEW)
    knowing, other = (thinker.settings_for(game, table.template[0]) for table in (known, unknown))
    assert knowing == DEFAULT._replace(depth=1, trust=3.0, race=3.0, prior=0.01)
    assert other == DEFAULT._replace(depth=1, trust=3.0)


@pytest.mark.deep
def test_what_the_net_would_play_in_kakkuri_is_advised() -> None:
    for deal in moments(load("kakkuri", 5), 6, 20):
        view = deal.view(deal.mover)
        learned = bot("net").choose(view, deal.legal_actions(), generator(1))
        found = SearchBot(FEW).think(view, generator(1))
        assert [each.action for each in found if each.advised] == [learned]


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("search:50", "'50' is not written like 100ms"),
        ("search:50it,hint=3", "did you mean 'hints'"),
        ("search:50it,hints=many", "hints='many' is not a number"),
        ("search:50it,threads=0", "threads=0"),
        ("search:50it,worlds=0", "worlds=0"),
    ],
)
def test_wrong_settings_are_refused(spec: str, told: str) -> None:
    with pytest.raises(TefudaError, match=told.replace("(", r"\(")):
        bot(spec)


@pytest.mark.slow
def test_it_searches_uncompiled_too() -> None:
    """For a debugger: the same rules and the same tree, as plain Python."""
    code = (
        "import tefuda; deal = tefuda.load('luk-fu').deal(1)\n"
        "print(tefuda.choose_play(tefuda.bot('search:30it,race=2'), deal, 0))"
    )
    play = tefuda.choose_play(tefuda.bot("search:30it,race=2"), tefuda.load("luk-fu").deal(1), 0)
    ran = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True
    )
    assert ran.stdout.strip() == play, ran.stderr
