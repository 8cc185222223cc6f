"""How the world reaches the tables: HTTP, event streams, WebSocket and pages. All of them give the same commands."""
