"""The one base of all errors that bad input causes."""


class TefudaError(ValueError):
    """Bad input from outside: a word, file, option or number. The message is one clear line that names it."""
