// Sounds, motors, a relay, a light of three colours and digits: drawn by @wokwi/elements where it has them.
import "@wokwi/elements/dist/esm/7segment-element.js";
import "@wokwi/elements/dist/esm/buzzer-element.js";
import "@wokwi/elements/dist/esm/rgb-led-element.js";
import "@wokwi/elements/dist/esm/stepper-motor-element.js";
import { make, svg, write } from "../dom.ts";
import { oled } from "./displays.ts";
import { numberOf, type Draw } from "./part.ts";
import { channels, segmentValues } from "./segments.ts";
import { drawn } from "./simple.ts";

export const buzzer: Draw = ({ part, sound, stands }) => {
  const horn = drawn("buzzer");
  const says = make("div", { class: "says", "aria-label": `${part.name}: sound` }, "silent");
  return {
    drawing: make("div", {}, make("div", { class: "shrunk buzzer" }, horn), says),
    show(facts) {
      const sounds = facts["sounds"] === true;
      horn["hasSignal"] = sounds;
      const hertz = numberOf(facts, "frequency_hz") ?? 0;
      write(says, sounds ? `${Math.round(hertz)} Hz` : "silent");
      sound(sounds && !stands() ? hertz : null);
    },
  };
};

export const rgbLed: Draw = ({ part }) => {
  const light = drawn("rgb-led");
  const says = make("div", { class: "says", role: "status", "aria-label": `${part.name}: colour` }, "dark");
  return {
    drawing: make("div", {}, light, says),
    show(facts) {
      const [red, green, blue] = channels(facts["colour"]);
      Object.assign(light, { ledRed: red / 255, ledGreen: green / 255, ledBlue: blue / 255 });
      write(says, red + green + blue === 0 ? "dark" : `#${String(facts["colour"])}`);
    },
  };
};

export const relay: Draw = ({ part }) => {
  const arm = svg("line", { x1: 12, y1: 30, x2: 60, y2: 14, class: "arm" });
  const says = make("div", { class: "says", role: "status", "aria-label": `${part.name}: contact` }, "open");
  const picture = svg("svg", { viewBox: "0 0 84 44", class: "relay" },
    svg("circle", { cx: 12, cy: 30, r: 4 }), svg("circle", { cx: 66, cy: 30, r: 4 }), arm);
  return {
    drawing: make("div", {}, picture, says),
    show(facts) {
      const closed = facts["closed"] === true;
      arm.setAttribute("x2", closed ? "66" : "60");
      arm.setAttribute("y2", closed ? "30" : "14");
      write(says, closed ? "closed" : "open");
    },
  };
};

/** A stepper motor: the angle of its shaft, and what it has lost. */
export const stepper: Draw = ({ part }) => {
  const motor = drawn("stepper-motor", { arrow: "#d33", size: 14 });
  const says = make("div", { class: "says", "aria-label": `${part.name}: position` }, "–");
  return {
    drawing: make("div", {}, make("div", { class: "shrunk stepper" }, motor), says),
    show(facts) {
      const [angle, position] = [numberOf(facts, "angle_deg"), numberOf(facts, "position")];
      if (angle === null || position === null) return;
      motor["angle"] = ((angle % 360) + 360) % 360;
      const missed = numberOf(facts, "missed_steps") ?? 0;
      write(says, missed > 0 ? `${position}, missed ${missed}` : String(position));
    },
  };
};

export const motor: Draw = ({ part }) => {
  const mark = svg("line", { x1: 24, y1: 24, x2: 24, y2: 8, class: "arm" });
  const says = make("div", { class: "says", "aria-label": `${part.name}: speed` }, "–");
  return {
    drawing: make("div", {}, svg("svg", { viewBox: "0 0 48 48", class: "motor" },
      svg("circle", { cx: 24, cy: 24, r: 20 }), mark), says),
    show(facts) {
      const [speed, turns] = [numberOf(facts, "speed_rpm"), numberOf(facts, "turns")];
      if (speed === null || turns === null) return;
      mark.setAttribute("transform", `rotate(${((turns * 360) % 360).toFixed(1)} 24 24)`);
      write(says, `${Math.round(speed)} rpm`);
    },
  };
};

export const digits: Draw = ({ part }) => {
  const glass = drawn("7segment", { pins: "none", color: "#ff4533" });
  const text = make("pre", { class: "unseen", "aria-label": `${part.name}: text` });
  return {
    drawing: make("div", { class: "shrunk digits" }, glass, text),
    wide: true,
    show(facts) {
      const values = segmentValues(facts["segments"]);
      if (!values) return;
      const four = values.length === 4 * 8;
      glass["digits"] = values.length / 8;
      glass["colon"] = four;
      glass["colonValue"] = four && facts["on"] === true && values[15] === 1;
      glass["values"] = facts["on"] === true ? values : values.map(() => 0);
      write(text, typeof facts["shows"] === "string" ? facts["shows"] : "");
    },
  };
};

/** Points are drawn as those of any display; digits are told as text. */
export const max7219: Draw = (of) => {
  const points = oled(of);
  const text = make("pre", { class: "digits", role: "status", "aria-label": `${of.part.name}: text` });
  const drawing = make("div", {}, text);
  return {
    drawing,
    wide: true,
    show(facts) {
      const isPoints = Array.isArray(facts["rows"]);
      if (isPoints && points.drawing && !points.drawing.parentElement) drawing.replaceChildren(points.drawing);
      if (isPoints) points.show?.(facts);
      else write(text, typeof facts["shows"] === "string" ? facts["shows"] : "");
    },
  };
};
