// The timeline as a part of the page: its canvases, the pointer, the keys.
import { colours } from "../colours.ts";
import { make, oncePerFrame } from "../dom.ts";
import type { History } from "../history.ts";
import type { Hello } from "../protocol.ts";
import { MS, S } from "../times.ts";
import { drawLanes, drawScale, GUTTER, hatching, type Picture } from "./draw.ts";
import { bottom, lanes, type Lane } from "./lanes.ts";
import { tell } from "./tell.ts";
import { View } from "./view.ts";

const SCALE_HEIGHT = 22;
const NEAR = 6; // pixels

export class TimelinePanel {
  readonly view = new View();
  private readonly scale = make("canvas", { class: "scale" });
  private readonly canvas = make("canvas", {
    tabindex: 0,
    role: "img",
    "aria-label": "Timeline of cores, loops and pins. Arrow keys move, plus and minus zoom, L follows the present.",
  });
  private readonly hint = make("div", { class: "hint", role: "status", hidden: true });
  private readonly live = make("button", { type: "button", "aria-pressed": "true", title: "follow the present (L)" }, "Live");
  private shown: Lane[] = [];
  private hello: Hello | null = null;
  private history: History | null = null;
  readonly redraw = oncePerFrame(() => this.draw());
  private dragged: number | null = null;
  private pixels = 1;

  constructor(private readonly place: HTMLElement, buttons: HTMLElement) {
    const zoom = (name: string, label: string, factor: number): HTMLButtonElement => {
      const button = make("button", { type: "button", "aria-label": label, title: label }, name);
      button.addEventListener("click", () => this.zoom(factor));
      return button;
    };
    this.live.addEventListener("click", () => this.follow(!this.view.live));
    buttons.append(zoom("−", "zoom out", 2), zoom("+", "zoom in", 0.5), this.live);
    const scroll = make("div", { class: "lanes" }, this.canvas);
    place.append(this.scale, scroll, this.hint);
    this.canvas.addEventListener("pointerdown", (event) => this.down(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", () => (this.dragged = null));
    this.canvas.addEventListener("pointercancel", () => (this.dragged = null));
    this.canvas.addEventListener("pointerleave", () => (this.hint.hidden = true));
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.redraw()).observe(place);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }

  /** A run begins, or begins again. */
  begin(hello: Hello, history: History): void {
    const first = this.hello === null;
    this.hello = hello;
    this.history = history;
    if (first) {
      const longest = Math.max(100 * MS, ...hello.loops.map((loop) => loop.period));
      this.view.span = Math.min(10 * S, longest * 10);
    }
    this.follow(true);
  }

  follow(live: boolean): void {
    this.view.live = live;
    if (!live && this.history) this.view.from = Math.max(0, this.view.from);
    this.live.setAttribute("aria-pressed", String(live));
    this.redraw();
  }

  private draw(): void {
    if (!this.hello || !this.history) return;
    this.shown = lanes(this.hello, this.history, this.place.clientHeight - SCALE_HEIGHT - 2);
    this.pixels = devicePixelRatio;
    const width = Math.max(GUTTER + 50, this.place.clientWidth);
    const height = Math.max(bottom(this.shown), this.place.clientHeight - SCALE_HEIGHT - 2);
    this.view.width = width - GUTTER - 1;
    this.view.follow(this.history.now);
    const of = colours();
    const upper = this.pen(this.scale, width, SCALE_HEIGHT);
    const pen = this.pen(this.canvas, width, height);
    if (!upper || !pen) return;
    drawScale(upper, this.view, of, SCALE_HEIGHT);
    const order = new Map(this.hello.loops.map((loop, index) => [loop.id, index]));
    const picture: Picture = {
      pen, view: this.view, colours: of, history: this.history, order, hatch: hatching(pen, of.hatch),
    };
    drawLanes(picture, this.shown, height);
  }

  private pen(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
    const [across, down] = [Math.round(width * this.pixels), Math.round(height * this.pixels)];
    if (canvas.width !== across || canvas.height !== down) {
      canvas.width = across;
      canvas.height = down;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    const pen = canvas.getContext("2d");
    pen?.setTransform(this.pixels, 0, 0, this.pixels, 0, 0);
    pen?.clearRect(0, 0, width, height);
    return pen;
  }

  private zoom(factor: number, x = this.view.live ? this.view.width : this.view.width / 2): void {
    this.view.zoom(factor, x);
    this.redraw();
  }

  private pan(pixels: number): void {
    this.view.pan(pixels);
    this.follow(false);
  }

  private down(event: PointerEvent): void {
    this.dragged = event.clientX;
    this.canvas.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    if (this.dragged !== null && event.buttons !== 0) {
      this.pan(this.dragged - event.clientX);
      this.dragged = event.clientX;
      this.hint.hidden = true;
      return;
    }
    this.explain(event);
  }

  private wheel(event: WheelEvent): void {
    if (event.ctrlKey || !event.shiftKey && Math.abs(event.deltaY) >= Math.abs(event.deltaX)) {
      const tall = this.canvas.parentElement!;
      if (!event.ctrlKey && tall.scrollHeight > tall.clientHeight + 4 && event.offsetX < GUTTER) return;
      event.preventDefault();
      this.zoom(Math.exp(event.deltaY / 400), this.view.live ? this.view.width : event.offsetX - GUTTER);
      return;
    }
    event.preventDefault();
    this.pan(event.deltaX || event.deltaY);
  }

  private key(event: KeyboardEvent): void {
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.pan(-this.view.width / 10),
      ArrowRight: () => this.pan(this.view.width / 10),
      "+": () => this.zoom(0.5),
      "-": () => this.zoom(2),
      Home: () => this.pan(-Infinity),
      End: () => this.follow(true),
    };
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  }

  private explain(event: PointerEvent): void {
    const x = event.offsetX - GUTTER;
    if (!this.history || x < 0) {
      this.hint.hidden = true;
      return;
    }
    const lane = this.shown.find((one) => event.offsetY >= one.y && event.offsetY < one.y + one.height) ?? null;
    const near = (NEAR / this.view.width) * this.view.span;
    const lines = tell(lane, this.view.at(x), this.history, near);
    this.hint.replaceChildren(...lines.map((line) => make("div", {}, line)));
    this.hint.hidden = false;
    const box = this.place.getBoundingClientRect();
    const [left, top] = [event.clientX - box.left, event.clientY - box.top];
    const wide = this.hint.offsetWidth;
    this.hint.style.left = `${left + wide + 20 > box.width ? Math.max(0, left - wide - 12) : left + 14}px`;
    this.hint.style.top = `${Math.max(0, Math.min(top + 12, box.height - this.hint.offsetHeight - 4))}px`;
  }
}
