"""Loaded by the process that others are forked from (hocket.at_once), and by no other one: it leaves the
terminal's group, and so do they. Ctrl-C reaches them through who has begun them, alone.

It was begun with SIGINT blocked; one that has come meanwhile is dropped here.
"""

import os
import signal

os.setpgid(0, 0)
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
signal.signal(signal.SIGINT, signal.default_int_handler)
