"""Loaded by the process that others are forked from (hocket.at_once), and by no other one: it leaves the
terminal's group, and so do they. Ctrl-C reaches them through who has begun them, alone, from their first
instant on."""

import os

os.setpgid(0, 0)
