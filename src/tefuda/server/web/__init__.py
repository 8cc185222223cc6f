"""How the world reaches the house: HTTP, event streams and WebSocket, the same orders by each of them."""
