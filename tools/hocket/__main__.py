"""Starts the command line: `python -m hocket`, and the `hocket` of an installation."""

from hocket import early

if __name__ == "__main__":
    early.listen()

import sys

from hocket.errors import HocketError


def main() -> None:
    early.listen()
    try:
        from hocket.arduino.each_file import answered

        status = answered(sys.argv[1:])
        if status is not None:
            sys.exit(status)
        from hocket.cli.main import main as command_line  # a slow import
    except HocketError as error:  # a board's description is wrong: the help names the boards
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
    command_line()


if __name__ == "__main__":
    main()
