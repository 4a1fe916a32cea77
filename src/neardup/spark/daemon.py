"""Spark's Python daemon with all that tasks need already loaded.

Spark forks the processes that run Python from a daemon, one for each task that runs at the same time.
Loading Numba, Arrow and the kernels takes seconds, so the daemon does it once for all of them.
"""

import importlib
import pkgutil

from neardup.spark.tasks import compile_somewhere


def load() -> None:
    """Import what tasks import."""
    from neardup import kernels

    compile_somewhere()
    for name in ("pandas", "pyarrow.compute", "pyarrow.parquet", "numba"):
        importlib.import_module(name)
    for module in pkgutil.iter_modules(kernels.__path__, "neardup.kernels."):
        importlib.import_module(module.name)


if __name__ == "__main__":
    from pyspark.daemon import manager

    load()
    manager()
