"""Hocket's tests, for `pio test` (`hocket platformio tests` put this file here).

A test is a sketch in a folder test/test_NAME. What its scenario.yaml expects comes as lines in Unity's form,
FILE:LINE:NAME:PASS or FILE:LINE:NAME:FAIL: WHY, and so may what the sketch itself says over Serial.
"""

import re

import click
from platformio.public import TestCase, TestCaseSource, TestRunnerBase, TestStatus

CASE = re.compile(
    r"(?P<file>[^:]+):(?P<line>\d+):(?P<name>.+?):(?P<status>PASS|FAIL|IGNORE)\b(: *(?P<why>.*))?$"
)
STATUS = {"PASS": TestStatus.PASSED, "FAIL": TestStatus.FAILED, "IGNORE": TestStatus.SKIPPED}


class CustomTestRunner(TestRunnerBase):
    def stage_testing(self):
        super().stage_testing()
        if not self.options.without_testing and not self.test_suite.cases:
            why = "it expects nothing: write a scenario.yaml with `expect`"
            self.test_suite.add_case(TestCase("a test", TestStatus.FAILED, why))

    def on_testing_line_output(self, line):
        found = CASE.match(line.strip())
        if not found:
            click.echo(line, nl=False)
            return
        case = TestCase(
            found["name"],
            STATUS[found["status"]],
            found["why"],
            source=TestCaseSource(found["file"], int(found["line"])),
        )
        self.test_suite.add_case(case)
        click.echo(case.humanize())
