"""The load of Linux while interrupts are measured: none, playing a film, writing to a disk, sending over a
network.

As in the paper on RTLinux-THIN: mplayer, Bonnie, iperf, and in addition stress-ng. Everything is in memory,
so that runs are repeatable: the film's pictures are files, the disk is a file with ext4, the network is the
loopback.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass

from hocket.linux.overlay import JOB, Overlay

PICTURES = 25  # of the film, repeated: one second
SIZE = (640, 480)


@dataclass(frozen=True)
class Load:
    """begin: shell commands that start the load in the background. label: for tables."""

    name: str
    label: str
    begin: str


LOADS = (
    Load("idle", "idle", ""),
    Load(
        "film",
        "mplayer",
        "mplayer -really-quiet -nosound -vo null -loop 0 -mf fps=25:type=jpg 'mf://film/*.jpg'"
        " </dev/null >/dev/null 2>&1 &\n",
    ),
    Load(
        "disk",
        "bonnie++",
        "dd if=/dev/zero of=/tmp/disk bs=1M count=160 2>/dev/null\n"
        "mke2fs -q -t ext4 /tmp/disk && mount -o loop /tmp/disk /mnt && mkdir /mnt/b\n"
        "(while :; do bonnie++ -d /mnt/b -s 96 -r 48 -n 0 -f -u root -q; done) >/dev/null 2>&1 &\n",
    ),
    Load(
        "network",
        "iperf3",
        "iperf3 -s -D; sleep 0.1\niperf3 -c 127.0.0.1 -t 600 >/dev/null 2>&1 &\n",
    ),
)

# Loads the processor, the kernel and the memory at once, by programs that never wait.
STRESS = Load(
    "stress",
    "stress-ng",
    "stress-ng --temp-path /tmp --cpu 1 --io 1 --vm 1 --vm-bytes 16M >/dev/null 2>&1 &\n",
)


def overlay(load: Load, then: str) -> Overlay:
    """Returns a job that starts the load, waits a moment, and runs `then` (shell commands)."""
    files = {f"film/{number:02}.jpg": (picture(number), False) for number in range(PICTURES)}
    text = f"#!/bin/sh\n{load.begin}sleep 0.1\n{then}"
    return Overlay({JOB: (text.encode(), True), **(files if load.name == "film" else {})})


def picture(number: int) -> bytes:
    """Returns one picture of the film as JPEG: a disc that moves in a circle on a pattern."""
    from PIL import Image, ImageDraw

    width, height = SIZE
    image = Image.new("RGB", SIZE)
    draw = ImageDraw.Draw(image)
    for at in range(0, width, 16):
        color = (at * 255 // width, (at * 7) % 256, 255 - at * 255 // width)
        draw.rectangle((at, 0, at + 15, height), fill=color)
    angle = 2 * math.pi * number / PICTURES
    x, y = width / 2 + 150 * math.cos(angle), height / 2 + 150 * math.sin(angle)
    draw.ellipse((x - 60, y - 60, x + 60, y + 60), fill=(250, 250, 120))
    written = io.BytesIO()
    image.save(written, "JPEG", quality=85)
    return written.getvalue()
