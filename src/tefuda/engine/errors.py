"""The one base of all errors that bad input causes, and the reason when a file is the cause."""


class TefudaError(ValueError):
    """Bad input from outside: a word, file, option or number. The message is one clear line that names it."""


def file_fault(error: OSError) -> str:
    """Which file cannot be read or written and why, such as ``deal.tfd: No such file or directory``."""
    if isinstance(error, FileExistsError):  # where a folder was to be made
        return f"{error.filename}: not a folder"
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename is not None else reason
