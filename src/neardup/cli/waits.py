"""Why one waits: what neardup's own code has to say goes to the terminal or the log."""

import logging

OWN = logging.getLogger("neardup")


class Told(logging.Handler):
    """Shows one message on a line."""

    def emit(self, record: logging.LogRecord) -> None:
        """Show it."""
        from neardup.showing.progress import shown

        if progress := shown(True):
            progress.note(record.getMessage())


def tell_waits(told: bool = True) -> None:
    """Show messages from now on, or errors only."""
    if not any(isinstance(handler, Told) for handler in OWN.handlers):
        OWN.addHandler(Told())
    OWN.setLevel(logging.WARNING if told else logging.ERROR)
