// A part while it is built: its name, its wires, its values, and what is wrong with them.
import { make, write } from "../dom.ts";
import type { Build, DraftPart, PinInfo, TypeInfo } from "../protocol.ts";
import { busPins } from "../parts/buses.ts";
import { field, words, type Field } from "./fields.ts";
import { pictureOf } from "./pictures.ts";

interface Shown {
  field: Field;
  wrong: HTMLElement;
  row: HTMLElement;
}

export interface Surroundings {
  pins: readonly PinInfo[];
  buses: Record<string, number>;
  change(what: Build): void;
  grab(part: string, key: string, terminal: HTMLElement, event: PointerEvent | null): void;
}

let errors = 0; // for their ids

export class Card {
  readonly element: HTMLElement;
  private readonly fields = new Map<string, Shown>();
  private readonly wrong = make("p", { class: "wrong", role: "alert" });
  private readonly chips = make("div", { class: "chips" });
  private readonly drawing = make("div", { class: "drawing" });
  private readonly name: HTMLInputElement;
  private part: DraftPart;
  private colour: string | null = null;
  private readonly held = new Map<string, HTMLElement>(); // its terminals
  terminals: { pin: number; terminal: HTMLElement; label: string }[] = [];

  constructor(part: DraftPart, private readonly type: TypeInfo | undefined, private readonly around: Surroundings) {
    this.part = part;
    this.name = make("input", { class: "name", value: part.name, "aria-label": `${part.name}: name`, spellcheck: "false", autocomplete: "off" });
    this.name.addEventListener("change", () => around.change({ change: "rename", part: this.part.name, to: this.name.value.trim() }));
    const remove = make("button", { type: "button", class: "remove", "aria-label": `remove ${part.name}`, title: "remove this part" }, "Remove");
    remove.addEventListener("click", () => around.change({ change: "remove", part: this.part.name }));
    const [usual, further] = [make("div", { class: "fields" }), make("div", { class: "fields" })];
    for (const key of type?.keys ?? []) (key.required || key.name in part.values || key.name === "colour" ? usual : further).append(this.row(key.name));
    this.element = make("article", { class: "part draft", "aria-label": part.name, "data-draft": part.name },
      this.chips,
      make("header", {}, this.name, make("span", { class: "kind", title: type?.about ?? "" }, part.type), remove),
      this.drawing, this.wrong, usual,
      further.childElementCount > 0 ? make("details", {}, make("summary", {}, "More"), further) : null);
    this.update(part);
  }

  private row(name: string): HTMLElement {
    const key = this.type!.keys.find((one) => one.name === name)!;
    const made = field({
      part: this.part.name, key, pins: this.around.pins,
      change: (to) => this.around.change({ change: "set", part: this.part.name, key: name, to }),
    });
    const wrong = make("p", { class: "wrong", id: `wrong-${++errors}`, role: "alert" });
    const row = make("div", { class: "field", "data-key": name },
      make("span", { class: "label", title: key.about, "aria-hidden": "true" }, words(name)), made.element, wrong);
    this.fields.set(name, { field: made, wrong, row });
    return row;
  }

  update(part: DraftPart): void {
    this.part = part;
    if (document.activeElement !== this.name) this.name.value = part.name;
    for (const [name, shown] of this.fields) {
      shown.field.show(part.values[name], part.pins);
      this.tell(shown, part.problems.filter((one) => one.key === name || one.key.startsWith(`${name}.`)).map((one) => one.text));
    }
    const known = [...this.fields.keys()];
    const rest = part.problems.filter(({ key }) => !known.some((name) => key === name || key.startsWith(`${name}.`)));
    write(this.wrong, rest.map((one) => one.text).join(" "));
    this.element.classList.toggle("has-problems", part.problems.length > 0);
    this.draw(part.values["colour"] ?? "");
    this.wire();
  }

  /** A change that was not made, at its field. */
  refuse(key: string | null, text: string): void {
    const shown = key === null ? undefined : this.fields.get(key);
    if (shown) this.tell(shown, [text]);
    else write(this.wrong, text);
    this.name.value = this.part.name;
  }

  focus(): void {
    this.element.scrollIntoView({ block: "nearest" });
    this.name.focus();
    this.name.select();
  }

  private tell(shown: Shown, texts: string[]): void {
    write(shown.wrong, texts.join(" "));
    shown.row.classList.toggle("bad", texts.length > 0);
    if (texts.length > 0) shown.row.closest("details")?.setAttribute("open", "");
    const { element } = shown.field;
    if (texts.length > 0) {
      element.setAttribute("aria-invalid", "true");
      element.setAttribute("aria-describedby", shown.wrong.id);
    } else for (const name of ["aria-invalid", "aria-describedby"]) element.removeAttribute(name);
  }

  private draw(colour: string): void {
    if (this.colour === colour) return;
    this.colour = colour;
    this.drawing.replaceChildren(pictureOf(this.part.type, colour || this.part.name));
  }

  /** The serial port that it is on, if it is on one. */
  private port(): number | null {
    const value = this.part.values["port"];
    return typeof value === "string" && /^[0-3]$/.test(value) ? Number(value) : null;
  }

  /** A terminal for each pin that this part has or could have. */
  private wire(): void {
    const wished = (this.type?.keys ?? []).flatMap((key) => {
      if (key.kind === "pin") return key.required || key.name in this.part.values ? [key.name] : [];
      if (key.kind !== "pins") return [];
      return Object.keys(this.part.pins).filter((name) => name.startsWith(`${key.name}.`));
    });
    const names = new Map(this.around.pins.map((pin) => [pin.pin, pin.name]));
    this.terminals = [];
    const chips = wished.map((name) => {
      const pin = this.part.pins[name];
      const role = name === "pin" ? "" : `${words(name)} `;
      const text = `${role}${pin === undefined ? "–" : (names.get(pin) ?? pin)}`;
      const chip = this.held.get(name) ?? this.terminal(name);
      this.held.set(name, chip);
      write(chip, text);
      if (pin !== undefined) this.terminals.push({ pin, terminal: chip, label: `${this.part.name}: ${text}` });
      return chip;
    });
    for (const [line, pin] of busPins(this.part.type, this.part.pins, this.around.buses, this.port())) {
      const chip = this.held.get(line) ?? make("span", { class: "chip", title: "the board's own pin for this" }, `${line} ${names.get(pin) ?? pin}`);
      this.held.set(line, chip);
      chips.push(chip);
      this.terminals.push({ pin, terminal: chip, label: `${this.part.name}: ${chip.textContent}` });
    }
    // Those that are there already stay, and with them the focus.
    if (chips.length !== this.chips.childElementCount || chips.some((chip, i) => chip !== this.chips.children[i])) {
      this.chips.replaceChildren(...chips);
    }
  }

  private terminal(name: string): HTMLElement {
    const chip = make("button", {
      type: "button", class: "chip terminal", "data-terminal": name, "aria-pressed": "false",
      "aria-label": `${this.part.name}: wire ${words(name)}`, title: "drag it to a pin of the board, or press it and then a pin",
    });
    chip.addEventListener("pointerdown", (event) => this.around.grab(this.part.name, name, chip, event));
    chip.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.around.grab(this.part.name, name, chip, null);
    });
    return chip;
  }

  /** The command that wires one of its terminals to a pin. */
  wiring(name: string, pin: string): Build {
    const [key, index] = [name.slice(0, name.lastIndexOf(".")), Number(name.slice(name.lastIndexOf(".") + 1))];
    const list = this.type?.keys.find((one) => one.name === key && one.kind === "pins");
    if (!list) return { change: "set", part: this.part.name, key: name, to: pin };
    const texts = (this.part.values[key] ?? "").replace(/^\[|\]$/g, "").split(",").map((one) => one.trim());
    texts[index] = pin;
    return { change: "set", part: this.part.name, key, to: `[${texts.join(", ")}]` };
  }
}
