// The board as it looks, with a mark at each pin that shows its level, and a way to drive pins by hand.
import "@wokwi/elements/dist/esm/arduino-uno-element.js";
import "@wokwi/elements/dist/esm/arduino-mega-element.js";
import { byId, make, svg } from "./dom.ts";
import type { Command, Hello, PinInfo, PinState } from "./protocol.ts";

const MARK = 7.4; // pixels

function levelWords(state: Omit<PinState, "pin">): string {
  if (state.share !== null && state.share > 0 && state.share < 1) return `high ${Math.round(state.share * 100)} % of the time`;
  return { 0: "low", 1: "high", z: "floating", x: "driven against itself" }[state.level];
}

interface Drawn extends HTMLElement {
  pinInfo: { name: string; x: number; y: number }[];
  led13: boolean;
  ledPower: boolean;
  ledTX: boolean;
}

interface Mark {
  info: PinInfo;
  group: SVGGElement;
  fill: SVGRectElement;
  title: SVGTitleElement;
  x: number;
  y: number;
}

const UNKNOWN: Omit<PinState, "pin"> = { level: 0, mode: "", share: null };

/** How much of the time a pin was high: 0 … 1. */
export function highness(state: Omit<PinState, "pin">): number {
  return Math.max(0, Math.min(1, state.share ?? (state.level === 1 ? 1 : 0)));
}

export class Board {
  private readonly place = byId("board");
  private marks = new Map<number, Mark>();
  private readonly states = new Map<number, Omit<PinState, "pin">>();
  private drawing: Drawn | null = null;
  private menu: HTMLElement | null = null;
  private byParts = new Set<number>();
  private sending = 0;

  constructor(private readonly send: (command: Command) => void) {}

  begin(hello: Hello): void {
    this.states.clear();
    this.marks.clear();
    this.menu = null;
    this.byParts = new Set(hello.parts.flatMap((part) => Object.values(part.pins)));
    const large = hello.pins.length > 24;
    this.drawing = document.createElement(large ? "wokwi-arduino-mega" : "wokwi-arduino-uno") as Drawn;
    this.drawing.setAttribute("aria-hidden", "true");
    this.drawing.setAttribute("inert", "");
    this.drawing.ledPower = true;
    const layer = svg("svg", { class: "marks", role: "group", "aria-label": "pins" });
    const places = new Map(this.drawing.pinInfo.map((pin) => [pin.name, pin]));
    for (const info of hello.pins) {
      const place = places.get(info.analog ? info.name : String(info.pin)) ?? places.get(info.name);
      if (place) layer.append(this.mark(info, place.x, place.y));
    }
    this.place.classList.toggle("large", large);
    this.place.replaceChildren(make("div", { class: "drawn" }, this.drawing, layer));
    // What the keyboard reaches: the pins that something is wired to. Others are reached by the pointer.
    for (const [pin, mark] of this.marks) mark.group.setAttribute("tabindex", this.byParts.has(pin) ? "0" : "-1");
  }

  state(pin: number): Omit<PinState, "pin"> {
    return this.states.get(pin) ?? UNKNOWN;
  }

  take(pins: PinState[], sends: boolean): void {
    for (const state of pins) {
      this.states.set(state.pin, state);
      const mark = this.marks.get(state.pin);
      if (mark) this.show(mark, state);
    }
    if (!this.drawing) return;
    this.drawing.led13 = highness(this.state(13)) > 0.02;
    this.sending = sends ? 2 : Math.max(0, this.sending - 1);
    this.drawing.ledTX = this.sending > 0;
  }

  /** Shows where a pin is. */
  point(pin: number, on: boolean): void {
    this.marks.get(pin)?.group.classList.toggle("pointed", on);
  }

  private scale(): number {
    return this.place.classList.contains("large") ? 0.82 : 1;
  }

  private mark(info: PinInfo, x: number, y: number): SVGGElement {
    const fill = svg("rect", { class: "fill", x: x - MARK / 2 + 1, width: MARK - 2, y, height: 0 });
    const title = svg("title", {}, info.name);
    const group = svg("g", { class: "pin-mark unused", role: "button", "aria-label": info.name, "data-pin": info.pin },
      title, svg("rect", { class: "frame", x: x - MARK / 2, y: y - MARK / 2, width: MARK, height: MARK, rx: 1.2 }), fill);
    group.addEventListener("click", () => this.open(info));
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.open(info);
      }
    });
    this.marks.set(info.pin, { info, group, fill, title, x, y });
    return group;
  }

  private show(mark: Mark, state: PinState): void {
    const share = highness(state);
    const height = (MARK - 2) * share;
    mark.fill.setAttribute("y", (mark.y + MARK / 2 - 1 - height).toFixed(2));
    mark.fill.setAttribute("height", height.toFixed(2));
    const used = state.mode !== "in" || state.level !== "z" || this.byParts.has(mark.info.pin);
    mark.group.classList.toggle("unused", !used);
    mark.group.classList.toggle("in", state.mode === "in" || state.mode.startsWith("pull"));
    mark.group.classList.toggle("clash", state.level === "x");
    const words = `${mark.info.name}: ${state.mode} ${levelWords(state)}`;
    if (mark.title.textContent !== words) {
      mark.title.textContent = words;
      mark.group.setAttribute("aria-label", words);
    }
  }

  /** What can be done to a pin by hand: drive it, or let it go. */
  private open(info: PinInfo): void {
    this.menu?.remove();
    const mark = this.marks.get(info.pin)!;
    const act = (name: string, to: 0 | 1 | null): HTMLButtonElement => {
      const button = make("button", { type: "button", "aria-label": `${info.name}: ${name}` }, name);
      button.addEventListener("click", () => {
        this.send({ do: "pin", pin: info.pin, to });
        this.menu?.remove();
      });
      return button;
    };
    const menu = make("div", { id: "pin-menu", role: "dialog", "aria-label": `drive ${info.name}` },
      make("strong", {}, info.name), act("high", 1), act("low", 0), act("let go", null));
    menu.addEventListener("keydown", (event) => {
      if (event.key === "Escape") menu.remove();
    });
    menu.addEventListener("focusout", (event) => {
      if (!menu.contains(event.relatedTarget as Node | null)) menu.remove();
    });
    this.menu = menu;
    this.place.append(menu);
    const room = this.place.clientWidth - menu.offsetWidth;
    const drawn = this.place.querySelector<HTMLElement>(".drawn")!;
    menu.style.left = `${Math.max(4, Math.min(room - 4, drawn.offsetLeft + mark.x * this.scale() - 60))}px`;
    menu.style.top = `${drawn.offsetTop + mark.y * this.scale() + 10}px`;
    menu.querySelector("button")?.focus();
  }
}
