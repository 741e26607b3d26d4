"""The action and the container recipe for users' repositories: their form, and each of their shell steps, run
in a clean folder as a runner would."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from tests.commands import PATIENCE, ROOT

ACTION = ROOT / "packaging/github-action/action.yml"
RECIPE = ROOT / "packaging/container/Containerfile"
STEP_KEYS = {"name", "shell", "env", "run"}
# As a runner starts a step with `shell: bash` (GitHub's documentation of workflows, `steps[*].shell`).
BASH = ["bash", "--noprofile", "--norc", "-eo", "pipefail"]
SKETCH = "void setup() { Serial.begin(115200); }\nvoid loop(1, 1, 10) { Serial.println(1); delay(10); }\n"


def action() -> dict[str, Any]:
    made = YAML(typ="safe").load(ACTION)
    assert isinstance(made, dict)
    return made


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A user's, with a sketch below a folder whose name has a blank."""
    folder = tmp_path / "repository" / "my sketches" / "ones"
    folder.mkdir(parents=True)
    (folder / "ones.ino").write_text(SKETCH)
    (folder / "scenario.yaml").write_text('for: 100 ms\nexpect:\n  - {serial: "1", by: 50 ms}\n')
    return tmp_path / "repository"


def run_step(
    step: dict[str, Any], inputs: dict[str, str], cwd: Path
) -> subprocess.CompletedProcess[str]:
    """A step of the action with these inputs; the runner puts them where `${{ … }}` stands."""
    values = {name: str(each["default"]) for name, each in action()["inputs"].items()} | inputs
    known = {f"inputs.{name}": value for name, value in values.items()}
    known["github.action_path"] = str(ACTION.parent)

    def put(text: str) -> str:
        return re.sub(r"\$\{\{ ([\w.]+) \}\}", lambda found: known[found[1]], text)

    script = cwd.parent / "step.sh"
    script.write_text(step["run"], encoding="utf-8")
    environment = {"PATH": os.environ["PATH"], "HOME": str(cwd.parent)}
    environment |= {"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(cwd)}
    environment |= {name: put(value) for name, value in step["env"].items()}
    return subprocess.run(
        [*BASH, str(script)], cwd=cwd, env=environment, capture_output=True, text=True,
        timeout=PATIENCE, check=False,
    )  # fmt: skip


def test_the_action_is_well_formed() -> None:
    """What GitHub asks of a composite action; no input is pasted into a script, where it could be code."""
    made = action()
    assert set(made) == {"name", "description", "inputs", "runs"}
    for each in made["inputs"].values():
        assert set(each) == {"description", "default"} and isinstance(each["default"], str)
    assert made["runs"]["using"] == "composite"
    used = set()
    for step in made["runs"]["steps"]:
        assert set(step) == STEP_KEYS and step["shell"] == "bash"
        assert "${{" not in step["run"]
        for name, value in step["env"].items():
            assert f"${name}" in step["run"] or name == "HOCKET_STARTED_AS", f"{name} is not used"
            used |= set(re.findall(r"inputs\.(\w+)", value))
    assert used == set(made["inputs"])
    guide = (ROOT / "docs/guide/continuous-integration.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", guide, re.MULTILINE) == list(made["inputs"])


def test_its_steps_set_up_and_test(repository: Path) -> None:
    set_up, test = action()["runs"]["steps"]
    inputs = {"sketches": "my sketches\n", "boards": "sim", "junit": "tests.xml"}
    done = run_step(set_up, inputs, repository)
    assert done.returncode == 0, done.stderr
    assert "1 test: 1 passed" in done.stdout
    assert sorted(p.name for p in repository.iterdir()) == ["my sketches"], "it leaves nothing"
    done = run_step(test, inputs, repository)
    assert done.returncode == 0, done.stderr
    assert "ok      my sketches/ones/scenario.yaml on sim" in done.stdout
    assert len(ET.parse(repository / "tests.xml").getroot()[0]) == 1

    # Without a word, of the whole repository; a failure fails the step, and is an annotation.
    scenario = repository / "my sketches/ones/scenario.yaml"
    scenario.write_text(scenario.read_text().replace('"1"', '"2"'))
    done = run_step(test, {}, repository)
    assert done.returncode == 1
    assert "::error file=my sketches/ones/scenario.yaml,line=3" in done.stdout
    assert "again: hocket test" in done.stdout
    done = run_step(test, {"options": "--coverage-to lines"}, repository)
    assert done.returncode == 1 and (repository / "lines/index.html").is_file()


def instructions() -> list[tuple[str, str]]:
    """Of the recipe: each instruction and its words, lines that go on joined."""
    text = re.sub(r"^#.*\n", "", RECIPE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", "").strip().splitlines()
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def test_the_recipe_is_well_formed() -> None:
    made = instructions()
    assert [word for word, _ in made] == [
        *("FROM", "ARG", "COPY", "RUN", "RUN", "ENV", "WORKDIR", "ENTRYPOINT", "CMD")
    ]
    words = dict(made)
    assert re.fullmatch(r"docker\.io/library/debian:\d+-slim", words["FROM"])
    assert json.loads(words["ENTRYPOINT"]) == ["hocket"] and json.loads(words["CMD"]) == ["test"]


def test_the_step_of_the_recipe_that_sets_boards_up(tmp_path: Path) -> None:
    """With this checkout in the place of the image's, and a folder of the test for /tmp."""
    first = next(rest for word, rest in instructions() if word == "RUN")
    script = first.replace("/opt/hocket", str(ROOT)).replace("/tmp/first", str(tmp_path / "first"))
    for boards, status in (("sim", 0), ("nowhere", 1)):
        done = subprocess.run(
            ["sh", "-c", script], cwd=tmp_path, env={**os.environ, "BOARDS": boards},
            capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == status, done.stderr
        assert (tmp_path / "first").exists() == (status != 0)
        shutil.rmtree(tmp_path / "first", ignore_errors=True)
    assert "there is no board 'nowhere'" in done.stderr
