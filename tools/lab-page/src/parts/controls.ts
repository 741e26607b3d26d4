// What can be touched of a part when nothing drawn does it: a button, a slider with its number.
import { make } from "../dom.ts";
import type { Control } from "../protocol.ts";
import type { Value } from "./part.ts";

const BETWEEN = 50; // ms of the computer: a hand that slides makes no more touches than that

export interface ControlView {
  element: HTMLElement;
  show(value: unknown): void;
}

/** Calls at most every so often, and always with the last value. */
export function calmly<T>(call: (value: T) => void, between = BETWEEN): (value: T) => void {
  let [waiting, again] = [false, false];
  let last: T;
  const run = (): void => {
    again = false;
    waiting = true;
    call(last);
    setTimeout(() => {
      waiting = false;
      if (again) run();
    }, between);
  };
  return (value) => {
    last = value;
    if (waiting) again = true;
    else run();
  };
}

export function controlView(part: string, control: Control, touch: (to: Value) => void): ControlView {
  return control.kind === "number" ? slider(part, control, touch) : hold(part, control.name, touch);
}

/** How units are written at the ends of names, where that is another way. */
const IN_NAMES: Record<string, string> = { "%": "percent", "°C": "c", "°/s": "dps", "°": "deg" };

/** What a person calls it: `distance_cm` → `distance`. */
export function label(control: Control): string {
  const words = control.name.split("_");
  const unit = control.unit ?? "";
  const last = words[words.length - 1];
  if (words.length > 1 && (last === unit.toLowerCase() || last === IN_NAMES[unit])) words.pop();
  return words.join(" ");
}

/** Down while it is held; with Shift, or by its lock, it stays down. */
export function holding(element: HTMLElement, touch: (to: boolean) => void): { show(down: boolean): void } {
  let down = false;
  const set = (to: boolean): void => {
    if (down === to) return;
    down = to;
    element.setAttribute("aria-pressed", String(to));
    touch(to);
  };
  let locked = false;
  const press = (lock: boolean): void => {
    if (down && locked) {
      locked = false;
      set(false);
      return;
    }
    locked = lock;
    set(true);
  };
  const release = (): void => {
    if (!locked) set(false);
  };
  element.setAttribute("aria-pressed", "false");
  element.title = "hold it down; with Shift it stays down";
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    press(event.shiftKey);
  });
  element.addEventListener("pointerup", release);
  element.addEventListener("pointercancel", release);
  element.addEventListener("keydown", (event) => {
    if ((event.key !== " " && event.key !== "Enter") || event.repeat) return;
    event.preventDefault();
    press(event.shiftKey);
  });
  element.addEventListener("keyup", (event) => {
    if (event.key === " " || event.key === "Enter") release();
  });
  element.addEventListener("blur", release);
  return {
    show(to) {
      down = to;
      element.setAttribute("aria-pressed", String(to));
    },
  };
}

function hold(part: string, name: string, touch: (to: Value) => void): ControlView {
  const button = make("button", { type: "button", class: "hold", "aria-label": `${part}: ${name}` }, name);
  const state = holding(button, touch);
  return { element: button, show: (value) => state.show(value === true) };
}

/** A number to type. */
export function numberBox(part: string, control: Control, touch: (to: number) => void): ControlView {
  const [least, most] = limits(control);
  const name = `${part}: ${label(control)}, number`;
  const box = make("input", { type: "number", min: least, max: most, step: "any", "aria-label": name });
  box.addEventListener("change", () => {
    const value = Math.min(most, Math.max(least, Number(box.value)));
    if (box.value === "" || !Number.isFinite(value)) return;
    box.value = String(value);
    touch(value);
  });
  return {
    element: box,
    show(value) {
      if (document.activeElement === box) return;
      box.value = typeof value === "number" ? String(Math.round(value * 100) / 100) : "";
    },
  };
}

function limits(control: Control): [number, number] {
  return [control.least ?? 0, control.most ?? 100];
}

export function slider(part: string, control: Control, touch: (to: Value) => void): ControlView {
  const [least, most] = limits(control);
  const name = label(control);
  const slide = make("input", {
    type: "range", min: least, max: most, step: fineness(most - least), "aria-label": `${part}: ${name}`,
  });
  const send = calmly<number>(touch);
  const box = numberBox(part, control, touch);
  slide.addEventListener("input", () => {
    box.show(Number(slide.value));
    send(Number(slide.value));
  });
  const { unit } = control;
  return {
    element: make("div", { class: "control" }, make("label", {}, unit ? `${name} (${unit})` : name), slide, box.element),
    show(value) {
      if (typeof value !== "number" || slide.matches(":active")) return;
      slide.value = String(value);
      box.show(value);
    },
  };
}

/** Some hundred steps, of a round size. */
function fineness(range: number): number {
  return 10 ** Math.floor(Math.log10(Math.max(1e-6, range) / 200));
}
