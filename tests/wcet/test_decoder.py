"""The decoder against binutils, on every instruction of a linked program."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.wcet.kernels import KERNELS
from tests.wcet.programs import build

from hocket.builder.stack_depth import Program
from hocket.wcet.image import Image
from hocket.wcet.processor import Flow

_LINE = re.compile(r"^ +([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *\t(\S+)\t?([^;\n]*)(?:; (0x[0-9a-f]+))?")
_BRANCHES = (
    ["brcs", "breq", "brmi", "brvs", "brlt", "brhs", "brts", "brie"],
    ["brcc", "brne", "brpl", "brvc", "brge", "brhc", "brtc", "brid"],
)
_SAME = {
    "lsl": "add", "rol": "adc", "clr": "eor", "tst": "and", "ser": "ldi", "sbr": "ori",
    "cbr": "andi", "brlo": "brcs", "brsh": "brcc",
}  # fmt: skip
_FLAGS = "cznvshti"


def test_every_instruction_is_read_as_binutils_does(tmp_path: Path) -> None:
    source = f"{KERNELS[5].source}volatile float f; void more() {{ f = sqrt(f / 3 + f); }}"
    built = build(source, tmp_path)
    image = Image(Program(built.elf, "avr-nm"))
    listed = subprocess.run(
        ["avr-objdump", "-d", "-j", ".text", str(built.elf)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    compared = 0
    for line in listed.splitlines():
        match = _LINE.match(line)
        if match is None or match[3] == ".word":
            continue
        compared += 1
        at, size = int(match[1], 16), len(match[2].split())
        one = image.instruction(at)
        assert one.size == size, line
        assert one.name in _names(match[3]), f"{line} is read as {one.name}"
        if one.flow in (Flow.JUMP, Flow.CALL, Flow.BRANCH):
            target = match[5] or match[4].split()[0]
            assert one.target == int(target, 16), line
        registers = [int(r) for r in re.findall(r"\br(\d+)", match[4])]
        if registers and one.name not in ("st", "std"):
            assert one.one == registers[0], line
    assert compared > 500


def _names(mnemonic: str) -> set[str]:
    name = _SAME.get(mnemonic, mnemonic)
    for decoded, names in zip(("brbs", "brbc"), _BRANCHES, strict=True):
        if name in names:
            return {decoded}
    if name[:2] in ("se", "cl") and name[2:] in _FLAGS and len(name) == 3:
        return {"bset" if name[:2] == "se" else "bclr"}
    return {name, {"ld": "ldd", "st": "std", "ldd": "ldd", "std": "std"}.get(name, name)}
