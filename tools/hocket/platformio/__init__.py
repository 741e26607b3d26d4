"""The commands that PlatformIO calls (docs/reference/platformio.md).

    install, uninstall           the platform, arduino/platformio/, in PlatformIO's core folder   install.py
    build, run, flash, compiledb of a project, whose build folder has a hocket.json               project.py

PlatformIO's SCons script, arduino/platformio/builder/main.py, only passes on the project's folders and
options. Everything else is done as in `hocket build`.
"""
