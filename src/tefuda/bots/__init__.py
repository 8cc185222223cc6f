"""Players that are programs. They are handed views, never states."""
