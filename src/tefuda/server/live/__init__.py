"""The live tables of one process.

``live_table``   one table: orders are decided, kept, broadcast, acknowledged
``live_tables``  all of them: loaded when a client asks, told the news of other processes, unloaded when idle
``subscribers``  those who watch a table, and the way of messages to them
``scheduler``    what happens at a table by itself: shuffles, deals, bots' plays, clocks; ``answer_times``
``daily_games``  results, and deals of the day
``reviews``      hints, and reviews of finished deals
``pools``        threads and tasks for all that must not hold up a move; ``compiler`` compiles the games"""
