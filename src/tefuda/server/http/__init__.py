"""HTTP, event streams and WebSocket, by which the world reaches the tables. All of them give the same commands."""
