"""What a host may do with the database of a server, while the server runs and while it does not (``tefuda admin``).

Changes are written to the database, with a notice in the table ``administration``. The processes of a server look
there every second (``tables/notices``), and so obey within seconds.
"""
