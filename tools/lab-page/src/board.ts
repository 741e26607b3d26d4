// The board as it looks, with a mark at each pin that shows its level, and a way to drive pins by hand.
import { boardPicture, type BoardPicture } from "./board_picture.ts";
import { byId, make, svg } from "./dom.ts";
import type { Command, Hello, PinInfo, PinState } from "./protocol.ts";

const MARK = 7.4; // pixels

function levelWords(state: Omit<PinState, "pin">): string {
  if (state.share !== null && state.share > 0 && state.share < 1) return `high ${Math.round(state.share * 100)} % of the time`;
  return { 0: "low", 1: "high", z: "floating", x: "driven against itself" }[state.level];
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
  private picture: BoardPicture | null = null;
  private menu: HTMLElement | null = null;
  private byParts = new Set<number>();
  private sending = 0;
  private choosing: ((pin: number) => void) | null = null;
  pins: PinInfo[] = [];
  buses: Record<string, number> = {};
  private led = 13;

  constructor(private readonly send: (command: Command) => void) {}

  begin(hello: Hello): void {
    this.states.clear();
    this.marks.clear();
    this.menu = null;
    this.pins = hello.pins;
    this.buses = hello.buses;
    this.led = hello.led;
    this.byParts = new Set(hello.parts.flatMap((part) => Object.values(part.pins)));
    const picture = (this.picture = boardPicture(hello));
    const layer = svg("svg", {
      class: "marks", viewBox: `0 0 ${picture.width} ${picture.height}`, role: "group", "aria-label": `pins of the ${picture.name}`,
    });
    for (const info of hello.pins) {
      const place = picture.pins.get(info.analog ? info.name : String(info.pin)) ?? picture.pins.get(info.name);
      if (place) layer.append(this.mark(info, place.x, place.y));
    }
    const drawn = make("div", { class: `drawn ${hello.board}` }, picture.element, layer);
    drawn.style.width = `${picture.width}px`;
    drawn.style.aspectRatio = `${picture.width} / ${picture.height}`;
    this.place.replaceChildren(drawn);
    this.choose(null);
  }

  /** The next pin that is chosen is for this, and not driven; null: they are driven as ever. */
  choose(take: ((pin: number) => void) | null): void {
    this.choosing = take;
    this.menu?.remove();
    this.place.classList.toggle("choosing", take !== null);
    // What the keyboard reaches: the pins that something is wired to. Others are reached by the pointer.
    for (const [pin, mark] of this.marks) {
      mark.group.setAttribute("tabindex", take || this.byParts.has(pin) ? "0" : "-1");
    }
  }

  /** The middle of a pin on the screen, and whether it is at the board's upper edge. */
  placeOf(pin: number): { x: number; y: number; upper: boolean } | null {
    const mark = this.marks.get(pin);
    if (!mark || !this.picture) return null;
    const box = mark.group.querySelector(".frame")!.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, upper: mark.y < this.picture.height / 2 };
  }

  focus(pin: number): void {
    this.marks.get(pin)?.group.focus();
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
    if (!this.picture) return;
    this.picture.led(highness(this.state(this.led)) > 0.02);
    this.sending = sends ? 2 : Math.max(0, this.sending - 1);
    this.picture.sending(this.sending > 0);
  }

  /** Shows where a pin is. */
  point(pin: number, on: boolean): void {
    this.marks.get(pin)?.group.classList.toggle("pointed", on);
  }

  private mark(info: PinInfo, x: number, y: number): SVGGElement {
    const fill = svg("rect", { class: "fill", x: x - MARK / 2 + 1, width: MARK - 2, y, height: 0 });
    const title = svg("title", {}, info.name);
    const group = svg("g", { class: "pin-mark unused", role: "button", "aria-label": info.name, "data-pin": info.pin },
      title, svg("rect", { class: "reach", x: x - 5, y: y - 11, width: 10, height: 22 }), svg("rect", { class: "frame", x: x - MARK / 2, y: y - MARK / 2, width: MARK, height: MARK, rx: 1.2 }), fill);
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
    if (this.choosing) {
      this.choosing(info.pin);
      return;
    }
    const at = this.placeOf(info.pin)!;
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
    const around = this.place.getBoundingClientRect();
    const room = this.place.clientWidth - menu.offsetWidth;
    menu.style.left = `${Math.max(4, Math.min(room - 4, at.x - around.x - 60))}px`;
    menu.style.top = `${at.y - around.y + 10}px`;
    menu.querySelector("button")?.focus();
  }
}
