"""Everything that a loop must not be able to do, one line of a sketch for each, and how it is reported.

Each wrong is the body of a loop of its own, in one sketch; the loop's line is the place that the report
must name. Beside them a periodic loop keeps its period, and a last one checks what they may not have
changed.
"""

from __future__ import annotations

from dataclasses import dataclass

# Addresses of virt's kernel and devices (boards/virt/board.h, ports/aarch64/kernel.ld, image.h).
KERNEL = 0xFFFF_FF80_4008_0000
KERNEL_STACKS = 0xFFFF_FFC0_0000_1000
RAM = 0x4008_0000
UART = 0x0900_0000
GIC = 0x0800_0000
PINS = 0x5000_0000


@dataclass(frozen=True)
class Wrong:
    """text: what the report says besides. address: what it names; None: nothing in particular."""

    name: str
    body: str
    kind: str
    text: str = ""
    address: int | None = None


def _read(name: str, address: int) -> Wrong:
    return Wrong(name, f"sink = *(volatile int*){address:#x}ull;", "bad access", address=address)


def _write(name: str, address: int) -> Wrong:
    return Wrong(name, f"*(volatile int*){address:#x}ull = 1;", "bad access", address=address)


def _jump(name: str, address: int) -> Wrong:
    return Wrong(name, f"jump({address:#x}ull); sink = 1;", "bad access", "no code", address)


def _asm(name: str, code: str, kind: str = "bad instruction", text: str = "") -> Wrong:
    return Wrong(name, f'asm volatile("{code}" ::: "memory", "x0");', kind, text)


def _count(name: str, address: str) -> Wrong:
    return Wrong(name, f"call(28, {address}, 0, 0);", "bad access", "semaphore")


SYSTEM = "used what only the system may"

WRONGS = (
    # --- Memory that is not the sketch's, or not for this use ---
    _read("read null", 0),
    _write("write null", 0),
    _read("read just above null", 0xFF8),
    _read("read between kernel and sketch", 0x4000_0000_0000),
    _read("read an address that is none", 0x00FF_0000_1000_0000),
    _read("read with a tag in the top byte", 0x5500_0000_1000_0000),
    _write("write the header", 0x1000_0000),
    Wrong("write text", "*(volatile int*)&hocket_victim = 1;", "bad access"),
    Wrong("write a constant", "*const_cast<volatile int*>(&constant) = 1;", "bad access"),
    Wrong("write the table of loops", "*(volatile long*)__start_hocket_loops = 1;", "bad access"),
    Wrong("read behind the heap", "sink = *(volatile int*)hocket_heap_end;", "bad access"),
    _read("read below the first stack", 0x2000_0000),
    _read("read above the last stack", 0x3FFF_F000),
    Wrong("read another loop's guard", "sink = *(volatile int*)others_guard;", "bad access"),
    _read("read the kernel's text", KERNEL),
    _write("write the kernel's text", KERNEL),
    _read("read the kernel's stacks", KERNEL_STACKS),
    _write("write the kernel's stacks", KERNEL_STACKS),
    _read("read the last word", 0xFFFF_FFFF_FFFF_FFFC),
    _read("read memory at its physical address", RAM),
    _write("write memory at its physical address", RAM),
    _read("read a device", UART),
    _write("write a device", UART),
    _write("write the interrupt controller", GIC),
    _write("write a device at the kernel's address", 0xFFFF_FF80_0900_0000),
    _read("read pins' registers that it did not ask for", PINS),
    Wrong(
        "atomic access across words",
        'asm volatile("ldxr x0, [%0]" ::"r"(data_code + 1) : "x0");',
        "bad access",
    ),
    # --- Executing what is no code ---
    _jump("call null", 0),
    _jump("call between two instructions", 0x1000_1002),
    _jump("call the kernel", KERNEL),
    _jump("call a device", UART),
    Wrong("execute variables", "jump((uintptr_t)data_code); sink = 1;", "bad access", "no code"),
    Wrong("execute constants", "jump((uintptr_t)const_code); sink = 1;", "bad access", "no code"),
    Wrong(
        "execute the heap",
        "uint32_t *code = new uint32_t(0xd65f03c0); jump((uintptr_t)code); sink = *code;",
        "bad access",
        "no code",
    ),
    Wrong(
        "execute the stack",
        "uint32_t code = 0xd65f03c0; keep(&code); jump((uintptr_t)&code); sink = code;",
        "bad access",
        "no code",
    ),
    # --- Stacks ---
    Wrong("endless recursion", "sink = deeper(1);", "stack overflow"),
    Wrong(
        "an array larger than all stacks",
        "char large[32 << 20]; large[0] = 1; keep(large); sink = large[0];",
        "stack overflow",
    ),
    Wrong(
        "an array of a size that comes late",
        "volatile char late[sizes[1]]; late[0] = 1; sink = late[0];",
        "stack overflow",
    ),
    _asm("no stack", "mov x0, xzr\\n mov sp, x0\\n str xzr, [sp]", "bad access"),
    _asm(
        "the kernel's stack as its own",
        f"ldr x0, ={KERNEL_STACKS + 0x1000:#x}\\n mov sp, x0\\n stp xzr, xzr, [sp, #-16]!",
        "bad access",
    ),
    # --- Instructions for the system alone ---
    _asm("mask interrupts", "msr daifset, #15", text=SYSTEM),
    _asm("mask interrupts by value", "msr daif, x0", text=SYSTEM),
    _asm("read the state", "mrs x0, daif", text=SYSTEM),
    _asm("read the exception level", "mrs x0, CurrentEL"),
    _asm("become the kernel", "msr spsel, #1"),
    _asm("return from an exception", "eret"),
    _asm("call a hypervisor", "hvc #0"),
    _asm("call the firmware", "smc #0"),
    _asm("ask the emulator", "mov w0, #0x18\\n hlt #0xf000"),
    _asm("stop for a debugger", "hlt #1"),
    _asm("forget translations", "tlbi vmalle1"),
    _asm("change the map", "msr ttbr0_el1, xzr"),
    _asm("read the map", "mrs x0, ttbr1_el1"),
    _asm("switch the MMU off", "msr sctlr_el1, xzr"),
    _asm("change the vectors", "msr vbar_el1, xzr"),
    _asm("read the core's own data", "mrs x0, tpidr_el1"),
    _asm("write its read-only thread register", "msr tpidrro_el0, xzr"),
    _asm("set the timer", "msr cntv_ctl_el0, xzr", text=SYSTEM),
    _asm("set the other timer", "msr cntp_cval_el0, xzr", text=SYSTEM),
    _asm("read the physical counter", "mrs x0, cntpct_el0", text=SYSTEM),
    _asm("count cycles", "mrs x0, pmccntr_el0", text=SYSTEM),
    _asm("drop cached data", "mov x0, #0x10000000\\n dc ivac, x0"),
    _asm("write cached data back", "mov x0, #0x10000000\\n dc civac, x0", text=SYSTEM),
    _asm("translate an address", "at s1e1r, x0"),
    _asm("acknowledge an interrupt", "mrs x0, S3_0_C12_C8_0"),
    _asm("interrupt other cores", "msr S3_0_C12_C11_5, xzr"),
    # --- Other instructions that end a program ---
    _asm("a breakpoint", "brk #7", text="reached a trap"),
    _asm("no instruction", "udf #0"),
    Wrong("__builtin_trap()", "__builtin_trap();", "bad instruction", "reached a trap"),
    # --- Ends in the libraries ---
    Wrong("exit()", "exit(3);", "call", "called exit()"),
    Wrong("abort()", "abort();", "call", "called abort()"),
    Wrong("assert()", "assert(sizes[1] == 0);", "call", "assert(sizes[1] == 0)"),
    Wrong("a pure virtual function", "Derived derived; sink = derived.x;", "call", "no body"),
    Wrong("out of memory", "keep(new char[9 << 20]);", "call", "out of memory"),
    Wrong("std::terminate()", "std::terminate();", "call", "std::terminate()"),
    # --- System calls with what is not the sketch's ---
    Wrong("a call that does not exist", "call(1000, 0, 0, 0);", "call", "does not exist"),
    Wrong("a call of number -1", "call(-1, 0, 0, 0);", "call", "does not exist"),
    Wrong(
        "print the kernel",
        f"call(22, 0, {KERNEL:#x}, 16);",
        "bad access",
        "not its own",
        address=KERNEL,
    ),
    Wrong("print from null", "call(22, 0, 0, 16);", "bad access", "not its own", address=0),
    Wrong(
        "print around the end of all addresses",
        "call(22, 0, 0x10000000, -1);",
        "bad access",
        "not its own",
        address=0x1000_0000,
    ),
    Wrong(
        "print from heap into nowhere",
        "call(22, 0, (uintptr_t)hocket_heap_end - 8, 9);",
        "bad access",
        "not its own",
    ),
    _count("a semaphore in the kernel", f"{KERNEL_STACKS + 0x1000:#x}"),
    _count("a semaphore in constants", "(uintptr_t)&constant"),
    Wrong(
        "a semaphore across words",
        "call(28, (uintptr_t)&sink + 1, 0, 0);",
        "bad access",
        "a semaphore at an address that is not a multiple of 4",
    ),
    Wrong(
        "a structure across words",
        "call(46, 0, (uintptr_t)spi.bytes + 1, 0);",
        "bad access",
        "memory at an address that is not a multiple of 8",
    ),
    Wrong(
        "a structure in constants",
        "call(46, 0, (uintptr_t)&constant & -8, 0);",
        "bad access",
        "not its own",
    ),
    Wrong(
        "an SPI transfer's bool of 128",
        "bad_bool.lie(25, 128); call(46, 0, &bad_bool, 0);",
        "call",
        "lowest_first is 128",
    ),
    Wrong(
        "an SPI transfer's mode of 4",
        "bad_mode.lie(24, 4); call(46, 0, &bad_mode, 0);",
        "call",
        "mode is 4: it can be 0 to 3",
    ),
    Wrong(
        "an I2C transfer's bool of 255",
        "bad_flag.lie(27, 255); call(44, 0, &bad_flag, 0);",
        "call",
        "writes is 255",
    ),
    Wrong(
        "an SPI transfer into the kernel",
        f"bad_place.point(8, {KERNEL_STACKS + 0x1000:#x}); call(46, 0, &bad_place, 0);",
        "bad access",
        "not its own",
        address=KERNEL_STACKS + 0x1000,
    ),
    Wrong(
        "give to a semaphore in the kernel",
        f"call(34, {KERNEL_STACKS + 0x1000:#x}, 0, 0);",
        "bad access",
        "semaphore",
    ),
    Wrong(
        "a lock in the kernel",
        f"spinlockLock((Spinlock*){KERNEL_STACKS + 0x1000:#x});",
        "bad access",
    ),
    Wrong("a lock in constants", "spinlockLock((Spinlock*)&constant);", "bad access"),
    Wrong(
        "free a lock of nobody",
        "spinlockUnlock((Spinlock*)&free_word);",
        "call",
        "does not hold",
    ),
    Wrong("a fault's text in the kernel", f"call(30, {KERNEL:#x}, 0, 0);", "call", "stopped"),
    Wrong("end setup() again", "call(1, 0, 0, 0);", "call", "a loop ended setup()"),
)

HEAD = """#include <Hocket.h>
#include <assert.h>
#include <stdlib.h>
#include <new>
#include <exception>

extern "C" char hocket_heap_end[], __start_hocket_loops[];
extern "C" __attribute__((used)) int hocket_victim() { return 5; }
struct Base { Base() { touch(); } void touch(); virtual int value() = 0; int x = 0; };
void __attribute__((noinline)) Base::touch() { x = value(); }
struct Derived : Base { int value() override { return 1; } };

volatile int sink;
volatile int sizes[2] = {0, 3 << 20};
uint32_t free_word;
extern const int constant; const int constant = 77;
__attribute__((aligned(8))) uint32_t data_code[2] = {0xd65f03c0, 0};
extern const uint32_t const_code[1]; const uint32_t const_code[1] = {0xd65f03c0};
uint32_t canary[64];
char *others_guard;
Spinlock lock;

__attribute__((noinline)) void keep(void *pointer) { asm volatile("" ::"r"(pointer) : "memory"); }
#define jump(where) asm volatile("blr %0" ::"r"(where) : "x30", "memory")
int deeper(int n) { volatile char frame[100]; frame[0] = n; return deeper(n + 1) + frame[0]; }
#define call(number, a, b, c) do { \\
  register uint64_t x8 asm("x8") = (uint64_t)(number); register uint64_t x0 asm("x0") = (uint64_t)(a); \\
  register uint64_t x1 asm("x1") = (uint64_t)(b); register uint64_t x2 asm("x2") = (uint64_t)(c); \\
  asm volatile("bl 1f\\n b 2f\\n 1: svc #0\\n ret\\n 2:" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x8) : \\
    : "memory", "x3", "x4", "x5", "x6", "x7", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", \\
      "x17", "x30"); } while (0)
/// A transfer as the kernel reads it: two addresses, sizes and a clock, flags, byte by byte.
struct Transfer {
  alignas(8) uint8_t bytes[40];
  void lie(unsigned at, uint8_t value) { bytes[at] = value; }
  void point(unsigned at, uint64_t address) {
    memcpy(bytes + at, &address, sizeof address);
    bytes[16] = 16;
  }
};
Transfer spi, bad_bool, bad_mode, bad_flag, bad_place;
void setup() {
  Serial.begin(115200);
  for (unsigned i = 0; i < 64; i++) canary[i] = i * 0x01010101u;
  others_guard = (char*)0x20000000;
  spinlockLock(lock); spinlockUnlock(lock);
}
"""

PERIODIC, JUDGE, SPINNER, FIRST = 1, 2, 3, 10

TAIL = f"""
void periodic({PERIODIC}, 200us,  2ms) {{ sink; }}
void loop({SPINNER}, 1, 40) {{ for (;;) {{}} }}
void loop({JUDGE}, 1, 100) {{
  delay(300);
  unsigned wrong = 0;
  for (unsigned i = 0; i < 64; i++) wrong += canary[i] != i * 0x01010101u;
  wrong += constant != 77;
  Serial.println(wrong == 0 ? "whole" : "changed");
}}
"""


def sketch() -> tuple[str, dict[str, tuple[int, int]]]:
    """The sketch of all wrongs, and for each its loop and its line."""
    lines = (HEAD + TAIL).splitlines()
    places = {}
    for index, wrong in enumerate(WRONGS):
        number = FIRST + index
        # Not all at once, and only after the judge has begun.
        lines.append(f"void loop({number}, 200us, 100ms) {{ delay({20 + index}); {wrong.body} }}")
        places[wrong.name] = (number, len(lines))
    return "\n".join(lines) + "\n", places
