"""The command line: a function for each command, which only reads options and calls its module.

What a command needs is loaded when it runs, so that `hocket --help` and small commands start fast.
"""
