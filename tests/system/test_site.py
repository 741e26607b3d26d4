"""The documentation as a site: it builds without a warning, so all links lead somewhere, and loads nothing
from elsewhere."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.campaign import long_form
from tests.commands import ROOT

# What makes a browser load something.
LOADED = re.compile(
    r"<(?:script|link|img|iframe|source|audio|video)\b[^>]*\b(?:src|href)=[\"']?([^\"' >]+)"
)
IN_STYLES = re.compile(r"url\([\"']?([^\"')]+)|@import\s+[\"']([^\"']+)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_document_is_a_page(site: Path) -> None:
    for document in (ROOT / "docs").rglob("*.md"):
        page = document.relative_to(ROOT / "docs").with_suffix(".html")
        name = {"README": "index"}.get(page.stem, page.stem)
        place = "contents.html" if str(page) == "README.html" else page.with_name(f"{name}.html")
        assert (site / place).is_file(), document
    assert "Two commands" in (site / "index.html").read_text()


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    seen = 0
    for file in site.rglob("*.html"):
        for found in LOADED.findall(file.read_text(encoding="utf-8")):
            seen += 1
            assert not re.match(r"(https?:)?//", found), f"{file.name} loads {found}"
    assert seen > 100
    for file in site.rglob("*.css"):
        for one, other in IN_STYLES.findall(file.read_text(encoding="utf-8")):
            assert not re.match(r"(https?:)?//", one or other), f"{file.name} loads {one or other}"


def test_one_path_for_sketch_writers_and_one_for_kernel_engineers(site: Path) -> None:
    """The main menu has both, each page once; decisions are linked from pages, and are not in the menu."""
    text = (site / "index.html").read_text(encoding="utf-8")
    tabs = re.search(r'<nav class="?md-tabs.*?</nav>', text, re.DOTALL)
    assert tabs is not None
    titles = [" ".join(re.sub(r"<[^>]+>", " ", tab).split()) for tab in tabs[0].split("</a>")]
    assert [title for title in titles if title] == [
        "Hocket",
        "Write sketches",
        "Work on the kernel",
    ]
    menu = re.search(
        r'<nav class="?md-nav md-nav--primary.*?</div>\s*</div>\s*</div>', text, re.DOTALL
    )
    assert menu is not None and "decisions/" not in menu[0]
    contents = (ROOT / "docs/README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| (\[.*?) \|", contents, re.MULTILINE)
    pages = [page for row in listed for page in re.findall(r"\]\(([\w/.-]+\.md)\)", row)]
    assert len(pages) == len(set(pages))
    for folder in ("guide", "reference", "porting"):
        for file in (ROOT / "docs" / folder).glob("*.md"):
            name = f"{folder}/{file.name}"
            assert name in pages, f"docs/README.md does not list {name}"
            there = name.replace("README.md", "index.html").replace(".md", ".html")
            assert there in menu[0], name
    assert (site / "decisions/index.html").is_file()


@pytest.mark.parametrize(
    ("sought", "page"),
    [
        ("blink without delay", "guide/first-sketch.html"),
        ("fade", "guide/questions.html"),
        ("nano", "guide/questions.html"),
        ("wifi", "guide/questions.html"),
    ],
)
def test_the_search_finds_what_arduino_users_look_for(site: Path, sought: str, page: str) -> None:
    """A heading has all the words: the search ranks it before text."""
    index = json.loads((site / "search" / "search_index.json").read_text())["docs"]
    found = [
        entry["location"].partition("#")[0]
        for entry in index
        if set(sought.split()) <= set(re.findall(r"\w+", entry["title"].lower()))
    ]
    assert page in found


@long_form
def test_links_lead_to_files_and_anchors_of_the_site(site: Path) -> None:
    names: dict[Path, set[str]] = {}
    for file in site.rglob("*.html"):
        names[file] = set(re.findall(r"\bid=\"?([^\" >]+)", file.read_text(encoding="utf-8")))
    for file in names:
        if file.name == "404.html":
            continue
        text = re.sub(r"<(pre|code)\b.*?</\1>", "", file.read_text("utf-8"), flags=re.DOTALL)
        for link in re.findall(r"<a\b[^>]*\bhref=\"?([^\" >]+)", text):
            path, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:", link) or (path and not path.endswith(".html")):
                continue
            there = (file.parent / path).resolve() if path else file
            assert there in names, f"{file.relative_to(site)} links to {link}"
            assert not anchor or anchor in names[there], f"{file.relative_to(site)}: no {link}"


def test_sources_that_documents_name_are_pages_with_their_text(site: Path) -> None:
    page = (site / "source" / "admission" / "fixed_priority_analysis.h.html").read_text()
    assert "fixed_priority_analysis.h" in page
    first = (ROOT / "admission" / "fixed_priority_analysis.h").read_text().splitlines()[0]
    assert first.strip("/ ")[:30] in re.sub(r"<[^>]+>", "", page)


def test_the_search_has_an_index_of_its_own(site: Path) -> None:
    found = json.loads((site / "search" / "search_index.json").read_text())["docs"]
    assert any("admission" in entry["text"] and "guide/" in entry["location"] for entry in found)
