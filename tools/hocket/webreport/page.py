"""Makes the page: one file that loads nothing, and whose policy forbids loading.

All text of a sketch or a scenario is treated as hostile. Jinja2 escapes it in the text of the page. Figures
are JSON in which no tag can begin. The page's policy allows the two scripts in it, by their digests, and no
others.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bokeh.document import Document
from bokeh.resources import INLINE
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from hocket.durations import format_microseconds as us
from hocket.report import is_guaranteed
from hocket.trace.states import timeline
from hocket.webreport import histograms, waves, words
from hocket.webreport import timeline as over_time
from hocket.webreport.material import Material
from hocket.webreport.responses import jobs_of
from hocket.whole_files import not_written, write_result

HERE = Path(__file__).parent


def write_page(material: Material, file: Path) -> None:
    write_made(make_page(material), file)


def write_made(page: str, file: Path) -> None:
    try:
        write_result(file, page.encode("utf-8", "replace"))
    except OSError as problem:
        raise not_written("the page", problem, file) from problem


def make_page(material: Material) -> str:
    """Returns the page. The same sequence of material in one process gives the same bytes."""
    report = material.report
    drawn = _Drawn(material)
    serial, serial_said = words.serial_lines(material.serial) if material.serial else ([], "")
    return render(
        "page.html.j2",
        drawn.plots,
        report=report,
        drawn=drawn,
        verdict=words.verdict(report),
        unsafe="" if is_guaranteed(report) else ": not guaranteed",
        material=material,
        serial=serial,
        serial_said=serial_said,
    )


def render(template: str, plots: Mapping[str, Any], **values: Any) -> str:
    """Renders a template, with its plots by the id of their place, and the scripts that draw them."""
    scripts = {
        "library": "\n".join(INLINE.js_raw[:1]),
        "own": (HERE / "page.js").read_text(encoding="utf-8"),
    }
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    used = scripts if plots else {}
    return environment.get_template(template).render(
        policy=_policy(used),
        style=Markup((HERE / "page.css").read_text(encoding="utf-8")),
        scripts={name: Markup(text) for name, text in used.items()},
        plots=Markup(_as_json(plots)),
        words=words,
        us=us,
        **values,
    )


def _as_json(plots: Mapping[str, Any]) -> str:
    """Returns all plots as one Bokeh document, so that they can share an axis, and their places. No tag can
    begin in it."""
    document = Document()
    for plot in plots.values():
        document.add_root(plot)
    places = {plot.id: place for place, plot in plots.items()}
    content = {"documents": {"run": document.to_json(deferred=False)}, "places": places}
    text = json.dumps(content)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _policy(scripts: dict[str, str]) -> str:
    allowed = " ".join(f"'sha256-{_digest(text)}'" for text in scripts.values()) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


class _Drawn:
    """All plots of a page, and the remarks beside them."""

    def __init__(self, material: Material) -> None:
        self.plots: dict[str, Any] = {}  # by the id of the place
        self.timeline: list[str] = []
        self.worst: list[str] = []
        self.responses: list[str] = []
        self.waves: list[str] = []
        self.timeline_said: list[str] = []
        self.worst_said = ""
        self.responses_said: list[str] = []
        self.waves_said: list[str] = []
        self.quiet: list[str] = []
        shown = None
        if material.log is not None and material.log.events:
            shown = self._draw_log(material)
        if material.waves is not None:
            self._draw_waves(material, shown)

    def _draw_log(self, material: Material) -> Any:
        assert material.log is not None
        report, line, jobs = material.report, timeline(material.log), jobs_of(material.log)
        rows = over_time.rows_of(material.log, jobs, report)
        window = over_time.first_window(line)
        made, shown = over_time.draw(line, rows, jobs, window)
        self._add(self.timeline, "timeline", made)
        if window.left_out:
            self.timeline_said.append(
                f"The first {us(window.end / 1000)} of {us(line.end / 1000)}: {window.left_out} later "
                "changes of state are left out here, so that the page stays quick."
            )
        if material.log_left_out:
            self.timeline_said.append(
                f"The log has {material.log_left_out} more events, which were not read: timeline and "
                f"responses are those of the first {us(line.end / 1000)}."
            )
        worst = over_time.worst_window(line, jobs, report)
        if worst is not None:
            around, self.worst_said = worst
            self._add(self.worst, "worst", over_time.draw(line, rows, jobs, around)[0])
        for row in rows:
            mine = jobs.get(row.thread)
            if mine is None or not mine.responses:
                continue
            entry = row.entry
            longest, bound = entry.get("max_response_us"), entry.get("response_bound_us")
            took = [each / 1000 for each in mine.responses]
            title = f"{row.name}; {len(took)} job{'' if len(took) == 1 else 's'}"
            plot = histograms.draw(title, took, bound, longest, row.place)
            self._add(self.responses, f"response-{row.place}", plot)
        return shown

    def _draw_waves(self, material: Material, shown: Any) -> None:
        assert material.waves is not None
        read = waves.read_waves(material.waves)
        self.quiet = read.quiet
        end = int((material.report["duration_us"] or 0) * 1000)
        plots, self.waves_said = waves.draw(read, None if shown is None else shown.clone(), end)
        if shown is not None and plots and shown.end * 1e6 >= read.end:
            for plot in plots:
                plot.x_range = shown  # all plots zoom together
        if material.waves_cut:
            self.waves_said.append(f"The wave file was read up to {us(read.end / 1000)}.")
        for place, plot in enumerate(plots):
            self._add(self.waves, f"waves-{place}", plot)

    def _add(self, places: list[str], place: str, plot: Any) -> None:
        places.append(place)
        self.plots[place] = plot
