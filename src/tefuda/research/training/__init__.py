"""Training of networks: plays tried in real deals, a network fitted to what they bring, a run to be resumed."""
