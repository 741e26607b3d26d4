"""What SCons does for PlatformIO: it tells hocket what the project has, and hocket builds.

The project's folders and options go into $BUILD_DIR/hocket.json; the verbs are those of `hocket platformio`.
"""

import json
import shlex
import subprocess
import sys
from pathlib import Path

from SCons.Script import COMMAND_LINE_TARGETS, AlwaysBuild, Default, DefaultEnvironment

env = DefaultEnvironment()
board = env.BoardConfig()
name = board.get("build.hocket")
folder = Path(env.subst("$BUILD_DIR")).absolute()
command = json.loads(Path(env.PioPlatform().get_dir(), "place.json").read_text(encoding="utf-8"))[
    "hocket"
]
tested = "__test" in COMMAND_LINE_TARGETS

source = Path(env.subst("$PROJECT_TEST_DIR" if tested else "$PROJECT_SRC_DIR"))
if tested and env.get("PIOTEST_RUNNING_NAME"):
    source /= env["PIOTEST_RUNNING_NAME"]

flags = env.GetProjectOption("build_flags") or []
project = {
    "name": Path(env.subst("$PROJECT_DIR")).name,
    "folder": str(Path(env.subst("$PROJECT_DIR")).absolute()),
    "source": str(source.absolute()),
    "include": env.subst("$PROJECT_INCLUDE_DIR"),
    "libraries": [env.subst(place) for place in env.GetLibSourceDirs()],
    "flags": [flags] if isinstance(flags, str) else list(flags),
    "cores": int(board.get("build.cores", 1)),
    "tested": tested,
}
folder.mkdir(parents=True, exist_ok=True)
(folder / "hocket.json").write_text(json.dumps(project, indent=1), encoding="utf-8")


def called(verb, *words):
    return [command, "platformio", verb, "--board", name, *words, str(folder)]


def hocket(verb, *words):
    """The exit status of a verb. What it says comes as it says it."""
    sys.stdout.flush()
    try:
        return subprocess.run(
            called(verb, *words), stdin=subprocess.DEVNULL, check=False
        ).returncode
    except OSError as problem:
        print(f"error: {command} does not start: {problem.strerror}", file=sys.stderr)
        print("  cause: this copy of Hocket has moved, or was removed", file=sys.stderr)
        print("  next:  run `hocket platformio install` of the copy that is there", file=sys.stderr)
        return 2


def build(target, source, env):
    status = hocket("build")
    if tested and status == 0:  # `pio test` starts $BUILD_DIR/program
        program = folder / "program"
        program.write_text(f"#!/bin/sh\nexec {shlex.join(called('test'))}\n", encoding="utf-8")
        program.chmod(0o755)
    return status


def upload(target, source, env):
    if env.subst("$UPLOAD_PROTOCOL") == "simulator":
        return hocket("run", "--for", str(board.get("upload.time", "10s")))
    env.AutodetectUploadPort()
    return hocket("flash", "--port", env.subst("$UPLOAD_PORT"))


if "compiledb" in COMMAND_LINE_TARGETS:  # PlatformIO's own would be of what SCons compiles: nothing
    env.Exit(hocket("compiledb", "--output", env.subst("$COMPILATIONDB_PATH")))

env.Replace(UPLOAD_PROTOCOL=env.subst("$UPLOAD_PROTOCOL") or board.get("upload.protocol"))
program = env.Alias("buildprog", None, env.VerboseAction(build, f"Building for {name}"))
AlwaysBuild(program)
env.AddPlatformTarget(
    "upload", program, [env.VerboseAction(upload, f"Uploading to {name}")], "Upload"
)
Default(program)
