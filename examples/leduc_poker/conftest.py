"""The tests import ``solution`` from this folder."""
