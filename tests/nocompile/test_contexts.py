"""Calls from a wrong context, and answers that nobody looks at, do not compile, and the message says so.

Each is a few lines behind the smallest kernel there is, that of the template port.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.campaign import one_in

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "ports" / "template"

RIGHT = """
void in_a_handler() {
  const System::InHandler here = System::InHandler::here();
  System::wake_at_exit(threads[0], here);
  System::top_half(threads[0], System::Duration(1), here);
  System::pass_over(System::now(), here);
  System::rearm(here);
}
bool look() { return by_arrival.try_wait() || System::start_alarm(alarm); }
struct Inside : Dispatcher<Port, Config> {
  static void ask() { Locked locked; arm(locked.core); }
  static bool look() { Locked locked; return locked.core->policy.due(now()); }
};
"""
# What is wrong, and what the compiler says of it.
WRONG = [
    (
        "void anywhere() { System::wake_at_exit(threads[0]); }",
        "too few arguments to function call, expected 2, have 1",
    ),
    (
        "void anywhere() { System::top_half(threads[0], System::Duration(1)); }",
        "too few arguments to function call, expected 3, have 2",
    ),
    (
        "void anywhere() { System::serve(threads[0], System::Duration(1), System::Duration(1),"
        " [] { return System::Served{nullptr, false}; }); }",
        "no matching function for call to 'serve'",
    ),
    (
        "void anywhere() { System::pass_over(System::now()); }",
        "too few arguments to function call, expected 2, have 1",
    ),
    (
        "void anywhere() { System::rearm(); }",
        "too few arguments to function call, expected 1, have 0",
    ),
    (
        "void anywhere() { System::wake_at_exit(threads[0], {}); }",
        "calling a private constructor of class 'hocket::Cores<",
    ),
    (
        "struct Inside : Dispatcher<Port, Config> { static void ask() { arm(this_core()); } };",
        "no viable conversion from 'CoreRef' to 'LockedCore'",
    ),
    (
        "struct Inside : Dispatcher<Port, Config> {"
        " static void ask() { arm(LockedCore(this_core())); } };",
        "calling a private constructor of class 'hocket::Cores<",
    ),
    (
        "void anywhere() { System::this_core()->policy.reset(1); }",
        "no member named 'policy' in 'hocket::Cores<",
    ),
    (
        "void anywhere() { System::core(0).alarms.cancel(alarm); }",
        "no member named 'alarms' in 'hocket::Cores<",
    ),
    (
        "struct Inside : Dispatcher<Port, Config> {"
        " static void ask() { LockedCore::take(this_core()); } };",
        "ignoring return value of function declared with 'nodiscard' attribute",
    ),
    (
        "void careless() { by_arrival.try_wait(); }",
        "ignoring return value of function declared with 'nodiscard' attribute",
    ),
    (
        "void careless() { System::start_alarm(alarm); }",
        "ignoring return value of function declared with 'nodiscard' attribute",
    ),
    (
        "void careless() { uint32_t message = 0; queue.try_receive(message); }",
        "ignoring return value of function declared with 'nodiscard' attribute",
    ),
    (
        "void careless() { Port::line_attach(1, nullptr, nullptr, {}); }",
        "ignoring return value of function declared with 'nodiscard' attribute",
    ),
]
NAMES = "static constexpr hocket::port::Options kOptions{{ .{} = true }}; "
CLOCK = "the port's now_masked() and kOptions.masked_clock go together"
IDLE = "the port's idle() and kOptions.idles_itself go together"
YIELD = "the port's yield_to() and kOptions.yields_directly go together"
MOVES = "the port's alarm_moves_until() and kOptions.moves_alarm go together"
PREPARES = "the port's may_migrate() and kOptions.prepares_migrants go together"
# What a port may have: named and not there (or misspelt, or of another type), there and not named, and
# without what it rests on.
OPTIONS = [
    (NAMES.format("masked_clock") + "static Ticks now_maskd();", CLOCK),
    (NAMES.format("masked_clock") + "static int now_masked();", CLOCK),
    ("static Ticks now_masked();", CLOCK),
    (NAMES.format("idles_itself") + "static void idles();", IDLE),
    ("static void idle();", IDLE),
    (
        NAMES.format("idles_itself") + "static void idle(); static constexpr unsigned kCores = 2;",
        "the port's idle() keeps nothing of the idle context: one core only",
    ),
    (NAMES.format("yields_directly") + "static void yield_to(int);", YIELD),
    ("static void yield_to(Context&, const Context&);", YIELD),
    (NAMES.format("moves_alarm") + "static void alarm_moves_to(Ticks);", MOVES),
    ("static void alarm_moves_until(Ticks);", MOVES),
    (NAMES.format("prepares_migrants") + "static void might_migrate(Context&);", PREPARES),
    (
        NAMES.format("prepares_migrants") + "static void may_migrate(Context&);",
        "the port's may_migrate() is for kOptions.threads_migrate",
    ),
    (NAMES.format("short_alram"), "does not refer to any field in type"),
]


def compile_source(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    source = folder / "source.cpp"
    source.write_text(text, encoding="utf-8")
    command = ["clang++-19", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
    command += ["-Wno-unused-function", f"-I{ROOT}"]
    return subprocess.run(
        [*command, str(source)], capture_output=True, text=True, timeout=60, check=False
    )


def behind_the_kernel(lines: str) -> str:
    kernel = f'#include "{TEMPLATE / "instantiate.cpp"}"\n'
    return f"{kernel}namespace hocket {{ namespace {{\n{lines}\n}} }}\n"


def test_right_use_compiles(tmp_path: Path) -> None:
    done = compile_source(behind_the_kernel(RIGHT), tmp_path)
    assert done.returncode == 0, done.stderr


@one_in(4)
@pytest.mark.parametrize(("lines", "message"), WRONG)
def test_wrong_use_is_refused(lines: str, message: str, tmp_path: Path) -> None:
    done = compile_source(behind_the_kernel(lines), tmp_path)
    assert done.returncode != 0
    assert message in done.stderr, done.stderr
    assert done.stderr.count(" error: ") == 1, done.stderr


@pytest.mark.parametrize(("members", "message"), OPTIONS)
def test_an_option_names_what_it_rests_on(members: str, message: str, tmp_path: Path) -> None:
    port = f"struct Port : hocket::template_port::Port {{ {members} }};\n"
    text = f'#include "{TEMPLATE / "port.h"}"\n{port}static_assert(hocket::port::check<Port>());\n'
    done = compile_source(text, tmp_path)
    assert done.returncode != 0
    assert message in done.stderr, done.stderr
