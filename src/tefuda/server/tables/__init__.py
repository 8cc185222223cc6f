"""The tables that one process runs: orders carried out, clocks, bots, everybody kept up to date."""
