"""Results, records (``.tfd``) with the proofs of their shuffles, and replays of deals with every hand open."""

from collections.abc import Sequence
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.players import bot, choose_play
from tefuda.engine.description import Description
from tefuda.engine.scene import Scene
from tefuda.engine.texts import TEXTS, catalogue, signed
from tefuda.server.store.people import ERASED, GameResult
from tefuda.server.store.port import Event, JsonObject, SeatResult
from tefuda.server.table.answer_types import DeckProof, Replay, ReplayMoment
from tefuda.server.table.callers import STAND_IN, Refused
from tefuda.server.table.events import apply
from tefuda.server.table.message_types import Trick
from tefuda.server.table.player_names import notation_text, seat_names
from tefuda.server.table.reports import ended_trick, named
from tefuda.server.table.table_messages import deal_outcome, past_state, told_to
from tefuda.server.table.table_state import TableState
from tefuda.table import record_lines, shuffle
from tefuda.table.deal import Deal
from tefuda.table.game import Session
from tefuda.table.reasons import say_line
from tefuda.table.shuffle import Proof
from tefuda.table.table_rules import TableRules
from tefuda.table.view import SPECTATOR

MOST_PLAYED_OUT = 1000  # deals after which bots end a game that goes on and on

LONGEST_NUMBER = 9  # digits that the number of a session may have in a record that strangers send


def game_result(table: TableState) -> GameResult:
    """The result of the table's present game so far; at least one deal of it is finished. People who leave keep the
    result of their seat until another takes it: a bot goes on for them. A game in whose middle the table was closed is
    played to its end by bots first, in some hundredths of a second."""
    if table.played_out:
        table = _play_out(table.copy())
    counted, totals = table.game.description.rules.counted, table.totals
    sides = [place.side for place in table.view(-1).scene.seats]
    seats = []
    for seat, points in enumerate(totals):
        chair = table.sitter(seat)
        better = {sides[other] for other, theirs in enumerate(totals) if theirs > points}
        person = None if chair.bot else chair.guest or chair.token
        brought = counted(points), 1 + len(better)
        seats.append(SeatResult(seat, chair.name, person, chair.bot, sides[seat], *brought))
    over, practice = table.phase == "over" or table.played_out > 0, table.taken_back > 0
    deals = len(table.results)
    return GameResult(table.name, table.session, table.at, table.game.name, deals, over, practice, tuple(seats))


def _play_out(table: TableState) -> TableState:
    """Play a closed table's game to its end, with the bot that plays for people who are away on every seat. Whoever
    closes the table cannot know what comes of it, since the seed is drawn then."""
    session, player, is_counted = Session(table.game, table.played_out), bot(STAND_IN), table.present.over
    session.deals.append(table.present.copy())
    while not session.over and len(session.deals) < MOST_PLAYED_OUT:
        if session.deal.over:
            session.next_deal()
        while not session.deal.over:
            choose_play(player, session.deal, session.seed)
    table.results += [deal.payoff() for deal in session.deals[is_counted:]]
    table.deal, table.totals = session.deal, session.totals
    return table


def shown_deals(events: Sequence[Event], session: int | None = None, deal: int = 0) -> tuple[TableState, list[Deal]]:
    """The finished deals of a session that may be shown with every hand, from the first up to one that may not; before
    them the table at the end of that session, or as it is now.

    ``events`` are a table's whole log. The session is a number at this table, from 1; by default the present one, or
    the latest in which ``deal``, from 1, may be shown, if there is one; 0 is no deal."""
    table, deals = TableState(), list[Deal]()
    table.unsealed = any(event.kind == "closed" for event in events)
    earlier: tuple[TableState, list[Deal]] | None = None
    for event in events:
        before = table.session
        if event.kind == "restarted" and before == session:
            break
        if event.kind == "restarted" and session is None and 0 < deal <= len(may_be_shown := _shown(table, deals)):
            earlier = table.copy(), may_be_shown
        apply(table, event)
        if table.session != before:
            deals.clear()
        if event.kind in ("dealt", "given") and table.deal is not None:
            deals.append(table.deal)
        if event.kind == "taken_back" and table.deal is not None:
            deals[-1] = table.deal
    shown = _shown(table, deals)
    return earlier if earlier is not None and len(shown) < deal else (table, shown)


def _shown(table: TableState, deals: Sequence[Deal]) -> list[Deal]:
    """The deals of the present session up to the first that may not be shown."""
    shown = table.shown
    return [deal for _, deal in takewhile(lambda entry: entry[0] in shown, enumerate(deals, 1))]


def record_fault(events: Sequence[Event], deals: Sequence[Deal], players: Sequence[str]) -> str | None:
    """Compare a record (deals with valid proofs, and the players' names by seat, if it has them) with the whole log
    of its table; the difference as one line, None if it agrees.

    The deal of a day is shuffled at one table and played at many: of such a record only the shuffle is compared."""
    assert deals[0].proof is not None
    session = deals[0].proof.table.rpartition("/")[2]
    table, kept = shown_deals(events, int(session) if session.isdecimal() and len(session) < LONGEST_NUMBER else None)
    if deals[0].proof.table != table.proof_name:
        return f"no game {session[:LONGEST_NUMBER]!r} was played at this table"
    if table.day:
        return None if deals[0].proof in table.proofs else "deal 1 was dealt otherwise at this table"
    if len(deals) > len(kept):
        return f"deal {len(kept) + 1} was not dealt at this table, or is not over"
    for number, (deal, here) in enumerate(zip(deals, kept, strict=False), 1):
        if deal.proof != here.proof:
            return f"deal {number} was dealt otherwise at this table"
        made = here.history if deal.over else here.history[: len(deal.history)]
        if deal.history != made:
            return f"deal {number} was played otherwise at this table"
    seated = {(event.body["seat"], event.body["name"]) for event in events if event.kind == "seated"}
    for seat, name in enumerate(players):
        if name != "-" and not {(seat, name), (seat, ERASED)} & seated:
            return f"seat {seat} was never that of {name} at this table"
    return None


def write_record(events: Sequence[Event], session: int | None = None) -> str:
    """The record of the deals that may be shown; see ``shown_deals``."""
    table, deals = shown_deals(events, session)
    return record_lines.write_deals(table.game, deals, [chair.name or "-" for chair in table.chairs])


def replay_steps(deal: Deal, number: int, names: Sequence[str], language: str) -> list[ReplayMoment]:
    """The deal before its first play, after it, and so on to the last, every hand open. It is finished, or was broken
    off when the table was closed; ``number`` is its number in its session, ``names`` are the seats'."""
    description, seats = deal.game.description, range(deal.game.seats)
    spell = notation_text(description, language)
    again = deal.at(0)
    own = _own(again)
    steps: list[ReplayMoment] = [_moment(again, number, own, None, None, [], None)]
    for seat, word in deal.history:
        before, lay = again.state, [own[each].seats[each].played for each in seats]
        again.play(word, seat)
        own = _own(again)
        lines = description.display.events(before, seat, word, again.state)
        told = [say_line(description, line, language, names, spell) for line in lines]
        ending = next((line for line in lines if line.code.startswith("events.trick")), None)
        trick: Trick | None = None
        if ending is not None:
            lay[seat] = word
            trick = ended_trick(description, lay, ending)
        told = told or [said(description, word, names[seat], language)]
        steps.append(_moment(again, number, own, seat, word, told, trick))
    return steps


def _own(deal: Deal) -> list[Scene]:
    """The table as each seat sees it."""
    return [deal.view(seat).scene for seat in range(deal.game.seats)]


def _moment(
    deal: Deal, number: int, own: Sequence[Scene], seat: int | None, word: str | None, lines: list[str],
    trick: Trick | None,
) -> ReplayMoment:  # fmt: skip
    """A deal as it stands after a play, with what was said of the play and the trick that it has ended."""
    played = [scene.seats[each].played for each, scene in enumerate(own)]
    return {
        "seat": seat,
        "play": word,
        "lines": lines,
        "trick": trick,
        "deal": {
            "number": number,
            "mover": None if deal.over else deal.mover,
            "over": deal.over,
            "legal": [],
            "equal": {},
            "named": named(deal.game.description, played),
            "answered": False,
            "since": 0,
            "scene": deal.view(-1).scene,
        },
        "hands": [list(scene.hand) for scene in own],
        "played": played,
    }


def said(game: Description, word: str, name: str, language: str) -> str:
    """The sentence for a play about which the game says nothing."""
    texts = catalogue(game.files.texts, language)
    named = texts(f"plays.{word}") if f"plays.{word}" in texts else notation_text(game, language)(word)
    return catalogue(TEXTS, language)("replay.played", name=name, play=named)


def proof(deal: Deal) -> DeckProof | None:
    """The proof of a deal with all that its deck can be computed from again, and the hands dealt from it; cards as
    words. None of a deal that is tried again, which proves nothing new."""
    if deal.proof is None:
        return None
    assert deal.deck is not None
    assert deal.before is not None
    found = _deck_proof(deal.game, deal.proof, deal.deck, int(deal.before["chance"][0]))
    start = deal.at(0)
    return {**found, "hands": [start.view(seat).hand() for seat in range(deal.game.seats)]}


def proofs(table: TableState) -> list[DeckProof]:
    """The proofs of this session that may be shown, as ``proof`` gives them; hands of the latest deal alone."""
    latest = None if table.deal is None else table.deal.proof
    found = []
    for shown in table.revealed:
        told = proof(table.deal) if table.deal is not None and shown == latest else None
        if told is None:
            bound_to = shuffle.context(table.game, shown.table, shown.deal, shown.attempt)
            dealt = shuffle.shuffle(table.game.pack, bound_to, shown.secret, shown.entropy)
            told = _deck_proof(table.game, shown, *dealt)
        found.append(told)
    return found


def _deck_proof(game: TableRules, shown: Proof, deck: NDArray[np.int64], chance: int) -> DeckProof:
    """A proof with all that its deck can be computed from again; cards as words."""
    words = game.description.cards
    told: DeckProof = {
        **shown.to_json(),  # type: ignore[typeddict-item]
        "context": shuffle.context(game, shown.table, shown.deal).decode("ascii"),
        "pack": [words[card] for card in sorted(game.pack.tolist())],
        "deck": [words[card] for card in deck.tolist()],
        "chance": chance,
    }
    return told


def results(deal: Deal, names: Sequence[str], language: str) -> JsonObject:
    """The end of a finished deal, as text: the ``outcome``, and on the ``sheet`` by seat the payment, the total after
    it, and how the payment came about; empty for an unfinished deal."""
    if not deal.over:
        return {"outcome": "", "sheet": []}
    told, unit = told_to(deal_outcome(deal, language), names, language, SPECTATOR), deal.game.description.rules.unit
    columns = ([signed(round(points * unit), unit) for points in row] for row in (told["payoff"], told["totals"]))
    rows = zip(names, *columns, told["sheet"], strict=True)
    sheet = [{"name": name, "points": points, "total": total, "lines": lines} for name, points, total, lines in rows]
    return {"outcome": told.get("outcome", ""), "sheet": sheet}


def past_story(table: TableState, number: int, session: int | None, language: str) -> Replay:
    """A deal as the log has it: like a replay, with ``plays`` in words in place of ``moments``. ``Refused`` if it may
    not be shown, or was not dealt."""
    assert table.past is not None
    deals, names, game = table.past.shown(session), seat_names(table, language), table.game.description
    if number > len(deals):
        raise Refused("no_such_deal", 404, count=len(deals))
    plays = deals[number - 1].history
    return {
        "names": names,
        "session": session or table.session,
        "proof": deals[number - 1].proof.to_json(),  # type: ignore[typeddict-item]
        "moments": [],
        "plays": [{"seat": at, "play": play, "line": said(game, play, names[at], language)} for at, play in plays],
        "past": past_state(table, language),
    }
