"""What an experiment is, and how its file is read."""
