"""The live tables of one process.

``live_table``   one table: orders are decided, kept, broadcast, acknowledged
``live_tables``  all of them: loaded when somebody asks, told the news of other processes, unloaded when idle
``subscribers``  who watches a table, and how messages reach them
``scheduler``    what happens at a table by itself: shuffles, deals, bots' plays, clocks
``bot_pool``     the threads in which bots think; ``hints`` asks them for somebody who plays alone
``compiler``     compiles the games in the background
``background``   threads and tasks for everything else that must not hold up a move
"""
