"""A real browser without a window, and the page of the lab as a person meets it: by what it says and shows.

What is awaited is awaited for as long as a command may take; no test judges how long that was.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from tests.commands import PATIENCE

FLAGS = (
    *(
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
    ),
    *("--disable-quic", "--no-first-run", "--disable-sync", "--disable-component-update"),
    *("--disable-background-networking", "--disable-background-timer-throttling"),
    *("--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows"),
)

MS = 1_000_000
S = 1_000_000_000


def start(profile: Path) -> webdriver.Chrome:
    """Debian's Chromium; nothing is downloaded."""
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for flag in [*FLAGS, f"--user-data-dir={profile}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    driver.set_page_load_timeout(PATIENCE)
    return driver


class Page:
    """The page that is open in the browser."""

    def __init__(self, driver: webdriver.Chrome, address: str) -> None:
        self.driver = driver
        self.size(1280, 800)
        self.complaints()  # of a page before this one
        driver.get(address)
        self.until(lambda: self.frames() > 0)

    def size(self, width: int, height: int, *, dark: bool = False) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def until(self, true: Callable[[], object]) -> None:
        WebDriverWait(self.driver, PATIENCE, poll_frequency=0.02).until(lambda _: true())

    def ask(self, script: str) -> Any:
        return self.driver.execute_script(f"return {script}")

    def find(self, css: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def labelled(self, label: str) -> WebElement:
        return self.find(f"[aria-label={json.dumps(label)}]")

    def says(self, label: str) -> str:
        return str(self.labelled(label).get_property("textContent"))

    def frames(self) -> int:
        return int(self.ask("document.body.dataset.frames || 0"))

    def now(self) -> int:
        """The time of the board, in nanoseconds."""
        return int(self.ask("document.getElementById('clock').dataset.ns"))

    def state(self) -> str:
        return str(self.ask("document.getElementById('state').dataset.state"))

    def click(self, name: str) -> None:
        self.find(f"#{name}").click()

    def press_key(self, *keys: str) -> None:
        """At the page, not at a part of it."""
        self.ask("document.activeElement.blur()")
        ActionChains(self.driver).send_keys(*keys).perform()

    def pause(self) -> None:
        if self.state() == "running":
            self.click("go")
        self.until(lambda: self.state() == "paused")

    def step(self) -> int:
        """To the next event, by the keyboard: the instant of it."""
        before = self.frames()
        self.press_key(".")
        self.until(lambda: self.frames() > before)
        assert self.state() == "paused"
        return self.now()

    def run_until(self, time: str, ns: int) -> None:
        """Goes to that instant, and stands."""
        box = self.find("#until")
        box.clear()
        box.send_keys(time, Keys.ENTER)
        self.until(lambda: self.state() == "paused" and self.now() >= ns)

    def afresh(self) -> None:
        """From the beginning, untouched, standing at once or soon."""
        before = self.now()
        self.click("afresh")
        self.until(lambda: self.now() < before or before == 0)
        self.pause()

    def hold(self, label: str) -> None:
        """Presses a button of a part; with Shift it stays down."""
        keys = ActionChains(self.driver).key_down(Keys.SHIFT)
        keys.click(self.labelled(label)).key_up(Keys.SHIFT).perform()

    def slide(self, label: str, *keys: str) -> None:
        self.labelled(label).send_keys(*keys)

    def serial(self) -> list[str]:
        return str(self.find("#serial").get_property("innerText")).splitlines()

    def complaints(self) -> list[str]:
        """What the browser found wrong, the page's policy among it."""
        return [entry["message"] for entry in self.driver.get_log("browser")]  # type: ignore[no-untyped-call]
