"""`tools/real_projects`: it knows a checkout by its files, runs it and says what is wrong. Here the checkout
is a library of our own with the interface of a known one."""

from __future__ import annotations

import importlib.util
import math
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]

STEPPER = """#pragma once
#include <Arduino.h>
// Four coils, two of them on at a time.
class Stepper {
 public:
  Stepper(int turn, int a, int b, int c, int d) : turn_(turn), pins_{a, b, c, d} {
    for (int pin : pins_) pinMode(pin, OUTPUT);
  }
  void setSpeed(long turns_a_minute) { us_ = 60000000L / turn_ / turns_a_minute; }
  void step(int n) {
    const byte coils[] = {5, 6, 10, 9};
    for (; n != 0; n += n < 0 ? 1 : -1) {
      at_ += n < 0 ? -1 : 1;
      for (int i = 0; i < 4; i++) digitalWrite(pins_[i], coils[at_ & 3] >> i & 1);
      delayMicroseconds(us_);
    }
  }

 private:
  int turn_, pins_[4], at_ = 0;
  long us_ = 0;
};
"""


@pytest.fixture(scope="module")
def script() -> ModuleType:
    file = ROOT / "tools" / "real_projects" / "__main__.py"
    spec = importlib.util.spec_from_file_location("real_projects", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["real_projects"] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


def checkout(folder: Path, text: str) -> Path:
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "Stepper.h").write_text(text)
    (folder / "library.properties").write_text("name=Stepper\nversion=1.0.0\narchitectures=*\n")
    return folder


def test_what_works_and_what_does_not(script: ModuleType, tmp_path: Path) -> None:
    good = checkout(tmp_path / "good", STEPPER)
    project = script.project_of(good)
    assert project.name == "stepper"
    assert script.wrong_with(project, good, "sim") == ""
    wrong = checkout(tmp_path / "wrong", STEPPER.replace("{5, 6, 10, 9}", "{5, 10, 6, 9}"))
    assert "missed_steps of motor" in script.wrong_with(project, wrong, "sim")
    broken = checkout(tmp_path / "broken", STEPPER.replace("void step", "void stride"))
    assert " error: no member named 'step'" in script.wrong_with(project, broken, "sim")


def test_a_folder_without_a_known_project(
    script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert script.main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.startswith(f"{tmp_path}: none of grbl, multiwii, ")
    assert script.main([]) == 2


def test_each_project_has_what_it_runs(script: ModuleType) -> None:
    for project in script.PROJECTS:
        assert (project.folder / "scenario.yaml").is_file()
        own = project.folder / f"{project.name}.ino"
        assert own.is_file() == (project.example is None and project.edited is None), project.name


def test_answers_of_a_flight_controller(script: ModuleType) -> None:
    ident = b"$M>\x07\x64\xf1\x03\x00\x00\x00\x00\x70\xe1"
    status = b"$M>\x02\x65\x01\x02\x64"
    assert script.msp_answers(b"x" + ident + status) == {100: ident[5:12], 101: b"\x01\x02"}
    assert script.msp_answers(ident[:-1] + b"\xe0" + status[:-1]) == {}
    ran = script.Ran(ident + status, {}, Path())
    assert "100: 7, 101: 2, 102: None" in script.check_multiwii(ran)


@pytest.mark.parametrize(
    ("degrees", "hertz", "said"),
    [
        ((0, -120, -240), 20.0, ""),
        ((0, -120, -200), 20.0, "the phases are 120, 80, 160 degrees apart"),
        ((0, -120, -240), 20.2, "degrees too far or too little"),
    ],
)
def test_the_field_of_a_motor(
    script: ModuleType, tmp_path: Path, degrees: tuple[int, ...], hertz: float, said: str
) -> None:
    """Three sines as PWM of 1 kHz."""
    changes = []
    for name, phase in zip("abc", degrees, strict=True):
        for pulse in range(2200):
            turn = math.radians(360 * hertz * pulse / 1000 + phase)
            changes.append((pulse * 1000, f"1{name}"))
            changes.append((pulse * 1000 + 500 + round(400 * math.sin(turn)), f"0{name}"))
    waves = tmp_path / "waves.vcd"
    pins = zip("abc", ("D9", "D10", "D11"), strict=True)
    head = "$timescale 1 us $end\n" + "".join(f"$var wire 1 {a} {pin} $end\n" for a, pin in pins)
    waves.write_text(head + "".join(f"#{at}\n{change}\n" for at, change in sorted(changes)))
    found = script.check_turning(script.Ran(b"", {}, waves))
    assert said in found if said else found == ""
