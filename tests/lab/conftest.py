"""The lab's tests: its page, and a browser that looks at it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver
from tests.lab import browser


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """One for all tests: each opens a page of its own in it."""
    driver = browser.start(tmp_path_factory.mktemp("chromium"))
    yield driver
    driver.quit()
