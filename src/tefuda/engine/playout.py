"""The former name of ``tefuda.engine.play``."""

from tefuda.engine.play import HINTS as HINTS
from tefuda.engine.play import ILLEGAL as ILLEGAL
from tefuda.engine.play import MADE as MADE
from tefuda.engine.play import MOST_ACTIONS as MOST_ACTIONS
from tefuda.engine.play import MOST_CHANCE as MOST_CHANCE
from tefuda.engine.play import RANDOM as RANDOM
from tefuda.engine.play import deal_each as deal_each
from tefuda.engine.play import is_among as is_among
from tefuda.engine.play import play_batch as play_batch
from tefuda.engine.play import play_each as play_each
from tefuda.engine.play import random_deals as random_deals
