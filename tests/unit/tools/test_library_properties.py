"""What a library says of itself: what it depends on, what it is for, that it comes compiled."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hocket.boards import find_board
from hocket.builder import build_sketch
from hocket.builder.library_properties import (
    FILE,
    check_has_sources,
    dependencies,
    names_in,
    properties_of,
)
from hocket.errors import HocketError
from hocket.sketch.folder import find_sketch


def library(place: Path, name: str, said: str, **files: str) -> Path:
    folder = place / "libraries" / name
    (folder / "src").mkdir(parents=True)
    (folder / FILE).write_text(said)
    for file, text in files.items():
        (folder / "src" / file.replace("__", ".")).write_text(text)
    return folder


def refused(place: Path, header: str) -> HocketError:
    """How a sketch that includes this header of a library does not build."""
    sketch = place / "sketch"
    sketch.mkdir()
    (sketch / "sketch.ino").write_text(
        f"#include <{header}>\nvoid setup() {{}}\nvoid loop() {{}}\n"
    )
    with pytest.raises(HocketError) as caught:
        build_sketch(find_sketch(str(sketch)), find_board("sim"))
    return caught.value


def test_properties(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("name=A b\r\n# depends=x\nurl=http://a/?b=c\n\nnothing\n=\n")
    assert properties_of(tmp_path) == {"name": "A b", "url": "http://a/?b=c", "": ""}
    assert properties_of(tmp_path / "gone") == {}


@given(st.binary(max_size=80))
def test_any_file_can_be_read(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("any")
    (folder / FILE).write_bytes(content)
    for value in properties_of(folder).values():
        names_in(value)
    dependencies([folder])


def test_names_have_no_versions() -> None:
    assert names_in("Adafruit GFX Library (>=1.2), BusIO,") == ["Adafruit GFX Library", "BusIO"]


def test_what_a_library_depends_on_is_told_when_a_header_is_missing(tmp_path: Path) -> None:
    said = "depends=Adafruit BusIO (>=1.0)\n"
    library(
        tmp_path, "Gauge", said, Gauge__h="#include <Bus.h>\n", Gauge__cpp='#include "Gauge.h"\n'
    )
    error = refused(tmp_path, "Gauge.h")
    assert error.cause == "no library here has Bus.h; Gauge says that it depends on Adafruit BusIO"


def test_who_a_library_is_for_is_told_when_it_does_not_compile(tmp_path: Path) -> None:
    library(
        tmp_path, "Radio", "architectures=esp32, samd\n", Radio__h="", Radio__cpp="int x = GPIO;\n"
    )
    error = refused(tmp_path, "Radio.h")
    assert error.fact == "the library Radio does not compile"
    assert "it says that it is for esp32, samd, and not for this board" in error.cause


def test_a_library_that_comes_compiled_is_refused(tmp_path: Path) -> None:
    library(tmp_path, "Vision", "precompiled=true\n", Vision__h="", libvision__a="")
    error = refused(tmp_path, "Vision.h")
    assert error.fact == "the library Vision is compiled already"
    assert error.file is not None
    assert error.file.endswith(FILE)


def test_one_with_source_text_as_well_is_not(tmp_path: Path) -> None:
    check_has_sources(library(tmp_path, "Both", "precompiled=true\n", Both__h="", Both__cpp=""))
    with pytest.raises(HocketError):
        check_has_sources(library(tmp_path, "Full", "precompiled=full\n", Full__cpp=""))
