"""Generates pages of the site (mkdocs.yml) for the targets outside of docs/ to which the documents link.

The front page is the project's README, and the pages of docs/ keep their paths. Each file or folder of the
source that a document names gets a page with its text or its file names. Anchors are those of GitHub.
"""

from __future__ import annotations

import posixpath
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
# Documents whose path in the site differs from that in the project.
MOVED = {
    "README.md": "index.md",
    "docs/README.md": "contents.md",
    "CONTRIBUTING.md": "contributing.md",
}
# The paths of docs/README.md that become tabs of the site. Decisions are in neither, because pages link to
# them.
PATHS = {"For sketch writers": "Write sketches", "For kernel engineers": "Work on the kernel"}

_LINK = re.compile(r"(\]\()([^)\s]+)(\))")
_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_LANGUAGES = {
    ".h": "cpp",
    ".cpp": "cpp",
    ".ino": "cpp",
    ".c": "c",
    ".py": "python",
    ".yaml": "yaml",
    ".toml": "toml",
}


def slug(heading: str, separator: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", separator)


def on_config(config: Any) -> Any:
    config.mdx_configs["toc"]["slugify"] = slug
    config.nav = [{"Hocket": ["index.md", "contents.md", "contributing.md"]}]
    contents = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for heading, title in PATHS.items():
        config.nav.append({title: list(_path(contents, heading))})
    return config


def _path(contents: str, heading: str) -> Iterator[dict[str, list[str]]]:
    """Yields the table of a path in docs/README.md: each bold title with the pages below it."""
    found = re.search(rf"^## {heading}$(.*?)(?=^## |\Z)", contents, re.MULTILINE | re.DOTALL)
    assert found is not None, f"docs/README.md has no heading {heading}"
    for part in re.split(r"^(?=\| \*\*)", found[1], flags=re.MULTILINE)[1:]:
        title, *rows = part.splitlines()
        cells = [row.split("|")[1] for row in rows if row.startswith("| [")]
        pages = [page for cell in cells for page in re.findall(r"\]\(([\w/.-]+\.md)\)", cell)]
        yield {title.strip("| *"): list(dict.fromkeys(pages))}


def on_files(files: Files, config: Any) -> Files:
    files.remove(files.src_uris["README.md"])
    for name, place in MOVED.items():
        files.append(File.generated(config, place, content=(ROOT / name).read_text("utf-8")))
    for target in sorted(_targets()):
        files.append(File.generated(config, _place(target), content=_page(target)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    place = page.file.src_uri
    if place.startswith("source/"):
        return markdown
    origin = next((name for name, moved in MOVED.items() if moved == place), f"docs/{place}")

    def moved(found: re.Match[str]) -> str:
        target = _resolved(origin, found[2])
        if target is None:
            return found[0]
        path, anchor = target
        there = posixpath.relpath(_place(path), posixpath.dirname(place) or ".")
        return f"{found[1]}{there}{anchor}{found[3]}"

    return _outside_code(markdown, lambda text: _LINK.sub(moved, text))


def _outside_code(markdown: str, change: Any) -> str:
    pieces, at = [], 0
    for code in _CODE.finditer(markdown):
        # A link's text may contain code.
        pieces += [markdown[at : code.start()], code[0]]
        at = code.end()
    pieces.append(markdown[at:])
    kept = pieces[1::2]
    marked = "".join(f"{text}\0" for text in pieces[0::2])
    changed = change(marked).split("\0")
    return "".join(text + code for text, code in zip(changed, [*kept, ""], strict=False))


def _resolved(origin: str, link: str) -> tuple[str, str] | None:
    """Returns the path in the project to which a link leads, and its anchor. None: it leads elsewhere."""
    if re.match(r"[a-z]+:|#", link):
        return None
    path, hash_, anchor = link.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(origin), path))
    return target, hash_ + anchor


def _place(target: str) -> str:
    """Returns the path in the site of a file of the project."""
    if target in MOVED:
        return MOVED[target]
    if target == "docs":
        return MOVED["docs/README.md"]
    if target.startswith("docs/") and (ROOT / target).is_file():
        return target.removeprefix("docs/")
    return f"source/{target}.md"


def _targets() -> set[str]:
    """Returns the link targets of documents that have no page of their own."""
    names = [*MOVED, *(str(f.relative_to(ROOT)) for f in (ROOT / "docs").rglob("*.md"))]
    found = set()
    for name in names:
        text = (ROOT / name).read_text(encoding="utf-8")
        for link in _LINK.finditer(_CODE.sub("", text)):
            target = _resolved(name, link[2])
            if target is not None and _place(target[0]).startswith("source/"):
                found.add(target[0])
    return found


def _page(target: str) -> str:
    path = ROOT / target
    if path.is_dir():
        listed = subprocess.run(
            ["git", "ls-files", "--", target], cwd=ROOT, capture_output=True, text=True, check=False
        ).stdout.splitlines() or sorted(
            str(f.relative_to(ROOT)) for f in path.rglob("*") if f.is_file()
        )
        return f"# {target}/\n\n" + "".join(f"- `{name}`\n" for name in listed)
    text = path.read_text(encoding="utf-8", errors="replace")
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 3)
    return f"# {target}\n\n{fence}{_LANGUAGES.get(path.suffix, 'text')}\n{text.rstrip()}\n{fence}\n"
