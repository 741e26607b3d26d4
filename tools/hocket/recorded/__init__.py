"""Records what each Python test touches, and finds the tests that a change can affect.

    touched.c    records the files that any process of a test accesses (LD_PRELOAD)
    tracing.py   records the functions that a Python process of a test calls
    pieces.py    the parts of a Python file that can change separately: functions, and other statements
    products.py  what build products are made from, with simulated parts separate
    record.py    the record of each test file, and its comparison with a changed tree
    perform.py   runs test files and records them

A test file is recorded as a whole, in a process of its own: what its tests share is recorded once.
"""
