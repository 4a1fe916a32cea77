"""`neardup trec` on the command line."""

from pathlib import Path

from tests.command_line import Command
from tests.retrieval.collection import Collection


def test_the_command(tmp_path: Path, command: Command) -> None:
    collection = Collection(tmp_path, ["1", "2", "10"])
    runs, out = collection.folder / "runs", collection.folder / "o"
    given = ["trec", "--runs", runs, "--qrels", collection.qrels, "--groups", collection.file, "-o", out]
    done = command(*given, "--measures", "MAP P@5", "--depths", "5,10", "--keep", "relevant")
    assert done.code == 0, done.said
    assert "3 runs, 3 topics, 75 judgements; near-duplicates in groups" in done.said
    assert "P@5" in done.said
    assert "irrelevant: counted as irrelevant" in done.said
    assert "no addresses of documents are known, so no origins are: give them with --urls" in done.said
    assert "a file with --groups" in command(*given[:-4], "-o", out).said
    assert "equal scores" in done.said
    content = command(*given, "--json", "--overwrite").json
    assert {row["policy"] for row in content["effects"]} == {"runs", "irrelevant", "qrels", "both"}
    assert command(*given, "--depths", "five").code == 2
    assert not command(*given, "--overwrite", "--quiet").said
    assert "near-duplicates in groups" in command("show", out).said
    assert command("explain", out, "a", "b").code == 1
    assert "one file is needed" in command(*given, "--topics", runs, "--overwrite").said
    assert "a result of trec has no duplicates" in command("dedup", out, "-o", out / "x").said


def test_prevalence_alone_needs_no_judgements(tmp_path: Path, command: Command) -> None:
    collection = Collection(tmp_path, ["1", "2", "10"])
    given = ["trec", "--runs", collection.folder / "runs", "--groups", collection.file]
    done = command(*given, "-o", tmp_path / "o")
    assert done.code == 0, done.said
    assert "3 runs, 9 rankings, no judgements; near-duplicates in groups" in done.said
    assert "rankings with over 20 % near-duplicates at the top:" in done.said
    assert "policy" not in done.said
