"""Takes the pictures of the lab in Chromium: .venv/bin/python docs/pictures/lab.py

Each is the page of a real run that stands at an instant, so that it is the same run each time. Needs what
`./hocket self-test` needs (chromium, selenium).
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from selenium.webdriver.common.keys import Keys  # noqa: E402
from tests.lab.browser import Page, S, start  # noqa: E402
from tests.lab.running import Lab  # noqa: E402

QUALITY = 82


@dataclass(frozen=True)
class Picture:
    """does: what is done before it is taken; of: the part of the page that is shown."""

    name: str
    sketch: str
    does: Callable[[Page], None]
    of: str = "body"
    options: tuple[str, ...] = ()
    dark: bool = False


def drive(page: Page) -> None:
    page.run_until("6.3 s", int(6.3 * S))


def stand(page: Page) -> None:
    page.run_until("2.15 s", int(2.15 * S))


def turn(page: Page) -> None:
    page.run_until("1 s", S)
    knob = page.labelled("knob: position")
    for at in range(12, 44):
        knob.send_keys(*[Keys.ARROW_RIGHT] * (at % 4), *[Keys.ARROW_LEFT] * (at % 3 // 2))
        page.run_until(f"{at / 10} s", at * S // 10)


def build(page: Page) -> None:
    page.run_until("6 s", 6 * S)
    page.click("build")
    page.until(lambda: page.ask("document.querySelectorAll('[data-draft] wokwi-led').length") == 5)
    page.until(lambda: page.ask("document.querySelectorAll('.wires path').length") == 6)


PICTURES = (
    Picture("lab-rover", "rover", drive),
    Picture("lab-build", "crossing", build, of="section.bench"),
    Picture("lab-time", "three-loops", stand, of="section.time"),
    Picture(
        "lab-knob", "knob-servo", turn, options=("--scenario", "tests/lab/knob.yaml"), dark=True
    ),
)


def take(page: Page, picture: Picture) -> None:
    page.size(1280, 800, dark=picture.dark)
    page.pause()
    page.afresh()
    picture.does(page)
    page.driver.execute_script("document.activeElement.blur()")
    page.until(lambda: page.ask("new Promise(requestAnimationFrame).then(() => true)"))
    shot = Image.open(io.BytesIO(page.find(picture.of).screenshot_as_png))
    shot.convert("RGB").save(HERE / f"{picture.name}.webp", quality=QUALITY, method=6)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="hocket-chromium-") as profile:
        driver = start(Path(profile))
        try:
            for picture in PICTURES:
                sketch = ROOT / "examples" / picture.sketch
                with Lab(sketch, *picture.options) as lab:
                    take(Page(driver, lab.address), picture)
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
