// Draws the timeline: each lane from its history, as far as it is in view.
import { loopColour, type Colours } from "../colours.ts";
import { KERNEL, type History, type LoopHistory } from "../history.ts";
import type { Level } from "../protocol.ts";
import type { Lane } from "./lanes.ts";
import { step, tick, type View } from "./view.ts";

export const GUTTER = 128; // pixels for the lanes' names

type Pen = CanvasRenderingContext2D;

export interface Picture {
  pen: Pen;
  view: View;
  colours: Colours;
  history: History;
  order: Map<number, number>; // loop → its place among the loops, for its colour
  hatch: CanvasPattern | null;
}

/** A pattern of oblique lines. */
export function hatching(pen: Pen, colour: string): CanvasPattern | null {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 6;
  const on = tile.getContext("2d");
  if (!on) return null;
  on.strokeStyle = colour;
  on.lineWidth = 1.4;
  on.beginPath();
  for (const shift of [-6, 0, 6]) {
    on.moveTo(shift, 6);
    on.lineTo(shift + 6, 0);
  }
  on.stroke();
  return pen.createPattern(tile, "repeat");
}

export function drawScale(pen: Pen, view: View, colours: Colours, height: number): void {
  const size = step(view.span, view.width);
  pen.font = "11px system-ui, sans-serif";
  pen.textBaseline = "middle";
  for (let at = Math.ceil(view.from / size) * size; at <= view.to; at += size) {
    const x = GUTTER + Math.round(view.x(at)) + 0.5;
    pen.strokeStyle = colours.line;
    pen.beginPath();
    pen.moveTo(x, height - 6);
    pen.lineTo(x, height);
    pen.stroke();
    pen.fillStyle = colours.quiet;
    pen.fillText(tick(at, size), x + 4, height / 2);
  }
}

export function drawLanes(picture: Picture, all: Lane[], height: number): void {
  const { pen, view, colours, history } = picture;
  grid(picture, height);
  for (const lane of all) {
    pen.save();
    pen.beginPath();
    pen.rect(GUTTER, lane.y, view.width, lane.height);
    pen.clip();
    if (lane.kind === "core") drawCore(picture, lane);
    else if (lane.kind === "loop") drawLoop(picture, lane, history.loops.get(lane.id)!);
    else drawPin(picture, lane);
    pen.restore();
    title(picture, lane);
  }
  drawTouches(picture, height);
  const x = GUTTER + view.x(history.now);
  if (x > GUTTER && x < GUTTER + view.width) {
    pen.strokeStyle = colours.text;
    line(pen, x, 0, x, height);
  }
}

function line(pen: Pen, x0: number, y0: number, x1: number, y1: number): void {
  pen.beginPath();
  pen.moveTo(Math.round(x0) + 0.5, Math.round(y0) + 0.5);
  pen.lineTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
  pen.stroke();
}

function grid({ pen, view, colours }: Picture, height: number): void {
  const size = step(view.span, view.width);
  pen.strokeStyle = colours.line;
  pen.lineWidth = 1;
  for (let at = Math.ceil(view.from / size) * size; at <= view.to; at += size) {
    const x = GUTTER + view.x(at);
    line(pen, x, 0, x, height);
  }
}

function title({ pen, colours, order }: Picture, lane: Lane): void {
  pen.textBaseline = "middle";
  const middle = lane.kind === "loop" ? lane.y + 15 : lane.y + lane.height / 2;
  if (lane.kind === "loop") {
    pen.fillStyle = loopColour(colours, order.get(lane.id) ?? 0);
    pen.fillRect(4, lane.y + 8, 4, lane.height - 14);
  }
  pen.fillStyle = colours.text;
  pen.font = `${lane.kind === "loop" ? "600 " : ""}12px system-ui, sans-serif`;
  pen.fillText(lane.title, 14, middle, GUTTER - 20);
  if (lane.note) {
    pen.fillStyle = colours.quiet;
    pen.font = "11px system-ui, sans-serif";
    if (lane.kind === "pin") pen.fillText(fitting(pen, lane.note, GUTTER - 52), 46, middle);
    else pen.fillText(lane.note, 14, middle + 16, GUTTER - 20);
  }
}

/** As much of a text as there is room for. */
function fitting(pen: Pen, text: string, room: number): string {
  let shown = text;
  while (shown.length > 1 && pen.measureText(shown).width > room) shown = `${shown.slice(0, -2)}…`;
  return shown;
}

/** A rectangle for a stretch of time, at least a pixel wide; several within one pixel are drawn once. */
function bars(picture: Picture, y: number, height: number): (from: number, to: number) => number {
  const { pen, view } = picture;
  let drawnTo = -1;
  return (from, to) => {
    const left = Math.max(GUTTER - 2, GUTTER + view.x(from));
    const right = Math.min(GUTTER + view.width + 2, Math.max(left + 1, GUTTER + view.x(to)));
    if (right <= drawnTo) return 0;
    pen.fillRect(left, y, right - left, height);
    drawnTo = Math.ceil(right);
    return right - left;
  };
}

function drawCore(picture: Picture, lane: Lane): void {
  const { pen, view, colours, history, order } = picture;
  const y = lane.y + 4;
  const bar = bars(picture, y, lane.height - 8);
  pen.fillStyle = colours.line;
  pen.fillRect(GUTTER, lane.y + lane.height / 2, view.width, 1);
  history.eachOn(lane.id, view.from, view.to, (from, to, loop) => {
    pen.fillStyle = loop === KERNEL ? colours.hatch : loopColour(colours, order.get(loop) ?? 0);
    if (bar(from, to) < (loop === KERNEL ? 44 : 14)) return;
    pen.fillStyle = colours.ground;
    pen.font = "600 11px system-ui, sans-serif";
    pen.textAlign = "center";
    const middle = (Math.max(0, view.x(from)) + Math.min(view.width, view.x(to))) / 2;
    pen.fillText(loop === KERNEL ? "setup" : String(loop), GUTTER + middle, lane.y + lane.height / 2 + 0.5);
    pen.textAlign = "start";
  });
}

function drawLoop(picture: Picture, lane: Lane, loop: LoopHistory): void {
  const { pen, view, colours, order } = picture;
  const y = lane.y + 8;
  const high = runHeight(lane);
  const colour = loopColour(colours, order.get(lane.id) ?? 0);
  const run = bars(picture, y, high);
  const ready = bars(picture, y + high / 2 - 1, 2);
  const exhausted = bars(picture, y + 2, high - 4);
  loop.each(view.from, view.to, picture.history.now, (from, to, doing) => {
    if (doing === "run") {
      pen.fillStyle = colour;
      run(from, to);
    } else if (doing === "ready") {
      pen.fillStyle = colours.ready;
      ready(from, to);
    } else {
      pen.fillStyle = picture.hatch ?? colours.hatch;
      exhausted(from, to);
    }
  });
  drawReleases(picture, lane, loop);
  drawLevel(picture, lane, loop, colour);
}

/** Of what runs; the budget that is left has as much below it. */
function runHeight(lane: Lane): number {
  return 14 + Math.floor((lane.height - 50) / 2);
}

const DENSE = 7; // pixels between two marks: nearer than that they are left out
const CLOSE = 26; // nearer than that there are the releases' heads alone: the rest would cover what runs

/** Releases point up, deadlines down; a bracket reaches from a release to the response bound. */
function drawReleases({ pen, view, colours }: Picture, lane: Lane, loop: LoopHistory): void {
  const { bound } = loop.info;
  let before = -DENSE;
  const from = view.from - Math.max(loop.info.deadline, bound ?? 0);
  const close = (loop.info.period / view.span) * view.width < CLOSE;
  loop.releases.each(from, view.to, (at, deadline) => {
    const x = GUTTER + view.x(at);
    if (x - before < DENSE) return;
    before = x;
    pen.fillStyle = colours.text;
    triangle(pen, x, lane.y + 2, 5);
    if (close) return;
    pen.strokeStyle = colours.text;
    const foot = lane.y + 9 + runHeight(lane);
    line(pen, x, lane.y + 3, x, foot);
    pen.fillStyle = colours.quiet;
    triangle(pen, GUTTER + view.x(deadline), lane.y + 7, -5);
    if (bound === null) return;
    pen.strokeStyle = colours.bound;
    const end = GUTTER + view.x(at + bound);
    line(pen, x, foot + 3, end, foot + 3);
    line(pen, end, foot, end, foot + 6);
  });
}

function triangle(pen: Pen, x: number, y: number, height: number): void {
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x - 3.5, y + height);
  pen.lineTo(x + 3.5, y + height);
  pen.fill();
}

/** How much of the budget is left. */
function drawLevel({ pen, view, colours, history }: Picture, lane: Lane, loop: LoopHistory, colour: string): void {
  const [floor, height] = [lane.y + lane.height - 4, runHeight(lane)];
  const end = Math.min(view.width, view.x(history.now));
  const begin = Math.max(0, view.x(0));
  if (end <= begin) return;
  pen.beginPath();
  pen.moveTo(GUTTER + begin, floor);
  for (let x = begin; x <= end; x += 2) {
    const left = 1 - history.used(lane.id, view.at(x)) / loop.info.budget;
    pen.lineTo(GUTTER + x, floor - Math.max(0, Math.min(1, left)) * height);
  }
  pen.lineTo(GUTTER + end, floor);
  pen.closePath();
  pen.globalAlpha = 0.28;
  pen.fillStyle = colour;
  pen.fill();
  pen.globalAlpha = 1;
  pen.strokeStyle = colours.line;
  line(pen, GUTTER, floor, GUTTER + view.width, floor);
}

/** High, low, and half-way: nobody drives it, or two do against each other. */
function height(level: Level): number {
  return level === 1 ? 1 : level === 0 ? 0 : 0.5;
}

function drawPin({ pen, view, colours, history }: Picture, lane: Lane): void {
  const marks = history.pins.get(lane.id);
  if (!marks) return;
  const y = (level: number): number => lane.y + lane.height - 4 - level * (lane.height - 8);
  const first = marks.firstFrom(view.from);
  const before = marks.mark(first - 1);
  let level = height(before?.value ?? (marks.mark(first)?.value === 0 ? 1 : 0));
  const end = GUTTER + Math.min(view.width, view.x(history.now));
  let [pixel, blurred] = [GUTTER - 2, false];
  pen.strokeStyle = colours.high;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(GUTTER, y(level));
  marks.each(view.from, Math.min(view.to, history.now + 1), (at, next) => {
    const x = Math.round(GUTTER + view.x(at));
    if (x !== pixel) {
      pen.lineTo(x, y(level));
      pen.lineTo(x, y(height(next)));
      [pixel, blurred] = [x, false];
    } else if (!blurred) {
      // Several edges in one pixel: a stroke over the whole height, and on from the last of them.
      pen.lineTo(x, y(0));
      pen.lineTo(x, y(1));
      blurred = true;
    }
    level = height(next);
    if (blurred) pen.moveTo(x, y(level));
  });
  if (end > GUTTER) pen.lineTo(end, y(level));
  pen.stroke();
  pen.lineWidth = 1;
}

function drawTouches({ pen, view, colours, history }: Picture, height: number): void {
  pen.strokeStyle = colours.touch;
  pen.fillStyle = colours.touch;
  history.touches.each(view.from, view.to, (at) => {
    const x = GUTTER + view.x(at);
    pen.setLineDash([3, 3]);
    line(pen, x, 0, x, height);
    pen.setLineDash([]);
    pen.beginPath();
    pen.arc(x, 4, 3, 0, 7);
    pen.fill();
  });
}
