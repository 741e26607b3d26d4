// What a board looks like, and where its pins are in that picture. An Uno and a Nano are drawn by @wokwi/elements.
import "@wokwi/elements/dist/esm/arduino-nano-element.js";
import "@wokwi/elements/dist/esm/arduino-uno-element.js";
import { plainBoard } from "./board_sim.ts";
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
  led(on: boolean): void; // LED_BUILTIN
  sending(on: boolean): void;
}

/** By the key `picture` of a board's description: what is drawn, its width and its height. */
const PICTURES: Record<string, [string, number, number]> = {
  "arduino-uno": ["Arduino Uno", 274, 201],
  "arduino-nano": ["Arduino Nano", 169.7, 67.3],
};

export function boardPicture(hello: Hello): BoardPicture {
  const known = PICTURES[hello.picture];
  return known ? drawnBoard(hello.picture, ...known) : plainBoard(hello);
}

interface Drawn extends HTMLElement {
  pinInfo: { name: string; x: number; y: number }[];
  led13: boolean;
  ledPower: boolean;
  ledTX: boolean;
}

function drawnBoard(picture: string, name: string, width: number, height: number): BoardPicture {
  const drawn = document.createElement(`wokwi-${picture}`) as Drawn;
  drawn.setAttribute("aria-hidden", "true");
  drawn.setAttribute("inert", "");
  drawn.ledPower = true;
  return {
    element: drawn, width, height, name,
    pins: new Map(drawn.pinInfo.map(({ name, x, y }) => [name, { x, y }])),
    led: (on) => void (drawn.led13 = on),
    sending: (on) => void (drawn.ledTX = on),
  };
}
