"""What a cluster for a run should have."""

from neardup.engines.base import Amounts
from neardup.engines.spark import cost


def test_a_cluster_grows_with_the_work_and_takes_about_an_hour() -> None:
    little, much, more = (
        cost.proposed(Amounts(size, size // 5_000, size / 1e9 * 30, size, 200 << 20))
        for size in (10**8, 10**12, 10**13)
    )
    assert (little.executors, little.partitions) == (cost.LEAST_EXECUTORS, 16)
    assert all(0.8 < own.hours <= 1 for own in (much, more))
    assert 9 < more.core_hours / much.core_hours < 11
    assert 9 < more.shuffle_bytes / much.shuffle_bytes < 11
    assert more.partitions == 20_000  # as many as neardup sets at most
    assert much.executor_overhead_bytes == 4 * (512 + 200) << 20
    assert much.settings()["spark.executor.memory"] == "6144m"


def test_what_the_counts_have_no_room_for_costs_more_and_sketches_need_no_counts() -> None:
    size = 10**12
    roomy, crowded, sketched = (
        cost.proposed(Amounts(size, 10**6, 10**4, size, summary)) for summary in (size // 8, 1, 0)
    )
    assert crowded.core_hours > 1.5 * roomy.core_hours > 1.4 * sketched.core_hours
    assert crowded.shuffle_bytes > 7 * roomy.shuffle_bytes > 30 * sketched.shuffle_bytes
    assert sketched.driver_memory_bytes == cost.DRIVER


def test_no_more_cores_than_tasks() -> None:
    slow = cost.proposed(Amounts(64 << 20, 10, 10**6, 1, 1))
    assert slow.executors == cost.LEAST_EXECUTORS
    assert slow.hours > 100
