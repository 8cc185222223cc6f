"""What all live tables of one process share."""

from dataclasses import dataclass

from tefuda.server.live.answer_times import AnswerTimes
from tefuda.server.live.background import Background
from tefuda.server.live.bot_pool import BotPool
from tefuda.server.live.compiler import GameCompiler
from tefuda.server.settings import ServerSettings
from tefuda.server.store.port import Store


@dataclass(frozen=True)
class Resources:
    """What all live tables of one process share.

    Attributes:
        store: of the logs.
        settings: of the process.
        compiler: of the games that are served.
        bots: the threads in which bots think.
        background: the threads and tasks for everything else.
        answer_times: in which people have answered.
    """

    store: Store
    settings: ServerSettings
    compiler: GameCompiler
    bots: BotPool
    background: Background
    answer_times: AnswerTimes
