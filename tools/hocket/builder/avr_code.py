"""Corrects three code generation errors of clang 19 for AVR in the finished object, and reports a fourth.

**Arguments on the stack.** A function without a frame lowers the stack pointer through Z, and stores the
stack arguments of a call through Z. If computing an argument takes a branch (`c ? a : b`, a shift by a
variable), clang emits the stores behind the branch through Y, which points nowhere (llvm-project issue
163015). Such a store is changed to use Z. Clang also loses the previous content of Z, which may itself be an
argument. In that case the file is compiled once more with a variable in memory in that function, which forces
a frame.

**Arrays of variable length, alloca().** Clang takes the lowered stack pointer for the address of the array.
But the pointer of an AVR points below the last byte, so the next call overwrites the first element, and a
write to it changes the return address. Such a file is compiled once more, with arrays that begin one byte
higher. In such a function clang moves the stack pointer for the arguments of each call, too. If it stores one
of them through Y then, which points to the variables, the function is reported as an error.

**Operands that are undefined.** In `(x >> 15) & 1` the upper half of x does not matter. The shift adds a
register of that half to itself to get the carry, but clang picks two different registers, whose sum is
arbitrary: `adc rd, rr` instead of `adc rd, rd`. Only the compiler's dump of its last passes shows that a
register is undefined. The dump is requested for objects that have such an instruction behind a shift. If the
dump does not say which of the instructions is affected, the function is reported as an error.

**Arguments of a caller on the stack.** Where a return address has three bytes, a function reads them as if it
had two. Such a function is reported as an error.

Instructions: AVR Instruction Set Manual (Atmel 0856).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from hocket.avr_chips import CHIPS, Chip
from hocket.builder.callers_arguments import reads_callers
from hocket.builder.llvm_text import Run, through_text

DUMPS = "llvm-dwarfdump-19"
_Z = (30, 31)
_IN_Z, _OUT_Z = 0xB7ED, 0xBFED  # the lower half of the stack pointer
_IN_Y = 0xB7CD
_CALLS = (0x9509, 0x9519)  # icall, eicall
_ASSUMED = 2  # bytes of a return address, as clang has it on every AVR
_Y, _OUT, _OUT_MASK = 28, 0xBE0D, 0xFE0F  # writes the lower half
# The most instructions between reading the stack pointer into Z and writing it back.
_LOWERED_WITHIN = 9
_STORE, _STORE_MASK, _THROUGH_Y = 0x8200, 0xD200, 0x0008
_ADC = re.compile(
    r"\$r(\d+) = ADCRdRr (undef )?(?:renamable )?\$r\1\(tied-def 0\), "
    r"(undef )?(?:killed )?(?:renamable )?\$r(\d+)"
)
# The beginning of a function's first block in LLVM's text.
_BEGIN = re.compile(r'^define .*@(?P<name>"[^"]+"|[\w.$]+)\(.*\{\n(?:\S+:.*\n)?', re.MULTILINE)
# A cast between the address of a function and that of data. Clang writes such casts but cannot read them.
_CAST = re.compile(
    r"^ *%(\S+) = bitcast (ptr(?: addrspace\(\d\))?) (.+) to (ptr(?: addrspace\(\d\))?)(,.*)?$",
    re.MULTILINE,
)
# An array whose length is computed, or alloca(), with its number of elements.
_COUNTED = re.compile(
    r"^ *(?P<name>%\S+) = alloca (?P<type>.+?), i16 (?P<count>[%\w.\"-]+)(?P<rest>, align \d+.*)$",
    re.MULTILINE,
)
# The same holds for the extension of an empty class that is passed by value.
_EXTENDED = re.compile(r'(%"?(?:class|struct|union)\.[^\s,()"]*"?(?: noundef)?) (?:zero|sign)ext')
# What helps against a lost operand, by whether the function has an array of computed length.
_ADVICE = {
    False: "put one of them into a `volatile` variable before",
    True: "give its arrays lengths that are constants, or move calls of many arguments to a function of "
    "their own",
}
_ASKED = ("-mllvm", "-print-after=virtregrewriter", "-S", "-o", "-")


@dataclass
class _Function:
    """A function in an object. begin: the file offset of its words. name: its symbol."""

    name: str
    begin: int
    words: list[int]


def is_of_clang(command: Sequence[str]) -> bool:
    """Returns whether the command generates AVR code with clang."""
    return "--target=avr" in command and "-fsyntax-only" not in command


def mend(command: Sequence[str], source: Path, product: Path, run: Run) -> str:
    """Corrects an object in place, or compiles it again. Returns errors in the compilers' format for what
    cannot be corrected. command: the command that made the object, without its output (`-o`)."""
    made_by, framed = list(command), set[str]()
    arrays = any(_has_computed_arrays(each.words) for each in _functions(product))
    while True:
        frames = {each.name for each in _functions(product) if _arguments(each.words)[1]}
        if frames <= framed and not arrays:
            break
        framed |= frames
        arrays = False
        before = product.read_bytes()
        done, made_by = through_text(command, source, product, run, partial(_changed, framed))
        if done.returncode != 0:
            product.write_bytes(before)  # its functions are reported as errors below
            break
    content = bytearray(product.read_bytes())
    errors = list[str]()
    long_addresses = any(chip.return_bytes > _ASSUMED for chip in map(_chip_of, command) if chip)
    for function in _functions(product):
        if long_addresses and reads_callers(function.words):
            place = _line(function, product, run) or f"{source}:1"
            errors.append(
                f"{place}:1: error: this function gets arguments on the stack, which clang would read one "
                "byte off on this processor: give it fewer arguments, in a struct that is passed by "
                "reference, and no `...`\n"
            )
        patches, lost = _arguments(function.words)
        if _suspicious(function.words):
            more, unclear = _of_nothing(function, made_by, run)
            patches, lost = patches | more, lost | unclear
        if lost:
            place = _line(function, product, run) or f"{source}:1"
            errors.append(
                f"{place}:1: error: clang would compile this function wrong, as it loses an argument of a "
                f"call or an operand of a shift: {_ADVICE[_has_computed_arrays(function.words)]}\n"
            )
        for at, word in patches.items():
            begin = function.begin + 2 * at
            content[begin : begin + 2] = word.to_bytes(2, "little")
    if content != product.read_bytes() and not errors:
        product.write_bytes(content)
    return "".join(errors)


def _changed(framed: Collection[str], text: str) -> str:
    return _with_frames(framed, _above_the_pointer(text))


def _above_the_pointer(text: str) -> str:
    """Returns LLVM's text with arrays of a computed length that begin one byte above the address that clang
    takes, and have one element more. That is right as well where clang finds that the length is constant."""

    def moved(array: re.Match[str]) -> str:
        name = array["name"].strip('%"')
        return (
            f'  %"hocket_count.{name}" = add i16 {array["count"]}, 1\n'
            f'  %"hocket_low.{name}" = alloca {array["type"]}, i16 %"hocket_count.{name}"{array["rest"]}\n'
            f'  {array["name"]} = getelementptr i8, ptr %"hocket_low.{name}", i16 1'
        )

    return _COUNTED.sub(moved, text)


def _with_frames(functions: Collection[str], text: str) -> str:
    """Returns LLVM's text with a variable in memory in each of these functions. The variable forces a frame,
    and clang then stores stack arguments through the frame pointer."""

    def with_variable(begin: re.Match[str]) -> str:
        if begin["name"].strip('"') not in functions:
            return begin[0]
        return (
            f"{begin[0]}  %hocket_frame = alloca i8, align 1\n"
            "  store volatile i8 0, ptr %hocket_frame, align 1\n"
        )

    text = _CAST.sub(
        r"  %hocket_\1 = ptrtoint \2 \3 to i16\n  %\1 = inttoptr i16 %hocket_\1 to \4\5", text
    )
    return str(_BEGIN.sub(with_variable, _EXTENDED.sub(r"\1", text)))


def _functions(product: Path) -> Iterator[_Function]:
    with product.open("rb") as stream:
        try:
            elf = ELFFile(stream)
        except ELFError:
            return
        table = elf.get_section_by_name(".symtab")
        if not isinstance(table, SymbolTableSection):
            return
        for symbol in table.iter_symbols():
            index = symbol["st_shndx"]
            if symbol["st_info"]["type"] != "STT_FUNC" or isinstance(index, str):
                continue
            section = elf.get_section(index)
            if not section["sh_flags"] & SH_FLAGS.SHF_EXECINSTR:
                continue
            start, size = symbol["st_value"], symbol["st_size"] & ~1
            code = section.data()[start : start + size]
            words = [low | high << 8 for low, high in zip(code[::2], code[1::2], strict=True)]
            yield _Function(symbol.name, section["sh_offset"] + start, words)


def _arguments(words: Sequence[int]) -> tuple[dict[int, int], set[int]]:
    """Returns the words of a function to replace, by index, and the indices at which a call loses an
    argument."""
    patches, lost = dict[int, int](), set[int]()
    has_frame = _IN_Y in words  # then only one with computed arrays lowers the pointer for a call
    for at, word in enumerate(words):
        if word == _OUT_Z and _lowers(words, at):
            for place, has_z in _before_the_call(words, at + 1):
                stores = words[place] & _STORE_MASK == _STORE
                if has_z and (_reads_z(words[place]) or words[place] in _CALLS):
                    lost.add(place)  # uses the previous content of Z
                elif stores and (not has_z or (has_frame and words[place] & _THROUGH_Y)):
                    lost.add(place)
                elif stores and words[place] & _THROUGH_Y:
                    patches[place] = words[place] & ~_THROUGH_Y
    return patches, lost


def _chip_of(word: str) -> Chip | None:
    return CHIPS.get(word.removeprefix("-mmcu="))


def _has_computed_arrays(words: Sequence[int]) -> bool:
    """Returns whether the function has a frame and writes the stack pointer from another register than Y."""
    return _IN_Y in words and any(
        word & _OUT_MASK == _OUT and word >> 4 & 0x1F != _Y for word in words
    )


def _lowers(words: Sequence[int], at: int) -> bool:
    """Returns whether the instruction at this index writes back a lowered stack pointer."""
    low = 0
    for word in words[max(0, at - _LOWERED_WITHIN) : at]:
        constant = (word >> 4 & 0xF0) | (word & 0xF)
        if word == _IN_Z:
            low, lowered = 0, False
        elif word & 0xFF30 == 0x9730:  # sbiw of Z
            lowered = True
        elif word & 0xFF30 == 0x9630:  # adiw
            lowered = False
        elif word & 0xF0F0 == 0x50E0:  # subi of ZL
            low = constant
        elif word & 0xF0F0 == 0x40F0:  # sbci of ZH
            lowered = not constant & 0x80 and (constant << 8 | low) != 0
    return _IN_Z in words[max(0, at - _LOWERED_WITHIN) : at] and lowered


def _before_the_call(words: Sequence[int], begin: int) -> Iterator[tuple[int, bool]]:
    """Yields the instructions on all paths from here to a call, and whether Z still holds the stack pointer.
    The only stores on these paths are those of arguments, because the stores of the program itself stay in
    order with its calls."""
    waiting, seen = [(begin, True)], set[tuple[int, bool]]()
    while waiting:
        at, has_z = waiting.pop()
        if not 0 <= at < len(words) or (at, has_z) in seen:
            continue
        seen.add((at, has_z))
        yield at, has_z
        word = words[at]
        next_ = at + (2 if _long(word) else 1)
        if word & 0xFE0E == 0x940E or word & 0xF000 == 0xD000 or word in (*_CALLS, 0x9508, 0x9518):
            continue  # call, rcall, icall, ret, reti
        if word & 0xF000 == 0xC000:  # rjmp
            offset = word & 0xFFF
            waiting.append((next_ + (offset - 0x1000 if offset & 0x800 else offset), has_z))
            continue
        if word & 0xF800 == 0xF000:  # branches
            offset = word >> 3 & 0x7F
            waiting.append((next_ + (offset - 0x80 if offset & 0x40 else offset), has_z))
        elif word & 0xFC00 == 0x1000 or word & 0xFC08 == 0xFC00 or word & 0xFD00 == 0x9900:  # skips
            skipped = words[next_] if next_ < len(words) else 0
            waiting.append((next_ + (2 if _long(skipped) else 1), has_z))
        waiting.append((next_, has_z and not _writes(word, _Z)))


def _long(word: int) -> bool:
    """Returns whether the instruction has two words."""
    return word & 0xFC0F == 0x9000 or word & 0xFE0C == 0x940C


def _writes(word: int, registers: Sequence[int]) -> bool:
    """Returns whether the instruction writes one of these registers (numbers above 15)."""
    kind, one = word & 0xFC00, word >> 4 & 0x1F
    if word & 0xFF00 == 0x0100:  # movw
        return (word >> 4 & 0xF) * 2 in registers
    if word & 0xFE00 == 0x9600:  # adiw, sbiw
        return 24 + (word >> 4 & 3) * 2 in registers
    if word & 0xF000 in (0x4000, 0x5000, 0x6000, 0x7000, 0xE000):  # with a constant
        return 16 + (word >> 4 & 0xF) in registers
    if kind in (0x0800, 0x0C00, 0x1800, 0x1C00, 0x2000, 0x2400, 0x2800, 0x2C00):  # of two registers
        return one in registers
    if word & 0xFE00 == 0x9400:  # of one
        return word & 0xF in (0, 1, 2, 3, 5, 6, 7, 10) and one in registers
    if word & 0xFE00 in (0x9000, 0x9200) and word & 0xF in (1, 2):  # Z+, -Z
        return True
    loads = word & 0xD200 == 0x8000 or word & 0xFE00 == 0x9000
    return (loads or word & 0xF800 == 0xB000 or word & 0xFE08 == 0xF800) and one in registers


def _reads_z(word: int) -> bool:
    """Returns whether the instruction reads half of Z for anything but the address of a store."""
    kind, one, two = word & 0xFC00, word >> 4 & 0x1F, (word >> 5 & 0x10) | (word & 0xF)
    if word & 0xFF00 == 0x0100:  # movw
        return word & 0xF == 0xF
    if word & 0xFE00 == 0x9600:  # adiw, sbiw
        return word >> 4 & 3 == 3
    if word & 0xF000 in (0x3000, 0x4000, 0x5000, 0x6000, 0x7000):  # with a constant
        return word >> 4 & 0xF >= 14
    if kind == 0x2C00 or (kind == 0x2400 and one == two):  # mov, and eor that clears a register
        return one != two and two in _Z
    if 0x0400 <= kind <= 0x2800 or kind == 0x9C00:  # of two registers
        return one in _Z or two in _Z
    if word & 0xFE00 == 0x9400:  # of one
        return word & 0xF in (0, 1, 2, 3, 5, 6, 7, 10) and one in _Z
    if word & 0xD208 == 0x8000 or (word & 0xFE00 == 0x9000 and word & 0xF in (1, 2, 4, 5)):
        return True  # loads through Z
    stores = word & _STORE_MASK == _STORE or word & 0xFE00 == 0x9200
    return (stores or word & 0xF800 == 0xB800) and one in _Z


def _sums(word: int) -> tuple[int, int, bool] | None:
    """Returns the two registers of an `add` or `adc`, and whether it is an `adc`. None: another
    instruction."""
    if word & 0xEC00 != 0x0C00:
        return None
    return word >> 4 & 0x1F, (word >> 5 & 0x10) | (word & 0xF), bool(word & 0x1000)


def _suspicious(words: Sequence[int]) -> bool:
    """Returns whether an `adc` of two registers follows an instruction that adds a register to itself."""
    for before, word in pairwise(words):
        first, second = _sums(before), _sums(word)
        if first is None or second is None or not second[2]:
            continue
        if first[0] == first[1] and second[0] != second[1] and second[1] != 1:
            return True
    return False


def _of_nothing(
    function: _Function, command: Sequence[str], run: Run
) -> tuple[dict[int, int], set[int]]:
    """As _arguments(), for sums of two undefined registers. The second value has the ambiguous
    instructions."""
    words = [word for word in command if word not in ("-c", "-MD")]
    told = run([*words, *_ASKED, "-mllvm", f"-filter-print-funcs={function.name}"]).stderr
    meant, nothing = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for match in _ADC.finditer(told):
        pair = int(match[1]), int(match[4])
        if match[2] and match[3] and pair[0] != pair[1]:
            nothing[pair] += 1
        else:
            meant[pair] += 1
    patches, lost = dict[int, int](), set[int]()
    for at, word in enumerate(function.words):
        sums = _sums(word)
        if sums is None or not sums[2] or sums[:2] not in nothing:
            continue
        if sums[:2] in meant:
            lost.add(at)
        else:
            patches[at] = 0x1C00 | (sums[0] & 0x10) << 5 | sums[0] << 4 | sums[0] & 0xF
    return patches, lost


def _line(function: _Function, product: Path, run: Run) -> str:
    """Returns the file and line that define a function of an object, as FILE:LINE. Line numbers inside the
    function are not reliable: the line of a call may be that of an inlined argument."""
    told = run([DUMPS, f"--name={function.name}", str(product)]).stdout
    file = re.search(r'DW_AT_decl_file\t\("(.+)"\)', told)
    line = re.search(r"DW_AT_decl_line\t\((\d+)\)", told)
    return f"{file[1]}:{line[1]}" if file and line else ""
