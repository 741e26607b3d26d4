// The wires from the board's pins to the parts' terminals, drawn over the board and between the parts.
import { oncePerFrame, svg } from "./dom.ts";
import type { Board } from "./board.ts";
import { channelOrder, route, throughGaps, type Box, type End } from "./wire_routes.ts";

export const COLOURS = 8; // of wires: `wire-1` … in the style sheet

export interface Wire {
  pin: number;
  terminal: HTMLElement; // where it ends
  label: string;
}

const LANE = 4; // pixels between two wires

export class Wires {
  private readonly layer = svg("svg", { class: "wires", "aria-hidden": "true" });
  private wires: Wire[] = [];
  private paths: SVGPathElement[] = [];
  readonly redraw = oncePerFrame(() => this.draw());
  private loose: { from: HTMLElement; x: number; y: number } | null = null;

  constructor(private readonly inner: HTMLElement, private readonly boardPlace: HTMLElement, private readonly board: Board) {
    inner.prepend(this.layer);
    const watch = new ResizeObserver(() => this.redraw());
    watch.observe(inner);
    watch.observe(boardPlace);
  }

  show(wires: Wire[]): void {
    this.wires = wires;
    const up = wires.filter((wire) => this.board.placeOf(wire.pin)?.upper).length;
    this.boardPlace.style.paddingTop = `${10 + (up > 0 ? up * LANE + 4 : 0)}px`;
    this.boardPlace.style.paddingBottom = `${10 + wires.length * LANE}px`;
    this.redraw();
  }

  /** A wire that hangs at the pointer; null: none does. */
  hang(loose: { from: HTMLElement; x: number; y: number } | null): void {
    this.loose = loose;
    this.redraw();
  }

  /** Levels have changed. */
  light(pins: Iterable<number>): void {
    const changed = new Set(pins);
    this.wires.forEach((wire, i) => {
      if (changed.has(wire.pin)) this.paths[i]?.classList.toggle("high", this.board.state(wire.pin).level === 1);
    });
  }

  private draw(): void {
    const around = this.inner.getBoundingClientRect();
    const drawn = this.boardPlace.querySelector(".drawn")?.getBoundingClientRect();
    if (!drawn) return;
    const board = {
      left: drawn.left - around.left, right: drawn.right - around.left,
      top: drawn.top - around.top, bottom: drawn.bottom - around.top,
    };
    const ends: (End & { wire: Wire; index: number })[] = [];
    const first = Math.min(...this.wires.map((wire) => wire.terminal.getBoundingClientRect().top));
    this.wires.forEach((wire, index) => {
      const pin = this.board.placeOf(wire.pin);
      const box = wire.terminal.getBoundingClientRect();
      if (!pin || box.width === 0) return;
      ends.push({
        wire, index, upper: pin.upper,
        from: { x: pin.x - around.left, y: pin.y - around.top },
        to: { x: box.left + box.width / 2 - around.left, y: box.top - around.top },
        behind: box.top - first > 24,
      });
    });
    const parts = [...this.inner.querySelectorAll(".part")].map((part): Box => {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      return { left: left - around.left, right: right - around.left, top: top - around.top, bottom: bottom - around.top };
    }).filter((part) => part.right > part.left);
    throughGaps(ends, parts, board.bottom, around.width);
    this.paths = [];
    const shapes = channelOrder(ends, board).flatMap(({ end, lane, over }) => {
      const { wire, index } = end as (typeof ends)[number];
      const path = svg("path", {
        d: route(end, board, board.bottom + 6 + lane * LANE, over === null ? null : board.top - 6 - over * LANE),
        class: `wire wire-${(index % COLOURS) + 1}${this.board.state(wire.pin).level === 1 ? " high" : ""}`,
        "data-wire": wire.label,
      }, svg("title", {}, wire.label));
      this.paths[index] = path;
      return [path];
    });
    if (this.loose) {
      const box = this.loose.from.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2 - around.left, box.top - around.top];
      shapes.push(svg("path", { class: "wire loose", d: `M${x} ${y}L${this.loose.x - around.left} ${this.loose.y - around.top}` }));
    }
    this.layer.replaceChildren(...shapes);
  }
}
