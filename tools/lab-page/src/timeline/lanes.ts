// The lanes of the timeline from top to bottom: cores, loops, pins.
import type { History } from "../history.ts";
import type { Hello } from "../protocol.ts";
import { duration } from "../times.ts";

export interface Lane {
  kind: "core" | "loop" | "pin";
  id: number;
  title: string;
  note: string;
  y: number;
  height: number;
}

const HEIGHTS = { core: 24, loop: 50, pin: 20 };
const MOST = { core: 52, loop: 132, pin: 60 }; // where there is room
const GAP = 8; // between the kinds

const KINDS: Record<string, string> = { isr: "handler", io: "I/O" };

/** What a loop is called: `loop 1`, `periodic 2`, `handler 3`. */
export function loopName(kind: string, id: number): string {
  return `${KINDS[kind] ?? kind} ${id}`;
}

/** All lanes; where they do not need the height that there is, they are higher, as far as that helps to read them. */
export function lanes(hello: Hello, history: History, height = 0): Lane[] {
  const least = listed(hello, history, HEIGHTS);
  const room = height - bottom(least);
  if (room <= 0) return least;
  const most = listed(hello, history, MOST);
  const share = Math.min(1, room / Math.max(1, bottom(most) - bottom(least)));
  const between = (kind: Lane["kind"]): number => Math.floor(HEIGHTS[kind] + (MOST[kind] - HEIGHTS[kind]) * share);
  return listed(hello, history, { core: between("core"), loop: between("loop"), pin: between("pin") });
}

function listed(hello: Hello, history: History, heights: Record<Lane["kind"], number>): Lane[] {
  const found: Lane[] = [];
  let y = 4;
  const add = (kind: Lane["kind"], id: number, title: string, note: string): void => {
    if (found.length > 0 && found[found.length - 1]!.kind !== kind) y += GAP;
    found.push({ kind, id, title, note, y, height: heights[kind] });
    y += heights[kind];
  };
  for (let core = 0; core < hello.cores; core++) add("core", core, `core ${core}`, "");
  for (const loop of hello.loops) {
    const note = `${duration(loop.budget)} in ${duration(loop.period)}`;
    add("loop", loop.id, loopName(loop.kind, loop.id), note);
  }
  const names = new Map(hello.pins.map((pin) => [pin.pin, pin.name]));
  const parts = new Map(hello.parts.flatMap((part) => Object.values(part.pins).map((pin) => [pin, part.name])));
  for (const pin of [...history.pins.keys()].sort((a, b) => a - b)) {
    add("pin", pin, names.get(pin) ?? `pin ${pin}`, parts.get(pin) ?? "");
  }
  return found;
}

export function bottom(all: Lane[]): number {
  const last = all[all.length - 1];
  return last ? last.y + last.height + 4 : 0;
}
