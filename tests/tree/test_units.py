"""Sources that are compiled together keep their names apart.

In one unit, a constant of another source's unnamed namespace hides, without a word of the compiler, a name
that a using-directive brings in.
"""

from __future__ import annotations

import re

import pytest

from hocket.paths import ROOT

# At the beginning of a line: of a namespace, not of a function.
DIRECTIVE = re.compile(r"^using namespace\b.*", re.MULTILINE)
TOGETHER = ("simulation", "arduino/cores/avr8/image", "kernel", "admission")


@pytest.mark.parametrize("folder", TOGETHER)
def test_no_using_directive_of_a_namespace(folder: str) -> None:
    sources = [path for path in (ROOT / folder).rglob("*") if path.suffix in {".cpp", ".h"}]
    assert sources
    found = {
        str(path.relative_to(ROOT)): DIRECTIVE.findall(path.read_text())
        for path in sources
        if DIRECTIVE.search(path.read_text())
    }
    assert found == {}
