"""How players learn a game: positions valued by search, a network fitted to them, a run that can be resumed."""
