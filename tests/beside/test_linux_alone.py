"""A stock Debian alone in QEMU: it starts, runs its job, and does so the same way each time."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.campaign import long_form

from hocket.errors import HocketError
from hocket.linux.build import Linux
from hocket.linux.guest import Guest, run
from hocket.linux.overlay import Overlay, job

JOB = """
uname -r; nproc; date +%s; mke2fs -V 2>&1 | head -1
cat /hocket/note.txt
python3 -c 'import gpiod; print("gpiod", gpiod.__version__)'
cyclictest -q -p 80 -i 1000 -l 50 | sed -n 's/.*Max: */max /p'
exit 3
"""


@long_form
def test_a_job_runs_and_runs_repeat(linux: Linux) -> None:
    overlay = job(JOB, note__txt=b"a file beside it\n")
    first = run(Guest(linux), overlay)
    lines = first.job_text().splitlines()
    assert lines[:2] == [linux.release, "1"]
    assert 1_767_225_600 <= int(lines[2]) < 1_767_225_610  # the clock begins at 2026
    assert lines[3].startswith("mke2fs 1.")  # the real one, not busybox's
    assert lines[4] == "a file beside it" and lines[5].startswith("gpiod 1.")
    assert re.fullmatch(r"max \d+", lines[6])
    assert (first.ended, first.cores, first.panic) == (3, 1, "")
    assert first.up is not None and 0.1 < first.up < 5
    assert run(Guest(linux), overlay).text == first.text


@long_form
def test_a_disk_in_a_file_and_a_network_within(linux: Linux) -> None:
    text = """
    dd if=/dev/zero of=/tmp/disk bs=1M count=24 2>/dev/null
    mke2fs -q -t ext4 /tmp/disk && mount -o loop /tmp/disk /mnt && mkdir /mnt/b
    bonnie++ -d /mnt/b -s 4 -r 2 -n 0 -f -u root -q >/dev/null 2>&1 && echo disk
    iperf3 -s -1 -D; sleep 0.1; iperf3 -c 127.0.0.1 -t 1 -b 100M | grep -c receiver
    stress-ng --temp-path /tmp --cpu 1 --timeout 1 >/dev/null 2>&1 && echo stress
    """
    assert run(Guest(linux), job(text)).job_text().split() == ["disk", "1", "stress"]


@long_form
def test_real_time_preemption_on_four_cores(linux_rt: Linux) -> None:
    seen = run(Guest(linux_rt, cores=4), job("uname -v; nproc"))
    assert "PREEMPT_RT" in seen.job_text() and seen.job_text().endswith("4\n")


@long_form
def test_a_panic_while_it_starts_is_told_with_its_last_words(linux: Linux) -> None:
    guest = Guest(linux, arguments=("rdinit=/no/such/program", "init=/nothing"))
    with pytest.raises(HocketError, match="stopped while it started: ") as said:
        run(guest, Overlay())
    assert said.value.exit_code == 1
    assert "Kernel panic - not syncing: VFS" in said.value.cause.splitlines()[-1]


@long_form
def test_a_job_that_stops_linux_is_told(linux: Linux) -> None:
    with pytest.raises(HocketError, match="stopped before its job had ended") as said:
        run(Guest(linux), job("echo c >/proc/sysrq-trigger; sleep 9"))
    assert "sysrq triggered crash" in said.value.cause


@long_form
def test_a_kernel_that_does_not_start_is_told(
    linux: Linux, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("other")
    (folder / "Image").write_bytes(
        linux.kernel.read_bytes()[:64] + bytes.fromhex("5f2003d5") * 9999
    )
    (folder / "root.cpio").symlink_to(linux.root)
    with pytest.raises(HocketError, match="ran for more than 3 s"):
        run(Guest(replace(linux, folder=folder)), Overlay(), patience=3)
