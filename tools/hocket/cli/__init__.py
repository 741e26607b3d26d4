"""The command line: one function for each command, which reads its options and calls the command's module.

The modules of a command are imported when it runs, so that `hocket --help` and small commands start fast.
"""
