"""Hocket as PlatformIO knows it. The compilers, the libraries in the box and the simulators are hocket's own:
there is nothing to download (docs/reference/platformio.md)."""

from platformio.platform.base import PlatformBase


class HocketPlatform(PlatformBase):
    def is_embedded(self) -> bool:
        """No: `pio test` starts the program that was built, which runs the simulated board."""
        return False
