// Which stretch of time the timeline shows, and where an instant is on the screen.

import { MS, S, US } from "../times.ts";

export const SHORTEST = 200; // ns across the whole timeline
export const LONGEST = 600 * S;

export class View {
  from = 0;
  span = S; // across the whole width
  width = 100; // pixels
  live = true; // the right edge is now

  get to(): number {
    return this.from + this.span;
  }

  x(at: number): number {
    return ((at - this.from) / this.span) * this.width;
  }

  at(x: number): number {
    return this.from + (x / this.width) * this.span;
  }

  /** While it is live: now stands a little before the right edge; the run's beginning at the left one. */
  follow(now: number): void {
    if (this.live) this.from = Math.max(0, now - this.span * 0.97);
  }

  /** Makes the stretch shorter (factor below 1) or longer; what is at x stays there. */
  zoom(factor: number, x: number): void {
    const held = this.at(x);
    const span = Math.min(LONGEST, Math.max(SHORTEST, this.span * factor));
    this.span = span;
    this.from = Math.max(0, held - (x / this.width) * span);
  }

  /** Moves by pixels, and no longer follows. */
  pan(pixels: number): void {
    this.live = false;
    this.from = Math.max(0, this.from + (pixels / this.width) * this.span);
  }
}

/** Steps of the scale: 1, 2 or 5 times a power of ten, so that labels have room. */
export function step(span: number, width: number, room = 110): number {
  const least = (span / Math.max(1, width)) * room;
  let power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  for (;;) {
    for (const times of [1, 2, 5]) if (power * times >= least) return power * times;
    power *= 10;
  }
}

/** An instant on the scale, with as many digits as the steps need. */
export function tick(at: number, stepSize: number): string {
  const [unit, name] = stepSize >= S / 10 ? [S, "s"] : stepSize >= MS / 10 ? [MS, "ms"] : [US, "us"];
  const places = Math.max(0, Math.ceil(Math.log10(unit / stepSize) - 1e-9));
  return `${(at / unit).toFixed(places)} ${name}`;
}
