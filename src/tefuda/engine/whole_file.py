"""The former name of ``tefuda.engine.files``."""

from tefuda.engine.files import whole as whole
