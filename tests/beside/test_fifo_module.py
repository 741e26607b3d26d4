"""The module with /dev/hocket/fifoN in a Linux of its own, beside another module that plays the loops."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.campaign import long_form

from hocket.errors import HocketError
from hocket.linux import device_tree
from hocket.linux.build import Linux
from hocket.linux.guest import Guest, run
from hocket.linux.machine import FIFO_SPI, FIFOS, FIFOS_SIZE
from hocket.linux.module import check_release, hocket_module, module
from hocket.linux.overlay import Overlay
from hocket.paths import BUILD

HERE = Path(__file__).parent / "module"

# Twice: before there is a window, and with one.
JOB = """
insmod modules/hocket.ko; rmmod hocket
insmod modules/peer.ko && insmod modules/hocket.ko && ./check; dmesg | grep -c Oops
"""
CHECKS = (
    *("opens_one_way_only", "records_go_round", "does_not_wait_where_asked"),
    *("writer_sleeps_until_there_is_room", "module_is_loaded_again"),
    "a_hostile_peer_breaks_nothing",
)


def tree(cores: int, memory: str = "512") -> bytes:
    """QEMU's own device tree for a Linux that runs alone, and the window of FIFOs."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "tree"
        machine = f"virt,gic-version=3,dtb-randomness=off,dumpdtb={file}"
        words = ["-M", machine, "-cpu", "cortex-a53,cntfrq=1000000000", "-smp", str(cores)]
        command = ["qemu-system-aarch64", *words, "-m", memory, "-nodefaults", "-display", "none"]
        subprocess.run([*command, "-nic", "none"], check=True, capture_output=True)
        blob = file.read_bytes()
    where = f"<0 {FIFOS:#x} 0 {FIFOS_SIZE:#x}>"
    node = f"""
    / {{
      reserved-memory {{
        #address-cells = <2>; #size-cells = <2>; ranges;
        fifos@{FIFOS:x} {{ reg = {where}; no-map; }};
      }};
      fifos@{FIFOS:x} {{
        compatible = "hocket,fifos"; reg = {where}; interrupts = <0 {FIFO_SPI} 1>;
      }};
    }};
    """
    return device_tree.compiled(device_tree.decompiled(blob) + node)


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The program that uses the devices."""
    program = tmp_path_factory.mktemp("check") / "check"
    options = ["-static", "-O1", "-Wall", "-Wextra", "-Werror", "-o", str(program)]
    command = ["aarch64-linux-gnu-gcc-12", *options, str(HERE / "check.c")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program.read_bytes()


@pytest.fixture
def checked(check: bytes, tmp_path: Path) -> Callable[[Linux, int], list[str]]:
    """checked(linux, cores): what the job wrote."""

    def start(linux: Linux, cores: int) -> list[str]:
        files = {
            "job": (JOB.encode(), True),
            "check": (check, True),
            "modules/hocket.ko": (hocket_module(linux), False),
            "modules/peer.ko": (module(linux, HERE / "peer", "peer"), False),
        }
        blob = tmp_path / "tree.dtb"
        blob.write_bytes(tree(cores))
        guest = Guest(linux, cores, options=("-dtb", str(blob)))
        return run(guest, Overlay(files)).job_text().splitlines()

    return start


def judge(lines: list[str]) -> None:
    assert "there are no FIFOs in the window: this Linux does not run beside loops" in lines[0]
    said = [line for line in lines if line.startswith("check: ")]
    assert said == [*(f"check: {name} ok" for name in CHECKS), "check: end"], "\n".join(lines)
    assert lines[-1] == "0"


def test_devices_do_what_they_should(
    linux: Linux, checked: Callable[[Linux, int], list[str]]
) -> None:
    judge(checked(linux, 1))


@long_form
@pytest.mark.parametrize("cores", [2, 4])
def test_on_several_cores(
    linux: Linux, checked: Callable[[Linux, int], list[str]], cores: int
) -> None:
    judge(checked(linux, cores))


@long_form
def test_with_real_time_preemption(
    linux_rt: Linux, checked: Callable[[Linux, int], list[str]]
) -> None:
    judge(checked(linux_rt, 1))


def test_a_module_for_another_kernel_is_told(linux: Linux) -> None:
    content = hocket_module(linux)
    check_release(content, linux.release)
    with pytest.raises(HocketError, match=re.escape(f"is built for the kernel {linux.release}")):
        check_release(content, "6.1.0-1-arm64")
    with pytest.raises(HocketError, match="is built for no kernel"):
        check_release(b"no module", linux.release)


@long_form
def test_a_module_that_does_not_compile_is_told(linux: Linux, tmp_path: Path) -> None:
    (tmp_path / "Kbuild").write_text("obj-m := wrong.o\n")
    (tmp_path / "wrong.c").write_text("#error no\n")
    with pytest.raises(HocketError, match="the module wrong cannot be built") as said:
        module(linux, tmp_path, "wrong")
    assert "#error no" in said.value.cause


@long_form
def test_a_moved_checkout_builds_modules(
    linux: Linux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module(linux, HERE / "peer", "peer")
    headers = f"linux/headers-{linux.release}"
    (tmp_path / "linux").mkdir()
    subprocess.run(["cp", "-a", BUILD / headers, tmp_path / "linux"], check=True)
    for file in (tmp_path / headers / "usr" / "src").glob("*/Makefile"):
        assert str(BUILD) not in file.read_text(encoding="utf-8")
    monkeypatch.setattr("hocket.linux.module.BUILD", tmp_path)
    assert module(linux, HERE / "peer", "peer")
    monkeypatch.setattr("hocket.linux.module.BUILD", tmp_path / "my checkout")
    with pytest.raises(HocketError, match="cannot be built in") as caught:
        module(linux, HERE / "peer", "peer")
    assert "space" in caught.value.cause
