// LED, button, servo, sensors: drawn by @wokwi/elements, shown and touched through Hocket's controls.
import "@wokwi/elements/dist/esm/led-element.js";
import "@wokwi/elements/dist/esm/pushbutton-element.js";
import "@wokwi/elements/dist/esm/servo-element.js";
import "@wokwi/elements/dist/esm/hc-sr04-element.js";
import "@wokwi/elements/dist/esm/dht22-element.js";
import { make, write } from "../dom.ts";
import { holding } from "./controls.ts";
import { numberOf, type Draw } from "./part.ts";

type Drawn = HTMLElement & Record<string, unknown>;

/** One of Wokwi's drawings. It takes no keys and no pointer: what stands over it does. */
export function drawn(name: string, properties: Record<string, unknown> = {}): Drawn {
  const element = document.createElement(`wokwi-${name}`) as Drawn;
  element.setAttribute("aria-hidden", "true");
  element.setAttribute("inert", "");
  return Object.assign(element, properties);
}

const COLOURS = ["red", "green", "yellow", "blue", "orange", "white", "purple"];

/** red_lamp, green, leftYellow: a name that tells its colour is believed. */
export function ledColour(name: string): string {
  return COLOURS.find((colour) => name.toLowerCase().includes(colour)) ?? "red";
}

export const led: Draw = ({ part, high, stands }) => {
  const pin = Object.values(part.pins)[0] ?? 0;
  const light = drawn("led", { color: ledColour(part.name) });
  const says = make("div", { class: "says", role: "status", "aria-label": `${part.name}: light` }, "dark");
  const drawing = make("div", {}, light, says);
  return {
    drawing,
    show(facts) {
      const lit = typeof facts["lit"] === "boolean" ? Number(facts["lit"]) : high(pin);
      const bright = Math.max(0, Math.min(1, stands() ? lit : (numberOf(facts, "share") ?? lit)));
      if (typeof facts["colour"] === "string") light["color"] = facts["colour"];
      light["value"] = bright > 0;
      light["brightness"] = bright;
      write(says, bright === 0 ? "dark" : bright >= 0.999 ? "lit" : `${Math.round(bright * 100)} %`);
      drawing.dataset["lit"] = String(bright > 0);
    },
  };
};

export const button: Draw = ({ part, touch }) => {
  const cap = drawn("pushbutton", { color: ledColour(part.name) });
  const over = make("button", { type: "button", class: "over", "aria-label": `${part.name}: press` });
  const state = holding(over, (down) => {
    cap["pressed"] = down;
    touch("pressed", down);
  });
  return {
    drawing: make("div", { class: "touched" }, cap, over),
    takes: ["pressed"],
    show(facts) {
      if (typeof facts["pressed"] !== "boolean") return;
      cap["pressed"] = facts["pressed"];
      state.show(facts["pressed"]);
    },
  };
};

export const servo: Draw = ({ part }) => {
  const arm = drawn("servo");
  const says = make("div", { class: "says", "aria-label": `${part.name}: angle` }, "–");
  return {
    drawing: make("div", {}, make("div", { class: "shrunk servo" }, arm), says),
    show(facts) {
      const angle = numberOf(facts, "angle_deg");
      if (angle === null) return;
      arm["angle"] = angle - 90; // its drawing points up at 0
      write(says, `${angle.toFixed(1)}°`);
    },
  };
};

export const sonar: Draw = ({ part }) => {
  const says = make("div", { class: "says", "aria-label": `${part.name}: last distance` }, "–");
  return {
    drawing: make("div", {}, make("div", { class: "shrunk sonar" }, drawn("hc-sr04")), says),
    show(facts) {
      const seen = numberOf(facts, "distance_cm");
      if (seen !== null) write(says, `saw ${seen.toFixed(1)} cm`);
    },
  };
};

export const climate: Draw = ({ part }) => {
  const says = make("div", { class: "says", "aria-label": `${part.name}: values` }, "–");
  return {
    drawing: make("div", {}, make("div", { class: "shrunk dht" }, drawn("dht22")), says),
    show(facts) {
      const [warm, damp] = [numberOf(facts, "temperature_c"), numberOf(facts, "humidity_percent")];
      const words = [warm === null ? null : `${warm.toFixed(1)} °C`, damp === null ? null : `${damp.toFixed(1)} %`];
      write(says, words.filter((word) => word !== null).join("  ") || "–");
    },
  };
};
