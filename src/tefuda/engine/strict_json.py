"""The former name of ``tefuda.engine.files``."""

from tefuda.engine.files import load_json as loads

__all__ = ["loads"]
