// A part's picture while it does not run.
import type { PartInfo } from "../protocol.ts";
import { DRAWINGS } from "../parts/registry.ts";
import { fitted } from "../parts/modules.ts";
import type { PartView } from "../parts/part.ts";
import { motorsPicture } from "./motors.ts";

/** The drawing of a part that is not there yet: nothing of it can be operated. */
export function viewOf(name: string, type: string): PartView {
  const part: PartInfo = { name, type, pins: {}, controls: [], port: null };
  return DRAWINGS[type]?.({ part, touch: () => {}, high: () => 0, stands: () => true, control: () => null, sound: () => {} })
    ?? { drawing: null };
}

export function pictureOf(type: string, colour = ""): HTMLElement | SVGElement | string {
  if (type === "motors") return motorsPicture();
  if (type === "keypad") return keys();
  const view = viewOf(colour || type, type);
  const drawing = view.drawing as HTMLElement | SVGElement | null;
  if (!drawing) return "";
  if (type === "ssd1306" || type === "max7219") return glass();
  if (type === "ws2812") view.show?.({ colours: "ff4040 40ff60 4080ff ffd040" });
  if (type === "hd44780") view.show?.({ rows: ["Hello", ""], on: true });
  if (type === "tm1637") view.show?.({ segments: "06 5b 4f 66", on: true });
  for (const said of drawing.querySelectorAll(".says, .unseen, .over")) said.remove();
  const frame = drawing instanceof HTMLElement ? fitted(drawing, 96, 66) : drawing;
  frame.setAttribute("aria-hidden", "true");
  frame.setAttribute("inert", "");
  return frame;
}

function keys(): HTMLElement {
  const pad = document.createElement("div");
  pad.className = "keys-picture";
  pad.setAttribute("aria-hidden", "true");
  pad.append(...[..."123A456B789C*0#D"].map((key) => Object.assign(document.createElement("span"), { textContent: key })));
  return pad;
}

function glass(): HTMLElement {
  const pane = document.createElement("div");
  pane.className = "glass-picture";
  pane.setAttribute("aria-hidden", "true");
  return pane;
}
