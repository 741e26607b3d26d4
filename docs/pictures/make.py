"""Draws the documentation's pictures from real runs: .venv/bin/python docs/pictures/make.py

Each picture is a timeline made from the event log of one run on the simulated board. The same program
draws the same bytes. With --check nothing is written; the exit status says whether all are up to date.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from hocket.trace.eventlog import HEADER, EventKind, EventLog, parse_log  # noqa: E402
from hocket.trace.states import READY, RUNNING, THROTTLED, Timeline, timeline  # noqa: E402

NS_PER_MS = 1_000_000
RECORD = np.dtype(
    [("before", "V9"), ("kind", "u1"), ("after", "V14")]
)  # eventlog.py has it in full


@dataclass(frozen=True)
class Picture:
    """name: of the file; rows: loop → what stands before its row; times in ms of the board."""

    name: str
    sketch: str
    title: str
    rows: dict[int, str]
    end: int
    grid: int


PICTURES = (
    Picture(
        "three-loops",
        "three-loops",
        "examples/three-loops on one core: three loops that never rest",
        {1: "loop 1: 40 in 100 ms", 2: "loop 2: 20 in 100 ms", 3: "loop 3: 10 in 100 ms"},
        end=400,
        grid=50,
    ),
    Picture(
        "rover",
        "rover",
        "examples/rover: acting does not wait for sensing",
        {1: "loop 1: sense", 2: "loop 2: act"},
        end=1000,
        grid=100,
    ),
    Picture(
        "exact-test",
        "exact-test",
        "examples/exact-test: 97 % of a core, and every loop is in time",
        {1: "loop 1: 25 in 50 ms", 2: "loop 2: 20 in 75 ms", 3: "loop 3: 30 in 150 ms"},
        end=300,
        grid=25,
    ),
)

LEFT, TOP, WIDTH, ROW, BAR = 165, 44, 620, 34, 18  # pixels
COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#805ad5")
STYLE = """\
<style>
text { font: 12px sans-serif; fill: #1a202c }
.title { font-weight: bold }
.small { font-size: 11px; fill: #4a5568 }
.grid { stroke: #cbd5e0; stroke-width: 1 }
.ready { fill: #1a202c; opacity: 0.35 }
.spent { fill: url(#spent) }
</style>
<defs><pattern id="spent" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="5" height="5" fill="#edf2f7"/><rect width="1.5" height="5" fill="#a0aec0"/></pattern></defs>"""


class Drawing:
    """One picture as lines of SVG."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.height = TOP + ROW * (len(picture.rows) + 1) + 44
        self.lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" '
            f'height="{self.height}" role="img" aria-label="{picture.title}">',
            STYLE,
            '<rect width="100%" height="100%" rx="6" fill="#ffffff"/>',
        ]

    def x(self, time_ns: int) -> float:
        """Half pixels: what a picture shows does not hang on microseconds."""
        position = LEFT + WIDTH * time_ns / (self.picture.end * NS_PER_MS)
        return round(min(position, LEFT + WIDTH) * 2) / 2

    def text(self, x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> None:
        self.lines.append(
            f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{text}</text>'
        )

    def bar(self, start: int, end: int, y: float, height: float, how: str) -> None:
        """A span of time; too short a one is still one and a half pixels wide."""
        if start >= self.picture.end * NS_PER_MS:
            return
        left, right = self.x(start), self.x(end)
        width = max(right - left, 1.5)
        self.lines.append(
            f'<rect x="{left:g}" y="{y:g}" width="{width:g}" height="{height:g}" {how}/>'
        )

    def grid(self) -> None:
        bottom = TOP + ROW * (len(self.picture.rows) + 1)
        for ms in range(0, self.picture.end + 1, self.picture.grid):
            x = self.x(ms * NS_PER_MS)
            self.lines.append(
                f'<line class="grid" x1="{x:g}" x2="{x:g}" y1="{TOP - 8}" y2="{bottom}"/>'
            )
            self.text(x, bottom + 14, str(ms), "small", "middle")
        self.text(LEFT - 12, bottom + 14, "ms", "small", "end")


def draw(picture: Picture, log: EventLog) -> str:
    line = timeline(with_awakenings(log))
    drawing = Drawing(picture)
    drawing.text(LEFT, 22, picture.title, "title")
    drawing.grid()
    threads = {e.arg: e.thread for e in log.events if e.kind == EventKind.NAMED and e.value < 2}
    for row, (loop, label) in enumerate(picture.rows.items()):
        draw_loop(drawing, line, threads[loop], row, label)
    draw_core(drawing, line, [threads[loop] for loop in picture.rows])
    legend(drawing)
    return "\n".join([*drawing.lines, "</svg>", ""])


def with_awakenings(log: EventLog) -> EventLog:
    """The log, and when sleeps end and budgets return: what those records say of the future, as events."""
    follow = {EventKind.SLEEP: EventKind.WAKE, EventKind.EXHAUSTED: EventKind.REPLENISH}
    added = [
        replace(event, time_ns=event.value, kind=follow[EventKind(event.kind)], value=0)
        for event in log.events
        if event.kind in follow
    ]
    return EventLog(log.cores, added + log.events)


def draw_loop(drawing: Drawing, line: Timeline, thread: int, row: int, label: str) -> None:
    """What one loop did: ran, could have run, had no budget left; blank where it slept."""
    y = TOP + row * ROW + (ROW - BAR) / 2
    drawing.text(LEFT - 12, y + 13, label, anchor="end")
    for span in line.threads[thread]:
        if span.what == RUNNING:
            drawing.bar(span.start, span.end, y, BAR, f'fill="{COLOURS[row]}"')
        elif span.what == READY and span.end - span.start > NS_PER_MS:
            drawing.bar(span.start, span.end, y + BAR / 2 - 1, 2, 'class="ready"')
        elif span.what == THROTTLED:
            drawing.bar(span.start, span.end, y + BAR / 2 - 4, 8, 'class="spent"')


def draw_core(drawing: Drawing, line: Timeline, threads: list[int]) -> None:
    """Who had the core."""
    y = TOP + len(threads) * ROW + (ROW - BAR) / 2
    drawing.text(LEFT - 12, y + 13, "core 0", anchor="end")
    for span in line.cores[0]:
        if span.thread in threads:
            drawing.bar(
                span.start, span.end, y, BAR, f'fill="{COLOURS[threads.index(span.thread)]}"'
            )


def legend(drawing: Drawing) -> None:
    y = drawing.height - 18
    kinds = (
        ("runs", f'fill="{COLOURS[0]}"', 10),
        ("ready, another loop has the core", 'class="ready"', 2),
        ("has used its budget up", 'class="spent"', 8),
        ("blank: sleeps in delay()", "", 0),
    )
    x = float(LEFT)
    for text, how, height in kinds:
        if height:
            drawing.lines.append(
                f'<rect x="{x:g}" y="{y + 5 - height / 2:g}" width="16" height="{height}" {how}/>'
            )
            x += 22
        drawing.text(x, y + 9, text, "small")
        x += 6.2 * len(text) + 14


def make(picture: Picture) -> str:
    """Runs the sketch and draws what happened."""
    with tempfile.TemporaryDirectory(prefix="hocket-") as folder:
        file = Path(folder) / "run.hklog"
        sketch = str(ROOT / "examples" / picture.sketch)
        command = [str(ROOT / "hocket"), "run", sketch, "--for", f"{picture.end + 10}ms"]
        subprocess.run([*command, "--trace", str(file)], check=True, capture_output=True)
        return draw(picture, without_iterations(file.read_bytes()))


def without_iterations(data: bytes) -> EventLog:
    """The log without the ends of iterations, of which a loop that never rests has millions."""
    records = np.frombuffer(data, RECORD, offset=HEADER.size)
    kept = records[records["kind"] != EventKind.ITERATION]
    return parse_log(data[: HEADER.size] + kept.tobytes())


def main() -> int:
    check = sys.argv[1:] == ["--check"]
    stale = 0
    for picture in PICTURES:
        file = HERE / f"{picture.name}.svg"
        svg = make(picture)
        if not check:
            file.write_text(svg, encoding="utf-8")
        elif not file.is_file() or file.read_text(encoding="utf-8") != svg:
            print(f"{file.relative_to(ROOT)} is out of date: run docs/pictures/make.py")
            stale += 1
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
