"""Spark's Python daemon with all that tasks need already loaded.

Spark forks the processes that run Python from a daemon, one for each task that runs at the same time.
Loading Numba, Arrow and the kernels takes seconds, so the daemon does it once for all of them. Numba
prepares itself when the first kernel is called, so one is.
"""

import importlib
import pkgutil


def load() -> None:
    """Import what tasks import."""
    import numpy as np

    from neardup import kernels
    from neardup.kernels import counters

    for name in ("pandas", "pyarrow.compute", "pyarrow.parquet", "numba"):
        importlib.import_module(name)
    for module in pkgutil.iter_modules(kernels.__path__, "neardup.kernels."):
        importlib.import_module(module.name)
    counters.count_values(np.zeros(16, np.uint8), np.zeros(1, np.int64))


if __name__ == "__main__":
    from neardup.engines.spark.inside_pyspark import serve_workers

    load()
    serve_workers()
