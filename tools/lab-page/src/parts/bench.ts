// All parts of the scenario: their drawings, their pins, their controls, their facts.
import { byId, make, write } from "../dom.ts";
import type { Command, Frame, Hello, PartInfo } from "../protocol.ts";
import { highness, type Board } from "../board.ts";
import type { Sound } from "../sound.ts";
import type { Wire } from "../wires.ts";
import { busPins } from "./buses.ts";
import { controlView, type ControlView } from "./controls.ts";
import { factLines } from "./facts.ts";
import type { Facts, PartView, Value } from "./part.ts";
import { DRAWINGS } from "./registry.ts";

interface Shown {
  part: PartInfo;
  view: PartView;
  controls: Map<string, ControlView>;
  facts: Facts;
  held: Facts; // controls that were touched: they stay where they were put, whatever is measured
  list: HTMLElement | null;
  chips: Map<number, HTMLElement[]>;
}

export class Bench {
  private readonly parts = new Map<string, Shown>();
  private stands = true;

  constructor(
    private readonly board: Board, private readonly sound: Sound, private readonly send: (command: Command) => void,
  ) {}

  begin(hello: Hello): void {
    this.parts.clear();
    const [stages, places] = [byId("stages"), byId("parts")];
    stages.replaceChildren();
    places.replaceChildren();
    // Those with most wires come first: their wires pass fewer parts.
    const wires = (part: PartInfo): number => Object.keys(part.pins).length + busPins(part.type, part.pins, hello.buses, part.port).length;
    for (const part of [...hello.parts].sort((a, b) => wires(b) - wires(a))) {
      const shown = this.make(part);
      this.parts.set(part.name, shown);
      const card = this.card(shown, hello);
      (part.type === "motors" ? stages : places).append(card);
      this.show(shown);
    }
  }

  /** From each terminal of a part to its pin. */
  wires(): Wire[] {
    return [...this.parts.values()].flatMap(({ part, chips }) =>
      [...chips].flatMap(([pin, terminals]) => terminals.map((terminal) => ({ pin, terminal, label: `${part.name}: ${terminal.textContent}` }))));
  }

  /** New facts, touches, and levels of pins that have changed. */
  take(frame: Frame): void {
    const stood = this.stands;
    this.stands = frame.state !== "running";
    const pins = new Set(frame.pins.map((pin) => pin.pin));
    const moved = frame.touched.flatMap((touch) => touch.set ?? []);
    for (const { part, name, to } of moved) {
      const shown = this.parts.get(part);
      if (shown) shown.held[name] = to;
    }
    for (const [name, shown] of this.parts) {
      const news = frame.parts[name];
      if (news) Object.assign(shown.facts, news);
      const wired = Object.values(shown.part.pins).some((pin) => pins.has(pin));
      if (news || wired || stood !== this.stands || moved.some(({ part }) => part === name)) this.show(shown);
    }
  }

  private make(part: PartInfo): Shown {
    const touch = (name: string, to: Value): void => this.send({ do: "set", part: part.name, name, to });
    const draw = DRAWINGS[part.type];
    const view = draw?.({
      part,
      touch,
      high: (pin) => highness(this.board.state(pin)),
      stands: () => this.stands,
      sound: (hertz) => this.sound.sound(part.name, hertz),
      control: (name) => part.controls.find((one) => one.name === name) ?? null,
    }) ?? { drawing: null };
    const controls = new Map<string, ControlView>();
    for (const control of part.controls) {
      if (view.takes?.includes(control.name)) continue;
      controls.set(control.name, controlView(part.name, control, (to) => touch(control.name, to)));
    }
    return { part, view, controls, facts: beginning(part), held: {}, list: null, chips: new Map() };
  }

  private card(shown: Shown, hello: Hello): HTMLElement {
    const { part, view } = shown;
    const names = new Map(hello.pins.map((pin) => [pin.pin, pin.name]));
    const bus = busPins(part.type, part.pins, hello.buses, part.port);
    const chips = [...Object.entries(part.pins), ...bus].map(([role, pin]) => {
      const chip = make("span", { class: "chip", "data-pin": pin }, `${role === "pin" ? "" : `${role.replace(/[._]/g, " ")} `}${names.get(pin) ?? pin}`);
      chip.addEventListener("pointerenter", () => this.board.point(pin, true));
      chip.addEventListener("pointerleave", () => this.board.point(pin, false));
      shown.chips.set(pin, [...(shown.chips.get(pin) ?? []), chip]);
      return chip;
    });
    if ((view.facts || !view.drawing) && shown.controls.size === 0) shown.list = make("dl", {});
    const staged = part.type === "motors";
    return make("article", { class: `part type-${part.type}${view.wide ? " wide" : ""}`, "aria-label": part.name, "data-part": part.name },
      chips.length > 0 ? make("div", { class: "chips" }, ...chips) : null,
      staged ? null : make("header", {}, make("h3", {}, part.name), make("span", { class: "kind" }, part.type)),
      view.drawing ? make("div", { class: "drawing" }, view.drawing) : null,
      ...[...shown.controls.values()].map((control) => control.element),
      shown.list);
  }

  private show(shown: Shown): void {
    shown.view.show?.(shown.facts);
    for (const control of shown.part.controls) {
      const value = shown.held[control.name] ?? shown.facts[control.name];
      if (value !== undefined) shown.controls.get(control.name)?.show(value);
    }
    for (const [pin, chips] of shown.chips) {
      for (const chip of chips) chip.classList.toggle("high", this.board.state(pin).level === 1);
    }
    if (shown.list) list(shown.list, shown.facts);
  }
}

/** What the controls stand at before anything is touched. */
function beginning(part: PartInfo): Facts {
  return Object.fromEntries(part.controls.filter((one) => one.to !== undefined).map((one) => [one.name, one.to]));
}

function list(place: HTMLElement, facts: Facts): void {
  const lines = factLines(facts);
  while (place.childElementCount > lines.length * 2) place.lastElementChild!.remove();
  while (place.childElementCount < lines.length * 2) place.append(make("dt"), make("dd"));
  lines.forEach(([name, value], i) => {
    write(place.children[i * 2]!, name);
    write(place.children[i * 2 + 1]!, value);
  });
}
