// What a board looks like, and where its pins are in that picture. An Uno is drawn by @wokwi/elements.
import "@wokwi/elements/dist/esm/arduino-uno-element.js";
import { simulatedBoard } from "./board_sim.ts";
import type { Hello } from "./protocol.ts";

export interface Place {
  x: number;
  y: number;
}

export interface BoardPicture {
  element: Element;
  width: number; // of the picture's own coordinates
  height: number;
  pins: Map<string, Place>; // by `13`, `A0`
  name: string;
  led(on: boolean): void; // the one at pin 13
  sending(on: boolean): void;
}

/** By the key `picture` of a board's description. */
const PICTURES: Record<string, () => BoardPicture> = { "arduino-uno": uno };

export function boardPicture({ picture, cores }: Hello): BoardPicture {
  return PICTURES[picture]?.() ?? simulatedBoard(cores);
}

interface Drawn extends HTMLElement {
  pinInfo: { name: string; x: number; y: number }[];
  led13: boolean;
  ledPower: boolean;
  ledTX: boolean;
}

function uno(): BoardPicture {
  const drawn = document.createElement("wokwi-arduino-uno") as Drawn;
  drawn.setAttribute("aria-hidden", "true");
  drawn.setAttribute("inert", "");
  drawn.ledPower = true;
  return {
    element: drawn, width: 274, height: 201, name: "Arduino Uno",
    pins: new Map(drawn.pinInfo.map(({ name, x, y }) => [name, { x, y }])),
    led: (on) => void (drawn.led13 = on),
    sending: (on) => void (drawn.ledTX = on),
  };
}
