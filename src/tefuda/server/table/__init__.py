"""The meaning of one table's log. Pure: no clock, no randomness, no input or output.

``table_state``  a table; ``events`` build it, one after the other, and those that no order asks for are made there
``callers``      the people at a table, and how logs know them; ``permission`` says what they may do and see
``commands``     all commands: each turns an order into events, or refuses it
``message_types``, ``request_types``   the types of all that the server says, and of all that clients send
``reports``, ``table_messages``        the messages that each viewer of a table is sent
``player_names``, ``player_faces``     players, cards and plays in words; players in pictures
``replays``, ``tour_steps``                     results, records and replays of a log, tours"""
