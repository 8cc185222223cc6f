"""Deals played by bots: compiled or in Python, in every rotation of the seats, singly or as a match."""
