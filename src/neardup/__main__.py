"""Lets `neardup`, and `python -m neardup`, run the command line in a process of its own."""

import atexit
import gc
import os
import sys

OBJECTS = 100_000  # new ones after which Python looks for rubbish: importing makes more than 700


def run() -> None:
    """Run a command; without looking for rubbish, and taking all apart at the end, a fifth sooner."""
    gc.set_threshold(OBJECTS)
    code: object = 1
    atexit.register(lambda: leave(code))  # the first that is registered is called last
    from neardup.cli import main

    try:
        main()
        code = 0
    except SystemExit as ending:
        code = ending.code
        raise


def leave(code: object) -> None:
    """End this process, now that all is cleaned up, whatever threads of libraries are still at work."""
    number = code if isinstance(code, int) else int(code is not None)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            os.write(2, f"error: cannot print: {error.strerror}\n".encode())
            number = number or 1
    os._exit(number)


if __name__ == "__main__":
    run()
