"""Processes of our own that need no pandas do not load it."""

import sys


class WithoutPandas:
    """Hides pandas: Arrow imports it at its first array wherever it is installed.

    That takes half a second and 50 MB, and neither most commands nor worker processes need it.
    """

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """Find nothing, and stop the search for pandas."""
        del path, target
        if name == "pandas":
            raise ModuleNotFoundError(name)


def hide_pandas() -> None:
    """Let nobody find pandas."""
    sys.meta_path.insert(0, WithoutPandas())


def show_pandas() -> None:
    """Let it be found again."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, WithoutPandas)]
