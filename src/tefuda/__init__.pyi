# The public names, listed here and nowhere else: editors and mypy read this file, and __init__.py reads where each name
# is defined.

from .bots.players import Bot as Bot
from .bots.players import BotError as BotError
from .bots.players import advice as advice
from .bots.players import bot as bot
from .bots.players import choose_play as choose_play
from .engine.errors import TefudaError as TefudaError
from .engine.kit.positions import PositionError as PositionError
from .engine.notation import NotationError as NotationError
from .engine.option import OptionError as OptionError
from .games import UnknownGameError as UnknownGameError
from .lab.play.match import play_match as play_match
from .lab.play.scores import MatchResult as MatchResult
from .table.deal import Deal as Deal
from .table.game import Game as Game
from .table.game import Session as Session
from .table.game import list_games as list_games
from .table.game import load as load
from .table.play_reading import parse_play as parse_play
from .table.reasons import IllegalPlay as IllegalPlay
from .table.reasons import Reason as Reason
from .table.record import Record as Record
from .table.record import RecordError as RecordError
from .table.shuffle import ProofError as ProofError
from .table.table_rules import OptionHelp as OptionHelp
from .table.table_rules import options as options
from .table.view import View as View
from .table.view_text import rules_text as rules_text
from .table.view_text import view_text as view_text
from .version import __version__ as __version__

__all__: list[str]
