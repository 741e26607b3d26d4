// What a part on the page is: something drawn that shows the part's facts, and what can be touched of it.
//
// To add a part: a file with a function that draws it, and its line in registry.ts. A part that is not there is
// shown by its facts, and its controls work all the same.
import type { Control, PartInfo } from "../protocol.ts";

export type Facts = Record<string, unknown>;
export type Value = boolean | number;

/** What surrounds a part. */
export interface Surroundings {
  part: PartInfo;
  touch(name: string, to: Value): void;
  high(pin: number): number; // share of the time since the last frame
  stands(): boolean; // time stands still: what is shown is an instant, no share of time
  control(name: string): Control | null;
  sound(hertz: number | null): void;
}

export interface PartView {
  drawing: Element | null;
  wide?: boolean;
  takes?: string[]; // controls that the drawing has already
  touchable?: boolean;
  facts?: boolean; // it shows none itself: they stand below it as text
  show?(facts: Facts): void;
}

export type Draw = (of: Surroundings) => PartView;

export function numberOf(facts: Facts, ...names: string[]): number | null {
  for (const name of names) {
    const value = facts[name];
    if (typeof value === "number" && Number.isFinite(value)) return value;
  }
  return null;
}
