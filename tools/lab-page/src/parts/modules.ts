// Pictures of parts that show no more than their facts: by @wokwi/elements where it has them, else drawn here.
import "@wokwi/elements/dist/esm/ds1307-element.js";
import "@wokwi/elements/dist/esm/gas-sensor-element.js";
import "@wokwi/elements/dist/esm/hx711-element.js";
import "@wokwi/elements/dist/esm/ir-receiver-element.js";
import "@wokwi/elements/dist/esm/ky-040-element.js";
import "@wokwi/elements/dist/esm/microsd-card-element.js";
import "@wokwi/elements/dist/esm/mpu6050-element.js";
import "@wokwi/elements/dist/esm/ntc-temperature-sensor-element.js";
import "@wokwi/elements/dist/esm/photoresistor-sensor-element.js";
import { make, svg } from "../dom.ts";
import type { Draw } from "./part.ts";
import { drawn } from "./simple.ts";

const [WIDE, HIGH] = [112, 78]; // at most

/** As large as fits; the drawing itself knows how large it is when it is on the page. */
export function fitted(element: HTMLElement, wide = WIDE, high = HIGH): HTMLElement {
  const place = make("div", { class: "fitted" }, element);
  new ResizeObserver(() => {
    const [width, height] = [element.offsetWidth, element.offsetHeight];
    if (width === 0 || height === 0) return;
    const scale = Math.min(1, wide / width, high / height);
    element.style.transform = `scale(${scale})`;
    place.style.width = `${width * scale}px`;
    place.style.height = `${height * scale}px`;
  }).observe(element);
  return place;
}

function ofWokwi(name: string, properties: Record<string, unknown> = {}): Draw {
  return () => ({ drawing: fitted(drawn(name, properties)), facts: true });
}

type Shape = SVGElement;

function picture(width: number, height: number, ...shapes: Shape[]): Draw {
  // One picture is drawn for each part: shapes are copied.
  return () => ({
    drawing: svg("svg", { class: "module", viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" },
      ...shapes.map((shape) => shape.cloneNode(true))),
    facts: true,
  });
}

const box = (x: number, y: number, width: number, height: number, fill: string, rx = 2): Shape =>
  svg("rect", { x, y, width, height, fill, rx });
const round = (cx: number, cy: number, r: number, fill: string, stroke = "none"): Shape => svg("circle", { cx, cy, r, fill, stroke });
const path = (d: string, stroke: string, width = 2): Shape =>
  svg("path", { d, stroke, fill: "none", "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" });
const word = (x: number, y: number, text: string, fill = "#f2f5f7", size = 9): Shape =>
  svg("text", { x, y, fill, "font-size": size, "font-family": "system-ui, sans-serif", "text-anchor": "middle" }, text);
const row = (count: number, x: number, y: number, step: number, fill = "#e3bf63"): Shape[] =>
  Array.from({ length: count }, (_, i) => box(x + i * step, y, 4, 4, fill, 1));

/** A small board with a chip on it. */
function breakout(label: string, colour: string, pins = 4): Draw {
  return picture(76, 56, box(2, 2, 72, 52, colour, 4), round(9, 10, 3, "#fff8"), round(67, 10, 3, "#fff8"),
    box(27, 12, 22, 18, "#1b1f24"), round(31, 16, 1.2, "#9aa5b0"), word(38, 41, label), ...row(pins, 38 - pins * 4.5 + 2, 46, 9));
}

/** A chip with two rows of legs. */
function chip(label: string): Draw {
  return picture(76, 44, ...row(4, 12, 4, 16, "#b8c0c8"), ...row(4, 12, 36, 16, "#b8c0c8"), box(6, 8, 64, 28, "#20252b", 3),
    round(13, 22, 2.6, "#3c444d"), word(42, 25, label, "#d7dde3", 10));
}

/** A transistor's case with three legs. */
function threeLegs(label: string): Draw {
  return picture(54, 70, path("M19 40V67M27 40V67M35 40V67", "#b8c0c8", 2.4),
    svg("path", { d: "M9 42V22A18 18 0 0 1 45 22V42Z", fill: "#22272d" }), word(27, 34, label, "#d7dde3", 9));
}

export const encoder = ofWokwi("ky-040");
export const infraredReceiver = ofWokwi("ir-receiver");
export const motionSensor = ofWokwi("mpu6050");
export const scale = ofWokwi("hx711");
export const thermistor = ofWokwi("ntc-temperature-sensor");
export const lightSensor = ofWokwi("photoresistor-sensor");
export const gasSensor = ofWokwi("gas-sensor");
export const card = ofWokwi("microsd-card");
export const clock = ofWokwi("ds1307");

export const bme280 = breakout("BME280", "#6d3a8c");
export const ahrs = breakout("AHRS", "#8c3a3a");
export const i2cRegisters = breakout("I2C", "#2b5d8a");
export const spiRegisters = breakout("SPI", "#2b7a5d", 6);
export const ds18b20 = threeLegs("18B20");
export const lm35 = threeLegs("LM35");
export const tmp36 = threeLegs("TMP36");
export const eeprom = chip("EEPROM");
export const eeprom24c = chip("24C");

export const gps = picture(76, 60, box(2, 2, 72, 56, "#1f5f3c", 4), box(18, 8, 40, 36, "#d8cdb4", 2), box(28, 17, 20, 18, "#bfb294", 1),
  round(38, 26, 2, "#7d7256"), word(38, 54, "GPS"));
export const cards = picture(92, 62, box(2, 2, 88, 58, "#20508c", 4),
  path("M12 10H60V44H12ZM17 15H55V39H17ZM22 20H50V34H22Z", "#8fb4e0", 1.5), box(68, 20, 14, 14, "#1b1f24"), word(38, 56, "RFID"));
export const ethernet = picture(92, 60, box(2, 6, 88, 48, "#8c2d2d", 4), box(56, 2, 34, 36, "#c3cad1", 2), box(62, 12, 22, 16, "#23282e", 1),
  ...row(5, 64, 12, 4, "#e3bf63"), box(20, 16, 22, 22, "#1b1f24"), word(31, 49, "W5500", "#f2f5f7", 8));
export const serialDevice = picture(84, 54, box(2, 2, 80, 50, "#2a3440", 5), box(7, 7, 70, 36, "#0c1218", 2),
  path("M13 16l6 5-6 5M24 27h12", "#8fe0b0"), word(42, 50, "serial", "#b9c4ce", 7));
export const loopback = picture(76, 50, box(4, 12, 26, 26, "#2a3440", 3), round(12, 20, 2.5, "#e3bf63"), round(12, 30, 2.5, "#e3bf63"),
  path("M14 20H50a5 5 0 0 1 0 10H14", "#3aa86f", 2.6));
export const wire = picture(86, 40, path("M10 22C28 2 56 40 76 18", "#d5484f", 4), box(2, 18, 12, 8, "#23282e"), box(72, 14, 12, 8, "#23282e"));
export const generator = picture(84, 54, box(2, 2, 80, 50, "#3b4652", 5), box(8, 8, 50, 30, "#0c1218", 2),
  path("M12 30H20V16H30V30H40V16H50V30H54", "#ffd34d"), round(70, 16, 6, "#5d6a77"), round(70, 34, 4, "#e3bf63"));
export const probe = picture(92, 40, path("M4 30L26 24", "#b8c0c8", 2.5), svg("path", { d: "M24 18L70 8 74 20 28 30Z", fill: "#2f3a45" }),
  path("M72 14C84 12 80 30 90 30", "#2f3a45", 3), round(40, 19, 3, "#56c596"));
export const fifo = picture(92, 40, box(4, 10, 84, 20, "#33414e", 4), ...[14, 32, 50].map((x) => box(x, 14, 12, 12, "#8fb4e0", 2)),
  path("M70 20h12m-4-4 4 4-4 4", "#e4eaf0"));
export const helicopter = picture(104, 56, path("M6 8H80M43 8V18", "#8794a1", 2.5), svg("path", { d: "M24 34a20 14 0 0 1 40-8l34 2v6l-36 4q-8 6-20 4-18 0-18-8Z", fill: "#c9503c" }),
  svg("path", { d: "M28 32a14 9 0 0 1 13-9v10Z", fill: "#bfe0f5" }), path("M96 22V40M30 50H66M38 42V50M56 42V50", "#8794a1"));
export const groundStation = picture(66, 64, path("M33 24 18 60H48ZM24 46H42M28 36H38", "#8794a1", 2.2), round(33, 18, 3.5, "#d5484f"),
  path("M22 8a15 15 0 0 0 0 20M44 8a15 15 0 0 1 0 20", "#8794a1", 2));
export const soil = picture(44, 82, box(8, 2, 28, 30, "#20252b", 3), word(22, 22, "soil", "#d7dde3", 8),
  svg("path", { d: "M12 32H32V70L22 80 12 70Z", fill: "#23282e" }), path("M17 38V66M22 38V72M27 38V66", "#c9a227", 1.6));
export const infraredLed = picture(40, 66, path("M15 34V63M25 34V58", "#b8c0c8", 2.4),
  svg("path", { d: "M8 32V18a12 12 0 0 1 24 0V32Z", fill: "#4b3a63", opacity: 0.9 }), box(6, 30, 28, 6, "#3a2d4d"));
