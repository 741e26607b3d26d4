// The fields of a part that is built: each key as what it may be, checked by hocket with each change.
import { make } from "../dom.ts";
import type { KeyInfo, PinInfo } from "../protocol.ts";

/** A value as text, as it is written in the file; null: the key is left out. */
export type Change = (to: string | null) => void;

export interface Field {
  element: HTMLElement;
  show(value: string | null | undefined, pins: Record<string, number>): void;
}

interface Around {
  part: string;
  key: KeyInfo;
  pins: readonly PinInfo[];
  change: Change;
}

export function field(of: Around): Field {
  const kind = of.key.name === "colour" && of.key.kind === "choice" ? "colour" : of.key.kind;
  return (MAKERS[kind] ?? line)(of);
}

const MAKERS: Record<string, (of: Around) => Field> = { pin: onePin, pins: severalPins, choice, flag: choice, colour };

/** How a pin is written in a scenario. */
export function pinText(pin: PinInfo): string {
  return pin.analog ? pin.name : String(pin.pin);
}

function fits(pin: PinInfo, use: string): boolean {
  return use === "analog" ? pin.analog : use !== "pwm" || pin.pwm;
}

function named(of: Around, more = ""): Record<string, string> {
  return { "aria-label": `${of.part}: ${words(of.key.name)}${more}`, title: of.key.about };
}

export function words(name: string): string {
  return name.replace(/[._]/g, " ");
}

function pinSelect(of: Around, label: Record<string, string>, change: (to: string) => void): { element: HTMLSelectElement; show(text: string, pin: number | undefined): void } {
  const select = make("select", label, make("option", { value: "" }, "not wired"),
    ...of.pins.filter((pin) => fits(pin, of.key.use)).map((pin) => make("option", { value: pinText(pin) }, pin.name)));
  select.addEventListener("change", () => change(select.value));
  return {
    element: select,
    show(text, number) {
      const pin = of.pins.find((one) => one.pin === number);
      const value = pin ? pinText(pin) : text;
      if (value && ![...select.options].some((option) => option.value === value)) select.add(new Option(value, value));
      select.value = value;
    },
  };
}

function onePin(of: Around): Field {
  const select = pinSelect(of, named(of), (to) => of.change(to || null));
  return { element: select.element, show: (value, pins) => select.show(value ?? "", pins[of.key.name]) };
}

/** A list of pins: one select for each, and a button for one more and one less. */
function severalPins(of: Around): Field {
  const place = make("div", { class: "pin-list", role: "group", "aria-label": `${of.part}: ${words(of.key.name)}` });
  let texts: string[] = [];
  let selects: ReturnType<typeof pinSelect>[] = [];
  const send = (): void => of.change(`[${texts.join(", ")}]`);
  const button = (text: string, label: string, act: () => void): HTMLButtonElement => {
    const made = make("button", { type: "button", "aria-label": `${of.part}: ${words(of.key.name)}, ${label}` }, text);
    made.addEventListener("click", act);
    return made;
  };
  const more = button("+", "one more", () => {
    const free = of.pins.find((pin) => fits(pin, of.key.use) && !texts.includes(pinText(pin)));
    if (free) [texts, selects] = [[...texts, pinText(free)], selects];
    send();
  });
  const fewer = button("−", "one less", () => {
    texts = texts.slice(0, -1);
    send();
  });
  return {
    element: place,
    show(value, pins) {
      const written = (value ?? "").replace(/^\[|\]$/g, "").split(",").map((one) => one.trim()).filter((one) => one !== "");
      texts = written.map((text, i) => {
        const pin = of.pins.find((one) => one.pin === pins[`${of.key.name}.${i}`]);
        return pin ? pinText(pin) : text;
      });
      if (selects.length !== texts.length) {
        selects = texts.map((_, i) => pinSelect(of, named(of, ` ${i}`), (to) => {
          if (to) texts[i] = to;
          send();
        }));
        place.replaceChildren(...selects.map((one) => one.element), more, fewer);
      }
      selects.forEach((select, i) => select.show(texts[i]!, pins[`${of.key.name}.${i}`]));
    },
  };
}

function choice(of: Around): Field {
  const { key } = of;
  const choices = key.kind === "flag" ? ["true", "false"] : key.choices;
  const shown = (value: string): string =>
    key.name === "address" && /^\d+$/.test(value) ? `0x${Number(value).toString(16)}` : { true: "yes", false: "no" }[value] ?? value;
  const select = make("select", named(of),
    ...(key.required ? [] : [make("option", { value: "" }, key.default ? `${shown(key.default)} (default)` : "–")]),
    ...choices.map((one) => make("option", { value: one }, shown(one))));
  select.addEventListener("change", () => of.change(select.value || null));
  return {
    element: select,
    show(value) {
      const text = value ?? "";
      if (![...select.options].some((option) => option.value === text)) select.add(new Option(text, text));
      select.value = text;
    },
  };
}

/** The colours as dots; none: the part's name says it. */
function colour(of: Around): Field {
  const group = `colour-${of.part}`;
  const radios = ["", ...of.key.choices].map((one) =>
    make("input", { type: "radio", name: group, value: one, class: `dot ${one || "by-name"}`,
      "aria-label": `${of.part}: ${one || "colour by its name"}`, title: one || "as its name says" }));
  const place = make("div", { class: "dots", role: "radiogroup", "aria-label": `${of.part}: colour` }, ...radios);
  place.addEventListener("change", (event) => of.change((event.target as HTMLInputElement).value || null));
  return {
    element: place,
    show(value) {
      for (const radio of radios) radio.checked = radio.value === (value ?? "");
    },
  };
}

/** What is typed: a number with its unit, a text, or a list as YAML has it. */
function line(of: Around): Field {
  const { key } = of;
  const hint = key.default ? `${key.default} (default)` : key.example || (key.kind === "value" ? "as YAML" : "");
  const input = make("input", { ...named(of), placeholder: hint, spellcheck: "false", autocomplete: "off" });
  let shown = "";
  input.addEventListener("change", () => of.change(input.value.trim() === "" ? null : input.value));
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") input.value = shown;
  });
  return {
    element: input,
    show(value) {
      input.disabled = value === null;
      if (value === null) input.placeholder = "too long to change here";
      if (document.activeElement !== input || input.value.trim() === shown) input.value = value ?? "";
      shown = value ?? "";
    },
  };
}
