"""Files that a run leaves: replaced whole or not at all, by one run at a time, whatever stops it."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.campaign import every_so_often
from tests.commands import run_hocket

from hocket.errors import HocketError
from hocket.inside import Place
from hocket.paths import ROOT
from hocket.report import write_report
from hocket.whole_files import KeptFile, write_result

OLD, NEW = b"old" * 1000, b"new and longer" * 1000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "inside").mkdir()
    made = tmp_path / "inside" / "kept.bin"
    made.write_bytes(OLD)
    return made


def kept(file: Path) -> KeptFile:
    return KeptFile(Place(file.parent, file.name))


def names(file: Path) -> list[str]:
    return sorted(path.name for path in file.parent.iterdir())


def test_it_is_replaced_with_its_rights_and_nothing_is_left_beside(file: Path) -> None:
    file.chmod(0o640)
    with kept(file) as it:
        it.replace(NEW)
    assert file.read_bytes() == NEW
    assert file.stat().st_mode & 0o777 == 0o640
    assert names(file) == ["kept.bin"]


def test_what_is_given_up_stays(file: Path) -> None:
    with kept(file) as it:
        it.reserve()
        assert names(file) == [".kept.bin.new", "kept.bin"]
    assert (file.read_bytes(), names(file)) == (OLD, ["kept.bin"])


def test_the_longest_name(file: Path) -> None:
    long = file.with_name("a" * 255)
    with kept(long) as it:
        it.replace(NEW)
    assert long.read_bytes() == NEW


def test_a_second_one_waits_and_gives_up_with_a_sentence(file: Path) -> None:
    with kept(file) as first, kept(file) as second:
        first.reserve()
        with pytest.raises(HocketError, match="is used by another run"):
            second.reserve(patience=0.2)
        first.replace(NEW)
        second.reserve(patience=0)
        second.replace(OLD)
    assert (file.read_bytes(), names(file)) == (OLD, ["kept.bin"])


def test_what_a_killed_run_has_left_is_used_again(file: Path) -> None:
    file.with_name(".kept.bin.new").write_bytes(b"half")
    with kept(file) as it:
        it.replace(NEW)
    assert (file.read_bytes(), names(file)) == (NEW, ["kept.bin"])


def test_links_lead_nowhere_else(file: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "own").write_bytes(OLD)
    (file.parent / "link").symlink_to("../outside/own")
    (file.parent / "folder").symlink_to("../outside")
    for below in ("link", "folder/own", "../outside/own"):
        with pytest.raises(OSError), KeptFile(Place(file.parent, below)) as it:
            it.replace(NEW)
        with pytest.raises(OSError), KeptFile(Place(file.parent, below)) as it:
            it.read()
    # What stands where its new content is made is no way out either.
    (file.parent / ".kept.bin.new").symlink_to("../outside/own")
    with kept(file) as it:
        it.replace(NEW)
    os.link(outside / "own", file.parent / ".kept.bin.new")
    with kept(file) as it:
        it.replace(NEW)
    assert (outside / "own").read_bytes() == OLD
    assert file.read_bytes() == NEW


def test_a_folder_that_becomes_a_link_meanwhile(file: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "kept.bin").write_bytes(OLD)
    with KeptFile(Place(tmp_path, "inside/kept.bin")) as it:
        it.reserve()
        (tmp_path / "inside").rename(tmp_path / "moved")
        (tmp_path / "inside").symlink_to("outside")
        it.replace(NEW)
    assert (tmp_path / "outside" / "kept.bin").read_bytes() == OLD
    assert (tmp_path / "moved" / "kept.bin").read_bytes() == NEW


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_above_a_limit_of_size_the_old_one_stays(file: Path) -> None:
    with files_of_at_most(2048), pytest.raises(HocketError) as problem:
        write_report({"a": "b" * 4096}, file)
    assert "ulimit -f" in str(problem.value) and "as it was before" in str(problem.value)
    assert (file.read_bytes(), names(file)) == (OLD, ["kept.bin"])


@pytest.mark.parametrize("call", ["ftruncate", "fsync", "rename", "fchmod", "open"])
def test_whatever_call_fails_the_old_one_stays(
    file: Path, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with kept(file) as it:
        monkeypatch.setattr(os, call, full)
        with pytest.raises(OSError):
            it.replace(NEW)
        monkeypatch.undo()
    assert (file.read_bytes(), names(file)) == (OLD, ["kept.bin"])


@pytest.mark.skipif(os.geteuid() != 0, reason="a disk is mounted")
def test_a_full_disk(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    script = (
        f"mount -t tmpfs -o size=64k none {disk} && cd {disk} && head -c 30000 /dev/zero > kept.bin && "
        f"{sys.executable} -c 'from pathlib import Path; from hocket.whole_files import write_result; "
        'write_result(Path("kept.bin"), b"x" * 200000)\'; echo status $?; wc -c < kept.bin; ls -A'
    )
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script], capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT / "tools")},
    )  # fmt: skip
    if "permission denied" in done.stderr.lower() or "not permitted" in done.stderr.lower():
        pytest.skip("this computer mounts nothing")
    assert "No space left on device" in done.stderr
    assert done.stdout.split() == ["status", "1", "30000", "kept.bin"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_is_read_only(file: Path) -> None:
    file.parent.chmod(0o500)
    with pytest.raises(PermissionError):
        write_result(file, NEW)
    file.parent.chmod(0o700)
    assert file.read_bytes() == OLD


# What the system calls of a replacement are; each is the last one of a process that is killed there.
_CALLS = "openat,ftruncate,write,fsync,rename,renameat,renameat2,fchmod,flock,unlink,unlinkat,close"


def _replacing(file: Path) -> list[str]:
    text = (
        "from pathlib import Path\nfrom hocket.inside import Place\n"
        "from hocket.whole_files import KeptFile\nimport os\n"
        f"it = KeptFile(Place(Path({str(file.parent)!r}), {file.name!r}))\n"
        "os.write(2, b'begins')\n"
        f"it.replace({NEW!r})\nit.close()\nos.write(2, b'ends')\n"
    )
    return [sys.executable, "-c", text]


@pytest.mark.skipif(shutil.which("strace") is None, reason="there is no strace")
@pytest.mark.parametrize("number", every_so_often(list(range(1, 13)), 3))
def test_a_kill_at_each_call(file: Path, number: int) -> None:
    """The calls between `begins` and `ends` are counted first."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tools")}
    log = file.parent.parent / "calls"
    done = subprocess.run(
        ["strace", "-o", str(log), "-e", f"trace={_CALLS}", *_replacing(file)],
        capture_output=True, check=False, env=environment,
    )  # fmt: skip
    if b"ptrace" in done.stderr.lower():
        pytest.skip("strace may not trace here")
    lines = log.read_text(errors="replace").splitlines()
    begin = next(n for n, line in enumerate(lines) if 'write(2, "begins"' in line)
    end = next(n for n, line in enumerate(lines) if 'write(2, "ends"' in line)
    assert 5 <= end - begin <= 13, lines[begin:end]
    if begin + number >= end:
        pytest.skip("there are not so many calls")
    call = lines[begin + number].partition("(")[0]
    before = sum(line.startswith(f"{call}(") for line in lines[: begin + number + 1])
    file.write_bytes(OLD)
    done = subprocess.run(
        ["strace", "-o", str(log), "-e", f"trace={call}",
         "-e", f"inject={call}:signal=KILL:when={before}", *_replacing(file)],
        capture_output=True, check=False, env=environment,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL or b"ends" not in done.stderr
    assert file.read_bytes() in (OLD, NEW)
    with kept(file) as it:  # and the next one is not disturbed
        it.replace(b"next")
    assert (file.read_bytes(), names(file)) == (b"next", ["kept.bin"])


# --- A run ---

SKETCH = """
#include <EEPROM.h>
void setup() { EEPROM.write(5, EEPROM.read(5) + 1); }
void loop(1, 10, 100) { delay(100); }
"""


@pytest.fixture
def sketch(tmp_path: Path) -> Path:
    folder = tmp_path / "keeps"
    folder.mkdir()
    (folder / "keeps.ino").write_text(SKETCH)
    (folder / "scenario.yaml").write_text("parts:\n  k: {type: eeprom, file: keep.bin}\n")
    return folder


@pytest.mark.parametrize("board", every_so_often(["sim", "virt"], 2))
def test_a_memory_is_kept_from_run_to_run(sketch: Path, board: str) -> None:
    memory = sketch / "keep.bin"
    for count in range(2):
        done = run_hocket("run", sketch, "--for", "20ms", "--board", board)
        assert done.returncode == 0, done.stderr
        assert memory.read_bytes()[5] == count  # 255 + 1, then one more
    before = memory.read_bytes()
    memory.write_bytes(b"short")
    done = run_hocket("run", sketch, "--for", "20ms", "--board", board)
    assert done.returncode == 2
    assert f"the file {memory} is not what this memory has kept" in done.stderr
    memory.write_bytes(before)


def test_a_run_under_a_limit_of_size_leaves_the_old_memory(sketch: Path) -> None:
    assert run_hocket("run", sketch, "--for", "20ms").returncode == 0
    before = (sketch / "keep.bin").read_bytes()
    assert len(before) == 4096
    line = f'ulimit -f 2; exec "{ROOT}/hocket" run "{sketch}" --for 20ms'
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "File too large" in done.stderr and "defect" not in done.stderr
    assert (sketch / "keep.bin").read_bytes() == before


def test_a_second_run_says_that_the_memory_is_used(sketch: Path) -> None:
    assert run_hocket("run", sketch, "--for", "20ms").returncode == 0
    with kept(sketch / "keep.bin") as other:
        other.reserve()
        done = run_hocket("run", sketch, "--for", "20ms")
        assert done.returncode == 2
        assert f"{sketch / 'keep.bin'} is used by another run" in done.stderr
    assert run_hocket("run", sketch, "--for", "20ms").returncode == 0
    assert (sketch / "keep.bin").read_bytes()[5] == 1
