"""Building in `hocket lab`: what a reader adds, wires and saves by hand, and how the page is laid out."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from tests.campaign import long_form
from tests.commands import run_hocket
from tests.lab.browser import Page
from tests.lab.test_lab import opened

from hocket.scenario import catalogue

# A lamp on pin 8, a tone on pin 5, eight curves for the plotter.
SKETCH = """
    void setup() { Serial.begin(115200); pinMode(8, OUTPUT); tone(5, 440); }
    void loop(1, 20, 100) {
      digitalWrite(8, HIGH);
      for (int i = 0; i < 8; i++) {
        Serial.print("curve_number_");
        Serial.print(i);
        Serial.print(":");
        Serial.print(1000 * i);
        Serial.print(" ");
      }
      Serial.println();
      delay(100);
    }
"""
EXPECT = """
expect:
  # What the lamp is for.
  - {part: walk, is: lit, by: 1 s}   # soon
"""


@pytest.fixture(scope="module")
def sketch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("build") / "lamps"
    folder.mkdir()
    (folder / "lamps.ino").write_text(textwrap.dedent(SKETCH))
    return folder


def cards(page: Page) -> list[str]:
    return [
        str(name)
        for name in page.ask(
            "[...document.querySelectorAll('[data-draft]')].map(one => one.dataset.draft)"
        )
    ]


def built(page: Page, *names: str) -> None:
    page.until(lambda: cards(page) == list(names))


def save(page: Page) -> None:
    """By the keyboard, until the run has begun with it."""
    page.until(lambda: page.find("#build-save").is_enabled())
    page.find("#build-save").send_keys(Keys.ENTER)
    page.until(lambda: page.find("#build").get_attribute("aria-pressed") == "false")
    page.until(lambda: page.state() == "running")


def wires(page: Page) -> list[str]:
    """What is drawn, and has a length; not the wire that hangs at the pointer."""
    drawn = "[...document.querySelectorAll('.wires path[data-wire]')]"
    long = f"{drawn}.filter(one => one.getTotalLength() > 20)"
    return sorted(page.ask(f"{long}.map(one => one.dataset.wire)"))


def test_by_keyboard_a_part_is_added_wired_coloured_saved_and_tested(
    chromium: webdriver.Chrome, sketch: Path
) -> None:
    file = sketch / "scenario.yaml"
    file.unlink(missing_ok=True)
    with opened(chromium, sketch) as page:
        assert "Nothing is wired" in page.find("#no-parts").text
        page.find("#build").send_keys(Keys.ENTER)
        page.until(lambda: page.find("#build-add").is_enabled())
        page.find("#build-add").send_keys(Keys.ENTER)
        page.find("#palette-search").send_keys("light-emitting", Keys.ENTER)
        built(page, "led")
        # The new part's name has the focus.
        page.until(lambda: page.ask("document.activeElement.ariaLabel") == "led: name")
        page.driver.switch_to.active_element.send_keys(
            Keys.CONTROL, "a", Keys.NULL, "walk", Keys.ENTER
        )
        built(page, "walk")
        # A terminal is wired by two keys: it is held, then a pin is chosen.
        page.labelled("walk: wire pin").send_keys(Keys.ENTER)
        page.find('[data-pin="8"]').send_keys(Keys.ENTER)
        page.until(lambda: Select(page.labelled("walk: pin")).first_selected_option.text == "D8")
        page.labelled("walk: green").send_keys(Keys.SPACE)
        colour = "document.querySelector('[data-draft=walk] wokwi-led')?.color"
        page.until(lambda: page.ask(colour) == "green")
        page.find("#build-add").send_keys(Keys.ENTER)
        page.find("[data-type=button]").send_keys(Keys.ENTER)
        built(page, "walk", "button")
        page.labelled("remove button").send_keys(Keys.ENTER)
        built(page, "walk")
        assert not file.exists()
        save(page)
        assert file.read_text() == "parts:\n  walk: {type: led, pin: 8, colour: green}\n"
        page.until(lambda: page.says("walk: light") == "lit")
        assert wires(page) == ["walk: D8"]
        # What a text editor adds is kept.
        file.write_text(f"# My lamps.\n{file.read_text()}{EXPECT}")
        assert run_hocket("test", sketch).returncode == 0
        page.driver.refresh()
        page.until(lambda: page.frames() > 0)
        page.find("#build").send_keys(Keys.ENTER)
        built(page, "walk")
        page.find("#build-load").send_keys(Keys.ENTER)
        Select(page.labelled("walk: pin")).select_by_visible_text("D7")
        save(page)
        assert (
            file.read_text()
            == f"# My lamps.\nparts:\n  walk: {{type: led, pin: 7, colour: green}}\n{EXPECT}"
        )
        assert page.says("walk: light") == "dark"
        failed = run_hocket("test", sketch)
        assert failed.returncode == 1 and "walk" in failed.stdout + failed.stderr


def test_by_pointer_parts_are_wired_and_what_is_wrong_is_at_its_field(
    chromium: webdriver.Chrome, sketch: Path
) -> None:
    (sketch / "scenario.yaml").write_text(
        "parts:\n  walk: {type: led, pin: 3}  # a lamp\n  horn: {type: buzzer, pin: 5}\n"
    )
    with opened(chromium, sketch) as page:
        assert wires(page) == ["horn: D5", "walk: D3"]
        # Sound is off until it is asked for, and is as the sketch makes it.
        assert page.find("#sound").get_attribute("data-sounds") in (None, "false")
        page.until(lambda: page.says("horn: sound") == "440 Hz")
        page.find("#sound").click()
        page.until(lambda: page.find("#sound").get_attribute("data-sounds") == "true")
        page.pause()
        page.until(lambda: page.find("#sound").get_attribute("data-sounds") == "false")
        page.click("build")
        built(page, "walk", "horn")
        drag = ActionChains(page.driver).drag_and_drop(
            page.labelled("walk: wire pin"), page.find('[data-pin="8"]')
        )
        drag.perform()
        page.until(lambda: wires(page) == ["horn: D5", "walk: D8"])
        frequency = page.labelled("horn: frequency")
        page.find("[data-draft=horn] summary").click()
        frequency.send_keys("9 volts", Keys.TAB)
        page.until(
            lambda: "volts" in page.find("[data-draft=horn] [data-key=frequency] .wrong").text
        )
        assert frequency.get_attribute("aria-invalid") is not None
        wrong = page.find(f"#{frequency.get_attribute('aria-describedby')}")
        assert "volts" in wrong.text
        assert not page.find("#build-save").is_enabled()
        page.click("build-undo")
        page.until(lambda: page.find("#build-save").is_enabled())
        check_palette(page)
        unnamed = page.ask(
            "[...document.querySelectorAll('.bench button, .bench input, .bench select')]"
            ".filter(one => !one.ariaLabel && !one.textContent.trim()).map(one => one.outerHTML)"
        )
        assert unnamed == []
        save(page)
        assert "walk: {type: led, pin: 8}  # a lamp\n" in (sketch / "scenario.yaml").read_text()
        page.until(lambda: page.says("walk: light") == "lit")
        check_layout(page)


def check_palette(page: Page) -> None:
    """All parts that scenarios know are there, each with a picture."""
    page.click("build-add")
    tiles = (
        "[...document.querySelectorAll('.tile')].map(one => [one.dataset.type,"
        " Math.min(one.querySelector('.tile-picture > *').getBoundingClientRect().height,"
        " one.querySelector('.tile-picture > *').getBoundingClientRect().width) > 15])"
    )
    assert dict(page.ask(tiles)) == dict.fromkeys(catalogue.types(), True)
    page.find("#palette-search").send_keys("I2C temperature")
    page.until(lambda: page.ask("document.querySelectorAll('.tile:not([hidden])').length") == 1)
    page.driver.switch_to.active_element.send_keys(
        Keys.ESCAPE, Keys.ESCAPE
    )  # the first one clears the search
    page.until(lambda: page.ask("document.querySelector('#palette').open") is False)


def check_layout(page: Page) -> None:
    page.until(lambda: page.ask("document.querySelectorAll('.u-legend .u-series').length") == 9)
    for width, height in ((1280, 800), (390, 844)):
        for dark in (False, True):
            page.size(width, height, dark=dark)
            page.until(lambda: page.ask("window.innerWidth") == width)  # noqa: B023
            # The curves with their axis, and below them the legend with all its names, in the plotter's pane.
            page.until(lambda: all(page.ask(INSIDE)))
        assert all(page.ask(FITS))
    page.size(1280, 800)


INSIDE = """(() => {
  const box = css => document.querySelector(css).getBoundingClientRect();
  const [pane, plot, legend] = [box('#plot'), box('.u-wrap'), box('.u-legend')];
  const all = document.querySelector('.u-legend');
  return [plot.bottom <= legend.top + 1, legend.bottom <= pane.bottom + 1, plot.width <= pane.width + 1,
          plot.height >= 60, all.scrollWidth <= all.clientWidth,
          all.scrollHeight <= all.clientHeight + 1 || getComputedStyle(all).overflowY === 'auto'];
})()"""
# Nothing is wider than the page, what is wider than its pane is scrolled there, the lanes fill the timeline.
FITS = """(() => {
  const table = document.querySelector('.loops .scroll');
  const bottom = css => document.querySelector(css).getBoundingClientRect().bottom;
  return [document.documentElement.scrollWidth <= window.innerWidth,
          table.scrollWidth <= table.clientWidth || getComputedStyle(table).overflowX === 'auto',
          bottom('#timeline .lanes canvas') >= bottom('#timeline') - 6];
})()"""


@long_form
def test_an_uno_is_drawn_as_one(chromium: webdriver.Chrome, sketch: Path) -> None:
    (sketch / "scenario.yaml").write_text(
        "parts: {walk: {type: led, pin: 8}, knob: {type: potentiometer, pin: A0, position: 5 %}}\n"
    )
    with opened(chromium, sketch, "--board", "uno") as page:
        assert page.find("wokwi-arduino-uno").is_displayed()
        assert wires(page) == ["knob: A0", "walk: D8"]


def test_an_invalid_scenario_is_shown_with_its_line_and_mended(
    chromium: webdriver.Chrome, sketch: Path
) -> None:
    file = sketch / "scenario.yaml"
    file.write_text("parts:\n  walk: {type: led, pin: 8\n  talk: {type: serial, port: 1}\n")
    with opened(chromium, sketch) as page:
        page.until(lambda: "scenario.yaml:3: this is not well-formed" in page.find("#trouble").text)
        page.until(lambda: page.find("#build").get_attribute("aria-pressed") == "true")
        problem = page.find("#build-problems button")
        assert problem.text.startswith("line 3: this is not well-formed YAML")
        assert not page.find("#build-save").is_enabled()
        problem.send_keys(Keys.ENTER)
        text = page.find("#build-text")
        assert page.driver.switch_to.active_element == text
        # The line is selected: what is typed replaces it.
        text.send_keys("  talk: {type: serial, port: 1, send: [hi]}", Keys.ARROW_UP, Keys.END, "}")
        page.until(lambda: cards(page) == ["walk", "talk"])
        page.until(lambda: "send" in page.find("[data-draft=talk]").text)
        text.send_keys(Keys.CONTROL, "a", Keys.NULL, file.read_text().replace("8\n", "8}\n"))
        page.until(lambda: page.find("#build-problems").is_displayed() is False)
        save(page)
        assert file.read_text().startswith("parts:\n  walk: {type: led, pin: 8}\n")
        assert not page.find("#trouble").is_displayed()
        # A part on a serial port has its wires, too.
        assert wires(page) == ["talk: RX1 D19", "talk: TX1 D18", "walk: D8"]
