"""A sketch on the board sim is a program of this computer, which people have from strangers: what it tries
there fails, is named with its line, and costs its own loop alone (docs/guide/strangers.md).

Each attempt is bounded in itself: where it is not stopped, it does no harm.
"""

from __future__ import annotations

import ctypes
import errno
import re
import struct
import subprocess
import time
from pathlib import Path

import psutil
import pytest
from tests.commands import Done, run_hocket, started_hocket

from hocket.boards import find_board
from hocket.confinement import launcher_of
from hocket.errors import HocketError
from hocket.report import read_facts

SETUP = "void setup() { Serial.begin(115200); }\n"
# What it does with its budget is counted: ten calls of a second, whatever the other loop tries.
GUARD = 'void loop(2, 10ms, 100ms) { Serial.println("guard"); delay(100); }\n'
CALLS = 10


def run(folder: Path, text: str, *options: str | Path) -> Done:
    sketch = folder / "stranger"
    sketch.mkdir(exist_ok=True)
    (sketch / "stranger.ino").write_text(text, encoding="utf-8")
    return run_hocket("run", sketch, "--for", "1s", *options)


PROCESS, PROGRAM, NETWORK, FILE, CHANGE, OTHERS = (
    "begin a process",
    "start a program",
    "use the network",
    "open a file",
    "change files",
    "reach other programs",
)

# header, statement, what is said of it
ATTEMPTS = {
    "fork": ("unistd.h", "fork();", PROCESS),
    "vfork": ("unistd.h", 'if (vfork() == 0) for (;;) asm volatile("hlt");', PROCESS),
    "thread": ("thread", "std::thread([] {}).detach();", "begin a thread"),
    "system": ("cstdlib", 'system("touch OUTSIDE/made");', PROGRAM),
    "popen": ("cstdio", 'popen("touch OUTSIDE/made", "r");', PROGRAM),
    "exec": ("unistd.h", 'execl("/usr/bin/touch", "touch", "OUTSIDE/made", nullptr);', PROGRAM),
    "socket": ("sys/socket.h", "socket(AF_INET, SOCK_STREAM, 0);", NETWORK),
    "local socket": ("sys/socket.h", "socket(AF_UNIX, SOCK_STREAM, 0);", NETWORK),
    "read with C": ("cstdio", 'fopen("OUTSIDE/secret", "r");', FILE + " of this computer: OUTSIDE"),
    "read with C++": ("fstream", 'std::ifstream in("OUTSIDE/secret");', "OUTSIDE/secret"),
    "read by the system": ("fcntl.h", 'open("OUTSIDE/secret", O_RDONLY);', "OUTSIDE/secret"),
    "write": ("fstream", 'std::ofstream("OUTSIDE/made") << "much";', "OUTSIDE/made"),
    "truncate": ("unistd.h", 'truncate("OUTSIDE/secret", 0);', CHANGE),
    "remove": ("unistd.h", 'unlink("OUTSIDE/secret");', CHANGE),
    "link": ("unistd.h", 'link("OUTSIDE/secret", "OUTSIDE/made");', CHANGE),
    "folder": ("sys/stat.h", 'mkdir("OUTSIDE/made", 0777);', CHANGE),
    "memory of others": ("fcntl.h", 'open("/proc/1/mem", O_RDWR);', "/proc/1/mem"),
    "signal": ("sys/syscall.h", "syscall(SYS_kill, getppid(), 0);", OTHERS),
    "debugger": ("sys/ptrace.h", "ptrace(PTRACE_TRACEME, 0, 0, 0);", OTHERS),
    "limit of another": (
        "sys/resource.h",
        "rlimit none{0, 0}; prlimit(getppid(), RLIMIT_CORE, &none, nullptr);",
        "change limits",
    ),
    "limit of its own": (
        "sys/resource.h",
        "rlimit more{1, RLIM_INFINITY}; setrlimit(RLIMIT_CORE, &more);",
        "change limits",
    ),
    "signal by a file": ("fcntl.h", "fcntl(1, F_SETOWN, getppid());", OTHERS),
    "stop": ("sys/syscall.h", "syscall(SYS_tgkill, getpid(), getpid(), 19);", OTHERS),
    "stay": ("sys/prctl.h", "prctl(PR_SET_PDEATHSIG, 0);", "outlive the command"),
    "hide": ("csignal", "std::signal(SIGSYS, SIG_IGN);", "hide what it tries"),
    "read round about": ("fcntl.h", 'open("/usr/..OUTSIDE/secret", O_RDONLY);', "OUTSIDE/secret"),
    "a name that is none": ("fcntl.h", "open(reinterpret_cast<char*>(16), O_RDONLY);", FILE),
}


@pytest.mark.parametrize("name", ATTEMPTS)
def test_an_attempt_fails_and_is_named(tmp_path: Path, name: str) -> None:
    header, statement, said = ATTEMPTS[name]
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("mine", encoding="utf-8")
    text = f"#include <{header}>\n#include <unistd.h>\n{SETUP}{GUARD}"
    text += f"void loop(1, 10ms, 100ms) {{\n  delay(300);\n  {statement}\n"
    text += '  Serial.println("done");\n}\n'
    done = run(tmp_path, text.replace("OUTSIDE", str(outside)))
    assert done.returncode == 1, done.stderr
    [fault] = re.findall(r"^fault: (.*)$", done.stdout, re.M)
    assert fault.startswith("loop 1: tried to ") and said.replace("OUTSIDE", str(outside)) in fault
    assert (
        "stranger/stranger.ino:7, in " in fault
    )  # of a thread that is begun: in loop 1's function
    assert (done.stdout.count("guard\n"), "done" in done.stdout) == (CALLS, False)
    assert [file.name for file in outside.iterdir()] == ["secret"]
    assert (outside / "secret").read_text(encoding="utf-8") == "mine"


PLACES = {
    "setup": "void setup() { TRY; }\nvoid loop(1, 10ms, 100ms) { delay(100); }\n",
    "constructor": "struct T { T() { TRY; } } t;\nvoid setup() {}\nvoid loop(1, 1ms, 9ms) { delay(9); }\n",
    "handler": (
        "void setup() { attachInterruptVcpu(2, [] { TRY; }, RISING, 10ms, 100ms); pinMode(3, OUTPUT); }\n"
        "void loop(1, 10ms, 100ms) { digitalWrite(3, HIGH); digitalWrite(3, LOW); delay(100); }\n"
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_wherever_it_is_tried(tmp_path: Path, place: str) -> None:
    """It is what tries that is stopped; the run ends in order, with the report."""
    secret = tmp_path / "secret"
    secret.write_text("mine", encoding="utf-8")
    wire = tmp_path / "wire.yaml"
    wire.write_text("parts:\n  jumper: {type: wire, pins: [2, 3]}\n", encoding="utf-8")
    text = "#include <fstream>\n" + PLACES[place].replace("TRY", f'std::ifstream in("{secret}")')
    done = run(tmp_path, text, "--scenario", wire)
    assert done.returncode == 1, done.stderr
    assert f"tried to open a file of this computer: {secret}" in done.stdout


WAYS = {
    "coverage": ("run", "--coverage"),
    "sweep": ("sweep", "--seeds", "1"),
    "compare": ("compare", "--policy", "vcpu"),
    "debug": ("debug", "--batch"),
}


@pytest.mark.parametrize("way", WAYS)
def test_whichever_command_starts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """In gdb the signal by which the system refuses the call is what is seen."""
    sketch = tmp_path / "stranger"
    sketch.mkdir()
    text = "#include <sys/socket.h>\n" + SETUP
    text += "void loop(1, 10ms, 100ms) { socket(AF_INET, SOCK_STREAM, 0); }\n"
    (sketch / "stranger.ino").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    command, *options = WAYS[way]
    behind = ("--", "-ex", "continue") if way == "debug" else ()
    done = run_hocket(command, sketch, *options, "--for", "300ms", *behind)
    said = done.stdout + done.stderr
    assert ("SIGSYS" if way == "debug" else "tried to use the network") in said, said


def test_before_main_the_run_is_ended(tmp_path: Path) -> None:
    """What the linker lets run before the board is there cannot be stopped by itself."""
    text = "#include <unistd.h>\n#include <sys/syscall.h>\n"
    text += 'extern "C" void early() { syscall(SYS_socket, 2, 1, 0); }\n'
    text += '__attribute__((section(".preinit_array"), used)) void (*at)() = &early;\n'
    text += SETUP + GUARD
    done = run(tmp_path, text)
    assert done.returncode == 1
    assert "tried to begin a process, to use the network or to reach other programs" in done.stderr
    assert "docs/guide/strangers.md" in done.stderr


def test_signals_that_are_blocked_do_not_hide_it(tmp_path: Path) -> None:
    text = "#include <csignal>\n#include <unistd.h>\n#include <sys/syscall.h>\n" + SETUP + GUARD
    text += "void loop(1, 10ms, 100ms) { sigset_t all; sigfillset(&all);\n"
    text += "  sigprocmask(SIG_BLOCK, &all, nullptr); syscall(SYS_socket, 2, 1, 0); }\n"
    done = run(tmp_path, text)
    assert done.returncode == 1
    assert "use the network" in done.stdout + done.stderr


def test_calls_of_another_convention_end_the_run(tmp_path: Path) -> None:
    """Of 32 bits: their numbers mean other calls, so none is let through."""
    text = SETUP + GUARD + "void loop(1, 10ms, 100ms) { delay(300);\n"
    text += '  int r; asm volatile("int $0x80" : "=a"(r) : "a"(20)); Serial.println(r); }\n'
    done = run(tmp_path, text)
    assert done.returncode == 1
    assert "use the network" in done.stdout + done.stderr


def test_what_the_system_looks_up_by_itself_is_no_attempt(tmp_path: Path) -> None:
    text = "#include <ctime>\n#include <locale>\n" + SETUP
    text += "void loop(1, 10ms, 100ms) { time_t now = 0; tm* parts = localtime(&now);\n"
    text += '  Serial.println(parts->tm_year); setlocale(LC_ALL, "de_DE.UTF-8"); delay(100); }\n'
    done = run(tmp_path, text)
    assert (done.returncode, done.stdout.count("70")) == (0, 10), done.stderr


def test_files_that_were_asked_for_are_written(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("pins.vcd", "run.json", "trace.pftrace", "page.html")]
    options = ("--vcd", files[0], "--json", files[1], "--trace", files[2], "--html", files[3])
    done = run(tmp_path, SETUP + GUARD, *options)
    assert done.returncode == 0, done.stderr
    assert all(file.stat().st_size > 50 for file in files)


def test_memory_has_a_limit(tmp_path: Path) -> None:
    text = "#include <cstdlib>\n" + SETUP + GUARD
    text += "void loop(1, 50ms, 100ms) { static int gib;\n"
    text += "  void* volatile got = malloc(size_t(1) << 30); if (got) { ++gib; return; }\n"
    text += '  Serial.print(gib); Serial.println("GiB"); delay(5000); }\n'
    done = run(tmp_path, text)
    assert done.returncode == 0, done.stderr
    count = int(done.stdout.partition("GiB")[0].split()[-1])
    assert 8 <= count < 16  # GiB, none of which was touched


def test_a_file_of_the_run_has_a_limit(tmp_path: Path) -> None:
    """By the limits that the program is started with: a page would have to be written a million times."""
    launcher = [str(word) for word in launcher_of([], find_board("sim"), tmp_path)]
    done = subprocess.run(
        [*launcher, "/bin/cat", "/proc/self/limits"], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0  # no file of the system's is read either
    shown = subprocess.run(
        [*launcher, "/bin/sh", "-c", "ulimit -f; ulimit -c; ulimit -n; ulimit -v"],
        capture_output=True,
        text=True,
        check=True,
    )
    blocks, core, files, kibibytes = map(int, shown.stdout.split())
    assert (blocks * 512, core, files, kibibytes) == (8 << 30, 0, 256, 16 << 20)


@pytest.mark.parametrize(
    "blocked", ["", "sigset_t s; sigfillset(&s); sigprocmask(0, &s, nullptr);"]
)
def test_it_ends_with_its_command(tmp_path: Path, blocked: str) -> None:
    """Also when nothing asks it to, the command is killed, and it hears no signal."""
    sketch = tmp_path / "stays"
    sketch.mkdir()
    text = f"#include <csignal>\nvoid setup() {{ Serial.begin(115200); {blocked} }}\n"
    text += 'void loop(1, 10ms, 20ms) { Serial.println("here"); delay(1); }\n'
    (sketch / "stays.ino").write_text(text, encoding="utf-8")
    assert run_hocket("build", sketch).returncode == 0
    with started_hocket("run", sketch, "--for", "100h", "--serial-limit", "1000000000") as process:
        children: list[psutil.Process] = []
        while not children:
            assert process.poll() is None
            children = psutil.Process(process.pid).children(recursive=True)
            time.sleep(0.02)
        assert process.stdout is not None
        process.stdout.readline()  # setup() is over
        process.kill()
        _, alive = psutil.wait_procs(children, timeout=20)
        assert alive == []


FLOODS = {
    "lines": ("write(1, b, sizeof b);", 2, "more to standard output than Serial may send"),
    "one message": ("write(2, b, sizeof b);", 0, ""),
}


@pytest.mark.parametrize("flood", FLOODS)
def test_what_it_says_has_a_limit(tmp_path: Path, flood: str) -> None:
    """It can write around Serial, and the command would keep all of it."""
    statement, status, said = FLOODS[flood]
    text = "#include <unistd.h>\nchar b[1 << 20];\n" + SETUP + GUARD
    text += f"void loop(1, 10ms, 100ms) {{ for (char& c : b) c = 'x'; {statement} delay(100); }}\n"
    done = run(tmp_path, text, "--serial-limit", "1000000")
    assert done.returncode == status, done.stderr[-300:]
    assert said in done.stderr
    assert len(done.stdout) < 4_000_000


def test_facts_that_are_none_are_one_sentence(tmp_path: Path) -> None:
    facts = tmp_path / "facts.json"
    facts.write_text("[" * 200_000, encoding="utf-8")
    with pytest.raises(HocketError, match="left no usable facts"):
        read_facts(facts)


class Program(ctypes.Structure):
    """sock_fprog of seccomp(2)."""

    _fields_ = (("len", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def without_landlock() -> None:
    no_new_privileges, filtered, by_program = 38, 22, 2
    statements = (
        (0x20, 0, 0, 0),  # load the call's number
        (0x15, 0, 1, 444),  # landlock_create_ruleset
        (0x06, 0, 0, 0x50000 | errno.ENOSYS),
        (0x06, 0, 0, 0x7FFF0000),  # allowed
    )
    code = b"".join(struct.pack("=HBBI", *each) for each in statements)
    libc = ctypes.CDLL(None)
    libc.prctl(no_new_privileges, 1, 0, 0, 0)
    libc.prctl(filtered, by_program, ctypes.byref(Program(len(statements), code)), 0, 0)


def test_a_missing_means_is_a_notice(tmp_path: Path) -> None:
    """A filter answers for Landlock as an older system does."""
    launcher = [str(word) for word in launcher_of([], find_board("sim"), tmp_path)]
    done = subprocess.run(
        [*launcher, "/bin/true"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=without_landlock,
    )
    assert "notice: this computer cannot keep the sketch from files (Landlock)" in done.stderr
    assert "it can read and write yours" in done.stderr
