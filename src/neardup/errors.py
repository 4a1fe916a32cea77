"""The errors that neardup raises: each says what went wrong, where, and what to do about it."""


class NeardupError(Exception):
    """The base of every error that neardup raises on purpose.

    `where` names the file and record, or the step; `hint` says what to do about it.
    """

    def __init__(self, what: str, *, where: str | None = None, hint: str | None = None) -> None:
        self.what = what
        self.where = where
        self.hint = hint
        super().__init__(what, where, hint)

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text}\n{self.hint}" if self.hint else text

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.what, self.where, self.hint)


def _rebuild(kind: type[NeardupError], what: str, where: str | None, hint: str | None) -> NeardupError:
    return kind(what, where=where, hint=hint)


class SettingsError(NeardupError):
    """A setting has a value that cannot be used."""


class InputError(NeardupError):
    """The input cannot be found, read or understood."""


class DamagedFileError(InputError):
    """A file of the input cannot be read whole, and so not be written again without a loss."""


class OutputError(NeardupError):
    """The result cannot be written, or the folder does not hold one."""


class StepError(NeardupError):
    """A step of a plan failed; the message names the step and shows its SQL."""


class StoppedEarlyError(NeardupError):
    """A run stopped after the step that the user named; what it did so far is kept."""


class UnknownDocumentError(InputError):
    """No document has this id."""


class TakenIdError(InputError):
    """Another document has this id already."""


class LockedError(NeardupError):
    """Another process uses a file in a way that does not allow for this."""
