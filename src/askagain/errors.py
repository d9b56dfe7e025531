"""Errors that a user can act on: one line that says what, where, which value, and what to do."""


class AskagainError(Exception):
    """Base of every error with a message meant for the user; the command line prints it and exits 2."""


class ArchiveError(AskagainError):
    """The archive file cannot be opened, read or written."""


class ArchiveBusyError(ArchiveError):
    """Another process holds the archive's write lock for longer than we are willing to wait."""


class ArchiveFullError(ArchiveError):
    """There is no room left on the disk that holds the archive."""


class ConflictError(ArchiveError):
    """An id that was to be new exists already."""


class UnknownQuestionError(ArchiveError):
    """A question that does not exist in the archive was named."""


class SourceError(AskagainError):
    """A file to be imported cannot be read at all, or its format is unknown."""


class IndexFileError(AskagainError):
    """A saved index is damaged, outdated, or belongs to another archive."""


class SettingsError(AskagainError):
    """A setting has a name or a value that does not exist."""


class BenchmarkError(AskagainError):
    """A benchmark folder, run file or gold file is not what was expected."""


class OutputError(AskagainError):
    """A file that was to be written cannot be."""


class MissingExtraError(AskagainError):
    """An optional package is needed and not installed; the message names the install command."""


class MissingResourceError(AskagainError):
    """Data that a measure needs is not installed, or damaged; the message says what to install."""


class TrainingError(AskagainError):
    """There is nothing to learn from, or learning has failed."""


class ModelError(AskagainError):
    """A model folder is incomplete, damaged, or of another version."""


class EncodingError(AskagainError):
    """A model has given vectors that cannot be used."""


class ClusterError(AskagainError):
    """A cluster's folder, its log or one of its parts is missing, damaged or cannot be reached."""


class UnreachableError(ClusterError):
    """A part of a cluster cannot be reached now, and the answer would not be complete without it."""
