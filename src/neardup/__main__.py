"""Lets `neardup`, and `python -m neardup`, run the command line in a process of its own."""

import gc
import signal

OBJECTS = 100_000  # new ones after which Python collects garbage: importing makes more than 700


def run() -> None:
    """Run a command; it starts sooner where Python does not collect garbage."""
    gc.set_threshold(OBJECTS)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # nothing is there to clean up yet
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from neardup.cli import main
    from neardup.cli.endings import as_a_process

    with as_a_process():
        main()


if __name__ == "__main__":
    run()
