// Which drawing a part of the scenario has, by its type.
import { characters, lights, oled } from "./displays.ts";
import { buzzer, digits, max7219, motor, relay, rgbLed, stepper } from "./kit.ts";
import { keypad } from "./keypad.ts";
import { potentiometer } from "./knob.ts";
import type { Draw } from "./part.ts";
import { button, climate, led, servo, sonar } from "./simple.ts";
import { stage } from "./stage.ts";

export const DRAWINGS: Record<string, Draw> = {
  led,
  button,
  keypad,
  potentiometer,
  servo,
  hcsr04: sonar,
  dht22: climate,
  ssd1306: oled,
  hd44780: characters,
  ws2812: lights,
  motors: stage,
  buzzer,
  relay,
  max7219,
  rgb_led: rgbLed,
  a4988: stepper,
  uln2003: stepper,
  dc_motor: motor,
  tm1637: digits,
};
