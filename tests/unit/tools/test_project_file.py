"""hocket.toml: what it sets, that the command line comes first, that mistakes are told with their lines."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.campaign import long_form
from tests.commands import run_hocket

from hocket.errors import HocketError, SeveralErrors
from hocket.project_file import MOST_BYTES, NAME, line_of, project_file, read_settings
from hocket.running.own_time import has_time

FILE = Path("/sketch/hocket.toml")


def wrong(text: str) -> list[tuple[int | None, str, str]]:
    with pytest.raises(HocketError) as raised:
        read_settings(text, FILE)
    error = raised.value
    errors = error.errors if isinstance(error, SeveralErrors) else (error,)
    assert all(each.file == str(FILE) for each in errors)
    return [(each.line, each.fact, each.next_step) for each in errors]


def test_settings_and_profiles() -> None:
    read = read_settings(
        'board = "virt"\ncores = 2\nscenario = "a.yaml"\n'
        '[profiles.bench]\ncores = 4\nfor = "2 s"\n[profiles.long]\nseed = 18446744073709551615\n',
        FILE,
    )
    assert read.chosen(None) == {"board": "virt", "cores": 2, "scenario": Path("/sketch/a.yaml")}
    assert read.chosen("bench")["cores"] == 4
    assert read.chosen("bench")["board"] == "virt"
    assert read.chosen("long")["seed"] == 2**64 - 1
    with pytest.raises(HocketError, match="no profile 'bnch'") as raised:
        read.chosen("bnch")
    assert raised.value.next_step == "did you mean bench?"


def test_everything_that_is_wrong_is_told_with_its_line() -> None:
    assert wrong('bord = "uno"\n\ncores = 0\n[profiles.a]\ncores = true\ntime = "1s"\n') == [
        (1, "there is no setting 'bord'", "did you mean board?"),
        (3, "cores = 0 cannot be used", "write a whole number from 1 to 64"),
        (5, "cores = true cannot be used", "write a whole number from 1 to 64"),
        (6, "there is no setting 'time'", "did you mean for?"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "fact"),
    [
        ('board = "due"', 1, "there is no board 'due'"),
        ("board = 3", 1, "board is not text"),
        ('policy = "edff"', 1, "there is no policy 'edff'"),
        ('for = "10"', 1, "for = '10' is not a duration"),
        ('\nlibraries = [\n  "nowhere",\n]', 2, "there is no folder nowhere"),
        ('libraries = "here"', 1, "libraries is not a list of folders"),
        ('[profiles.a]\nlibraries = ["."]', 2, "a profile has no libraries of its own"),
        ("profiles = 3", 1, "profiles is not a table"),
        ("[profiles]\nbench = 3", 2, "the profile 'bench' is not a table"),
        ("cores = ", 1, "this is not TOML"),
        ("cores = 1\ncores = 2", 2, "this is not TOML"),
        ("seed = -1", 1, "seed = -1 cannot be used"),
        ('scenario = ""', 1, "scenario is not text"),
    ],
)
def test_what_cannot_be_used(text: str, line: int, fact: str) -> None:
    ((where, what, way_out),) = wrong(text)
    assert (where, what) == (line, fact)
    assert way_out


@pytest.mark.parametrize("value", ["[" * 50_000, "9" * 5_000])
def test_what_is_beyond_all_measure_cannot_be_read(value: str) -> None:
    ((_, what, way_out),) = wrong(f"seed = {value}")
    assert what == "hocket.toml cannot be read"
    assert way_out


SCALARS = st.one_of(st.integers(-10, 100), st.booleans(), st.text("ab#= '[]\n", max_size=8))
KEYS = st.sampled_from(["board", "cores", "for", "seed", "policy", "x", "libraries"])
TABLES = st.dictionaries(KEYS, st.one_of(SCALARS, st.lists(SCALARS, max_size=3)), max_size=5)


def shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) and "'" not in value and value.count("\n") > 1:
        return f"'''\n{value}'''"  # over several lines
    if isinstance(value, str):
        return '"' + value.replace("\n", "\\n") + '"'
    if isinstance(value, list):
        return "[\n  # one\n" + "".join(f"  {shown(item)},\n" for item in value) + "]"
    return str(value)


@given(TABLES, st.dictionaries(st.sampled_from(["a", "b"]), TABLES, max_size=2), st.booleans())
def test_every_key_is_found_at_its_line(
    top: dict[str, Any], profiles: dict[str, dict[str, Any]], spaced: bool
) -> None:
    lines: list[str] = []
    places = {}

    def write(table: dict[str, Any], path: tuple[str, ...]) -> None:
        for key, value in table.items():
            lines.extend(["", "# a remark: x = 3"] if spaced else [])
            places[(*path, key)] = len(lines) + 1
            lines.extend(f"{key} = {shown(value)}".split("\n"))

    write(top, ())
    for name, table in profiles.items():
        lines.append(f"[profiles.{name}]")
        write(table, ("profiles", name))
    text = "\n".join(lines)
    tomllib.loads(text)
    for path, line in places.items():
        found = line_of(text, path)
        # What is empty or a remark before it belongs to it as well as to what comes before.
        assert lines[found - 1 : line - 1] == [
            t for t in lines[found - 1 : line - 1] if t[:1] in ("", "#")
        ]
        assert found <= line


@given(text=st.text(max_size=60) | st.binary(max_size=40))
def test_nothing_but_settings_or_an_error_comes_of_any_text(
    text: str | bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("any")
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    (folder / "hocket.toml").write_bytes(data)
    try:
        project_file(folder)
    except HocketError as error:
        assert error.file == str(folder / "hocket.toml")


@pytest.fixture
def sketch(tmp_path: Path) -> Path:
    folder = tmp_path / "a"
    folder.mkdir()
    (folder / "a.ino").write_text("void setup() {}\nvoid loop(1, 10, 100) { delay(10); }\n")
    (folder / "hocket.toml").write_text(
        'cores = 2\nfor = "20ms"\nseed = 5\n[profiles.more]\ncores = 3\n'
    )
    return folder


def ran(sketch: Path, *options: str) -> str:
    done = run_hocket("run", sketch, *options)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[0]


def test_the_scenarios_own_time_is_before_that_of_the_file(sketch: Path) -> None:
    """What a scenario expects is written for its length."""
    (sketch / "a.ino").write_text(
        "void setup() { pinMode(13, OUTPUT); }\nvoid loop(1, 10, 100) { delay(10); }\n"
    )
    (sketch / "scenario.yaml").write_text("for: 30 ms\nexpect: [{pin: 13, is: low, at: 25 ms}]\n")
    done = run_hocket("test", sketch)
    assert "1 passed" in done.stdout, done.stdout
    done = run_hocket("tune", sketch, "--for", "20ms")
    assert "next:  let it run longer: --for 25ms" in done.stderr
    assert has_time(sketch, None) and not has_time(sketch, sketch / "none.yaml")


@long_form
def test_the_command_line_then_the_profile_then_the_file_then_the_scenario(sketch: Path) -> None:
    (sketch / "scenario.yaml").write_text("cores: 7\nfor: 30 ms\nparts: {}\n")
    end = "ran to the end of its time"
    assert ran(sketch) == f"a on sim: 2 cores, 30 ms of virtual time, seed 5; {end}"
    assert ran(sketch, "--profile", "more", "--for", "10ms") == (
        f"a on sim: 3 cores, 10 ms of virtual time, seed 5; {end}"
    )
    # An option that is written is meant, also with the value that it has anyway.
    assert ran(sketch, "--profile", "more", "--cores", "1", "--seed", "1") == (
        f"a on sim: 1 core, 30 ms of virtual time, seed 1; {end}"
    )
    (sketch / "hocket.toml").unlink()
    assert ran(sketch) == f"a on sim: 7 cores, 30 ms of virtual time, seed 1; {end}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('for = "1s', 'the text is not closed by "'),
        ('for = "1s\ncores = 2\n', 'the text is not closed by "'),
        ("for = '1s\n", "the text is not closed by '"),
        ('board = "due"', 'use board = "sim", "virt", '),
        ('board = "Uno"', 'did you mean "uno"?'),
        ("[profile.ci]\ncores = 2", "did you mean [profiles.ci]?"),
        ("[ci]\ncores = 2", "did you mean [profiles.ci]?"),
        ("cores = {}", "write a whole number"),
        ("board = ", "Invalid value"),
    ],
)
def test_the_next_step_is_one_for_this_file(text: str, said: str) -> None:
    with pytest.raises(HocketError) as raised:
        read_settings(text, FILE)
    assert said in f"{raised.value.cause}\n{raised.value.next_step}"
    assert "--board" not in str(raised.value)


def test_each_command_of_a_sketch_reads_it(sketch: Path) -> None:
    (sketch / "hocket.toml").write_text("cors = 2\n")
    (sketch / "a.test.yaml").write_text("expect: [{loop: 1, misses: 0}]\n")
    commands = (["run"], ["check"], ["build"], ["debug", "--batch"], ["sweep"], ["tune"], ["flash"])
    for command in (*commands, ["test"]):
        done = run_hocket(*command, str(sketch))
        assert done.returncode == 2, command
        said = (
            done.stdout if command == ["test"] else done.stderr
        )  # the error of a test is its outcome
        assert "hocket.toml:1: there is no setting 'cors'" in said, command
        assert "did you mean cores?" in said, command


@long_form
def test_libraries(sketch: Path) -> None:
    library = sketch.parent / "mine" / "Answer"
    library.mkdir(parents=True)
    (library / "Answer.h").write_text("#pragma once\n#define ANSWER 42\n")
    (sketch / "a.ino").write_text(
        "#include <Answer.h>\nvoid setup() { Serial.begin(9600); Serial.println(ANSWER); }\nvoid loop() {}\n"
    )
    (sketch / "hocket.toml").write_text('for = "20ms"\n')
    assert run_hocket("run", sketch).returncode == 2
    (sketch / "hocket.toml").write_text('for = "20ms"\nlibraries = ["../mine"]\n')
    refused = run_hocket("run", sketch)
    assert refused.returncode == 2
    assert "hocket.toml:2: libraries leads out of the sketch's folder" in refused.stderr
    done = run_hocket("run", sketch, "--allow-path", library.parent)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "42"), done.stderr


@long_form
def test_tests_of_a_sketch_follow_it(sketch: Path) -> None:
    (sketch / "a.test.yaml").write_text("expect: [{loop: 1, misses: 0}]\n")
    (sketch / "hocket.toml").write_text('board = "due"\n')
    assert "there is no board 'due'" in run_hocket("test", sketch).stdout
    (sketch / "hocket.toml").write_text('for = "20ms"\n[profiles.two]\ncores = 2\n')
    done = run_hocket("test", sketch, "--profile", "three")
    assert "there is no profile 'three'" in done.stderr
    done = run_hocket("test", sketch, "--profile", "two")
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout + done.stderr


def test_a_file_without_end_is_not_read(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("# " + "x" * MOST_BYTES)
    with pytest.raises(HocketError, match="larger than 64 KiB"):
        project_file(tmp_path)
    (tmp_path / NAME).write_bytes(b'board = "virt"\r\nseed = 7\r\n')
    assert project_file(tmp_path).settings == {"board": "virt", "seed": 7}


def test_a_mistake_in_a_long_file_is_found_soon() -> None:
    texts = "".join(f'"k{n}" = """a\n[#"\\"""""\n' for n in range(1500))
    text = f"{texts}[profiles.x]\n# remark\nlast = [\n1, # [\n']']\n"
    assert len(text) < MOST_BYTES
    assert line_of(text, ("k0",)) == 1
    assert line_of(text, ("k1499",)) == 2999
    assert line_of(text, ("profiles",)) == 3001
    assert line_of(text, ("profiles", "x", "last")) == 3003


@pytest.mark.parametrize(
    "line",
    ["a" + ".a" * 20 + " = 1", "[" + "'a' . " * 20 + "b]", 'x = {"a.b"' + ' . "c"' * 20 + " = 1}"],
)
def test_a_key_of_many_parts_is_refused_with_its_line(line: str) -> None:
    text = f'seed = 1 # a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s\nfor = "{"a." * 30}"\n{line}\n'
    with pytest.raises(HocketError, match="more than 16 parts") as problem:
        read_settings(text, Path("hocket.toml"))
    assert problem.value.line == 3


_WORDS = st.sampled_from(
    [
        "[",
        "]",
        "{",
        "}",
        "a",
        "=",
        ".",
        ",",
        "#",
        "\n",
        '"',
        '"""',
        "'",
        "'''",
        "\\",
        " ",
        "1",
        "\\u0041",
    ]
)
_VALUES = st.sampled_from(
    [
        '"#["',
        "'[#'",
        '"""\n[\n"""',
        '""""a"""',
        "'''\n#\n'''",
        "[1,\n# ]\n2]",
        "{a = '}'}",
        '"\\""',
        "[[\n]]",
    ]
)


@given(
    st.lists(
        st.tuples(st.sampled_from(["", "# '", "[t{}]", "k{} = {}", 'k{} = {} # "["']), _VALUES)
    )
)
def test_what_it_finds_is_what_reading_every_beginning_finds(rows: list[tuple[str, str]]) -> None:
    text = "\n".join(row.format(n, value) for n, (row, value) in enumerate(rows))
    tables = tomllib.loads(text)
    for key in tables:
        assert line_of(text, (key,)) == by_every_beginning(text, key)


@given(st.lists(_WORDS, max_size=12).map("".join))
def test_odd_texts_too(text: str) -> None:
    try:
        tables = tomllib.loads(text)
    except ValueError:
        return
    for key in tables:
        assert line_of(text, (key,)) == by_every_beginning(text, key)


def by_every_beginning(text: str, key: str) -> int:
    lines, readable = text.split("\n"), 0
    for number in range(1, len(lines) + 1):
        try:
            if key in tomllib.loads("\n".join(lines[:number])):
                return readable + 1
        except ValueError:
            continue
        readable = number
    return 1
