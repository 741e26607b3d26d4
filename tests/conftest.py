"""What all tests share: the same examples in every run, and a process that can be interrupted."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

# The same examples in every run: a failure can be repeated by anyone.
settings.register_profile(
    "hocket",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("hocket")

# A shell starts what it runs in the background with SIGINT ignored, and programs that tests start and then
# interrupt would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
