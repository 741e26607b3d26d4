// A knob that is turned: by the pointer, around its middle, and by the keys of a slider.
import "@wokwi/elements/dist/esm/potentiometer-element.js";
import { make } from "../dom.ts";
import { calmly, label, numberBox } from "./controls.ts";
import { numberOf, type Draw } from "./part.ts";
import { drawn } from "./simple.ts";
import { turned } from "./turning.ts";

const NAME = "position_percent";
const MIDDLE = { x: 0.5, y: 0.41 }; // of the drawing: there is its shaft

const BY: Record<string, number> = {
  ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -100, End: 100,
};

export const potentiometer: Draw = ({ part, touch, control }) => {
  const knob = drawn("potentiometer", { min: 0, max: 100 });
  const shaft = control(NAME);
  if (!shaft) return { drawing: knob, show: (facts) => void (knob["value"] = numberOf(facts, NAME) ?? 0) };
  const over = make("div", {
    class: "over", tabindex: 0, role: "slider", "aria-label": `${part.name}: ${label(shaft)}`,
    "aria-valuemin": 0, "aria-valuemax": 100,
  });
  let [position, held] = [0, false];
  const send = calmly<number>((to) => touch(NAME, to));
  const box = numberBox(part.name, shaft, (to) => touch(NAME, to));
  const set = (to: number): void => {
    position = Math.min(100, Math.max(0, Math.round(to * 10) / 10));
    knob["value"] = position;
    over.setAttribute("aria-valuenow", String(position));
    box.show(position);
  };
  const turn = (event: PointerEvent): void => {
    const { left, top, width, height } = over.getBoundingClientRect();
    set(turned(event.clientX - left - width * MIDDLE.x, event.clientY - top - height * MIDDLE.y, position));
    send(position);
  };
  over.addEventListener("pointerdown", (event) => {
    held = true;
    over.setPointerCapture(event.pointerId);
    turn(event);
  });
  over.addEventListener("pointermove", (event) => void (held && turn(event)));
  for (const name of ["pointerup", "pointercancel"]) over.addEventListener(name, () => (held = false));
  over.addEventListener("keydown", (event) => {
    const by = BY[event.key];
    if (by === undefined) return;
    event.preventDefault();
    set(position + by);
    send(position);
  });
  return {
    drawing: make("div", {}, make("div", { class: "touched" }, knob, over),
      make("div", { class: "control turned" }, box.element, make("span", {}, "%"))),
    takes: [NAME],
    show(facts) {
      const seen = numberOf(facts, NAME);
      if (seen !== null && !held) set(seen);
    },
  };
};
