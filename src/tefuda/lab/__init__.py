"""Measuring: bots against bots on duplicate deals, and how fast this machine plays."""
