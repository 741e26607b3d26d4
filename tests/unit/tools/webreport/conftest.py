"""Reports and logs for pages, and what a browser would make of a page."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from tests.unit.tools.test_report import FACTS

from hocket.report import Report, make_report
from hocket.trace.eventlog import Event, EventKind, EventLog

LOADS = {"src", "href", "srcset", "data", "action", "formaction", "poster", "background", "ping"}


def report_of(**facts: Any) -> Report:
    return make_report(FACTS | facts, "demo", "sim", "virtual")


def log_of(jobs: list[tuple[int, int]], kind: int = 0, loop: int = 1) -> EventLog:
    """One thread: released at …, done at … (ns)."""
    events = [Event(0, 0, EventKind.NAMED, 1, loop, kind)]
    done = EventKind.ITERATION if kind == 1 else EventKind.SLEEP
    for released, ended in jobs:
        events += [
            Event(released, 0, EventKind.RELEASE, 1, 0, released),
            Event(released, 0, EventKind.DISPATCH, 1, 0, 0),
            Event(ended, 0, done, 1, 0, 0),
            Event(ended, 0, EventKind.DISPATCH, 0xFFFF, 0, 0),
        ]
    return EventLog(1, events)


@dataclass
class Page(HTMLParser):
    """tags: each with its attributes; text: all of it; scripts: (attributes, content)."""

    source: str
    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    text: str = ""
    scripts: list[tuple[dict[str, str | None], str]] = field(default_factory=list)
    policy: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.feed(self.source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
        if dict(attrs).get("http-equiv") == "Content-Security-Policy":
            self.policy = dict(attrs)["content"] or ""

    def handle_data(self, data: str) -> None:
        if self.lasttag == "script" and self.scripts and not self.scripts[-1][1]:
            self.scripts[-1] = (self.scripts[-1][0], data)
        else:
            self.text += data

    def loaded(self) -> list[str]:
        """What a browser would fetch."""
        named = [
            value or ""
            for tag, attributes in self.tags
            for name, value in attributes.items()
            if name in LOADS and not (tag == "a" and (value or "").startswith("#"))
        ]
        return [value for value in named if not value.startswith("data:image/png;base64,")]

    def events(self) -> list[str]:
        """Attributes that run something."""
        return [name for _, attributes in self.tags for name in attributes if name.startswith("on")]

    def check_harmless(self) -> None:
        assert self.loaded() == []
        assert self.events() == []
        # The plots' figures, the library and the page's own script; and no others.
        assert len(self.scripts) in (0, 3)
        assert not any(tag in ("iframe", "object", "embed", "base", "form") for tag, _ in self.tags)
        for attributes, content in self.scripts:
            if attributes.get("type") != "application/json":
                digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
                assert f"'sha256-{digest}'" in self.policy
        assert "default-src 'none'" in self.policy
        assert re.search(r"unsafe-(eval|hashes)|https?:|\*", self.policy) is None
        assert "script-src 'unsafe-inline'" not in self.policy
