"""What rests on the insides of PySpark, for which it promises nothing: Java's objects, and its daemon.

Tried with PySpark 4.1 to 4.3. With any other, results are written to a disk that all share, as with
Spark Connect, sizes of DataFrames are not known before they are read, and Python is started by Spark's
own daemon, which loads everything anew for each of its processes.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

TRIED = (4, 1), (4, 3)  # the oldest and the newest


def is_tried() -> bool:
    """Return whether the insides of the PySpark that is installed are known."""
    import pyspark

    return TRIED[0] <= tuple(map(int, pyspark.__version__.split(".")[:2])) <= TRIED[1]


def java_of(spark: "SparkSession") -> Any:
    """Return Java's packages."""
    return spark.sparkContext._jvm


def hadoop_configuration(spark: "SparkSession") -> Any:
    """Return what Java knows of filesystems."""
    return spark.sparkContext._jsc.hadoopConfiguration()


def expected_size(frame: "DataFrame") -> int | None:
    """Return how many bytes Spark thinks that a DataFrame has, None if that is not known."""
    if not is_tried():
        return None
    return int(str(frame._jdf.queryExecution().optimizedPlan().stats().sizeInBytes()))


def serve_workers() -> None:
    """Be the daemon that Spark forks its Python processes from."""
    from pyspark.daemon import manager

    manager()
