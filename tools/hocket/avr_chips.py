"""Facts of the chips of boards with an AVR that the command line needs, by the name in board.toml.

Data sheets: ATmega328P, chapters 12, 15 and 16; ATmega640/1280/2560, chapters 14 and 33.
arduino/cores/avr8/image/chip_model.cpp has what the simulator needs.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Chip:
    """flash, ram: bytes. data_begin: the address of the first byte of RAM. return_bytes: of an address that a
    call pushes. vectors: the interrupts by number, each with its purpose. clock_timer: the timer that is the
    clock of loops. clock_registers: its registers by address."""

    name: str
    flash: int
    ram: int
    data_begin: int
    return_bytes: int
    vectors: tuple[str, ...]
    clock_timer: int
    clock_registers: dict[int, str]

    @property
    def data_end(self) -> int:
        return self.data_begin + self.ram


def _registers(timer: int, begin: int, masks: int) -> dict[int, str]:
    """Returns the registers of a timer of 16 bits that begin at this address."""
    offsets = {
        0: f"TCCR{timer}A", 1: f"TCCR{timer}B", 2: f"TCCR{timer}C", 4: f"TCNT{timer}", 5: f"TCNT{timer}",
        8: f"OCR{timer}A", 9: f"OCR{timer}A", 10: f"OCR{timer}B", 11: f"OCR{timer}B",
    }  # fmt: skip
    return {**{begin + offset: name for offset, name in offsets.items()}, masks: f"TIMSK{timer}"}


ATMEGA328P = Chip(
    name="atmega328p",
    flash=32_768,
    ram=2_048,
    data_begin=0x100,
    return_bytes=2,
    vectors=(
        "reset", "INT0 (pin 2)", "INT1 (pin 3)", "PCINT0 (pins 8 to 13)", "PCINT1 (pins A0 to A5)",
        "PCINT2 (pins 0 to 7)", "WDT (watchdog)", "TIMER2_COMPA", "TIMER2_COMPB", "TIMER2_OVF",
        "TIMER1_CAPT", "TIMER1_COMPA", "TIMER1_COMPB", "TIMER1_OVF", "TIMER0_COMPA", "TIMER0_COMPB",
        "TIMER0_OVF", "SPI_STC", "USART_RX", "USART_UDRE", "USART_TX", "ADC", "EE_READY", "ANALOG_COMP",
        "TWI", "SPM_READY",
    ),
    clock_timer=1,
    clock_registers=_registers(1, 0x80, 0x6F),
)  # fmt: skip

ATMEGA2560 = Chip(
    name="atmega2560",
    flash=262_144,
    ram=8_192,
    data_begin=0x200,
    return_bytes=3,
    vectors=(
        "reset", "INT0 (pin 21)", "INT1 (pin 20)", "INT2 (pin 19)", "INT3 (pin 18)", "INT4 (pin 2)",
        "INT5 (pin 3)", "INT6", "INT7", "PCINT0 (pins 10 to 13 and 50 to 53)", "PCINT1 (pins 14 and 15)",
        "PCINT2 (pins A8 to A15)", "WDT (watchdog)", "TIMER2_COMPA", "TIMER2_COMPB", "TIMER2_OVF",
        "TIMER1_CAPT", "TIMER1_COMPA", "TIMER1_COMPB", "TIMER1_COMPC", "TIMER1_OVF", "TIMER0_COMPA",
        "TIMER0_COMPB", "TIMER0_OVF", "SPI_STC", "USART0_RX", "USART0_UDRE", "USART0_TX", "ANALOG_COMP",
        "ADC", "EE_READY", "TIMER3_CAPT", "TIMER3_COMPA", "TIMER3_COMPB", "TIMER3_COMPC", "TIMER3_OVF",
        "USART1_RX", "USART1_UDRE", "USART1_TX", "TWI", "SPM_READY", "TIMER4_CAPT", "TIMER4_COMPA",
        "TIMER4_COMPB", "TIMER4_COMPC", "TIMER4_OVF", "TIMER5_CAPT", "TIMER5_COMPA", "TIMER5_COMPB",
        "TIMER5_COMPC", "TIMER5_OVF",
        "USART2_RX", "USART2_UDRE", "USART2_TX", "USART3_RX", "USART3_UDRE", "USART3_TX",
    ),
    clock_timer=5,
    clock_registers=_registers(5, 0x120, 0x73),
)  # fmt: skip

CHIPS = {chip.name: chip for chip in (ATMEGA328P, ATMEGA2560)}
MOST_FLASH = max(chip.flash for chip in CHIPS.values())
