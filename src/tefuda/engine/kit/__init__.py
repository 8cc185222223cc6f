"""The game kit: what games share beside the engine's verbs. A game imports the kit; the kit names no game."""
