"""Exit statuses that several commands share."""

INTERRUPTED = 130
"""After Ctrl-C, as shells have it: 128 and the number of the signal."""
