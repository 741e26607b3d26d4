"""Starts the command line: `python -m hocket`, and the `hocket` of an installation."""

from hocket import early

if __name__ == "__main__":
    early.listen()

import sys

from hocket.arduino.each_file import answered


def main() -> None:
    early.listen()
    status = answered(sys.argv[1:])
    if status is not None:
        sys.exit(status)
    from hocket.cli.main import main as command_line  # a slow import

    command_line()


if __name__ == "__main__":
    main()
