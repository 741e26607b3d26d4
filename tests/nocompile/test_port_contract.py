"""A port that lacks one member must not compile, and the message names the part that it lacks.

The ports are made from the template port by taking away, or by changing the type of, one member.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "ports" / "template" / "port.h"

INTERRUPTS = "the port lacks IrqState, irq_save, irq_restore, irq_enable or in_irq"
CONTEXTS = "the port lacks Context, context_init, context_switch, kStackAlignment or kSmallestStack"
DOMAINS = "the port lacks Domain or enter_domain"
TIME = "the port lacks Ticks, now, alarm_set, alarm_off, kTickHz or costs"
CORES = "the port lacks Lock, kCores, core_count, core_id, send_reschedule, lock, unlock or relax"
LINES = (
    "the port lacks Line, kLineLevels, kShowsMaskedLines, line_attach, line_mask, line_unmask, "
    "line_acknowledge, line_pending or line_route"
)
WAITING = "the port lacks idle_wait or halt"
OPTIONS = "the port lacks kOptions"

# What each part of the contract asks for.
PARTS = {
    INTERRUPTS: ["IrqState", "irq_save", "irq_restore", "irq_enable", "in_irq"],
    CONTEXTS: ["Context", "context_init", "context_switch", "kStackAlignment", "kSmallestStack"],
    DOMAINS: ["Domain", "enter_domain"],
    TIME: ["Ticks", "now", "alarm_set", "alarm_off", "kTickHz", "costs"],
    CORES: [
        "Lock",
        "kCores",
        "core_count",
        "core_id",
        "send_reschedule",
        "lock",
        "unlock",
        "relax",
    ],
    LINES: [
        "Line",
        "kLineLevels",
        "kShowsMaskedLines",
        "line_attach",
        "line_mask",
        "line_unmask",
        "line_acknowledge",
        "line_pending",
        "line_route",
    ],
    WAITING: ["idle_wait", "halt"],
    OPTIONS: ["kOptions"],
}
# Right names of wrong types.
WRONG = [
    ("static bool in_irq()", "static int in_irq()", INTERRUPTS),
    ("static Ticks now()", "static uint16_t now()", TIME),
    ("static unsigned core_count()", "static bool core_count()", CORES),
    ("static CoreId core_id()", "static unsigned core_id()", CORES),
    ("kStackAlignment = 16", "kStackAlignment = 0", CONTEXTS),
    ("kTickHz = 1'000'000", "kTickHz = 0", TIME),
    ("kCores = 1", "kCores = 0", CORES),
    ("kLineLevels = 1", "kLineLevels = 3", LINES),
    ("static bool line_pending(Line)", "static int line_pending(Line)", LINES),
    ("constexpr port::Options kOptions", "constexpr int kOptions", OPTIONS),
]


def compile_port(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Asks for the contract of a port with this text."""
    (folder / "port.h").write_text(text, encoding="utf-8")
    source = folder / "port.cpp"
    check = "static_assert(hocket::port::check<hocket::template_port::Port>());\n"
    source.write_text(f'#include "port.h"\n{check}', encoding="utf-8")
    command = ["clang++-19", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", f"-I{ROOT}"]
    return subprocess.run(
        [*command, str(source)], capture_output=True, text=True, timeout=60, check=False
    )


def lacking(output: str) -> list[str]:
    return re.findall(r"static assertion failed[^:]*: (the port lacks .*)", output)


def without(name: str) -> str:
    """The template port whose member `name` is called something else."""
    text, count = re.subn(rf"\b{name}\b", f"{name}_is_gone", TEMPLATE.read_text(encoding="utf-8"))
    assert count > 0, f"the template port has no {name}"
    # What the header itself names of the contract stays as it is.
    return re.sub(rf"(port::\w*|context_switch = |\.)({name})_is_gone", r"\1\2", text)


def test_the_template_has_everything(tmp_path: Path) -> None:
    done = compile_port(TEMPLATE.read_text(encoding="utf-8"), tmp_path)
    assert done.returncode == 0, done.stderr


def test_every_member_of_the_contract_is_tried() -> None:
    """The members that the messages of ports/contract/port.h list are the ones above."""
    contract = re.sub(
        r'"\s*"', "", (ROOT / "ports" / "contract" / "port.h").read_text(encoding="utf-8")
    )
    assert sorted(re.findall(r'"(the port lacks [^"]*)"', contract)) == sorted(PARTS)
    for message, members in PARTS.items():
        listed = re.split(r", | or ", message.removeprefix("the port lacks "))
        assert listed == members


@pytest.mark.parametrize(
    ("member", "message"), [(name, message) for message, names in PARTS.items() for name in names]
)
def test_a_missing_member_is_named(member: str, message: str, tmp_path: Path) -> None:
    done = compile_port(without(member), tmp_path)
    assert done.returncode != 0
    assert message in lacking(done.stderr), done.stderr


@pytest.mark.parametrize(("right", "wrong", "message"), WRONG)
def test_a_member_of_the_wrong_type_is_named(
    right: str, wrong: str, message: str, tmp_path: Path
) -> None:
    text = TEMPLATE.read_text(encoding="utf-8")
    assert right in text
    done = compile_port(text.replace(right, wrong), tmp_path)
    assert done.returncode != 0
    assert lacking(done.stderr) == [message], done.stderr
