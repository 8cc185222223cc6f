"""The former name of ``tefuda.engine.texts``."""

from tefuda.engine.texts import unbroken as unbroken
