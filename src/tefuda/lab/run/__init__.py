"""Runs of experiments: blocks of deals played on many cores or machines, and kept on disk."""
