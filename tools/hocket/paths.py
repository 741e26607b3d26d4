"""Where things are in the project's tree."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
SKETCHES = BUILD / "sketches"
LIBRARIES = ROOT / "arduino" / "libraries"
RESULTS = ROOT / "results"
