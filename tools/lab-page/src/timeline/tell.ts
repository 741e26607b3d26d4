// What stands at a place of the timeline, in words with exact times: for the pointer and for screen readers.
import { KERNEL, type History } from "../history.ts";
import type { Level } from "../protocol.ts";
import { duration, instant } from "../times.ts";
import type { Lane } from "./lanes.ts";

const WORDS = {
  run: "runs",
  ready: "could run: the core is another's",
  exhausted: "has used its budget up",
};

const LEVELS: Record<Level, string> = { 0: "low", 1: "high", z: "floating", x: "driven against itself" };

export function tell(lane: Lane | null, at: number, history: History, near: number): string[] {
  const lines = [instant(Math.max(0, Math.round(at)))];
  const touch = history.touches.nearest(at);
  if (touch && Math.abs(touch.at - at) < near) lines.push(`touched: ${touch.value}`, instant(touch.at));
  if (!lane || at > history.now) return lines;
  if (lane.kind === "core") lines.push(...core(lane, at, history));
  else if (lane.kind === "loop") lines.push(...loop(lane, at, history, near));
  else lines.push(...pin(lane, at, history));
  return lines;
}

function stretch(from: number, to: number): string[] {
  return [`${instant(from)} …`, `${instant(to)}: ${duration(to - from)}`];
}

function core(lane: Lane, at: number, history: History): string[] {
  const lines: string[] = [];
  history.eachOn(lane.id, at, at + 1, (from, to, loop) => {
    if (from > at || to <= at) return;
    lines.push(`${lane.title}: ${loop === KERNEL ? "setup() and the kernel" : `loop ${loop}`}`, ...stretch(from, to));
  });
  return lines.length > 0 ? lines : [`${lane.title} is idle`];
}

function loop(lane: Lane, at: number, history: History, near: number): string[] {
  const of = history.loops.get(lane.id);
  if (!of) return [];
  const piece = of.at(at, history.now);
  const lines = piece ? [`${lane.title} ${WORDS[piece.doing]}`, ...stretch(piece.from, piece.to)] : [`${lane.title} rests`];
  const left = of.info.budget - history.used(lane.id, at);
  lines.push(`budget left: ${duration(Math.max(0, Math.round(left)))} of ${duration(of.info.budget)}`);
  const release = of.releases.nearest(at);
  if (release && Math.abs(release.at - at) < near) {
    lines.push(`released ${instant(release.at)}`, `due ${instant(release.value)}`);
    if (of.info.bound !== null) lines.push(`response bound ${duration(of.info.bound)}`);
  }
  return lines;
}

function pin(lane: Lane, at: number, history: History): string[] {
  const marks = history.pins.get(lane.id);
  if (!marks) return [];
  const behind = marks.firstFrom(at);
  const [before, after] = [marks.mark(behind - 1), marks.mark(behind)];
  const lines: string[] = [];
  if (before) lines.push(`${lane.title} is ${LEVELS[before.value]} since`, instant(before.at));
  if (after) lines.push(`becomes ${LEVELS[after.value]} at`, instant(after.at));
  if (before && after) lines.push(`for ${duration(after.at - before.at)}`);
  return lines;
}
