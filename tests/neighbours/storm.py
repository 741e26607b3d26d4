"""Storms of edges in a random sketch (draw.py): handlers, what drives them, loops with sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.neighbours.boards import Board, Direct, Loop
from tests.neighbours.texts import HANDLERS, LONG_SECTIONS, SECTIONS, SLOW_HANDLERS, WOKEN

if TYPE_CHECKING:
    from tests.neighbours.draw import Draw


class Storm:
    """Of a sketch that is being drawn: `loops` and `directs` are what admission counts for it, `text` and
    `set_up` what the sketch has, `scenario` what happens at its pins."""

    def __init__(self, draw: Draw) -> None:
        self.draw, self.rng, self.board = draw, draw.rng, draw.board
        self.loops: list[Loop] = []
        self.directs: list[Direct] = []
        self.text = self.set_up = ""
        self.scenario = "parts:\n"
        self.pins = self.rng.sample(
            self.board.pins, self.rng.randint(1, min(3, len(self.board.pins)))
        )
        if self.board.masks:
            self.in_the_interrupt()
        else:
            self.on_virtual_cpus()
        for pin in self.pins:
            self.edges(pin)
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            draw.section()
        if self.rng.random() < 0.3:
            self.text += f"HOCKET_LONGEST_SECTION({self.rng.choice((200, 1000, 5000))}us)\n"

    @staticmethod
    def sections(board: Board) -> list[str]:
        return list((SECTIONS | ({} if board.masks else LONG_SECTIONS)).values())

    def edges(self, pin: int) -> None:
        rng = self.rng
        longest = rng.choice((0.01, 0.05, 0.2, 1, 5)) * (5 if self.board.masks else 1)
        shortest = rng.choice((0, 0, longest))
        self.scenario += (
            f"  g{pin}: {{type: generator, pin: {pin}, start: {rng.choice((0, 2, 20))} ms, "
            f"gaps: {{shortest: {shortest} ms, longest: {longest} ms}}}}\n"
        )

    def handler(self, pin: int, loop: Loop) -> str:
        """Its function; what it wakes is a loop like all others."""
        draw = self.draw
        bodies = HANDLERS if self.board.masks else HANDLERS | SLOW_HANDLERS
        body = bodies[self.rng.choice(list(bodies))]
        if "{a}" in body:
            woken = draw.contract(loop.core)
            woken.body = WOKEN.format(a=f"edge{pin}")
            body = body.format(a=f"edge{pin}")
            draw.head += f"Semaphore edge{pin}(0);\n"
            draw.add(woken)
        loop.body = body
        return f"void h{pin}() {{ {draw.filled(loop)} }}\n"

    def mode(self) -> str:
        return self.rng.choice(("RISING", "CHANGE", "CHANGE"))

    # --- Handlers on virtual CPUs of their own ---

    def on_virtual_cpus(self) -> None:
        rng, draw = self.rng, self.draw
        several = self.board.most_cores > 1
        if rng.random() < 0.2:
            self.direct(self.pins[0])
        handled = self.pins[len(self.directs) :]
        for pin in handled:
            loop = draw.contract(rng.randrange(draw.cores))
            loop.kind, loop.number = "isr", 200 + pin
            self.text += self.handler(pin, loop)
            pinned = f", onCore({loop.core})" if several else ""
            self.set_up += (
                f"  attachInterruptVcpu({pin}, h{pin}, {self.mode()}, {loop.budget}us, "
                f"{loop.period}us{pinned});\n"
            )
            self.loops.append(loop)
        if not handled:
            return
        # Its period is the shortest of the handlers', and so is its deadline.
        core, period = rng.randrange(draw.cores), min(loop.period for loop in self.loops)
        budget = max(20, draw.speed.smallest, int(period * rng.choice((0.02, 0.1, 0.2))))
        self.set_up += f"  interruptsVcpu({budget}us, {period}us"
        self.set_up += f", onCore({core}));\n" if several else ");\n"
        io = Loop(core, budget, period, kind="io", number=200, top_half=draw.speed.top_half)
        self.loops.append(io)

    def direct(self, pin: int) -> None:
        length, distance = self.rng.choice((3, 10)), self.rng.choice((300, 1000, 5000))
        self.text += f"void h{pin}() {{ sink = sink + 1; }}\n"
        self.set_up += (
            f"  attachInterruptDirect({pin}, h{pin}, {self.mode()}, {length}us, {distance}us);\n"
        )
        self.directs.append(Direct(length + self.draw.speed.direct, distance))

    # --- Handlers in the interrupt itself, whose time together is bounded ---

    def in_the_interrupt(self) -> None:
        period = self.rng.choice(self.board.periods)
        budget = max(200, self.draw.speed.smallest, int(period * self.rng.choice((0.03, 0.1, 0.2))))
        for pin in self.pins:
            # It masks interrupts as it runs, three times as long as that at most.
            longest = self.rng.choice((0.05, 0.25)) * self.draw.speed.masked
            self.text += self.handler(pin, Loop(0, longest, period))
            self.set_up += (
                f"  attachInterrupt(digitalPinToInterrupt({pin}), h{pin}, {self.mode()});\n"
            )
        self.set_up = f"  interruptsVcpu({budget}us, {period}us);\n{self.set_up}"
        self.directs.append(Direct(budget, period, once=budget + 300))
