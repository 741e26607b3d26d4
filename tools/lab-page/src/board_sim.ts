// A board without a picture, such as the simulated one, has a shape of its own. All its pins are at two edges, those that
// sketches use most at the lower one, where the parts are.
import { svg } from "./dom.ts";
import type { BoardPicture, Place } from "./board_picture.ts";
import type { Hello } from "./protocol.ts";

const [WIDTH, HEIGHT, PITCH] = [400, 158, 9.8];
const [TOP, BOTTOM] = [9, HEIGHT - 9];
const MOST_CORES = 8; // drawn one by one

export function plainBoard(hello: Hello): BoardPicture {
  const cores = hello.cores;
  const second = secondNames(hello);
  const pins = new Map<string, Place>();
  const labels: SVGElement[] = [];
  const row = (names: string[], left: number, y: number): SVGElement => {
    names.forEach((name, i) => {
      const x = left + (i + 0.5) * PITCH;
      pins.set(name, { x, y });
      labels.push(pinLabel(name, second.get(name), x, y));
    });
    return svg("rect", { class: "header", x: left - 1, y: y - 6, width: names.length * PITCH + 2, height: 12, rx: 1.5 });
  };
  const numbered = hello.pins.filter((info) => !info.analog).map((info) => String(info.pin));
  const [digital, further] = [numbered.slice(0, 22), numbered.slice(22)];
  const analog = hello.pins.filter((info) => info.analog).map((info) => info.name);
  const headers = [row(digital, 8, BOTTOM), row(analog, 8 + 22 * PITCH + 12, BOTTOM), row(further, 44, TOP)]
    .filter((header) => Number(header.getAttribute("width")) > PITCH);
  const led = svg("circle", { class: "lamp", cx: 38, cy: 84, r: 4 });
  const sent = svg("circle", { class: "lamp sent", cx: 38, cy: 68, r: 4 });
  const element = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "sim-board", "aria-hidden": "true" },
    svg("rect", { class: "plate", x: 0.5, y: 0.5, width: WIDTH - 1, height: HEIGHT - 1, rx: 9 }),
    ...[[14, 28], [WIDTH - 14, 28], [14, HEIGHT - 44], [WIDTH - 14, HEIGHT - 44]].map(([cx, cy]) =>
      svg("circle", { class: "hole", cx: cx!, cy: cy!, r: 4 })),
    ...headers, ...labels,
    svg("text", { class: "silk", x: 48, y: 87 }, `LED ${nameOf(hello, hello.led)}`), svg("text", { class: "silk", x: 48, y: 71 }, "TX"), led, sent,
    ...chip(cores),
    svg("text", { class: "silk name", x: WIDTH - 30, y: 76, "text-anchor": "end" }, `hocket ${hello.board}`),
    svg("text", { class: "silk", x: WIDTH - 30, y: 89, "text-anchor": "end" }, `${cores} core${cores === 1 ? "" : "s"}`));
  return {
    element, width: WIDTH, height: HEIGHT, pins, name: `board ${hello.board}`,
    led: (on) => led.classList.toggle("lit", on),
    sending: (on) => sent.classList.toggle("lit", on),
  };
}

function nameOf(hello: Hello, pin: number): string {
  const info = hello.pins.find((each) => each.pin === pin);
  return info?.analog ? info.name : String(pin);
}

/** What else pins are for, by their names. */
function secondNames(hello: Hello): Map<string, string> {
  const names = new Map([[nameOf(hello, hello.led), "LED"]]);
  for (const [line, pin] of Object.entries(hello.buses)) names.set(nameOf(hello, pin), line);
  return names;
}

/** Its number, and what else the pin is for, along the board's short side. */
function pinLabel(name: string, second: string | undefined, x: number, y: number): SVGElement {
  const upper = y < HEIGHT / 2;
  const at = upper ? y + 9 : y - 9;
  return svg("text", {
    class: "silk pin", x, y: at, transform: `rotate(-90 ${x} ${at})`, dy: "0.35em", "text-anchor": upper ? "end" : "start",
  }, second ? `${name} ${second}` : name);
}

function chip(cores: number): SVGElement[] {
  const drawn = Math.min(cores, MOST_CORES);
  const columns = Math.min(drawn, 4);
  const rows = Math.ceil(drawn / columns);
  const [size, gap] = [rows > 1 ? 18 : 26, 4];
  const [width, height] = [columns * (size + gap) + gap, rows * (size + gap) + gap];
  const [left, top] = [WIDTH / 2 - width / 2 - 6, 79 - height / 2];
  const dies = Array.from({ length: drawn }, (_, core) => {
    const [x, y] = [left + gap + (core % columns) * (size + gap), top + gap + Math.floor(core / columns) * (size + gap)];
    return [
      svg("rect", { class: "die", x, y, width: size, height: size, rx: 2 }),
      svg("text", { class: "silk", x: x + size / 2, y: y + size / 2, dy: "0.35em", "text-anchor": "middle" },
        core === drawn - 1 && cores > drawn ? "…" : String(core)),
    ];
  });
  return [svg("rect", { class: "chip", x: left - 4, y: top - 4, width: width + 8, height: height + 8, rx: 3 }), ...dies.flat()];
}
