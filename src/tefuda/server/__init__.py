"""The table on the wire: tables kept as logs of events, played over HTTP and WebSocket.

From below: ``store/`` keeps the logs; ``table/`` is what one log means (pure, no input or output); ``house/`` runs the
tables of one process: commands, clocks, bots, who watches; ``web/`` is how the world reaches them.
"""
