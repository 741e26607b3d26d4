"""The answer by libgpiod, the library for the GPIO chip's character device."""

import gpiod
from way import begin

line_in, line_out, _ = begin()
chip = gpiod.Chip("gpiochip0")
edge, out = chip.get_line(line_in), chip.get_line(line_out)
out.request(consumer="response", type=gpiod.LINE_REQ_DIR_OUT, default_vals=[0])
edge.request(consumer="response", type=gpiod.LINE_REQ_EV_RISING_EDGE)
while True:
    out.set_value(1)
    out.set_value(0)
    edge.event_wait(sec=3600)
    edge.event_read()
