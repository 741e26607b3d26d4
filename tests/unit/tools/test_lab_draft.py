"""The scenario that a lab builds: what pages ask of it, what is refused, and that its file is never lost."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.campaign import rounds

from hocket.errors import HocketError
from hocket.lab import draft as draft_module
from hocket.lab.draft import Draft
from hocket.scenario import catalogue, document, edit, read_scenario
from hocket.scenario.structure import schema

TEXT = """\
# A lamp.
parts:
  lamp: {type: led, pin: 13}  # on the board
  # behind it
expect:
  - {part: lamp, is: lit, by: 1 s}  # soon
"""


def draft(folder: Path, text: str | None = TEXT, board: str = "sim") -> Draft:
    file = folder / "scenario.yaml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    return Draft(file if text is not None else None, folder, board)


def shown(of: Draft, name: str) -> dict[str, Any]:
    part: dict[str, Any] = next(part for part in of.message()["parts"] if part["name"] == name)
    return part


def change(of: Draft, what: str, **command: Any) -> str | None:
    return of.change({"do": "build", "change": what, **command})


def test_a_part_is_added_wired_coloured_and_saved(tmp_path: Path) -> None:
    of = draft(tmp_path)
    assert change(of, "add", type="led") == "led"
    assert shown(of, "led")["values"]["pin"] == "2"  # the lamp has 13
    change(of, "set", part="led", key="pin", to="A3")
    change(of, "set", part="led", key="colour", to="green")
    assert change(of, "rename", part="led", to="walk") == "walk"
    change(of, "rename", part="lamp", to="cars")
    assert shown(of, "walk") == {
        "name": "walk", "type": "led", "values": {"pin": "A3", "colour": "green"}, "pins": {"pin": 57},
        "problems": [],
    }  # fmt: skip
    assert of.message()["changed"]
    of.save()
    assert not of.message()["changed"]
    saved = TEXT.replace("lamp:", "cars:").replace("part: lamp", "part: cars")
    saved = saved.replace("  # behind", "  walk: {type: led, pin: A3, colour: green}\n  # behind")
    assert (tmp_path / "scenario.yaml").read_text() == saved
    read_scenario(tmp_path / "scenario.yaml")


def test_a_new_sketch_gets_its_file_with_the_first_save(tmp_path: Path) -> None:
    of = draft(tmp_path, None)
    assert of.message()["parts"] == []
    change(of, "add", type="led")
    assert list(tmp_path.iterdir()) == []
    of.save()
    assert (tmp_path / "scenario.yaml").read_text() == "parts:\n  led: {type: led, pin: 13}\n"


@pytest.mark.parametrize(("board", "step"), [("sim", 1), ("uno", 7)])
def test_each_type_begins_as_one_that_can_be_saved(board: str, step: int, tmp_path: Path) -> None:
    assert sorted(catalogue.types()) == sorted(schema()["$defs"]["parts"])
    (tmp_path / "card.img").write_bytes(bytes(512))
    for kind in list(catalogue.types())[::step]:
        of = draft(tmp_path, "parts:\n  helicopter: {type: helicopter, port: 0}\n", board)
        if kind == "helicopter":
            change(of, "remove", part=kind)
        change(of, "add", type=kind)
        of.save()  # which refuses what is wrong


def test_what_is_wrong_is_shown_at_its_part(tmp_path: Path) -> None:
    of = draft(tmp_path)
    change(of, "add", type="potentiometer")
    change(of, "set", part="potentiometer", key="pin", to="3")
    change(of, "set", part="lamp", key="pin", to="99")
    (pot,) = shown(of, "potentiometer")["problems"]
    assert pot["key"] == "pin" and "3" in pot["text"] and "A0 to A15" in pot["text"]
    (lamp,) = shown(of, "lamp")["problems"]
    assert lamp["key"] == "pin" and "99" in lamp["text"]
    with pytest.raises(HocketError, match="it is not saved"):
        of.save()
    change(of, "undo")
    change(of, "set", part="potentiometer", key="pin", to=None)
    (pot,) = shown(of, "potentiometer")["problems"]
    assert "lacks pin" in pot["text"]
    change(of, "undo")
    change(of, "undo")
    change(of, "remove", part="lamp")
    message = of.message()
    assert [part["problems"] for part in message["parts"]] == [[]]
    assert message["problems"][0].startswith("line 6: ")  # what is expected of it
    assert (tmp_path / "scenario.yaml").read_text() == TEXT


def test_a_part_of_several_lines_has_its_errors_at_their_keys(tmp_path: Path) -> None:
    of = draft(
        tmp_path, "parts:\n  knob:\n    type: potentiometer\n    pin: A0\n    position: 50 %\n"
    )
    change(of, "set", part="knob", key="position", to="150 %")
    assert [each["key"] for each in shown(of, "knob")["problems"]] == ["position"]
    change(of, "set", part="knob", key="position", to="[{at: 0 s, is: 0 %}, {at: 1 s, is: 9 %}]")
    assert shown(of, "knob")["problems"] == []
    assert shown(of, "knob")["values"]["position"] == "[{at: 0 s, is: 0 %}, {at: 1 s, is: 9 %}]"


STRANGE: list[dict[str, Any]] = [
    {},
    {"change": 7},
    {"change": "add"},
    {"change": "add", "type": "../led"},
    {"change": "add", "type": ["led"]},
    {"change": "remove", "part": "nobody"},
    {"change": "remove", "part": None},
    {"change": "rename", "part": "lamp", "to": "../../etc/passwd"},
    {"change": "rename", "part": "lamp", "to": "a: {type: led}\n  b"},
    {"change": "rename", "part": "lamp", "to": "null"},
    {"change": "set", "part": "lamp", "key": "type", "to": "button"},
    {"change": "set", "part": "lamp", "key": "__class__", "to": "1"},
    {"change": "set", "part": "lamp", "key": "pin", "to": 13},
    {"change": "set", "part": "lamp", "key": "pin", "to": "1: 2: 3"},
    {"change": "set", "part": "lamp", "key": "pin", "to": "!!python/object:os.system x"},
    {"change": "set", "part": "lamp", "key": "pin", "to": "[" * 1000},
    {"change": "set", "part": "lamp", "key": "pin", "to": ""},
    {"change": "set", "part": "lamp", "key": "colour", "to": "\ud800"},
]


@pytest.mark.parametrize("command", STRANGE)
def test_what_no_page_of_ours_sends_changes_nothing(
    tmp_path: Path, command: dict[str, Any]
) -> None:
    of = draft(tmp_path)
    before = of.message()
    with pytest.raises(HocketError):
        of.change(command)
    assert of.message() == before
    assert (tmp_path / "scenario.yaml").read_text() == TEXT


@pytest.mark.parametrize("name", ["../card.img", "/etc/passwd", ".hidden", "link/card.img"])
def test_no_part_of_it_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    inner = tmp_path / "sketch"
    inner.mkdir()
    (inner / "link").symlink_to(tmp_path)
    (tmp_path / "card.img").write_bytes(bytes(512))
    of = draft(inner)
    change(of, "add", type="eeprom")
    change(of, "set", part="eeprom", key="file", to=name)
    assert len(shown(of, "eeprom")["problems"]) == 1
    with pytest.raises(HocketError, match="it is not saved"):
        of.save()


def test_a_file_that_was_changed_outside_is_not_lost(tmp_path: Path) -> None:
    of = draft(tmp_path)
    change(of, "add", type="button")
    theirs = TEXT.replace("13", "12")
    (tmp_path / "scenario.yaml").write_text(theirs)
    with pytest.raises(HocketError, match="changed outside the lab"):
        of.save()
    assert (tmp_path / "scenario.yaml").read_text() == theirs
    change(of, "load")
    assert not of.message()["changed"]
    assert shown(of, "lamp")["values"]["pin"] == "12"
    change(of, "undo")
    assert shown(of, "button")


def test_a_file_that_came_meanwhile_is_not_lost(tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere.yaml"
    tmp_path = tmp_path / "sketch"
    tmp_path.mkdir()
    of = draft(tmp_path, None)
    change(of, "add", type="button")
    (tmp_path / "scenario.yaml").write_text(TEXT)
    with pytest.raises(HocketError, match="changed outside the lab"):
        of.save()
    (tmp_path / "scenario.yaml").unlink()
    (tmp_path / "scenario.yaml").symlink_to(outside)
    with pytest.raises(HocketError, match="leads out"):
        of.save()
    assert not outside.exists()


def test_a_file_that_cannot_be_written_is_as_it_was(tmp_path: Path) -> None:
    of = draft(tmp_path)
    change(of, "add", type="button")
    (tmp_path / "scenario.yaml").chmod(0o444)
    if os.geteuid() != 0:  # root may write it all the same
        with pytest.raises(HocketError, match="cannot be written"):
            of.save()
        assert (tmp_path / "scenario.yaml").read_text() == TEXT
    (tmp_path / "scenario.yaml").unlink()
    (tmp_path / "scenario.yaml").mkdir()
    with pytest.raises(HocketError):
        of.save()
    assert [file.name for file in tmp_path.iterdir()] == ["scenario.yaml"]


def test_its_size_and_what_can_be_undone_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = draft(tmp_path)
    monkeypatch.setattr(draft_module, "MOST_BYTES", len(TEXT) + 40)
    with pytest.raises(HocketError, match="larger than 4 MiB"):
        for _ in range(3):
            change(of, "add", type="led")
    monkeypatch.setattr(draft_module, "_MOST_BACK", 5)
    for pin in range(8):
        change(of, "set", part="lamp", key="pin", to=str(pin))
    for _ in range(8):
        change(of, "undo")
    assert shown(of, "lamp")["values"]["pin"] == "2"
    assert not of.message()["undo"] and of.message()["redo"]
    change(of, "redo")
    assert shown(of, "lamp")["values"]["pin"] == "3"
    change(of, "set", part="lamp", key="pin", to="9")
    assert of.message()["undo"] and not of.message()["redo"]


def test_a_value_that_is_too_long_for_the_page_is_not_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft_module, "_LONGEST_SHOWN", 200)
    points = ", ".join(f"{{at: {second} s, is: 5 cm}}" for second in range(30))
    of = draft(
        tmp_path, f"parts:\n  eye: {{type: hcsr04, trigger: 3, echo: 2, distance: [{points}]}}\n"
    )
    assert shown(of, "eye")["values"] == {"trigger": "3", "echo": "2", "distance": None}
    change(of, "set", part="eye", key="echo", to="4")
    of.save()
    assert points in (tmp_path / "scenario.yaml").read_text()


def test_marks_and_ends_of_lines_stay(tmp_path: Path) -> None:
    file = tmp_path / "scenario.yaml"
    file.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    of = Draft(file, tmp_path, "sim")
    change(of, "set", part="lamp", key="pin", to="12")
    of.save()
    assert (
        file.read_bytes()
        == b"\xef\xbb\xbf" + TEXT.replace("13", "12").replace("\n", "\r\n").encode()
    )


# --- Any sequence of commands ---

KINDS = sorted(catalogue.types())
KEYS = [(kind, key.name) for kind in KINDS for key in catalogue.types()[kind].keys]
TYPED = st.sampled_from(
    ["13", "A0", "2", "99", "20 ms", "50 %", "[2, 3, 4, 5]", "red", "true", "x # y", "", "{a", "0x27", "a: b",
     "[{at: 1 s, for: 200 ms}]", "'", "../x", "1 m", "20 C", None]
)  # fmt: skip
NAMES = st.sampled_from(["led", "lamp", "button", "x", "a b", "", "cars"])
COMMANDS = st.one_of(
    st.fixed_dictionaries({"change": st.just("add"), "type": st.sampled_from([*KINDS, "none"])}),
    st.fixed_dictionaries({"change": st.just("remove"), "part": st.sampled_from([*KINDS, "lamp", "cars"])}),
    st.fixed_dictionaries({"change": st.just("rename"), "part": NAMES, "to": NAMES}),
    st.tuples(st.sampled_from(KEYS), TYPED).map(
        lambda of: {"change": "set", "part": of[0][0], "key": of[0][1], "to": of[1]}
    ),
    st.sampled_from([{"change": "undo"}, {"change": "redo"}, {"change": "load"}]),
)  # fmt: skip


@given(commands=st.lists(COMMANDS, max_size=8), board=st.sampled_from(["sim", "uno"]))
@settings(max_examples=rounds(15, 1_500, "HOCKET_DRAFTS"), deadline=None)
def test_any_commands_leave_a_valid_file_with_its_comments(
    commands: list[dict[str, Any]], board: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("draft")
    of = draft(folder, board=board)
    for command in commands:
        try:
            of.change(command)
        except HocketError:
            continue
        message = of.message()
        wrong = message["problems"] or any(part["problems"] for part in message["parts"])
        if wrong:
            with pytest.raises(HocketError):
                of.save()
        else:
            of.save()
        text = (folder / "scenario.yaml").read_text()
        read_scenario(folder / "scenario.yaml", board)
        assert all(each in text for each in ("# A lamp.", "  # behind it", "# soon"))


def profile_of(points: int, indent: str) -> str:
    return "".join(f"{indent}- {{at: {n} ms, is: {20 + n % 7} C}}  # {n}\n" for n in range(points))


LONG = (
    "# top\nparts:\n  lamp: {type: led, pin: 13}\n  warm:\n    type: lm35\n    pin: A0\n"
    "    temperature:  # of a day\n{profile}  # between\n  cold: {type: lm35, pin: A1, temperature: -9 C}\n"
    "expect:\n  - {part: lamp, is: lit, by: 1 s}\n  - {part: gone, is: lit, by: 1 s}\n"
)


@pytest.mark.parametrize("indent", ["    ", "      "])
def test_a_long_profile_is_read_once_and_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, indent: str
) -> None:
    text = LONG.replace("{profile}", profile_of(800, indent))
    of = draft(tmp_path, text)
    read: list[int] = []
    scan = document.parse

    def counted(file: Path, text: str, wanted: Any = "values") -> Any:
        read.append(len(text))
        return scan(file, text, wanted)

    for module in (document, edit):
        monkeypatch.setattr(module, "parse", counted)
    change(of, "set", part="lamp", key="pin", to="12")
    change(of, "rename", part="warm", to="sun")
    change(of, "set", part="cold", key="temperature", to="-8 C")
    message = of.message()
    assert read and max(read) < 2_000  # not the profile, which has 28,000
    # Lines are those of the file.
    last = len(text.splitlines())
    assert [each.split(":")[0] for each in message["problems"]] == [f"line {last}"]
    expected = text.replace("pin: 13", "pin: 12").replace("warm", "sun").replace("-9 C", "-8 C")
    assert message["text"] == expected
    change(of, "text", to=expected.replace("gone", "lamp"))
    read.clear()
    of.save()
    assert max(read) > 20_000  # what is saved is read whole
    saved = (tmp_path / "scenario.yaml").read_text()
    assert saved == expected.replace("gone", "lamp")
    # The profile itself is changed as ever: an error in it has its line, and another value replaces it.
    change(of, "text", to=saved.replace("at: 7 ms", "at: 3 ms"))
    (wrong,) = shown(of, "sun")["problems"]
    assert wrong["key"].startswith("temperature")
    change(of, "set", part="sun", key="temperature", to="3 C")
    of.save()
    assert "    temperature: 3 C" in (tmp_path / "scenario.yaml").read_text()
    assert "folded" not in (tmp_path / "scenario.yaml").read_text()


def test_what_anchors_tie_together_is_not_folded(tmp_path: Path) -> None:
    text = LONG.replace("{profile}", profile_of(900, "      ")).replace("gone", "lamp")
    text = text.replace("temperature:  #", "temperature: &day  #").replace("-9 C", "*day")
    of = draft(tmp_path, text)
    assert of.message()["problems"] == []
    with pytest.raises(HocketError, match="cannot be changed here"):
        change(of, "set", part="warm", key="temperature", to="3 C")
    change(of, "set", part="lamp", key="pin", to="12")
    of.save()
    assert (tmp_path / "scenario.yaml").read_text() == text.replace("pin: 13", "pin: 12")


def test_a_text_that_is_no_yaml_is_shown_with_its_line_and_mended_as_text(tmp_path: Path) -> None:
    of = draft(tmp_path, "parts:\n  lamp: {type: led, pin: 13\n  horn: {type: buzzer, pin: 5}\n")
    message = of.message()
    assert message["parts"] == []
    assert message["problems"][0].startswith("line 3: this is not well-formed YAML")
    with pytest.raises(HocketError, match="it is not saved"):
        of.save()
    with pytest.raises(HocketError, match="not well-formed"):
        change(of, "add", type="led")
    change(of, "text", to=message["text"].replace("pin: 13", "pin: 13}"))
    assert [part["name"] for part in of.message()["parts"]] == ["lamp", "horn"]
    of.save()
    read_scenario(tmp_path / "scenario.yaml")
    change(of, "text", to="#" + "x" * 70_000)
    assert of.message()["text"] is None  # too long for the page
