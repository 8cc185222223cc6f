"""How the world reaches the tables: HTTP, event streams and WebSocket. All of them give the same commands."""
