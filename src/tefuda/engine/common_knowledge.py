"""The former name of ``tefuda.engine.views``."""

from tefuda.engine.views import CommonKnowledge as CommonKnowledge
from tefuda.engine.views import common as common
from tefuda.engine.views import reads_public as reads_public
