"""People: the results of their games, their ratings, what they look like."""
