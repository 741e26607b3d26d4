"""Resources that only one part may have: a port to send to, an end of a FIFO, an address on a bus."""

from __future__ import annotations

from typing import Any

from hocket.scenario.document import Document
from hocket.scenario.structure import Schema

Where = tuple[str | int, ...]


class Claims:
    """The claims of one board's parts: the document's, or those of the further board at `root`."""

    def __init__(self, document: Document, root: Where) -> None:
        self.document = document
        self.root = root
        self.senders: dict[int, str] = {}
        self.fifos: dict[int, str] = {}
        self.singles: dict[str, str] = {}
        self.addresses: dict[int, str] = {}

    def note(self, name: str, part: dict[str, Any], node: Schema) -> None:
        """Records the part's claims. Raises HocketError if another part has the same resource."""
        extra = node.get("x-hocket", {})
        if extra.get("sends") in part:
            self.note_sender(name, part["port"])
        if "ends" in extra:
            self.note_fifo(name, part)
        if extra.get("single"):
            self.note_single(name, part["type"])
        if "holds" in node["properties"]:  # a device on the I2C bus
            self.note_address(name, part, node)

    def note_sender(self, name: str, port: int) -> None:
        if port in self.senders:
            raise self.document.error(
                (*self.root, "parts", name),
                f"{self.senders[port]} and {name} both send to serial port {port}",
                "put one of them on another port",
            )
        self.senders[port] = name

    def note_fifo(self, name: str, part: dict[str, Any]) -> None:
        """Records a program at one end of a FIFO. It reads a FIFO with an even number and writes one with an
        odd number."""
        fifo, where = part["fifo"], (*self.root, "parts", name)
        reads = fifo % 2 == 0
        wrong = "send" if reads else "expect"
        if wrong in part:
            raise self.document.error(
                (*where, wrong),
                f"{name} has {wrong}, and FIFO {fifo} goes {'to' if reads else 'from'} Linux",
                "programs of Linux read FIFO 0, 2, 4 and 6, and write 1, 3, 5 and 7",
            )
        if fifo in self.fifos:
            raise self.document.error(
                where,
                f"{self.fifos[fifo]} and {name} are both at FIFO {fifo}",
                "put one of them at another FIFO",
            )
        self.fifos[fifo] = name

    def note_single(self, name: str, kind: str) -> None:
        if kind in self.singles:
            raise self.document.error(
                (*self.root, "parts", name),
                f"{self.singles[kind]} and {name} are both of type {kind}, which a board has once",
                "keep one of them",
            )
        self.singles[kind] = name

    def note_address(self, name: str, part: dict[str, Any], node: Schema) -> None:
        """Records the address of a device on the bus. Two devices with one address would both respond."""
        address = part.get("address", node["properties"]["address"].get("default"))
        if address in self.addresses:
            raise self.document.error(
                (*self.root, "parts", name),
                f"{self.addresses[address]} and {name} are both at address 0x{address:02x} of the bus",
                "give one of them another address",
            )
        self.addresses[address] = name
