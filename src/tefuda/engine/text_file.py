"""The former name of ``tefuda.engine.files``."""

from tefuda.engine.files import MOST_BYTES as MOST_BYTES
from tefuda.engine.files import read_text as read_text
