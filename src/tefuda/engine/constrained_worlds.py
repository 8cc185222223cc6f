"""The former name of a part of ``tefuda.engine.worlds``."""

from tefuda.engine.worlds import Slots as Slots
from tefuda.engine.worlds import add_slot as add_slot
from tefuda.engine.worlds import cards_by_time as cards_by_time
from tefuda.engine.worlds import draw as draw
from tefuda.engine.worlds import empty_slots as empty_slots
from tefuda.engine.worlds import first_slots as first_slots
