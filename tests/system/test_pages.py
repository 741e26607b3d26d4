"""`hocket run --html` and `hocket report --html`: pages of real runs, as a browser draws them."""

from __future__ import annotations

import html
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from tests.campaign import long_form
from tests.commands import run_hocket
from tests.unit.tools.webreport.conftest import Page

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = """\
void setup() { Serial.begin(115200); pinMode(13, OUTPUT); }
void loop(1, 5, 50) {
  Serial.println("</script><img src=x onerror=alert(1)>");
  digitalWrite(13, !digitalRead(13));
  delay(120);
}
void periodic(2, 1ms, 10ms, 4ms, onCore(0)) {}
"""


@pytest.fixture
def sketch(tmp_path: Path) -> Path:
    folder = tmp_path / "two words ü" / "hostile"
    folder.mkdir(parents=True)
    (folder / "hostile.ino").write_text(HOSTILE)
    return folder


def drawn_by_chromium(file: Path, profile: Path) -> tuple[str, str]:
    """The document when its scripts have run, and what the browser complained of."""
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"]
    command += ["--no-first-run", "--disable-background-networking", "--disable-component-update"]
    command += ["--disable-sync", f"--user-data-dir={profile}", "--enable-logging=stderr"]
    command += ["--virtual-time-budget=20000", "--dump-dom", file.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    said = [
        line for line in done.stderr.splitlines() if "CONSOLE" in line and "bokeh 3" not in line
    ]
    return done.stdout, "\n".join(said)


@long_form
def test_a_browser_draws_the_page_of_a_run(sketch: Path, tmp_path: Path) -> None:
    page = tmp_path / "a page.html"
    plain = run_hocket("run", sketch, "--for", "1s", cwd=tmp_path)
    done = run_hocket("run", sketch, "--for", "1s", "--html", page, cwd=tmp_path)
    assert done.returncode == plain.returncode == 0
    assert done.stdout == plain.stdout, "it changes nothing of the run"
    Page(page.read_text("utf-8")).check_harmless()

    document, complaints = drawn_by_chromium(page, tmp_path / "profile")
    assert complaints == ""
    assert 'data-drawn="yes"' in document
    seen = Page(document)
    assert not any(tag == "img" for tag, _ in seen.tags)
    assert seen.text.count("</script><img src=x onerror=alert(1)>") == 9
    assert re.search(r"\d+\.\d+ ms\s*</script>", seen.text), (
        "with the time at which it had been sent"
    )
    assert "pinned by onCore()" in seen.text

    # Its own command makes it again, to the byte.
    shown = re.search(r"<pre>(.*?)</pre>", page.read_text("utf-8"))
    assert shown is not None
    words = shlex.split(html.unescape(shown[1]))
    first = page.read_bytes()
    page.unlink()
    assert run_hocket(*words[1:], cwd=tmp_path).returncode == 0
    assert page.read_bytes() == first


def test_a_refused_sketch_has_a_page_too(tmp_path: Path) -> None:
    page, trace = tmp_path / "refused.html", tmp_path / "refused.trace"
    done = run_hocket("run", ROOT / "examples/too-much", "--html", page, "--trace", trace)
    assert done.returncode == 3
    assert "hocket: refused: loop 2 asks for 60 ms in every 100 ms" in done.stderr
    assert not trace.exists()
    text = Page(page.read_text("utf-8")).text
    assert "Timeline" not in text
    assert "Refused: loop 2 asks for 60 ms in every 100 ms" in text


@long_form
def test_a_fault_stands_on_the_page(tmp_path: Path) -> None:
    folder = tmp_path / "crash"
    folder.mkdir()
    (folder / "crash.ino").write_text(
        "void setup() {}\nvoid loop(1, 5, 50) { delay(20); *(volatile int *)16 = 1; }\n"
    )
    done = run_hocket("run", folder, "--for", "1s", "--html", tmp_path / "crash.html")
    assert done.returncode == 1
    text = Page((tmp_path / "crash.html").read_text("utf-8")).text
    assert "Fault: loop 1: bad access (crash/crash.ino:2, in loop 1) at 0x10" in text


@long_form
def test_a_page_of_a_saved_report_has_what_that_has(sketch: Path, tmp_path: Path) -> None:
    run_hocket("run", sketch, "--for", "1s", "--json", "saved.json", cwd=tmp_path)
    done = run_hocket("report", "saved.json", "--html", "saved.html", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    page = Page((tmp_path / "saved.html").read_text("utf-8"))
    page.check_harmless()
    assert "What was sent is not in a saved report" in page.text
    assert "response of its bound" in page.text
    assert run_hocket("report", "saved.json", cwd=tmp_path).stdout.startswith("hostile on sim")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--html", "missing/page.html"], "--html missing/page.html cannot be written"),
        (["--html", "-"], "only --json can be written to standard output"),
        (["--html", "hostile.ino"], "--html hostile.ino would overwrite a file"),
        (["--html", "same", "--json", "same"], "would overwrite a file"),
    ],
)
def test_a_page_that_cannot_be_written_is_told_before_the_run(
    sketch: Path, words: list[str], said: str
) -> None:
    done = run_hocket("run", ".", *words, cwd=sketch)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


@long_form
def test_a_page_is_not_written_over_its_report(sketch: Path, tmp_path: Path) -> None:
    run_hocket("run", sketch, "--for", "1s", "--json", "saved.json", cwd=tmp_path)
    before = (tmp_path / "saved.json").read_bytes()
    done = run_hocket("report", "saved.json", "--html", "saved.json", cwd=tmp_path)
    assert done.returncode == 2
    assert (tmp_path / "saved.json").read_bytes() == before
