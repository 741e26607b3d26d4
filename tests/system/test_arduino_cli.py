"""The platforms as arduino-cli reads them: `core list`, `compile` and `upload` by its rules.

arduino-cli itself is not in Debian, so its rules stand here, from its platform specification and its source:
which file's properties go before which, how a board's menus choose, how `{names}` are replaced, how a command
line is split, which recipes run in which order and with which arguments. The recipes themselves run.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.commands import PATIENCE, run_hocket

Properties = dict[str, str]


def read(file: Path) -> Properties:
    """Lines `key=value`; on Linux `key.linux=value` is `key`."""
    found: Properties = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
        key, equals, value = line.strip().partition("=")
        if equals and not key.startswith("#"):
            found[key.strip().removesuffix(".linux")] = value.strip()
    return found


def subtree(of: Properties, prefix: str) -> Properties:
    return {
        key[len(prefix) + 1 :]: value for key, value in of.items() if key.startswith(prefix + ".")
    }


def expanded(text: str, by: Properties) -> str:
    """Names are replaced, also those in what replaces one, ten times at most."""
    for _ in range(10):
        before = text
        text = re.sub(r"\{([\w.-]+)\}", lambda name: by.get(name[1], name[0]), text)
        if text == before:
            break
    return text


@dataclass
class Cli:
    """A board by its name with options, `hocket:host:sim:cores=2`, and a build of a sketch for it."""

    book: Path
    fqbn: str
    properties: Properties = field(default_factory=dict)

    def __post_init__(self) -> None:
        vendor, platform, board, *options = self.fqbn.split(":")
        folder = self.book / "hardware" / vendor / platform
        self.folder = folder
        self.platform = read(folder / "platform.txt") | read(folder / "platform.local.txt")
        boards = read(folder / "boards.txt") | read(folder / "boards.local.txt")
        self.board = subtree(boards, board)
        chosen = dict(option.split("=") for option in ",".join(options).split(",") if option)
        for menu in [key.split(".")[1] for key in boards if re.fullmatch(r"menu\.[^.]+", key)]:
            values = subtree(self.board, f"menu.{menu}")
            value = chosen.pop(menu, next(iter(values), None))
            assert value in values, (menu, value)
            self.board |= subtree(values, value)
        assert not chosen
        self.properties = self.platform | self.board
        self.properties |= {
            "runtime.platform.path": str(folder),
            "runtime.hardware.path": str(folder.parent),
            "runtime.os": "linux",
            "runtime.ide.version": "10607",
            "build.arch": platform.upper(),
            "build.core.path": str(folder / "cores" / self.board["build.core"]),
            "build.fqbn": self.fqbn,
        }

    def run(self, recipe: str, **told: object) -> subprocess.CompletedProcess[str]:
        """A recipe must be there, and nothing in it may stay unknown."""
        pattern = self.properties[recipe]
        line = expanded(pattern, self.properties | {key: str(value) for key, value in told.items()})
        assert "{" not in line, line
        return subprocess.run(
            shlex.split(line), capture_output=True, text=True, timeout=PATIENCE, check=False
        )

    def compile(self, sketch: Path, build: Path) -> subprocess.CompletedProcess[str]:
        """The last recipe that was run: the one that failed, or that of the link."""
        name = f"{sketch.name}.ino"
        merged = build / "sketch" / f"{name}.cpp"
        merged.parent.mkdir(parents=True)
        text = "".join(
            f'#line 1 "{tab}"\n{tab.read_text(encoding="utf-8")}\n'
            for tab in sorted(sketch.glob("*.ino"), key=lambda tab: (tab.name != name, tab.name))
        )
        merged.write_text(f"#include <Arduino.h>\n{text}", encoding="utf-8")
        self.properties |= {
            "build.path": str(build),
            "build.project_name": name,
            "build.source.path": str(sketch),
        }
        for hook in sorted(
            key for key in self.properties if key.startswith("recipe.hooks.prebuild.")
        ):
            done = self.run(hook)
            if done.returncode != 0:
                return done
        libraries, done = self._libraries(merged)
        if done.returncode != 0:
            return done
        includes = self._includes(libraries)
        assert self.run("tools.ctags.pattern", source_file=merged).returncode == 0
        sources = [
            merged,
            *(file for folder in libraries for file in sorted(folder.rglob("*.cpp"))),
        ]
        objects: list[Path] = []
        for source in sources:
            objects.append(build / f"{len(objects)}.cpp.o")
            done = self.run(
                "recipe.cpp.o.pattern",
                source_file=source,
                object_file=objects[-1],
                includes=includes,
            )
            if done.returncode != 0:
                return done
            assert objects[-1].is_file()
        files = " ".join(f'"{file}"' for file in objects)
        return self.run("recipe.c.combine.pattern", object_files=files, archive_file="core.a")

    def _libraries(self, merged: Path) -> tuple[list[Path], subprocess.CompletedProcess[str]]:
        """By what the preprocessor misses, until it misses nothing or what no library has."""
        folders: list[Path] = []
        while True:
            includes = self._includes(folders)
            done = self.run(
                "recipe.preproc.macros",
                source_file=merged,
                preprocessed_file_path="/dev/null",
                includes=includes,
            )
            missing = re.search(r"fatal error: '?([\w.]+)'?", done.stderr)
            found = [
                header.parent
                for place in (self.book / "libraries", self.folder / "libraries")
                for library in sorted(place.iterdir())
                for header in (library / "src").glob(missing[1] if missing else "-")
            ]
            if not found:
                return folders, done
            assert found[0] not in folders
            folders.append(found[0])

    def _includes(self, libraries: list[Path]) -> str:
        folders = [Path(self.properties["build.core.path"]), *libraries]
        return " ".join(f'"-I{folder}"' for folder in folders)

    def upload(self, **told: str) -> list[str]:
        """The words of the command."""
        tool = self.properties["upload.tool"]
        merged = self.properties | subtree(self.properties, f"tools.{tool}") | told
        merged["upload.verbose"] = merged["upload.params.quiet"]
        line = expanded(merged["upload.pattern"], merged)
        assert "{" not in line, line
        return shlex.split(line)


DUO = (
    "#include <Servo.h>\n#include <Twice.h>\nServo arm;\n"
    "void setup() { Serial.begin(115200); arm.attach(9); show(1000); }\n"
    "void loop(1, 10, 100) { static int rounds; show(twice(++rounds)); delay(100); }\n"
    "void loop(2, 20, 100) { arm.write(angle(millis())); delay(40); }\n"
    "void show(int value) { Serial.println(value); }\n"
)
FILES = {
    "libraries/Twice/library.properties": "name=Twice\nversion=1.0.0\narchitectures=*\n",
    "libraries/Twice/src/Twice.h": "#pragma once\nint twice(int value);\n",
    "libraries/Twice/src/Twice.cpp": '#include "Twice.h"\nint twice(int value) { return 2 * value; }\n',
    "duo/duo.ino": DUO,
    "duo/more.ino": "int angle(unsigned long time) { return time / 10 % 180; }\n",
    "much/much.ino": "void setup() {}\nvoid loop(1, 70, 100) {}\nvoid loop(2, 60, 100) {}\n",
    "gone/gone.ino": "#include <Gone.h>\nvoid setup() {}\nvoid loop() {}\n",
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("a book")  # with a space, as folders have
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    assert run_hocket("arduino", "install", folder).returncode == 0
    return folder


@pytest.mark.parametrize("fqbn", ["hocket:avr:uno", "hocket:host:sim"])
def test_core_list_and_board_list(book: Path, fqbn: str) -> None:
    cli = Cli(book, fqbn)
    assert re.fullmatch(r"Hocket: \w+", cli.platform["name"])
    assert re.fullmatch(r"\d+\.\d+\.\d+", cli.platform["version"])
    assert cli.board["name"].endswith("(Hocket)")
    assert Path(cli.properties["build.core.path"]).is_dir()


def test_compile_and_upload_for_an_uno(book: Path, tmp_path: Path) -> None:
    cli = Cli(book, "hocket:avr:uno")
    done = cli.compile(book / "duo", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    hex_file = tmp_path / "out" / expanded(cli.properties["recipe.output.tmp_file"], cli.properties)
    own = tmp_path / "own.hex"
    assert run_hocket("build", book / "duo", "--board", "uno", "-o", own).returncode == 0
    assert hex_file.read_bytes() == own.read_bytes()
    sizes = cli.run("recipe.size.pattern").stdout
    flash, ram = (
        sum(map(int, re.findall(cli.properties[regex], sizes, re.MULTILINE)))
        for regex in ("recipe.size.regex", "recipe.size.regex.data")
    )
    assert 4000 < flash < int(cli.properties["upload.maximum_size"])
    assert 200 < ram < int(cli.properties["upload.maximum_data_size"])
    words = cli.upload(**{"build.path": str(tmp_path / "out"), "serial.port": "/dev/ttyACM0"})
    assert Path(words[0]).is_file()
    assert words[1:] == [
        "arduino",
        "upload",
        "--folder",
        str(tmp_path / "out"),
        "--port",
        "/dev/ttyACM0",
    ]


def test_compile_and_upload_for_the_simulated_board(book: Path, tmp_path: Path) -> None:
    cli = Cli(book, "hocket:host:sim:cores=2")
    done = cli.compile(book / "duo", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    words = cli.upload(**{"build.path": str(tmp_path / "out"), "upload.time": "250ms"})
    ran = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("1000\n2\n4\n6\nduo on sim: 2 cores, 250 ms")
    assert Cli(book, "hocket:host:sim").upload(**{"build.path": "out"})[-2:] == ["--for", "10s"]
    longer = Cli(book, "hocket:host:sim:cores=4,time=1m")
    assert longer.upload(**{"build.path": "out"})[-2:] == ["--for", "1m"]
    assert longer.properties["build.cores"] == "4"


def test_what_does_not_compile_is_told_with_its_line(book: Path, tmp_path: Path) -> None:
    done = Cli(book, "hocket:host:sim").compile(book / "much", tmp_path / "much")
    assert done.returncode != 0
    assert f"{book / 'much' / 'much.ino'}:3:1: error: refused: loop 2 asks for 60 ms" in done.stderr
    assert "or give it more cores (Tools > Cores, or cores=2 in the FQBN)" in done.stderr
    done = Cli(book, "hocket:host:sim").compile(book / "gone", tmp_path / "gone")
    assert done.returncode != 0
    assert f"{book / 'gone' / 'gone.ino'}:1:10: fatal error: 'Gone.h' file not found" in done.stderr
