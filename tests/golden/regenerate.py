"""Writes the golden files anew: ``python -m tests.golden.regenerate``, by hand, and the difference is read in review.

Records (``gong-zhu/default.tfd`` …) never change unless the version of the rules does: those of the present version are
kept. The readable playthrough (``gong-zhu/playthrough.txt``) is every answer of the API in one seeded deal; it changes
with texts, hints and views.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tefuda import games
from tefuda.engine import rng, verbs
from tefuda.engine.description import Value
from tefuda.engine.texts import LANGUAGES
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.reasons import say_line
from tefuda.table.record import Record
from tefuda.table.session import Session
from tefuda.table.view import View

FOLDER = Path(__file__).parent
DEALS = 5
PLAYERS = ("East", "South", "West", "North", "Centre", "Sixth", "Seventh", "Eighth")


@dataclass(frozen=True)
class Table:
    """A recorded session of DEALS deals."""

    name: str
    seed: int
    seats: int | None = None
    options: dict[str, Value] = field(default_factory=dict)


TABLES = {
    "gong-zhu": (
        Table("default", 1),
        Table("until-quiet", 2, None, {"expose_order": "until_quiet", "exposed_singleton_lead": True}),
        Table("simultaneous", 3, None, {"expose_order": "simultaneous", "forced_fourth_exposure": True}),
        Table("partnership", 4, None, {"partnership": True, "team_end": "any_individual", "target": 100_000}),
        Table("club-two", 15, None, {"first_leader": "C2", "exposed_singleton_lead": True}),
        Table("spade-seven", 6, None, {"first_leader": "S7", "exposing": False}),
        Table("drawn-leader", 7, None, {"first_leader": "draw", "end_on_plus": True, "target": 5000}),
        Table("scoring", 8, None, {"heart_values": "pips", "pig_flips": "all_scoring", "sheep_flips": True,
                                   "all_hearts_transformer_300": True}),
        Table("five", 9, 5),
        Table("five-pagat", 10, 5, {"five_deck": "pagat", "expose_order": "simultaneous", "heart_values": "pips"}),
    ),
    "kakkuri": (
        Table("default", 1),
        Table("eight", 2, 8),
        Table("two", 3, 2, {"fuwaru": False, "deal_cede": False, "stalemate_turns": 60}),
        Table("anyone", 4, 4, {"k_free": "anyone", "k_upcard": "anyone", "utazu_by_dropped": True}),
        Table("wrap-to-ace", 5, 3, {"k_free": "wrap_to_ace", "k_upcard": "dead", "bankruptcy": "end_session"}),
        Table("no-wilds", 6, 6, {"sanbon_wild": False, "sanzoku_wild": False, "guri_takes_pot": False}),
        Table("cut-only", 7, 7, {"rebuild": "cut_only", "early_drop": False, "ceded_may_continue": False}),
        Table("plays-on", 8, 5, {"last_survivor": "plays_on", "drop_until": "first_card"}),
        Table("before-c3", 9, 8, {"utazu_before_c3": True, "forced_out_pays": 1, "return_consent": "active_others"}),
        Table("never-back", 10, 7, {"return_consent": "never", "early_drop": False, "start_counters": 5}),
    ),
    "luk-fu": (
        Table("default", 1),
        Table("four", 2, 4),
        Table("public", 3, None, {"old_reading": "public", "lead_exceptions": "sixth_trick+has_six"}),
        Table("no-inference", 4, 4, {"old_infer": False, "dealer_stays_on": "never"}),
        Table("special", 5, None, {"special_in_sets": True, "ones_set": "second"}),
        Table("tigers", 6, None, {"tigers_lead": True, "tigers_value": "8"}),
        Table("any-trick", 7, None, {"stop_timing": "any_trick", "draw_keeps_dealer": True}),
        Table("red", 8, None, {"red_bonus": True, "multiplier_10_12": True, "pass_penalty": False}),
        Table("captured", 9, 4, {"red_bonus": True, "red_scope": "captured", "sitter_bonus_mode": "per_card"}),
        Table("no-sitter-bonus", 10, 4, {"sitter_bonus": False, "old_reading": "public"}),
    ),
    "ma-diao": (
        Table("default", 1),
        Table("extraordinary", 107, None, {"extraordinary_mandatory": True, "double_extraordinary": "split"}),
        Table("refusal", 20),
        Table("other-refusals", 3, None, {"refusal_hands": "tens_heavy+no_honours", "refusal_redeal": "same_dealer"}),
        Table("must-follow", 5, None, {"must_follow": True}),
        Table("top-of-rest", 6, None, {"face_card": "top_of_rest", "first_leader": "dealer"}),
        Table("once", 77, None, {"strike_stacking": "once", "red_set": "wikipedia", "must_follow": True}),
        Table("knock", 8, None, {"knock": True, "accuser": False, "dealer_stays_on_great_live": False}),
        Table("stop-after-seven", 9, None, {"stop_after_seven": True, "reveal_after": False}),
        Table("short", 10, None, {"session_deals": 5, "red_set": "honours", "reveal_after": False}),
    ),
    "sap-ng-wu": (
        Table("default", 1),
        Table("four", 2, 4),
        Table("pass-locks", 3, None, {"pass_locks": True, "last_holder": "ends"}),
        Table("all-or-none", 4, None, {"supreme_partial": False}),
        Table("none-laid", 5, 4, {"supreme_lead": "none_laid", "supreme8_quad_bonus": False}),
        Table("all-played", 6, None, {"score_mode": "all_played", "supreme8_in_play": "16"}),
        Table("returned", 7, 4, {"quad_in_draw": "returned"}),
        Table("one-play", 8, None, {"quad_rule": "one_play", "start_counters": 20, "session_deals": 5}),
        Table("no-quads", 9, 4, {"quad_bonus": False, "pass_locks": True}),
        Table("four-all-played", 10, 4, {"score_mode": "all_played", "last_holder": "ends"}),
    ),
}  # fmt: skip


# Records


def session_record(name: str, table: Table) -> str:
    """A session in which seats play by the rule of thumb and at random by turns."""
    session = Session(Game(games.description(name), table.seats, table.options), table.seed)
    generator = rng.generator((table.seed, 1_000_000))
    for number in range(DEALS):
        deal = session.next_deal()
        while not deal.over:
            deal.play(hint(deal, generator) if (deal.mover + number) % 3 else random_play(deal, generator))
    return session.record(PLAYERS[: session.game.seats])


def hint(deal: Deal, generator: rng.Rng) -> str:
    """The play of the rule of thumb, from what the mover sees."""
    trial = deal.copy()
    while len(trial.history) == len(deal.history):
        trial.act(int(verbs.advise(trial.view(trial.mover).record, generator)))
    return trial.history[-1][1]


def random_play(deal: Deal, generator: rng.Rng) -> str:
    trial = deal.copy()
    while len(trial.history) == len(deal.history):
        actions = trial.legal_actions()
        trial.act(actions[rng.below(generator, len(actions))])
    return trial.history[-1][1]


def is_current(path: Path, name: str) -> bool:
    """Whether the record was written by the present version of the rules."""
    return path.exists() and Record.read(path).rules == games.description(name).rules_version


# The readable playthrough

PLAYTHROUGH_SEED = 7


def playthrough(name: str) -> str:
    """Every answer of the API in one deal, as text."""
    game = Game(games.description(name))
    deal, generator, told = game.deal(PLAYTHROUGH_SEED), rng.generator((PLAYTHROUGH_SEED, 1)), Counter[str]()
    lines = [f"{game.name}, {game.seats} seats, default options, seed {PLAYTHROUGH_SEED}"]
    while not deal.over:
        advised = hint(deal, generator)
        chosen = random_play(deal, generator) if len(deal.history) % 4 == 3 else advised
        lines += ["", f"{len(deal.history) + 1}. seat {deal.mover} is to play", *answers(deal, advised, told)]
        lines.append(f"   plays:   {chosen}")
        deal.play(chosen)
    return "\n".join([*lines, "", *ending(deal)]) + "\n"


def answers(deal: Deal, advised: str, told: Counter[str]) -> Iterator[str]:
    """What the API says at one decision."""
    yield f"   legal:   {' '.join(deal.legal())}"
    yield f"   hint:    {advised}"
    yield from refusal(deal, told)
    yield f"   view:    {json.dumps(short_view(deal), ensure_ascii=False)}"


def refusal(deal: Deal, told: Counter[str]) -> Iterator[str]:
    """A play that is refused, of those whose reason has been told least often so far."""
    reasons = {word: deal.why_not(word) for word in getattr(deal.game.description.notation, "words", ())}
    refused = {word: reason for word, reason in reasons.items() if reason is not None}
    if refused:
        word = min(refused, key=lambda each: told[refused[each].code])
        told[refused[word].code] += 1
        yield f"   refused: {word}: {refused[word]}"


def short_view(deal: Deal) -> dict[str, Any]:
    """The mover's view, without what is as on a table where nothing has been dealt."""
    empty = View(deal.game.description, deal.game.template, deal.mover).to_dict()
    return {name: value for name, value in deal.view(deal.mover).to_dict().items() if value != empty[name]}


def ending(deal: Deal) -> Iterator[str]:
    """What the API says of a finished deal."""
    description = deal.game.description
    yield f"payoff: {deal.payoff()}"
    for seat in range(deal.game.seats):
        for language in LANGUAGES:
            lines = [say_line(description, line, language) for line in description.display.sheet(deal.state, seat)]
            yield f"sheet of seat {seat} ({language}): {'; '.join(lines)}"
    yield f"facts: {json.dumps(dict(deal.facts()), default=np.ndarray.tolist)}"
    yield f"a spectator sees: {json.dumps(deal.view(-1).to_dict(), ensure_ascii=False)}"
    yield "record:"
    yield deal.record().rstrip()


def main() -> None:
    """Write what is missing or no longer right."""
    for name, tables in TABLES.items():
        (FOLDER / name).mkdir(exist_ok=True)
        for table in tables:
            path = FOLDER / name / f"{table.name}.tfd"
            if not is_current(path, name):
                path.write_text(session_record(name, table), "utf-8")
        (FOLDER / name / "playthrough.txt").write_text(playthrough(name), "utf-8")


if __name__ == "__main__":
    main()
