"""Processes of our own that need no pandas do not load it."""

import sys


class NoPandas:
    """Finds no pandas, nor does anything after it."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """End the search for pandas, and leave other modules to others."""
        del path, target
        if name == "pandas":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def load_arrow() -> None:
    """Load Arrow, which looks for pandas once, at its first array; let it find none.

    Where pandas is installed, Arrow would load it: that takes a third of a second and 50 MB. Code
    that imports pandas, or turns a table into a DataFrame, gets it as usual.
    """
    import pyarrow as pa

    sys.meta_path.insert(0, NoPandas)
    try:
        pa.array([None])
    finally:
        sys.meta_path.remove(NoPandas)
