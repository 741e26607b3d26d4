"""`hocket lab` in a browser: what is touched, what is seen, and what `hocket run` says of the same."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from tests.campaign import long_form
from tests.commands import ROOT, run_hocket
from tests.lab.browser import MS, Page, S
from tests.lab.running import Lab

EXAMPLES = ROOT / "examples"


@contextmanager
def opened(chromium: webdriver.Chrome, sketch: Path, *options: str | Path) -> Iterator[Page]:
    """The page of a lab; at its end the browser must have nothing to complain of."""
    with Lab(sketch, *options) as lab:
        page = Page(chromium, lab.address)
        yield page
        assert page.complaints() == []
        chromium.get("about:blank")


def sketch(folder: Path, name: str, text: str, scenario: str) -> Path:
    made = folder / name
    made.mkdir()
    (made / f"{name}.ino").write_text(textwrap.dedent(text))
    (made / "scenario.yaml").write_text(textwrap.dedent(scenario))
    return made


def report_of(folder: Path, *words: str | Path) -> dict[str, Any]:
    file = folder / "report.json"
    assert run_hocket("run", *words, "--json", file).returncode == 0
    report: dict[str, Any] = json.loads(file.read_text())
    return report


def test_a_press_lights_the_lamp_at_the_instant_that_a_run_reports(
    chromium: webdriver.Chrome, tmp_path: Path
) -> None:
    untouched = tmp_path / "untouched.yaml"
    untouched.write_text(
        "parts:\n  start: {type: button, pin: 2}\n  lamp: {type: led, pin: LED_BUILTIN}\n"
    )
    with opened(chromium, EXAMPLES / "button-light", "--scenario", untouched) as page:
        page.pause()
        page.afresh()
        page.run_until("1 s", S)
        assert page.now() == S
        assert page.says("lamp: light") == "dark"
        page.hold("start: press")
        while page.says("lamp: light") == "dark":
            lit = page.step()
            assert lit < 1_100 * MS
    run = report_of(tmp_path, EXAMPLES / "button-light")
    first = run["parts"]["lamp"]["first_on_us"] * 1_000
    assert lit // MS == int(first) // MS, (lit, first)


SONAR = """
    const int TRIGGER = 11, ECHO = 2;
    void setup() { Serial.begin(115200); pinMode(TRIGGER, OUTPUT); pinMode(ECHO, INPUT); }
    void loop(1, 40, 100) {
      digitalWrite(TRIGGER, HIGH);
      delayMicroseconds(10);
      digitalWrite(TRIGGER, LOW);
      Serial.print("cm:");
      Serial.println(pulseIn(ECHO, HIGH, 30000) / 58.2, 0);
      delay(100);
    }
"""


@long_form
def test_a_slider_moves_what_the_sonar_sees(chromium: webdriver.Chrome, tmp_path: Path) -> None:
    made = sketch(
        tmp_path, "sonar", SONAR,
        "parts: {sonar: {type: hcsr04, trigger: 11, echo: 2, distance: 200 cm}}",
    )  # fmt: skip
    with opened(chromium, made) as page:
        page.until(lambda: "cm:200" in page.serial())
        page.slide("sonar: distance", Keys.HOME)
        page.until(lambda: page.serial()[-1] in ("cm:2", "cm:1"))
        box = page.labelled("sonar: distance, number")
        box.send_keys(Keys.CONTROL, "a", Keys.NULL, "123", Keys.ENTER)
        page.until(lambda: page.serial()[-1] == "cm:123")
        page.until(lambda: page.says("sonar: last distance").startswith("saw 123"))
        # The plotter draws what Serial says.
        assert page.find("#plot canvas").is_displayed()
        assert "cm" in str(page.find("#plot .u-legend").get_property("textContent"))


@long_form
def test_time_can_be_held_stepped_slowed_and_repeated(chromium: webdriver.Chrome) -> None:
    with opened(chromium, EXAMPLES / "knob-servo", "--scenario", scenario_of_a_knob()) as page:
        page.press_key(" ")
        page.until(lambda: page.state() == "paused")
        instants = [page.now(), *(page.step() for _ in range(5))]
        assert instants == sorted(instants)
        assert 0 < instants[-1] - instants[0] <= 500 * MS  # its loops wake every 20 and 100 ms
        # Slow: far fewer of the board's nanoseconds in a frame.
        fast = pace(page, "1")
        slow = pace(page, "0.01")
        assert slow < fast / 10
        page.pause()
        check_repeated(page)


def pace(page: Page, speed: str) -> float:
    """Nanoseconds of the board in a frame, at a speed."""
    page.find(f"#speed option[value='{speed}']").click()
    if page.state() != "running":
        page.press_key(" ")
    page.until(lambda: page.state() == "running")
    first = page.frames()
    page.until(lambda: page.frames() > first + 2)  # what was on its way before
    first, since = page.frames(), page.now()
    page.until(lambda: page.frames() >= first + 12)
    last, now = page.frames(), page.now()
    return (now - since) / (last - first)


def check_repeated(page: Page) -> None:
    """A session with touches, then the same again by Replay: the same Serial."""
    page.afresh()
    page.run_until("1 s", S)
    page.slide("knob: position", Keys.END)
    page.run_until("2 s", 2 * S)
    page.slide("knob: position", Keys.HOME)
    page.run_until("4 s", 4 * S)
    said = page.serial()
    assert "angle 180" in said
    page.click("again")
    page.until(lambda: page.now() < 4 * S or page.state() == "running")
    page.pause()
    page.run_until("4 s", 4 * S) if page.now() < 4 * S else None
    assert page.serial()[: len(said)] == said


def scenario_of_a_knob() -> Path:
    return ROOT / "tests" / "lab" / "knob.yaml"


@long_form
def test_a_knob_turns_the_servo(chromium: webdriver.Chrome) -> None:
    with opened(chromium, EXAMPLES / "knob-servo", "--scenario", scenario_of_a_knob()) as page:
        page.slide("knob: position", Keys.END)
        page.until(lambda: degrees(page) > 178)
        page.slide("knob: position", Keys.HOME)
        page.until(lambda: degrees(page) < 2)


def degrees(page: Page) -> float:
    found = re.fullmatch(r"(-?[\d.]+)°", page.says("horn: angle"))
    return float(found[1]) if found else 90


OLED = """
    #include <Wire.h>
    void command(uint8_t c) {
      Wire.beginTransmission(0x3C); Wire.write(uint8_t(0)); Wire.write(c); Wire.endTransmission();
    }
    const uint8_t BEGIN[] = {0xA1, 0xC8, 0x20, 0x00, 0x21, 0, 127, 0x22, 0, 7, 0xAF};
    void setup() {
      Wire.begin();
      for (uint8_t c : BEGIN) command(c);
      for (int i = 0; i < 1024; i += 16) {
        Wire.beginTransmission(0x3C);
        Wire.write(uint8_t(0x40));
        for (int k = i; k < i + 16; k++) Wire.write(uint8_t(k * 37 ^ k >> 3));
        Wire.endTransmission();
      }
    }
    void loop() { delay(100); }
"""


@long_form
def test_a_display_shows_the_picture_that_a_run_reports(
    chromium: webdriver.Chrome, tmp_path: Path
) -> None:
    made = sketch(tmp_path, "oled", OLED, "parts: {display: {type: ssd1306}}")
    rows = report_of(tmp_path, made, "--for", "2s")["parts"]["display"]["rows"]
    expected = [bit == "1" for row in rows for bit in f"{int(row, 16):0128b}"]
    with opened(chromium, made) as page:
        picture = f"display: picture, {sum(expected)} points lit"
        page.until(lambda: page.driver.find_elements("css selector", f'[aria-label="{picture}"]'))
        data = page.ask(
            "[...document.querySelector('.glass canvas').getContext('2d')"
            ".getImageData(0, 0, 128, 64).data].filter((_, i) => i % 4 === 0)"
        )
    assert [red > 100 for red in data] == expected


def test_what_is_typed_reaches_the_sketch(chromium: webdriver.Chrome, tmp_path: Path) -> None:
    empty = tmp_path / "nothing.yaml"
    empty.write_text("parts: {}\n")
    with opened(chromium, EXAMPLES / "ping-pong", "--scenario", empty) as page:
        page.labelled("line to send").send_keys("ping", Keys.ENTER)
        page.until(lambda: "pong" in page.serial())


@long_form
def test_the_rover_is_seen_often_enough_and_its_wall_can_be_dragged(
    chromium: webdriver.Chrome,
) -> None:
    with opened(chromium, EXAMPLES / "rover") as page:
        page.until(lambda: page.now() > S)
        first, since = page.frames(), page.now()
        page.until(lambda: page.now() > since + 2 * S)
        last, now = page.frames(), page.now()
        assert (last - first) / ((now - since) / S) >= 10
        # The wall comes near by the arrow keys, and the rover turns away.
        page.pause()
        wall = page.labelled("wheels: obstacle")
        before = float(wall.get_attribute("aria-valuenow") or 0)
        wall.send_keys(Keys.PAGE_DOWN)
        page.until(lambda: float(wall.get_attribute("aria-valuenow") or 0) <= before - 40)
        assert page.find("tr[data-loop='1'] th").text == "loop 1"
        assert "(90.14 ms)" in page.find("tr[data-loop='1']").text


@long_form
def test_closing_the_page_ends_the_run(chromium: webdriver.Chrome) -> None:
    with Lab(EXAMPLES / "rover") as lab:
        page = Page(chromium, lab.address)
        page.until(lambda: page.now() > 0)
        chromium.get("about:blank")
        status, output = lab.ended()
    assert status == 0
    assert re.search(r"^1 loop +\d+ +70/100 ms", output, re.MULTILINE)


def test_ctrl_c_ends_the_lab_and_the_page_says_so(chromium: webdriver.Chrome) -> None:
    with Lab(EXAMPLES / "blink") as lab:
        page = Page(chromium, lab.address)
        lab.process.send_signal(2)
        assert lab.ended()[0] == 130
        page.until(lambda: page.state() == "ended")
        assert page.find("#go").get_property("disabled")


@long_form
def test_another_page_of_the_browser_cannot_reach_it(
    chromium: webdriver.Chrome, tmp_path: Path
) -> None:
    with Lab(EXAMPLES / "blink") as first, Lab(EXAMPLES / "blink") as second:
        Page(chromium, first.address)
        # From the first lab's page, which knows even the second one's key, to the second.
        chromium.get(f"http://127.0.0.1:{first.port}/icon.svg")
        live = second.address.replace("http:", "ws:").replace("/?", "/live?")
        outcome = chromium.execute_async_script(
            "const done = arguments[arguments.length - 1], socket = new WebSocket(arguments[0]);"
            "socket.onopen = () => done('open'); socket.onerror = () => done('refused');",
            live,
        )
        assert outcome == "refused"
        # Its own page can.
        assert Page(chromium, second.address).frames() > 0


@long_form
def test_the_page_fits(chromium: webdriver.Chrome) -> None:
    with opened(chromium, EXAMPLES / "rover") as page:
        for width, height in ((1920, 1080), (1280, 800), (700, 900)):
            page.size(width, height)
            assert page.ask("document.scrollingElement.scrollWidth") <= width
            for name in ("board", "timeline", "serial", "plot"):
                box = page.find(f"#{name}").rect
                assert box["width"] > 150, name
                assert box["x"] >= 0, name
                assert box["x"] + box["width"] <= width + 1, name
            table = page.ask("document.querySelector('.loops .scroll').scrollWidth")
            assert table <= page.find(".loops").rect["width"]


@long_form
def test_the_timeline_tells_exact_times(chromium: webdriver.Chrome) -> None:
    with opened(chromium, EXAMPLES / "three-loops") as page:
        page.pause()
        page.run_until("2 s", 2 * S)
        page.driver.execute_script(
            "const c = document.querySelector('#timeline .lanes canvas'), b = c.getBoundingClientRect();"
            "c.dispatchEvent(new PointerEvent('pointermove',"
            "{clientX: b.left + b.width * 0.6, clientY: b.top + 60, bubbles: true}))"
        )
        page.until(lambda: page.find(".hint").is_displayed())
        lines = [element.text for element in page.driver.find_elements("css selector", ".hint div")]
        assert re.fullmatch(r"\d+\.\d{3} \d{3} \d{3} s", lines[0])
        assert any(line.startswith("loop 1 ") for line in lines), lines
        assert any(line.startswith("budget left: ") and "of 40 ms" in line for line in lines)
