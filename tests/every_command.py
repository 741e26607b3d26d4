"""The short form of every command, as a user types it after an installation, with its status.

They are run in this order in an empty folder: later ones read what earlier ones wrote.
"""

from __future__ import annotations

NO_HARDWARE = 2  # there is no board at a serial port, and no real one in a simulation

COMMANDS: tuple[tuple[str, int], ...] = (
    ("--version", 0),
    ("boards", 0),
    ("new small", 0),
    ("check small", 0),
    ("build small", 0),
    ("compile small", 0),
    ("run small --for 2s --json report.json --trace small.hklog", 0),
    ("report report.json --html report.html", 0),
    ("trace small.hklog -o small.vcd", 0),
    ("test small --coverage --coverage-to lines", 0),
    ("sweep small --seeds 2", 0),
    ("tune small --seeds 2", 0),
    ("wcet small --for 1s", 0),
    ("compare small --policy vcpu --policy edf", 0),
    ("try small --board sim", 0),
    ("bench --list", 0),
    ("linux --help", 0),
    ("arduino install .", 0),
    ("arduino uninstall .", 0),
    ("platformio install", 0),
    ("platformio uninstall", 0),
    ("monitor", NO_HARDWARE),
    ("flash small --board sim", NO_HARDWARE),
    ("self-test", NO_HARDWARE),  # it is in a checkout alone
    ("clean --all", 0),
)
