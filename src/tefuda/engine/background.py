"""The former name of ``tefuda.engine.rulebook``."""

from tefuda.engine.rulebook import Block as Block
from tefuda.engine.rulebook import background as background
