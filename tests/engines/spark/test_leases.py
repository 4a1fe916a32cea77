"""A lease keeps others out while it is held."""

from pathlib import Path
from typing import Any

import pytest

from neardup.engines.spark.folders import HadoopFolder
from neardup.engines.spark.leases import is_held, leased
from neardup.errors import OutputError


def test_a_lease_is_seen_while_it_is_held_and_a_dead_one_bars_nobody(spark: Any, tmp_path: Path) -> None:
    file = HadoopFolder(spark, f"file:{tmp_path}/out.lock")
    file.write_text("somebody who was killed 7")
    with leased(file, "out", 0.1):
        assert is_held(file, 0.3)
        with pytest.raises(OutputError, match="another run"), leased(file, "out", 0.3):
            pass
    assert not file.exists()
