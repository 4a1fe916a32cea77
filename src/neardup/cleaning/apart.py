"""The tables of what is removed have a folder of their own: beside the data, which is data only.

Programs that read all Parquet files below a folder would take a table among them for data.
"""

from pathlib import Path

from neardup.engines.disk import DiskFolder
from neardup.results.places import beside_data, check_empty, set_apart
from neardup.settings.base import Mode
from neardup.storage import HUB, Address

OURS = "neardup-removed."  # what the names of all tables begin with


def tables_of(target: Path | Address, mode: Mode) -> Path | Address:
    """Return where the tables are: with the mode `list`, they are all that is written."""
    return target if mode == "list" else beside_data(target)


def check_places(target: Path | Address, mode: Mode) -> None:
    """Refuse a place for data that is taken, or one for tables that holds more than older ones."""
    if mode == "list" or str(target).startswith(HUB):
        return
    check_free(target)
    tables = as_folder(tables_of(target, mode))
    if not all(name.startswith(OURS) for name in tables.names() or ()):
        check_empty(tables)


def check_free(target: Path | Address) -> None:
    """Refuse a place for data that is taken.

    A process that was killed when the data were whole had only to put its tables beside them.
    """
    if isinstance(target, Path):
        set_apart(target)
    check_empty(as_folder(target))


def as_folder(place: Path | Address) -> DiskFolder | Address:
    """Return a folder on this machine's disk, or at an address."""
    return DiskFolder(place) if isinstance(place, Path) else place
