"""A table that fills the terminal, with the mouse and keys (Textual), and a home screen from which it is opened."""
