"""Adds the built page of `hocket lab` to the wheel. hatchling calls this module (pyproject.toml).

Without npm the wheel contains only the page's sources, and `hocket lab` builds the page on first use.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCES = "tools/lab-page"
CARRIED = "hocket/project/lab-page"  # where tools/hocket/lab/page.py looks


class PageHook(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        if shutil.which("npm") is None or shutil.which("node") is None:
            self.app.display_warning("npm is not there: `hocket lab` will build its page itself")
            return
        self._folder = Path(tempfile.mkdtemp(prefix="hocket-page-"))
        work, page = self._folder / "work", self._folder / "page"
        # In a copy, so that nothing is written into the tree.
        shutil.copytree(
            Path(self.root) / SOURCES, work, ignore=shutil.ignore_patterns("node_modules")
        )
        for command in (["npm", "ci", "--omit=dev"], ["node", "build.mjs", str(page)]):
            done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                self.app.abort(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
        build_data["force_include"][str(page)] = CARRIED

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if (folder := getattr(self, "_folder", None)) is not None:
            shutil.rmtree(folder, ignore_errors=True)
