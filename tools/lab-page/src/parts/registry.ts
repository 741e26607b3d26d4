// Which drawing a part of the scenario has, by its type.
import { characters, lights, oled } from "./displays.ts";
import { buzzer, digits, max7219, motor, relay, rgbLed, stepper } from "./kit.ts";
import { keypad } from "./keypad.ts";
import { potentiometer } from "./knob.ts";
import * as modules from "./modules.ts";
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
  ahrs: modules.ahrs,
  bme280: modules.bme280,
  ds18b20: modules.ds18b20,
  ds3231: modules.clock,
  eeprom: modules.eeprom,
  eeprom_24c: modules.eeprom24c,
  fifo: modules.fifo,
  generator: modules.generator,
  gps: modules.gps,
  ground_station: modules.groundStation,
  helicopter: modules.helicopter,
  hx711: modules.scale,
  i2c_registers: modules.i2cRegisters,
  ir_led: modules.infraredLed,
  ir_receiver: modules.infraredReceiver,
  ldr: modules.lightSensor,
  lm35: modules.lm35,
  loopback: modules.loopback,
  mfrc522: modules.cards,
  mpu6050: modules.motionSensor,
  mq2: modules.gasSensor,
  ntc: modules.thermistor,
  probe: modules.probe,
  rotary_encoder: modules.encoder,
  sd_card: modules.card,
  serial: modules.serialDevice,
  serial_pins: modules.serialDevice,
  soil_sensor: modules.soil,
  spi_registers: modules.spiRegisters,
  tmp36: modules.tmp36,
  w5500: modules.ethernet,
  wire: modules.wire,
};
