"""Advice for a header that no library has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from hocket.boards import Board
from hocket.builder.libraries import (
    INSTALLED_FROM,
    Library,
    Offered,
    library_of,
    offered_folders,
    sketchbook_libraries,
)
from hocket.builder.library_properties import dependencies
from hocket.project_file import project_file
from hocket.sketch.folder import Sketch

_OWN = ("Arduino.h", "Hocket.h")
# Headers of other boards' cores, which no library provides, by the beginning of their names.
_OF_CORES = {
    "ESP8266": "the ESP8266",
    "ESP32": "the ESP32",
    "esp_": "the ESP32",
    "BLEDevice.h": "the ESP32",
    "WiFi.h": "boards with Wi-Fi",
    "freertos/": "the ESP32",
    "driver/": "the ESP32",
    "soc/": "the ESP32",
    "user_interface.h": "the ESP8266",
    "pico/": "the Raspberry Pi Pico",
    "hardware/": "the Raspberry Pi Pico",
    "nrf": "the nRF51 and nRF52",
    "Keyboard.h": "boards that are a USB keyboard",
    "Mouse.h": "boards that are a USB mouse",
}
# What the package of Arduino's core has. Its other libraries are not in Debian.
_OF_PACKAGE = ("EEPROM.h", "HID.h", "SPI.h", "SoftwareSerial.h", "Wire.h")
_NEAR = 0.75  # of difflib's ratio: one or two letters differ


@dataclass(frozen=True)
class Advice:
    cause: str
    next_step: str


def advice(header: str, sketch: Sketch, board: Board, libraries: Sequence[Library]) -> Advice:
    """Returns advice for a missing header. libraries: those that were found."""
    missing = f"no library here has {header}"
    further = project_file(sketch.folder).libraries
    folders = offered_folders(sketch, board.name, further)
    offered = Offered(folders, board.name)
    places = sketchbook_libraries(sketch.folder)
    place = places[0] if places else sketch.folder.parent / "libraries"
    if there := offered.having(header):
        where = " and ".join(str(folder) for folder in there)
        return Advice(
            f"{where} has {header}, and is not among the libraries that this build was given",
            "let it find the library: put its folder where the others are",
        )
    known = [*offered.headers, *_OWN]
    if like := next((name for name in known if name.lower() == header.lower()), None):
        return Advice(f"{missing}: upper and lower case differ", f"write #include <{like}>")
    if lost := _misplaced(header, sketch.folder):
        return Advice(
            f"{missing}; {lost} has it, and no libraries are looked for there",
            f"move {lost} into {place}",
        )
    if inside := _inside(header, folders):
        library, way = inside
        return Advice(
            f"{missing} at its top; the library {library} has it", f"write #include <{way}>"
        )
    if near := get_close_matches(header, known, 1, _NEAR):
        return Advice(
            f"{missing}; one has {near[0]}", f"write #include <{near[0]}>, if that is meant"
        )
    core = next((core for begins, core in _OF_CORES.items() if header.startswith(begins)), None)
    needs = dependencies(each.folder for each in libraries if each.sources)
    package = INSTALLED_FROM.get(board.architecture)
    cause = "; ".join(filter(None, (missing, core and f"it comes with the core of {core}", needs)))
    if core:
        return Advice(cause, f"leave it out for {board.name}, under #ifndef ARDUINO_ARCH_HOCKET")
    if package and header in _OF_PACKAGE:
        return Advice(cause, f"install the package {package}, which has it")
    return Advice(
        cause,
        f"put the library that has it into {place}, as the Library Manager of the Arduino IDE does",
    )


def _inside(header: str, folders: Iterable[Path]) -> tuple[str, str] | None:
    """Returns a library that has a file of this name in a subfolder, and the path of the file in it."""
    for folder in folders:
        base = library_of(folder).includes[0]
        for found in sorted(base.rglob(Path(header).name)):
            way = found.relative_to(base)
            if base.name == "src" and found.is_file() and way.as_posix().endswith(f"/{header}"):
                return folder.name, way.as_posix()
    return None


def _misplaced(header: str, folder: Path) -> Path | None:
    """Returns the folder of a library that lies below the sketch, as in PlatformIO's lib/, instead of in
    libraries/."""
    for place in (folder, folder / "lib"):
        for found in sorted([*place.glob(f"*/{header}"), *place.glob(f"*/src/{header}")]):
            library = found.parent.parent if found.parent.name == "src" else found.parent
            if library not in (folder, folder / "lib", folder / "src"):
                return library
    return None
