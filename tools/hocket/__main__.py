"""Starts the command line: `python -m hocket`."""

from hocket.cli import main

main()
