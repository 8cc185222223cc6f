"""One door for the terminal. Commands import the engine only when they run, so that ``--help`` answers at once."""

from tefuda.cli.app import main

__all__ = ["main"]
