"""What the log of one table means. Pure: no clock, no randomness, no input or output.

``table_state``  what a table is; ``table_changes`` builds it from its events, one after the other
``command``      how a command is declared; ``commands`` declares them all: each turns an order into events
``arguments``    what commands take, as HTTP and the socket send it
``automatic``    the events that nobody asks for: shuffles, deals, bots' plays, clocks that run out
``table_messages``  the messages that each viewer of a table is sent; ``messages`` has their types
``brief_messages``  those in brief, for programs
``records``, ``replays``, ``tour_steps``   what is made of a finished log, or of a tour
"""
