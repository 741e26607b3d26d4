"""What each Python test touches, recorded, and which tests a change can therefore have touched.

    touched.c    notes the files that any process of a test looks at (LD_PRELOAD)
    tracing.py   notes the functions that a Python process of a test calls
    pieces.py    the parts of a Python file that can change apart: functions, and what is around them
    products.py  what build products are made from, simulated parts apart
    record.py    what is known of each test file, and what a changed tree makes of it
    perform.py   runs test files and records them

A test file is recorded as a whole, in a process of its own: what its tests share is touched once.
"""
