// A keypad: its keys as they are printed, each to be held down.
import { make } from "../dom.ts";
import { holding } from "./controls.ts";
import type { Draw } from "./part.ts";

export const keypad: Draw = ({ part, touch }) => {
  const pad = make("div", { class: "keys", role: "group", "aria-label": `${part.name}: keys` });
  const keys = part.controls.filter((control) => control.kind === "key");
  const states = keys.map((key) => {
    const button = make("button", { type: "button", class: "hold", "aria-label": `${part.name}: key ${key.name}` }, key.name);
    if (key.row !== undefined) button.style.gridRow = String(key.row + 1);
    if (key.column !== undefined) button.style.gridColumn = String(key.column + 1);
    pad.append(button);
    return { name: key.name, state: holding(button, (down) => touch(key.name, down)) };
  });
  return {
    drawing: pad,
    takes: keys.map((key) => key.name),
    show(facts) {
      const held = facts["held"];
      if (!Array.isArray(held)) return;
      for (const { name, state } of states) state.show(held.includes(name));
    },
  };
};
