"""The first module of the process from which others are forked (hocket.at_once). It moves this process, and
so its children, out of the terminal's process group. Ctrl-C then reaches them only through the process that
started them.

That process starts this one with SIGINT blocked. A SIGINT that is pending by then is dropped here.
"""

import os
import signal

os.setpgid(0, 0)
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
signal.signal(signal.SIGINT, signal.default_int_handler)
