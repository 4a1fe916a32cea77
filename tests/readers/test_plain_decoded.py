from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.command_line import Command

from neardup.readers.plain import decoded
from neardup.readers.records import Decisions, ReaderSettings
from neardup.readers.source import FileSource, rewrite

TEXTS = {
    "French": "Le café de l'été était animé; le garçon naïf, à côté de la fenêtre, rêvait d'une façade.",
    "German": "Die größeren Mädchen saßen schöner über den Flüssen, während müde Brüder Äpfel aßen.",
    "English": "The essay mentions a café once, and nothing else that is unusual.",
    "A name": "The essay is by Zoë Müller and nobody else.",
    "Polish": "Zażółć gęślą jaźń, powiedział książę, który wciąż myślał o dłuższych podróżach.",
    "Russian": "Мост через реку был построен давно, и никто не помнил, когда именно.",
    "Japanese": "東京の橋は夜になると明かりがともる。誰も時計を巻かなかった。",
}
ENCODED = [
    *(
        (language, codec)
        for language in ("French", "German", "English")
        for codec in ("cp1252", "mac_roman")
    ),
    ("German", "cp850"),
    ("A name", "mac_roman"),
    ("Polish", "cp1250"),
    ("Polish", "iso-8859-2"),
    ("Russian", "cp1251"),
    ("Russian", "koi8-r"),
    ("Russian", "cp866"),
    ("Japanese", "shift_jis"),
    ("Japanese", "euc_jp"),
]


@pytest.mark.parametrize(("language", "codec"), ENCODED)
def test_a_short_text_is_read_in_its_own_encoding(language: str, codec: str) -> None:
    found = decoded(TEXTS[language].encode(codec), "auto")
    assert found.text == TEXTS[language]
    assert found.doubt and found.encoded(found.text) == TEXTS[language].encode(codec)


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_what_is_sure_is_not_doubtful(codec: str) -> None:
    found = decoded(TEXTS["French"].encode(codec), "auto")
    assert (found.text, found.doubt) == (TEXTS["French"], None)
    assert found.encoded(found.text) == TEXTS["French"].encode(codec)


def test_one_wrong_byte_does_not_lose_a_text() -> None:
    data = TEXTS["German"].encode()
    found = decoded(data[:20] + b"\xe9" + data[20:], "auto")
    assert found.text.replace("é", "") == TEXTS["German"]
    assert found.doubt == "utf-8 but for 1 byte"


@pytest.mark.parametrize("name", ["cp1252", "shift_jis", "koi8-r", "utf-16"])
def test_no_name_makes_anything_else_of_utf8(name: str) -> None:
    assert decoded(TEXTS["Russian"].encode(), name).text == TEXTS["Russian"]
    assert decoded(TEXTS["French"].encode("utf-16"), name).text == TEXTS["French"]


def test_a_name_counts_more_than_a_guess() -> None:
    assert decoded(TEXTS["French"].encode("cp1252"), "mac_roman").text != TEXTS["French"]
    assert decoded(TEXTS["Japanese"].encode("iso-2022-jp"), "iso-2022-jp").text == TEXTS["Japanese"]


@given(st.binary(), st.sampled_from(["auto", "cp1252", "utf-16", "shift_jis", "utf-7"]))
def test_whatever_is_read_is_text(data: bytes, name: str) -> None:
    decoded(data, name).text.encode("utf-8", "surrogatepass")


def test_files_in_many_encodings_are_compared_whatever_name_is_given(
    tmp_path: Path, command: Command
) -> None:
    folder = tmp_path / "essays"
    folder.mkdir()
    text = f"{TEXTS['French']} {TEXTS['German'].encode('cp1252').decode('cp1252')}"
    for codec in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        (folder / f"{codec}.txt").write_bytes(text.encode(codec))
    for more in ((), ("--encoding", "cp1252")):
        found = command("documents", folder, "-o", tmp_path / "out", "--overwrite", "--json", *more).json
        assert found["counts"]["pairs"] == 6


def test_different_guesses_are_named_and_no_option_is_advised(tmp_path: Path, command: Command) -> None:
    (tmp_path / "mac.txt").write_bytes(TEXTS["French"].encode("mac_roman"))
    (tmp_path / "windows.txt").write_bytes(TEXTS["German"].encode("cp1252"))
    said = command("documents", tmp_path, "-o", tmp_path / "out").said
    assert "2 files in an encoding that was guessed: mac.txt (mac-roman), windows.txt (cp1252)" in said
    assert "--encoding" not in said


def test_a_text_with_a_stray_byte_is_removed_or_copied_whole_but_never_cut(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(TEXTS["French"].encode() + b"\xff")
    settings = ReaderSettings()
    [file] = FileSource.open([path], settings).files
    target = tmp_path / "copy.txt"
    assert rewrite(file, target, Decisions(texts={0: "Le café"}), settings)
    assert target.read_bytes() == path.read_bytes()


def test_front_matter_is_no_text_and_stays_when_the_text_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    front = "---\ntitle: 'A walk'\ndate: 2020-01-02\ntags:\n  - one\n---\n"
    path.write_text(f"{front}Once upon a time.\n\n---\n\nThe end.", encoding="utf-8")
    settings = ReaderSettings()
    source = FileSource.open([path], settings)
    [row] = next(source.read(source.splits()[0])).to_pylist()
    assert (row["title"], row["date"]) == ("A walk", "2020-01-02")
    assert row["text"] == "Once upon a time.\n\n---\n\nThe end."
    rewrite(source.files[0], tmp_path / "b.md", Decisions(texts={0: "Once."}), settings)
    assert (tmp_path / "b.md").read_text(encoding="utf-8") == f"{front}Once."
    path.write_text("---\nA rule and no facts.\n---\nText", encoding="utf-8")
    source = FileSource.open([path], settings)
    assert next(source.read(source.splits()[0]))["text"][0].as_py().startswith("---")
