"""The former name of ``tefuda.engine.errors``."""

from tefuda.engine.errors import PROJECT as PROJECT
from tefuda.engine.errors import MissingPackageError as MissingPackageError
from tefuda.engine.errors import installation as installation
from tefuda.engine.errors import needed_by as needed_by
