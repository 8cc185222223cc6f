"""The table on the wire: tables kept as logs of events, played over HTTP and WebSocket.

``store/``  keeps the logs, and does for a host what concerns them: backups, bans, erasures;
``table/``  is the meaning of one log (pure, no input or output);
``live/``   are the live tables of one process: orders, clocks, bots, subscribers;
``http/``   is the way to them from outside;
``pages/``  are the pages that people see.

Where several processes share the store, one drives a table: ``live/cluster_node`` says which, and ``http/connections``
hands a connection there. The way of a play, from a socket to all who watch the table:

1. ``http/socket.SocketSession`` receives a message, counts it against the limits, and reads it (``http/orders``);
2. ``http/context.RequestContext.carry_out`` makes it an ``Order`` of the command that ``table/commands.play`` declares.
   Over HTTP, the route in ``http/orders`` calls the same;
3. ``live/live_tables.LiveTables.carry_out`` finds or loads the table;
4. ``live/live_table.LiveTable.carry_out`` decides the order under the table's lock: ``table/commands.play`` turns
   it into events, or refuses it with a reason;
5. ``store/sql.Store.append`` keeps the events on disk, unless another process holds the table's lease;
6. ``live/subscribers.Broadcaster.publish`` applies them to the ``TableState`` (``table/events``), and makes a message
   for each perspective (``table/reports``, ``table_messages``), which waits in the queue of every ``Subscriber``;
7. ``LiveTable.carry_out`` returns, and the session answers ``done``. Each session sends its subscriber's queue.

A play is acknowledged when it is on disk, never before. What happens by itself (bots, deals, clocks that run out) comes
from ``live/scheduler`` and enters at 4."""
